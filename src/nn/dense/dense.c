/* Dense layers: a product with the transpose of the weights. */
#include "nn/dense/dense.h"

#include "core/tensor.h"
#include "nn/dense/ops.h"
#include "ops/matmul/gemm.h"

static tsr_status check_dense_shapes(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_tensor *w,
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

static tsr_status check_dense_dtypes(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_tensor *w,
                                     const tsr_tensor *bias) {
#if TSR_HAVE_MALLOC
  if (w->dtype != x->dtype && !(x->dtype == TSR_F32 && tsr__is_narrow_weight(w->dtype)))
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "w", "is %t, x is %t: they have one dtype, or f32 takes f16, bf16 or i8", w,
                     x);
#else
  if (w->dtype != x->dtype) return TSR__FAIL(ctx, TSR_EDTYPE, op, "w", "is %t, x is %t: they have one dtype", w, x);
#endif
  if (bias != NULL && bias->dtype != x->dtype)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "bias", "is %t, x is %t: they have one dtype", bias, x);
  if (x->dtype == TSR_BOOL) return TSR__FAIL(ctx, TSR_EDTYPE, op, "x", "is %t: only for numbers", x);
  return TSR_OK;
}

/* The product that a layer is. */
typedef struct layer {
  tsr_tensor transposed; /* w */
  tsr_gemm_options options;
  tsr__gemm gemm;
} layer;

static tsr_status plan_layer(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_tensor *w,
                             const tsr_tensor *bias, const tsr_activation *activation, layer *l) {
  tsr_status st = check_dense_dtypes(ctx, op, x, w, bias);
  if (st == TSR_OK) st = check_dense_shapes(ctx, op, x, w, bias);
  if (st != TSR_OK) return st;
  tsr__copy_view(w, &l->transposed);
  l->transposed.layout = TSR_PLAIN;
  l->transposed.shape[0] = w->shape[1];
  l->transposed.shape[1] = w->shape[0];
  l->transposed.stride[0] = w->stride[1];
  l->transposed.stride[1] = w->stride[0];
  tsr__gemm_init(&l->gemm, x, &l->transposed);
  l->gemm.bias = bias;
  if (activation == NULL) return TSR_OK;
  l->options = (tsr_gemm_options){.activation = *activation};
  l->gemm.options = &l->options;
  return TSR_OK;
}

static tsr_status dense(tsr__call *call) {
  const tsr__dense_attrs *const attrs = call->attrs;
  layer l;
  const tsr_status st = plan_layer(call->ctx, call->op, call->in[0], call->in[1], call->in[2], attrs->activation, &l);
  return st == TSR_OK ? tsr__gemm_call(call, &l.gemm) : st;
}

TSR__OP(dense, dense, TSR__OP_PREPARES)
tsr_status tsr__dense(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                      const tsr_activation *activation, tsr_tensor *out) {
  const tsr__dense_attrs attrs = {.activation = activation};
  return tsr__call_run(&(tsr__call){.ctx = ctx,
                                    .info = &tsr__op_dense,
                                    .op = op,
                                    .attrs = &attrs,
                                    .in = TSR__INPUTS(x, w, bias),
                                    .inputs = 3,
                                    .out = TSR__OUTPUTS(out),
                                    .outputs = 1});
}

tsr_status tsr_dense(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                     const tsr_activation *activation, tsr_tensor *out) {
  return TSR__CALL(dense, ctx, TSR__INPUTS(x, w, bias), TSR__OUTPUTS(out), .activation = activation);
}
