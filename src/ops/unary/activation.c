/* The public functions of activations with an attribute. */
#include "ops/unary/ops.h"

#include <tessera/unary.h>

static tsr_status leaky_relu(tsr__call *call) {
  const tsr__leaky_relu_attrs *const attrs = call->attrs;
  return tsr__unary_with(call, attrs->slope);
}
static const tsr__unary_op leaky_relu_op = {&tsr__op_leaky_relu, TSR__UNARY_FLOAT, TSR__GRAIN_LIGHT,
                                            TSR__KERNELS_OF(leaky_relu)};
TSR__OP_ROW(leaky_relu, leaky_relu, leaky_relu, &leaky_relu_op, TSR__OP_ELEMENTWISE)
tsr_status tsr_leaky_relu(tsr_ctx *ctx, const tsr_tensor *x, tsr_real slope, tsr_tensor *out) {
  return tsr__unary_run(ctx, &leaky_relu_op, x, &(const tsr__leaky_relu_attrs){.slope = slope}, &slope, out);
}

static tsr_status elu(tsr__call *call) {
  const tsr__elu_attrs *const attrs = call->attrs;
  return tsr__unary_with(call, attrs->alpha);
}
static const tsr__unary_op elu_op = {&tsr__op_elu, TSR__UNARY_FLOAT, TSR__GRAIN_HEAVY, TSR__KERNELS_OF(elu)};
TSR__OP_ROW(elu, elu, elu, &elu_op, TSR__OP_ELEMENTWISE)
tsr_status tsr_elu(tsr_ctx *ctx, const tsr_tensor *x, tsr_real alpha, tsr_tensor *out) {
  return tsr__unary_run(ctx, &elu_op, x, &(const tsr__elu_attrs){.alpha = alpha}, &alpha, out);
}

static const tsr__unary_op celu_op = {&tsr__op_celu, TSR__UNARY_FLOAT, TSR__GRAIN_HEAVY, TSR__KERNELS_OF(celu)};
TSR__OP_ROW(celu, elu, elu, &celu_op, TSR__OP_ELEMENTWISE)
tsr_status tsr_celu(tsr_ctx *ctx, const tsr_tensor *x, tsr_real alpha, tsr_tensor *out) {
  if (alpha == 0) return TSR__FAIL(ctx, TSR_EARG, "celu", "alpha", "is 0: x is divided by it");
  return tsr__unary_run(ctx, &celu_op, x, &(const tsr__celu_attrs){.alpha = alpha}, &alpha, out);
}
