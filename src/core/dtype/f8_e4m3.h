/* f8_e4m3: 8-bit float without infinity, as its bits: 1 sign, 4 exponent, 3 mantissa; the largest is 448, then NaN. */
#define DT f8_e4m3
#define DT_ID TSR_F8_E4M3
#define DT_WIDE f32
#define DT_TAKES_COMPLEX 0
#ifndef TSR_CORE_DTYPE_F8_E4M3_H
#define TSR_CORE_DTYPE_F8_E4M3_H

#include "core/dtype/narrow.h"

typedef uint8_t f8_e4m3_mem;

#define TSR__F8_E4M3 ((tsr__float_layout){.mantissa = 3, .bias = 7, .max = 0x7e, .overflow = 0x7f, .quiet_nan = 0x7f})

static inline tsr__wide_f32 f8_e4m3_load(f8_e4m3_mem x) {
  return tsr__f32_of_bits((x & 0x80u) << 24 | tsr__widen_abs(x & 0x7fu, TSR__F8_E4M3));
}

static inline f8_e4m3_mem f8_e4m3_from_f32(float x) {
  const uint32_t bits = tsr__bits_of_f32(x);
  return (f8_e4m3_mem)((bits >> 24 & 0x80u) | tsr__narrow_abs(bits & 0x7fffffffu, TSR__F8_E4M3));
}

static inline f8_e4m3_mem f8_e4m3_from_i32(int32_t x) { return f8_e4m3_from_f32(tsr__odd_f32_of_i32(x)); }
static inline f8_e4m3_mem f8_e4m3_from_i64(int64_t x) { return f8_e4m3_from_f32(tsr__odd_f32_of_i64(x)); }
static inline f8_e4m3_mem f8_e4m3_from_u64(uint64_t x) { return f8_e4m3_from_f32(tsr__odd_f32_of_u64(x, 0)); }
#if TSR_HAVE_F64
static inline f8_e4m3_mem f8_e4m3_from_f64(double x) { return f8_e4m3_from_f32(tsr__odd_f32_of_f64(x)); }
#endif

#endif
#include "core/dtype/instantiate.h"
