/* gelu in f32, both forms. Their left tails are e^-v with v up to 100: an error of v is as large in the result, so
 * that v must be known to more digits than a float has. */
#ifndef TSR_CPU_MATH_GELU_F32_H
#define TSR_CPU_MATH_GELU_F32_H

#include "cpu/math/activation_f32.h"

/* v = n + f, the integer in the low bits of bits. */
typedef struct tsr__exp2_split {
  float f;
  uint32_t bits;
} tsr__exp2_split;

/* The first 12 bits of x: the product of two such is exact. */
static inline float tsr__upper_f32(float x) { return tsr__f32_of_bits(tsr__bits_of_f32(x) & 0xfffff000u); }

/* ---- gelu: x - x·Q(x), Q the tail of the normal distribution, or x·Q(-x): e^(-a²/2) by a quotient of polynomials
 * ---- */

static inline float tsr__gelu_reach_f32(void) { return 6.5f; }

/* e^(t/2)·0.39873740, |t| ≤ ln 2: tsr__exp_short_f32 with both factors in its coefficients. */
static inline float tsr__exp_half_f32(float t) {
  float q = 0x1.afd67ap-14f;
  q = tsr__fma_f32(q, t, 0x1.11b8d0p-10f);
  q = tsr__fma_f32(q, t, 0x1.103ab6p-7f);
  q = tsr__fma_f32(q, t, 0x1.984cd2p-5f);
  q = tsr__fma_f32(q, t, 0x1.984e90p-3f);
  return tsr__fma_f32(q, t, 0x1.984e9ep-2f);
}

#if TSR__HAVE_FMA
/* e^(-a²/2)·0.39873740 for a up to 8: the square and what rounding took from it, twice the reduced argument. */
static inline float tsr__gauss_in_range_f32(float a) {
  const float square = a * a, lost = tsr__fma_f32(a, a, -square);
  const float shifted = tsr__fma_f32(square, -0.5f * TSR__LOG2E_F32, TSR__SHIFT_F32), n = shifted - TSR__SHIFT_F32;
  const float twice = tsr__fma_f32(n, -2.0f * TSR__LN2_F32, -square) - lost;
  return tsr__scale_in_range_f32(tsr__exp_half_f32(twice), tsr__bits_of_f32(shifted));
}

/* e^(-a²/2) for a up to 14.5. */
static inline tsr__fraction tsr__gauss_out_of_range_f32(float a) {
  const float square = a * a, lost = tsr__fma_f32(a, a, -square);
  const float shifted = tsr__fma_f32(square, -0x1.715476p-1f, TSR__SHIFT_F32);
  float f = tsr__fma_f32(square, -0x1.715476p-1f, TSR__SHIFT_F32 - shifted);
  f = tsr__fma_f32(square, -0x1.4ae0c0p-27f, f);
  f = tsr__fma_f32(lost, -0x1.715476p-1f, f);
  return tsr__fraction_f32(tsr__exp2_small_f32(f), tsr__bits_of_f32(shifted), a > 12.0f);
}
#else
/* Without fused products the square is that of the upper part of a, which is exact, and the rest. */
static inline tsr__fraction tsr__gauss_out_of_range_f32(float a) {
  const float upper = tsr__upper_f32(a), square = upper * upper, rest = (a - upper) * (a + upper);
  const float shifted = square * (-0.5f * TSR__LOG2E_F32) + TSR__SHIFT_F32, n = shifted - TSR__SHIFT_F32;
  const float twice = ((-square - n * (2.0f * TSR__LN2_HIGH_F32)) - n * (2.0f * TSR__LN2_LOW_F32)) - rest;
  return tsr__fraction_f32(tsr__exp_small_f32(0.5f * twice), tsr__bits_of_f32(shifted), a > 12.0f);
}

static inline float tsr__gauss_in_range_f32(float a) { return tsr__gauss_out_of_range_f32(a).big * 0x1.984e9ep-2f; }
#endif

/* max(x, 0) - a·Q(a); as bits, what is below 0 is over -0, and from -0 the tail of -0 leaves -0. Both polynomials
 * begin with a power of a and no factor, in forms that trade fused operations, which are scarce, for sums. */
static inline float tsr__gelu_in_range_f32(float x) {
  const uint32_t bits = tsr__bits_of_f32(x);
  const float a = tsr__abs_f32(x), right = tsr__f32_of_bits(bits < 0x80000000u ? bits : 0x80000000u);
  const float p = tsr__fma_f32(a, 0x1.d45376p+1f, a * a) * tsr__fma_f32(a + 0x1.f6ec62p+1f, a, 0x1.38d1bep+3f);
  const float y = tsr__fma_f32(a + 0x1.a4758ap+1f, a, 0x1.45e3fep+2f);
  const float q = tsr__fma_f32((a + 0x1.0eac94p+0f) + y, y, -0x1.65102cp+1f);
  return tsr__fma_f32(tsr__ratio_f32(p, q), -tsr__gauss_in_range_f32(a), right);
}

/* Of numbers out of range those that are not their own gelu: |x| of the left tail, ∞ and NaN; on the right the tail is too small for
 * x to change. Without a branch, which would keep compilers from vectors. */
static inline uint32_t tsr__gelu_tail_key_f32(float x) {
  const uint32_t bits = tsr__bits_of_f32(x);
  const float right = tsr__f32_of_bits(bits < 0x80000000u ? bits : 0x80000000u);
  return tsr__bits_of_f32(x - right) & 0x7fffffffu;
}

/* The tail is 0 from 14.5 on. */
static inline float tsr__gelu_out_of_range_f32(float x) {
  const float all = tsr__abs_f32(x), a = all > 14.5f ? 14.5f : all;
  const tsr__fraction e = tsr__gauss_out_of_range_f32(a);
  float p = 0x1.69706ep-3f;
  p = tsr__fma_f32(p, a, 0x1.779192p-2f);
  p = tsr__fma_f32(p, a, 0x1.220564p-1f);
  float q = 0x1.c4fdbap-2f;
  q = tsr__fma_f32(q, a, 0x1.d6dc7ap-1f);
  q = tsr__fma_f32(q, a, 0x1.dafe5ep+0f);
  q = tsr__fma_f32(q, a, 1.0f);
  const float tail = a * p * e.big / q * e.unit;
  return x < 0.0f ? -tail : x - tail;
}

/* ---- gelu_tanh: x·σ(2u) with u = √(2/π)·(x + 0.044715·x³), which is x/2·(1 + tanh u) ---- */

static inline float tsr__gelu_tanh_reach_f32(void) { return 9.0f; }

/* -x·(c + d·x²), c = √(8/π)·log2 e, d = 0.044715·c. x = h + l with a short h: h·c and h³ are exact, so that the
 * large parts of the sum cancel without loss. */
static inline tsr__exp2_split tsr__gelu_tanh_split_f32(float x) {
  const float h = tsr__f32_of_bits(tsr__bits_of_f32(x) & 0xffff0000u), l = x - h, square = h * h, cube = square * h;
  const float shifted = tsr__fma_f32(-x, tsr__fma_f32(x * x, 0x1.a5a7d0p-4f, 0x1.26aec2p+1f), TSR__SHIFT_F32);
  /* x³ - h³ is l·(x² + xh + h²) */
  const float slope = tsr__fma_f32(tsr__fma_f32(x, h, x * x + square), 0x1.a5a7d0p-4f, 0x1.26aec2p+1f);
  float f = tsr__fma_f32(h, -0x1.26a8p+1f, TSR__SHIFT_F32 - shifted);
#if TSR__HAVE_FMA
  f = tsr__fma_f32(cube, -0x1.a5a7d0p-4f, f);
  f = tsr__fma_f32(l, -slope, f);
  f = tsr__fma_f32(h, tsr__fma_f32(square, 0x1.151aaep-29f, -0x1.b086f4p-13f), f);
#else
  const float upper = tsr__upper_f32(cube); /* by a short d, exactly */
  f = (f - upper * 0x1.a58p-4f) - (cube - upper) * 0x1.a58p-4f;
  f = (f - l * slope) - (cube * 0x1.3e7bacp-15f + h * 0x1.b086f4p-13f);
#endif
  return (tsr__exp2_split){f, tsr__bits_of_f32(shifted)};
}

static inline float tsr__gelu_tanh_in_range_f32(float x) {
  const tsr__exp2_split s = tsr__gelu_tanh_split_f32(x);
  return tsr__ratio_f32(x, 1.0f + tsr__scale_in_range_f32(tsr__exp2_small_f32(s.f), s.bits));
}

/* Beyond 11 it is 0 or x; 1+z is 1 already. */
static inline float tsr__gelu_tanh_out_of_range_f32(float x) {
  const float all = tsr__abs_f32(x), a = all > 11.0f ? 11.0f : all;
  const tsr__exp2_split s = tsr__gelu_tanh_split_f32(a);
  const tsr__fraction z = tsr__fraction_f32(tsr__exp2_small_f32(s.f), s.bits, 1);
  return tsr__keep_nan_f32(x, x < 0.0f ? -a * z.big * z.unit : x);
}

#endif
