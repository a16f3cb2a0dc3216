/* erfc in f32: e^(-a²) by a quotient of polynomials from 1/2 on, 1 - erf below. */
#ifndef TSR_CPU_MATH_ERFC_F32_H
#define TSR_CPU_MATH_ERFC_F32_H

#include "cpu/math/activation_f32.h"
#include "cpu/math/erf_f32.h"

/* e^(-a²) for a up to 10.5: an error of a² is as large in the result, so that it is known to more digits than a float
 * has. */
static inline tsr__fraction tsr__exp_square_f32(float a) {
#if TSR__HAVE_FMA
  const float square = a * a, rest = tsr__fma_f32(a, a, -square);
#else
  const float upper = tsr__f32_of_bits(tsr__bits_of_f32(a) & 0xfffff000u); /* its square is exact */
  const float square = upper * upper, rest = (a - upper) * (a + upper);
#endif
  const tsr__exp_split s = tsr__exp_split_f32(-square);
  return tsr__fraction_f32(tsr__exp_small_f32(s.r - rest), s.bits, a > 9.0f);
}

static inline float tsr__erfc_f32(float x) {
  const float all = tsr__abs_f32(x), a = all > 10.5f ? 10.5f : all;
  const tsr__fraction e = tsr__exp_square_f32(a);
  float p = 0x1.667470p-5f;
  p = tsr__fma_f32(p, a, 0x1.186186p-2f);
  p = tsr__fma_f32(p, a, 0x1.a33cb6p-1f);
  p = tsr__fma_f32(p, a, 0x1.5090ecp+0f);
  p = tsr__fma_f32(p, a, 0x1.0000a2p+0f);
  float q = 0x1.3dabd2p-4f;
  q = tsr__fma_f32(q, a, 0x1.f0f96cp-2f);
  q = tsr__fma_f32(q, a, 0x1.7d6948p+0f);
  q = tsr__fma_f32(q, a, 0x1.49a162p+1f);
  q = tsr__fma_f32(q, a, 0x1.38ba4cp+1f);
  q = tsr__fma_f32(q, a, 1.0f);
  const float tail = p * e.big / q * e.unit;
  const float far = x < 0.0f ? 2.0f - tail : tail;
  return tsr__keep_nan_f32(x, all < 0.5f ? 1.0f - tsr__erf_small_f32(x) : far);
}

#endif
