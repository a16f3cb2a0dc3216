/* What elementary functions are written with where products are fused: constants of polynomials, signs, magnitudes.
 * TSR__WIDE says whether that is so; without it the C library is as good. Included by kernel files only. */
#ifndef TSR_CPU_VEC_POLYNOMIAL_H
#define TSR_CPU_VEC_POLYNOMIAL_H

#include "cpu/vec/vec.h"

#if TSR_HAVE_F64 && TSR__VEC_FUSED
#define TSR__WIDE 1
#else
#define TSR__WIDE 0
#endif

#if TSR__WIDE

/* a·b + c where b or c is the same in every lane. */
TSR__INLINE tsr__vf32 tsr__vf32_step(tsr__vf32 a, tsr__vf32 b, float c) {
  return tsr__vf32_madd(a, b, tsr__vf32_all(c));
}
TSR__INLINE tsr__vf32 tsr__vf32_by(tsr__vf32 a, float b, tsr__vf32 c) { return tsr__vf32_madd(a, tsr__vf32_all(b), c); }
TSR__INLINE tsr__vf64 tsr__vf64_step(tsr__vf64 a, tsr__vf64 b, double c) {
  return tsr__vf64_madd(a, b, tsr__vf64_all(c));
}
TSR__INLINE tsr__vf64 tsr__vf64_by(tsr__vf64 a, double b, tsr__vf64 c) {
  return tsr__vf64_madd(a, tsr__vf64_all(b), c);
}

/* c[0] + c[1]·x + … + c[degree]·x^degree; degree is a constant. */
TSR__INLINE tsr__vf64 tsr__vf64_polynomial(tsr__vf64 x, const double *c, int degree) {
  tsr__vf64 p = tsr__vf64_all(c[degree]);
  TSR__UNROLL(24)
  for (int i = degree - 1; i >= 0; i--) p = tsr__vf64_step(p, x, c[i]);
  return p;
}

TSR__INLINE tsr__vf32 tsr__vf32_abs(tsr__vf32 x) { return (tsr__vf32)((tsr__vu32)x & 0x7fffffffu); }
TSR__INLINE tsr__vf64 tsr__vf64_abs(tsr__vf64 x) { return (tsr__vf64)((tsr__vu64)x & ~((uint64_t)1 << 63)); }

/* y, which is not negative, with the sign of x. */
TSR__INLINE tsr__vf64 tsr__vf64_signed(tsr__vf64 y, tsr__vf64 x) {
  return (tsr__vf64)((tsr__vu64)y | ((tsr__vu64)x & ((uint64_t)1 << 63)));
}

#endif
#endif
