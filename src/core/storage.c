/* Storage: counted owners of bytes. */
#include "core/storage.h"

#include "core/check.h"
#include "core/device.h"

size_t tsr_storage_header_size(void) { return TSR__STORAGE_HEADER; }

/* ---- counting ---- */

static void count_up(tsr_storage *s) {
#if TSR_HAVE_THREADS
  __atomic_fetch_add(&s->count, 1, __ATOMIC_RELAXED);
#else
  s->count++;
#endif
}

/* True for the one that gave the last count back. A sole owner needs no atomic change: nobody else can be counting. */
static bool count_down(tsr_storage *s) {
#if TSR_HAVE_THREADS
  if (__atomic_load_n(&s->count, __ATOMIC_ACQUIRE) == 1) return true;
  return __atomic_fetch_sub(&s->count, 1, __ATOMIC_ACQ_REL) == 1;
#else
  return --s->count == 0;
#endif
}

/* ---- making ---- */

tsr_status tsr__no_memory(tsr_ctx *ctx, const char *op, size_t bytes) {
  return TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory for %z bytes", bytes);
}

/* The device's memory for s. */
static tsr_status take_device_memory(tsr_ctx *ctx, const char *op, const tsr_device *device, int hint, tsr_storage *s) {
  const size_t bytes = s->bytes > 0 ? s->bytes : 1;
#if TSR__HAVE_OFFLOAD
  if (TSR__DEVICE_HAS(device, queues)) {
    tsr_queue *queue;
    s->kind = TSR__STORAGE_QUEUED;
    tsr_status st = tsr__device_queue(ctx, op, device, &queue);
    if (st != TSR_OK) return st;
    st = device->queues->memory_new(device->self, tsr__ctx(ctx), queue, bytes, &s->data, &s->owner.memory);
    return st == TSR_OK ? TSR_OK : tsr__fail_as(ctx, st, op);
  }
#endif
  s->kind = TSR__STORAGE_DEVICE;
  const tsr_status st = device->alloc(device->self, bytes, TSR_DATA_ALIGN, hint, &s->data);
  if (st == TSR_OK) return TSR_OK;
  return TSR__FAIL(ctx, st, op, NULL, "%s has no memory for %z bytes", device->name, s->bytes);
}

TSR__COLD static tsr_status new_on_device(tsr_ctx *ctx, const char *op, const tsr_device *device, size_t bytes,
                                          int hint, tsr_storage **out) {
  tsr_storage *const s = tsr__storage_block(tsr__allocator(ctx), 0, TSR_HINT_DEFAULT);
  if (s == NULL) return tsr__no_memory(ctx, op, TSR__STORAGE_HEADER);
  s->device = device;
  s->bytes = bytes;
  const tsr_status st = take_device_memory(ctx, op, device, hint, s);
  if (st != TSR_OK) {
    s->allocator->free(s->allocator->self, s, s->block);
    return st;
  }
  *out = s;
  return TSR_OK;
}

tsr_status tsr__storage_make(tsr_ctx *ctx, const char *op, const tsr_device *device, size_t bytes, int hint,
                             tsr_storage **out) {
  if (device != NULL && device != &tsr__cpu) return new_on_device(ctx, op, device, bytes, hint, out);
  tsr_storage *const s = tsr__storage_block(tsr__allocator(ctx), bytes, hint);
  if (s == NULL) return tsr__no_memory(ctx, op, bytes);
  *out = s;
  return TSR_OK;
}

tsr_status tsr_storage_new(tsr_ctx *ctx, const tsr_device *device, size_t bytes, int hint, tsr_storage **out) {
  static const char op[] = "storage_new";
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  return tsr__storage_make(ctx, op, device, bytes, hint, out);
}

tsr_status tsr_storage_wrap(tsr_ctx *ctx, const tsr_device *device, void *data, size_t bytes, tsr_release_fn *release,
                            void *user, tsr_storage **out) {
  static const char op[] = "storage_wrap";
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (data == NULL && bytes > 0) return TSR__FAIL(ctx, TSR_EARG, op, "data", "is NULL with %z bytes", bytes);
  tsr_storage *const s = tsr__storage_block(tsr__allocator(ctx), 0, TSR_HINT_DEFAULT);
  if (s == NULL) return tsr__no_memory(ctx, op, TSR__STORAGE_HEADER);
  s->kind = TSR__STORAGE_WRAPPED;
  if (device != NULL) s->device = device;
  s->data = data;
  s->bytes = bytes;
  s->owner.wrapped.release = release;
  s->owner.wrapped.user = user;
#if TSR__HAVE_OFFLOAD
  if (bytes > 0 && TSR__DEVICE_HAS(s->device, queues)) {
    s->kind = TSR__STORAGE_QUEUED;
    const tsr_status st =
        s->device->queues->memory_adopt(s->device->self, tsr__ctx(ctx), data, bytes, release, user, &s->owner.memory);
    if (st != TSR_OK) {
      s->allocator->free(s->allocator->self, s, s->block);
      return tsr__fail_as(ctx, st, op);
    }
  }
#endif
  *out = s;
  return TSR_OK;
}

tsr_status tsr_storage_sub(tsr_ctx *ctx, tsr_storage *parent, size_t offset, size_t bytes, tsr_storage **out) {
  static const char op[] = "storage_sub";
  if (parent == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "parent", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (offset > parent->bytes || bytes > parent->bytes - offset)
    return TSR__FAIL(ctx, TSR_ECAPACITY, op, "offset", "%z and %z bytes leave a storage of %z", offset, bytes,
                     parent->bytes);
  tsr_storage *const s = tsr__storage_block(tsr__allocator(ctx), 0, TSR_HINT_DEFAULT);
  if (s == NULL) return tsr__no_memory(ctx, op, TSR__STORAGE_HEADER);
  s->kind = TSR__STORAGE_SUB;
  s->device = parent->device;
  s->data = offset > 0 ? (uint8_t *)parent->data + offset : parent->data;
  s->bytes = bytes;
  s->owner.parent = tsr_storage_share(parent);
  *out = s;
  return TSR_OK;
}

/* ---- sharing and ending ---- */

tsr_storage *tsr_storage_share(tsr_storage *storage) {
  count_up(storage);
  return storage;
}

/* Ends what is not a plain block; returns the parent, whose count it held, or NULL. */
__attribute__((noinline)) static tsr_storage *end_special(const tsr_storage *s) {
  tsr_storage *parent = NULL;
  switch (s->kind) {
    case TSR__STORAGE_DEVICE: s->device->free(s->device->self, s->data, s->bytes > 0 ? s->bytes : 1); break;
    case TSR__STORAGE_WRAPPED:
      if (s->owner.wrapped.release != NULL) s->owner.wrapped.release(s->owner.wrapped.user, s->data, s->bytes);
      break;
    case TSR__STORAGE_SUB: parent = s->owner.parent; break;
#if TSR__HAVE_OFFLOAD
    case TSR__STORAGE_QUEUED: s->device->queues->memory_free(s->device->self, s->owner.memory); break;
#endif
    default: break;
  }
  return parent;
}

/* Ends a storage whose last count is gone; returns the parent, whose count it held, or NULL. */
static tsr_storage *destroy(tsr_storage *s) {
  tsr_storage *const parent = s->kind != TSR__STORAGE_BLOCK ? end_special(s) : NULL;
#if defined(TSR_CHECKED)
  for (size_t i = TSR__STORAGE_HEADER; i < s->block; i++) ((uint8_t *)s)[i] = 0xdb; /* a later read is conspicuous */
#endif
  s->allocator->free(s->allocator->self, s, s->block);
  return parent;
}

void tsr_storage_release(tsr_storage *storage) {
  while (storage != NULL && count_down(storage)) storage = destroy(storage);
}

/* Clears what was in use: all of the struct would cost as much as the rest of a small tensor's life. */
void TSR_ABI(tsr_release)(tsr_tensor *t) {
  if (t == NULL) return;
  if ((t->flags & TSR_OWNS) != 0) tsr_storage_release(t->storage);
  for (int i = 0; i < t->ndim && i < TSR_MAX_DIMS; i++) t->shape[i] = t->stride[i] = 0;
  t->dtype = TSR_NONE;
  t->layout = TSR_PLAIN;
  t->ndim = 0;
  t->flags = 0;
  t->data = NULL;
  t->storage = NULL;
  t->name = NULL;
}

/* In brackets: the function, not the macro of that name. */
void(tsr_release)(tsr_tensor *t) { TSR_ABI(tsr_release)(t); }

int tsr_storage_count(const tsr_storage *storage) {
#if TSR_HAVE_THREADS
  return __atomic_load_n(&storage->count, __ATOMIC_RELAXED);
#else
  return storage->count;
#endif
}

size_t tsr_storage_bytes(const tsr_storage *storage) { return storage->bytes; }
void *tsr_storage_data(const tsr_storage *storage) { return storage->data; }
const tsr_device *tsr_storage_device(const tsr_storage *storage) { return storage->device; }

#if TSR__HAVE_OFFLOAD
void *tsr_storage_memory(const tsr_storage *storage) {
  while (storage != NULL && storage->kind == TSR__STORAGE_SUB) storage = storage->owner.parent;
  return storage != NULL && storage->kind == TSR__STORAGE_QUEUED ? storage->owner.memory : NULL;
}
#endif
