/* pow of f64 by vectors: the form of pow_f32.h, with the logarithm and the product as sums of two doubles. Factors are
 * the same, and r is exact again; coefficients are those of scripts/derive_polynomials.py. */
#ifndef TSR_CPU_MATH_POW_F64_H
#define TSR_CPU_MATH_POW_F64_H

#include "cpu/math/exp_f64.h"
#include "cpu/math/log_f64.h"

#if TSR__WIDE

static const double tsr__pow_factor_f64[16] = {1.40625, 1.34375, 1.28125,  1.25,    1.1875,  1.15625,
                                               1.09375, 1.0625,  1.03125,  1,       0.96875, 0.90625,
                                               0.84375, 0.8125,  0.765625, 0.734375};
static const double tsr__pow_log_f64[16] = {
    -0x1.f7a8568cbp-2, -0x1.b47ebf7388p-2, -0x1.6e221cd9dp-2, -0x1.49a784bcdp-2, -0x1.fbc16b9028p-3,
    -0x1.acf5e2db5p-3, -0x1.08c588cda8p-3, -0x1.663f6fac9p-4, -0x1.6bad3758ep-5, 0,
    0x1.77394c9dap-5,  0x1.22dadc2abp-3,   0x1.f5fd8a906p-3,  0x1.32bfee371p-2,  0x1.8a8980abfcp-2,
    0x1.c819dc2d44p-2};
static const double tsr__pow_log_low_f64[16] = {-0x1.b3b3864c60011p-44, -0x1.50520a377c7ecp-45,
                                                -0x1.9bcaf1aa4168ap-43, -0x1.b8afe492bf6ffp-42,
                                                0x1.7f5dc57266758p-43,  0x1.36c101ee13440p-43,
                                                0x1.871a7610e40bdp-45,  -0x1.3167ccc538261p-44,
                                                -0x1.fb0e626c0de13p-42, 0,
                                                -0x1.4e55443478fe0p-42, 0x1.a4b69691d7994p-42,
                                                0x1.f1a4847f7b278p-42,  -0x1.1979a5db68722p-42,
                                                -0x1.66cccab240e90p-45, 0x1.fe43895d8ac46p-42};

#define TSR__POW_START_F64 UINT64_C(0x3fe65a0000000000)

/* t = y·log2(x) for x > 0, a normal number: high, and low, which is small. */
TSR__INLINE void tsr__pow_exponent_vf64(tsr__vf64 x, tsr__vf64 y, tsr__vf64 *high, tsr__vf64 *low) {
  /* (ln(1+r) - r + r²/2) / r³: two chains, of even and odd powers */
  static const double even[] = {0x1.5555555555555p-2, 0x1.99999999999e0p-3, 0x1.249249246ba70p-3,
                                0x1.c71c7301c3df5p-4, 0x1.745a88d9d097ep-4, 0x1.3db674ae0fb77p-4},
                      odd[] = {-0x1.0000000000008p-2, -0x1.5555555545b2fp-3, -0x1.0000005b7ef8cp-3,
                               -0x1.9997aeab392edp-4, -0x1.57bd528c07e96p-4};
  const double slope = 0x1.71547652b82fep+0, slope_low = 0x1.777d0ffda0d24p-56;
  const tsr__log_split_wide s = tsr__log_split_vf64(x, TSR__POW_START_F64);
  const tsr__vf64 m = (tsr__vf64)((tsr__vu64)x - s.exponent);
  const tsr__vf64 r = tsr__vf64_step(m, tsr__vf64_of_16(tsr__pow_factor_f64, s.part), -1), square = r * r;
  const tsr__vf64 v = tsr__vf64_by(square, -0.5, r), lost = tsr__vf64_madd(r * -0.5, r, r - v);
  const tsr__vf64 q = tsr__vf64_madd(tsr__vf64_polynomial(square, odd, 4), r, tsr__vf64_polynomial(square, even, 5));
  const tsr__vf64 cube = square * r,
                  more = tsr__vf64_madd(square, r, -cube); /* and what r² lost by rounding, times r */
  const tsr__vf64 third = tsr__vf64_madd(tsr__vf64_madd(r, r, -square), r, more);
  const tsr__vf64 rest = tsr__vf64_madd(cube, q, tsr__vf64_by(third, 1.0 / 3, lost));
  const tsr__vf64 top = s.k + tsr__vf64_of_16(tsr__pow_log_f64, s.part), sum = tsr__vf64_by(v, slope, top);
  const tsr__vf64 left = tsr__vf64_by(v, slope, top - sum);
  const tsr__vf64 small = left + tsr__vf64_by(v, slope_low, tsr__vf64_of_16(tsr__pow_log_low_f64, s.part));
  *high = y * sum;
  *low = tsr__vf64_madd(y, tsr__vf64_by(rest, slope, small), tsr__vf64_madd(y, sum, -*high));
}

/* In range are positive normal numbers whose results are well inside of the normal ones; other lanes are 0 in in_range,
 * and mean nothing. */
TSR__INLINE tsr__vf64 tsr__pow_in_range_vf64(tsr__vf64 x, tsr__vf64 y, tsr__vi64 *in_range) {
  tsr__vf64 high, low;
  tsr__pow_exponent_vf64(x, y, &high, &low);
  const tsr__vf64 total = high + low, shifted = total + TSR__SHIFT_F64;
  const tsr__vf64 f = (high - (shifted - TSR__SHIFT_F64)) + low;
  *in_range = (x >= 0x1p-1022) & (x <= 0x1.fffffffffffffp1023) & (tsr__vf64_abs(total) < 1020.0);
  const tsr__vf64 power = tsr__scale_vf64(tsr__exp2_small_vf64(f), (tsr__vu64)shifted);
  return tsr__vf64_pick(y == 2.0, x * x, power); /* a square is a product, with the bits of tsr_square */
}

#endif
#endif
