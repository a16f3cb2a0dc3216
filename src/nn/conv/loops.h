/* Convolution by plain loops, for every dtype that adds up in itself. */
#ifndef TSR_NN_CONV_LOOPS_H
#define TSR_NN_CONV_LOOPS_H

#include "nn/conv/conv.h"

/* One row of outputs. x is the image and the first channel of the group, w the filter. */
typedef struct tsr__conv_row {
  const tsr__conv *c;
  const tsr__conv_tensors *t;
  const void *x, *w, *bias; /* bias: one number, or NULL */
  void *out;
  tsr_index y; /* the row of x that the first tap meets; may be outside */
} tsr__conv_row;

typedef void tsr__conv_row_fn(const tsr__conv_row *r);

/* By dtype; integers of one size share one. NULL: none. */
#define X(isa) extern tsr__conv_row_fn *const tsr__conv_rows_##isa[TSR_DTYPE_COUNT];
TSR_ISA_LIST(X)
#undef X

#endif
