/* bf16: the upper half of an f32, as its bits: 1 sign, 8 exponent, 7 mantissa. */
#define DT bf16
#define DT_ID TSR_BF16
#define DT_WIDE f32
#ifndef TSR_CORE_DTYPE_BF16_H
#define TSR_CORE_DTYPE_BF16_H

#include "core/dtype/narrow.h"

typedef uint16_t bf16_mem TSR__MAY_ALIAS;

static inline tsr__wide_f32 bf16_load(bf16_mem x) {
  const uint32_t bits = (uint32_t)x << 16;
  const uint32_t quiet = (uint32_t)((bits & 0x7fffffffu) > 0x7f800000u) << 22;
  return tsr__f32_of_bits(bits | quiet);
}

/* The exponents are f32's, so that subnormals round like all others, and the largest carry into infinity. */
static inline bf16_mem bf16_from_f32(float x) {
  const uint32_t bits = tsr__bits_of_f32(x);
  const uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;
  const int nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return (bf16_mem)tsr__select_u32(nan, bits >> 16 | 0x40u, rounded);
}

TSR__ROUNDS_ONCE(bf16)

#endif
#include "core/dtype/instantiate.h"
