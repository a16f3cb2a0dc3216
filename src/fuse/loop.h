/* The way of a group through memory: loops over all of its operands, cut into tiles of two axes. */
#ifndef TSR_FUSE_LOOP_H
#define TSR_FUSE_LOOP_H

#include "cpu/move.h"
#include "fuse/group.h"

#if TSR_HAVE_OPS

/* As tsr__loop, for as many operands as a group has: axis 0 is the innermost, axes of length 1 are gone, and those that are
 * mergeable in every operand are one. Operand 0 decides the order. */
typedef struct tsr__group_loop {
  int ndim; /* at least 1 */
  int operands;
  tsr_index size;
  tsr_index length[TSR_MAX_DIMS];
  char *base[TSR__GROUP_OPERANDS + 1];
  ptrdiff_t step[TSR__GROUP_OPERANDS + 1][TSR_MAX_DIMS]; /* in bytes */
  size_t item[TSR__GROUP_OPERANDS + 1];
} tsr__group_loop;

void tsr__group_loop_init(tsr__group_loop *loop, int operands, const tsr_tensor *const *tensors);

/* How the elements of a tile are reached. */
typedef enum tsr__tile_way {
  TSR__TILE_DIRECT,     /* contiguous where they lie */
  TSR__TILE_REPEATED,   /* one for all */
  TSR__TILE_ROWS,       /* rows that are contiguous, with gaps between them */
  TSR__TILE_FILLED,     /* one for each row */
  TSR__TILE_TRANSPOSED, /* contiguous along axis 1 */
  TSR__TILE_STRIDED
} tsr__tile_way;

/* Of operand k in a tile of n[0] by n[1] elements. */
tsr__tile_way tsr__tile_way_of(const tsr__group_loop *loop, int k, const tsr_index *n);

/* Tiles of most[0] by most[1] elements along axes 0 and 1. */
typedef struct tsr__tiling {
  tsr_index most[2], count[2]; /* elements of a tile, and tiles along the axis */
  tsr_index tiles;             /* in all */
} tsr__tiling;

/* For tiles of about elements. in_order: elements are wanted in the order of the loop; else its axes may change places. */
void tsr__tiling_init(tsr__tiling *t, tsr__group_loop *loop, tsr_index elements, bool in_order);

/* Where tile number number begins, and how many elements it has along both axes. */
void tsr__tile_at(const tsr__tiling *t, const tsr__group_loop *loop, tsr_index number, char **at, tsr_index *n);

/* Element number of a loop in its own order, as positions of operands; returns its index along axis 0. */
tsr_index tsr__group_loop_at(const tsr__group_loop *loop, tsr_index number, char **at);

#endif
#endif
