/* aarch64, where every machine has NEON: 32 registers of 16 bytes and fused products. */
#ifndef TSR_CPU_VEC_NEON_H
#define TSR_CPU_VEC_NEON_H

#include <arm_neon.h>

#define TSR__VEC_BYTES 16
#define TSR__VEC_REGISTERS 32
#define TSR__VEC_FUSED 1
#define TSR__VEC_STREAMS 0
#define TSR__OWN_MADD
#define TSR__OWN_WIDEN
#include "cpu/vec/types.h"

TSR__INLINE tsr__vf32 tsr__vf32_madd(tsr__vf32 a, tsr__vf32 b, tsr__vf32 c) { return vfmaq_f32(c, a, b); }
TSR__INLINE tsr__vf64 tsr__vf64_madd(tsr__vf64 a, tsr__vf64 b, tsr__vf64 c) { return vfmaq_f64(c, a, b); }

TSR__INLINE tsr__vf64 tsr__vf64_from_f32(const float *x) { return vcvt_f64_f32(vld1_f32(x)); }

#endif
