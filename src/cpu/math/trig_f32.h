/* sin, cos, tan in f32. x = n·π/2 + r with |r| ≤ π/4; r as a sum of two floats, so that it is right to its last bit
 * near multiples of π/2. Two ways to r: products with parts of π/2 for what angles usually are, and for larger ones
 * the exact product with as many bits of 2/π as it needs, in integers. */
#ifndef TSR_CPU_MATH_TRIG_F32_H
#define TSR_CPU_MATH_TRIG_F32_H

#include "cpu/math/exp_f32.h"

typedef struct tsr__angle {
  float r, low; /* r + low */
  uint32_t n;   /* only its last two bits count */
} tsr__angle;

/* |x| up to which tsr__angle_in_range_f32 is right: its first differences must be exact. */
#if TSR__HAVE_FMA
#define TSR__ANGLE_LIMIT_F32 0x1p17f

static inline tsr__angle tsr__angle_in_range_f32(float x) {
  const float shifted = tsr__fma_f32(x, 0x1.45f306p-1f, TSR__SHIFT_F32), n = shifted - TSR__SHIFT_F32;
  const float first = tsr__fma_f32(n, -0x1.921fb6p0f, x);
  const float second = n * 0x1.777a5cp-25f, lost = tsr__fma_f32(n, 0x1.777a5cp-25f, -second);
  const float r = first + second, part = r - first;
  const float rest = (first - (r - part)) + (second - part); /* what the sum lost: either term may be the larger */
  return (tsr__angle){r, rest + tsr__fma_f32(n, 0x1.ee59dap-50f, lost), tsr__bits_of_f32(shifted)};
}
#else
#define TSR__ANGLE_LIMIT_F32 3000.0f

/* Parts of 13 bits, whose products with n are exact. */
static inline tsr__angle tsr__angle_in_range_f32(float x) {
  const float shifted = x * 0x1.45f306p-1f + TSR__SHIFT_F32, n = shifted - TSR__SHIFT_F32;
  const float a = x - n * 0x1.921p0f;
  const float b = a - n * 0x1.f6ap-13f;
  const float r = b - n * 0x1.11p-26f;
  const float lost = ((a - b) - n * 0x1.f6ap-13f) + ((b - r) - n * 0x1.11p-26f);
  return (tsr__angle){r, lost - n * 0x1.68c234p-39f, tsr__bits_of_f32(shifted)};
}
#endif

/* The 96 bits of 2/π from bit skip on, in three words. */
static inline void tsr__two_over_pi_f32(unsigned skip, uint32_t *words) {
  static const uint32_t bits[8] = {0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u,
                                   0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u};
  const unsigned first = skip / 32, by = skip % 32;
  for (unsigned i = 0; i < 3; i++) {
    const uint64_t two = (uint64_t)bits[first + i] << 32 | bits[first + i + 1];
    words[i] = (uint32_t)(two >> (32 - by));
  }
}

/* |x|·2/π modulo 4, its first two bits the integer, 62 of the fraction. x is finite and at least 2^11: with x = m·2^e,
 * bits of 2/π above 2^(2-e) only add multiples of 4. */
static inline uint64_t tsr__quarters_f32(uint32_t bits) {
  const uint32_t m = (bits & 0x7fffffu) | 0x800000u;
  const int e = (int)(bits >> 23 & 255) - 150;
  uint32_t w[3];
  tsr__two_over_pi_f32(e > 2 ? (unsigned)(e - 2) : 0, w);
  const uint64_t low = (uint64_t)m * w[2], middle = (uint64_t)m * w[1] + (low >> 32);
  const uint32_t high = m * w[0] + (uint32_t)(middle >> 32);
  const uint64_t all = (uint64_t)high << 32 | (uint32_t)middle;
  if (e >= 2) return all;
  /* The product has 96 + (2 - e) bits then: shift it, with the bits above. */
  const uint64_t above = ((uint64_t)m * w[0] + (middle >> 32)) >> 32;
  return all >> (2 - e) | above << (62 + e);
}

/* For finite x with |x| at least 2^11. */
static inline tsr__angle tsr__angle_out_of_range_f32(float x) {
  const uint64_t quarters = tsr__quarters_f32(tsr__bits_of_f32(x));
  const uint64_t n = (quarters + ((uint64_t)1 << 61)) >> 62;
  const uint64_t fraction = quarters - (n << 62);
  const int below = fraction >> 63 != 0;
  const uint64_t size = (below ? 0 - fraction : fraction) | 1;
  const int shift = __builtin_clzll(size);
  const uint32_t product = (uint32_t)((size << shift >> 32) * 0xc90fdaa2u >> 32); /* by π/2 */
  const float rounded = (float)product; /* of 32 bits: of 64 it takes double arithmetic on small machines */
  const float scale = tsr__pow2_f32(-29 - shift) * ((x < 0.0f) != below ? -1.0f : 1.0f);
  const float rest = (float)(int32_t)(product - (uint32_t)rounded);
  return (tsr__angle){rounded * scale, rest * scale, (uint32_t)(x < 0.0f ? 0 - n : n)};
}

/* ---- of a reduced angle ---- */

static inline float tsr__sin_small_f32(float r, float low) {
  const float z = r * r;
  float p = 0x1.7bec84p-19f;
  p = tsr__fma_f32(p, z, -0x1.a058dap-13f);
  p = tsr__fma_f32(p, z, 0x1.111174p-7f);
  p = tsr__fma_f32(p, z, -0x1.555556p-3f);
  return r + tsr__fma_f32(z * r, p, low);
}

static inline float tsr__cos_small_f32(float r, float low) {
  const float z = r * r, half = 0.5f * z, first = 1.0f - half;
  float p = 0x1.99df12p-16f;
  p = tsr__fma_f32(p, z, -0x1.6c0c16p-10f);
  p = tsr__fma_f32(p, z, 0x1.55554ap-5f);
  const float rest = tsr__fma_f32(z * z, p, tsr__fma_f32(r, -low, (1.0f - first) - half));
  return first + rest;
}

static inline float tsr__tan_small_f32(float r, float low) {
  const float z = r * r;
  float p = 0x1.2a7842p-8f;
  p = tsr__fma_f32(p, z, -0x1.1d62aep-12f);
  p = tsr__fma_f32(p, z, 0x1.6c709ep-7f);
  p = tsr__fma_f32(p, z, 0x1.5ae016p-6f);
  p = tsr__fma_f32(p, z, 0x1.bb08dap-5f);
  p = tsr__fma_f32(p, z, 0x1.110c90p-3f);
  p = tsr__fma_f32(p, z, 0x1.555564p-2f);
  return r + tsr__fma_f32(z * r, p, tsr__fma_f32(low, z, low));
}

/* sin(r + n·π/2). */
static inline float tsr__sin_quarter_f32(tsr__angle a) {
  const float s = tsr__sin_small_f32(a.r, a.low), c = tsr__cos_small_f32(a.r, a.low);
  const float y = (a.n & 1) != 0 ? c : s;
  const uint32_t sign = (a.n & 2) << 30;
  return tsr__f32_of_bits(tsr__bits_of_f32(y) ^ sign);
}

static inline float tsr__tan_quarter_f32(tsr__angle a) {
  const float t = tsr__tan_small_f32(a.r, a.low);
  const int odd = (a.n & 1) != 0;
  return (odd ? -1.0f : t) / (odd ? t : 1.0f);
}

static inline tsr__angle tsr__angle_turn(tsr__angle a) { return (tsr__angle){a.r, a.low, a.n + 1}; }

/* ---- the functions, for angles in range and out of it ---- */

static inline float tsr__sin_reach_f32(void) { return TSR__ANGLE_LIMIT_F32; }
static inline float tsr__cos_reach_f32(void) { return TSR__ANGLE_LIMIT_F32; }
/* 1/r doubles what the reduction of larger angles loses. */
static inline float tsr__tan_reach_f32(void) { return TSR__HAVE_FMA ? 0x1p13f : TSR__ANGLE_LIMIT_F32; }

/* Below 2^-12 sin x and tan x are x, and keep its sign. */
static inline float tsr__odd_f32(float x, float y) { return tsr__abs_f32(x) < 0x1p-12f ? x : y; }

static inline float tsr__sin_in_range_f32(float x) {
  return tsr__odd_f32(x, tsr__sin_quarter_f32(tsr__angle_in_range_f32(x)));
}
static inline float tsr__cos_in_range_f32(float x) {
  return tsr__sin_quarter_f32(tsr__angle_turn(tsr__angle_in_range_f32(x)));
}
static inline float tsr__tan_in_range_f32(float x) {
  return tsr__odd_f32(x, tsr__tan_quarter_f32(tsr__angle_in_range_f32(x)));
}

/* Infinities and NaN give NaN. */
static inline float tsr__sin_out_of_range_f32(float x) {
  return x - x == 0.0f ? tsr__sin_quarter_f32(tsr__angle_out_of_range_f32(x)) : x - x;
}
static inline float tsr__cos_out_of_range_f32(float x) {
  return x - x == 0.0f ? tsr__sin_quarter_f32(tsr__angle_turn(tsr__angle_out_of_range_f32(x))) : x - x;
}
static inline float tsr__tan_out_of_range_f32(float x) {
  return x - x == 0.0f ? tsr__tan_quarter_f32(tsr__angle_out_of_range_f32(x)) : x - x;
}

#endif
