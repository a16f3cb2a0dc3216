/* Pooling of quantised numbers: what a call means, and the run. */
#include "nn/quant/ops.h"
#include "nn/quant/plain/pools.h"
#include "nn/quant/quant.h"
#include "ops/move/target.h"

static tsr_status check_pool(const tsr__call *call, int32_t zero) {
  const tsr_tensor *const x = call->in[0];
  if (!tsr__quant_is_small(x->dtype))
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "x", "is %t; %s takes i8, u8 and i16", x, call->op);
  if (!tsr__quant_has(x->dtype, zero))
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "zero", "%l is none of %y", (int64_t)zero, (int)x->dtype);
  return TSR_OK;
}

/* Twice the sums of a window fit 32 bits. */
static tsr_status check_size(const tsr__call *call, const tsr__pool *p) {
  const tsr_index most = (tsr_index)1 << (p->x->dtype == TSR_I16 ? 14 : 21);
  tsr_index size;
  if (tsr__mul_index(p->row.kernel, p->column.kernel, &size) && size <= most) return TSR_OK;
  return TSR__FAIL(call->ctx, TSR_EUNSUPPORTED, call->op, "kernel", "has more than %l elements", (int64_t)most);
}

static tsr_status run_qpool(tsr__call *call, bool max, int32_t zero, int count, const tsr_index *kernel,
                            const tsr_pool_options *options) {
  const tsr_tensor *const x = call->in[0];
  tsr__q_pool k;
  tsr__image image;
  tsr__target target;
  tsr_status st = check_pool(call, zero);
  if (st == TSR_OK) st = tsr__pool_geometry(call->ctx, call->op, x, count, kernel, options, &k.p);
  if (st == TSR_OK) st = check_size(call, &k.p);
  if (st == TSR_OK) st = tsr__image_init(call->ctx, call->op, x, 1, 2, &image);
  if (st != TSR_OK) return st;
  const tsr__result result = {x->dtype, x->layout, x->ndim, k.p.shape, x};
  st = tsr__call_target(call, &result, &target);
  if (st != TSR_OK) return st;
  k.max = max;
  k.zero = zero;
  k.dtype = x->dtype;
  k.images = x->shape[0];
  k.channels = x->shape[k.p.channel];
  k.x = x->data;
  k.out = target.view.data;
  tsr__image_steps(&image, x, k.xs);
  tsr__image_steps(&image, &target.view, k.os);
  if (tsr_size(x) == 0) { /* windows of padding alone: nothing is read, but pointers are made */
    k.x = k.out;
    for (int i = 0; i < TSR__IMAGE_AXES; i++) k.xs[i] = 0;
  }
  return tsr__target_finish(call, &target, tsr__q_pool_run, &k, sizeof k);
}

static tsr_status qmax_pool(tsr__call *call) {
  const tsr__qmax_pool_attrs *const attrs = call->attrs;
  return run_qpool(call, true, 0, attrs->kernel_count, attrs->kernel, attrs->options);
}

static tsr_status qavg_pool(tsr__call *call) {
  const tsr__qavg_pool_attrs *const attrs = call->attrs;
  return run_qpool(call, false, attrs->zero, attrs->kernel_count, attrs->kernel, attrs->options);
}

TSR__OP(qmax_pool, qmax_pool, TSR__OP_PREPARES)
tsr_status tsr_qmax_pool(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *kernel,
                         const tsr_pool_options *options, tsr_tensor *out) {
  return TSR__CALL(qmax_pool, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .kernel = kernel, .kernel_count = count,
                   .options = options);
}

TSR__OP(qavg_pool, qavg_pool, TSR__OP_PREPARES)
tsr_status tsr_qavg_pool(tsr_ctx *ctx, const tsr_tensor *x, int zero, int count, const tsr_index *kernel,
                         const tsr_pool_options *options, tsr_tensor *out) {
  return TSR__CALL(qavg_pool, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .zero = zero, .kernel = kernel,
                   .kernel_count = count, .options = options);
}
