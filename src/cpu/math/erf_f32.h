/* erf and tanh in f32. */
#ifndef TSR_CPU_MATH_ERF_F32_H
#define TSR_CPU_MATH_ERF_F32_H

#include "cpu/math/exp_f32.h"

/* erf for |x| < 1: x + x·P(x²). */
static inline float tsr__erf_small_f32(float x) {
  const float z = x * x;
  float p = 0x1.4c344ep-14f;
  p = tsr__fma_f32(p, z, -0x1.a50b0ep-11f);
  p = tsr__fma_f32(p, z, 0x1.542e10p-8f);
  p = tsr__fma_f32(p, z, -0x1.b7fe90p-6f);
  p = tsr__fma_f32(p, z, 0x1.ce2d50p-4f);
  p = tsr__fma_f32(p, z, -0x1.812740p-2f);
  p = tsr__fma_f32(p, z, 0x1.06eba8p-3f);
  return tsr__fma_f32(x, p, x);
}

/* 1 - erfc for 1 ≤ a < 4: the fourth root of erfc is a gentle curve, and its errors matter less as erfc falls. */
static inline float tsr__erf_large_f32(float a) {
  float p = 0x1.77898ep-17f;
  p = tsr__fma_f32(p, a, -0x1.d09cf8p-13f);
  p = tsr__fma_f32(p, a, 0x1.c25faap-10f);
  p = tsr__fma_f32(p, a, -0x1.899900p-8f);
  p = tsr__fma_f32(p, a, 0x1.89a3eap-8f);
  p = tsr__fma_f32(p, a, 0x1.480032p-7f);
  p = tsr__fma_f32(p, a, 0x1.6c388ep-6f);
  p = tsr__fma_f32(p, a, -0x1.f68812p-4f);
  p = tsr__fma_f32(p, a, -0x1.1ff078p-2f);
  p = tsr__fma_f32(p, a, 0x1.fff2ecp-1f);
  const float root = p * p;
  return tsr__fma_f32(-root, root, 1.0f);
}

static inline float tsr__erf_f32(float x) {
  const float a = tsr__abs_f32(x);
  const float large = a > 3.92f ? 1.0f : tsr__erf_large_f32(a);
  return a < 1.0f ? tsr__erf_small_f32(x) : tsr__copysign_f32(large, x);
}

/* ---- tanh: beyond its reach it is 1 ---- */

static inline float tsr__tanh_reach_f32(void) { return 9.02f; }

/* (e^(2a) - 1) / 2 for 0 ≤ a ≤ 9.02. e^(2a) = 2^n·e^(2r): the polynomial is tsr__expm1_small_f32 of 2r with the powers
 * of two in its coefficients, which rounds alike; the exponent of 2^(n-1) comes with the shift. */
static inline float tsr__half_expm1_f32(float a) {
#if TSR__HAVE_FMA
  const float shift = TSR__SHIFT_F32 + 126.0f, shifted = tsr__fma_f32(a, 2.0f * TSR__LOG2E_F32, shift);
  const float r = tsr__fma_f32(shifted - shift, -0.5f * TSR__LN2_F32, a), square = r * r;
  const float even = tsr__fma_f32(0x1.5554b2p+0f, r, 2.0f), odd = tsr__fma_f32(0x1.122694p-2f, r, 0x1.5554c8p-1f);
  const float q = tsr__fma_f32(tsr__fma_f32(square, 0x1.6d721ep-4f, odd), square, even);
  const float half = tsr__f32_of_bits(tsr__bits_of_f32(shifted) << 23);
  return tsr__fma_f32(half, tsr__fma_f32(square, q, r + r), half - 0.5f);
#else
  const tsr__exp_split s = tsr__exp_split_small_f32(a + a);
  const float half = tsr__f32_of_bits((s.bits + 126u) << 23);
  return half * tsr__expm1_small_f32(s.r, s.low) + (half - 0.5f);
#endif
}

/* With h = (e^(2a) - 1) / 2, tanh a = h / (1+h) = c - c·t with t = c / (1+h), for c = h as well as for c = 1: the
 * former where h is small and the latter where t is, so that the errors of the quotient count little. Positive
 * floats compare as their bits do, in an operation that is cheaper; the quotient is negative for one fused operation
 * less. */
static inline float tsr__tanh_in_range_f32(float x) {
  const float a = tsr__abs_f32(x);
  const float h = tsr__half_expm1_f32(a);
  const uint32_t bits = tsr__bits_of_f32(h);
  const float c = tsr__f32_of_bits(bits < 0x3f800000u ? bits : 0x3f800000u);
  const float y = tsr__fma_f32(c, tsr__ratio_f32(c, -1.0f - h), c);
  return tsr__f32_of_bits(tsr__bits_of_f32(y) | (tsr__bits_of_f32(x) & 0x80000000u));
}

static inline float tsr__tanh_out_of_range_f32(float x) { return x == x ? tsr__copysign_f32(1.0f, x) : x; }

#endif
