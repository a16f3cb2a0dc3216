/* tsr_matmul and tsr_gemm. */
#include "ops/matmul/fast_path.h"
#include "ops/matmul/gemm.h"
#include "ops/matmul/ops.h"

static tsr_status matmul(tsr__call *call) {
  tsr__gemm g;
  tsr__gemm_init(&g, call->in[0], call->in[1]);
  return tsr__gemm_call(call, &g);
}

TSR__OP(matmul, matmul, 0)
tsr_status tsr__matmul_in_frame(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  return TSR__CALL(matmul, ctx, TSR__INPUTS(a, b), TSR__OUTPUTS(out), );
}

static tsr_status gemm(tsr__call *call) {
  const tsr__gemm_attrs *const attrs = call->attrs;
  tsr__gemm g;
  tsr__gemm_init(&g, call->in[0], call->in[1]);
  g.c = call->in[2];
  g.bias = call->in[3];
  g.attrs = attrs->attrs;
  return tsr__gemm_call(call, &g);
}

TSR__OP(gemm, gemm, 0)
tsr_status tsr_gemm(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, const tsr_gemm_attrs *attrs,
                    tsr_tensor *out) {
  return TSR__CALL(gemm, ctx, TSR__INPUTS(a, b, tsr__gemm_c(attrs), tsr__gemm_bias(attrs)), TSR__OUTPUTS(out),
                   .attrs = attrs);
}

tsr_status tsr_matmul_workspace_size(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, size_t *bytes) {
  return tsr__gemm_workspace(ctx, "matmul_workspace_size", &(tsr__gemm){.a = a, .b = b}, NULL, bytes);
}

tsr_status tsr_gemm_workspace_size(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, const tsr_gemm_attrs *attrs,
                                   const tsr_tensor *out, size_t *bytes) {
  tsr__gemm g = {.a = a, .b = b, .c = tsr__gemm_c(attrs), .bias = tsr__gemm_bias(attrs), .attrs = attrs};
  return tsr__gemm_workspace(ctx, "gemm_workspace_size", &g, out, bytes);
}
