/* Pixel shuffle: one copy of strided views for each pixel of a block. */
#include "nn/image.h"
#include "nn/shuffle/ops.h"
#include "ops/move/target.h"

typedef struct shuffle {
  tsr__image image; /* of x */
  tsr_index factor, pixels;
  tsr_index c, h, w; /* channels where they have pixels; and the size of the other one */
  tsr_pixel_order order;
} shuffle;

static tsr_status check_shuffle(const tsr__call *call, shuffle *s) {
  const tsr__pixel_shuffle_attrs *const attrs = call->attrs;
  *s = (shuffle){.factor = attrs->factor, .order = attrs->order};
  const tsr_status st = tsr__image_init(call->ctx, call->op, call->in[0], 2, 2, &s->image);
  if (st != TSR_OK) return st;
  if (s->factor < 1 || !tsr__mul_index(s->factor, s->factor, &s->pixels))
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "factor", "is %l, which is not a small number from 1 on",
                     (int64_t)s->factor);
  if (s->order != TSR_PIXELS_INNER && s->order != TSR_PIXELS_OUTER)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "order", "is %d, which is none of tsr_pixel_order", (int)s->order);
  s->c = s->image.shape[TSR__IMAGE_C];
  s->h = s->image.shape[TSR__IMAGE_H];
  s->w = s->image.shape[TSR__IMAGE_W];
  return TSR_OK;
}

/* The channels of t, the one with many, that are pixel number p of every block; and those pixels of t, the other one.
 *  */
static tsr_tensor channels_of(const shuffle *s, const tsr_tensor *t, tsr_index p) {
  const bool inner = s->order == TSR_PIXELS_INNER;
  const int axis = s->image.axis[TSR__IMAGE_C];
  tsr_tensor view = *t;
  tsr__view_move(&view, inner ? p : p * s->c, view.stride[axis]);
  view.shape[axis] = s->c;
  if (inner) view.stride[axis] *= s->pixels;
  return view;
}

static tsr_tensor pixels_of(const shuffle *s, const tsr_tensor *t, tsr_index p) {
  const int h = s->image.axis[TSR__IMAGE_H], w = s->image.axis[TSR__IMAGE_W];
  tsr_tensor view = *t;
  tsr__view_move(&view, p / s->factor, view.stride[h]);
  tsr__view_move(&view, p % s->factor, view.stride[w]);
  view.shape[h] = s->h;
  view.shape[w] = s->w;
  view.stride[h] *= s->factor;
  view.stride[w] *= s->factor;
  return view;
}

static tsr_status copy_pixels(tsr__call *call, const shuffle *s, const tsr_index *lengths, bool to_pixels) {
  const tsr_tensor *const x = call->in[0];
  tsr_index shape[4];
  tsr__target target;
  tsr__image_shape(&s->image, lengths, shape);
  const tsr__result result = {x->dtype, x->layout, 4, shape, NULL};
  const tsr_status st = tsr__call_target(call, &result, &target);
  if (st != TSR_OK) return st;
  for (tsr_index p = 0; p < s->pixels && target.bytes > 0; p++) {
    const tsr_tensor *const deep = to_pixels ? x : &target.view, *const wide = to_pixels ? &target.view : x;
    const tsr_tensor channels = channels_of(s, deep, p), pixels = pixels_of(s, wide, p);
    tsr__copy_no_alias(call->ctx, to_pixels ? &channels : &pixels, to_pixels ? &pixels : &channels);
  }
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

static tsr_status refuse_size(const tsr__call *call, const shuffle *s) {
  return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, "factor", "is %l: x %t becomes more than an index counts",
                   (int64_t)s->factor, call->in[0]);
}

static tsr_status pixel_shuffle(tsr__call *call) {
  shuffle s;
  const tsr_status st = check_shuffle(call, &s);
  if (st != TSR_OK) return st;
  if (s.c % s.pixels != 0)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "x",
                     "is %t: its %l channels are not divided by the %l pixels of a block", call->in[0], (int64_t)s.c,
                     (int64_t)s.pixels);
  s.c /= s.pixels;
  tsr_index lengths[TSR__IMAGE_AXES] = {s.image.shape[TSR__IMAGE_N], s.c, 1, 0, 0};
  if (!tsr__mul_index(s.h, s.factor, &lengths[TSR__IMAGE_H]) || !tsr__mul_index(s.w, s.factor, &lengths[TSR__IMAGE_W]))
    return refuse_size(call, &s);
  return copy_pixels(call, &s, lengths, true);
}

TSR__OP(pixel_shuffle, pixel_shuffle, 0)
tsr_status tsr_pixel_shuffle(tsr_ctx *ctx, const tsr_tensor *x, tsr_index factor, tsr_pixel_order order,
                             tsr_tensor *out) {
  return TSR__CALL(pixel_shuffle, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .factor = factor, .order = order);
}

static tsr_status pixel_unshuffle(tsr__call *call) {
  shuffle s;
  const tsr_status st = check_shuffle(call, &s);
  if (st != TSR_OK) return st;
  if (s.h % s.factor != 0 || s.w % s.factor != 0)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "x", "is %t: its height %l and width %l are not divided by %l",
                     call->in[0], (int64_t)s.h, (int64_t)s.w, (int64_t)s.factor);
  s.h /= s.factor;
  s.w /= s.factor;
  tsr_index lengths[TSR__IMAGE_AXES] = {s.image.shape[TSR__IMAGE_N], 0, 1, s.h, s.w};
  if (!tsr__mul_index(s.c, s.pixels, &lengths[TSR__IMAGE_C])) return refuse_size(call, &s);
  return copy_pixels(call, &s, lengths, false);
}

TSR__OP_LIKE(pixel_unshuffle, pixel_shuffle, pixel_unshuffle, 0)
tsr_status tsr_pixel_unshuffle(tsr_ctx *ctx, const tsr_tensor *x, tsr_index factor, tsr_pixel_order order,
                               tsr_tensor *out) {
  return TSR__CALL(pixel_unshuffle, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .factor = factor, .order = order);
}
