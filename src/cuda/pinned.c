/* Pinned memory of the host as an allocator. */
#include "cuda/device.h"

/* Blocks begin at pages. A tensor's bytes are somewhere in its block, so that copies find it by address. */
void *tsr__cuda_pinned_alloc(void *self, size_t bytes, size_t align, int hint) {
  tsr__cuda *const gpu = self;
  tsr__cuda_scope scope;
  tsr__cuda_block *block = NULL;
  tsr_ctx quiet = {0};
  (void)hint;
  if (align > 512 || tsr__cuda_enter(gpu, &quiet, "pinned memory", &scope) != TSR_OK) return NULL;
  if (tsr__cuda_memory_take(&gpu->pinned, &quiet, gpu->standard, bytes, &block) == TSR_OK &&
      !tsr__cuda_memory_enter(block)) {
    tsr__cuda_memory_give(block);
    block = NULL;
  }
  tsr__cuda_leave(gpu, scope);
  return block != NULL ? (void *)block->address : NULL;
}

/* The host writes a block as soon as it has it: one that a copy still uses waits, also where its home's queue is that of the
 * copy. */
void tsr__cuda_pinned_free(void *self, void *ptr, size_t bytes) {
  tsr__cuda *const gpu = self;
  (void)bytes;
  if (tsr__cuda_is_child()) return;
  tsr__cuda_block *const block = tsr__cuda_memory_find(&gpu->pinned, (uintptr_t)ptr);
  if (block == NULL) return;
  tsr__cuda_memory_remove(block);
  tsr__cuda_memory_give(block);
}
