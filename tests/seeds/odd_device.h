/* A device that pretends not to be host memory: it counts, and its bytes are inverted so that reading them shows. */
#ifndef TSR_TEST_ODD_DEVICE_H
#define TSR_TEST_ODD_DEVICE_H

#include <stdint.h>
#include <string.h>
#include <tessera/device.h>

typedef struct odd_device {
  tsr_device table;
  uint8_t bytes[1024];
  size_t used;
  int allocs, frees, in, out, within;
} odd_device;

static inline tsr_status odd_alloc(void *self, size_t bytes, size_t align, int hint, void **ptr) {
  odd_device *const d = self;
  (void)hint;
  const size_t at = (d->used + align - 1) & ~(align - 1);
  if (at + bytes > sizeof d->bytes) return TSR_ENOMEM;
  d->used = at + bytes;
  d->allocs++;
  *ptr = d->bytes + at;
  return TSR_OK;
}

static inline void odd_free(void *self, void *ptr, size_t bytes) {
  (void)ptr;
  (void)bytes;
  ((odd_device *)self)->frees++;
}

static inline tsr_status odd_copy(void *self, void *dst, const void *src, size_t bytes, tsr_copy_direction direction) {
  odd_device *const d = self;
  const uint8_t flip = direction == TSR_COPY_WITHIN ? 0 : 0xff;
  uint8_t *const to = dst;
  const uint8_t *const from = src;
  d->in += direction == TSR_COPY_TO_DEVICE;
  d->out += direction == TSR_COPY_FROM_DEVICE;
  d->within += direction == TSR_COPY_WITHIN;
  for (size_t i = 0; i < bytes; i++) to[i] = from[i] ^ flip;
  return TSR_OK;
}

static inline tsr_status odd_fill(void *self, void *dst, const void *pattern, size_t pattern_bytes, size_t count) {
  (void)self;
  for (size_t i = 0; i < pattern_bytes * count; i++)
    ((uint8_t *)dst)[i] = ((const uint8_t *)pattern)[i % pattern_bytes] ^ 0xff;
  return TSR_OK;
}

static inline tsr_status odd_sync(void *self) {
  (void)self;
  return TSR_OK;
}

static inline void odd_init(odd_device *d) {
  memset(d, 0, sizeof *d);
  d->table = (tsr_device){.size = sizeof d->table,
                          .name = "odd:0",
                          .alloc = odd_alloc,
                          .free = odd_free,
                          .copy = odd_copy,
                          .fill = odd_fill,
                          .sync = odd_sync,
                          .self = d};
}

#endif
