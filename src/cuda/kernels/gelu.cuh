/* The host's gelu of f32 (cpu/math/gelu_f32.h) with two divisions: the one of all numbers, and one without checks for numbers from
 * TSR__GELU_LEAST on, whose p is at least 2^-90, and 0. */
#include "cpu/math/gelu_f32.h"

#define TSR__GELU_LEAST 0x10000000u /* 2^-95 */

template <bool any> static inline float tsr__gelu_by_f32(float x) {
  const uint32_t bits = tsr__bits_of_f32(x);
  const float a = tsr__abs_f32(x), right = tsr__f32_of_bits(bits < 0x80000000u ? bits : 0x80000000u);
  const float p = tsr__fma_f32(a, 0x1.d45376p+1f, a * a) * tsr__fma_f32(a + 0x1.f6ec62p+1f, a, 0x1.38d1bep+3f);
  const float y = tsr__fma_f32(a + 0x1.a4758ap+1f, a, 0x1.45e3fep+2f);
  const float q = tsr__fma_f32((a + 0x1.0eac94p+0f) + y, y, -0x1.65102cp+1f);
  return tsr__fma_f32(any ? p / q : tsr__ratio_plain_f32(p, q), -tsr__gauss_in_range_f32(a), right);
}

static inline bool tsr__gelu_is_small_f32(uint32_t size) { return size - 1 < TSR__GELU_LEAST - 1; }

static inline float tsr__gelu_f32(float x) {
  const uint32_t size = tsr__bits_of_f32(x) & 0x7fffffffu;
  if (size > tsr__bits_of_f32(tsr__gelu_reach_f32())) return tsr__gelu_out_of_range_f32(x);
  return tsr__gelu_is_small_f32(size) ? tsr__gelu_by_f32<true>(x) : tsr__gelu_by_f32<false>(x);
}

/* See RANGE_CHECKED_BY. Of all numbers of bf16, however small, the result as bf16 is right without the other division (range_test). */
static inline float tsr__gelu_near_f32(float x, bool &far, bool small) {
  const uint32_t size = tsr__bits_of_f32(x) & 0x7fffffffu;
  far = far || size > tsr__bits_of_f32(tsr__gelu_reach_f32()) || (small && tsr__gelu_is_small_f32(size));
  return tsr__gelu_by_f32<false>(x);
}
