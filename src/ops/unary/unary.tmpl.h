/* One compute type of the unary ops that are not activations. */
#include "ops/unary/rows.tmpl.h"

#if C_FLOAT
/* Of a number on the real line: 0, or π where its sign is set. */
static inline C FN(angle_of)(C x) {
  const C angle = __builtin_signbit(x) ? (C)3.14159265358979323846 : 0;
  return x == x ? angle : x;
}
TSR__UNARY_KERNEL_OF(conj, x)
TSR__UNARY_KERNEL_OF(angle, FN(angle_of)(x))
#define UNARY_NUMERIC(op, ...) TSR__UNARY_KERNEL_OF_FEW(op)
#define UNARY_ROUNDING(op, ...) TSR__UNARY_KERNEL(op)
#define UNARY_ROOTS(op, ...) TSR__UNARY_KERNEL(op)
#if C_BITS == 64 && TSR__WIDE
TSR__WIDE_KERNEL(exp2, TSR__EXP2_LOW_F64, TSR__EXP2_HIGH_F64)
TSR__WIDE_KERNEL(expm1, TSR__EXPM1_LOW_F64, TSR__EXPM1_HIGH_F64)
TSR__WIDE_KERNEL(erf, TSR__ERF_LOW_F64, TSR__ERF_HIGH_F64)
#else
#define UNARY_SMOOTH(op, ...) TSR__UNARY_KERNEL(op)
#endif
#include "ops/unary/rows.def"
TSR__UNARY_TEST_OF(isnan, x != x)
TSR__UNARY_TEST_OF(isinf, x - x != 0 && x == x)
TSR__UNARY_TEST_OF(isfinite, x - x == 0)
#elif C_SIGNED
TSR__UNARY_KERNEL_OF(abs, (C)(x < 0 ? -x : x))
TSR__UNARY_KERNEL_OF(sign, (C)((x > 0) - (x < 0)))
TSR__UNARY_KERNEL_OF(relu, (C)(x < 0 ? 0 : x))
#else /* and whatever does the same to the bits of a signed number */
TSR__UNARY_KERNEL_OF(neg, (C)(0 - x))
TSR__UNARY_KERNEL_OF(sign, (C)(x != 0))
TSR__UNARY_KERNEL_OF(square, (C)((uint64_t)x *x))
TSR__UNARY_KERNEL_OF(same, x)
TSR__UNARY_KERNEL_OF(bitwise_not, (C)~x)
#endif
#if C_FLOAT || !C_SIGNED
TSR__UNARY_TEST_OF(logical_not, x == 0)
#endif
