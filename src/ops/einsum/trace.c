/* tsr_trace: the sum of a diagonal. */
#include "ops/copy/copy.h"
#include "ops/einsum/einsum.h"
#include "ops/einsum/ops.h"
#include "ops/reduce/reduce.h"

#include <tessera/view.h>

static tsr_status check_trace(const tsr__call *call, tsr_tensor *diagonal) {
  const tsr__trace_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0];
  int axis0 = attrs->axis0, axis1 = attrs->axis1;
  tsr_status st = tsr__call_axis(call, "axis0", x->ndim, &axis0);
  if (st == TSR_OK) st = tsr__call_axis(call, "axis1", x->ndim, &axis1);
  if (st != TSR_OK) return st;
  if (axis0 == axis1) return TSR__FAIL(call->ctx, TSR_EAXIS, call->op, "axis1", "is axis0: %d", axis0);
  if (!tsr_dtype_supported(x->dtype))
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "x", "is %y, which this build does not compute with",
                     (int)x->dtype);
  return tsr_diagonal(call->ctx, x, attrs->offset, axis0, axis1, diagonal);
}

/* Sums, or measures, along the diagonal; of complex numbers part by part. */
static tsr_status sum_parts(const tsr__call *call, tsr__einsum_room *room, const tsr_tensor *diagonal,
                            const tsr_tensor *sums) {
  tsr_status st = TSR_OK;
  if (!tsr__is_complex(sums->dtype)) return tsr__einsum_sum_last(call->ctx, call->op, room, diagonal, 1, sums);
  for (int part = 0; part < 2 && st == TSR_OK; part++) {
    const tsr_tensor from = tsr__part_of(diagonal, part), to = tsr__part_of(sums, part);
    st = tsr__einsum_sum_last(call->ctx, call->op, room, &from, 1, &to);
  }
  return st;
}

/* Complex sums are made beside the output, because the second can fail. */
static tsr_status trace(tsr__call *call) {
  tsr__einsum_room room = {.measuring = true};
  tsr_tensor diagonal = {0}, beside;
  tsr_status st = check_trace(call, &diagonal);
  if (st != TSR_OK) return st;
  const bool staged = tsr__is_complex(diagonal.dtype);
  const int dtype = staged ? diagonal.dtype : tsr__reduce_sum_dtype(diagonal.dtype);
  const tsr__result result = {dtype, TSR_PLAIN, diagonal.ndim - 1, diagonal.shape, NULL};
  st = tsr__call_result(call, &result);
  if (st != TSR_OK) return st;
  const tsr_tensor *const sums = staged ? &beside : call->out[0];
  if (staged) st = tsr__call_copy_of(call, call->out[0], &beside);
  if (st == TSR_OK && call->device != NULL) st = sum_parts(call, &room, &diagonal, sums);
  tsr__call_may_take(call, room.sums);
  if (st == TSR_OK) st = tsr__call_start(call);
  room.measuring = false;
  if (st == TSR_OK) st = sum_parts(call, &room, &diagonal, sums);
  if (st == TSR_OK && staged) tsr__move_no_alias(call->ctx, &beside, call->out[0]);
  return st;
}

TSR__OP(trace, trace, 0)
tsr_status tsr_trace(tsr_ctx *ctx, const tsr_tensor *x, tsr_index offset, int axis0, int axis1, tsr_tensor *out) {
  return TSR__CALL(trace, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .offset = offset, .axis0 = axis0, .axis1 = axis1);
}
