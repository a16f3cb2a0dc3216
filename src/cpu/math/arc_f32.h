/* asin, acos, atan in f32. */
#ifndef TSR_CPU_MATH_ARC_F32_H
#define TSR_CPU_MATH_ARC_F32_H

#include "cpu/math/bits.h"

/* π/2 as a sum. */
#define TSR__HALF_PI_F32 0x1.921fb6p0f
#define TSR__HALF_PI_LOW_F32 -0x1.777a5cp-25f

/* asin r - r with z = r² ≤ 1/4. */
static inline float tsr__asin_rest_f32(float r, float z) {
  float p = 0x1.594c22p-5f;
  p = tsr__fma_f32(p, z, 0x1.8c613ap-6f);
  p = tsr__fma_f32(p, z, 0x1.7475e4p-5f);
  p = tsr__fma_f32(p, z, 0x1.330264p-4f);
  p = tsr__fma_f32(p, z, 0x1.5555c6p-3f);
  return r * z * p;
}

/* Up to 1/2 r is a; beyond, asin a is π/2 - 2·asin r with r = √((1-a)/2). Past 1 there is no root. */
typedef struct tsr__arc {
  float r, z;
} tsr__arc;

static inline tsr__arc tsr__arc_f32(float a) {
  const float z = a > 0.5f ? 0.5f - 0.5f * a : a * a;
  return (tsr__arc){a > 0.5f ? __builtin_sqrtf(z) : a, z};
}

/* Beyond 1/2 the root is a sum of two numbers, because its double may be twice the result: upper has 12 bits, so that
 * its square and π/2 - 2·upper are exact. */
static inline float tsr__asin_f32(float x) {
  const float a = tsr__abs_f32(x);
  const tsr__arc s = tsr__arc_f32(a);
  const float rest = tsr__asin_rest_f32(s.r, s.z), upper = tsr__f32_of_bits(tsr__bits_of_f32(s.r) & 0xfffff000u);
  const float lower = (s.z - upper * upper) / (s.r + upper + 0x1p-100f); /* at 1 all of them are 0 */
  const float far = (TSR__HALF_PI_F32 - 2.0f * upper) - (2.0f * (lower + rest) - TSR__HALF_PI_LOW_F32);
  return tsr__copysign_f32(a > 0.5f ? far : s.r + rest, x);
}

static inline float tsr__acos_f32(float x) {
  const float a = tsr__abs_f32(x);
  const tsr__arc p = tsr__arc_f32(a);
  const float s = p.r + tsr__asin_rest_f32(p.r, p.z), twice = 2.0f * s;
  const float far = x < 0.0f ? 2.0f * TSR__HALF_PI_F32 - (twice - 2.0f * TSR__HALF_PI_LOW_F32) : twice;
  const float near = TSR__HALF_PI_F32 - (tsr__copysign_f32(s, x) - TSR__HALF_PI_LOW_F32);
  return a > 0.5f ? far : near;
}

/* For |t| ≤ 1. */
static inline float tsr__atan_small_f32(float t) {
  const float z = t * t;
  float p = 0x1.2d5f0ep-10f;
  p = tsr__fma_f32(p, z, -0x1.eb6fa8p-8f);
  p = tsr__fma_f32(p, z, 0x1.77a5cap-6f);
  p = tsr__fma_f32(p, z, -0x1.71e150p-5f);
  p = tsr__fma_f32(p, z, 0x1.157f58p-4f);
  p = tsr__fma_f32(p, z, -0x1.6982cap-4f);
  p = tsr__fma_f32(p, z, 0x1.c51c64p-4f);
  p = tsr__fma_f32(p, z, -0x1.2476cap-3f);
  p = tsr__fma_f32(p, z, 0x1.999824p-3f);
  p = tsr__fma_f32(p, z, -0x1.555552p-2f);
  return tsr__fma_f32(t * z, p, t);
}

/* Beyond 1 it is π/2 - atan(1/x). */
static inline float tsr__atan_f32(float x) {
  const float a = tsr__abs_f32(x);
  const int over = a > 1.0f;
  const float s = tsr__atan_small_f32(over ? -1.0f / a : a);
  return tsr__copysign_f32(over ? TSR__HALF_PI_F32 + (s + TSR__HALF_PI_LOW_F32) : s, x);
}

/* The angle of (b, a): that of the smaller by the larger of the two sizes, which is added to 0 or π/2, or taken from π/2
 * or π. */
static inline float tsr__atan2_f32(float a, float b) {
  const float y = tsr__abs_f32(a), x = tsr__abs_f32(b);
  const int steep = y > x, behind = (tsr__bits_of_f32(b) >> 31) != 0;
  const float low = steep ? x : y, high = steep ? y : x, equal = high > 0.0f ? 1.0f : 0.0f;
  const float s = tsr__atan_small_f32(low == high ? equal : low / high);
  const float flat = behind ? 2.0f * TSR__HALF_PI_F32 : 0.0f, from = steep ? TSR__HALF_PI_F32 : flat;
  const float turned = tsr__f32_of_bits(tsr__bits_of_f32(s) ^ (steep != behind ? 0x80000000u : 0u));
  const float angle = from + tsr__fma_f32(from, TSR__HALF_PI_LOW_F32 / TSR__HALF_PI_F32, turned);
  return tsr__copysign_f32(angle, a);
}

#endif
