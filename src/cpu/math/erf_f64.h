/* erf in f64: x + x·P(x²) below 3/4, and 1 - e^-(a·Q(a)) above, whose errors matter less as the power falls; from 5.95
 * on it is 1. */
#ifndef TSR_CPU_MATH_ERF_F64_H
#define TSR_CPU_MATH_ERF_F64_H

#include "cpu/math/exp_f64.h"

#if TSR__WIDE

TSR__INLINE tsr__vf64 tsr__erf_small_vf64(tsr__vf64 x) {
  static const double c[] = {0x1.06eba8214db69p-3,   -0x1.812746b0379e0p-2,  0x1.ce2f21a0424ddp-4,
                             -0x1.b82ce31257d60p-6,  0x1.565bcd03805f1p-8,   -0x1.c02db127a0092p-11,
                             0x1.f9a2b057c5de3p-14,  -0x1.f4c5ecd101ac9p-17, 0x1.b90f775592a94p-20,
                             -0x1.5653e37de9283p-23, 0x1.8a4a73c33cfb6p-27};
  return tsr__vf64_madd(x, tsr__vf64_polynomial(x * x, c, 10), x);
}

TSR__INLINE tsr__vf64 tsr__erf_large_vf64(tsr__vf64 a) {
  static const double c[] = {
      0x1.20dd754d600edp+0,   0x1.45f2ff7c4412dp-1,   0x1.a4f646dcafc68p-4,   -0x1.397b6f4edad13p-6,
      -0x1.9b4a870cd79acp-13, 0x1.b5fb862bf7e91p-10,  -0x1.21714e75378c7p-11, -0x1.3d441d3dc0a9cp-16,
      0x1.be9f10d2f0622p-14,  -0x1.00c14e27f7c6dp-14, 0x1.74189c2982bb1p-16,  -0x1.87c6da76f4218p-18,
      0x1.31eff62f8ee3ep-20,  -0x1.54c87e3caafe4p-23, 0x1.cfa7cdca5f73fp-27,  -0x1.468fc13b0cf7fp-33,
      -0x1.23341cae5222fp-33, 0x1.45a7a3d875339p-36,  -0x1.4aff9ded46f66p-40, 0x1.17bbe16a58537p-45};
  return 1.0 - tsr__exp_in_range_vf64(-a * tsr__vf64_polynomial(a, c, 19));
}

#define TSR__ERF_LOW_F64 -__builtin_inf()
#define TSR__ERF_HIGH_F64 __builtin_inf()
TSR__INLINE tsr__vf64 tsr__erf_in_range_vf64(tsr__vf64 x) {
  const tsr__vf64 a = tsr__vf64_abs(x), end = tsr__vf64_all(5.95);
  const tsr__vf64 large = tsr__vf64_signed(tsr__erf_large_vf64(tsr__vf64_if_less(a, end, a, end)), x);
  return tsr__vf64_if_less(a, tsr__vf64_all(0.75), tsr__erf_small_vf64(x), large);
}

#endif
#endif
