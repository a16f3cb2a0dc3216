/* Arenas: bump allocation over the caller's bytes.
 *
 * A block has no header: its start and bytes come back with the free. What cannot be known from them is how many bytes
 * its alignment skipped, so those bytes say it themselves: the last granule before the block holds a record, and the
 * records are chained from the newest down. */
#include "memory/stack.h"
#include <string.h>
#include <tessera/memory.h>

/* Both in granules, in one word of 64 bits, so that a granule holds it on every target. */
enum { PADDING_BITS = 24 };

static uintptr_t address_of(const tsr_arena *arena) { return (uintptr_t)arena->base; }

/* Notes that [floor, start) is padding. */
static void push_gap(tsr_arena *arena, size_t floor, size_t start) {
  const uint64_t padding = (start - floor) / TSR__STACK_GRANULE;
  const uint64_t below =
      arena->private_gap == 0 ? 0 : (start - arena->private_gap) / TSR__STACK_GRANULE; /* 0: the lowest gap */
  const uint64_t record = below << PADDING_BITS | padding;
  memcpy(arena->base + start - sizeof record, &record, sizeof record);
  arena->private_gap = start;
}

/* Forgets the newest gap and returns where it began. */
static size_t pop_gap(tsr_arena *arena) {
  const size_t end = arena->private_gap;
  uint64_t record = 0;
  memcpy(&record, arena->base + end - sizeof record, sizeof record);
  const size_t padding = (size_t)(record & (((uint64_t)1 << PADDING_BITS) - 1)) * TSR__STACK_GRANULE;
  const size_t below = (size_t)(record >> PADDING_BITS) * TSR__STACK_GRANULE;
  arena->private_gap = below == 0 ? 0 : end - below;
  return end - padding;
}

static void *arena_alloc(void *self, size_t bytes, size_t align, int hint) {
  tsr_arena *const arena = self;
  tsr__place place;
  (void)hint;
  if (!tsr__stack_place(address_of(arena), arena->used, bytes, align, &place) || place.end > arena->bytes) return NULL;
  if (arena->base == NULL) return NULL;
  if (place.start > place.floor) push_gap(arena, place.floor, place.start);
  arena->used = place.end;
  if (place.end > arena->peak) arena->peak = place.end;
  return arena->base + place.start;
}

static void arena_free(void *self, void *ptr, size_t bytes) {
  tsr_arena *const arena = self;
  if (ptr == NULL) return;
  const size_t start = (size_t)((uintptr_t)ptr - address_of(arena));
  if (!tsr__stack_is_newest(address_of(arena), arena->used, start + bytes)) return;
  arena->used = tsr__stack_used_after(arena->private_gap == start && start > 0 ? pop_gap(arena) : start);
}

tsr_status tsr_arena_init(void *base, size_t bytes, tsr_arena *arena) {
  if (arena == NULL || (base == NULL && bytes > 0) || bytes > UINTPTR_MAX - (uintptr_t)base) return TSR_EARG;
  *arena =
      (tsr_arena){.allocator = {sizeof(tsr_allocator), arena_alloc, arena_free, arena}, .base = base, .bytes = bytes};
  return TSR_OK;
}

size_t tsr_arena_mark(const tsr_arena *arena) { return arena != NULL ? arena->used : 0; }

tsr_status tsr_arena_rewind(tsr_arena *arena, size_t mark) {
  if (arena == NULL || mark > arena->used) return TSR_EARG;
  while (arena->private_gap > mark) (void)pop_gap(arena);
  arena->used = mark;
  return TSR_OK;
}
