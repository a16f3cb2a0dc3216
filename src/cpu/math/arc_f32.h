/* asin, acos, atan in f32. */
#ifndef TSR_CPU_MATH_ARC_F32_H
#define TSR_CPU_MATH_ARC_F32_H

#include "cpu/math/bits.h"

/* π/2 as a sum. */
#define TSR__HALF_PI_F32 0x1.921fb6p0f
#define TSR__HALF_PI_LOW_F32 -0x1.777a5cp-25f

/* asin r with z = r² ≤ 1/4. */
static inline float tsr__asin_small_f32(float r, float z) {
  float p = 0x1.594c22p-5f;
  p = tsr__fma_f32(p, z, 0x1.8c613ap-6f);
  p = tsr__fma_f32(p, z, 0x1.7475e4p-5f);
  p = tsr__fma_f32(p, z, 0x1.330264p-4f);
  p = tsr__fma_f32(p, z, 0x1.5555c6p-3f);
  return tsr__fma_f32(r * z, p, r);
}

/* asin |x| up to 1/2, beyond it the asin of √((1-|x|)/2), which is (π/2 - asin |x|) / 2. Past 1 it is NaN. */
static inline float tsr__asin_part_f32(float a) {
  const int   over = a > 0.5f;
  const float z = over ? 0.5f - 0.5f * a : a * a;
  return tsr__asin_small_f32(over ? __builtin_sqrtf(z) : a, z);
}

static inline float tsr__asin_f32(float x) {
  const float a = tsr__abs_f32(x), s = tsr__asin_part_f32(a);
  const float y = a > 0.5f ? TSR__HALF_PI_F32 - (2.0f * s - TSR__HALF_PI_LOW_F32) : s;
  return tsr__copysign_f32(y, x);
}

static inline float tsr__acos_f32(float x) {
  const float a = tsr__abs_f32(x), s = tsr__asin_part_f32(a), twice = 2.0f * s;
  const float far = x < 0.0f ? 2.0f * TSR__HALF_PI_F32 - (twice - 2.0f * TSR__HALF_PI_LOW_F32) : twice;
  const float near = TSR__HALF_PI_F32 - (tsr__copysign_f32(s, x) - TSR__HALF_PI_LOW_F32);
  return a > 0.5f ? far : near;
}

/* Beyond 1 it is π/2 - atan(1/x). */
static inline float tsr__atan_f32(float x) {
  const float a = tsr__abs_f32(x);
  const int   over = a > 1.0f;
  const float t = over ? -1.0f / a : a, z = t * t;
  float       p = 0x1.2d5f0ep-10f;
  p = tsr__fma_f32(p, z, -0x1.eb6fa8p-8f);
  p = tsr__fma_f32(p, z, 0x1.77a5cap-6f);
  p = tsr__fma_f32(p, z, -0x1.71e150p-5f);
  p = tsr__fma_f32(p, z, 0x1.157f58p-4f);
  p = tsr__fma_f32(p, z, -0x1.6982cap-4f);
  p = tsr__fma_f32(p, z, 0x1.c51c64p-4f);
  p = tsr__fma_f32(p, z, -0x1.2476cap-3f);
  p = tsr__fma_f32(p, z, 0x1.999824p-3f);
  p = tsr__fma_f32(p, z, -0x1.555552p-2f);
  const float s = tsr__fma_f32(t * z, p, t);
  return tsr__copysign_f32(over ? TSR__HALF_PI_F32 + (s + TSR__HALF_PI_LOW_F32) : s, x);
}

#endif
