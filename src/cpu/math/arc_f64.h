/* atan2 in f64: the angle of the smaller by the larger of two sizes, from 0 or from π/4, whichever is nearer, and from
 * there to its octant. Quotients are at most tan(π/8), and known to more digits than a double has. */
#ifndef TSR_CPU_MATH_ARC_F64_H
#define TSR_CPU_MATH_ARC_F64_H

#include "cpu/vec/polynomial.h"

#if TSR__WIDE

/* Multiples of π/4, and what they lack. */
static const double tsr__eighths_f64[16] = {0, 0x1.921fb54442d18p-1, 0x1.921fb54442d18p+0, 0x1.2d97c7f3321d2p+1,
                                            0x1.921fb54442d18p+1};
static const double tsr__eighths_low_f64[16] = {0, 0x1.1a62633145c07p-55, 0x1.1a62633145c07p-54, 0x1.a79394c9e8a0ap-54,
                                                0x1.1a62633145c07p-53};

/* high, and low, which is small. */
typedef struct tsr__quotient_wide {
  tsr__vf64 high, low;
} tsr__quotient_wide;

/* less/more, or (less - more) / (less + more) where that is nearer to 0. */
TSR__INLINE tsr__quotient_wide tsr__slope_vf64(tsr__vf64 less, tsr__vf64 more, tsr__vi64 steep) {
  const tsr__vf64 none = {0}, difference = less - more, sum = less + more;
  const tsr__vf64 above = tsr__vf64_pick(steep, difference, less), below = tsr__vf64_pick(steep, sum, more);
  const tsr__vf64 above_lost = tsr__vf64_pick(steep, less - (difference + more), none);
  const tsr__vf64 below_lost = tsr__vf64_pick(steep, less - (sum - more), none);
  const tsr__vf64 inverse = 1.0 / below, high = above * inverse;
  const tsr__vf64 rest = tsr__vf64_madd(-high, below, above) + tsr__vf64_madd(-high, below_lost, above_lost);
  return (tsr__quotient_wide){high, rest * inverse};
}

/* In range are points whose larger size is within 2^±500 and whose smaller one is so or 0; other lanes are 0 in
 * in_range, and mean nothing. */
TSR__INLINE tsr__vf64 tsr__atan2_in_range_vf64(tsr__vf64 y, tsr__vf64 x, tsr__vi64 *in_range) {
  static const double c[] = {-0x1.5555555555543p-2, 0x1.9999999996349p-3, -0x1.24924922e69a3p-3, 0x1.c71c70f96fa85p-4,
                             -0x1.745cfacb12df8p-4, 0x1.3b1138269e337p-4, -0x1.10ecfb026c86fp-4, 0x1.df203d69c644ep-5,
                             -0x1.9d19d11905510p-5, 0x1.387ece2539136p-5, -0x1.26c73186068a2p-6};
  const tsr__vf64 a = tsr__vf64_abs(y), b = tsr__vf64_abs(x);
  const tsr__vi64 swapped = a > b;
  const tsr__vf64 less = tsr__vf64_pick(swapped, b, a), more = tsr__vf64_pick(swapped, a, b);
  const tsr__vi64 steep = less > more * 0x1.a827999fcef32p-2, left = (tsr__vi64)x >> 63;
  const tsr__quotient_wide q = tsr__slope_vf64(less, more, steep);
  const tsr__vf64 z = q.high * q.high, rest = tsr__vf64_madd(q.high * z, tsr__vf64_polynomial(z, c, 10), q.low);
  /* in eighths of a turn: 0 or 1; 2 less those where sizes are swapped; 4 less those on the left */
  const tsr__vi64 first = steep & 1, upper = (swapped & 2) + ((first ^ swapped) - swapped);
  const tsr__vi64 eighths = (left & 4) + ((upper ^ left) - left);
  const tsr__vu64 sign = (tsr__vu64)(swapped ^ left) << 63;
  const tsr__vf64 high = (tsr__vf64)((tsr__vu64)q.high ^ sign), low = (tsr__vf64)((tsr__vu64)rest ^ sign);
  const tsr__vf64 angle = tsr__vf64_of_16(tsr__eighths_f64, (tsr__vu64)eighths) +
                          (high + (low + tsr__vf64_of_16(tsr__eighths_low_f64, (tsr__vu64)eighths)));
  *in_range = (more >= 0x1p-500) & (more <= 0x1p500) & ((less >= 0x1p-500) | (less == 0.0));
  return tsr__vf64_signed(tsr__vf64_abs(angle), y);
}

#endif
#endif
