/* Rounding to integers. Adding and taking away 2^23 rounds to nearest even by the addition itself, on every machine;
 * larger numbers are integers already. */
#ifndef TSR_CPU_MATH_ROUND_H
#define TSR_CPU_MATH_ROUND_H

#include "cpu/math/bits.h"

#if defined(__SSE4_1__) || defined(__aarch64__) /* one instruction each */
static inline float tsr__round_f32(float x) { return __builtin_rintf(x); }
static inline float tsr__floor_f32(float x) { return __builtin_floorf(x); }
static inline float tsr__ceil_f32(float x) { return __builtin_ceilf(x); }
static inline float tsr__trunc_f32(float x) { return __builtin_truncf(x); }
static inline double tsr__round_f64(double x) { return __builtin_rint(x); }
static inline double tsr__floor_f64(double x) { return __builtin_floor(x); }
static inline double tsr__ceil_f64(double x) { return __builtin_ceil(x); }
static inline double tsr__trunc_f64(double x) { return __builtin_trunc(x); }
#else
static inline float tsr__round_f32(float x) {
  const float a = tsr__abs_f32(x), shift = 0x1p23f;
  const float near = (a + shift) - shift;
  return tsr__copysign_f32(a < shift ? near : x, x);
}

static inline float tsr__floor_f32(float x) {
  const float near = tsr__round_f32(x);
  return tsr__copysign_f32(near > x ? near - 1 : near, x);
}

static inline float tsr__ceil_f32(float x) {
  const float near = tsr__round_f32(x);
  return tsr__copysign_f32(near < x ? near + 1 : near, x);
}

static inline float tsr__trunc_f32(float x) { return tsr__copysign_f32(tsr__floor_f32(tsr__abs_f32(x)), x); }

#if TSR_HAVE_F64
static inline double tsr__round_f64(double x) {
  const double a = tsr__abs_f64(x), shift = 0x1p52;
  const double near = (a + shift) - shift;
  return tsr__copysign_f64(a < shift ? near : x, x);
}

static inline double tsr__floor_f64(double x) {
  const double near = tsr__round_f64(x);
  return tsr__copysign_f64(near > x ? near - 1 : near, x);
}

static inline double tsr__ceil_f64(double x) {
  const double near = tsr__round_f64(x);
  return tsr__copysign_f64(near < x ? near + 1 : near, x);
}

static inline double tsr__trunc_f64(double x) { return tsr__copysign_f64(tsr__floor_f64(tsr__abs_f64(x)), x); }
#endif
#endif

#endif
