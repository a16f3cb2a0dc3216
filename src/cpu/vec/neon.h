/* aarch64, where every machine has NEON: 32 registers of 16 bytes and fused products. */
#ifndef TSR_CPU_VEC_NEON_H
#define TSR_CPU_VEC_NEON_H

#include <arm_neon.h>

#define TSR__VEC_BYTES 16
#define TSR__VEC_REGISTERS 32
#define TSR__VEC_FUSED 1
#define TSR__VEC_STREAMS 0
#define TSR__VEC_SORTS 1
#define TSR__VEC_F16 1
/* Compilers that know an instruction in a function which asks for it, in lanes that are counted from the least address. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && (!defined(__clang__) || __clang_major__ >= 16)
#define TSR__VEC_BYTE_DOTS 1
#define TSR__VEC_SIGNED_BYTE_DOTS 1
#define TSR__VEC_TILES 1
#endif
#define TSR__OWN_MADD
#define TSR__OWN_MADD_I16
#define TSR__OWN_WIDEN
#include "cpu/vec/compress.h"
#include "cpu/vec/types.h"

TSR__INLINE tsr__vf32 tsr__vf32_madd(tsr__vf32 a, tsr__vf32 b, tsr__vf32 c) { return vfmaq_f32(c, a, b); }
TSR__INLINE tsr__vf64 tsr__vf64_madd(tsr__vf64 a, tsr__vf64 b, tsr__vf64 c) { return vfmaq_f64(c, a, b); }

/* The products of pairs, side by side, added up. */
TSR__INLINE tsr__vi32 tsr__vi32_madd_i16(tsr__vi32 a, tsr__vi32 b, tsr__vi32 c) {
  const int16x8_t x = vreinterpretq_s16_s32(a), y = vreinterpretq_s16_s32(b);
  return c + vpaddq_s32(vmull_s16(vget_low_s16(x), vget_low_s16(y)), vmull_high_s16(x, y));
}

/* By one lane of a, a constant. */
#define TSR__VF32_MADD_LANE(b, a, lane, c) vfmaq_laneq_f32(c, b, a, lane)
#define TSR__VF64_MADD_LANE(b, a, lane, c) vfmaq_laneq_f64(c, b, a, lane)

TSR__INLINE tsr__vf64 tsr__vf64_from_f32(const float *x) { return vcvt_f64_f32(vld1_f32(x)); }

/* ---- numbers of 16 bits ---- */

TSR__INLINE tsr__vf32 tsr__vf32_from_f16(const void *at) { return vcvt_f32_f16(vreinterpret_f16_u8(vld1_u8(at))); }
TSR__INLINE void tsr__vf32_to_f16(void *at, tsr__vf32 v) { vst1_u8(at, vreinterpret_u8_f16(vcvt_f16_f32(v))); }

/* ---- what machines may have besides ---- */

#if TSR__VEC_BYTE_DOTS
#define TSR__VEC_BYTE_DOTS_TARGET __attribute__((target("arch=armv8.2-a+dotprod")))
TSR__INLINE TSR__VEC_BYTE_DOTS_TARGET tsr__vi32 tsr__vi32_dot_bytes(tsr__vi32 a, tsr__vi32 b, tsr__vi32 c) {
  return vdotq_s32(c, vreinterpretq_s8_s32(a), vreinterpretq_s8_s32(b));
}
#define TSR__VI32_DOT_BYTES_LANE(b, a, lane, c) \
  vdotq_laneq_s32(c, vreinterpretq_s8_s32(b), vreinterpretq_s8_s32(a), lane)
#endif

/* ---- keys in order ---- */

TSR__INLINE tsr__vu32 tsr__vu32_min(tsr__vu32 a, tsr__vu32 b) { return vminq_u32(a, b); }
TSR__INLINE tsr__vu32 tsr__vu32_max(tsr__vu32 a, tsr__vu32 b) { return vmaxq_u32(a, b); }
TSR__INLINE tsr__vu64 tsr__vu64_min(tsr__vu64 a, tsr__vu64 b) { return vbslq_u64(vcgtq_u64(a, b), b, a); }
TSR__INLINE tsr__vu64 tsr__vu64_max(tsr__vu64 a, tsr__vu64 b) { return vbslq_u64(vcgtq_u64(a, b), a, b); }
TSR__INLINE unsigned tsr__vu32_above(tsr__vu32 a, tsr__vu32 b) {
  const uint32x4_t bit = {1, 2, 4, 8};
  return vaddvq_u32(vandq_u32(vcgtq_u32(a, b), bit));
}
TSR__INLINE unsigned tsr__vu64_above(tsr__vu64 a, tsr__vu64 b) {
  const uint64x2_t bit = {1, 2};
  return (unsigned)vaddvq_u64(vandq_u64(vcgtq_u64(a, b), bit));
}

/* By the bytes of each lane: four of them for a number of a lane. */
TSR__INLINE tsr__vu32 tsr__vu32_compress(tsr__vu32 v, unsigned lanes) {
  const int32x4_t shifts = {0, -4, -8, -12};
  const uint32x4_t lane = vandq_u32(vshlq_u32(vdupq_n_u32(tsr__lanes_of[lanes]), shifts), vdupq_n_u32(3));
  const uint32x4_t bytes = vmlaq_n_u32(vdupq_n_u32(0x03020100u), lane, 0x04040404u);
  return vreinterpretq_u32_u8(vqtbl1q_u8(vreinterpretq_u8_u32(v), vreinterpretq_u8_u32(bytes)));
}
TSR__INLINE tsr__vu64 tsr__vu64_compress(tsr__vu64 v, unsigned lanes) {
  if (lanes == 2) return vextq_u64(v, v, 1);
  return v;
}

#endif
