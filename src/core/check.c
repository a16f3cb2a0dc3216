/* What every function asks of its arguments. */
#include "core/check.h"

#include "core/storage.h"

tsr_status tsr__check_dtype(tsr_ctx *ctx, const char *op, const char *arg, int dtype) {
  if (tsr_dtype_size(dtype) != 0) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EDTYPE, op, arg, "%d is not a dtype", dtype);
}

tsr_status tsr__check_shape(tsr_ctx *ctx, const char *op, const char *arg, int ndim, const tsr_index *shape,
                            tsr_index *size) {
  if (ndim < 0 || ndim > TSR_MAX_DIMS)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, arg, "has rank %d, which is not 0 to %d", ndim, TSR_MAX_DIMS);
  if (ndim > 0 && shape == NULL) return TSR__FAIL(ctx, TSR_EARG, op, arg, "is NULL");
  tsr_index product = 1; /* 0 counted as 1, so that strides of zero-size tensors fit too */
  bool fits = true, zero = false;
  for (int i = 0; i < ndim; i++) {
    if (shape[i] < 0) return TSR__FAIL(ctx, TSR_ESHAPE, op, arg, "%S: axis %d is negative", ndim, shape, i);
    if (shape[i] == 0)
      zero = true;
    else if (!tsr__mul_index(product, shape[i], &product))
      fits = false;
  }
  if (!fits)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, arg, "%S has more than %l elements", ndim, shape, (int64_t)TSR_INDEX_MAX);
  if (size != NULL) *size = zero ? 0 : product;
  return TSR_OK;
}

/* An address that suits the item size suits its alignment. */
bool tsr__is_given_packed(const tsr_tensor *t) {
  if (t == NULL || t->dtype >= TSR_DTYPE_COUNT || t->ndim > TSR_MAX_DIMS || t->data == NULL) return false;
  const ptrdiff_t item = tsr__item(t);
  ptrdiff_t bytes;
  return ((uintptr_t)t->data & ((uintptr_t)item - 1)) == 0 &&
         !__builtin_mul_overflow(tsr__packed_size(t, t->ndim), item, &bytes) && bytes > 0;
}

bool tsr__writable_packed(const tsr_tensor *t) {
  return tsr__is_given_packed(t) && (t->flags & TSR_READONLY) == 0 &&
         (t->storage == NULL || t->storage->device->is_host);
}

tsr_status tsr__check_given(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t) {
  if (tsr__is_given_packed(t)) return TSR_OK;
  return tsr__check_strided(ctx, op, arg, t);
}

tsr_status tsr__check_strided(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t) {
  if (t == NULL) return TSR__FAIL(ctx, TSR_EARG, op, arg, "is NULL");
  if (t->dtype == TSR_NONE) return TSR__FAIL(ctx, TSR_ESTATE, op, arg, "is empty");
  tsr_status st = tsr__check_dtype(ctx, op, arg, t->dtype);
  tsr_index size;
  if (st == TSR_OK) st = tsr__check_shape(ctx, op, arg, t->ndim, t->shape, &size);
  if (st != TSR_OK || size == 0) return st;
  if (t->data == NULL) return TSR__FAIL(ctx, TSR_ESTATE, op, arg, "%t is described but has no data", t);
  const size_t align = tsr__dtype_align(t->dtype);
  if (((uintptr_t)t->data & (align - 1)) != 0)
    return TSR__FAIL(ctx, TSR_EALIGN, op, arg, "%t: its data is not aligned to %z bytes", t, align);
  tsr__extent extent;
  if (!tsr__extent_of(t->dtype, t->ndim, t->shape, t->stride, &extent))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, arg, "%t: its strides %S leave the address space", t, (int)t->ndim,
                     t->stride);
  return TSR_OK;
}

tsr_status tsr__check_input(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t) {
  const tsr_status st = tsr__check_given(ctx, op, arg, t);
  if (st != TSR_OK) return st;
  const tsr_device *const device = tsr_device_of(t);
  if (device->is_host) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EDEVICE, op, arg, "%t is on %s; copy it to the host first", t, device->name);
}

tsr_status tsr__refuse_axis(tsr_ctx *ctx, const char *op, const char *arg, int axis, int limit) {
  return TSR__FAIL(ctx, TSR_EAXIS, op, arg, "%d is out of range for rank %d", axis, limit);
}

tsr_status tsr__refuse_axes(tsr_ctx *ctx, const char *op, const tsr_tensor *t, int naxes, const int *axes) {
  if (naxes < 0) return TSR__FAIL(ctx, TSR_EARG, op, "naxes", "is %d", naxes);
  if (axes == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "axes", "is NULL for %d axes", naxes);
  uint32_t seen = 0;
  int axis = 0;
  for (int i = 0; i < naxes; i++) {
    const tsr_status st = tsr__check_axis(ctx, op, "axis", axes[i], t->ndim, &axis);
    if (st != TSR_OK) return st;
    if ((seen >> axis & 1) != 0) break;
    seen |= (uint32_t)1 << axis;
  }
  return TSR__FAIL(ctx, TSR_EAXIS, op, "axes", "name axis %d of %t twice", axis, t);
}
