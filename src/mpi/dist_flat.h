/* A divided tensor as rows of which each rank has columns, which begin at multiples of a block: what is summed in the library's order. */
#ifndef TSR_MPI_DIST_FLAT_H
#define TSR_MPI_DIST_FLAT_H

#include "mpi/dist.h"

typedef struct tsr__flat {
  tsr_index rows, length; /* of the whole: axes that are left, and those of mask */
  int dtype, axis;
  uint32_t mask;
  tsr_index *from, *to; /* where ranks' columns begin, as they lay and as they are now; size + 1 of each */
  tsr_tensor part;      /* (rows, to[rank + 1] - to[rank]) */
} tsr__flat;

/* x with the axes of mask as columns, converted to dtype. */
tsr_status tsr__flat_new(tsr__comm_call *call, const tsr_dist *x, uint32_t mask, int dtype, tsr_index block,
                         tsr__flat *f);
tsr_status tsr__flat_back(tsr__comm_call *call, const tsr__flat *f, tsr_dist *out);
void tsr__flat_release(tsr__flat *f);

#endif
