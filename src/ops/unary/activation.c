/* The public functions of the activations. */
#include "ops/unary/unary.h"

#include <tessera/unary.h>

TSR__UNARY_ACTIVATION_LIST(TSR__UNARY_FUNCTION)

tsr_status tsr_leaky_relu(tsr_ctx *ctx, const tsr_tensor *x, tsr_real slope, tsr_tensor *out) {
  static const tsr__unary_op row = {"leaky_relu", TSR__UNARY_FLOAT, TSR__GRAIN_LIGHT, TSR__KERNELS_OF(leaky_relu)};
  return tsr__unary_run(ctx, &row, x, &slope, out);
}

tsr_status tsr_elu(tsr_ctx *ctx, const tsr_tensor *x, tsr_real alpha, tsr_tensor *out) {
  static const tsr__unary_op row = {"elu", TSR__UNARY_FLOAT, TSR__GRAIN_HEAVY, TSR__KERNELS_OF(elu)};
  return tsr__unary_run(ctx, &row, x, &alpha, out);
}

tsr_status tsr_celu(tsr_ctx *ctx, const tsr_tensor *x, tsr_real alpha, tsr_tensor *out) {
  static const tsr__unary_op row = {"celu", TSR__UNARY_FLOAT, TSR__GRAIN_HEAVY, TSR__KERNELS_OF(celu)};
  if (alpha == 0) return TSR__FAIL(ctx, TSR_EARG, "celu", "alpha", "is 0: x is divided by it");
  return tsr__unary_run(ctx, &row, x, &alpha, out);
}
