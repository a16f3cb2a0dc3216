/* tsr_trace: the sum of a diagonal. */
#include "core/operand.h"
#include "ops/copy/copy.h"
#include "ops/einsum/einsum.h"
#include "ops/reduce/reduce.h"

#include <tessera/view.h>

/* The last axis of a complex tensor: part by part, beside the output, because the second sum can fail. */
static tsr_status sum_parts(tsr_ctx *ctx, const char *op, const tsr_tensor *x, tsr_tensor *out) {
  const int last = x->ndim - 1;
  const tsr__result result = {x->dtype, TSR_PLAIN, last, x->shape, NULL};
  tsr__scratch scratch = {0};
  tsr_tensor sums = *x;
  tsr_status st = tsr__output_check(ctx, op, &result, out);
  sums.ndim = (uint8_t)last;
  tsr__strides_for(last, sums.shape, TSR_ROW_MAJOR, sums.stride);
  if (st == TSR_OK) st = tsr__scratch_get(ctx, op, tsr_nbytes(&sums), &scratch);
  sums.data = scratch.data;
  sums.storage = NULL;
  for (int part = 0; part < 2 && st == TSR_OK; part++) {
    const tsr_tensor from = tsr__part_of(x, part);
    tsr_tensor to = tsr__part_of(&sums, part);
    st = tsr__sum_as(ctx, op, &from, 1, &last, false, TSR_NONE, &to);
  }
  if (st == TSR_OK) st = tsr__output(ctx, op, &result, out);
  if (st == TSR_OK) tsr__copy_apart(ctx, &sums, out);
  tsr__scratch_put(&scratch);
  return st;
}

tsr_status tsr_trace(tsr_ctx *ctx, const tsr_tensor *x, tsr_index offset, int axis0, int axis1, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  static const char op[] = "trace";
  tsr_tensor diagonal = {0};
  tsr_status st = tsr__check_input(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis0", axis0, x->ndim, &axis0);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis1", axis1, x->ndim, &axis1);
  if (st != TSR_OK) return st;
  if (axis0 == axis1) return TSR__FAIL(ctx, TSR_EAXIS, op, "axis1", "is axis0: %d", axis0);
  st = tsr_diagonal(ctx, x, offset, axis0, axis1, &diagonal);
  if (st != TSR_OK) return st;
  if (tsr__is_complex(x->dtype) && tsr_dtype_supported(x->dtype)) return sum_parts(ctx, op, &diagonal, out);
  const int last = diagonal.ndim - 1;
  return tsr__sum_as(ctx, op, &diagonal, 1, &last, false, TSR_NONE, out);
}
