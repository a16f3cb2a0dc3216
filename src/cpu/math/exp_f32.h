/* exp, exp2, expm1 in f32. x = n·ln 2 + r with |r| ≤ ln 2 / 2; e^x = 2^n·e^r, and e^r is a polynomial. Coefficients are
 * those of scripts/derive_polynomials.py. */
#ifndef TSR_CPU_MATH_EXP_F32_H
#define TSR_CPU_MATH_EXP_F32_H

#include "cpu/math/bits.h"

/* Adding it leaves the nearest integer in the low bits of the sum. */
#define TSR__SHIFT_F32 0x1.8p23f

/* n·LN2_HIGH is exact: 16 bits by 9. LN2 alone is off by 2^-29: enough where n is small. */
#define TSR__LN2_HIGH_F32 0x1.62e4p-1f
#define TSR__LN2_LOW_F32 0x1.7f7d1cp-20f
#define TSR__LN2_F32 0x1.62e430p-1f
#define TSR__LOG2E_F32 0x1.715476p0f

/* x = n·ln 2 + r, or + r + low where low is asked for; bits has n in its low bits. */
typedef struct tsr__exp_split {
  float n, r, low;
  uint32_t bits;
} tsr__exp_split;

static inline tsr__exp_split tsr__exp_split_f32(float x) {
  const float shifted = tsr__fma_f32(x, TSR__LOG2E_F32, TSR__SHIFT_F32);
  const float n = shifted - TSR__SHIFT_F32;
  const float r = tsr__fma_f32(n, -TSR__LN2_LOW_F32, tsr__fma_f32(n, -TSR__LN2_HIGH_F32, x));
  return (tsr__exp_split){n, r, 0.0f, tsr__bits_of_f32(shifted)};
}

/* The same for n below 32 or so, with what rounding took from r where it rounds more than once. */
static inline tsr__exp_split tsr__exp_split_small_f32(float x) {
  const float shifted = tsr__fma_f32(x, TSR__LOG2E_F32, TSR__SHIFT_F32);
  const float n = shifted - TSR__SHIFT_F32;
#if TSR__HAVE_FMA
  const float r = tsr__fma_f32(n, -TSR__LN2_F32, x), low = 0.0f;
#else
  const float first = x - n * TSR__LN2_HIGH_F32, r = first - n * TSR__LN2_LOW_F32;
  const float low = (first - r) - n * TSR__LN2_LOW_F32;
#endif
  return (tsr__exp_split){n, r, low, tsr__bits_of_f32(shifted)};
}

/* e^r for |r| ≤ ln 2 / 2. */
static inline float tsr__exp_small_f32(float r) {
  float q = 0x1.6a495ep-10f;
  q = tsr__fma_f32(q, r, 0x1.1239a0p-7f);
  q = tsr__fma_f32(q, r, 0x1.5558b4p-5f);
  q = tsr__fma_f32(q, r, 0x1.555492p-3f);
  q = tsr__fma_f32(q, r, 0x1.fffffcp-2f);
  q = tsr__fma_f32(q, r, 1.0f);
  return tsr__fma_f32(q, r, 1.0f);
}

/* e^(r + low) - 1 for |r| ≤ ln 2 / 2. */
static inline float tsr__expm1_small_f32(float r, float low) {
  const float square = r * r;
  const float even = tsr__fma_f32(0x1.5554b2p-3f, r, 0.5f), odd = tsr__fma_f32(0x1.122694p-7f, r, 0x1.5554c8p-5f);
  const float q = tsr__fma_f32(tsr__fma_f32(square, 0x1.6d721ep-10f, odd), square, even);
#if TSR__HAVE_FMA
  (void)low; /* it is 0 */
  return tsr__fma_f32(square, q, r);
#else
  return r + (square * q + low);
#endif
}

/* e^r for |r| ≤ ln 2 / 2 by a shorter polynomial, a unit less exact: where sums round twice there is no room for
 * that. */
static inline float tsr__exp_short_f32(float r) {
#if !TSR__HAVE_FMA
  return tsr__exp_small_f32(r);
#else
  float q = 0x1.0ec0d6p-7f;
  q = tsr__fma_f32(q, r, 0x1.573c60p-5f);
  q = tsr__fma_f32(q, r, 0x1.555d3cp-3f);
  q = tsr__fma_f32(q, r, 0x1.fffdc0p-2f);
  q = tsr__fma_f32(q, r, 0x1.ffffeep-1f);
  return tsr__fma_f32(q, r, 1.0f);
#endif
}

/* p·2^n where that is a normal number and p is about 1; bits has n in its low bits. NaN may become anything. */
static inline float tsr__scale_in_range_f32(float p, uint32_t bits) {
  return tsr__f32_of_bits(tsr__bits_of_f32(p) + (bits << 23));
}

/* p·2^n for -150 ≤ n ≤ 128 and a result below 2^128. Where it may be subnormal, 2^64 of it go into a product, which
 * rounds. */
static inline float tsr__scale_f32(float p, uint32_t bits, int low) {
  return tsr__scale_in_range_f32(p, bits + (low ? 64u : 0u)) * (low ? 0x1p-64f : 1.0f);
}

/* ---- exp: in range are results that are normal numbers ---- */

static inline float tsr__exp_reach_f32(void) { return 86.0f; }

static inline float tsr__exp_in_range_f32(float x) {
  const tsr__exp_split s = tsr__exp_split_f32(x);
  return tsr__scale_in_range_f32(tsr__exp_short_f32(s.r), s.bits);
}

static inline float tsr__exp_out_of_range_f32(float x) {
  const tsr__exp_split s = tsr__exp_split_f32(x);
  const float y = tsr__scale_f32(tsr__exp_short_f32(s.r), s.bits, x < 0.0f);
  const float z = x < -104.0f ? 0.0f : y;
  return x <= 0x1.62e42ep6f ? z : x + __builtin_inff(); /* NaN stays NaN */
}

/* 2^f for |f| ≤ 1/2. */
static inline float tsr__exp2_small_f32(float f) {
  float q = 0x1.4172a6p-13f;
  q = tsr__fma_f32(q, f, 0x1.5f0976p-10f);
  q = tsr__fma_f32(q, f, 0x1.3b2ddap-7f);
  q = tsr__fma_f32(q, f, 0x1.c6af7ap-5f);
  q = tsr__fma_f32(q, f, 0x1.ebfbdcp-3f);
  q = tsr__fma_f32(q, f, 0x1.62e430p-1f);
  return tsr__fma_f32(q, f, 1.0f);
}

static inline float tsr__exp2_f32(float x) {
  const float shifted = x + TSR__SHIFT_F32;
  const float f = x - (shifted - TSR__SHIFT_F32);
  const float y = tsr__scale_f32(tsr__exp2_small_f32(f), tsr__bits_of_f32(shifted), x < -124.0f);
  const float z = x < -150.0f ? 0.0f : y;
  return x < 128.0f ? z : x + __builtin_inff();
}

/* 2^n·q + (2^n - 1), twice the half of it, so that 2^128 is in reach. Past 89 it is inf, below -20 it is -1. */
static inline float tsr__expm1_f32(float x) {
  const float above = x < -20.0f ? -20.0f : x;
  const tsr__exp_split s = tsr__exp_split_f32(above > 89.0f ? 89.0f : above);
  const float half = tsr__f32_of_bits((s.bits + 126u) << 23); /* 2^(n-1) */
  const float y = 2.0f * tsr__fma_f32(half, tsr__expm1_small_f32(s.r, s.low), half - 0.5f);
  return tsr__copysign_f32(y, x);
}

#endif
