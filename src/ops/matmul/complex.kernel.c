/* Packing of complex matrices, and such a matrix by a vector; compiled once per instruction set. */
#include "ops/matmul/complex.h"

#include "cpu/vec/pairs.h"

#if TSR_HAVE_MALLOC && TSR_HAVE_COMPLEX

/* Bytes of a matrix that the second cache holds. */
#define NEAR 524288.0

#define TYPE f32
#define E float
#include "ops/matmul/complex.tmpl.h"

#if TSR_HAVE_C128
#define TYPE f64
#define E double
#include "ops/matmul/complex.tmpl.h"
#endif

#endif
