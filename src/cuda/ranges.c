/* Which block an address is in. The GPU's lock is held by none of the callers: each function takes it. */
#include "cuda/gpu.h"

#include <string.h>

/* How many blocks begin at or before an address. */
static size_t rank_of(const tsr__cuda_ranges *ranges, uintptr_t address) {
  size_t low = 0, high = ranges->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (ranges->blocks[middle]->address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool grow(tsr__cuda_ranges *ranges) {
  if (ranges->count < ranges->capacity) return true;
  const size_t capacity = ranges->capacity > 0 ? 2 * ranges->capacity : 64;
  tsr__cuda_block **const blocks = tsr__cuda_host_new(capacity * sizeof(tsr__cuda_block *));
  if (blocks == NULL) return false;
  if (ranges->count > 0) memcpy(blocks, ranges->blocks, ranges->count * sizeof(tsr__cuda_block *));
  tsr__cuda_host_free(ranges->blocks, ranges->capacity * sizeof(tsr__cuda_block *));
  ranges->blocks = blocks;
  ranges->capacity = capacity;
  return true;
}

tsr__cuda_block *tsr__cuda_memory_find(tsr__cuda_memory *memory, uintptr_t address) {
  tsr__cuda_ranges *const ranges = &memory->ranges;
  (void)pthread_mutex_lock(&memory->gpu->lock);
  const size_t rank = rank_of(ranges, address);
  tsr__cuda_block *block = rank > 0 ? ranges->blocks[rank - 1] : NULL;
  if (block != NULL && address - block->address >= block->bytes) block = NULL;
  (void)pthread_mutex_unlock(&memory->gpu->lock);
  return block;
}

bool tsr__cuda_memory_enter(tsr__cuda_block *block) {
  tsr__cuda_ranges *const ranges = &block->memory->ranges;
  (void)pthread_mutex_lock(&block->memory->gpu->lock);
  const bool fits = grow(ranges);
  if (fits) {
    const size_t rank = rank_of(ranges, block->address);
    memmove(ranges->blocks + rank + 1, ranges->blocks + rank, (ranges->count - rank) * sizeof(tsr__cuda_block *));
    ranges->blocks[rank] = block;
    ranges->count++;
  }
  (void)pthread_mutex_unlock(&block->memory->gpu->lock);
  return fits;
}

void tsr__cuda_memory_remove(tsr__cuda_block *block) {
  tsr__cuda_ranges *const ranges = &block->memory->ranges;
  (void)pthread_mutex_lock(&block->memory->gpu->lock);
  const size_t rank = rank_of(ranges, block->address);
  if (rank > 0 && ranges->blocks[rank - 1] == block) {
    memmove(ranges->blocks + rank - 1, ranges->blocks + rank, (ranges->count - rank) * sizeof(tsr__cuda_block *));
    ranges->count--;
  }
  (void)pthread_mutex_unlock(&block->memory->gpu->lock);
}
