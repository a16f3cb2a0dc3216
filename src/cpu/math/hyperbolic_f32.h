/* sinh, cosh and the inverses of the hyperbolic functions in f32; tanh is in erf_f32.h. */
#ifndef TSR_CPU_MATH_HYPERBOLIC_F32_H
#define TSR_CPU_MATH_HYPERBOLIC_F32_H

#include "cpu/math/log_f32.h"

/* e^a / 2 for a ≥ 0, inf from 129·ln 2 on; doubled last, which is exact or overflows. */
static inline float tsr__half_exp_f32(float a) {
  const tsr__exp_split s = tsr__exp_split_f32(a > 90.0f ? 90.0f : a);
  return 2.0f * tsr__scale_in_range_f32(tsr__exp_small_f32(s.r), s.bits - 2u);
}

static inline float tsr__sinh_f32(float x) {
  const float a = tsr__abs_f32(x), z = a * a, half = tsr__half_exp_f32(a);
  float p = 0x1.75a6f8p-19f;
  p = tsr__fma_f32(p, z, 0x1.a02156p-13f);
  p = tsr__fma_f32(p, z, 0x1.1110e2p-7f);
  p = tsr__fma_f32(p, z, 0x1.555556p-3f);
  const float y = a < 1.0f ? tsr__fma_f32(a * z, p, a) : half - 0.25f / half;
  return tsr__copysign_f32(x == x ? y : x, x);
}

static inline float tsr__cosh_f32(float x) {
  const float half = tsr__half_exp_f32(tsr__abs_f32(x)), y = half + 0.25f / half;
  return x == x ? y : x;
}

/* log(2a): for a beyond which squares hide the 1 beside them. */
static inline float tsr__log_twice_f32(float a) {
  const tsr__log_split s = tsr__log_split_f32(a);
  return tsr__log_join_f32(s.k + 1.0f, s.f);
}

/* log(a + √(a²+1)), as log1p of what is over 1. */
static inline float tsr__asinh_f32(float x) {
  const float a = tsr__abs_f32(x), z = a * a;
  const float over = a + z / (1.0f + __builtin_sqrtf(z + 1.0f));
  const float near = tsr__log1p_f32(over), far = a < __builtin_inff() ? tsr__log_twice_f32(a) : a;
  return tsr__copysign_f32(a < 0x1p13f ? near : far, x);
}

/* log(x + √(x²-1)) in the same way; NaN below 1. */
static inline float tsr__acosh_f32(float x) {
  const float t = x - 1.0f, over = t + __builtin_sqrtf(t * (t + 2.0f));
  const float near = tsr__log1p_f32(over), far = x < __builtin_inff() ? tsr__log_twice_f32(x) : x;
  const float y = x < 0x1p13f ? near : far;
  return x < 1.0f ? __builtin_nanf("") : y;
}

/* log((1+a) / (1-a)) / 2; past 1 the logarithm has no value. */
static inline float tsr__atanh_f32(float x) {
  const float a = tsr__abs_f32(x);
  return tsr__copysign_f32(0.5f * tsr__log1p_f32((a + a) / (1.0f - a)), x);
}

#endif
