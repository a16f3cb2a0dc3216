/* Triangles: every row is copied up to the diagonal, or from it on, and zeros are the rest. */
#include "core/view.h"
#include "cpu/parallel.h"
#include "ops/move/ops.h"
#include "ops/move/target.h"

/* What one thread should at least write, in bytes. */
enum { TASK_BYTES = 65536 };

typedef struct triangle {
  const tsr_ctx *ctx;
  const tsr_tensor *in, *out;
  tsr_index offset;
  bool lower;
  bool in_place; /* what is kept stands there already */
} triangle;

/* Columns of a row that lie on or below the diagonal. Compared, not added first: offset may be anything. */
static tsr_index columns_below(tsr_index row, tsr_index offset, tsr_index columns) {
  if (offset >= columns - row) return columns;
  return offset < -row ? 0 : row + offset + 1;
}

/* One row of every matrix. */
static void write_row(const triangle *t, tsr_index row) {
  static const unsigned char zero[16];
  const int rows = t->out->ndim - 2, columns = rows + 1;
  const tsr_index length = t->out->shape[columns];
  const tsr_index below = columns_below(row, t->lower ? t->offset : t->offset - 1, length);
  const tsr_index start = t->lower ? 0 : below, end = t->lower ? below : length;
  const tsr_tensor in = tsr__part(t->in, rows, row, 1), out = tsr__part(t->out, rows, row, 1);
  const tsr_tensor from = tsr__part(&in, columns, start, end - start),
                   to = tsr__part(&out, columns, start, end - start);
  const tsr_tensor rest = t->lower ? tsr__part(&out, columns, end, length - end) : tsr__part(&out, columns, 0, start);
  if (!t->in_place) tsr__copy_no_alias(t->ctx, &from, &to);
  tsr__fill_host(t->ctx, &rest, zero);
}

static void write_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  (void)worker;
  for (tsr_index row = begin; row < end; row++) write_row(arg, row);
}

static tsr_status triangle_of(tsr__call *call, bool lower) {
  const tsr__tril_attrs *const attrs = call->attrs;
  const tsr_tensor *const in = call->in[0], *const out = call->out[0];
  tsr__target target;
  if (in->ndim < 2) return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "in", "%t is no matrix", in);
  /* as far away as the least number, and it can be counted down from */
  const tsr_index offset = attrs->offset == TSR_INDEX_MIN ? attrs->offset + 1 : attrs->offset;
  const tsr__result result = {in->dtype, in->layout, in->ndim, in->shape, in};
  const bool in_place = out != NULL && out->data != NULL && in->dtype == out->dtype && tsr__same_view(in, out);
  const tsr_status st = tsr__call_target_as(call, &result, in->dtype, in_place, &target);
  if (st != TSR_OK) return st;
  triangle t = {call->ctx, in, &target.view, offset, lower, in_place};
  const tsr_index rows = in->shape[in->ndim - 2];
  if (target.bytes > 0)
    tsr__parallel_for(call->ctx, rows, 1 + (tsr_index)(TASK_BYTES / (target.bytes / (size_t)rows)), write_rows, &t);
  tsr__target_end(call->ctx, out, &target);
  return TSR_OK;
}

static tsr_status tril(tsr__call *call) { return triangle_of(call, true); }
static tsr_status triu(tsr__call *call) { return triangle_of(call, false); }

TSR__OP(tril, tril, 0)
tsr_status tsr_tril(tsr_ctx *ctx, const tsr_tensor *in, tsr_index offset, tsr_tensor *out) {
  return TSR__CALL(tril, ctx, TSR__INPUTS(in), TSR__OUTPUTS(out), .offset = offset);
}

TSR__OP_LIKE(triu, tril, triu, 0)
tsr_status tsr_triu(tsr_ctx *ctx, const tsr_tensor *in, tsr_index offset, tsr_tensor *out) {
  return TSR__CALL(triu, ctx, TSR__INPUTS(in), TSR__OUTPUTS(out), .offset = offset);
}
