/* The inside of a storage. */
#ifndef TSR_CORE_STORAGE_H
#define TSR_CORE_STORAGE_H

#include "core/fail.h"
#include <tessera/tensor.h>

enum {
  TSR__STORAGE_BLOCK = 0,   /* the bytes follow the header in one block */
  TSR__STORAGE_DEVICE = 1,  /* the bytes are a device's */
  TSR__STORAGE_WRAPPED = 2, /* the bytes are someone else's, with or without a release function */
  TSR__STORAGE_SUB = 3,     /* the bytes are a part of a counted parent */
  TSR__STORAGE_QUEUED = 4   /* the bytes are those of a device with queues, which has a name for them */
};

struct tsr_storage {
  int32_t count;
  int32_t kind;
  const tsr_device *device;
  void *data;
  size_t bytes;
  const tsr_allocator *allocator; /* of this header */
  size_t block;                   /* bytes that allocator gave */
  union {
    tsr_storage *parent;
    void *memory; /* the device's name of it */
    struct {
      tsr_release_fn *release;
      void *user;
    } wrapped;
  } owner;
};

/* The bytes before the data of a block, so that the data is as aligned as the block. */
#define TSR__STORAGE_HEADER ((sizeof(tsr_storage) + TSR_DATA_ALIGN - 1) & ~(size_t)(TSR_DATA_ALIGN - 1))

/* The host, which src/device/cpu.c defines. */
extern const tsr_device tsr__cpu;

/* A header and payload bytes behind it, from allocator, with one count; NULL when there is no memory. Inline, because it is
 * most of what making a small tensor costs. */
static inline tsr_storage *tsr__storage_block(const tsr_allocator *allocator, size_t payload, int hint) {
  size_t block;
  if (__builtin_add_overflow(TSR__STORAGE_HEADER, payload, &block)) return NULL;
  tsr_storage *const s =
      (tsr_storage *)allocator->alloc(allocator->self, block, TSR_DATA_ALIGN, hint | TSR_HINT_STORAGE);
  if (s == NULL) return NULL;
  s->count = 1;
  s->kind = TSR__STORAGE_BLOCK;
  s->device = &tsr__cpu;
  s->data = (uint8_t *)s + TSR__STORAGE_HEADER;
  s->bytes = payload;
  s->allocator = allocator;
  s->block = block;
  return s;
}

/* TSR_ENOMEM, with the bytes in the message. */
TSR__COLD tsr_status tsr__no_memory(tsr_ctx *ctx, const char *op, size_t bytes);

/* tsr_storage_new under the caller's name. */
tsr_status tsr__storage_make(tsr_ctx *ctx, const char *op, const tsr_device *device, size_t bytes, int hint,
                             tsr_storage **out);

#endif
