/* Views with another shape of the same elements. */
#include "core/view_reshape.h"

#include "core/tensor.h"
#include "core/view.h"

#include <string.h>

tsr_status tsr__resolve_shape(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int ndim, const tsr_index *shape,
                              tsr_index *resolved) {
  if (ndim < 0 || ndim > TSR_MAX_DIMS || (ndim > 0 && shape == NULL))
    return tsr__check_shape(ctx, op, "shape", ndim, shape, NULL);
  int open = -1;
  for (int i = 0; i < ndim; i++) {
    resolved[i] = shape[i];
    if (shape[i] != -1) continue;
    if (open >= 0) return TSR__FAIL(ctx, TSR_ESHAPE, op, "shape", "%S has more than one -1", ndim, shape);
    open = i;
    resolved[i] = 1;
  }
  tsr_index known, size;
  tsr_status st = tsr__check_shape(ctx, op, "shape", ndim, resolved, &known);
  if (st == TSR_OK) st = tsr__check_shape(ctx, op, "in", in->ndim, in->shape, &size);
  if (st != TSR_OK) return st;
  if (open >= 0 && known > 0 && size % known == 0) {
    resolved[open] = size / known;
    return TSR_OK;
  }
  if (open < 0 && known == size) return TSR_OK;
  if (open >= 0 && known > 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "shape", "%S: the %l elements of %t do not divide by %l", ndim, shape,
                     (int64_t)size, in, (int64_t)known);
  return TSR__FAIL(ctx, TSR_ESHAPE, op, "shape", "%S does not have the %l element%s of %t", ndim, shape, (int64_t)size,
                   size == 1 ? "" : "s", in);
}

/* Axes of the input that belong together, and what they become: walks both shapes from the left, and closes a group whenever
 * the products agree. Within a group the input must be evenly spaced. False when it is not. */
static bool row_major_strides(int from_ndim, const tsr_index *from, const tsr_index *from_stride, int to_ndim,
                              const tsr_index *to, tsr_index *to_stride) {
  int i = 0, j = 0;
  while (i < from_ndim && j < to_ndim) {
    const int i0 = i, j0 = j;
    tsr_index from_product = from[i++], to_product = to[j++];
    while (from_product != to_product) {
      if (from_product < to_product)
        from_product *= from[i++];
      else
        to_product *= to[j++];
    }
    for (int k = i0; k + 1 < i; k++)
      if (from_stride[k] != tsr__times(from_stride[k + 1], from[k + 1])) return false;
    tsr_index next = from_stride[i - 1];
    for (int k = j - 1; k >= j0; k--) {
      to_stride[k] = next;
      next = tsr__times(next, to[k]);
    }
  }
  for (; j < to_ndim; j++) to_stride[j] = 1; /* trailing axes of length 1 */
  return true;
}

/* The axes as order counts them, slowest first. */
static void order_axes(int ndim, tsr_order order, int *axes) {
  for (int i = 0; i < ndim; i++) axes[i] = order == TSR_FORTRAN ? ndim - 1 - i : i;
  if (order != TSR_COL_MAJOR || ndim < 2) return;
  axes[ndim - 2] = ndim - 1;
  axes[ndim - 1] = ndim - 2;
}

/* The input's axes longer than 1, slowest first in order; returns how many. */
static int gather_axes(const tsr_tensor *in, tsr_order order, tsr_index *shape, tsr_index *stride) {
  int axes[TSR_MAX_DIMS], n = 0;
  order_axes(in->ndim, order, axes);
  for (int i = 0; i < in->ndim; i++) {
    if (in->shape[axes[i]] == 1) continue;
    shape[n] = in->shape[axes[i]];
    stride[n++] = in->stride[axes[i]];
  }
  return n;
}

/* Strides of the new shape, both counted in order; false when that needs a copy. */
static bool strides_in_order(const tsr_tensor *in, tsr_order order, int ndim, const tsr_index *shape,
                             tsr_index *stride) {
  tsr_index from[TSR_MAX_DIMS], from_stride[TSR_MAX_DIMS], to[TSR_MAX_DIMS], to_stride[TSR_MAX_DIMS];
  int axes[TSR_MAX_DIMS];
  if (tsr_size(in) == 0) {
    tsr__strides_for(ndim, shape, TSR_ROW_MAJOR, stride);
    return true;
  }
  const int n = gather_axes(in, order, from, from_stride);
  order_axes(ndim, order, axes);
  for (int i = 0; i < ndim; i++) to[i] = shape[axes[i]];
  if (!row_major_strides(n, from, from_stride, ndim, to, to_stride)) return false;
  for (int i = 0; i < ndim; i++) stride[axes[i]] = to_stride[i];
  return true;
}

bool tsr__reshape_strides(const tsr_tensor *in, tsr_order order, int ndim, const tsr_index *shape, tsr_tensor *result) {
  tsr_index stride[TSR_MAX_DIMS];
  void *data = in->data;
  if (order == TSR_MEMORY) {
    if (!tsr_is_contiguous(in, TSR_MEMORY)) return false;
    if (data != NULL) data = tsr__first_byte(in);
    tsr__strides_for(ndim, shape, TSR_ROW_MAJOR, stride);
  } else if (!strides_in_order(in, order, ndim, shape, stride)) {
    return false;
  }
  tsr__view_bind(in, result);
  result->data = data;
  result->ndim = (uint8_t)ndim;
  result->layout = TSR_PLAIN;
  for (int i = 0; i < TSR_MAX_DIMS; i++) {
    result->shape[i] = i < ndim ? shape[i] : 1;
    result->stride[i] = i < ndim ? stride[i] : 0;
  }
  return true;
}

static tsr_status reshape_view(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int ndim, const tsr_index *shape,
                               tsr_order order, tsr_tensor *out) {
  tsr_index resolved[TSR_MAX_DIMS];
  if ((unsigned)order > TSR_MEMORY) return TSR__FAIL(ctx, TSR_EARG, op, "order", "%d is not an order", (int)order);
  tsr_status st = tsr__view_check(ctx, op, in, out);
  if (st == TSR_OK) st = tsr__check_shape(ctx, op, "in", in->ndim, in->shape, NULL); /* lengths are multiplied */
  if (st == TSR_OK) st = tsr__resolve_shape(ctx, op, in, ndim, shape, resolved);
  if (st != TSR_OK) return st;
  if (tsr__reshape_strides(in, order, ndim, resolved, out)) return TSR_OK;
  return TSR__FAIL(ctx, TSR_ESTRIDE, op, "in", "%t with strides %S does not become %S without a copy", in,
                   (int)in->ndim, in->stride, ndim, resolved);
}

/* The product of lengths that are all positive, 0 when one is not or when it does not fit. */
static inline tsr_index positive_size(int ndim, const tsr_index *shape) {
  tsr_index size = 1;
  for (int i = 0; i < ndim; i++)
    if (shape[i] <= 0 || __builtin_mul_overflow(size, shape[i], &size)) return 0;
  return size;
}

/* A row-major tensor of that shape over the elements of in. Each field is written once, from in or from shape: reading a
 * struct that was copied a moment ago waits for the copy. */
static inline void bind_packed(const tsr_tensor *in, int ndim, const tsr_index *shape, tsr_tensor *out) {
  const uint32_t rank = (uint32_t)ndim * tsr__head(0, 0, 1, 0);
  tsr__set_head(out, tsr__borrowed_head(in, tsr__head(0xff, 0, 0, 0xff)) | rank);
  tsr_index step = 1;
  for (int i = ndim - 1; i >= 0; i--) {
    out->stride[i] = step;
    out->shape[i] = shape[i];
    step *= shape[i];
  }
  for (int i = ndim; i < TSR_MAX_DIMS; i++) {
    out->shape[i] = 1;
    out->stride[i] = 0;
  }
  out->data = in->data;
  out->storage = in->storage;
  out->name = NULL;
}

static inline bool bind_if_packed(const tsr_tensor *in, tsr_index size, int ndim, const tsr_index *shape,
                                  tsr_tensor *out) {
  if (positive_size(ndim, shape) != size) return false;
  bind_packed(in, ndim, shape, out);
  return true;
}

/* The usual reshape: row-major, contiguous, no -1 and no 0, into another tensor, which does not hold the shape. False,
 * and nothing is written, for all others. */
static inline bool reshape_packed(const tsr_tensor *in, int ndim, const tsr_index *shape, tsr_tensor *out) {
  if (!tsr__viewable(in, out) || in == out || shape == NULL || (uintptr_t)shape - (uintptr_t)out < sizeof *out)
    return false;
  const tsr_index size = in->ndim == 2 ? tsr__packed_size(in, 2) : tsr__packed_size(in, in->ndim);
  if (size == 0) return false;
  switch (ndim) { /* a constant rank has no loops, and wide stores past it */
    case 1: return bind_if_packed(in, size, 1, shape, out);
    case 2: return bind_if_packed(in, size, 2, shape, out);
    case 3: return bind_if_packed(in, size, 3, shape, out);
    case 4: return bind_if_packed(in, size, 4, shape, out);
    default: return false;
  }
}

/* Any reshape, and every refusal: elsewhere, by a jump, so that the usual one has nothing to save. */
__attribute__((noinline)) static tsr_status reshape_any(tsr_ctx *ctx, const tsr_tensor *in, int ndim,
                                                        const tsr_index *shape, tsr_tensor *out) {
  return reshape_view(ctx, "reshape_view", in, ndim, shape, TSR_ROW_MAJOR, out);
}

tsr_status tsr_reshape_view(tsr_ctx *ctx, const tsr_tensor *in, int ndim, const tsr_index *shape, tsr_tensor *out) {
  if (reshape_packed(in, ndim, shape, out)) return TSR_OK;
  return reshape_any(ctx, in, ndim, shape, out);
}

tsr_status tsr_reshape_view_ordered(tsr_ctx *ctx, const tsr_tensor *in, int ndim, const tsr_index *shape,
                                    tsr_order order, tsr_tensor *out) {
  return reshape_view(ctx, "reshape_view_ordered", in, ndim, shape, order, out);
}

tsr_status tsr_flatten_view(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  const tsr_index size[1] = {in != NULL ? tsr_size(in) : 0};
  return reshape_view(ctx, "flatten_view", in, 1, size, TSR_ROW_MAJOR, out);
}
