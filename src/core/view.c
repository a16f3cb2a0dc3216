/* Views that pick indices or change axes. */
#include "core/view.h"

#include "core/layout.h"
#include "core/tensor.h"

#include <string.h>

tsr_status tsr__view_refuse(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *out) {
  if (in == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "in", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (in->dtype == TSR_NONE) return TSR__FAIL(ctx, TSR_ESTATE, op, "in", "is empty");
  if (in->dtype >= TSR_DTYPE_COUNT) return tsr__check_dtype(ctx, op, "in", in->dtype);
  if (in->ndim > TSR_MAX_DIMS || !tsr__has_lengths(in))
    return tsr__check_shape(ctx, op, "in", in->ndim, in->shape, NULL);
  return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "holds a count that the view would lose: release it first");
}

tsr_status tsr__view_pad(tsr_tensor *t) {
  for (int i = t->ndim; i < TSR_MAX_DIMS; i++) {
    t->shape[i] = 1;
    t->stride[i] = 0;
  }
  return TSR_OK;
}

/* The axes of in but one, into a tensor that is bound to it; read from in, because reading a struct that was copied a moment
 * ago waits for the copy. */
static inline void bind_without_axis(const tsr_tensor *in, int axis, tsr_tensor *out) {
  const int last = in->ndim - 1;
  for (int i = axis; i < last; i++) {
    out->shape[i] = in->shape[i + 1];
    out->stride[i] = in->stride[i + 1];
  }
  out->shape[last] = 1;
  out->stride[last] = 0;
  out->ndim = (uint8_t)last;
  out->layout = TSR_PLAIN;
}

/* The first axis dropped, of a tensor whose entries past the rank are 1 and 0: everything moves by one, and each field is
 * written once. */
static inline void bind_without_first(const tsr_tensor *in, void *data, tsr_tensor *out) {
  tsr__set_head(out, tsr__borrowed_head(in, tsr__head(0xff, 0, 0xff, 0xff)) - tsr__head(0, 0, 1, 0));
  memcpy(out->shape, in->shape + 1, sizeof out->shape - sizeof out->shape[0]);
  memcpy(out->stride, in->stride + 1, sizeof out->stride - sizeof out->stride[0]);
  out->shape[TSR_MAX_DIMS - 1] = 1;
  out->stride[TSR_MAX_DIMS - 1] = 0;
  out->data = data;
  out->storage = in->storage;
  out->name = NULL;
}

void tsr__view_drop_axis(tsr_tensor *t, int axis) { bind_without_axis(t, axis, t); }

void tsr__view_add_axis(tsr_tensor *t, int axis, tsr_index length, tsr_index stride) {
  for (int i = t->ndim++; i > axis; i--) {
    t->shape[i] = t->shape[i - 1];
    t->stride[i] = t->stride[i - 1];
  }
  t->shape[axis] = length;
  t->stride[axis] = stride;
}

tsr_status tsr_view(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  if (!tsr__viewable(in, out)) return tsr__view_refuse(ctx, "view", in, out);
  const bool padded = tsr__view_bind(in, out);
  return tsr__view_end(out, padded);
}

/* A block of channels that is cut or turned is no block any more: the tag goes. */
static inline uint8_t kept_layout(const tsr_tensor *t, int axis) {
  const bool cut = t->layout != TSR_PLAIN && axis == t->ndim - 1 && tsr__layout_block(t->layout) > 0;
  return cut ? TSR_PLAIN : t->layout;
}

/* A bound of a slice as Python takes it: negative from the end, then clipped to [low, high]. */
static tsr_index clip_bound(tsr_index bound, tsr_index length, tsr_index low, tsr_index high) {
  if (bound < 0) bound = bound < -length ? low : bound + length;
  return bound < low ? low : bound > high ? high : bound;
}

/* How many steps of stride fit before a distance > 0 is used up. Divisions are slow, and the step is nearly always 1. */
static inline tsr_index count_steps(tsr_index distance, tsr_index stride) {
  return stride == 1 ? distance : (distance - 1) / stride + 1;
}

/* The first index and how many there are. */
static tsr_index slice_range(tsr_index length, tsr_index start, tsr_index stop, tsr_index step, tsr_index *first) {
  const bool back = step < 0;
  const tsr_index low = back ? -1 : 0, high = back ? length - 1 : length;
  *first = start == TSR_OMIT ? (back ? high : low) : clip_bound(start, length, low, high);
  const tsr_index end = stop == TSR_OMIT ? (back ? low : high) : clip_bound(stop, length, low, high);
  if (back) return *first > end ? count_steps(*first - end, -step) : 0;
  return *first < end ? count_steps(end - *first, step) : 0;
}

/* The same for steps forward, bounds that need no clipping and something between them, the usual slice: false where it is not,
 * with count the distance. TSR_OMIT needs clipping. */
static inline bool plain_range(tsr_index length, tsr_index start, tsr_index stop, tsr_index *first, tsr_index *count) {
  const uint64_t limit = length < 0 ? 0 : (uint64_t)length; /* a length that no tensor has is no limit */
  const uint64_t from = (uint64_t)start + (start < 0 ? limit : 0), to = (uint64_t)stop + (stop < 0 ? limit : 0);
  *first = (tsr_index)from;
  *count = (tsr_index)(to - from);
  return from < to && to <= limit;
}

/* The indices first, first + step … of an axis. */
static inline tsr_status bind_range(const tsr_tensor *in, int axis, tsr_index first, tsr_index length, tsr_index step,
                                    tsr_tensor *out) {
  const tsr_index stride = in->stride[axis];
  void *const data = length > 0 ? tsr__view_address(in, first, stride) : in->data;
  const bool padded = tsr__view_bind_at(in, data, kept_layout(in, axis), out);
  out->shape[axis] = length;
  if (step != 1 && length > 1)
    out->stride[axis] = tsr__times(stride, step); /* for one index the product might not fit */
  return tsr__view_end(out, padded);
}

/* Any slice, and every refusal. */
__attribute__((noinline)) static tsr_status slice_any(tsr_ctx *ctx, const tsr_tensor *in, int axis, tsr_index start,
                                                      tsr_index stop, tsr_index step, tsr_tensor *out) {
  static const char op[] = "slice";
  if (!tsr__viewable(in, out)) return tsr__view_refuse(ctx, op, in, out);
  if (!tsr__resolve_axis(&axis, in->ndim)) return tsr__refuse_axis(ctx, op, "axis", axis, in->ndim);
  if (step == 0) return TSR__FAIL(ctx, TSR_EARG, op, "step", "is 0");
  if (step == TSR_OMIT) step = 1;
  if (in->shape[axis] < 0) return tsr__view_refuse(ctx, op, in, out);
  tsr_index first;
  const tsr_index length = slice_range(in->shape[axis], start, stop, step, &first);
  return bind_range(in, axis, first, length, step, out);
}

/* The usual slice: a copy of the struct and what differs. False, and nothing is written, for all others. */
static inline bool slice_plain(const tsr_tensor *in, int axis, tsr_index start, tsr_index stop, tsr_index step,
                               tsr_tensor *out) {
  tsr_index first, length;
  if (in == out || !tsr__viewable(in, out) || in->layout != TSR_PLAIN || in->shape[TSR_MAX_DIMS - 1] != 1 ||
      !tsr__resolve_axis(&axis, in->ndim) || !plain_range(in->shape[axis], start, stop, &first, &length))
    return false;
  const tsr_index stride = in->stride[axis];
  void *const data = tsr__view_address(in, first, stride);
  const uint8_t flags = in->flags & (uint8_t)~TSR_OWNS;
  *out = *in;
  out->flags = flags;
  out->data = data;
  out->name = NULL;
  if (step > 1) {
    length = count_steps(length, step);
    if (length > 1) out->stride[axis] = tsr__times(stride, step); /* for one index the product might not fit */
  }
  out->shape[axis] = length;
  return true;
}

/* What is not usual goes elsewhere by a jump, so that nothing is saved for it. */
tsr_status tsr_slice(tsr_ctx *ctx, const tsr_tensor *in, int axis, tsr_index start, tsr_index stop, tsr_index step,
                     tsr_tensor *out) {
  if (step > 0 && slice_plain(in, axis, start, stop, step, out)) return TSR_OK;
  return slice_any(ctx, in, axis, start, stop, step, out);
}

tsr_status tsr_narrow(tsr_ctx *ctx, const tsr_tensor *in, int axis, tsr_index start, tsr_index length,
                      tsr_tensor *out) {
  static const char op[] = "narrow";
  if (!tsr__viewable(in, out)) return tsr__view_refuse(ctx, op, in, out);
  if (!tsr__resolve_axis(&axis, in->ndim)) return tsr__refuse_axis(ctx, op, "axis", axis, in->ndim);
  if (start < 0 || length < 0 || start > in->shape[axis] || length > in->shape[axis] - start)
    return TSR__FAIL(ctx, TSR_EINDEX, op, "start", "%l and length %l leave axis %d of %t", (int64_t)start,
                     (int64_t)length, axis, in);
  void *const data = length > 0 ? tsr__view_address(in, start, in->stride[axis]) : in->data;
  const bool padded = tsr__view_bind_at(in, data, kept_layout(in, axis), out);
  out->shape[axis] = length;
  return tsr__view_end(out, padded);
}

tsr_status tsr_select(tsr_ctx *ctx, const tsr_tensor *in, int axis, tsr_index index, tsr_tensor *out) {
  static const char op[] = "select";
  if (!tsr__viewable(in, out)) return tsr__view_refuse(ctx, op, in, out);
  if (!tsr__resolve_axis(&axis, in->ndim)) return tsr__refuse_axis(ctx, op, "axis", axis, in->ndim);
  const tsr_index length = in->shape[axis];
  const tsr_index at = index < 0 ? tsr__plus(index, length) : index;
  if (at < 0 || at >= length) { /* also where the length is negative, whatever the sum has become */
    if (length < 0) return tsr__view_refuse(ctx, op, in, out);
    return TSR__FAIL(ctx, TSR_EINDEX, op, "index", "%l is out of range for axis %d of %t", (int64_t)index, axis, in);
  }
  void *const data = tsr__view_address(in, at, in->stride[axis]);
  if (axis == 0 && out != in && in->shape[TSR_MAX_DIMS - 1] == 1) {
    bind_without_first(in, data, out);
    return TSR_OK;
  }
  const bool padded = tsr__view_bind(in, out);
  out->data = data;
  bind_without_axis(in, axis, out);
  return tsr__view_end(out, padded);
}

tsr_status tsr_flip(tsr_ctx *ctx, const tsr_tensor *in, int axis, tsr_tensor *out) {
  if (!tsr__viewable(in, out)) return tsr__view_refuse(ctx, "flip", in, out);
  if (!tsr__resolve_axis(&axis, in->ndim)) return tsr__refuse_axis(ctx, "flip", "axis", axis, in->ndim);
  const bool padded = tsr__view_bind(in, out);
  if (out->shape[axis] > 1) {
    tsr__view_move(out, out->shape[axis] - 1, out->stride[axis]);
    out->stride[axis] = tsr__negated(out->stride[axis]);
    out->layout = kept_layout(out, axis);
  }
  return tsr__view_end(out, padded);
}

static tsr_status permute_axes(const tsr_tensor *in, const int *axes, tsr_tensor *out) {
  const tsr_tensor from = *in; /* out may be in */
  const bool padded = tsr__view_bind(in, out);
  for (int i = 0; i < from.ndim; i++) {
    out->shape[i] = from.shape[axes[i]];
    out->stride[i] = from.stride[axes[i]];
  }
  out->layout = TSR_PLAIN;
  return tsr__view_end(out, padded);
}

tsr_status tsr_permute(tsr_ctx *ctx, const tsr_tensor *in, const int *axes, tsr_tensor *out) {
  int order[TSR_MAX_DIMS];
  tsr_status st = tsr__view_check(ctx, "permute", in, out);
  if (st == TSR_OK) st = tsr__check_permutation(ctx, "permute", in->ndim, axes, order);
  return st == TSR_OK ? permute_axes(in, order, out) : st;
}

tsr_status tsr_transpose(tsr_ctx *ctx, const tsr_tensor *in, int axis0, int axis1, tsr_tensor *out) {
  static const char op[] = "transpose";
  if (!tsr__viewable(in, out)) return tsr__view_refuse(ctx, op, in, out);
  if (!tsr__resolve_axis(&axis0, in->ndim)) return tsr__refuse_axis(ctx, op, "axis0", axis0, in->ndim);
  if (!tsr__resolve_axis(&axis1, in->ndim)) return tsr__refuse_axis(ctx, op, "axis1", axis1, in->ndim);
  const tsr_index shape0 = in->shape[axis0], stride0 = in->stride[axis0];
  const bool padded = tsr__view_bind(in, out);
  out->shape[axis0] = out->shape[axis1];
  out->stride[axis0] = out->stride[axis1];
  out->shape[axis1] = shape0;
  out->stride[axis1] = stride0;
  out->layout = TSR_PLAIN;
  return tsr__view_end(out, padded);
}

tsr_status tsr_squeeze(tsr_ctx *ctx, const tsr_tensor *in, int axis, tsr_tensor *out) {
  static const char op[] = "squeeze";
  if (!tsr__viewable(in, out)) return tsr__view_refuse(ctx, op, in, out);
  if (!tsr__resolve_axis(&axis, in->ndim)) return tsr__refuse_axis(ctx, op, "axis", axis, in->ndim);
  if (in->shape[axis] != 1) return TSR__FAIL(ctx, TSR_ESHAPE, op, "axis", "%d of %t is not of length 1", axis, in);
  const bool padded = tsr__view_bind(in, out);
  bind_without_axis(in, axis, out);
  return tsr__view_end(out, padded);
}

tsr_status tsr_squeeze_all(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  const tsr_status st = tsr__view_check(ctx, "squeeze_all", in, out);
  if (st != TSR_OK) return st;
  const bool padded = tsr__view_bind(in, out);
  for (int i = out->ndim - 1; i >= 0; i--)
    if (out->shape[i] == 1) tsr__view_drop_axis(out, i);
  out->layout = TSR_PLAIN;
  return tsr__view_end(out, padded);
}

tsr_status tsr_squeeze_leading(tsr_ctx *ctx, const tsr_tensor *in, int keep, tsr_tensor *out) {
  static const char op[] = "squeeze_leading";
  const tsr_status st = tsr__view_check(ctx, op, in, out);
  if (st != TSR_OK) return st;
  if (keep < 0) return TSR__FAIL(ctx, TSR_EARG, op, "keep", "%d is negative", keep);
  const bool padded = tsr__view_bind(in, out);
  while (out->ndim > keep && out->shape[0] == 1) tsr__view_drop_axis(out, 0);
  out->layout = TSR_PLAIN;
  return tsr__view_end(out, padded);
}

tsr_status tsr_unsqueeze(tsr_ctx *ctx, const tsr_tensor *in, int axis, tsr_tensor *out) {
  static const char op[] = "unsqueeze";
  tsr_status st = tsr__view_check(ctx, op, in, out);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis", axis, in->ndim + 1, &axis);
  if (st != TSR_OK) return st;
  if (in->ndim == TSR_MAX_DIMS) return TSR__FAIL(ctx, TSR_ESHAPE, op, "in", "%t has the highest rank already", in);
  const bool padded = tsr__view_bind(in, out);
  tsr__view_add_axis(out, axis, 1, 0);
  out->layout = TSR_PLAIN;
  return tsr__view_end(out, padded);
}

tsr_status tsr_mat(tsr_ctx *ctx, const tsr_tensor *in, int n, const tsr_index *index, tsr_tensor *out) {
  static const char op[] = "mat";
  const tsr_status st = tsr__view_check(ctx, op, in, out);
  if (st != TSR_OK) return st;
  if (in->ndim < 2) return TSR__FAIL(ctx, TSR_ESHAPE, op, "in", "%t has no two axes", in);
  if (n != in->ndim - 2 || (n > 0 && index == NULL))
    return TSR__FAIL(ctx, TSR_EARG, op, "index", "has %d numbers, %t needs %d", n, in, in->ndim - 2);
  tsr_tensor view = *in;
  for (int i = 0; i < n; i++) {
    const tsr_index length = in->shape[i], at = index[i] < 0 ? index[i] + length : index[i];
    if (at < 0 || at >= length)
      return TSR__FAIL(ctx, TSR_EINDEX, op, "index", "%l is out of range for axis %d of %t", (int64_t)index[i], i, in);
    tsr__view_move(&view, at, in->stride[i]);
  }
  const bool padded = tsr__view_bind(in, out);
  out->data = view.data;
  while (out->ndim > 2) tsr__view_drop_axis(out, 0);
  out->layout = TSR_PLAIN;
  return tsr__view_end(out, padded);
}
