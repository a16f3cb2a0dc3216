/* The cube root in f32. */
#ifndef TSR_CPU_MATH_ROOT_F32_H
#define TSR_CPU_MATH_ROOT_F32_H

#include "cpu/math/bits.h"

/* A third of the bits is a root to 4 %; Halley's step t·(t³ + 2a) / (2t³ + a) makes 2^-15 of that and then 2^-45, the
 * second as a correction, so that only its last addition rounds. Powers of 2^24 keep cubes within range. */
static inline float tsr__cbrt_f32(float x) {
  const float all = tsr__abs_f32(x);
  const int tiny = all<0x1p-100f, huge = all> 0x1p100f;
  const float a = all * (tiny ? 0x1p24f : 1.0f) * (huge ? 0x1p-24f : 1.0f);
  const float seed = tsr__f32_of_bits(tsr__bits_of_f32(a) / 3 + 0x2a5137a0u);
  const float cube = seed * seed * seed, t = seed * ((cube + 2.0f * a) / (2.0f * cube + a));
  const float square = t * t, miss = tsr__fma_f32(-square, t, a);
  const float root = t + t * (miss / (2.0f * square * t + a));
  const float y = all > 0.0f ? root * (tiny ? 0x1p-8f : 1.0f) * (huge ? 0x1p8f : 1.0f) : all;
  return tsr__copysign_f32(all < __builtin_inff() ? y : all, x);
}

#endif
