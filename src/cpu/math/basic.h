/* Functions that are one or two operations, each rounded correctly: the same bits everywhere. */
#ifndef TSR_CPU_MATH_BASIC_H
#define TSR_CPU_MATH_BASIC_H

#include "cpu/math/bits.h"

static inline float tsr__neg_f32(float x) { return -x; }
static inline float tsr__square_f32(float x) { return x * x; }
static inline float tsr__sqrt_f32(float x) { return __builtin_sqrtf(x); }
static inline float tsr__rsqrt_f32(float x) { return 1.0f / __builtin_sqrtf(x); }
static inline float tsr__reciprocal_f32(float x) { return 1.0f / x; }
static inline float tsr__relu_f32(float x) { return x < 0.0f ? 0.0f : x; }

/* NaN for NaN; 0 for -0. */
static inline float tsr__sign_f32(float x) {
  const float positive = x > 0.0f ? 1.0f : 0.0f, other = x < 0.0f ? -1.0f : positive;
  return x == x ? other : x;
}

#if TSR_HAVE_F64
static inline double tsr__neg_f64(double x) { return -x; }
static inline double tsr__square_f64(double x) { return x * x; }
static inline double tsr__sqrt_f64(double x) { return __builtin_sqrt(x); }
static inline double tsr__rsqrt_f64(double x) { return 1.0 / __builtin_sqrt(x); }
static inline double tsr__reciprocal_f64(double x) { return 1.0 / x; }
static inline double tsr__relu_f64(double x) { return x < 0.0 ? 0.0 : x; }

static inline double tsr__sign_f64(double x) {
  const double positive = x > 0.0 ? 1.0 : 0.0, other = x < 0.0 ? -1.0 : positive;
  return x == x ? other : x;
}
#endif

#endif
