/* Counting: what a program would need of an arena on another target. */
#include "memory/stack.h"
#include <tessera/memory.h>

/* What lies before each block: where it would be, and how to free it. */
typedef struct prefix {
  size_t floor; /* of its place in the target's arena */
  size_t end;
  size_t counted; /* bytes */
  size_t offset;  /* of the block in what upstream gave */
} prefix;

_Static_assert((sizeof(prefix) & (sizeof(prefix) - 1)) == 0, "a block's offset is the larger of two powers of two");

static size_t counted_bytes(const tsr_counting *counting, size_t bytes, int hint) {
  if ((hint & TSR_HINT_STORAGE) == 0) return bytes;
  const size_t own = tsr_storage_header_size();
  return (bytes > own ? bytes - own : 0) + counting->header;
}

static void count_alloc(tsr_counting *counting, const prefix *block) {
  tsr_memory_stats *const stats = &counting->stats;
  counting->used = block->end;
  if (block->end > counting->peak) counting->peak = block->end;
  if (block->counted > counting->largest) counting->largest = block->counted;
  stats->calls++;
  stats->in_use += block->counted;
  if (stats->in_use > stats->peak) stats->peak = stats->in_use;
}

/* The block from upstream, its prefix filled; NULL when there is no memory here, or no size for it there. */
static prefix *alloc_block(const tsr_counting *counting, size_t bytes, size_t align, int hint) {
  const size_t counted = counted_bytes(counting, bytes, hint);
  const size_t offset = align < sizeof(prefix) ? sizeof(prefix) : align;
  const size_t real_align = align < _Alignof(prefix) ? _Alignof(prefix) : align;
  const size_t counted_align = align == TSR_DATA_ALIGN ? counting->align : align;
  tsr__place place;
  size_t total = 0;
  if (__builtin_add_overflow(bytes, offset, &total)) return NULL;
  if (!tsr__stack_place(0, counting->used, counted, counted_align, &place)) return NULL;
  const tsr_allocator *const upstream = counting->upstream;
  char *const raw = upstream->alloc(upstream->self, total, real_align, hint);
  if (raw == NULL) return NULL;
  prefix *const block = (prefix *)(void *)(raw + offset) - 1;
  *block = (prefix){place.floor, place.end, counted, offset};
  return block;
}

static void *counting_alloc(void *self, size_t bytes, size_t align, int hint) {
  tsr_counting *const counting = self;
  prefix *const block = alloc_block(counting, bytes, align, hint);
  if (block == NULL) {
    counting->stats.failures++;
    return NULL;
  }
  count_alloc(counting, block);
  return block + 1;
}

static void counting_free(void *self, void *ptr, size_t bytes) {
  tsr_counting *const counting = self;
  if (ptr == NULL) return;
  const prefix block = ((const prefix *)ptr)[-1];
  if (tsr__stack_is_newest(0, counting->used, block.end)) counting->used = tsr__stack_used_after(block.floor);
  counting->stats.in_use -= block.counted;
  counting->upstream->free(counting->upstream->self, (char *)ptr - block.offset, bytes + block.offset);
}

tsr_status tsr_counting_init(const tsr_allocator *upstream, size_t align, size_t header, tsr_counting *counting) {
  if (counting == NULL || (align & (align - 1)) != 0) return TSR_EARG;
  *counting = (tsr_counting){.allocator = {sizeof(tsr_allocator), counting_alloc, counting_free, counting},
                             .upstream = upstream != NULL ? upstream : tsr_allocator_default(),
                             .align = align != 0 ? align : TSR_DATA_ALIGN,
                             .header = header != 0 ? header : tsr_storage_header_size()};
  return TSR_OK;
}
