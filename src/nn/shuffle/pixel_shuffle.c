/* Pixel shuffle: one copy of strided views for each pixel of a block. */
#include "core/operand.h"
#include "nn/image.h"
#include "ops/move/target.h"

#include <tessera/pixel_shuffle.h>

typedef struct shuffle {
  const char     *op;
  tsr__image      image; /* of x */
  tsr_index       factor, pixels;
  tsr_index       c, h, w; /* channels where they have pixels; and the size of the other one */
  tsr_pixel_order order;
} shuffle;

static tsr_status begin(tsr_ctx *ctx, const tsr_tensor *x, shuffle *s) {
  tsr_status st = tsr__check_input(ctx, s->op, "x", x);
  if (st == TSR_OK) st = tsr__image_init(ctx, s->op, x, 2, 2, &s->image);
  if (st != TSR_OK) return st;
  if (s->factor < 1 || !tsr__mul_index(s->factor, s->factor, &s->pixels))
    return TSR__FAIL(ctx, TSR_EARG, s->op, "factor", "is %l, which is not a small number from 1 on",
                     (int64_t)s->factor);
  if (s->order != TSR_PIXELS_INNER && s->order != TSR_PIXELS_OUTER)
    return TSR__FAIL(ctx, TSR_EARG, s->op, "order", "is %d, which is none of tsr_pixel_order", (int)s->order);
  s->c = s->image.shape[TSR__IMAGE_C];
  s->h = s->image.shape[TSR__IMAGE_H];
  s->w = s->image.shape[TSR__IMAGE_W];
  return TSR_OK;
}

/* The channels of t, the one with many, that are pixel number p of every block; and those pixels of t, the other one.
 *  */
static tsr_tensor channels_of(const shuffle *s, const tsr_tensor *t, tsr_index p) {
  const bool inner = s->order == TSR_PIXELS_INNER;
  const int  axis = s->image.axis[TSR__IMAGE_C];
  tsr_tensor view = *t;
  tsr__view_move(&view, inner ? p : p * s->c, view.stride[axis]);
  view.shape[axis] = s->c;
  if (inner) view.stride[axis] *= s->pixels;
  return view;
}

static tsr_tensor pixels_of(const shuffle *s, const tsr_tensor *t, tsr_index p) {
  const int  h = s->image.axis[TSR__IMAGE_H], w = s->image.axis[TSR__IMAGE_W];
  tsr_tensor view = *t;
  tsr__view_move(&view, p / s->factor, view.stride[h]);
  tsr__view_move(&view, p % s->factor, view.stride[w]);
  view.shape[h] = s->h;
  view.shape[w] = s->w;
  view.stride[h] *= s->factor;
  view.stride[w] *= s->factor;
  return view;
}

static tsr_status run(tsr_ctx *ctx, const shuffle *s, const tsr_tensor *x, const tsr_index *lengths, bool to_pixels,
                      tsr_tensor *out) {
  tsr_index   shape[4];
  tsr__target target;
  tsr__image_shape(&s->image, lengths, shape);
  const tsr__result result = {x->dtype, x->layout, 4, shape, NULL};
  const tsr_status  st = tsr__target_begin(ctx, s->op, &result, 1, &x, out, &target);
  if (st != TSR_OK) return st;
  for (tsr_index p = 0; p < s->pixels && target.bytes > 0; p++) {
    const tsr_tensor *const deep = to_pixels ? x : &target.view, *const wide = to_pixels ? &target.view : x;
    const tsr_tensor        channels = channels_of(s, deep, p), pixels = pixels_of(s, wide, p);
    tsr__copy_apart(ctx, to_pixels ? &channels : &pixels, to_pixels ? &pixels : &channels);
  }
  tsr__target_end(ctx, out, &target);
  return TSR_OK;
}

static tsr_status too_large(tsr_ctx *ctx, const shuffle *s, const tsr_tensor *x) {
  return TSR__FAIL(ctx, TSR_EOVERFLOW, s->op, "factor", "is %l: x %t becomes more than an index counts",
                   (int64_t)s->factor, x);
}

tsr_status tsr_pixel_shuffle(tsr_ctx *ctx, const tsr_tensor *x, tsr_index factor, tsr_pixel_order order,
                             tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  shuffle    s = {.op = "pixel_shuffle", .factor = factor, .order = order};
  tsr_status st = begin(ctx, x, &s);
  if (st != TSR_OK) return st;
  if (s.c % s.pixels != 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, s.op, "x", "is %t: its %l channels are not divided by the %l pixels of a block",
                     x, (int64_t)s.c, (int64_t)s.pixels);
  s.c /= s.pixels;
  tsr_index lengths[TSR__IMAGE_AXES] = {s.image.shape[TSR__IMAGE_N], s.c, 1, 0, 0};
  if (!tsr__mul_index(s.h, factor, &lengths[TSR__IMAGE_H]) || !tsr__mul_index(s.w, factor, &lengths[TSR__IMAGE_W]))
    return too_large(ctx, &s, x);
  return run(ctx, &s, x, lengths, true, out);
}

tsr_status tsr_pixel_unshuffle(tsr_ctx *ctx, const tsr_tensor *x, tsr_index factor, tsr_pixel_order order,
                               tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  shuffle    s = {.op = "pixel_unshuffle", .factor = factor, .order = order};
  tsr_status st = begin(ctx, x, &s);
  if (st != TSR_OK) return st;
  if (s.h % factor != 0 || s.w % factor != 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, s.op, "x", "is %t: its height %l and width %l are not divided by %l", x,
                     (int64_t)s.h, (int64_t)s.w, (int64_t)factor);
  s.h /= factor;
  s.w /= factor;
  tsr_index lengths[TSR__IMAGE_AXES] = {s.image.shape[TSR__IMAGE_N], 0, 1, s.h, s.w};
  if (!tsr__mul_index(s.c, s.pixels, &lengths[TSR__IMAGE_C])) return too_large(ctx, &s, x);
  return run(ctx, &s, x, lengths, false, out);
}
