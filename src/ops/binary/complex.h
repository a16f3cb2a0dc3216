/* The kernels of complex powers: one for all instruction sets (complex.c). */
#ifndef TSR_OPS_BINARY_COMPLEX_H
#define TSR_OPS_BINARY_COMPLEX_H

#include "cpu/iterate.h"

tsr__row_fn tsr__row_pow_c64, tsr__row_pow_c128;

#endif
