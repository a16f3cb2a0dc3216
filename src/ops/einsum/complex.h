/* Products of complex numbers, row by row, for what is no matrix product. */
#ifndef TSR_OPS_EINSUM_COMPLEX_H
#define TSR_OPS_EINSUM_COMPLEX_H

#include <stdbool.h>
#include "cpu/iterate.h"

typedef struct tsr__conjugates {
  bool a, b;
} tsr__conjugates;

/* at[0] = at[1] · at[2]; its arg is a tsr__conjugates. NULL where the build has no complex numbers. */
tsr__row_fn *tsr__complex_multiply(int dtype);

#endif
