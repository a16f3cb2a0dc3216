/* a^b for a ≥ 0, in the compute types. */
#ifndef TSR_NN_POWER_H
#define TSR_NN_POWER_H

#include "cpu/math/exp_f32.h"
#include "cpu/math/log_f32.h"
#include "cpu/math/two_f32.h"

#if TSR_HAVE_F64
static inline float tsr__power_f32(float a, float b) { return tsr__pow_f32(a, b); }
static inline double tsr__power_f64(double a, double b) { return pow(a, b); }
static inline float tsr__root_f32(float x) { return __builtin_sqrtf(x); }
static inline double tsr__root_f64(double x) { return __builtin_sqrt(x); }
#else
/* The C library's powf goes by way of double. This loses what rounding b·log a loses: |b·log a| ULP. */
static inline float tsr__power_f32(float a, float b) {
  return tsr__exp_out_of_range_f32(b * tsr__log_out_of_range_f32(a));
}
static inline float tsr__root_f32(float x) { return __builtin_sqrtf(x); }
#endif

#endif
