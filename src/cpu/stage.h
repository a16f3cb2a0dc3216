/* A stage: a function that works on numbers in vector registers, and calls the next (fuse/stage.h). */
#ifndef TSR_CPU_STAGE_H
#define TSR_CPU_STAGE_H

#include <stddef.h>

typedef void tsr__stage_fn(void); /* its type is the kernels': TSR__STAGE_ARGUMENTS */

/* Element i of operand k is step[k] * i bytes from at[k] on; 0: it is one for all. row[k]: bytes to the next row. */
typedef struct tsr__stage {
  tsr__stage_fn *run;
  char *at[2];
  ptrdiff_t step[2], row[2];
} tsr__stage;

/* What a stage gets: itself, the number of the first element, and two blocks of four vectors V, the top and what is below it. */
#define TSR__STAGE_ARGUMENTS(V) const tsr__stage *s, ptrdiff_t i, V a0, V a1, V a2, V a3, V b0, V b1, V b2, V b3

#endif
