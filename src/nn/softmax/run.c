/* What softmax and log_softmax share. */
#include "nn/softmax/ops.h"
#include "nn/softmax/softmax.h"

#include "core/prepare.h"
#include "ops/promote.h"

static void softmax_row(const void *arg, tsr_index number, const void *x, void *out) {
  const tsr__softmax *const s = arg;
  (void)number;
  s->kernel.row(s->n, x, out);
}

static void softmax_columns(const void *arg, tsr_index width, const void *x, ptrdiff_t x_step, void *out,
                            ptrdiff_t out_step, void *memory) {
  const tsr__softmax *const s = arg;
  s->kernel.columns(s->n, width, x, x_step, out, out_step, memory);
}

static tsr_status rows_along(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int axis, tsr__rows *rows) {
  tsr_status st = tsr__nn_check_float(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis", axis, x->ndim, &axis);
  if (st != TSR_OK) return st;
  *rows = (tsr__rows){.x = x, .run = softmax_row};
  if (TSR__SOFTMAX_HAS_COLUMNS) {
    rows->columns = softmax_columns;
    rows->column_bytes = TSR__SOFTMAX_COLUMN_BYTES(tsr_dtype_size(tsr__compute_of(x->dtype)));
  }
  for (int i = 0; i < x->ndim; i++)
    if (i != axis) tsr__rows_add(rows, false, i, x->shape[i], 1);
  tsr__rows_add(rows, true, axis, x->shape[axis], 1);
  return TSR_OK;
}

/* A softmax that is ready to run, with the tensor that it reads. */
typedef struct ready {
  tsr_tensor x;
  tsr__softmax s;
  tsr__rows rows;
  tsr__rows_plan plan;
} ready;

static void run_ready(const tsr_ctx *ctx, const void *plan) {
  ready r = *(const ready *)plan;
  r.rows.x = r.plan.x.in = &r.x;
  r.rows.arg = &r.s;
  r.plan.rows = &r.rows;
  r.plan.ctx = ctx;
  tsr__rows_run(&r.plan);
}

/* For later, where the call is being prepared. */
static tsr_status keep(tsr__call *call, ready *r) {
  r->x = *r->rows.x;
  return tsr__call_finish(call, r->plan.x.of != NULL ? "its output overlaps x" : NULL, run_ready, r, sizeof *r);
}

tsr_status tsr__softmax_call(tsr__call *call) {
  const tsr__softmax_attrs *const attrs = call->attrs;
  const tsr__softmax_kernel *const *const tables = call->info->kernels;
  const tsr_tensor *const x = call->in[0];
  const tsr__result result = tsr__result_like(x);
  ready r;
  tsr_status st = rows_along(call->ctx, call->op, x, attrs->axis, &r.rows);
  if (st == TSR_OK && tsr__call_tells(call, TSR__TELLS_SOFTMAX, &(tsr__softmax_told){tables, attrs->axis}))
    return TSR__STOP;
  if (st == TSR_OK) st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__rows_prepare(call, &r.rows, &r.plan);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  r.s = (tsr__softmax){tables[tsr__isa_of(call->ctx)][tsr__compute_of(x->dtype)], tsr__rows_length(&r.rows)};
  r.rows.arg = &r.s;
  if (tsr__preparing(call) != NULL) return keep(call, &r);
  tsr__rows_run(&r.plan);
  return TSR_OK;
}
