/* Bins of freed blocks: size classes, a list by age across them, and the counts. */
#include "memory/bins.h"

#include <stdint.h>
#include <string.h>

_Static_assert(sizeof(tsr__kept) <= TSR__GRANULE, "a kept block holds its own bookkeeping");

/* Blocks of a bin that a request may look at before it goes upstream: more would hold the lock too long. */
static const int most_tries = 16;

typedef struct size_class {
  size_t bytes; /* what is asked of upstream */
  size_t index; /* its bin; TSR__BIN_COUNT: too large to be kept, and so of the exact size */
} size_class;

static int log2_floor(size_t n) { return (int)(sizeof(unsigned long long) * 8) - 1 - __builtin_clzll(n); }

/* Geometric sizes, an eighth apart, and one granule: most blocks are a storage header before a round number of bytes,
 * and a power of two must not end up in the class above. */
static size_class class_by_size(size_t bytes) {
  const size_t granules = (bytes - 1) >> TSR__GRANULE_BITS; /* after the first one */
  if (granules <= 8) return (size_class){(granules + 1) << TSR__GRANULE_BITS, granules};
  const int octave = log2_floor(granules - 1) - 3;
  const size_t eighths = ((granules - 1) >> octave) + 1; /* 9 … 16 */
  return (size_class){((eighths << octave) + 1) << TSR__GRANULE_BITS, (size_t)octave * 8 + eighths};
}

static size_class class_of(const tsr__bins *bins, size_t bytes) {
  const size_class none = {bytes, TSR__BIN_COUNT};
  if (bytes > SIZE_MAX / 2) return none;
  const size_class by_size = class_by_size(bytes);
  return by_size.bytes > bins->limit ? none : by_size;
}

bool tsr__bins_init(tsr__bins *bins, const tsr_allocator *upstream, size_t limit) {
  memset(bins, 0, sizeof *bins); /* an assignment may go by way of the stack, where there is no room for it */
  bins->upstream = upstream;
  bins->limit = limit;
  return tsr__lock_init(&bins->lock);
}

void tsr__bins_end(tsr__bins *bins) { tsr__lock_end(&bins->lock); }

/* ---- the lists; the lock is held ---- */

static void keep(tsr__bins *bins, void *ptr, size_class class) {
  tsr__kept *const block = ptr;
  tsr__kept **const head = &bins->bin[class.index];
  *block = (tsr__kept){.next = *head, .link = head, .older = bins->newest, .bytes = class.bytes};
  if (*head != NULL) (*head)->link = &block->next;
  *head = block;
  if (bins->newest != NULL) bins->newest->newer = block;
  bins->newest = block;
  if (bins->oldest == NULL) bins->oldest = block;
  bins->stats.cached += class.bytes;
}

static void unkeep(tsr__bins *bins, const tsr__kept *block) {
  *block->link = block->next;
  if (block->next != NULL) block->next->link = block->link;
  if (block->older != NULL) block->older->newer = block->newer;
  if (block->newer != NULL) block->newer->older = block->older;
  if (bins->oldest == block) bins->oldest = block->newer;
  if (bins->newest == block) bins->newest = block->older;
  bins->stats.cached -= block->bytes;
}

/* The newest block of a bin at a multiple of align, or NULL. */
static tsr__kept *take(tsr__bins *bins, size_t index, size_t align) {
  if (index == TSR__BIN_COUNT) return NULL;
  tsr__kept *block = bins->bin[index];
  for (int i = 0; block != NULL && ((uintptr_t)block & (align - 1)) != 0; i++) {
    block = i < most_tries ? block->next : NULL;
  }
  if (block != NULL) unkeep(bins, block);
  return block;
}

/* The oldest blocks, taken out and chained by next, until at most keep_bytes are kept. */
static tsr__kept *evict(tsr__bins *bins, size_t keep_bytes) {
  tsr__kept *evicted = NULL;
  while (bins->stats.cached > keep_bytes) {
    tsr__kept *const block = bins->oldest;
    unkeep(bins, block);
    block->next = evicted;
    evicted = block;
  }
  return evicted;
}

static void count_alloc(tsr_memory_stats *stats, size_t bytes, bool hit) {
  stats->calls++;
  if (hit) stats->hits++;
  stats->in_use += bytes;
  if (stats->in_use > stats->peak) stats->peak = stats->in_use;
}

/* ---- what locks ---- */

/* Without the lock: giving pages back takes long. */
static size_t free_chain(const tsr__bins *bins, tsr__kept *chain) {
  size_t bytes = 0;
  while (chain != NULL) {
    tsr__kept *const block = chain;
    chain = block->next;
    bytes += block->bytes;
    bins->upstream->free(bins->upstream->self, block, block->bytes);
  }
  return bytes;
}

static void *alloc_upstream(tsr__bins *bins, size_t bytes, size_t align) {
  const tsr_allocator *const upstream = bins->upstream;
  void *const block = upstream->alloc(upstream->self, bytes, align, TSR_HINT_DEFAULT);
  if (block != NULL || tsr__bins_trim(bins, 0) == 0) return block;
  return upstream->alloc(upstream->self, bytes, align, TSR_HINT_DEFAULT); /* what was kept may be what was missing */
}

void *tsr__bins_alloc(tsr__bins *bins, size_t bytes, size_t align) {
  if (bytes == 0) return NULL;
  const size_class class = class_of(bins, bytes);
  tsr__lock_take(&bins->lock);
  void *block = take(bins, class.index, align);
  if (block != NULL) count_alloc(&bins->stats, bytes, true);
  tsr__lock_give(&bins->lock);
  if (block != NULL) return block;

  block = alloc_upstream(bins, class.bytes, align < TSR_DATA_ALIGN ? TSR_DATA_ALIGN : align);
  tsr__lock_take(&bins->lock);
  if (block != NULL) {
    count_alloc(&bins->stats, bytes, false);
  } else {
    bins->stats.failures++;
  }
  tsr__lock_give(&bins->lock);
  return block;
}

void tsr__bins_free(tsr__bins *bins, void *ptr, size_t bytes) {
  if (ptr == NULL) return;
  const size_class class = class_of(bins, bytes);
  const bool kept = class.index != TSR__BIN_COUNT;
  tsr__kept *evicted = NULL;
  tsr__lock_take(&bins->lock);
  bins->stats.in_use -= bytes;
  if (kept) {
    evicted = evict(bins, bins->limit - class.bytes);
    keep(bins, ptr, class);
  }
  tsr__lock_give(&bins->lock);
  if (!kept) bins->upstream->free(bins->upstream->self, ptr, class.bytes);
  (void)free_chain(bins, evicted);
}

size_t tsr__bins_trim(tsr__bins *bins, size_t keep_bytes) {
  tsr__lock_take(&bins->lock);
  tsr__kept *const evicted = evict(bins, keep_bytes);
  tsr__lock_give(&bins->lock);
  return free_chain(bins, evicted);
}

tsr_memory_stats tsr__bins_stats(tsr__bins *bins) {
  tsr__lock_take(&bins->lock);
  const tsr_memory_stats stats = bins->stats;
  tsr__lock_give(&bins->lock);
  return stats;
}
