/* Activations in f32. Most are x by a function of z = e^-|v|, which is at most 1 and loses nothing; where z is
 * subnormal, or x·z is not yet 0 though z is, the product is made with a larger z and scaled afterwards. At -inf
 * they have their limit. */
#ifndef TSR_CPU_MATH_ACTIVATION_F32_H
#define TSR_CPU_MATH_ACTIVATION_F32_H

#include "cpu/math/log_f32.h"

/* A number in (0, 1] as big·unit; big is never subnormal, unit is 1 or 2^-64. */
typedef struct tsr__fraction {
  float big, unit;
} tsr__fraction;

/* p·2^n; bits has n in its low bits, -190 < n ≤ 0. NaN may become anything. */
static inline tsr__fraction tsr__fraction_f32(float p, uint32_t bits, int low) {
  return (tsr__fraction){tsr__scale_in_range_f32(p, bits + (low ? 64u : 0u)), low ? 0x1p-64f : 1.0f};
}

/* e^-|x|, as 0 below e^-110. */
static inline tsr__fraction tsr__exp_minus_f32(float x) {
  const float a = tsr__abs_f32(x), minus = a > 110.0f ? -110.0f : -a;
  const tsr__exp_split s = tsr__exp_split_f32(minus);
  return tsr__fraction_f32(tsr__exp_small_f32(s.r), s.bits, minus < -86.0f);
}

static inline float tsr__keep_nan_f32(float x, float y) { return x == x ? y : x; }

/* ---- sigmoid: 1 / (1 + e^-x); far off in the form that cannot overflow ---- */

static inline float tsr__sigmoid_reach_f32(void) { return 12.0f; }

static inline float tsr__sigmoid_in_range_f32(float x) {
  const tsr__exp_split s = tsr__exp_split_small_f32(-x);
  return tsr__ratio_f32(1.0f, 1.0f + tsr__scale_in_range_f32(tsr__exp_short_f32(s.r), s.bits));
}

static inline float tsr__sigmoid_out_of_range_f32(float x) {
  const tsr__fraction parts = tsr__exp_minus_f32(x);
  const float z = parts.big * parts.unit;
  return tsr__keep_nan_f32(x, (x < 0.0f ? z : 1.0f) / (1.0f + z));
}

/* ---- silu: x / (1 + e^-x); far off it is x or x·e^x ---- */

static inline float tsr__silu_reach_f32(void) { return 86.0f; }

static inline float tsr__silu_in_range_f32(float x) {
  const tsr__exp_split s = tsr__exp_split_f32(-x);
  return tsr__ratio_f32(x, 1.0f + tsr__scale_in_range_f32(tsr__exp_small_f32(s.r), s.bits));
}

static inline float tsr__silu_out_of_range_f32(float x) {
  const float least = x < -110.0f ? -110.0f : x; /* -inf by 0 */
  const tsr__fraction z = tsr__exp_minus_f32(x);
  return tsr__keep_nan_f32(x, x < 0.0f ? least * z.big * z.unit : x);
}

/* log(1+z) with 0 < z ≤ 1: 1+z = 2·(1+f) where it is over √2. */
static inline float tsr__softplus_f32(float x) {
  const tsr__fraction parts = tsr__exp_minus_f32(x);
  const float z = parts.big * parts.unit;
  const int over = z > 0x1.a8279ap-2f;
  const float y = tsr__log_join_f32(over ? 1.0f : 0.0f, over ? (z - 1.0f) * 0.5f : z);
  return tsr__keep_nan_f32(x, (x > 0.0f ? x : 0.0f) + y);
}

/* tanh(log(1+e^x)) = v / (1+v) with v = e^x + e^2x / 2; with z = e^-|x| that is v - v²/(1+v) below 0, and above
 * 1 - 2z² / (1 + 2z + 2z²). */
static inline float tsr__mish_f32(float x) {
  const tsr__fraction parts = tsr__exp_minus_f32(x);
  const float z = parts.big * parts.unit, least = x < -110.0f ? -110.0f : x;
  const int below = x < 0.0f;
  const float v = tsr__fma_f32(0.5f * z, z, z), twice = 2.0f * z * z;
  const float t = (below ? v : twice) / (1.0f + (below ? v : tsr__fma_f32(2.0f, z, twice)));
  const float c = below ? tsr__fma_f32(0.5f * z, parts.big, parts.big) : 1.0f;
  const float y = least * tsr__fma_f32(-c, t, c);
  return tsr__keep_nan_f32(x, below ? y * parts.unit : y);
}

static inline float tsr__leaky_relu_f32(float x, float slope) { return x < 0.0f ? x * slope : x; }
static inline float tsr__elu_f32(float x, float alpha) { return x > 0.0f ? x : alpha * tsr__expm1_f32(x); }
static inline float tsr__celu_f32(float x, float alpha) { return x > 0.0f ? x : alpha * tsr__expm1_f32(x / alpha); }

static inline float tsr__selu_f32(float x) {
  const float scale = 0x1.0cfabep+0f, both = 0x1.c212ccp+0f; /* and scale·alpha */
  return x > 0.0f ? scale * x : both * tsr__expm1_f32(x);
}

/* x / (1+|x|), which is 1 long before |x| is infinite. */
static inline float tsr__softsign_f32(float x) {
  const float a = tsr__abs_f32(x), most = a > 0x1p26f ? 0x1p26f : a;
  return tsr__copysign_f32(most / (1.0f + most), x);
}

/* x / 6 + 1/2 cut to [0, 1]. */
static inline float tsr__hard_sigmoid_f32(float x) {
  const float above = x < -3.0f ? 0.0f : x + 3.0f;
  return (above > 6.0f ? 6.0f : above) / 6.0f;
}

static inline float tsr__hard_swish_f32(float x) {
  const float least = x < -3.0f ? -3.0f : x; /* -inf by 0 */
  const float most = least + 3.0f > 6.0f ? 6.0f : least + 3.0f;
  return least * (most / 6.0f);
}

#endif
