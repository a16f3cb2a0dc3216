/* The host as a device: memory by the system's allocator, copies by memmove. Tensors on it take the context's allocator and
 * the operations themselves; the table serves code that knows only devices. */
#include "core/storage.h"

#include <string.h>
#include <tessera/device.h>
#include <tessera/memory.h>

static tsr_status cpu_alloc(void *self, size_t bytes, size_t align, int hint, void **ptr) {
  const tsr_allocator *const allocator = tsr_allocator_default();
  (void)self;
  *ptr = allocator->alloc(allocator->self, bytes, align, hint);
  return *ptr != NULL ? TSR_OK : TSR_ENOMEM;
}

static void cpu_free(void *self, void *ptr, size_t bytes) {
  const tsr_allocator *const allocator = tsr_allocator_default();
  (void)self;
  allocator->free(allocator->self, ptr, bytes);
}

/* memmove. Where flash is counted: the C library's takes 254 bytes of every program, for copies that nearly never overlap. */
static void move_bytes(void *dst, const void *src, size_t bytes) {
#if TSR_HAVE_MALLOC
  memmove(dst, src, bytes);
#else
  char *const to = dst;
  const char *const from = src;
  const uintptr_t ahead = (uintptr_t)dst - (uintptr_t)src;
  if (ahead >= bytes && -ahead >= bytes) {
    memcpy(dst, src, bytes);
  } else if (ahead < bytes) {
    while (bytes-- > 0) to[bytes] = from[bytes];
  } else {
    for (size_t i = 0; i < bytes; i++) to[i] = from[i];
  }
#endif
}

static tsr_status cpu_copy(void *self, void *dst, const void *src, size_t bytes, tsr_copy_direction direction) {
  (void)self;
  (void)direction;
  move_bytes(dst, src, bytes);
  return TSR_OK;
}

static tsr_status cpu_fill(void *self, void *dst, const void *pattern, size_t pattern_bytes, size_t count) {
  (void)self;
  for (size_t i = 0; i < count; i++) memcpy((char *)dst + i * pattern_bytes, pattern, pattern_bytes);
  return TSR_OK;
}

static tsr_status cpu_sync(void *self) {
  (void)self;
  return TSR_OK;
}

#if TSR_HAVE_OPS
static tsr_status cpu_describe(void *self, tsr_ctx *ctx, tsr_device_details *details) {
  (void)self, (void)ctx;
  details->memory = tsr_default_memory_stats();
  return TSR_OK;
}
#endif

const tsr_device tsr__cpu = {
    .size = sizeof(tsr_device),
    .name = "cpu",
    .is_host = true,
    .alloc = cpu_alloc,
    .free = cpu_free,
    .copy = cpu_copy,
    .fill = cpu_fill,
    .sync = cpu_sync,
#if TSR_HAVE_OPS
    .kind = 1, /* kDLCPU */
    .describe = cpu_describe,
#endif
};

const tsr_device *tsr_device_cpu(void) { return &tsr__cpu; }
