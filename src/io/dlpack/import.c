/* Tensors taken over: all that they say is checked before it is used, and their deleter runs once whatever happens. */
#include "core/check.h"
#include "core/tensor.h"
#include "core/text.h"
#include "io/dlpack/types.h"

#include <tessera/device.h>

/* ---- the end ---- */

static void end_plain(void *user, void *data, size_t bytes) {
  tsr_dl_managed *m = user;
  (void)data, (void)bytes;
  if (m->deleter != NULL) m->deleter(m);
}

static void end_versioned(void *user, void *data, size_t bytes) {
  tsr_dl_managed_versioned *m = user;
  (void)data, (void)bytes;
  if (m->deleter != NULL) m->deleter(m);
}

/* ---- what it says ---- */

#define REFUSE(code, ...) TSR__FAIL(ctx, code, op, "managed", __VA_ARGS__)

static tsr_status read_shape(tsr_ctx *ctx, const char *op, const tsr_dl_tensor *d, tsr_tensor *t) {
  tsr_index shape[TSR_MAX_DIMS];
  if (d->ndim < 0 || d->ndim > TSR_MAX_DIMS)
    return REFUSE(TSR_ESHAPE, "rank %d is not 0 to %d", (int)d->ndim, TSR_MAX_DIMS);
  if (d->shape == NULL && d->ndim > 0) return REFUSE(TSR_EARG, "rank %d without a shape", (int)d->ndim);
  for (int i = 0; i < d->ndim; i++) {
    const int64_t n = d->shape[i]; /* once: what is checked is what is used */
    shape[i] = (tsr_index)n;
    if (shape[i] != n) return REFUSE(TSR_EOVERFLOW, "axis %d has %l elements: too many", i, n);
  }
  const tsr_status st = tsr__check_desc(ctx, op, t->dtype, d->ndim, shape);
  if (st == TSR_OK) tsr__describe(t->dtype, d->ndim, shape, t);
  return st;
}

static tsr_status read_strides(tsr_ctx *ctx, const char *op, const tsr_dl_tensor *d, tsr_tensor *t) {
  if (d->strides == NULL || tsr_size(t) == 0) { /* without elements they may be anything */
    tsr__strides_for(t->ndim, t->shape, TSR_ROW_MAJOR, t->stride);
    return TSR_OK;
  }
  for (int i = 0; i < t->ndim; i++) {
    const int64_t stride = d->strides[i];
    t->stride[i] = (tsr_index)stride;
    if (t->stride[i] != stride) return REFUSE(TSR_EOVERFLOW, "axis %d has stride %l: too large", i, stride);
  }
  return TSR_OK;
}

/* The device that it is on; NULL: the host. */
static tsr_status find_device(tsr_ctx *ctx, const char *op, const tsr_dl_tensor *d, const tsr_device **device) {
  *device = NULL;
  if (d->device.type == TSR_DL_CPU) return TSR_OK;
#if TSR_HAVE_OPS
  if (d->device.type == TSR_DL_CUDA && d->device.id >= 0) {
    char name[24];
    tsr__text text;
    tsr__text_init(&text, name, sizeof name);
    tsr__text_format(&text, "cuda:%d", (int)d->device.id);
    const tsr_status st = tsr_device_open(ctx, name, device);
    return st == TSR_OK ? TSR_OK : tsr__fail_as(ctx, st, op);
  }
#endif
  return REFUSE(TSR_EDEVICE, "device type %d, number %d, is neither the CPU (1) nor a GPU of CUDA (2)",
                (int)d->device.type, (int)d->device.id);
}

static tsr_status read_tensor(tsr_ctx *ctx, const char *op, const tsr_dl_tensor *d, tsr_tensor *t) {
  t->dtype = (uint8_t)tsr__dl_dtype(&d->dtype);
  if (t->dtype == TSR_NONE)
    return REFUSE(TSR_EDTYPE, "type code %d of %d bits and %d lanes is no dtype", (int)d->dtype.code,
                  (int)d->dtype.bits, (int)d->dtype.lanes);
  const tsr_status st = read_shape(ctx, op, d, t);
  return st == TSR_OK ? read_strides(ctx, op, d, t) : st;
}

/* The bytes that the elements span, and where the first of them is in those. */
typedef struct span {
  char *low;
  size_t bytes, first;
} span;

static tsr_status find_span(tsr_ctx *ctx, const char *op, const tsr_dl_tensor *d, const tsr_tensor *t, span *s) {
  tsr__extent extent;
  uintptr_t first, low, high;
  *s = (span){0};
  if (tsr_size(t) == 0) return TSR_OK; /* its pointer may be anything */
  if (d->data == NULL) return REFUSE(TSR_EARG, "%t without data", t);
  if (!tsr__extent_of(t->dtype, t->ndim, t->shape, t->stride, &extent))
    return REFUSE(TSR_EOVERFLOW, "the strides of %t leave the address space", t);
  const uintptr_t below = (uintptr_t)0 - (uintptr_t)extent.low;
  if (d->byte_offset > PTRDIFF_MAX || __builtin_add_overflow((uintptr_t)d->data, (uintptr_t)d->byte_offset, &first) ||
      __builtin_sub_overflow(first, below, &low) || __builtin_add_overflow(first, (uintptr_t)extent.high, &high) ||
      low == 0)
    return REFUSE(TSR_EOVERFLOW, "the bytes of %t leave the address space", t);
  if (first % tsr_dtype_describe(t->dtype)->align != 0)
    return REFUSE(TSR_EALIGN, "the data of %t is not aligned to its item size", t);
  *s = (span){.low = (char *)low, .bytes = high - low, .first = below};
  return TSR_OK;
}

/* ---- both forms ---- */

/* One that is taken over. release calls its deleter. */
typedef struct taking {
  const tsr_dl_tensor *tensor;
  const tsr_device *device; /* NULL: the host */
  tsr_release_fn *release;
  void *user;
} taking;

static tsr_status make(tsr_ctx *ctx, const char *op, const taking *k, const tsr_tensor *t, const span *s,
                       tsr_tensor *out) {
  tsr_storage *storage = NULL;
  tsr_status st = tsr_storage_wrap(ctx, k->device, s->low, s->bytes, k->release, k->user, &storage);
  if (st != TSR_OK) {
    k->release(k->user, NULL, 0);
    return TSR__FAIL(ctx, st, op, NULL, "no memory to keep it with");
  }
  st = tsr_from_storage(ctx, storage, s->first, t->dtype, t->ndim, t->shape, t->stride, out);
  tsr_storage_release(storage); /* the last count, and with it the deleter, when that failed */
  return st;
}

static tsr_status take(tsr_ctx *ctx, const char *op, taking *k, tsr_tensor *out) {
  const tsr_dl_tensor d = *k->tensor; /* whoever has the struct may still write to it */
  tsr_tensor t = {0}, made = {0};
  span s = {0};
  tsr_status st = TSR_OK;
  if (out == NULL)
    st = TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  else if ((out->flags & TSR_OWNS) != 0)
    st = TSR__FAIL(ctx, TSR_ESTATE, op, "out", "holds a count: release it first");
  if (st == TSR_OK) st = find_device(ctx, op, &d, &k->device);
  if (st == TSR_OK) st = read_tensor(ctx, op, &d, &t);
  if (st == TSR_OK) st = find_span(ctx, op, &d, &t, &s);
  if (st != TSR_OK) {
    k->release(k->user, NULL, 0);
    return st;
  }
  st = make(ctx, op, k, &t, &s, &made);
  if (st == TSR_OK) *out = made;
  return st;
}

tsr_status tsr_dlpack_import(tsr_ctx *ctx, tsr_dl_managed_versioned *managed, tsr_tensor *out) {
  static const char op[] = "dlpack_import";
  if (managed == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "managed", "is NULL");
  if (managed->version.major != TSR_DL_MAJOR) {
    const tsr_status st = REFUSE(TSR_EUNSUPPORTED, "version %l is not 1", (int64_t)managed->version.major);
    end_versioned(managed, NULL, 0); /* nothing else of it can be understood */
    return st;
  }
  const bool readonly = (managed->flags & TSR_DL_FLAG_READONLY) != 0;
  taking k = {.tensor = &managed->dl_tensor, .release = end_versioned, .user = managed};
  const tsr_status st = take(ctx, op, &k, out);
  if (st == TSR_OK && readonly) out->flags |= TSR_READONLY;
  return st;
}

tsr_status tsr_dlpack_import_unversioned(tsr_ctx *ctx, tsr_dl_managed *managed, tsr_tensor *out) {
  static const char op[] = "dlpack_import_unversioned";
  if (managed == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "managed", "is NULL");
  taking k = {.tensor = &managed->dl_tensor, .release = end_plain, .user = managed};
  return take(ctx, op, &k, out);
}
