#include "ops/cumulative/ops.h"

static const tsr__cumulative_op cummax_op = {TSR__KERNELS_OF(cummax), false};
TSR__OP_ROW(cummax, cumsum, tsr__cumulative_call, &cummax_op, 0)
tsr_status tsr_cummax(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out) {
  return TSR__CALL(cummax, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .axis = axis);
}
