#include "ops/cumulative/ops.h"

static const tsr__cumulative_op cumsum_op = {TSR__KERNELS_OF(cumsum), true};
TSR__OP_ROW(cumsum, cumsum, tsr__cumulative_call, &cumsum_op, 0)
tsr_status tsr_cumsum(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out) {
  return TSR__CALL(cumsum, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .axis = axis);
}
