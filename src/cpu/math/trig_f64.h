/* sin and cos in f64, of angles up to 2^30: x = n·π + r with |r| ≤ π/2, and one polynomial. n·π is subtracted in three
 * parts, the first of which leaves no error; the others matter where r is small, and then lose nothing either. tan: the
 * same with π/2, and what r lost, because slopes are up to 2. */
#ifndef TSR_CPU_MATH_TRIG_F64_H
#define TSR_CPU_MATH_TRIG_F64_H

#include "cpu/math/exp_f64.h"

#if TSR__WIDE

#define TSR__OVER_PI_F64 0x1.45f306dc9c883p-2
#define TSR__ANGLE_LIMIT_F64 0x1p30

/* sin(x - n·π), with the sign of sin x where n is odd in the last bit of turns. */
TSR__INLINE tsr__vf64 tsr__sin_turned_vf64(tsr__vf64 x, tsr__vf64 n, tsr__vu64 turns) {
  static const double c[] = {-0x1.5555555555555p-3,  0x1.11111111110cbp-7,   -0x1.a01a01a01519dp-13,
                             0x1.71de3a52c1922p-19,  -0x1.ae6454e497be0p-26, 0x1.6123d13db6941p-33,
                             -0x1.ae44a2fc3115cp-41, 0x1.8851269ea6a0ep-49};
  const tsr__vf64 first = tsr__vf64_by(n, -0x1.921fb54442d18p+1, x),
                  second = tsr__vf64_by(n, -0x1.1a62633145c07p-53, first);
  const tsr__vf64 r = tsr__vf64_by(n, 0x1.f1976b7ed8fbcp-109, second), z = r * r;
  const tsr__vf64 lost = tsr__vf64_madd(r, r, -z); /* by z, which is half a unit off: near π/2 that counts */
  const tsr__vf64 w = tsr__vf64_madd(z, tsr__vf64_polynomial(z, c, 7), lost * -0.16), y = tsr__vf64_madd(r, w, r);
  return (tsr__vf64)((tsr__vu64)y ^ (turns << 63));
}

/* Below 2^-27 sin x is x, and keeps its sign. */
#define TSR__SIN_LOW_F64 -TSR__ANGLE_LIMIT_F64
#define TSR__SIN_HIGH_F64 TSR__ANGLE_LIMIT_F64
TSR__INLINE tsr__vf64 tsr__sin_in_range_vf64(tsr__vf64 x) {
  const tsr__vf64 shifted = tsr__vf64_madd(x, tsr__vf64_all(TSR__OVER_PI_F64), tsr__vf64_all(TSR__SHIFT_F64));
  const tsr__vf64 y = tsr__sin_turned_vf64(x, shifted - TSR__SHIFT_F64, (tsr__vu64)shifted);
  return tsr__vf64_if_less(tsr__vf64_abs(x), tsr__vf64_all(0x1p-27), x, y);
}

/* cos x = sin(x + π/2). */
#define TSR__COS_LOW_F64 -TSR__ANGLE_LIMIT_F64
#define TSR__COS_HIGH_F64 TSR__ANGLE_LIMIT_F64
TSR__INLINE tsr__vf64 tsr__cos_in_range_vf64(tsr__vf64 x) {
  const tsr__vf64 shifted = tsr__vf64_madd(x, tsr__vf64_all(TSR__OVER_PI_F64), tsr__vf64_all(0.5)) + TSR__SHIFT_F64;
  return tsr__sin_turned_vf64(x, (shifted - TSR__SHIFT_F64) - 0.5, (tsr__vu64)shifted);
}

/* tan r = r + r·w by Lambert's continued fraction, to nine places; tan(r + π/2) = -1/tan r. low is small beside r. */
TSR__INLINE tsr__vf64 tsr__tan_small_vf64(tsr__vf64 r, tsr__vf64 low, tsr__vu64 turns) {
  static const double above[] = {11486475, -810810, 12870, -44}, below[] = {34459425, -16216200, 945945, -13860, 45};
  const tsr__vf64 z = r * r, w = z * tsr__vf64_polynomial(z, above, 3) / tsr__vf64_polynomial(z, below, 4);
  const tsr__vf64 near = tsr__vf64_madd(r, w, r), more = low * tsr__vf64_step(near, near, 1);
  const tsr__vf64 tan = r + tsr__vf64_madd(r, w, more), inverse = -1.0 / near;
  const tsr__vf64 lost = tsr__vf64_madd(r, w, r - near) + more; /* from near, by the slope of -1/near */
  const tsr__vf64 turned = tsr__vf64_madd(inverse * inverse, lost, inverse);
  const tsr__vu64 odd = -(turns & 1);
  return (tsr__vf64)(((tsr__vu64)turned & odd) | ((tsr__vu64)tan & ~odd));
}

#define TSR__TAN_LOW_F64 -TSR__ANGLE_LIMIT_F64
#define TSR__TAN_HIGH_F64 TSR__ANGLE_LIMIT_F64
TSR__INLINE tsr__vf64 tsr__tan_in_range_vf64(tsr__vf64 x) {
  const tsr__vf64 shifted = tsr__vf64_madd(x, tsr__vf64_all(2 * TSR__OVER_PI_F64), tsr__vf64_all(TSR__SHIFT_F64));
  const tsr__vf64 n = shifted - TSR__SHIFT_F64, first = tsr__vf64_by(n, -0x1.921fb54442d18p+0, x);
  const tsr__vf64 next = n * 0x1.1a62633145c07p-54, second = first - next;
  const tsr__vf64 next_lost = tsr__vf64_by(n, 0x1.1a62633145c07p-54, -next), lost = (first - second) - next;
  const tsr__vf64 rest = tsr__vf64_by(n, 0x1.f1976b7ed8fbcp-110, lost - next_lost), r = second + rest;
  const tsr__vf64 y = tsr__tan_small_vf64(r, rest - (r - second), (tsr__vu64)shifted);
  return tsr__vf64_if_less(tsr__vf64_abs(x), tsr__vf64_all(0x1p-27), x, y);
}

#endif
#endif
