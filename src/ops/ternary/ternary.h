/* The family of ops with three inputs: one row is one op, as in ops/binary/binary.h. Its value is of a, b and c, and of
 * p where the op has a number as well. */
#ifndef TSR_OPS_TERNARY_TERNARY_H
#define TSR_OPS_TERNARY_TERNARY_H

#include "ops/elementwise/kernels.h"

/* Every integer its own kernel, bool that of u8; floats. */
#define TSR__TERNARY_ORDER(X) X(clamp, ANY, LIGHT, FN(clamped)(a, b, c))
/* Integers of one size share a kernel; floats. */
#define TSR__TERNARY_WRAP(X)                           \
  X(fma, NUMBERS, LIGHT, FN(product_and_sum)(a, b, c)) \
  X(addcmul, NUMBERS, LIGHT, FN(with_product)(a, b, c, p))
/* Floats alone. */
#define TSR__TERNARY_FLOATS(X) X(lerp, FLOATS, LIGHT, FN(between)(a, b, c))
/* By the size of an element, whatever it means; the first input is bool. */
#define TSR__TERNARY_MOVE(X) X(where, MOVE, LIGHT, a != 0 ? b : c)

/* All of them. */
#define TSR__TERNARY_LIST(X) TSR__TERNARY_ORDER(X) TSR__TERNARY_WRAP(X) TSR__TERNARY_FLOATS(X) TSR__TERNARY_MOVE(X)

#define X(op, ...) TSR__DECLARE_KERNELS(op)
TSR__TERNARY_LIST(X)
#undef X

#endif
