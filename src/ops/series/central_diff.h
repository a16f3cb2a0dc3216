/* The rows of tsr_central_diff. */
#ifndef TSR_OPS_SERIES_GRADIENT_H
#define TSR_OPS_SERIES_GRADIENT_H

#include "cpu/isa.h"
#include "cpu/iterate.h"

/* The arg of a row. */
typedef struct tsr__central_diff_taps {
  ptrdiff_t step;    /* from one element that counts to the next, in bytes */
  tsr_real distance; /* of quotients */
} tsr__central_diff_taps;

/* at[0] is the output, at[1] the first element that counts. */
typedef struct tsr__central_diff_kernels {
  tsr__row_fn *quotients; /* (second - first) / distance */
  tsr__row_fn *sums;      /* of three elements with the three weights at at[2] */
} tsr__central_diff_kernels;

typedef const tsr__central_diff_kernels tsr__central_diff_table[2]; /* f32, f64 */
TSR__DECLARE_FOR_ISAS(tsr__central_diff_table, tsr__central_diff)

#endif
