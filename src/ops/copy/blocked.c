/* Blocks of channels: [N, C, H, W] and [N, ceil(C/b), H, W, b]. */
#include "ops/copy/blocked.h"

#include "core/layout.h"
#include "core/tensor.h"
#include "core/view.h"
#include "ops/copy/copy.h"

#if TSR_MAX_DIMS >= 5

static const unsigned char zero[16];

/* The blocked tensor as [N, C/b, b, H, W]. */
static tsr_tensor channels_second(const tsr_tensor *blocked) {
  tsr_tensor view = *blocked;
  const tsr_index block = view.shape[4], stride = view.stride[4];
  tsr__view_drop_axis(&view, 4);
  tsr__view_add_axis(&view, 2, block, stride);
  return view;
}

/* The channels of a plain tensor as whole blocks: [N, C, H, W] as [N, C/b, b, H, W]. Splitting an axis is always a view. */
static tsr_tensor split_channels(const tsr_tensor *plain, tsr_index block) {
  tsr_tensor view = *plain;
  view.flags = 0;
  view.layout = TSR_PLAIN;
  view.shape[1] = plain->shape[1] / block;
  view.stride[1] = plain->stride[1] * block;
  tsr__view_add_axis(&view, 2, block, plain->stride[1]);
  return view;
}

/* Copies between a plain tensor and a blocked one with as many blocks as its channels need. */
static void copy_blocks(const tsr_ctx *ctx, const tsr_tensor *plain, const tsr_tensor *blocked, bool to_blocked) {
  const tsr_index block = blocked->shape[4], channels = plain->shape[1], whole = channels / block;
  const tsr_tensor inner = channels_second(blocked);
  if (whole > 0) {
    const tsr_tensor some = tsr__part(plain, 1, 0, whole * block);
    const tsr_tensor a = split_channels(&some, block), b = tsr__part(&inner, 1, 0, whole);
    tsr__copy_apart(ctx, to_blocked ? &a : &b, to_blocked ? &b : &a);
  }
  if (whole * block == channels) return;
  const tsr_tensor rest = tsr__part(plain, 1, whole * block, channels - whole * block);
  tsr_tensor last = tsr__part(&inner, 1, whole, 1), tail;
  tsr__view_drop_axis(&last, 1);
  tail = tsr__part(&last, 1, rest.shape[1], block - rest.shape[1]);
  last = tsr__part(&last, 1, 0, rest.shape[1]);
  tsr__copy_apart(ctx, to_blocked ? &rest : &last, to_blocked ? &last : &rest);
  if (to_blocked) tsr__fill_host(ctx, &tail, zero);
}

static tsr_status to_blocked(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int layout, tsr_tensor *out) {
  tsr_tensor plain = {0};
  const int from = tsr__layout_of(in);
  if (from != TSR_NCHW && from != TSR_NHWC)
    return TSR__FAIL(ctx, TSR_ELAYOUT, op, "layout", "%s takes NCHW or NHWC, %t is %s", tsr_layout_name(layout), in,
                     tsr_layout_name(from));
  tsr_status st = tsr__layout_view(ctx, op, in, TSR_NCHW, &plain);
  if (st != TSR_OK) return st;
  const tsr_index block = tsr__layout_block(layout);
  const tsr_index shape[5] = {plain.shape[0], plain.shape[1] / block + (plain.shape[1] % block != 0), plain.shape[2],
                              plain.shape[3], block};
  const tsr__result result = {in->dtype, layout, 5, shape, NULL};
  st = tsr__output(ctx, op, &result, out);
  if (st != TSR_OK) return st;
  if (tsr_size(out) > 0) copy_blocks(ctx, &plain, out, true);
  out->layout = (uint8_t)layout;
  return TSR_OK;
}

/* How many channels a blocked tensor has: all of its blocks when that is not said. */
static tsr_status resolve_channels(tsr_ctx *ctx, const char *op, const tsr_tensor *in, tsr_index *channels) {
  const tsr_index blocks = in->shape[1], block = in->shape[4], whole = blocks * block;
  if (*channels == 0) *channels = whole;
  if (*channels >= 0 && *channels <= whole && (whole == 0 || *channels > whole - block)) return TSR_OK;
  return TSR__FAIL(ctx, TSR_ESHAPE, op, "channels", "%l do not fill %l blocks of %l", (int64_t)*channels, (int64_t)blocks,
                   (int64_t)block);
}

static tsr_status from_blocked(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int layout, tsr_index channels,
                               tsr_tensor *out) {
  const tsr_status resolved = resolve_channels(ctx, op, in, &channels);
  if (resolved != TSR_OK) return resolved;
  const tsr_index n = in->shape[0], h = in->shape[2], w = in->shape[3];
  const tsr_index nchw[4] = {n, channels, h, w}, nhwc[4] = {n, h, w, channels};
  if (layout != TSR_NCHW && layout != TSR_NHWC)
    return TSR__FAIL(ctx, TSR_ELAYOUT, op, "layout", "%s does not have the axes of %s", tsr_layout_name(layout),
                     tsr_layout_name(in->layout));
  const tsr__result result = {in->dtype, layout, 4, layout == TSR_NCHW ? nchw : nhwc, NULL};
  tsr_status st = tsr__output(ctx, op, &result, out);
  if (st != TSR_OK) return st;
  out->layout = (uint8_t)layout;
  tsr_tensor plain = {0};
  st = tsr__layout_view(ctx, op, out, TSR_NCHW, &plain);
  if (st == TSR_OK && tsr_size(out) > 0) copy_blocks(ctx, &plain, in, false);
  return st;
}

/* By way of NCHW in temporary memory. */
static tsr_status between_blocked(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int layout, tsr_index channels,
                                  tsr_tensor *out) {
  tsr__scratch scratch;
  tsr_tensor plain;
  tsr_status st = resolve_channels(ctx, op, in, &channels);
  if (st != TSR_OK) return st;
  const tsr_index shape[4] = {in->shape[0], channels, in->shape[2], in->shape[3]};
  st = tsr__desc_ordered(ctx, op, in->dtype, 4, shape, TSR_ROW_MAJOR, &plain);
  if (st == TSR_OK) st = tsr__scratch_get(ctx, op, tsr_nbytes(&plain), &scratch);
  if (st != TSR_OK) return st;
  plain.data = scratch.data;
  st = from_blocked(ctx, op, in, TSR_NCHW, channels, &plain);
  if (st == TSR_OK) st = to_blocked(ctx, op, &plain, layout, out);
  tsr__scratch_put(&scratch);
  return st;
}

tsr_status tsr__layout_blocked(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int layout, tsr_index channels,
                               tsr_tensor *out) {
  if (tsr__layout_block(tsr__layout_of(in)) == 0) return to_blocked(ctx, op, in, layout, out);
  if (tsr__layout_block(layout) == 0) return from_blocked(ctx, op, in, layout, channels, out);
  return between_blocked(ctx, op, in, layout, channels, out);
}

#else /* no tensor has the five axes of a blocked layout */

tsr_status tsr__layout_blocked(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int layout, tsr_index channels,
                               tsr_tensor *out) {
  (void)in;
  (void)channels;
  (void)out;
  return TSR__FAIL(ctx, TSR_ELAYOUT, op, "layout", "%s has more axes than this build allows", tsr_layout_name(layout));
}

#endif
