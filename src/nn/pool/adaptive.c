/* The windows of adaptive pooling. */
#include "nn/check.h"
#include "nn/pool/plain.h"

static tsr__window window(const tsr__windows *w, bool height, tsr_index i) {
  const int64_t   in = w->image.shape[height ? TSR__IMAGE_H : TSR__IMAGE_W], out = w->size[height ? 0 : 1], at = i;
  const tsr_index first = (tsr_index)(at * in / out), end = (tsr_index)(((at + 1) * in + out - 1) / out);
  return (tsr__window){first, end - first, 1};
}

static tsr_status check_axis(tsr_ctx *ctx, const tsr__windows *w, int axis, tsr_index size) {
  int64_t product;
  if (size < 1)
    return TSR__FAIL(ctx, TSR_EARG, w->op, "size", "is %l along axis %d of %t, which is not 1 or more", (int64_t)size,
                     axis, w->x);
  if (w->x->shape[axis] == 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, w->op, "x", "is %t: its axis %d has no elements", w->x, axis);
  if (__builtin_mul_overflow((int64_t)size, (int64_t)w->x->shape[axis], &product) ||
      __builtin_add_overflow(product, (int64_t)size, &product))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, w->op, "size", "is %l along axis %d of %t: too large", (int64_t)size, axis,
                     w->x);
  return TSR_OK;
}

tsr_status tsr__adaptive_begin(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int count, const tsr_index *size,
                               tsr__windows *w) {
  *w = (tsr__windows){.op = op, .x = x, .window = window, .size = {1, 1}};
  tsr_status st = tsr__check_input(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__nn_check_float(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__image_init(ctx, op, x, 1, 2, &w->image);
  if (st != TSR_OK) return st;
  if (size == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "size", "is NULL");
  if (count != w->image.spatial)
    return TSR__FAIL(ctx, TSR_EARG, op, "size", "has %d axes, %t is pooled along %d", count, x, w->image.spatial);
  for (int i = 0; i < count && st == TSR_OK; i++) {
    st = check_axis(ctx, w, w->image.axis[TSR__IMAGE_W - (count - 1) + i], size[i]);
    w->size[2 - count + i] = size[i];
  }
  return st;
}
