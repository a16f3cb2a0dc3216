#include "ops/cumulative/ops.h"

static const tsr__cumulative_op cummin_op = {TSR__KERNELS_OF(cummin), false};
TSR__OP_ROW(cummin, cumsum, tsr__cumulative_call, &cummin_op, 0)
tsr_status tsr_cummin(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out) {
  return TSR__CALL(cummin, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .axis = axis);
}
