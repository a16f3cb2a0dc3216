/* tsr_matmul and tsr_gemm. */
#include "core/operand.h"
#include "ops/matmul/product.h"

static const tsr_gemm_attrs plain;

static tsr_status check_pointers(tsr_ctx *ctx, const char *op, const tsr_tensor *a, const tsr_tensor *b) {
  if (a == NULL || b == NULL) return TSR__FAIL(ctx, TSR_EARG, op, a == NULL ? "a" : "b", "is NULL");
  return TSR_OK;
}

static tsr_status call_with(tsr_ctx *ctx, const char *op, const tsr_tensor *a, const tsr_tensor *b,
                            const tsr_gemm_attrs *attrs, tsr_tensor *out) {
  TSR__OPERANDS(a, b, out);
  const tsr_status st = check_pointers(ctx, op, a, b);
  if (st != TSR_OK) return st;
  tsr__gemm_call call;
  call.a = a;
  call.b = b;
  call.attrs = attrs != NULL ? attrs : &plain;
  call.packed = NULL;
  call.result.like = NULL;
  return tsr__product_call(ctx, op, &call, out);
}

tsr_status tsr_matmul(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  tsr_status status;
  if (tsr__matmul_quick(ctx, a, b, out, &status)) return status;
  return call_with(ctx, "matmul", a, b, NULL, out);
}

tsr_status tsr_gemm(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, const tsr_gemm_attrs *attrs,
                    tsr_tensor *out) {
  return call_with(ctx, "gemm", a, b, attrs, out);
}

static tsr_status workspace_with(tsr_ctx *ctx, const char *op, const tsr_tensor *a, const tsr_tensor *b,
                                 const tsr_gemm_attrs *attrs, const tsr_tensor *out, size_t *bytes) {
  TSR__OPERANDS(a, b, out);
  const tsr_status st = check_pointers(ctx, op, a, b);
  if (st != TSR_OK) return st;
  tsr__gemm_call call = {.a = a, .b = b, .attrs = attrs != NULL ? attrs : &plain};
  return tsr__product_workspace(ctx, op, &call, out, bytes);
}

tsr_status tsr_matmul_workspace_size(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, size_t *bytes) {
  return workspace_with(ctx, "matmul_workspace_size", a, b, NULL, NULL, bytes);
}

tsr_status tsr_gemm_workspace_size(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, const tsr_gemm_attrs *attrs,
                                   const tsr_tensor *out, size_t *bytes) {
  return workspace_with(ctx, "gemm_workspace_size", a, b, attrs, out, bytes);
}
