/* Pools: freed blocks of any size kept, over any allocator. */
#include "memory/bins.h"

struct tsr_memory_pool {
  tsr_allocator allocator;
  tsr__bins bins;
};

static void *pool_alloc(void *self, size_t bytes, size_t align, int hint) {
  tsr_memory_pool *const pool = self;
  (void)hint;
  return tsr__bins_alloc(&pool->bins, bytes, align);
}

static void pool_free(void *self, void *ptr, size_t bytes) {
  tsr_memory_pool *const pool = self;
  tsr__bins_free(&pool->bins, ptr, bytes);
}

tsr_status tsr_memory_pool_new(const tsr_allocator *upstream, size_t keep_bytes, tsr_memory_pool **out) {
  if (out == NULL) return TSR_EARG;
  const tsr_allocator *const source = upstream != NULL ? upstream : tsr_allocator_system();
  tsr_memory_pool *const pool =
      source->alloc(source->self, sizeof(tsr_memory_pool), _Alignof(tsr_memory_pool), TSR_HINT_DEFAULT);
  if (pool == NULL) return TSR_ENOMEM;
  if (!tsr__bins_init(&pool->bins, source, keep_bytes)) {
    source->free(source->self, pool, sizeof(tsr_memory_pool));
    return TSR_ENOMEM;
  }
  pool->allocator = (tsr_allocator){sizeof(tsr_allocator), pool_alloc, pool_free, pool};
  *out = pool;
  return TSR_OK;
}

const tsr_allocator *tsr_memory_pool_allocator(const tsr_memory_pool *pool) {
  return pool != NULL ? &pool->allocator : NULL;
}

tsr_memory_stats tsr_memory_pool_stats(tsr_memory_pool *pool) {
  return pool != NULL ? tsr__bins_stats(&pool->bins) : (tsr_memory_stats){0};
}

size_t tsr_memory_pool_trim(tsr_memory_pool *pool, size_t keep_bytes) {
  return pool != NULL ? tsr__bins_trim(&pool->bins, keep_bytes) : 0;
}

tsr_status tsr_memory_pool_release(tsr_memory_pool *pool) {
  if (pool == NULL) return TSR_OK;
  if (tsr__bins_stats(&pool->bins).in_use > 0) return TSR_ESTATE;
  const tsr_allocator *const source = pool->bins.upstream;
  (void)tsr__bins_trim(&pool->bins, 0);
  tsr__bins_end(&pool->bins);
  source->free(source->self, pool, sizeof(tsr_memory_pool));
  return TSR_OK;
}
