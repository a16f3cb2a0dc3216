/* Rolling: the two parts of an axis change places. */
#include "core/operand.h"
#include "ops/move/target.h"

#include <tessera/move.h>

tsr_status tsr_roll(tsr_ctx *ctx, const tsr_tensor *in, tsr_index shift, int axis, tsr_tensor *out) {
  TSR__OPERANDS(in, out);
  static const char op[] = "roll";
  tsr__target target;
  tsr_status st = tsr__check_input(ctx, op, "in", in);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis", axis, in->ndim, &axis);
  if (st != TSR_OK) return st;
  const tsr__result result = {in->dtype, in->layout, in->ndim, in->shape, NULL};
  st = tsr__target_begin(ctx, op, &result, 1, &in, out, &target);
  if (st != TSR_OK) return st;
  const tsr_index length = in->shape[axis];
  if (target.bytes > 0) {
    const tsr_index rest = shift % length, wrapped = rest < 0 ? rest + length : rest, kept = length - wrapped;
    const tsr_tensor first = tsr__part(in, axis, 0, kept), last = tsr__part(in, axis, kept, wrapped);
    const tsr_tensor end = tsr__part(&target.view, axis, wrapped, kept);
    const tsr_tensor begin = tsr__part(&target.view, axis, 0, wrapped);
    tsr__copy_part(ctx, &first, &end, target.bytes);
    tsr__copy_part(ctx, &last, &begin, target.bytes);
  }
  tsr__target_end(ctx, out, &target);
  return TSR_OK;
}
