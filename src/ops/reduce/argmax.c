#include "ops/reduce/arg.h"
#include "ops/reduce/ops.h"

static const tsr__arg_op argmax_op = {TSR__KERNELS_OF(argmax), false};
TSR__OP_ROW(argmax, argmin, tsr__arg, &argmax_op, 0)
tsr_status tsr_argmax(tsr_ctx *ctx, const tsr_tensor *x, int axis, bool keepdims, tsr_tensor *out) {
  return TSR__CALL(argmax, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .axis = axis, .keepdims = keepdims);
}
