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
    tsr__copy_no_alias(ctx, to_blocked ? &a : &b, to_blocked ? &b : &a);
  }
  if (whole * block == channels) return;
  const tsr_tensor rest = tsr__part(plain, 1, whole * block, channels - whole * block);
  tsr_tensor last = tsr__part(&inner, 1, whole, 1), tail;
  tsr__view_drop_axis(&last, 1);
  tail = tsr__part(&last, 1, rest.shape[1], block - rest.shape[1]);
  last = tsr__part(&last, 1, 0, rest.shape[1]);
  tsr__copy_no_alias(ctx, to_blocked ? &rest : &last, to_blocked ? &last : &rest);
  if (to_blocked) tsr__fill_host(ctx, &tail, zero);
}

/* ---- what there is to convert ---- */

typedef struct conversion {
  int layout, from, to; /* the output's; channels of a block of the input and of the output, 0: none */
  tsr_index n, channels, h, w;
  tsr_index shape[5]; /* of the output */
} conversion;

static tsr_status read_plain(const tsr__call *call, conversion *c) {
  const tsr_tensor *const in = call->in[0];
  const int layout = tsr__layout_of(in);
  tsr_tensor plain = {0};
  if (layout != TSR_NCHW && layout != TSR_NHWC)
    return TSR__FAIL(call->ctx, TSR_ELAYOUT, call->op, "layout", "%s takes NCHW or NHWC, %t is %s",
                     tsr_layout_name(c->layout), in, tsr_layout_name(layout));
  const tsr_status st = tsr__layout_view(call->ctx, call->op, in, TSR_NCHW, &plain);
  c->n = plain.shape[0];
  c->channels = plain.shape[1];
  c->h = plain.shape[2];
  c->w = plain.shape[3];
  return st;
}

/* channels: all of its blocks when that is not said. */
static tsr_status read_blocked(const tsr__call *call, tsr_index channels, conversion *c) {
  const tsr_tensor *const in = call->in[0];
  const tsr_index blocks = in->shape[1], block = in->shape[4], whole = blocks * block;
  c->n = in->shape[0];
  c->channels = channels == 0 ? whole : channels;
  c->h = in->shape[2];
  c->w = in->shape[3];
  if (c->channels < 0 || c->channels > whole || (whole > 0 && c->channels <= whole - block))
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "channels", "%l do not fill %l blocks of %l",
                     (int64_t)c->channels, (int64_t)blocks, (int64_t)block);
  if (c->to == 0 && c->layout != TSR_NCHW && c->layout != TSR_NHWC)
    return TSR__FAIL(call->ctx, TSR_ELAYOUT, call->op, "layout", "%s does not have the axes of %s",
                     tsr_layout_name(c->layout), tsr_layout_name(in->layout));
  return TSR_OK;
}

static tsr__result result_of(conversion *c, int dtype) {
  const bool last = c->layout == TSR_NHWC;
  const tsr_index blocks = c->to > 0 ? c->channels / c->to + (c->channels % c->to != 0) : c->channels;
  c->shape[0] = c->n;
  c->shape[1] = last ? c->h : blocks;
  c->shape[2] = last ? c->w : c->h;
  c->shape[3] = last ? blocks : c->w;
  c->shape[4] = c->to;
  return (tsr__result){dtype, c->layout, c->to > 0 ? 5 : 4, c->shape, NULL};
}

/* ---- elements ---- */

/* What is plain, as [N, C, H, W]. */
static tsr_tensor as_nchw(const tsr_tensor *t, int layout) {
  tsr_tensor view = *t;
  if (layout != TSR_NHWC) return view;
  const tsr_index length = view.shape[3], stride = view.stride[3];
  tsr__view_drop_axis(&view, 3);
  tsr__view_add_axis(&view, 1, length, stride);
  return view;
}

/* Both blocked: by way of NCHW in temporary memory. */
static tsr_status make_plain(tsr__call *call, const conversion *c, tsr_tensor *plain) {
  const tsr_index shape[4] = {c->n, c->channels, c->h, c->w};
  const tsr_status st = tsr__desc_ordered(call->ctx, call->op, call->in[0]->dtype, 4, shape, TSR_ROW_MAJOR, plain);
  return st == TSR_OK ? tsr__call_scratch(call, tsr_nbytes(plain), &plain->data) : st;
}

static void convert_blocks(const tsr_ctx *ctx, const conversion *c, const tsr_tensor *in, const tsr_tensor *middle,
                           const tsr_tensor *out) {
  const tsr_tensor from = c->from > 0 ? *middle : as_nchw(in, tsr__layout_of(in));
  const tsr_tensor to = c->to > 0 ? *middle : as_nchw(out, c->layout);
  if (c->from > 0) copy_blocks(ctx, c->to > 0 ? middle : &to, in, false);
  if (c->to > 0) copy_blocks(ctx, &from, out, true);
}

tsr_status tsr__layout_blocked(tsr__call *call, int layout, tsr_index channels) {
  const tsr_tensor *in = call->in[0];
  conversion c = {.layout = layout, .from = tsr__layout_block(tsr__layout_of(in)), .to = tsr__layout_block(layout)};
  tsr_tensor copy, middle = {0};
  tsr_status st = c.from > 0 ? read_blocked(call, channels, &c) : read_plain(call, &c);
  if (st != TSR_OK) return st;
  const tsr__result result = result_of(&c, in->dtype);
  st = tsr__call_result(call, &result);
  if (st != TSR_OK) return st;
  const bool staged = tsr__call_was_given(call, 0) && tsr__overlap(in, call->out[0]);
  if (staged) st = tsr__call_copy_of(call, in, &copy);
  if (st == TSR_OK && c.from > 0 && c.to > 0) st = make_plain(call, &c, &middle);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK || tsr_size(call->out[0]) == 0) return st;
  if (staged) tsr__move_no_alias(call->ctx, in, &copy);
  convert_blocks(call->ctx, &c, staged ? &copy : in, &middle, call->out[0]);
  return TSR_OK;
}

#else /* no tensor has the five axes of a blocked layout */

tsr_status tsr__layout_blocked(tsr__call *call, int layout, tsr_index channels) {
  (void)channels;
  return TSR__FAIL(call->ctx, TSR_ELAYOUT, call->op, "layout", "%s has more axes than this build allows",
                   tsr_layout_name(layout));
}

#endif
