#include "ops/reduce/arg.h"
#include "ops/reduce/ops.h"

static const tsr__arg_op argmin_op = {TSR__KERNELS_OF(argmin), true};
TSR__OP_ROW(argmin, argmin, tsr__arg, &argmin_op, 0)
tsr_status tsr_argmin(tsr_ctx *ctx, const tsr_tensor *x, int axis, bool keepdims, tsr_tensor *out) {
  return TSR__CALL(argmin, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .axis = axis, .keepdims = keepdims);
}
