/** @file memory.h
 *  Allocators: where tensors' bytes come from. */
#ifndef TESSERA_MEMORY_H
#define TESSERA_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tessera/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What an allocation is for. Allocators without a choice ignore it. */
enum {
  TSR_HINT_DEFAULT = 0,
  TSR_HINT_HOT = 1,      /**< used often: the fast region */
  TSR_HINT_COLD = 2,     /**< used seldom: the large region */
  TSR_HINT_TIER0 = 16,   /**< TSR_HINT_TIER0 + n: region n and no other */
  TSR_HINT_MASK = 255,   /**< hint & TSR_HINT_MASK is one of the above */
  TSR_HINT_STORAGE = 256 /**< set by the library beside them: the block starts with a storage header */
};

/** The alignment of every storage that the library allocates, where the allocator can give it. */
#if TSR_HAVE_MALLOC
#define TSR_DATA_ALIGN 64
#else
#define TSR_DATA_ALIGN 8
#endif

/** An allocator: two functions and their state. It must outlive every storage made from it. The functions are called
 *  from any thread that creates or releases a tensor of it. */
typedef struct tsr_allocator {
  size_t size; /**< sizeof(tsr_allocator) */
  /** bytes > 0, align a power of two. NULL when there is no memory. */
  void *(*alloc)(void *self, size_t bytes, size_t align, int hint);
  /** ptr came from alloc with the same bytes. */
  void (*free)(void *self, void *ptr, size_t bytes);
  void *self;
} tsr_allocator;

/** The C library's malloc, aligned by hand; blocks of 64 KB and more are mapped pages where the platform has them.
 *  Where malloc is configured out, an allocator that never has memory. */
TSR_API const tsr_allocator *tsr_allocator_system(void);

/** What a context without an allocator uses: the system's memory, and freed blocks of 64 KB and more kept for the next
 *  tensor (process-wide, at most 256 MB, the oldest go first; large ones on huge pages). TSR_CACHE=0 in the environment
 *  turns keeping off, and so does AddressSanitizer, which would not see blocks that are kept. */
TSR_API const tsr_allocator *tsr_allocator_default(void);

/** Gives the blocks that the default allocator keeps back to the system. Returns how many bytes that were. */
TSR_API size_t tsr_trim(void);

/** Counts of an allocator that keeps them. */
typedef struct tsr_memory_stats {
  size_t in_use;   /**< bytes handed out now, as asked for */
  size_t peak;     /**< the most bytes handed out at one time */
  size_t cached;   /**< bytes kept for the next call, with what rounding added to them */
  size_t calls;    /**< successful allocations */
  size_t hits;     /**< of them: served from what was kept */
  size_t failures; /**< allocations that found no memory */
} tsr_memory_stats;

/** What the default allocator did. All counts are of blocks of 64 KB and more: smaller ones are malloc's. */
TSR_API tsr_memory_stats tsr_default_memory_stats(void);

/* ---- arena: bump allocation over the caller's bytes ---- */

/** A stack of allocations over memory that the caller keeps. Freeing the newest block gives its bytes back, those that
 *  its alignment skipped included, and then the one before it is the newest; freeing an older one gives nothing back
 *  until the arena is rewound. Blocks start at multiples of 8 bytes at least. Not for several threads at once. */
typedef struct tsr_arena {
  tsr_allocator allocator; /**< give &arena.allocator to a context */
  uint8_t *base;
  size_t bytes;
  size_t used;
  size_t peak;        /**< the most that was used at one time: the bytes that the arena needs */
  size_t private_gap; /**< where the newest bytes skipped for alignment end; 0: none were */
} tsr_arena;

/** Makes an arena of the bytes at base. NULL and 0 make one that never has memory. */
TSR_API TSR_MUST_USE tsr_status tsr_arena_init(void *base, size_t bytes, tsr_arena *arena);

/** How far the arena is filled now. */
TSR_API size_t tsr_arena_mark(const tsr_arena *arena);

/** Forgets every allocation made since mark. Tensors that live there must not be used after it.
 *  TSR_EARG when mark lies past what is used. */
TSR_API TSR_MUST_USE tsr_status tsr_arena_rewind(tsr_arena *arena, size_t mark);

/* ---- pool: keeps freed blocks of any size ---- */

typedef struct tsr_memory_pool tsr_memory_pool;

/** Makes a pool that takes blocks from upstream (NULL: the system) and keeps up to keep_bytes of freed ones; the oldest
 *  go first. Sizes are rounded up, by an eighth at most or to a multiple of eight pointers, so that a kept block serves
 *  similar ones. For several threads at once where upstream is. Hints end here: a kept block serves any. */
TSR_API TSR_MUST_USE tsr_status tsr_memory_pool_new(const tsr_allocator *upstream, size_t keep_bytes,
                                                    tsr_memory_pool **out);

/** The pool as an allocator. */
TSR_API const tsr_allocator *tsr_memory_pool_allocator(const tsr_memory_pool *pool);

/** In use, cached, peak, hits. */
TSR_API tsr_memory_stats tsr_memory_pool_stats(tsr_memory_pool *pool);

/** Gives kept blocks back to upstream until at most keep_bytes are kept; returns how many bytes went back. */
TSR_API size_t tsr_memory_pool_trim(tsr_memory_pool *pool, size_t keep_bytes);

/** Trims the pool and frees it. TSR_ESTATE, and nothing is done, while blocks of it are in use. NULL is fine. */
TSR_API TSR_MUST_USE tsr_status tsr_memory_pool_release(tsr_memory_pool *pool);

/* ---- counting: measures a program ---- */

/** Wraps an allocator and counts as another target would: with its TSR_DATA_ALIGN in place of this build's, and with
 *  its bytes in place of each storage header. Beside the sums it runs a tsr_arena without memory: peak is, byte for
 *  byte, what a tsr_arena comes to that the same program uses there, on a base with the largest alignment asked for. */
typedef struct tsr_counting {
  tsr_allocator allocator; /**< give &counting.allocator to a context */
  const tsr_allocator *upstream;
  size_t align;           /**< the target's TSR_DATA_ALIGN; other alignments count as asked for */
  size_t header;          /**< the target's bytes of a storage header */
  size_t used;            /**< how far the target's arena is filled now */
  size_t peak;            /**< the most that it was: the bytes it needs */
  tsr_memory_stats stats; /**< plain sums of the counted bytes */
  size_t largest;         /**< the largest single allocation, as counted */
} tsr_counting;

/** Wraps upstream (NULL: the default allocator). align, a power of two, and header may be 0: this build's own. Not for
 *  several threads at once. */
TSR_API TSR_MUST_USE tsr_status tsr_counting_init(const tsr_allocator *upstream, size_t align, size_t header,
                                                  tsr_counting *counting);

/** Bytes of a storage header in this build; a program on the target prints what tsr_counting_init wants of it. */
TSR_API size_t tsr_storage_header_size(void);

/* ---- failing: for tests ---- */

/** Wraps an allocator and refuses: call number fail_at (0 is the first), and every one after it when sticky.
 *  SIZE_MAX refuses none. */
typedef struct tsr_failing {
  tsr_allocator allocator; /**< give &failing.allocator to a context */
  const tsr_allocator *upstream;
  size_t fail_at;
  bool sticky;
  size_t calls; /**< allocations asked for so far */
  size_t live;  /**< allocations not yet freed */
} tsr_failing;

/** Wraps upstream (NULL: the system). Not for several threads at once. */
TSR_API TSR_MUST_USE tsr_status tsr_failing_init(const tsr_allocator *upstream, size_t fail_at, bool sticky,
                                                 tsr_failing *failing);

/* ---- tiers: several regions behind one allocator ---- */

#define TSR_MAX_TIERS 4

/** A policy over regions, the fastest first: SRAM, then PSRAM. */
typedef struct tsr_tiers {
  tsr_allocator allocator; /**< give &tiers.allocator to a context */
  const tsr_allocator *tier[TSR_MAX_TIERS];
  const uint8_t *base[TSR_MAX_TIERS]; /**< where each region begins: how free finds its owner */
  size_t bytes[TSR_MAX_TIERS];
  size_t limit; /**< default hint: blocks over this many bytes start at the second region */
  int count;
} tsr_tiers;

/** Makes an allocator of count arenas (1 … TSR_MAX_TIERS), the fastest first. A hot block goes to the first region that
 *  has room, a cold one to the last and then backwards, a default one to the first when it has at most limit bytes
 *  (0: whatever its size) and else to the second, then to the others in turn; TSR_HINT_TIER0 + n to region n or
 *  nowhere. TSR_EARG when two regions overlap. The arenas must stay where they are; each can still be rewound. */
TSR_API TSR_MUST_USE tsr_status tsr_tiers_init(tsr_arena *const *arenas, int count, size_t limit, tsr_tiers *tiers);

#ifdef __cplusplus
}
#endif

#endif
