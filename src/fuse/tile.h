/* A group that runs: tiles of it, in blocks that stay in the first cache. */
#ifndef TSR_FUSE_TILE_H
#define TSR_FUSE_TILE_H

#include "fuse/loop.h"

#if TSR_HAVE_OPS

/* What workers share. Operands of the loop are the outputs and then the inputs; of a group that ends otherwise, the value that
 * it ends with, of which there is no memory, and then the inputs. */
typedef struct tsr__fused_run {
  const tsr__group *group;
  int isa;
  const tsr__move_kernels *move;
  tsr__group_loop loop;
  tsr__tiling tiling;
  int outputs;                           /* operands before the inputs */
  int16_t slot[TSR__GROUP_OPERANDS + 1]; /* of an operand that is not used where it lies; -1: none */
  bool nontemporal[TSR__GROUP_OUTPUTS];  /* outputs that are written by non-temporal stores */
  bool far;                              /* inputs come from memory rather than from caches */
  tsr_index elements;                    /* of a tile at most */
  size_t slot_bytes, bytes;              /* of a slot, and of all that a worker needs */
  char *memory;                          /* of all workers */
} tsr__fused_run;

/* What one worker has of a tile: where every value is, and how far its elements are apart. */
typedef struct tsr__fused_tile {
  const tsr__fused_run *run;
  char *memory;
  char *at[TSR__GROUP_VALUES];
  ptrdiff_t step[TSR__GROUP_VALUES];
  const char *loaded[TSR__GROUP_OPERANDS + 1]; /* what a slot holds: of which address, and how much */
  tsr_index loaded_n[TSR__GROUP_OPERANDS + 1];
} tsr__fused_tile;

/* Decides on tiles and memory: all but run->memory. Tensors are the operands. */
void tsr__fused_run_init(tsr__fused_run *run, const tsr_ctx *ctx, const tsr__group *group, int outputs,
                         const tsr_tensor *const *tensors);

void tsr__fused_tile_init(tsr__fused_tile *tile, const tsr__fused_run *run, char *memory);

/* All steps on n elements, where every input, number and result is in its place. */
void tsr__fused_steps_run(tsr__fused_tile *tile, tsr_index n);

/* A tile of n[0] by n[1] elements, whose operands begin at at. */
void tsr__fused_tile_run(tsr__fused_tile *tile, char *const *at, const tsr_index *n);

/* Elements first … first + n - 1, in the order of the loop, of the value that the group ends with: contiguous, to out. */
void tsr__fused_produce(tsr__fused_tile *tile, tsr_index first, tsr_index n, char *out);

#endif
#endif
