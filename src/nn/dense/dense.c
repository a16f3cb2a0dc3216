/* Dense layers: a product with the transpose of the weights. */
#include "core/operand.h"
#include "nn/dense/dense.h"

#include "ops/matmul/product.h"

static tsr_status check_shapes(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_tensor *w,
                               const tsr_tensor *bias) {
  if (x->ndim == 0) return TSR__FAIL(ctx, TSR_ESHAPE, op, "x", "has rank 0: it takes [..., F]");
  if (w->ndim != 2) return TSR__FAIL(ctx, TSR_ESHAPE, op, "w", "is %t, x is %t: it takes [O,F]", w, x);
  if (w->shape[1] != x->shape[x->ndim - 1])
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "w", "%S takes %l features, x %S has %l", 2, w->shape, (int64_t)w->shape[1],
                     (int)x->ndim, x->shape, (int64_t)x->shape[x->ndim - 1]);
  if (bias != NULL && (bias->ndim != 1 || bias->shape[0] != w->shape[0]))
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "bias", "is %t, w has %l outputs", bias, (int64_t)w->shape[0]);
  return TSR_OK;
}

static tsr_status check_dtypes(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_tensor *w,
                               const tsr_tensor *bias) {
  if (w->dtype != x->dtype) return TSR__FAIL(ctx, TSR_EDTYPE, op, "w", "is %t, x is %t: they have one dtype", w, x);
  if (bias != NULL && bias->dtype != x->dtype)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "bias", "is %t, x is %t: they have one dtype", bias, x);
  if (x->dtype == TSR_BOOL) return TSR__FAIL(ctx, TSR_EDTYPE, op, "x", "is %t: only for numbers", x);
  return TSR_OK;
}

/* The call of a product that a layer is; *turned and *attrs are what it points to. */
static tsr_status prepare(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_tensor *w,
                          const tsr_tensor *bias, const tsr_activation *activation, tsr_tensor *turned,
                          tsr_gemm_attrs *attrs, tsr__gemm_call *call) {
  tsr_status st = tsr__check_input(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__check_input(ctx, op, "w", w);
  if (st == TSR_OK && bias != NULL) st = tsr__check_input(ctx, op, "bias", bias);
  if (st == TSR_OK) st = check_dtypes(ctx, op, x, w, bias);
  if (st == TSR_OK) st = check_shapes(ctx, op, x, w, bias);
  if (st != TSR_OK) return st;
  *turned = *w;
  turned->layout = TSR_PLAIN;
  turned->shape[0] = w->shape[1];
  turned->shape[1] = w->shape[0];
  turned->stride[0] = w->stride[1];
  turned->stride[1] = w->stride[0];
  *attrs = (tsr_gemm_attrs){.bias = bias};
  if (activation != NULL) attrs->activation = *activation;
  *call = (tsr__gemm_call){.a = x, .b = turned, .attrs = attrs};
  return TSR_OK;
}

tsr_status tsr__dense(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                      const tsr_activation *activation, tsr_tensor *out) {
  TSR__OPERANDS(x, w, bias, out);
  tsr_tensor turned;
  tsr_gemm_attrs attrs;
  tsr__gemm_call call;
  const tsr_status st = prepare(ctx, op, x, w, bias, activation, &turned, &attrs, &call);
  return st == TSR_OK ? tsr__product_call(ctx, op, &call, out) : st;
}

tsr_status tsr__dense_workspace(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_tensor *w,
                                const tsr_tensor *bias, const tsr_activation *activation, size_t *bytes) {
  TSR__OPERANDS(x, w, bias);
  tsr_tensor turned;
  tsr_gemm_attrs attrs;
  tsr__gemm_call call;
  const tsr_status st = prepare(ctx, op, x, w, bias, activation, &turned, &attrs, &call);
  return st == TSR_OK ? tsr__product_workspace(ctx, op, &call, NULL, bytes) : st;
}

tsr_status tsr_dense(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                     const tsr_activation *activation, tsr_tensor *out) {
  return tsr__dense(ctx, "dense", x, w, bias, activation, out);
}

tsr_status tsr_dense_workspace_size(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                                    const tsr_activation *activation, size_t *bytes) {
  return tsr__dense_workspace(ctx, "dense_workspace_size", x, w, bias, activation, bytes);
}
