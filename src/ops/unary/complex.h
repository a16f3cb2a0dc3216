/* The kernels of complex functions, which the C library has: one for all instruction sets (complex.c). */
#ifndef TSR_OPS_UNARY_COMPLEX_H
#define TSR_OPS_UNARY_COMPLEX_H

#include "cpu/iterate.h"
#include <tessera/config.h>

#if TSR_HAVE_COMPLEX
#define TSR__UNARY_ROW_FLOATING(op) \
  tsr__row_fn tsr__row_##op##_c64;  \
  tsr__row_fn tsr__row_##op##_c128;
#define TSR__UNARY_ROW_ANGLE(op) TSR__UNARY_ROW_FLOATING(op)
#define TSR__UNARY_ROW_OWN(op)
#define TSR__UNARY_ROW_VALUE(op)
#define TSR__UNARY_ROW_SIZE(op)
#define TSR__UNARY_ROW_FLOAT(op)
#define TSR__UNARY_ROW_BITWISE(op)
#define TSR__UNARY_ROW_FLOAT_TEST(op)
#define TSR__UNARY_ROW_TEST(op)
#define UNARY_EACH(op, kind, weight) TSR__UNARY_ROW_##kind(op)
#include "ops/unary/rows.def"
#endif

#endif
