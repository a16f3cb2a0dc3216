/* Tensors handed out: a block with the struct, its shape and strides, and a handle that keeps the storage. */
#include "core/check.h"
#include "core/device.h"
#include "core/scope.h"
#include "io/dlpack/types.h"

#include <tessera/memory.h>
#include <tessera/ops.h>

typedef struct handed {
  union {
    tsr_dl_managed plain;
    tsr_dl_managed_versioned versioned;
  } managed;
  tsr_tensor held;
  const tsr_allocator *allocator;
  int64_t shape[TSR_MAX_DIMS], stride[TSR_MAX_DIMS];
} handed;

static void end(handed *h) {
  tsr_release(&h->held);
  h->allocator->free(h->allocator->self, h, sizeof *h);
}

static void delete_plain(tsr_dl_managed *self) { end(self->manager_ctx); }
static void delete_versioned(tsr_dl_managed_versioned *self) { end(self->manager_ctx); }

/* A copy that no open scope of the context has. */
static tsr_status clone(tsr_ctx *ctx, const tsr_tensor *t, tsr_tensor *out) {
  struct tsr_scope *const scope = tsr__scope_pause(ctx);
  const tsr_status st = tsr_clone(ctx, t, out);
  tsr__scope_resume(ctx, scope);
  return st;
}

/* A handle with a count of its own. Nothing has to be kept alive for a tensor without elements. */
static tsr_status hold(tsr_ctx *ctx, const char *op, const tsr_tensor *t, bool copy, tsr_tensor *held) {
  if (copy) return clone(ctx, t, held);
  if (t->storage != NULL) return tsr_share(ctx, t, held);
  if (tsr_size(t) > 0)
    return TSR__FAIL(ctx, TSR_ESTATE, op, "t", "%t is memory that its owner keeps: only a copy can be handed out", t);
  *held = *t;
  held->flags &= (uint8_t)~TSR_OWNS;
  return TSR_OK;
}

/* Whether the device of t has a number in DLPack. */
static tsr_status check_device(tsr_ctx *ctx, const char *op, const tsr_tensor *t) {
#if TSR__HAVE_OFFLOAD
  const tsr_status st = tsr__check_given(ctx, op, "t", t);
  if (st != TSR_OK || TSR__DEVICE_HAS(tsr_device_of(t), queues)) return st;
#endif
  return tsr__check_input(ctx, op, "t", t);
}

/* Whoever is given the tensor comes after those who write it: its stream, or the host where that is not known. */
static tsr_status order(tsr_ctx *ctx, const char *op, const tsr_tensor *t, void *stream) {
#if TSR__HAVE_OFFLOAD
  void *const memory = tsr_storage_memory(t->storage);
  if (memory == NULL) return TSR_OK;
  const tsr_device *const device = tsr_device_of(t);
  const tsr_status st = device->queues->memory_order(device->self, tsr__ctx(ctx), memory, stream);
  return st == TSR_OK ? TSR_OK : tsr__fail_as(ctx, st, op);
#else
  (void)ctx, (void)op, (void)t, (void)stream;
  return TSR_OK;
#endif
}

static tsr_status hand_out(tsr_ctx *ctx, const char *op, const tsr_tensor *t, bool copy, void *stream, handed **out) {
  tsr_status st = check_device(ctx, op, t);
  if (st != TSR_OK) return st;
  const tsr_allocator *allocator = tsr__allocator(ctx);
  handed *h = allocator->alloc(allocator->self, sizeof *h, _Alignof(handed), TSR_HINT_DEFAULT);
  if (h == NULL) return TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory for %z bytes", sizeof *h);
  *h = (handed){.allocator = allocator};
  st = hold(ctx, op, t, copy, &h->held);
  if (st == TSR_OK) st = order(ctx, op, &h->held, stream);
  if (st != TSR_OK) {
    tsr_release(&h->held);
    allocator->free(allocator->self, h, sizeof *h);
    return st;
  }
  for (int i = 0; i < t->ndim; i++) {
    h->shape[i] = h->held.shape[i];
    h->stride[i] = h->held.stride[i];
  }
  *out = h;
  return TSR_OK;
}

static tsr_dl_device number_of(const tsr_device *device) {
#if TSR__HAVE_OFFLOAD
  if (!device->is_host) return (tsr_dl_device){.type = device->kind, .id = device->index};
#endif
  (void)device;
  return (tsr_dl_device){.type = TSR_DL_CPU};
}

static tsr_dl_tensor describe(handed *h) {
  return (tsr_dl_tensor){.data = h->held.data,
                         .device = number_of(tsr_device_of(&h->held)),
                         .ndim = h->held.ndim,
                         .dtype = tsr__dl_type(h->held.dtype),
                         .shape = h->shape,
                         .strides = h->stride};
}

static tsr_status export_versioned(tsr_ctx *ctx, const char *op, const tsr_tensor *t, bool copy, void *stream,
                                   tsr_dl_managed_versioned **out) {
  handed *h = NULL;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  const tsr_status st = hand_out(ctx, op, t, copy, stream, &h);
  if (st != TSR_OK) return st;
  const bool readonly = (h->held.flags & TSR_READONLY) != 0;
  h->managed.versioned =
      (tsr_dl_managed_versioned){.version = {TSR_DL_MAJOR, TSR_DL_MINOR},
                                 .manager_ctx = h,
                                 .deleter = delete_versioned,
                                 .flags = (readonly ? TSR_DL_FLAG_READONLY : 0u) | (copy ? TSR_DL_FLAG_COPIED : 0u),
                                 .dl_tensor = describe(h)};
  *out = &h->managed.versioned;
  return TSR_OK;
}

tsr_status tsr_dlpack_export(tsr_ctx *ctx, const tsr_tensor *t, bool copy, tsr_dl_managed_versioned **out) {
  return export_versioned(ctx, "dlpack_export", t, copy, NULL, out);
}

#if TSR_HAVE_OPS
tsr_status tsr_dlpack_export_to(tsr_ctx *ctx, const tsr_tensor *t, bool copy, void *stream,
                                tsr_dl_managed_versioned **out) {
  return export_versioned(ctx, "dlpack_export_to", t, copy, stream, out);
}
#endif

tsr_status tsr_dlpack_export_unversioned(tsr_ctx *ctx, const tsr_tensor *t, bool copy, tsr_dl_managed **out) {
  static const char op[] = "dlpack_export_unversioned";
  handed *h = NULL;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (t != NULL && (t->flags & TSR_READONLY) != 0 && !copy)
    return TSR__FAIL(ctx, TSR_EREADONLY, op, "t", "%t is read-only, which only the versioned form can say", t);
  const tsr_status st = hand_out(ctx, op, t, copy, NULL, &h);
  if (st != TSR_OK) return st;
  h->managed.plain = (tsr_dl_managed){.dl_tensor = describe(h), .manager_ctx = h, .deleter = delete_plain};
  *out = &h->managed.plain;
  return TSR_OK;
}
