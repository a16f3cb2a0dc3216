/* Rolling: the two parts of an axis change places. */
#include "ops/move/ops.h"
#include "ops/move/target.h"

static void roll_parts(const tsr_ctx *ctx, const tsr_tensor *in, tsr_index shift, int axis, const tsr__target *target) {
  const tsr_index length = in->shape[axis];
  const tsr_index rest = shift % length, wrapped = rest < 0 ? rest + length : rest, kept = length - wrapped;
  const tsr_tensor first = tsr__part(in, axis, 0, kept), last = tsr__part(in, axis, kept, wrapped);
  const tsr_tensor end = tsr__part(&target->view, axis, wrapped, kept);
  const tsr_tensor begin = tsr__part(&target->view, axis, 0, wrapped);
  tsr__copy_part(ctx, &first, &end, target->bytes);
  tsr__copy_part(ctx, &last, &begin, target->bytes);
}

static tsr_status roll(tsr__call *call) {
  const tsr__roll_attrs *const attrs = call->attrs;
  const tsr_tensor *const in = call->in[0];
  const tsr__result result = {in->dtype, in->layout, in->ndim, in->shape, NULL};
  tsr__target target;
  int axis = attrs->axis;
  tsr_status st = tsr__call_axis(call, "axis", in->ndim, &axis);
  if (st == TSR_OK) st = tsr__call_target(call, &result, &target);
  if (st != TSR_OK) return st;
  if (target.bytes > 0) roll_parts(call->ctx, in, attrs->shift, axis, &target);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

TSR__OP(roll, roll, 0)
tsr_status tsr_roll(tsr_ctx *ctx, const tsr_tensor *in, tsr_index shift, int axis, tsr_tensor *out) {
  return TSR__CALL(roll, ctx, TSR__INPUTS(in), TSR__OUTPUTS(out), .shift = shift, .axis = axis);
}
