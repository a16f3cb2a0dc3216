#include "cuda/gpu.h"

#include <string.h>

void tsr__cuda_memory_init(tsr__cuda_memory *memory, tsr__cuda *gpu, bool is_pinned) {
  *memory = (tsr__cuda_memory){.gpu = gpu, .is_pinned = is_pinned};
}

/* ---- sizes ---- */

enum { SMALLEST_BITS = 9 };

/* Bytes in eighths of a power of two, and the number of that class. */
static int class_of(size_t bytes, size_t *rounded) {
  const size_t units = (bytes + ((size_t)1 << SMALLEST_BITS) - 1) >> SMALLEST_BITS;
  if (units <= 8) {
    *rounded = units << SMALLEST_BITS;
    return (int)units;
  }
  const int octave = 63 - __builtin_clzll(units - 1) - 3;
  const size_t eighths = ((units - 1) >> octave) + 1; /* 9 … 16 */
  *rounded = (eighths << octave) << SMALLEST_BITS;
  return octave * 8 + (int)eighths;
}

/* ---- what is kept; the GPU's lock is held ---- */

static void keep(tsr__cuda_block *block) {
  size_t rounded;
  tsr__cuda_block **const bin = &block->memory->bin[class_of(block->bytes, &rounded)];
  block->next = *bin;
  *bin = block;
}

/* Blocks that other queues used go to their bins when those are done. */
static void reclaim(tsr__cuda_memory *memory) {
  tsr__cuda_block **link = &memory->waiting;
  while (*link != NULL) {
    tsr__cuda_block *const block = *link;
    const tsr__cuda_use *const home = &block->uses.at[0];
    if (!tsr__cuda_uses_are_over(block) || (memory->is_pinned && !tsr__cuda_queue_reached(home->queue, home->any))) {
      link = &block->next;
      continue;
    }
    *link = block->next;
    keep(block);
  }
}

/* One whose home is this queue, else one that its home is done with. */
static tsr__cuda_block *take_kept(tsr__cuda_memory *memory, int bin, const tsr__cuda_queue *queue) {
  enum { MOST_TRIES = 16 };
  tsr__cuda_block **link = &memory->bin[bin], **other = NULL;
  for (int i = 0; *link != NULL && (*link)->uses.at[0].queue != queue && i < MOST_TRIES; i++) {
    const tsr__cuda_use *const home = &(*link)->uses.at[0];
    if (other == NULL && tsr__cuda_queue_reached(home->queue, home->any)) other = link;
    link = &(*link)->next;
  }
  if (*link == NULL || (*link)->uses.at[0].queue != queue) link = other;
  if (link == NULL) return NULL;
  tsr__cuda_block *const block = *link;
  *link = block->next;
  return block;
}

static void set_home(tsr__cuda_block *block, tsr__cuda_queue *queue) {
  if (block->uses.at[0].queue == queue) return;
  tsr__cuda_queue_keep(queue);
  if (block->uses.at[0].queue != NULL) tsr__cuda_queue_drop(block->uses.at[0].queue);
  block->uses.at[0] = (tsr__cuda_use){.queue = queue};
}

static void count_taken(tsr__cuda_memory *memory, const tsr__cuda_block *block, bool kept) {
  tsr_memory_stats *const s = &memory->stats;
  s->calls++;
  s->hits += kept;
  s->cached -= kept ? block->bytes : 0;
  s->in_use += block->asked;
  if (s->in_use > s->peak) s->peak = s->in_use;
}

/* ---- the driver ---- */

static CUresult driver_new(const tsr__cuda_memory *memory, size_t bytes, uintptr_t *address) {
  const tsr__cuda_driver *const api = memory->gpu->api;
  if (!memory->is_pinned) {
    CUdeviceptr at = 0;
    const CUresult r = api->cuMemAlloc(&at, bytes);
    *address = (uintptr_t)at;
    return r;
  }
  void *at = NULL;
  const CUresult r = api->cuMemHostAlloc(&at, bytes, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
  *address = (uintptr_t)at;
  return r;
}

static void driver_free(const tsr__cuda_memory *memory, uintptr_t address) {
  const tsr__cuda_driver *const api = memory->gpu->api;
  if (memory->is_pinned)
    (void)api->cuMemFreeHost((void *)address);
  else
    (void)api->cuMemFree((CUdeviceptr)address);
}

static tsr_status refuse_bytes(const tsr__cuda_memory *memory, tsr_ctx *ctx, size_t bytes) {
  size_t free_bytes = 0, total = 0;
  (void)memory->gpu->api->cuMemGetInfo(&free_bytes, &total);
  return TSR__FAIL(ctx, TSR_ENOMEM, "memory", NULL,
                   memory->is_pinned ? "%s has no pinned memory for %z bytes: tensors have %z"
                                     : "%s has no memory for %z bytes: tensors have %z, %z of %z are free",
                   memory->gpu->name, bytes, memory->stats.in_use, free_bytes, total);
}

static tsr_status make_block(tsr__cuda_memory *memory, tsr_ctx *ctx, size_t bytes, size_t rounded,
                             tsr__cuda_block **out) {
  uintptr_t address = 0;
  CUresult r = driver_new(memory, rounded, &address);
  if (r == CUDA_ERROR_OUT_OF_MEMORY && tsr__cuda_memory_trim(memory) > 0) r = driver_new(memory, rounded, &address);
  if (r == CUDA_ERROR_OUT_OF_MEMORY) return refuse_bytes(memory, ctx, bytes);
  if (r != CUDA_SUCCESS) return tsr__cuda_check(memory->gpu, ctx, "memory", r, "give memory");
  tsr__cuda_block *const block = tsr__cuda_host_new(sizeof *block);
  if (block == NULL) {
    driver_free(memory, address);
    return TSR__FAIL(ctx, TSR_ENOMEM, "memory", NULL, "no memory for the books of %s", memory->gpu->name);
  }
  *block = (tsr__cuda_block){.memory = memory, .address = address, .bytes = rounded};
  *out = block;
  return TSR_OK;
}

tsr_status tsr__cuda_memory_take(tsr__cuda_memory *memory, tsr_ctx *ctx, tsr__cuda_queue *queue, size_t bytes,
                                 tsr__cuda_block **out) {
  pthread_mutex_t *const lock = &memory->gpu->lock;
  size_t rounded = 0;
  if (bytes > SIZE_MAX / 4) return refuse_bytes(memory, ctx, bytes);
  const int bin = class_of(bytes > 0 ? bytes : 1, &rounded);
  (void)pthread_mutex_lock(lock);
  tsr__cuda_block *block = take_kept(memory, bin, queue);
  if (block == NULL && memory->waiting != NULL) {
    reclaim(memory);
    block = take_kept(memory, bin, queue);
  }
  const bool kept = block != NULL;
  tsr_status st = TSR_OK;
  if (!kept) {
    (void)pthread_mutex_unlock(lock);
    st = make_block(memory, ctx, bytes, rounded, &block);
    (void)pthread_mutex_lock(lock);
  }
  if (st == TSR_OK) {
    block->asked = bytes;
    set_home(block, queue);
    count_taken(memory, block, kept);
    *out = block;
  } else {
    memory->stats.failures++;
  }
  (void)pthread_mutex_unlock(lock);
  return st;
}

/* ---- giving back ---- */

/* Adopted memory: nothing of ours may touch it after its owner has it again. */
static void give_adopted(tsr__cuda_block *block) {
  tsr__cuda *const gpu = block->memory->gpu;
  tsr__cuda_scope scope;
  tsr_ctx quiet = {0};
  if (tsr__cuda_enter(gpu, &quiet, "release", &scope) == TSR_OK) {
    (void)tsr__cuda_block_wait(block);
    tsr__cuda_leave(gpu, scope);
  }
  if (block->release != NULL) block->release(block->user, (void *)block->address, block->asked);
  if (tsr__cuda_is_child()) return;
  (void)pthread_mutex_lock(&gpu->lock);
  tsr__cuda_uses_end(block);
  (void)pthread_mutex_unlock(&gpu->lock);
  tsr__cuda_host_free(block, sizeof *block);
}

void tsr__cuda_memory_give(tsr__cuda_block *block) {
  if (block == NULL) return;
  tsr__cuda_memory *const memory = block->memory;
  if (block->is_adopted) {
    give_adopted(block);
    return;
  }
  if (tsr__cuda_is_child()) return;
  (void)pthread_mutex_lock(&memory->gpu->lock);
  memory->stats.in_use -= block->asked;
  memory->stats.cached += block->bytes;
  if (memory->is_pinned || tsr__cuda_uses_have_others(block)) { /* the host is no queue, and waits for all of them */
    block->next = memory->waiting;
    memory->waiting = block;
  } else {
    keep(block);
  }
  (void)pthread_mutex_unlock(&memory->gpu->lock);
}

/* Everything that is kept, taken out as one list. */
static tsr__cuda_block *take_all(tsr__cuda_memory *memory) {
  tsr__cuda_block *all = NULL;
  reclaim(memory);
  for (int i = 0; i < TSR__CUDA_BINS; i++) {
    while (memory->bin[i] != NULL) {
      tsr__cuda_block *const block = memory->bin[i];
      memory->bin[i] = block->next;
      block->next = all;
      all = block;
      memory->stats.cached -= block->bytes;
      tsr__cuda_uses_end(block);
    }
  }
  return all;
}

size_t tsr__cuda_memory_trim(tsr__cuda_memory *memory) {
  size_t bytes = 0;
  (void)memory->gpu->api->cuCtxSynchronize();
  (void)pthread_mutex_lock(&memory->gpu->lock);
  tsr__cuda_block *block = take_all(memory);
  (void)pthread_mutex_unlock(&memory->gpu->lock);
  while (block != NULL) {
    tsr__cuda_block *const next = block->next;
    bytes += block->bytes;
    driver_free(memory, block->address);
    tsr__cuda_host_free(block, sizeof *block);
    block = next;
  }
  return bytes;
}
