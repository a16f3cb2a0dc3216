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
#define TEMPLATE "cpu/math/round.tmpl.h"
#define TSR__NO_INTEGERS
#include "core/each_compute.h"
#endif

#endif
