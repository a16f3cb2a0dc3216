/* log, log2, log10, log1p in f32. x = 2^k·(1+f) with 1+f in [√½, √2); log(1+f) = f + rest, the rest f³·P(f) - f²/2. */
#ifndef TSR_CPU_MATH_LOG_F32_H
#define TSR_CPU_MATH_LOG_F32_H

#include "cpu/math/exp_f32.h"

typedef struct tsr__log_split {
  float k, f;
  int32_t exponent; /* k without the part that subnormal numbers add */
} tsr__log_split;

/* For x > 0 that is no subnormal number; else anything. */
static inline tsr__log_split tsr__log_split_in_range_f32(float x) {
  const uint32_t bits = tsr__bits_of_f32(x);
  const int32_t k = (int32_t)(bits - 0x3f3504f3u) >> 23; /* √½ */
  return (tsr__log_split){(float)k, tsr__f32_of_bits(bits - ((uint32_t)k << 23)) - 1.0f, k};
}

/* For x > 0; else anything. */
static inline tsr__log_split tsr__log_split_f32(float x) {
  const int tiny = x < 0x1p-126f;
  const tsr__log_split s = tsr__log_split_in_range_f32(tiny ? x * 0x1p23f : x);
  return (tsr__log_split){s.k - (tiny ? 23.0f : 0.0f), s.f, s.exponent};
}

/* log(1+f) - f. */
static inline float tsr__log_rest_f32(float f) {
  float p = -0x1.4212d2p-4f;
  p = tsr__fma_f32(p, f, 0x1.07de5cp-3f);
  p = tsr__fma_f32(p, f, -0x1.0cdf58p-3f);
  p = tsr__fma_f32(p, f, 0x1.226c3ap-3f);
  p = tsr__fma_f32(p, f, -0x1.547882p-3f);
  p = tsr__fma_f32(p, f, 0x1.99a5b0p-3f);
  p = tsr__fma_f32(p, f, -0x1.000220p-2f);
  p = tsr__fma_f32(p, f, 0x1.55554ap-2f);
  return f * f * tsr__fma_f32(p, f, -0.5f);
}

/* What a logarithm gives outside its domain, else y. */
static inline float tsr__log_edges_f32(float x, float y) {
  const float inside = x < __builtin_inff() ? y : x;
  const float outside = x == 0.0f ? -__builtin_inff() : __builtin_nanf("");
  return x > 0.0f ? inside : outside;
}

static inline float tsr__log_join_f32(float k, float f) {
  const float low = tsr__fma_f32(k, TSR__LN2_LOW_F32, tsr__log_rest_f32(f));
  return tsr__fma_f32(k, TSR__LN2_HIGH_F32, f + low);
}

/* ---- the functions; in range are positive numbers that are normal and finite, as bits between two others ---- */

static inline uint32_t tsr__log_key_f32(float x) { return tsr__bits_of_f32(x) - 0x00800000u; }
#define TSR__LOG_KEYS_F32 (0x7f7fffffu - 0x00800000u)

static inline float tsr__log_in_range_f32(float x) {
  const tsr__log_split s = tsr__log_split_in_range_f32(x);
  return tsr__log_join_f32(s.k, s.f);
}

static inline float tsr__log_out_of_range_f32(float x) {
  const tsr__log_split s = tsr__log_split_f32(x);
  return tsr__log_edges_f32(x, tsr__log_join_f32(s.k, s.f));
}

/* log(1+f)·(high + low): high has 12 bits and so has the upper part of f, whose product is exact. */
static inline float tsr__log_scaled_f32(float f, float high, float low, float add) {
  const float upper = tsr__f32_of_bits(tsr__bits_of_f32(f) & 0xfffff000u);
  const float small = tsr__fma_f32(f - upper, high, tsr__fma_f32(f, low, tsr__log_rest_f32(f) * (high + low)));
  return upper * high + (small + add);
}

static inline float tsr__log2_join_f32(tsr__log_split s) {
  return s.k + tsr__log_scaled_f32(s.f, 0x1.714p0f, 0x1.47652cp-12f, 0.0f);
}

static inline float tsr__log2_in_range_f32(float x) { return tsr__log2_join_f32(tsr__log_split_in_range_f32(x)); }
static inline float tsr__log2_out_of_range_f32(float x) {
  return tsr__log_edges_f32(x, tsr__log2_join_f32(tsr__log_split_f32(x)));
}

static inline float tsr__log10_join_f32(tsr__log_split s) {
  const float rest = tsr__log_scaled_f32(s.f, 0x1.bcap-2f, 0x1.7b1526p-14f, s.k * 0x1.3509f8p-18f);
  return s.k * 0x1.344p-2f + rest;
}

static inline float tsr__log10_in_range_f32(float x) { return tsr__log10_join_f32(tsr__log_split_in_range_f32(x)); }
static inline float tsr__log10_out_of_range_f32(float x) {
  return tsr__log_edges_f32(x, tsr__log10_join_f32(tsr__log_split_f32(x)));
}

/* ---- log1p: in range is 1+x from 2^-24 to 2^30 ---- */

static inline uint32_t tsr__log1p_key_f32(float x) { return tsr__bits_of_f32(1.0f + x) - 0x33800000u; }
#define TSR__LOG1P_KEYS_F32 (0x4e800000u - 0x33800000u)

/* 1+f = (1+x)·2^-k without the rounding of 1+x: the difference 2^-k - 1 is exact. */
static inline float tsr__log1p_in_range_f32(float x) {
  const tsr__log_split s = tsr__log_split_in_range_f32(1.0f + x);
  const float scale = tsr__f32_of_bits((uint32_t)(127 - s.exponent) << 23);
  return tsr__copysign_f32(tsr__log_join_f32(s.k, tsr__fma_f32(x, scale, scale - 1.0f)), x);
}

/* Past 2^30 adding 1 changes nothing; 1+x is 0, negative or no number otherwise. */
static inline float tsr__log1p_out_of_range_f32(float x) { return tsr__log_out_of_range_f32(1.0f + x); }

/* For callers that are not range-checked. */
static inline float tsr__log1p_f32(float x) {
  const float usual = tsr__log1p_in_range_f32(x);
  return tsr__log1p_key_f32(x) > TSR__LOG1P_KEYS_F32 ? tsr__log1p_out_of_range_f32(x) : usual;
}

#endif
