/* What softmax and log_softmax share. */
#include "nn/softmax/softmax.h"

#include "ops/promote.h"

static tsr_status rows_of(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int axis, tsr__rows *rows) {
  tsr_status st = tsr__check_input(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__nn_check_float(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis", axis, x->ndim, &axis);
  if (st != TSR_OK) return st;
  *rows = (tsr__rows){.op = op, .x = x};
  for (int i = 0; i < x->ndim; i++)
    if (i != axis) tsr__rows_add(rows, false, i, x->shape[i], 1);
  tsr__rows_add(rows, true, axis, x->shape[axis], 1);
  return TSR_OK;
}

static void run_row(const void *arg, tsr_index number, const void *x, void *out) {
  const tsr__softmax *const s = arg;
  (void)number;
  s->kernel(s->n, x, out);
}

tsr_status tsr__softmax_run(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int axis,
                            tsr__softmax_kernel *const *table, tsr_tensor *out) {
  tsr__rows        rows;
  const tsr_status st = rows_of(ctx, op, x, axis, &rows);
  if (st != TSR_OK) return st;
  const tsr__softmax s = {table[tsr__compute_of(x->dtype)], tsr__rows_length(&rows)};
  rows.run = run_row;
  rows.arg = &s;
  return tsr__rows_run(ctx, &rows, out);
}

tsr_status tsr__softmax_workspace(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int axis, size_t *bytes) {
  tsr__rows        rows;
  const tsr_status st = rows_of(ctx, op, x, axis, &rows);
  if (st != TSR_OK) return st;
  if (bytes == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bytes", "is NULL");
  *bytes = tsr__rows_workspace(ctx, &rows);
  return TSR_OK;
}
