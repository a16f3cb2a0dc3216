/* Views that give the same memory other strides, another shape or another dtype. */
#include "core/normalise.h"
#include "core/tensor.h"
#include "core/view.h"

#include <string.h>

tsr_status tsr_broadcast_to(tsr_ctx *ctx, const tsr_tensor *in, int ndim, const tsr_index *shape, tsr_tensor *out) {
  static const char op[] = "broadcast_to";
  tsr_status st = tsr__view_check(ctx, op, in, out);
  if (st == TSR_OK) st = tsr__check_shape(ctx, op, "shape", ndim, shape, NULL);
  if (st != TSR_OK) return st;
  const int added = ndim - in->ndim;
  tsr_index stride[TSR_MAX_DIMS] = {0}, length[TSR_MAX_DIMS]; /* copies: shape may be out's own */
  if (added < 0) return TSR__FAIL(ctx, TSR_ESHAPE, op, "shape", "%S has fewer axes than %t", ndim, shape, in);
  for (int i = 0; i < TSR_MAX_DIMS; i++) length[i] = i < ndim ? shape[i] : 1;
  for (int i = added; i < ndim; i++) {
    const tsr_index from = in->shape[i - added];
    if (from != 1 && from != length[i])
      return TSR__FAIL(ctx, TSR_ESHAPE, op, "in", "%t does not broadcast to %S: axis %d is %l against %l", in, ndim,
                       shape, i, (int64_t)from, (int64_t)length[i]);
    stride[i] = from == length[i] ? in->stride[i - added] : 0;
  }
  const bool padded = tsr__view_bind(in, out);
  memcpy(out->shape, length, sizeof length);
  memcpy(out->stride, stride, sizeof stride);
  out->ndim = (uint8_t)ndim;
  if (added > 0) out->layout = TSR_PLAIN;
  return tsr__view_end(out, padded);
}

/* How many elements a diagonal has. */
static tsr_index diagonal_length(tsr_index down, tsr_index right, tsr_index offset) {
  if (offset >= right || offset <= -down) return 0;
  if (offset >= 0)
    right -= offset;
  else
    down += offset;
  return down < right ? down : right;
}

tsr_status tsr_diagonal(tsr_ctx *ctx, const tsr_tensor *in, tsr_index offset, int axis0, int axis1, tsr_tensor *out) {
  static const char op[] = "diagonal";
  tsr_status st = tsr__view_check(ctx, op, in, out);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis0", axis0, in->ndim, &axis0);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis1", axis1, in->ndim, &axis1);
  if (st != TSR_OK) return st;
  if (axis0 == axis1) return TSR__FAIL(ctx, TSR_EAXIS, op, "axis1", "is axis0: %d", axis0);
  const tsr_index length = diagonal_length(in->shape[axis0], in->shape[axis1], offset);
  const tsr_index stride =
      length > 1 ? tsr__plus(in->stride[axis0], in->stride[axis1]) : 0; /* one element: any sum would do */
  const tsr_index first = offset >= 0 ? in->stride[axis1] : in->stride[axis0];
  const bool padded = tsr__view_bind(in, out);
  if (length > 0) tsr__view_move(out, offset >= 0 ? offset : -offset, first);
  tsr__view_drop_axis(out, axis0 > axis1 ? axis0 : axis1);
  tsr__view_drop_axis(out, axis0 > axis1 ? axis1 : axis0);
  tsr__view_add_axis(out, out->ndim, length, stride);
  out->layout = TSR_PLAIN;
  return tsr__view_end(out, padded);
}

/* The bytes that views of t may reach: its storage's, or what it spans itself. */
static void reachable(const tsr_tensor *t, uintptr_t *low, uintptr_t *high) {
  if (t->storage == NULL) {
    tsr__span(t, low, high);
    return;
  }
  *low = (uintptr_t)tsr_storage_data(t->storage);
  *high = *low + tsr_storage_bytes(t->storage);
}

tsr_status tsr_as_strided(tsr_ctx *ctx, const tsr_tensor *in, int ndim, const tsr_index *shape, const tsr_index *stride,
                          tsr_index offset, tsr_tensor *out) {
  static const char op[] = "as_strided";
  tsr_status st = tsr__view_check(ctx, op, in, out);
  if (st == TSR_OK) st = tsr__check_given(ctx, op, "in", in);
  if (st == TSR_OK) st = tsr__check_shape(ctx, op, "shape", ndim, shape, NULL);
  if (st != TSR_OK) return st;
  if (ndim > 0 && stride == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "stride", "is NULL");
  uintptr_t low, high;
  ptrdiff_t bytes;
  reachable(in, &low, &high);
  const uintptr_t at = (uintptr_t)in->data;
  if (__builtin_mul_overflow(offset, (ptrdiff_t)tsr_dtype_size(in->dtype), &bytes) ||
      (bytes < 0 ? 0 - (uintptr_t)bytes > at - low : (uintptr_t)bytes > high - at))
    return TSR__FAIL(ctx, TSR_ECAPACITY, op, "offset", "%l leaves the %z bytes of the storage", (int64_t)offset,
                     (size_t)(high - low));
  tsr_tensor t = *in;
  tsr__describe(in->dtype, ndim, shape, &t);
  for (int i = 0; i < ndim; i++) t.stride[i] = stride[i];
  tsr__normalise(&t);
  t.data = bytes != 0 ? (char *)in->data + bytes : in->data;
  st = tsr__check_inside(ctx, op, &t, low, high);
  if (st != TSR_OK) return st;
  const bool padded = tsr__view_bind(in, out);
  memcpy(out->shape, t.shape, sizeof t.shape);
  memcpy(out->stride, t.stride, sizeof t.stride);
  out->ndim = t.ndim;
  out->data = t.data;
  out->layout = TSR_PLAIN;
  return tsr__view_end(out, padded);
}

tsr_status tsr_sliding_window(tsr_ctx *ctx, const tsr_tensor *in, int axis, tsr_index size, tsr_index step,
                              tsr_tensor *out) {
  static const char op[] = "sliding_window";
  tsr_status st = tsr__view_check(ctx, op, in, out);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis", axis, in->ndim, &axis);
  if (st != TSR_OK) return st;
  const tsr_index length = in->shape[axis], stride = in->stride[axis];
  if (in->ndim == TSR_MAX_DIMS) return TSR__FAIL(ctx, TSR_ESHAPE, op, "in", "%t has the highest rank already", in);
  if (size < 1 || size > length)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "size", "%l is not 1 to %l, the length of axis %d", (int64_t)size,
                     (int64_t)length, axis);
  if (step < 1) return TSR__FAIL(ctx, TSR_EARG, op, "step", "%l is not positive", (int64_t)step);
  tsr_index shape[TSR_MAX_DIMS];
  memcpy(shape, in->shape, sizeof shape);
  shape[axis] = (length - size) / step + 1;
  shape[in->ndim] = size;
  st = tsr__check_shape(ctx, op, "size", in->ndim + 1, shape,
                        NULL); /* windows overlap: the count can outgrow the index */
  if (st != TSR_OK) return st;
  const bool padded = tsr__view_bind(in, out);
  out->shape[axis] = shape[axis];
  if (shape[axis] > 1) out->stride[axis] = tsr__times(stride, step);
  tsr__view_add_axis(out, out->ndim, size, stride);
  out->layout = TSR_PLAIN;
  return tsr__view_end(out, padded);
}

/* ---- other dtypes ---- */

/* The last axis as ratio times fewer, larger elements. */
static tsr_status bitcast_larger(tsr_ctx *ctx, const tsr_tensor *in, int dtype, tsr_index ratio, tsr_tensor *t) {
  const int last = in->ndim - 1;
  const bool any = !tsr__has_no_elements(in);
  if (in->shape[last] % ratio != 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, "bitcast", "in", "%t: its last axis is not a whole number of %y", in, dtype);
  for (int i = 0; i < last; i++) {
    if (any && in->shape[i] > 1 && in->stride[i] % ratio != 0)
      return TSR__FAIL(ctx, TSR_ESTRIDE, "bitcast", "in", "%t: stride %l of axis %d is not a whole number of %y", in,
                       (int64_t)in->stride[i], i, dtype);
    t->stride[i] = t->stride[i] / ratio;
  }
  t->shape[last] = in->shape[last] / ratio;
  t->stride[last] = 1;
  return TSR_OK;
}

/* The last axis as ratio times more, smaller elements. */
static tsr_status bitcast_smaller(tsr_ctx *ctx, const tsr_tensor *in, tsr_index ratio, tsr_tensor *t) {
  const int last = in->ndim - 1;
  bool fits = tsr__mul_index(in->shape[last], ratio, &t->shape[last]);
  for (int i = 0; i < last && fits; i++) fits = tsr__mul_index(t->stride[i], ratio, &t->stride[i]);
  if (fits && tsr__check_shape(ctx, "bitcast", "dtype", in->ndim, t->shape, NULL) == TSR_OK) {
    t->stride[last] = 1;
    return TSR_OK;
  }
  return TSR__FAIL(ctx, TSR_EOVERFLOW, "bitcast", "dtype", "%t has too many elements of it", in);
}

tsr_status tsr_bitcast(tsr_ctx *ctx, const tsr_tensor *in, int dtype, tsr_tensor *out) {
  static const char op[] = "bitcast";
  tsr_status st = tsr__view_check(ctx, op, in, out);
  if (st == TSR_OK) st = tsr__check_dtype(ctx, op, "dtype", dtype);
  if (st != TSR_OK) return st;
  const tsr_index from = (tsr_index)tsr_dtype_size(in->dtype), to = (tsr_index)tsr_dtype_size(dtype);
  tsr_tensor t = *in;
  tsr__normalise(&t);
  if (from != to) {
    const int last = in->ndim - 1;
    if (last < 0 || (in->shape[last] > 1 && in->stride[last] != 1 && !tsr__has_no_elements(in)))
      return TSR__FAIL(ctx, TSR_ESTRIDE, op, "in", "%t: the last axis must have stride 1 to become %y", in, dtype);
    st = to > from ? bitcast_larger(ctx, in, dtype, to / from, &t) : bitcast_smaller(ctx, in, from / to, &t);
    if (st != TSR_OK) return st;
    t.layout = TSR_PLAIN;
  }
  const size_t align = tsr_dtype_describe(dtype)->align;
  if (((uintptr_t)in->data & (align - 1)) != 0)
    return TSR__FAIL(ctx, TSR_EALIGN, op, "in", "%t: its data is not aligned to %z bytes for %y", in, align, dtype);
  const bool padded = tsr__view_bind(in, out);
  out->dtype = (uint8_t)dtype;
  out->layout = t.layout;
  memcpy(out->shape, t.shape, sizeof t.shape);
  memcpy(out->stride, t.stride, sizeof t.stride);
  return tsr__view_end(out, padded);
}

tsr_status tsr_complex_part(tsr_ctx *ctx, const tsr_tensor *in, int part, tsr_tensor *out) {
  static const char op[] = "complex_part";
  const tsr_status st = tsr__view_check(ctx, op, in, out);
  if (st != TSR_OK) return st;
  if (in->dtype != TSR_C64 && in->dtype != TSR_C128)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "in", "%t is not complex", in);
  if (part != 0 && part != 1) return TSR__FAIL(ctx, TSR_EARG, op, "part", "%d is not 0 (real) or 1 (imaginary)", part);
  tsr_tensor t = *in;
  tsr_index stride[TSR_MAX_DIMS];
  tsr__normalise(&t);
  for (int i = 0; i < TSR_MAX_DIMS; i++)
    if (!tsr__mul_index(i < in->ndim ? t.stride[i] : 0, 2, &stride[i]))
      return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "in", "%t: stride of axis %d doubles out of range", in, i);
  const bool padded = tsr__view_bind(in, out);
  out->dtype = in->dtype == TSR_C64 ? TSR_F32 : TSR_F64;
  memcpy(out->stride, stride, sizeof stride);
  tsr__view_move(out, part, 1);
  return tsr__view_end(out, padded);
}
