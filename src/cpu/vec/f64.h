/* What functions of f64 are written with: vectors of doubles and of their bits, comparisons that choose, a table of 16
 * in registers. TSR__WIDE says whether products are fused, without which the C library is as good. Included by kernel
 * files only. */
#ifndef TSR_CPU_VEC_F64_H
#define TSR_CPU_VEC_F64_H

#include <tessera/config.h>

#if TSR_HAVE_F64 && ((defined(__AVX2__) && defined(__FMA__)) || defined(__aarch64__))
#define TSR__WIDE 1
#else
#define TSR__WIDE 0
#endif

#if TSR__WIDE

#include "cpu/vec/vec.h"

#include <stdbool.h>

enum { TSR__LANES_F64 = TSR__VEC_BYTES / 8 };

typedef uint64_t tsr__vu64 __attribute__((vector_size(TSR__VEC_BYTES)));

/* a·b + c where b or c is the same in every lane: constants of polynomials. */
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

TSR__INLINE tsr__vf64 tsr__vf64_abs(tsr__vf64 x) { return (tsr__vf64)((tsr__vu64)x & ~((uint64_t)1 << 63)); }

/* y, which is not negative, with the sign of x. */
TSR__INLINE tsr__vf64 tsr__vf64_signed(tsr__vf64 y, tsr__vf64 x) {
  return (tsr__vf64)((tsr__vu64)y | ((tsr__vu64)x & ((uint64_t)1 << 63)));
}

/* a < b ? yes : no. */
TSR__INLINE tsr__vf64 tsr__vf64_if_less(tsr__vf64 a, tsr__vf64 b, tsr__vf64 yes, tsr__vf64 no) {
#if TSR__VEC_BYTES == 64
  return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(a, b, _CMP_LT_OQ), no, yes);
#else
  const tsr__vi64 mask = a < b;
  return (tsr__vf64)((mask & (tsr__vi64)yes) | (~mask & (tsr__vi64)no));
#endif
}

/* mask ? yes : no. */
TSR__INLINE tsr__vf64 tsr__vf64_pick(tsr__vi64 mask, tsr__vf64 yes, tsr__vf64 no) {
  return (tsr__vf64)((mask & (tsr__vi64)yes) | (~mask & (tsr__vi64)no));
}

/* Whether low ≤ x ≤ high in every lane; NaN is not. */
TSR__INLINE bool tsr__vf64_between(tsr__vf64 x, double low, double high) {
#if TSR__VEC_BYTES == 64
  const __mmask8 above = _mm512_cmp_pd_mask(x, tsr__vf64_all(low), _CMP_GE_OQ);
  return _mm512_mask_cmp_pd_mask(above, x, tsr__vf64_all(high), _CMP_LE_OQ) == 0xff;
#else
  const tsr__vi64 inside = (x >= low) & (x <= high);
  int64_t all = inside[0];
  for (int i = 1; i < TSR__LANES_F64; i++) all &= inside[i];
  return all != 0;
#endif
}

/* table[index mod 16]. */
TSR__INLINE tsr__vf64 tsr__vf64_of_16(const double *table, tsr__vu64 index) {
#if TSR__VEC_BYTES == 64
  return _mm512_permutex2var_pd(tsr__vf64_load(table), (__m512i)index, tsr__vf64_load(table + 8));
#else
  const tsr__vu64 within = index & 15;
  tsr__vf64 v = {0};
  for (int i = 0; i < TSR__LANES_F64; i++) v[i] = table[within[i]];
  return v;
#endif
}

#endif
#endif
