/* What the elementary functions of this folder are written with. They are scalar code without branches and without
 * calls, so that a compiler makes vectors of them at any width; every rounding is spelled out, so that the width
 * changes no bit. */
#ifndef TSR_CPU_MATH_BITS_H
#define TSR_CPU_MATH_BITS_H

#include "core/float_bits.h"

#include <stdint.h>
#include <string.h>
#include <tessera/config.h>

/* Whether a·b + c is one operation that rounds once. Contraction is off everywhere: it is fused only where it says
 * so. */
#if defined(__FMA__) || defined(__FP_FAST_FMAF) || defined(__ARM_FEATURE_FMA)
#define TSR__HAVE_FMA 1
static inline float tsr__fma_f32(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
#else
#define TSR__HAVE_FMA 0
static inline float tsr__fma_f32(float a, float b, float c) { return a * b + c; }
#endif

/* p / q, neither of which is tiny or huge: devices have something faster than their division for that, with the same bits. */
#ifndef TSR__OWN_RATIO
static inline float tsr__ratio_f32(float p, float q) { return p / q; }
#endif

static inline float tsr__abs_f32(float x) { return tsr__f32_of_bits(tsr__bits_of_f32(x) & 0x7fffffffu); }

/* The magnitude of x with the sign of sign. */
static inline float tsr__copysign_f32(float x, float sign) {
  return tsr__f32_of_bits((tsr__bits_of_f32(x) & 0x7fffffffu) | (tsr__bits_of_f32(sign) & 0x80000000u));
}

/* 2^n for -126 ≤ n ≤ 127. */
static inline float tsr__pow2_f32(int32_t n) { return tsr__f32_of_bits((uint32_t)(n + 127) << 23); }

#if TSR_HAVE_F64
#if defined(__FMA__) || defined(__FP_FAST_FMA) || defined(__aarch64__)
static inline double tsr__fma_f64(double a, double b, double c) { return __builtin_fma(a, b, c); }
#else
static inline double tsr__fma_f64(double a, double b, double c) { return a * b + c; }
#endif

static inline double tsr__abs_f64(double x) { return tsr__f64_of_bits(tsr__bits_of_f64(x) & ~((uint64_t)1 << 63)); }

static inline double tsr__copysign_f64(double x, double sign) {
  const uint64_t top = (uint64_t)1 << 63;
  return tsr__f64_of_bits((tsr__bits_of_f64(x) & ~top) | (tsr__bits_of_f64(sign) & top));
}
#endif

#endif
