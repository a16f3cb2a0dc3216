/* The elements of any tensor in the order that files have them in. */
#ifndef TSR_IO_BYTES_WALK_H
#define TSR_IO_BYTES_WALK_H

#include "core/check.h"

/* Elements that do not lie in file order pass through a block of this many bytes on the stack: a multiple of 16. */
#if TSR_HAVE_MALLOC
#define TSR__ELEMENT_BLOCK 4096
#else
#define TSR__ELEMENT_BLOCK 256
#endif

/* A walk over the elements of any tensor in row-major or Fortran order. */
typedef struct tsr__element_walk {
  char *base;
  ptrdiff_t offset; /* of the next element; an offset, because past the last one it may lie outside the array */
  size_t item;
  int ndim; /* axes longer than 1, the fastest first */
  tsr_index index[TSR_MAX_DIMS];
  tsr_index shape[TSR_MAX_DIMS];
  ptrdiff_t step[TSR_MAX_DIMS]; /* bytes */
} tsr__element_walk;

/* t has at least one element. */
void tsr__element_walk_init(tsr__element_walk *walk, const tsr_tensor *t, bool fortran);
void tsr__element_gather(tsr__element_walk *walk, size_t count, void *to);
void tsr__element_scatter(tsr__element_walk *walk, size_t count, const void *from);

#endif
