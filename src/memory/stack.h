/* Where an arena puts its blocks. One arithmetic for the arena and for the counting allocator, which tells in advance
 * how many bytes an arena will need: the two must agree to the byte, on targets with other word sizes too. */
#ifndef TSR_MEMORY_STACK_H
#define TSR_MEMORY_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Blocks start at multiples of this address; the same on every target. */
#define TSR__STACK_GRANULE ((size_t)8)

/* Padding of up to 2^24 - 1 granules comes back with its block; that covers alignments of up to 128 MB. */
#define TSR__STACK_MOST_PADDING ((((size_t)1 << 24) - 1) * TSR__STACK_GRANULE)

/* A block of the stack, as offsets from its base. */
typedef struct tsr__place {
  size_t floor; /* what is used once the block is freed again */
  size_t start; /* floor, or further up for the sake of alignment, by whole granules */
  size_t end;
} tsr__place;

/* offset rounded up so that address + offset is a multiple of align, a power of two; false when that wraps. */
static inline bool tsr__stack_round(uintptr_t address, size_t offset, size_t align, size_t *rounded) {
  const size_t skip = (size_t)(-(address + offset) & (align - 1));
  return !__builtin_add_overflow(offset, skip, rounded);
}

/* The place of the next block on a stack at address, filled up to used; false when its end does not fit a size. */
static inline bool tsr__stack_place(uintptr_t address, size_t used, size_t bytes, size_t align, tsr__place *place) {
  if (!tsr__stack_round(address, used, TSR__STACK_GRANULE, &place->floor)) return false;
  if (!tsr__stack_round(address, place->floor, align, &place->start)) return false;
  if (place->start - place->floor > TSR__STACK_MOST_PADDING) place->floor = place->start;
  return !__builtin_add_overflow(place->start, bytes, &place->end);
}

/* Whether a block that ends at end is the newest of a stack that is filled up to used. Both are compared as the next
 * block sees them: once that one is freed, used is its floor, not the exact end of the block below. */
static inline bool tsr__stack_is_newest(uintptr_t address, size_t used, size_t end) {
  size_t top = 0, rounded = 0;
  return tsr__stack_round(address, used, TSR__STACK_GRANULE, &top) &&
         tsr__stack_round(address, end, TSR__STACK_GRANULE, &rounded) && top == rounded;
}

/* What is used after the newest block is freed: its floor. The lowest one starts at most a granule into the stack, and
 * those bytes come back as well. */
static inline size_t tsr__stack_used_after(size_t floor) { return floor < TSR__STACK_GRANULE ? 0 : floor; }

#endif
