/* Handles: describing, wrapping, sharing, moving, releasing, resizing. */
#include "core/normalise.h"
#include "core/check.h"
#include "core/layout.h"
#include "core/storage.h"
#include "core/tensor.h"

#include <string.h>

void tsr__describe(int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  out->dtype = (uint8_t)dtype;
  out->layout = TSR_PLAIN;
  out->ndim = (uint8_t)ndim;
  out->flags = 0;
  for (int i = 0; i < TSR_MAX_DIMS; i++) {
    out->shape[i] = i < ndim ? shape[i] : 1;
    out->stride[i] = 0;
  }
  out->data = NULL;
  out->storage = NULL;
  out->name = NULL;
}

/* Whether a contiguous tensor of this dtype and shape fits the address space. */
tsr_status tsr__check_desc(tsr_ctx *ctx, const char *op, int dtype, int ndim, const tsr_index *shape) {
  tsr_index size;
  tsr_status st = tsr__check_dtype(ctx, op, "dtype", dtype);
  if (st == TSR_OK) st = tsr__check_shape(ctx, op, "shape", ndim, shape, &size);
  if (st != TSR_OK) return st;
  ptrdiff_t bytes;
  if (__builtin_mul_overflow(size, (ptrdiff_t)tsr_dtype_size(dtype), &bytes))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "shape", "%S of %y is more bytes than the address space has", ndim, shape,
                     dtype);
  return TSR_OK;
}

static tsr_status describe_checked(tsr_ctx *ctx, const char *op, int dtype, int ndim, const tsr_index *shape,
                                   tsr_tensor *out) {
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  const tsr_status st = tsr__check_desc(ctx, op, dtype, ndim, shape);
  if (st == TSR_OK) tsr__describe(dtype, ndim, shape, out);
  return st;
}

tsr_status tsr_desc_init(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  return tsr__desc_ordered(ctx, "desc_init", dtype, ndim, shape, TSR_ROW_MAJOR, out);
}

tsr_status tsr_desc_init_ordered(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_order order,
                                 tsr_tensor *out) {
  return tsr__desc_ordered(ctx, "desc_init_ordered", dtype, ndim, shape, order, out);
}

tsr_status tsr__desc_ordered(tsr_ctx *ctx, const char *op, int dtype, int ndim, const tsr_index *shape, tsr_order order,
                             tsr_tensor *out) {
  if ((unsigned)order > TSR_FORTRAN)
    return TSR__FAIL(ctx, TSR_EARG, op, "order", "%d is not an order to create in", (int)order);
  const tsr_status st = describe_checked(ctx, op, dtype, ndim, shape, out);
  if (st == TSR_OK) tsr__strides_for(ndim, out->shape, order, out->stride);
  return st;
}

/* Whether axes holds each of 0 … ndim - 1 once (negative ones count from the end); writes them resolved. */
tsr_status tsr__check_permutation(tsr_ctx *ctx, const char *op, int ndim, const int *axes, int *resolved) {
  unsigned seen = 0;
  if (axes == NULL && ndim > 0) return TSR__FAIL(ctx, TSR_EARG, op, "axes", "is NULL");
  for (int i = 0; i < ndim; i++) {
    const tsr_status st = tsr__check_axis(ctx, op, "axis", axes[i], ndim, &resolved[i]);
    if (st != TSR_OK) return st;
    if ((seen >> resolved[i] & 1u) != 0)
      return TSR__FAIL(ctx, TSR_EAXIS, op, "axes", "names axis %d twice", resolved[i]);
    seen |= 1u << resolved[i];
  }
  return TSR_OK;
}

tsr_status tsr_desc_init_permuted(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, const int *axes,
                                  tsr_tensor *out) {
  static const char op[] = "desc_init_permuted";
  int order[TSR_MAX_DIMS];
  tsr_status st =
      out != NULL ? tsr__check_desc(ctx, op, dtype, ndim, shape) : TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (st == TSR_OK) st = tsr__check_permutation(ctx, op, ndim, axes, order);
  if (st != TSR_OK) return st;
  tsr__describe(dtype, ndim, shape, out);
  tsr__strides_permuted(out, order);
  return TSR_OK;
}

void tsr__strides_permuted(tsr_tensor *t, const int *slowest_first) {
  tsr_index next = 1;
  for (int k = t->ndim - 1; k >= 0; k--) {
    const int axis = slowest_first[k];
    t->stride[axis] = next;
    next *= t->shape[axis] > 0 ? t->shape[axis] : 1;
  }
}

void tsr__default_strides(tsr_tensor *t) {
  bool any = false;
  for (int i = 0; i < t->ndim; i++) any = any || t->stride[i] != 0;
  if (!any) tsr__strides_for(t->ndim, t->shape, TSR_ROW_MAJOR, t->stride);
  tsr__normalise(t);
}

/* ---- memory ---- */

tsr_status tsr__allocate(tsr_ctx *ctx, const char *op, const tsr_device *device, int hint, tsr_tensor *t) {
  tsr__extent extent;
  (void)tsr__extent_of(t->dtype, t->ndim, t->shape, t->stride, &extent); /* contiguous and checked: it fits */
  if (extent.high == extent.low) return TSR_OK;
  tsr_storage *storage;
  const tsr_status st = tsr__storage_make(ctx, op, device, (size_t)(extent.high - extent.low), hint, &storage);
  if (st != TSR_OK) return st;
  t->storage = storage;
  t->data = (uint8_t *)storage->data - extent.low;
  t->flags = TSR_OWNS;
  return TSR_OK;
}

tsr_status tsr_allocate(tsr_ctx *ctx, const tsr_device *device, int hint, tsr_tensor *t) {
  static const char op[] = "allocate";
  if (t == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "t", "is NULL");
  if (tsr_is_none(t)) return TSR__FAIL(ctx, TSR_ESTATE, op, "t", "is empty: describe it first");
  if (t->data != NULL) return TSR__FAIL(ctx, TSR_ESTATE, op, "t", "%t has data already", t);
  tsr_status st = tsr__check_desc(ctx, op, t->dtype, t->ndim, t->shape);
  if (st != TSR_OK) return st;
  tsr_tensor ready = *t;
  tsr__default_strides(&ready);
  if (!tsr_is_contiguous(&ready, TSR_MEMORY))
    return TSR__FAIL(ctx, TSR_ESTRIDE, op, "t", "%t: its strides %S leave gaps or overlap", t, (int)t->ndim, t->stride);
  st = tsr__allocate(ctx, op, device, hint, &ready);
  if (st == TSR_OK) *t = ready;
  return st;
}

static tsr_status wrap_memory(tsr_ctx *ctx, const char *op, void *data, int dtype, int ndim, const tsr_index *shape,
                              tsr_tensor *out) {
  tsr_tensor t = TSR_EMPTY; /* also between its fields: what is given out holds nothing of the stack */
  tsr_status st = describe_checked(ctx, op, dtype, ndim, shape, out != NULL ? &t : NULL);
  if (st != TSR_OK) return st;
  if (data == NULL && tsr_size(&t) > 0) return TSR__FAIL(ctx, TSR_EARG, op, "data", "is NULL");
  tsr__strides_for(ndim, t.shape, TSR_ROW_MAJOR, t.stride);
  t.data = data;
  st = tsr__check_given(ctx, op, "data", &t);
  if (st == TSR_OK) *out = t;
  return st;
}

tsr_status tsr_from_memory(tsr_ctx *ctx, void *data, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  return wrap_memory(ctx, "from_memory", data, dtype, ndim, shape, out);
}

tsr_status tsr_from_const_memory(tsr_ctx *ctx, const void *data, int dtype, int ndim, const tsr_index *shape,
                                 tsr_tensor *out) {
  const tsr_status st = wrap_memory(ctx, "from_const_memory", (void *)(uintptr_t)data, dtype, ndim, shape, out);
  if (st == TSR_OK) out->flags |= TSR_READONLY;
  return st;
}

tsr_status tsr__check_inside(tsr_ctx *ctx, const char *op, const tsr_tensor *t, uintptr_t low, uintptr_t high) {
  tsr__extent extent;
  if (!tsr__extent_of(t->dtype, t->ndim, t->shape, t->stride, &extent))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "stride", "%S and shape %S leave the address space", (int)t->ndim,
                     t->stride, (int)t->ndim, t->shape);
  const uintptr_t at = (uintptr_t)t->data;
  if (extent.high == extent.low) return TSR_OK;
  if (at < low || at > high || (uintptr_t)-extent.low > at - low || (uintptr_t)extent.high > high - at)
    return TSR__FAIL(ctx, TSR_ECAPACITY, op, "stride", "%S and shape %S leave the %z bytes of the storage",
                     (int)t->ndim, t->stride, (int)t->ndim, t->shape, (size_t)(high - low));
  return TSR_OK;
}

tsr_status tsr_from_storage(tsr_ctx *ctx, tsr_storage *storage, size_t offset, int dtype, int ndim,
                            const tsr_index *shape, const tsr_index *stride, tsr_tensor *out) {
  static const char op[] = "from_storage";
  tsr_tensor t = TSR_EMPTY; /* also between its fields: what is given out holds nothing of the stack */
  if (storage == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "storage", "is NULL");
  if (out != NULL && (out->flags & TSR_OWNS) != 0)
    return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "holds a count: release it first");
  tsr_status st = describe_checked(ctx, op, dtype, ndim, shape, out != NULL ? &t : NULL);
  if (st != TSR_OK) return st;
  if (offset > storage->bytes)
    return TSR__FAIL(ctx, TSR_ECAPACITY, op, "offset", "%z is past the %z bytes of the storage", offset,
                     storage->bytes);
  if (stride != NULL)
    for (int i = 0; i < ndim; i++) t.stride[i] = stride[i];
  else
    tsr__strides_for(ndim, t.shape, TSR_ROW_MAJOR, t.stride);
  tsr__normalise(&t);
  t.data = offset > 0 ? (uint8_t *)storage->data + offset : storage->data;
  st = tsr__check_inside(ctx, op, &t, (uintptr_t)storage->data, (uintptr_t)storage->data + storage->bytes);
  if (st == TSR_OK && tsr_size(&t) > 0) st = tsr__check_given(ctx, op, "offset", &t);
  if (st != TSR_OK) return st;
  t.storage = tsr_storage_share(storage);
  t.flags = TSR_OWNS;
  *out = t;
  return TSR_OK;
}

/* ---- counts ---- */

tsr_status tsr_share(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  static const char op[] = "share";
  if (in == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "in", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (tsr_is_none(in)) return TSR__FAIL(ctx, TSR_ESTATE, op, "in", "is empty");
  if (in->storage == NULL)
    return TSR__FAIL(ctx, TSR_ESTATE, op, "in", "%t is memory that its owner keeps: there is no count to share", in);
  if ((out->flags & TSR_OWNS) != 0) return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "holds a count: release it first");
  *out = *in;
  out->storage = tsr_storage_share(in->storage);
  out->flags = (uint8_t)(out->flags | TSR_OWNS);
  out->name = NULL;
  return TSR_OK;
}

tsr_tensor tsr_move(tsr_tensor *t) {
  const tsr_tensor moved = *t;
  memset(t, 0, sizeof *t);
  return moved;
}

/* ---- resize ---- */

size_t tsr_capacity(const tsr_tensor *t) {
  const bool whole = (t->flags & TSR_OWNS) != 0 && t->storage != NULL && t->data == t->storage->data;
  return whole ? t->storage->bytes : tsr_nbytes(t);
}

tsr_status tsr_reallocate(tsr_ctx *ctx, tsr_tensor *t, int ndim, const tsr_index *shape) {
  static const char op[] = "reallocate";
  if (t == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "t", "is NULL");
  if (t->dtype == TSR_NONE) return TSR__FAIL(ctx, TSR_ESTATE, op, "t", "is empty: it has no dtype");
  tsr_status st = tsr__check_desc(ctx, op, t->dtype, ndim, shape);
  if (st != TSR_OK) return st;
  tsr_tensor resized = *t;
  tsr__describe(t->dtype, ndim, shape, &resized);
  tsr__strides_for(ndim, resized.shape, TSR_ROW_MAJOR, resized.stride);
  if (t->data != NULL) {
    if (!tsr_is_contiguous(t, TSR_ROW_MAJOR)) return TSR__FAIL(ctx, TSR_ESTRIDE, op, "t", "%t is not contiguous", t);
    if (tsr_nbytes(&resized) > tsr_capacity(t))
      return TSR__FAIL(ctx, TSR_ECAPACITY, op, "shape", "%S needs %z bytes, the capacity is %z", ndim, shape,
                       tsr_nbytes(&resized), tsr_capacity(t));
  }
  const int block = tsr__layout_block(t->layout);
  const bool keeps_layout = ndim == t->ndim && (block == 0 || shape[ndim - 1] == block);
  resized.layout = keeps_layout ? t->layout : (uint8_t)TSR_PLAIN;
  resized.flags = t->flags;
  resized.data = t->data;
  resized.storage = t->storage;
  resized.name = t->name;
  *t = resized;
  return TSR_OK;
}
