/* The rows of tsr_gradient. */
#ifndef TSR_OPS_SERIES_GRADIENT_H
#define TSR_OPS_SERIES_GRADIENT_H

#include "cpu/isa.h"
#include "cpu/iterate.h"

/* The arg of a row. */
typedef struct tsr__gradient_taps {
  ptrdiff_t step;    /* from one element that counts to the next, in bytes */
  tsr_real distance; /* of quotients */
} tsr__gradient_taps;

/* at[0] is the output, at[1] the first element that counts. */
typedef struct tsr__gradient_kernels {
  tsr__row_fn *quotients; /* (second - first) / distance */
  tsr__row_fn *sums;      /* of three elements with the three weights at at[2] */
} tsr__gradient_kernels;

#define X(isa) extern const tsr__gradient_kernels tsr__gradient_##isa[2]; /* f32, f64 */
TSR_ISA_LIST(X)
#undef X

#endif
