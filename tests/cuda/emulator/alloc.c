#define _GNU_SOURCE
#include <string.h>

#include "memory.h"
#include "stream.h"

static void *address(CUdeviceptr p) { return (void *)(uintptr_t)p; }

EXPORT CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total) {
  ENTER_CONTEXT(c);
  const device *const d = &emulator.device[c->device];
  *free_bytes = d->capacity > d->live ? d->capacity - d->live : 0;
  *total = d->capacity;
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *made, size_t bytes) {
  ENTER_CONTEXT(c);
  char *data = NULL;
  if (disturbs_capture(NULL)) return leave(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  const CUresult result = memory_alloc(c->device, bytes, &data);
  if (result == CUDA_SUCCESS) *made = (CUdeviceptr)(uintptr_t)data;
  return leave(result);
}

/* As the real one it waits for all that was queued before. */
EXPORT CUresult cuMemFree_v2(CUdeviceptr p) {
  ENTER_CONTEXT(c);
  if (p == 0) return leave(CUDA_SUCCESS);
  if (disturbs_capture(NULL)) return leave(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  streams_drain(c);
  return leave(memory_free(c->device, address(p)));
}

/* ---- in the order of a stream ---- */

typedef struct free_operation {
  operation op;
  void *data;
  int device;
} free_operation;

static CUresult run_free(operation *op) {
  const free_operation *const f = (const free_operation *)(const void *)op;
  pthread_mutex_lock(&emulator.lock);
  const CUresult result = memory_free(f->device, f->data);
  pthread_mutex_unlock(&emulator.lock);
  return result;
}

EXPORT CUresult cuMemAllocAsync(CUdeviceptr *made, size_t bytes, CUstream handle) {
  ENTER_CONTEXT(c);
  char *data = NULL;
  const struct stream *const s = stream_of(handle);
  if (s == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  if (s->graph != NULL) return leave(CUDA_ERROR_NOT_SUPPORTED);
  const CUresult result = memory_alloc(c->device, bytes, &data);
  if (result == CUDA_SUCCESS) *made = (CUdeviceptr)(uintptr_t)data;
  return leave(result);
}

EXPORT CUresult cuMemFreeAsync(CUdeviceptr p, CUstream handle) {
  ENTER_CONTEXT(c);
  struct stream *const s = stream_of(handle);
  if (s == NULL) return leave(CUDA_ERROR_INVALID_HANDLE);
  if (p == 0) return leave(CUDA_SUCCESS);
  if (s->graph != NULL) return leave(CUDA_ERROR_NOT_SUPPORTED);
  if (memory_find(address(p), 1) == NULL) return leave(CUDA_ERROR_INVALID_VALUE);
  free_operation *const f = (free_operation *)(void *)operation_new(sizeof *f, run_free, true);
  f->data = address(p);
  f->device = c->device;
  (void)stream_put(s, &f->op);
  return leave(CUDA_SUCCESS);
}

/* ---- memory of the host that devices reach ---- */

EXPORT CUresult cuMemHostAlloc(void **made, size_t bytes, unsigned flags) {
  ENTER_CONTEXT(c);
  char *data = NULL;
  (void)flags;
  if (disturbs_capture(NULL)) return leave(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
  const CUresult result = memory_alloc(-1, bytes, &data);
  if (result == CUDA_SUCCESS) *made = data;
  return leave(result);
}

EXPORT CUresult cuMemAllocHost_v2(void **made, size_t bytes) { return cuMemHostAlloc(made, bytes, 0); }

EXPORT CUresult cuMemFreeHost(void *data) {
  ENTER_CONTEXT(c);
  if (data == NULL) return leave(CUDA_SUCCESS);
  streams_drain(c);
  return leave(memory_free(-1, data));
}

EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *found, void *data, unsigned flags) {
  ENTER_CONTEXT(c);
  const range *const r = memory_find(data, 1);
  if (r == NULL || r->device >= 0 || flags != 0) return leave(CUDA_ERROR_INVALID_VALUE);
  *found = (CUdeviceptr)(uintptr_t)data;
  return leave(CUDA_SUCCESS);
}

EXPORT CUresult cuMemHostRegister_v2(void *data, size_t bytes, unsigned flags) {
  ENTER_CONTEXT(c);
  (void)flags;
  return leave(memory_register(data, bytes, true));
}

EXPORT CUresult cuMemHostUnregister(void *data) {
  ENTER_CONTEXT(c);
  streams_drain(c);
  return leave(memory_register(data, 0, false));
}

/* ---- what lies at an address ---- */

EXPORT CUresult cuMemGetAddressRange_v2(CUdeviceptr *first, size_t *bytes, CUdeviceptr p) {
  ENTER_CONTEXT(c);
  const range *const r = memory_find(address(p), 1);
  if (r == NULL) return leave(CUDA_ERROR_INVALID_VALUE);
  if (first != NULL) *first = (CUdeviceptr)(uintptr_t)r->data;
  if (bytes != NULL) *bytes = r->bytes;
  return leave(CUDA_SUCCESS);
}

static CUresult pointer_attribute(const range *r, void *value, int attribute, CUdeviceptr p) {
  struct context *const owner = r->device >= 0 ? &emulator.device[r->device].primary : current_context();
  switch (attribute) {
    case POINTER_CONTEXT: memcpy(value, &owner, sizeof owner); return CUDA_SUCCESS;
    case POINTER_MEMORY_TYPE: *(unsigned *)value = r->device >= 0 ? 2 : 1; return CUDA_SUCCESS;
    case POINTER_DEVICE: *(CUdeviceptr *)value = p; return CUDA_SUCCESS;
    case POINTER_HOST: *(void **)value = address(p); return r->device >= 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
    case POINTER_ORDINAL:
      *(int *)value = r->device >= 0 ? r->device : owner != NULL ? owner->device : 0;
      return CUDA_SUCCESS;
    case POINTER_IS_MANAGED: *(unsigned *)value = 0; return CUDA_SUCCESS;
    case POINTER_RANGE_START: *(CUdeviceptr *)value = (CUdeviceptr)(uintptr_t)r->data; return CUDA_SUCCESS;
    case POINTER_RANGE_SIZE: *(size_t *)value = r->bytes; return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
  }
}

EXPORT CUresult cuPointerGetAttribute(void *value, int attribute, CUdeviceptr p) {
  ENTER();
  const range *const r = memory_find(address(p), 1);
  return leave(r != NULL ? pointer_attribute(r, value, attribute, p) : CUDA_ERROR_INVALID_VALUE);
}

/* Of memory that is nobody's it says 0, and succeeds. */
EXPORT CUresult cuPointerGetAttributes(unsigned count, int *attributes, void **values, CUdeviceptr p) {
  ENTER();
  const range *const r = memory_find(address(p), 1);
  for (unsigned i = 0; i < count; i++) {
    if (r != NULL)
      (void)pointer_attribute(r, values[i], attributes[i], p);
    else if (attributes[i] == POINTER_MEMORY_TYPE || attributes[i] == POINTER_ORDINAL)
      *(int *)values[i] = attributes[i] == POINTER_ORDINAL ? -2 : 0;
    else
      *(void **)values[i] = NULL;
  }
  return leave(CUDA_SUCCESS);
}
