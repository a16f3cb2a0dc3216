/* Freed blocks kept for the next call, by size class: what the default allocator and the pools are made of. */
#ifndef TSR_MEMORY_BINS_H
#define TSR_MEMORY_BINS_H

#include "memory/lock.h"
#include <tessera/memory.h>

/* Sizes are counted in granules: a kept block's bookkeeping lies in the block itself and must fit the smallest one. */
#define TSR__GRANULE_BITS (sizeof(void *) > 4 ? 6 : 5)
#define TSR__GRANULE ((size_t)1 << TSR__GRANULE_BITS)

/* Eight classes for each power of two up to half the address space, after the first eight granules. */
#define TSR__BIN_COUNT ((sizeof(size_t) * 8 - TSR__GRANULE_BITS - 5) * 8 + 17)

/* The first bytes of a kept block. */
typedef struct tsr__kept {
  struct tsr__kept *next; /* in its bin, the newest first: its bytes are the likeliest to be in a cache */
  struct tsr__kept **link;
  struct tsr__kept *older; /* among all kept */
  struct tsr__kept *newer;
  size_t bytes;
} tsr__kept;

typedef struct tsr__bins {
  const tsr_allocator *upstream;
  size_t limit;   /* the most bytes kept */
  tsr__lock lock; /* for all that follows; upstream is called without it */
  tsr_memory_stats stats;
  tsr__kept *newest;
  tsr__kept *oldest;
  tsr__kept *bin[TSR__BIN_COUNT];
} tsr__bins;

/* false when there is no lock to be had. */
bool tsr__bins_init(tsr__bins *bins, const tsr_allocator *upstream, size_t limit);

/* Nothing may be kept any more. */
void tsr__bins_end(tsr__bins *bins);

void *tsr__bins_alloc(tsr__bins *bins, size_t bytes, size_t align);
void tsr__bins_free(tsr__bins *bins, void *ptr, size_t bytes);

/* Frees the oldest kept blocks until at most keep_bytes are left; returns how many bytes went. */
size_t tsr__bins_trim(tsr__bins *bins, size_t keep_bytes);

tsr_memory_stats tsr__bins_stats(tsr__bins *bins);

#endif
