/* Outputs: empty ones are allocated, described ones are allocated as described, given ones are checked. */
#include "core/normalise.h"
#include "core/check.h"
#include "core/storage.h"
#include "core/tensor.h"

static tsr_status check_described(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *out) {
  tsr_tensor t = *out;
  tsr__default_strides(&t);
  if (tsr_is_contiguous(&t, TSR_MEMORY)) return TSR_OK;
  return TSR__FAIL(ctx, TSR_ESTRIDE, op, arg, "%t: its described strides %S leave gaps or overlap", out, (int)out->ndim,
                   out->stride);
}

static tsr_status check_writable(tsr_ctx *ctx, const char *op, const char *arg, const tsr_device *device,
                                 const tsr_tensor *out) {
  if (tsr__writable_packed(out)) return TSR_OK;
  const tsr_status st = device == NULL ? tsr__check_input(ctx, op, arg, out) : tsr__check_given(ctx, op, arg, out);
  if (st != TSR_OK) return st;
  if ((out->flags & TSR_READONLY) != 0) return TSR__FAIL(ctx, TSR_EREADONLY, op, arg, "%t is read-only", out);
  if (tsr__self_overlaps(out))
    return TSR__FAIL(ctx, TSR_EOVERLAP, op, arg, "%t: its strides %S put two indices on one address", out,
                     (int)out->ndim, out->stride);
  return TSR_OK;
}

static TSR__COLD tsr_status refuse_output(tsr_ctx *ctx, tsr_status st, const char *op, const char *arg,
                                          const tsr__result *result, const tsr_tensor *out) {
  tsr_tensor want;
  if (TSR_HAVE_TEXT) tsr__describe(result->dtype, result->ndim, result->shape, &want);
  return TSR__FAIL(ctx, st, op, arg, "is %t, the result is %t", out, &want);
}

static bool has_shape_of(const tsr_tensor *out, const tsr__result *result) {
  if (out->ndim != result->ndim) return false;
  for (int i = 0; i < out->ndim; i++)
    if (out->shape[i] != result->shape[i]) return false;
  return true;
}

bool tsr__is_usual_output(const tsr__result *result, const tsr_tensor *out) {
  return result->dtype == out->dtype && tsr__writable_packed(out) && has_shape_of(out, result);
}

/* The bytes of a result; false when something is wrong with it, and tsr__check_desc says what. Inline, because a small
 * tensor is made in little more time. */
#if TSR_HAVE_MALLOC
__attribute__((always_inline)) static inline
#else
__attribute__((noinline)) static
#endif
    bool
    result_bytes(const tsr__result *result, size_t *bytes) {
  const int ndim = result->ndim;
  const size_t item = (unsigned)result->dtype < 32u ? tsr__item_sizes[result->dtype] : 0;
  if (item == 0 || ndim < 0 || ndim > TSR_MAX_DIMS || (ndim > 0 && result->shape == NULL)) return false;
  tsr_index size = 1;
  bool none = false;
  for (int i = 0; i < ndim; i++) {
    const tsr_index length = result->shape[i];
    if (length < 0 || !tsr__mul_index(size, length + (length == 0), &size)) return false;
    none = none || length == 0;
  }
  ptrdiff_t total;
  if (__builtin_mul_overflow(none ? 0 : size, (ptrdiff_t)item, &total)) return false;
  *bytes = (size_t)total;
  return true;
}

tsr_status tsr__output_check_on(tsr_ctx *ctx, const char *op, const char *arg, const tsr_device *device,
                                const tsr__result *result, const tsr_tensor *out) {
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, arg, "is NULL");
  if (TSR_HAVE_MALLOC && tsr__is_usual_output(result, out)) return TSR_OK; /* elsewhere flash is dearer than time */
  size_t bytes;
  const bool fits = result_bytes(result, &bytes);
  const tsr_status st = fits ? TSR_OK : tsr__check_desc(ctx, op, result->dtype, result->ndim, result->shape);
  if (st != TSR_OK || tsr_is_none(out)) return st;
  if (out->dtype != result->dtype) return refuse_output(ctx, TSR_EDTYPE, op, arg, result, out);
  if (!has_shape_of(out, result)) return refuse_output(ctx, TSR_ESHAPE, op, arg, result, out);
  if (out->data != NULL || tsr_size(out) == 0) return check_writable(ctx, op, arg, device, out);
  return check_described(ctx, op, arg, out);
}

tsr_status tsr__output_check(tsr_ctx *ctx, const char *op, const tsr__result *result, const tsr_tensor *out) {
  return tsr__output_check_on(ctx, op, "out", NULL, result, out);
}

/* Field by field into *out, which is empty: a struct that is built elsewhere and copied over waits for its own stores, and
 * small tensors are made often. */
static void write_fresh(const tsr__result *result, tsr_storage *storage, tsr_tensor *out) {
  tsr_index next = 1;
  out->dtype = (uint8_t)result->dtype;
  out->layout = (uint8_t)result->layout;
  out->ndim = (uint8_t)result->ndim;
  out->flags = storage != NULL ? TSR_OWNS : 0;
  for (int i = 0; i < TSR_MAX_DIMS; i++) out->shape[i] = 1;
  for (int i = 0; i < TSR_MAX_DIMS; i++) out->stride[i] = 0;
  for (int i = result->ndim - 1; i >= 0; i--) {
    const tsr_index length = result->shape[i];
    out->shape[i] = length;
    out->stride[i] = next;
    next *= length + (length == 0);
  }
  out->data = storage != NULL ? storage->data : NULL;
  out->storage = storage;
  out->name = NULL;
}

/* The order of axes of the tensor that the result is to be like. */
static void order_like(const tsr__result *result, tsr_tensor *out) {
  int axes[TSR_MAX_DIMS];
  if (result->like == NULL || result->like->ndim != result->ndim) return;
  tsr__axes_by_stride(result->like, axes);
  tsr__strides_permuted(out, axes);
}

/* The lengths beside a 0 may be any, and so the strides that they give. */
static TSR__COLD tsr_status write_empty(const tsr__result *result, tsr_tensor *out) {
  write_fresh(result, NULL, out);
  order_like(result, out);
  tsr__normalise(out);
  return TSR_OK;
}

/* Not inlined: the two ways through tsr__output stay jumps that save no registers for each other. */
__attribute__((noinline)) tsr_status tsr__output_fresh(tsr_ctx *ctx, const char *op, const tsr__result *result,
                                                       tsr_tensor *out) {
  size_t bytes;
  if (!result_bytes(result, &bytes)) return tsr__check_desc(ctx, op, result->dtype, result->ndim, result->shape);
  if (bytes == 0) return write_empty(result, out);
  tsr_storage *const storage = tsr__storage_block(tsr__allocator(ctx), bytes, TSR_HINT_DEFAULT);
  if (storage == NULL) return tsr__no_memory(ctx, op, bytes);
  write_fresh(result, storage, out);
  order_like(result, out);
  return TSR_OK;
}

static tsr_status allocate_described(tsr_ctx *ctx, const char *op, const tsr_device *device, tsr_tensor *out) {
  tsr_tensor ready = *out;
  tsr__default_strides(&ready);
  const tsr_status st = tsr__allocate(ctx, op, device, TSR_HINT_DEFAULT, &ready);
  if (st == TSR_OK) *out = ready;
  return st;
}

__attribute__((noinline)) static tsr_status use_given(tsr_ctx *ctx, const char *op, const tsr__result *result,
                                                      tsr_tensor *out) {
  const tsr_status st = tsr__output_check(ctx, op, result, out);
  if (st != TSR_OK || out->data != NULL || tsr_size(out) == 0) return st;
  return allocate_described(ctx, op, NULL, out);
}

tsr_status tsr__output(tsr_ctx *ctx, const char *op, const tsr__result *result, tsr_tensor *out) {
  if (out != NULL && out->dtype == TSR_NONE && out->data == NULL) return tsr__output_fresh(ctx, op, result, out);
  return use_given(ctx, op, result, out);
}

void tsr__output_describe(const tsr__result *result, const tsr_tensor *out, tsr_tensor *described) {
  *described = *out;
  if (out->dtype == TSR_NONE) {
    write_fresh(result, NULL, described);
    order_like(result, described);
  } else if (out->data == NULL) {
    tsr__default_strides(described);
  }
}

/* A fresh output on a device: described first. */
static TSR__COLD tsr_status allocate_on(tsr_ctx *ctx, const char *op, const tsr_device *device,
                                        const tsr__result *result, tsr_tensor *out) {
  tsr_tensor fresh;
  if (out->dtype != TSR_NONE) return allocate_described(ctx, op, device, out);
  tsr__output_describe(result, out, &fresh); /* whole, with its padding: no byte of this stack reaches the caller */
  if (tsr__has_no_elements(&fresh)) return write_empty(result, out);
  const tsr_status st = tsr__allocate(ctx, op, device, TSR_HINT_DEFAULT, &fresh);
  if (st == TSR_OK) *out = fresh;
  return st;
}

tsr_status tsr__output_on(tsr_ctx *ctx, const char *op, const tsr_device *device, const tsr__result *result,
                          tsr_tensor *out) {
  if (device != NULL) return allocate_on(ctx, op, device, result, out);
  if (out->dtype == TSR_NONE) return tsr__output_fresh(ctx, op, result, out);
  return out->data == NULL && !tsr__has_no_elements(out) ? allocate_described(ctx, op, NULL, out) : TSR_OK;
}
