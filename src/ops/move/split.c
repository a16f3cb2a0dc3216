/* Parts of an axis as views. */
#include "core/view.h"

#include <tessera/move.h>

static tsr_status check_split(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int n, const tsr_tensor *out) {
  if (n < 1) return TSR__FAIL(ctx, TSR_EARG, op, "n", "is %d: there must be a part", n);
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  for (int i = 0; i < n; i++) {
    const tsr_status st = tsr__view_check(ctx, op, in, &out[i]);
    if (st != TSR_OK) return st;
  }
  return TSR_OK;
}

/* The input by value: one of the outputs may be its place. */
static tsr_index bind_part(const tsr_tensor *in, const tsr_tensor *source, int axis, tsr_index start, tsr_index size,
                           tsr_tensor *out) {
  tsr_tensor part = *source;
  if (out != in) part.flags &= (uint8_t)~TSR_OWNS;
  part.name = NULL;
  tsr__view_move(&part, start, part.stride[axis]);
  part.shape[axis] = size;
  *out = part;
  (void)tsr__view_pad(out);
  return start + size;
}

tsr_status tsr_split(tsr_ctx *ctx, const tsr_tensor *in, int axis, int n, tsr_tensor *out) {
  static const char op[] = "split";
  tsr_status st = check_split(ctx, op, in, n, out);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis", axis, in->ndim, &axis);
  if (st != TSR_OK) return st;
  const tsr_tensor source = *in;
  const tsr_index length = source.shape[axis];
  if (length % n != 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "in", "%t: axis %d does not split into %d equal parts", in, axis, n);
  tsr_index start = 0;
  for (int i = 0; i < n; i++) start = bind_part(in, &source, axis, start, length / n, &out[i]);
  return TSR_OK;
}

static tsr_status check_sizes(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int axis, int n,
                              const tsr_index *sizes) {
  if (sizes == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "sizes", "is NULL");
  tsr_index sum = 0;
  bool fits = true;
  for (int i = 0; i < n; i++) {
    if (sizes[i] < 0) return TSR__FAIL(ctx, TSR_ESHAPE, op, "sizes", "[%d] is %l", i, (int64_t)sizes[i]);
    fits = fits && tsr__add_index(sum, sizes[i], &sum);
  }
  if (fits && sum == in->shape[axis]) return TSR_OK;
  return TSR__FAIL(ctx, TSR_ESHAPE, op, "sizes", "have sum %l, axis %d of in %t has length %l", (int64_t)sum, axis, in,
                   (int64_t)in->shape[axis]);
}

tsr_status tsr_split_sizes(tsr_ctx *ctx, const tsr_tensor *in, int axis, int n, const tsr_index *sizes,
                           tsr_tensor *out) {
  static const char op[] = "split_sizes";
  tsr_status st = check_split(ctx, op, in, n, out);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis", axis, in->ndim, &axis);
  if (st == TSR_OK) st = check_sizes(ctx, op, in, axis, n, sizes);
  if (st != TSR_OK) return st;
  const tsr_tensor source = *in;
  tsr_index start = 0;
  for (int i = 0; i < n; i++) start = bind_part(in, &source, axis, start, sizes[i], &out[i]);
  return TSR_OK;
}
