/* f16: IEEE 754 half precision, as its bits: 1 sign, 5 exponent, 10 mantissa. */
#define DT f16
#define DT_ID TSR_F16
#define DT_WIDE f32
#define DT_TAKES_COMPLEX 0
#ifndef TSR_CORE_DTYPE_F16_H
#define TSR_CORE_DTYPE_F16_H

#include "core/dtype/narrow.h"

typedef uint16_t f16_mem TSR__MAY_ALIAS;

#define TSR__F16 \
  ((tsr__float_layout){.mantissa = 10, .bias = 15, .max = 0x7bff, .overflow = 0x7c00, .quiet_nan = 0x7e00})

static inline tsr__wide_f32 f16_load(f16_mem x) {
  return tsr__f32_of_bits((x & 0x8000u) << 16 | tsr__widen_abs(x & 0x7fffu, TSR__F16));
}

static inline f16_mem f16_from_f32(float x) {
  const uint32_t bits = tsr__bits_of_f32(x);
  return (f16_mem)((bits >> 16 & 0x8000u) | tsr__narrow_abs(bits & 0x7fffffffu, TSR__F16));
}

static inline f16_mem f16_from_i32(int32_t x) { return f16_from_f32(tsr__odd_f32_of_i32(x)); }
static inline f16_mem f16_from_i64(int64_t x) { return f16_from_f32(tsr__odd_f32_of_i64(x)); }
static inline f16_mem f16_from_u64(uint64_t x) { return f16_from_f32(tsr__odd_f32_of_u64(x, 0)); }
#if TSR_HAVE_F64
static inline f16_mem f16_from_f64(double x) { return f16_from_f32(tsr__odd_f32_of_f64(x)); }
#endif

#endif
#include "core/dtype/instantiate.h"
