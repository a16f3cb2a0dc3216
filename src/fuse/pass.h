/* Chains of a group's steps, run in registers over a tile. */
#ifndef TSR_FUSE_PASS_H
#define TSR_FUSE_PASS_H

#include "fuse/tile.h"

#if TSR_HAVE_OPS

/* The program of steps first … last, of one chain, for rows of so many elements, that asks for its inputs so many elements ahead (0: it
 * does not); and its run on elements from … to - 1, of the first row, a block of them at least. */
void tsr__pass_init(tsr__pass *p, tsr__fused_tile *tile, int first, int last, tsr_index row, tsr_index ahead);
void tsr__pass_run_part(const tsr__pass *p, tsr_index from, tsr_index to);

/* Steps first … last, of one chain, on n[0] by n[1] elements. */
void tsr__pass_run_tile(tsr__fused_tile *tile, int first, int last, const tsr_index *n);

/* Whether the stages of a dtype can write by non-temporal stores. */
bool tsr__pass_streams(int isa, int lanes);

#endif
#endif
