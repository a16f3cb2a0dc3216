/* exp, exp2, expm1, tanh, sigmoid, silu in f64, where results are normal numbers: the forms of exp_f32.h and erf_f32.h,
 * vectors at a time. Coefficients are those of scripts/derive_polynomials.py. */
#ifndef TSR_CPU_MATH_EXP_F64_H
#define TSR_CPU_MATH_EXP_F64_H

#include "cpu/vec/polynomial.h"

#if TSR__WIDE

#define TSR__SHIFT_F64 0x1.8p52
#define TSR__LOG2E_F64 0x1.71547652b82fep+0
#define TSR__LN2_F64 0x1.62e42fefa39efp-1
#define TSR__LN2_LOW_F64 0x1.abc9e3b39803fp-56

/* x = n·ln 2 + r, and what rounding took from r; the low bits of bits are n. The first difference is exact. */
typedef struct tsr__exp_split_wide {
  tsr__vf64 r, lost;
  tsr__vu64 bits;
} tsr__exp_split_wide;

TSR__INLINE tsr__exp_split_wide tsr__exp_split_vf64(tsr__vf64 x) {
  const tsr__vf64 shifted = tsr__vf64_madd(x, tsr__vf64_all(TSR__LOG2E_F64), tsr__vf64_all(TSR__SHIFT_F64));
  const tsr__vf64 n = shifted - TSR__SHIFT_F64;
  const tsr__vf64 first = tsr__vf64_by(n, -TSR__LN2_F64, x), r = tsr__vf64_by(n, -TSR__LN2_LOW_F64, first);
  return (tsr__exp_split_wide){r, tsr__vf64_by(n, -TSR__LN2_LOW_F64, first - r), (tsr__vu64)shifted};
}

/* p·2^n for p about 1. */
TSR__INLINE tsr__vf64 tsr__scale_vf64(tsr__vf64 p, tsr__vu64 bits) { return (tsr__vf64)((tsr__vu64)p + (bits << 52)); }

#define TSR__EXP_LOW_F64 -708.0
#define TSR__EXP_HIGH_F64 708.0
TSR__INLINE tsr__vf64 tsr__exp_in_range_vf64(tsr__vf64 x) {
  static const double c[] = {1,
                             1,
                             0x1.000000000000cp-1,
                             0x1.5555555555560p-3,
                             0x1.555555554ff99p-5,
                             0x1.111111110db86p-7,
                             0x1.6c16c185c828ep-10,
                             0x1.a01a01b93a783p-13,
                             0x1.a019963933330p-16,
                             0x1.71dde33b8e213p-19,
                             0x1.28b09e7eaa61dp-22,
                             0x1.af806c0c8ac5ep-26};
  const tsr__exp_split_wide s = tsr__exp_split_vf64(x);
  return tsr__scale_vf64(tsr__vf64_polynomial(s.r, c, 11), s.bits);
}

/* 2^f for |f| ≤ 1/2. */
TSR__INLINE tsr__vf64 tsr__exp2_small_vf64(tsr__vf64 f) {
  static const double c[] = {1,
                             0x1.62e42fefa39efp-1,
                             0x1.ebfbdff82c5a5p-3,
                             0x1.c6b08d704a0d9p-5,
                             0x1.3b2ab6fb9fee4p-7,
                             0x1.5d87fe78a095bp-10,
                             0x1.4309130f46d61p-13,
                             0x1.ffcbfc7d998bcp-17,
                             0x1.62bfc68f0e6ccp-20,
                             0x1.b524cb654df9fp-24,
                             0x1.e61d197e63f98p-28,
                             0x1.ea1bc58de50e1p-32};
  return tsr__vf64_polynomial(f, c, 11);
}

#define TSR__EXP2_LOW_F64 -1022.0
#define TSR__EXP2_HIGH_F64 1023.0
TSR__INLINE tsr__vf64 tsr__exp2_in_range_vf64(tsr__vf64 x) {
  const tsr__vf64 shifted = x + TSR__SHIFT_F64, f = x - (shifted - TSR__SHIFT_F64);
  return tsr__scale_vf64(tsr__exp2_small_vf64(f), (tsr__vu64)shifted);
}

/* e^x - 1 as 2^n·(e^r - 1 - r) + (2^n·r + 2^n - 1), and what the sum lost; 0 may lose its sign. */
typedef struct tsr__expm1_wide {
  tsr__vf64 y, lost;
} tsr__expm1_wide;

TSR__INLINE tsr__expm1_wide tsr__expm1_parts_vf64(tsr__vf64 x) {
  static const double c[] = {0x1.0000000000005p-1,  0x1.555555555555bp-3,  0x1.5555555552081p-5,  0x1.111111110eb21p-7,
                             0x1.6c16c17f52dfbp-10, 0x1.a01a01b471840p-13, 0x1.a019a6352be98p-16, 0x1.71dded0e08fc4p-19,
                             0x1.28a2fbdd7383dp-22, 0x1.af71fd45e4a15p-26};
  const tsr__exp_split_wide s = tsr__exp_split_vf64(x);
  const tsr__vf64 rest = tsr__vf64_madd(s.r * s.r, tsr__vf64_polynomial(s.r, c, 9), s.lost);
  const tsr__vf64 power = (tsr__vf64)((s.bits + 1023) << 52);
  const tsr__vf64 first = tsr__vf64_madd(power, s.r, power - 1.0), y = tsr__vf64_madd(power, rest, first);
  return (tsr__expm1_wide){y, tsr__vf64_madd(power, rest, first - y)};
}

#define TSR__EXPM1_LOW_F64 -708.0
#define TSR__EXPM1_HIGH_F64 708.0
TSR__INLINE tsr__vf64 tsr__expm1_in_range_vf64(tsr__vf64 x) {
  return tsr__vf64_signed(tsr__vf64_abs(tsr__expm1_parts_vf64(x).y), x);
}

/* See tsr__tanh_in_range_f32. Below 1 what h lost counts, by the slope of h / (1+h). */
#define TSR__TANH_LOW_F64 -350.0
#define TSR__TANH_HIGH_F64 350.0
TSR__INLINE tsr__vf64 tsr__tanh_in_range_vf64(tsr__vf64 x) {
  const tsr__vf64 a = tsr__vf64_abs(x), one = tsr__vf64_all(1);
  const tsr__expm1_wide e = tsr__expm1_parts_vf64(a + a);
  const tsr__vf64 h = 0.5 * e.y, lost = tsr__vf64_if_less(h, one, 0.5 * e.lost, tsr__vf64_all(0));
  const tsr__vf64 c = tsr__vf64_if_less(h, one, h, one), t = c / (-1.0 - h), slope = (1.0 + t) * (1.0 + t);
  return tsr__vf64_signed(c + tsr__vf64_madd(c, t, lost * slope), x);
}

#define TSR__SIGMOID_LOW_F64 -700.0
#define TSR__SIGMOID_HIGH_F64 700.0
/* 1 / (1 + e^-x), less what the sum lost. */
TSR__INLINE tsr__vf64 tsr__sigmoid_in_range_vf64(tsr__vf64 x) {
  const tsr__vf64 z = tsr__exp_in_range_vf64(-x), one = tsr__vf64_all(1), sum = 1.0 + z, y = 1.0 / sum;
  const tsr__vf64 more = tsr__vf64_if_less(z, one, one, z), less = tsr__vf64_if_less(z, one, z, one);
  return tsr__vf64_madd(y * y, (sum - more) - less, y);
}

#define TSR__SILU_LOW_F64 -700.0
#define TSR__SILU_HIGH_F64 700.0
TSR__INLINE tsr__vf64 tsr__silu_in_range_vf64(tsr__vf64 x) { return x / (1.0 + tsr__exp_in_range_vf64(-x)); }

#endif
#endif
