/* The windows of adaptive pooling. */
#include "nn/check.h"
#include "nn/pool/ops.h"
#include "nn/pool/plain.h"

static tsr__window adaptive_window(const tsr__windows *w, bool height, tsr_index i) {
  const int64_t in = w->image.shape[height ? TSR__IMAGE_H : TSR__IMAGE_W], out = w->size[height ? 0 : 1], at = i;
  const tsr_index first = (tsr_index)(at * in / out), end = (tsr_index)(((at + 1) * in + out - 1) / out);
  return (tsr__window){first, end - first, 1};
}

static tsr_status check_adaptive_axis(const tsr__call *call, int axis, tsr_index size) {
  const tsr_tensor *const x = call->in[0];
  int64_t product;
  if (size < 1)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "size", "is %l along axis %d of %t, which is not 1 or more",
                     (int64_t)size, axis, x);
  if (x->shape[axis] == 0)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "x", "is %t: its axis %d has no elements", x, axis);
  if (__builtin_mul_overflow((int64_t)size, (int64_t)x->shape[axis], &product) ||
      __builtin_add_overflow(product, (int64_t)size, &product))
    return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, "size", "is %l along axis %d of %t: too large", (int64_t)size,
                     axis, x);
  return TSR_OK;
}

tsr_status tsr__adaptive_pool(tsr__call *call) {
  const tsr__adaptive_avg_pool_attrs *const attrs = call->attrs;
  tsr__window_fold *const *const folds = call->info->kernels;
  const tsr_tensor *const x = call->in[0];
  const int count = attrs->size_count;
  tsr__windows w = {.x = x, .window = adaptive_window, .size = {1, 1}};
  tsr_status st = tsr__nn_check_float(call->ctx, call->op, "x", x);
  if (st == TSR_OK) st = tsr__image_init(call->ctx, call->op, x, 1, 2, &w.image);
  if (st != TSR_OK) return st;
  if (attrs->size == NULL) return TSR__FAIL(call->ctx, TSR_EARG, call->op, "size", "is NULL");
  if (count != w.image.spatial)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "size", "has %d axes, %t is pooled along %d", count, x,
                     w.image.spatial);
  for (int i = 0; i < count && st == TSR_OK; i++) {
    st = check_adaptive_axis(call, w.image.axis[TSR__IMAGE_W - (count - 1) + i], attrs->size[i]);
    w.size[2 - count + i] = attrs->size[i];
  }
  w.fold = folds[x->dtype];
  return st == TSR_OK ? tsr__windows_run(call, &w) : st;
}
