/* What every fuzzer shares: a way to tell of a broken promise, and memory that is capped. */
#ifndef TSR_FUZZ_PROMISE_H
#define TSR_FUZZ_PROMISE_H

#include <stdbool.h>
#include <stdlib.h>
#include <tessera/memory.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A trap is how a fuzzer hears of a broken promise. */
static inline void must(bool promise) {
  if (!promise) __builtin_trap();
}

/* Bytes in use, and the most there may be: a size that the input does not bear out must not be asked for. */
typedef struct capped_memory {
  size_t in_use, cap;
} capped_memory;

static inline void *capped_alloc(void *self, size_t bytes, size_t align, int hint) {
  capped_memory *const memory = self;
  (void)hint;
  must(bytes <= memory->cap - memory->in_use);
  void *block = aligned_alloc(align, (bytes + align - 1) & ~(align - 1));
  if (block != NULL) memory->in_use += bytes;
  return block;
}

static inline void capped_free(void *self, void *block, size_t bytes) {
  capped_memory *const memory = self;
  memory->in_use -= bytes;
  free(block);
}

#endif
