/* pow of f32, a vector of f64 at a time: 2^(y·log2 x), by the parts of log_f64.h. What is rounded on the way is far
 * below the last place of f32. */
#ifndef TSR_CPU_MATH_POW_F32_H
#define TSR_CPU_MATH_POW_F32_H

#include "cpu/math/exp_f64.h"
#include "cpu/math/log_f64.h"

#if TSR__WIDE

/* mask ? yes : no. */
TSR__INLINE tsr__vf64 tsr__vf64_pick(tsr__vi64 mask, tsr__vf64 yes, tsr__vf64 no) {
  return (tsr__vf64)((mask & (tsr__vi64)yes) | (~mask & (tsr__vi64)no));
}

/* Vectors whose steps take turns: one alone waits for itself, and the machine does not look far enough ahead to begin
 * the next ones meanwhile. */
enum { TSR__POW_WAYS = 4 };
#define TSR__POW_EACH(ways) TSR__UNROLL(4) for (int j = 0; j < (ways); j++)

/* y·log2 x for x > 0, finite; the logarithm within 2^-37 of itself. */
TSR__INLINE void tsr__log2_brief_vf64(int ways, const tsr__vf64 *x, const tsr__vf64 *y, tsr__vf64 *t) {
  static const double c[] = {0x1.71547652b82fep+0,  -0x1.71547652ed7cdp-1, 0x1.ec7097e882bebp-2,
                             -0x1.7154699451d0ap-2, 0x1.27c162f84d89ep-2,  -0x1.ed25d0164824dp-3};
  tsr__vf64 r[TSR__POW_WAYS], top[TSR__POW_WAYS];
  TSR__POW_EACH(ways) {
    const tsr__log_split_wide s = tsr__log_split_vf64(x[j]);
    const tsr__vf64 m = (tsr__vf64)((tsr__vu64)x[j] - s.exponent);
    r[j] = tsr__vf64_step(m, tsr__vf64_of_16(tsr__logarithm_2.factor, s.part), -1);
    top[j] = s.k + tsr__vf64_of_16(tsr__logarithm_2.log, s.part);
    t[j] = tsr__vf64_all(c[5]);
  }
  TSR__UNROLL(5)
  for (int i = 4; i >= 0; i--) TSR__POW_EACH(ways) t[j] = tsr__vf64_step(t[j], r[j], c[i]);
  TSR__POW_EACH(ways) t[j] = y[j] * tsr__vf64_madd(t[j], r[j], top[j]);
}

/* 2^t, within 2^-28; beyond ±300, which is beyond f32, it stays there. */
TSR__INLINE void tsr__exp2_brief_vf64(int ways, const tsr__vf64 *t, tsr__vf64 *z) {
  static const double c[] = {1,
                             0x1.62e430d0c23a3p-1,
                             0x1.ebfbe0d104cfbp-3,
                             0x1.c6aecbff44b62p-5,
                             0x1.3b29ad1a1ae9ap-7,
                             0x1.5f48f16c3851ep-10,
                             0x1.448e4692cd5c3p-13};
  const tsr__vf64 most = tsr__vf64_all(300), least = tsr__vf64_all(-300);
  tsr__vf64 f[TSR__POW_WAYS], shifted[TSR__POW_WAYS];
  TSR__POW_EACH(ways) {
    const tsr__vf64 below = tsr__vf64_if_less(t[j], most, t[j], most);
    const tsr__vf64 within = tsr__vf64_if_less(least, below, below, least);
    shifted[j] = within + TSR__SHIFT_F64;
    f[j] = within - (shifted[j] - TSR__SHIFT_F64);
    z[j] = tsr__vf64_all(c[6]);
  }
  TSR__UNROLL(6)
  for (int i = 5; i >= 0; i--) TSR__POW_EACH(ways) z[j] = tsr__vf64_step(z[j], f[j], c[i]);
  TSR__POW_EACH(ways) z[j] = tsr__scale_vf64(z[j], (tsr__vu64)shifted[j]);
}

/* x > 0 and y finite. */
TSR__INLINE void tsr__pow_near_vf64(int ways, const tsr__vf64 *x, const tsr__vf64 *y, tsr__vf64 *z) {
  tsr__vf64 t[TSR__POW_WAYS];
  tsr__log2_brief_vf64(ways, x, y, t);
  tsr__exp2_brief_vf64(ways, t, z);
}

/* The sign of x where y is an odd number, as the top bit; whole where y is a whole number. From 2^24 on numbers of f32
 * are even, and count as 2^24. */
TSR__INLINE tsr__vu64 tsr__pow_sign_vf64(tsr__vf64 x, tsr__vf64 y, tsr__vi64 *whole) {
  const tsr__vf64 size = tsr__vf64_abs(y), most = tsr__vf64_all(0x1p24);
  const tsr__vf64 counted = tsr__vf64_if_less(size, most, size, most), shifted = counted + 0x1p52;
  *whole = shifted - 0x1p52 == counted;
  return ((tsr__vu64)shifted << 63) & (tsr__vu64)*whole & (tsr__vu64)x;
}

/* Any x and y, by the table of C99's Annex F; the bits of tsr__pow_near_vf64 where that is right. */
TSR__INLINE tsr__vf64 tsr__pow_any_vf64(tsr__vf64 x, tsr__vf64 y) {
  const tsr__vf64 size = tsr__vf64_abs(x), infinite = tsr__vf64_all(__builtin_inf()), one = tsr__vf64_all(1);
  tsr__vf64 t, power;
  tsr__log2_brief_vf64(1, &size, &y, &t);
  t = tsr__vf64_if_less(size, infinite, t, y * size);
  t = tsr__vf64_pick(size > 0.0, t, y * -infinite);
  tsr__exp2_brief_vf64(1, &t, &power);
  power = tsr__vf64_pick(size == 1.0, one, power); /* ±1 to the power ±inf too */
  tsr__vi64 whole;
  const tsr__vu64 sign = tsr__pow_sign_vf64(x, y, &whole);
  const tsr__vi64 no_root = (x < 0.0) & (size < infinite) & ~whole;
  const tsr__vf64 none = tsr__vf64_all(__builtin_nan(""));
  const tsr__vf64 real = tsr__vf64_pick(no_root, none, (tsr__vf64)((tsr__vu64)power | sign));
  const tsr__vf64 number = tsr__vf64_pick((x == x) & (y == y), real, x + y);
  return tsr__vf64_pick((x == 1.0) | (y == 0.0), one, number);
}

#endif
#endif
