#include "ops/cumulative/ops.h"

static const tsr__cumulative_op cumprod_op = {TSR__KERNELS_OF(cumprod), true};
TSR__OP_ROW(cumprod, cumsum, tsr__cumulative_call, &cumprod_op, 0)
tsr_status tsr_cumprod(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out) {
  return TSR__CALL(cumprod, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .axis = axis);
}
