/* A group that runs: tiles of it, in blocks that stay in the first cache. */
#ifndef TSR_FUSE_TILE_H
#define TSR_FUSE_TILE_H

#include "fuse/loop.h"
#include "fuse/stage.h"

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
  bool nontemporal[TSR__GROUP_OUTPUTS];  /* outputs that are written by non-temporal stores, from a slot */
  bool streams[TSR__GROUP_OUTPUTS];      /* … from registers */
  bool flat;                             /* one chain is all, and operands have no gaps: tiles do not count */
  bool rows;                             /* chains run along rows of a tile where they lie */
  bool far;                              /* inputs come from memory rather than from caches */
  tsr_index ahead;    /* elements that the program of a chain asks ahead; 0: tiles ask for themselves, or nobody */
  tsr_index elements; /* of a tile at most */
  size_t slot_bytes, bytes; /* of a slot, and of all that a worker needs */
  int padded;               /* operands that have a block for what is shorter than one */
  char *memory;             /* of all workers */
} tsr__fused_run;

/* Steps first … last of a chain as a program (fuse/pass.h), for operands where they are. */
typedef struct tsr__pass {
  struct tsr__fused_tile *tile;
  const tsr__stages *stages;
  tsr__stage *program;
  int first, last;                                           /* steps */
  int count;                                                 /* stages */
  tsr_index row;                                             /* elements of one */
  int outputs;                                               /* of the group, that it writes */
  int output[TSR__GROUP_OUTPUTS], store[TSR__GROUP_OUTPUTS]; /* the values, and the stages that write them */
  bool in_place;                                             /* an output is an input */
  bool streams;                                              /* an output is written by non-temporal stores */
} tsr__pass;

/* What one worker has of a tile: where every value is, and how far its elements are apart. */
typedef struct tsr__fused_tile {
  const tsr__fused_run *run;
  char *memory;        /* the slots */
  tsr__stage *program; /* room for that of a chain */
  char *pads;          /* a block for each output, and for each input where runs may be short */
  ptrdiff_t in_row[TSR__GROUP_INPUTS], out_row[TSR__GROUP_OUTPUTS]; /* bytes from a row of the tile to the next */
  char *at[TSR__GROUP_VALUES];
  ptrdiff_t step[TSR__GROUP_VALUES];
  const char *loaded[TSR__GROUP_OPERANDS + 1]; /* what a slot holds: of which address, and how much */
  tsr_index loaded_n[TSR__GROUP_OPERANDS + 1];
  bool is_ready; /* flat is the program of all elements */
  tsr__pass flat;
} tsr__fused_tile;

/* Decides on tiles and memory: all but run->memory. Tensors are the operands. */
void tsr__fused_run_init(tsr__fused_run *run, const tsr_ctx *ctx, const tsr__group *group, int outputs,
                         const tsr_tensor *const *tensors);

/* Bytes that a worker needs for chains, beside its slots. */
size_t tsr__fused_chain_bytes(const tsr__group *g, int padded);

/* Puts numbers and results in their places, in memory as tsr__fused_run_init laid it out. */
void tsr__fused_tile_init(tsr__fused_tile *tile, const tsr__fused_run *run, char *memory);

/* All steps on n[0] by n[1] elements, where every input, number and result is in its place. */
void tsr__fused_steps_run(tsr__fused_tile *tile, const tsr_index *n);

/* A tile of n[0] by n[1] elements, whose operands begin at at. */
void tsr__fused_tile_run(tsr__fused_tile *tile, char *const *at, const tsr_index *n);

/* Tiles begin … end - 1. */
void tsr__fused_tiles_run(tsr__fused_tile *tile, tsr_index begin, tsr_index end);

/* Elements first … first + n - 1, in the order of the loop, of the value that the group ends with: contiguous, to out. */
void tsr__fused_produce(tsr__fused_tile *tile, tsr_index first, tsr_index n, char *out);

/* Rows of so many elements each, from number first on, of a group whose program is flat: they end in a stage, not in memory. */
void tsr__fused_end_in(tsr__fused_tile *tile, tsr_index first, int rows, tsr_index row, tsr__stage_fn *stage, char *at);

#endif
#endif
