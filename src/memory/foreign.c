/* Blocks that remember their size, in front. */
#include "memory/foreign.h"

#include <tessera/memory.h>

enum { FRONT = 16 }; /* room for the size, and aligned for what follows */

void *tsr__foreign_alloc(const tsr_allocator *allocator, size_t bytes) {
  if (bytes > PTRDIFF_MAX - FRONT) return NULL;
  char *const block = allocator->alloc(allocator->self, bytes + FRONT, FRONT, TSR_HINT_DEFAULT);
  if (block == NULL) return NULL;
  *(size_t *)(void *)block = bytes + FRONT;
  return block + FRONT;
}

void tsr__foreign_free(const tsr_allocator *allocator, void *block) {
  if (block == NULL) return;
  char *const start = (char *)block - FRONT;
  allocator->free(allocator->self, start, *(size_t *)(void *)start);
}
