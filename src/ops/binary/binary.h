/* The family: one row is one op. A row says what dtypes it takes (ops/promote.h), what a thread should at least do
 * (ops/elementwise/elementwise.h), and its value for a and b of one compute type C. The lists differ in which
 * compute types have a kernel of their own. Kernels of LIGHT ops have row batches (tsr__row_batch). */
#ifndef TSR_OPS_BINARY_BINARY_H
#define TSR_OPS_BINARY_BINARY_H

#include "ops/elementwise/kernels.h"

/* Integers of one size share a kernel, because their bits agree; floats. The last column is the value for bool. */
#define TSR__BINARY_WRAP(X)            \
  X(add, ANY, LIGHT, a + b, a | b)     \
  X(sub, NUMBERS, LIGHT, a - b, a ^ b) \
  X(mul, ANY, LIGHT, a *b, a &b)

/* Every integer its own kernel, bool that of u8; floats. */
#define TSR__BINARY_ORDER(X)                                \
  X(maximum, ANY, LIGHT, (FN(is_nan)(a) | (a > b)) ? a : b) \
  X(minimum, ANY, LIGHT, (FN(is_nan)(a) | (a < b)) ? a : b)

/* Floats; the integers' kernels are those of another op. */
#define TSR__BINARY_ORDER_FLOATS(X)                                \
  X(fmax, ANY, LIGHT, (FN(is_nan)(b) | (a >= b)) ? a : b, maximum) \
  X(fmin, ANY, LIGHT, (FN(is_nan)(b) | (a <= b)) ? a : b, minimum)

/* Every integer its own kernel; floats. Too much for a loop for each way that a row can lie. */
#define TSR__BINARY_NUMBERS(X) X(pow, NUMBERS, HEAVY, FN(power)(a, b))
/* The same; the last column names a function of divide.tmpl.h, with _in_range the one for floats with small quotients.
 */
#define TSR__BINARY_DIVISIONS(X)                    \
  X(floor_divide, NUMBERS, HEAVY, floored_quotient) \
  X(remainder, NUMBERS, HEAVY, floored_rest)        \
  X(fmod, NUMBERS, HEAVY, cut_rest)

/* Floats alone. */
#define TSR__BINARY_FLOATS(X)  \
  X(div, FLOATS, LIGHT, a / b) \
  X(copysign, FLOATS, LIGHT, MATH(copysign)(a, b))
#define TSR__BINARY_HEAVY_FLOATS(X)        \
  X(atan2, FLOATS, HEAVY, FN(angle)(a, b)) \
  X(hypot, FLOATS, HEAVY, FN(length)(a, b))

/* Floats of every format, by their bits: unsigned integers, and the largest pattern that is not NaN. */
#define TSR__BINARY_FORMAT(X) X(nextafter, FORMAT, LIGHT, FN(stepped)(a, b, largest))

/* The result is bool: integers of one size share a kernel; every integer its own. */
#define TSR__BINARY_SAME(X)     \
  X(eq, COMPARE, LIGHT, a == b) \
  X(ne, COMPARE, LIGHT, a != b)
#define TSR__BINARY_LESS(X)    \
  X(lt, COMPARE, LIGHT, a < b) \
  X(le, COMPARE, LIGHT, a <= b)
/* The last column is the op that this is with its inputs swapped. */
#define TSR__BINARY_GREATER(X) \
  X(gt, COMPARE, LIGHT, lt)    \
  X(ge, COMPARE, LIGHT, le)

/* Integers of one size share a kernel. */
#define TSR__BINARY_BITS(X)         \
  X(bitwise_and, BITS, LIGHT, a &b) \
  X(bitwise_or, BITS, LIGHT, a | b) \
  X(bitwise_xor, BITS, LIGHT, a ^ b)
#define TSR__BINARY_SHIFT_UP(X) X(shift_left, SHIFT, LIGHT, FN(shifted_up)(a, b))
/* Every integer its own. */
#define TSR__BINARY_SHIFT_DOWN(X) X(shift_right, SHIFT, LIGHT, FN(shifted_down)(a, b))

/* Bool alone: the engine converts what is not. */
#define TSR__BINARY_TRUTH(X)         \
  X(logical_and, TRUTH, LIGHT, a &b) \
  X(logical_or, TRUTH, LIGHT, a | b) \
  X(logical_xor, TRUTH, LIGHT, a ^ b)

/* All of them. */
#define TSR__BINARY_LIST(X)   \
  TSR__BINARY_WRAP(X)         \
  TSR__BINARY_ORDER(X)        \
  TSR__BINARY_ORDER_FLOATS(X) \
  TSR__BINARY_NUMBERS(X)      \
  TSR__BINARY_DIVISIONS(X)    \
  TSR__BINARY_FLOATS(X)       \
  TSR__BINARY_HEAVY_FLOATS(X) \
  TSR__BINARY_FORMAT(X)       \
  TSR__BINARY_SAME(X)         \
  TSR__BINARY_LESS(X)         \
  TSR__BINARY_GREATER(X)      \
  TSR__BINARY_BITS(X)         \
  TSR__BINARY_SHIFT_UP(X)     \
  TSR__BINARY_SHIFT_DOWN(X)   \
  TSR__BINARY_TRUTH(X)

/* Ops that take a number on the right, and on the left where the order matters. The number becomes the tensor's
 * dtype; with FLOATS, an integer tensor and the number both become floats. */
/* clang-format off */
#define TSR__BINARY_SCALAR(X)                                                                  \
  X(add, ANY) X(sub, ANY) X(mul, ANY) X(div, FLOATS) X(floor_divide, ANY) X(remainder, ANY)    \
  X(pow, FLOATS) X(maximum, ANY) X(minimum, ANY)                                               \
  X(eq, ANY) X(ne, ANY) X(lt, ANY) X(le, ANY) X(gt, ANY) X(ge, ANY)                            \
  X(bitwise_and, ANY) X(bitwise_or, ANY) X(bitwise_xor, ANY) X(shift_left, ANY) X(shift_right, ANY)
/* clang-format on */
/* clang-format off */
#define TSR__BINARY_REVERSED(X) \
  X(sub, ANY) X(div, FLOATS) X(floor_divide, ANY) X(remainder, ANY) X(pow, FLOATS)
/* clang-format on */

/* Those that take a whole number of 64 bits as well: where 2^53 matters. */
/* clang-format off */
#define TSR__BINARY_SCALAR_I64(X)                                                                     \
  X(add) X(sub) X(mul) X(floor_divide) X(remainder) X(maximum) X(minimum)                             \
  X(eq) X(ne) X(lt) X(le) X(gt) X(ge) X(bitwise_and) X(bitwise_or) X(bitwise_xor)
/* clang-format on */
#define TSR__BINARY_REVERSED_I64(X) X(sub) X(floor_divide) X(remainder)

#define X(op, ...) TSR__DECLARE_KERNELS(op)
TSR__BINARY_LIST(X)
#undef X

#endif
