/* Memory of a GPU, and pinned memory of the host: blocks that are kept when they are freed, and who used each.
 *
 * A block has a home, the queue that it was taken for. Freed, it serves the next call of its home at once: the queue's order
 * keeps the two apart. Where other queues used it, it waits until they are done with it. */
#ifndef TSR_CUDA_MEMORY_H
#define TSR_CUDA_MEMORY_H

#include "cuda/api.h"
#include "cuda/cuda.h"

#include <tessera/tensor.h>

/* A queue that used a block: its tickets. */
typedef struct tsr__cuda_use {
  tsr__cuda_queue *queue; /* counted; NULL: none */
  uint64_t any, write;    /* the last that touched it, and the last that wrote it */
} tsr__cuda_use;

/* All that used one, a few at a time: weights may be read by many queues. */
enum { TSR__CUDA_USES = 4 };
typedef struct tsr__cuda_uses {
  tsr__cuda_use at[TSR__CUDA_USES];
  struct tsr__cuda_uses *more;
} tsr__cuda_uses;

typedef struct tsr__cuda_memory tsr__cuda_memory;
typedef struct tsr__cuda_block tsr__cuda_block;
struct tsr__cuda_block {
  tsr__cuda_memory *memory;
  uintptr_t address;
  size_t bytes;            /* that the driver gave */
  size_t asked;            /* of them in use */
  tsr__cuda_uses uses;     /* the first is its home's */
  tsr_release_fn *release; /* adopted: whom it is given back to */
  void *user;
  bool is_adopted;
  tsr__cuda_block *next; /* in its bin, or among those that wait */
};

/* Eight classes of sizes an octave, from 512 bytes on. */
enum { TSR__CUDA_BINS = 8 * 56 };

/* Which block an address is in: for pinned memory, and for memory that was taken by the table of the device. */
typedef struct tsr__cuda_ranges {
  tsr__cuda_block **blocks; /* by rising addresses */
  size_t count, capacity;
} tsr__cuda_ranges;

struct tsr__cuda_memory {
  tsr__cuda *gpu;
  bool is_pinned;
  /* under the GPU's lock */
  tsr_memory_stats stats;
  tsr__cuda_block *bin[TSR__CUDA_BINS];
  tsr__cuda_block *waiting; /* freed, and used by other queues than their home */
  tsr__cuda_ranges ranges;
};

void tsr__cuda_memory_init(tsr__cuda_memory *memory, tsr__cuda *gpu, bool is_pinned);

/* A block for work of a queue: kept, or new; after giving back all that is kept where the driver has no more. The GPU's context is
 * current. TSR_ENOMEM with a message. */
tsr_status tsr__cuda_memory_take(tsr__cuda_memory *memory, tsr_ctx *ctx, tsr__cuda_queue *queue, size_t bytes,
                                 tsr__cuda_block **block);
void tsr__cuda_memory_give(tsr__cuda_block *block);

/* Gives what is kept back to the driver. The GPU's context is current. */
size_t tsr__cuda_memory_trim(tsr__cuda_memory *memory);

/* The block that holds an address, of those that were entered; NULL: none. */
tsr__cuda_block *tsr__cuda_memory_find(tsr__cuda_memory *memory, uintptr_t address);
bool tsr__cuda_memory_enter(tsr__cuda_block *block); /* false: no memory for the entry */
void tsr__cuda_memory_remove(tsr__cuda_block *block);

/* Waits on the host until nothing uses a block. The GPU's context is current. */
CUresult tsr__cuda_block_wait(tsr__cuda_block *block);

/* A stream of another library goes on after whoever writes the block. */
tsr_status tsr__cuda_block_order(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_block *block, void *stream);

/* Queue is about to use a block under a ticket: it waits for those that wrote it and, to write it, for those that read it.
 * The GPU's lock is held. */
CUresult tsr__cuda_block_use(tsr__cuda_block *block, tsr__cuda_queue *queue, uint64_t ticket, bool writes);

/* ---- for memory.c; the GPU's lock is held ---- */

/* Whether queues beside its home used it; whether they are done with it, and are forgotten then; forgets all. */
bool tsr__cuda_uses_have_others(const tsr__cuda_block *block);
bool tsr__cuda_uses_are_over(tsr__cuda_block *block);
void tsr__cuda_uses_end(tsr__cuda_block *block);

#endif
