/* tsr_matmul and tsr_gemm. */
#include "ops/matmul/fast_path.h"
#include "ops/matmul/gemm.h"
#include "ops/matmul/ops.h"

static tsr_status matmul(tsr__call *call) {
  tsr__gemm g;
  tsr__gemm_init(&g, call->in[0], call->in[1]);
  return tsr__gemm_call(call, &g);
}

TSR__OP(matmul, matmul, TSR__OP_PREPARES)
tsr_status tsr__matmul_in_frame(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  return TSR__CALL(matmul, ctx, TSR__INPUTS(a, b), TSR__OUTPUTS(out), );
}

static tsr_status gemm(tsr__call *call) {
  const tsr__gemm_attrs *const attrs = call->attrs;
  tsr__gemm g;
  tsr__gemm_init(&g, call->in[0], call->in[1]);
  g.c = call->in[2];
  g.bias = call->in[3];
  g.scale = call->in[4];
  g.alpha = attrs->alpha;
  g.beta = attrs->beta;
  g.options = attrs->options;
  return tsr__gemm_call(call, &g);
}

TSR__OP(gemm, gemm, TSR__OP_PREPARES)
tsr_status tsr_gemm(tsr_ctx *ctx, tsr_real alpha, const tsr_tensor *a, const tsr_tensor *b, tsr_real beta,
                    const tsr_tensor *c, const tsr_gemm_options *options, tsr_tensor *out) {
  return TSR__CALL(gemm, ctx,
                   TSR__INPUTS(a, b, beta != 0 ? c : NULL, tsr__gemm_bias(options), tsr__gemm_scale(options)),
                   TSR__OUTPUTS(out), .alpha = alpha, .beta = beta, .options = options);
}
