/* Triangles: every row is copied up to the diagonal, or from it on, and zeros are the rest. */
#include "core/operand.h"
#include "core/view.h"
#include "cpu/parallel.h"
#include "ops/move/target.h"

#include <tessera/move.h>

/* What one thread should at least write, in bytes. */
enum { TASK_BYTES = 65536 };

typedef struct triangle {
  const tsr_ctx    *ctx;
  const tsr_tensor *in, *out;
  tsr_index         offset;
  bool              lower;
  bool              in_place; /* what is kept stands there already */
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
  if (!t->in_place) tsr__copy_apart(t->ctx, &from, &to);
  tsr__fill_host(t->ctx, &rest, zero);
}

static void write_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  (void)worker;
  for (tsr_index row = begin; row < end; row++) write_row(arg, row);
}

static tsr_status run(tsr_ctx *ctx, const char *op, const tsr_tensor *in, tsr_index offset, bool lower,
                      tsr_tensor *out) {
  tsr__target target;
  tsr_status st = tsr__check_input(ctx, op, "in", in);
  if (st != TSR_OK) return st;
  if (in->ndim < 2) return TSR__FAIL(ctx, TSR_ESHAPE, op, "in", "%t is no matrix", in);
  if (offset == TSR_INDEX_MIN) offset++; /* as far away, and it can be counted down from */
  const tsr__result result = {in->dtype, in->layout, in->ndim, in->shape, in};
  const bool in_place = out != NULL && out->data != NULL && in->dtype == out->dtype && tsr__same_view(in, out);
  st = tsr__target_begin(ctx, op, &result, in_place ? 0 : 1, &in, out, &target);
  if (st != TSR_OK) return st;
  triangle t = {ctx, in, &target.view, offset, lower, in_place};
  const tsr_index rows = in->shape[in->ndim - 2];
  if (target.bytes > 0)
    tsr__parallel_for(ctx, rows, 1 + (tsr_index)(TASK_BYTES / (target.bytes / (size_t)rows)), write_rows, &t);
  tsr__target_end(ctx, out, &target);
  return TSR_OK;
}

tsr_status tsr_tril(tsr_ctx *ctx, const tsr_tensor *in, tsr_index offset, tsr_tensor *out) {
  TSR__OPERANDS(in, out);
  return run(ctx, "tril", in, offset, true, out);
}

tsr_status tsr_triu(tsr_ctx *ctx, const tsr_tensor *in, tsr_index offset, tsr_tensor *out) {
  TSR__OPERANDS(in, out);
  return run(ctx, "triu", in, offset, false, out);
}
