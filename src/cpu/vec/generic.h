/* Any other machine: 16 bytes, which the compiler maps to what there is (SSE2, the vectors of s390x, scalars). */
#ifndef TSR_CPU_VEC_GENERIC_H
#define TSR_CPU_VEC_GENERIC_H

#define TSR__VEC_BYTES 16
#define TSR__VEC_REGISTERS 16
#define TSR__VEC_FUSED 0
#define TSR__VEC_STREAMS 0
#include "cpu/vec/types.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#define TSR__OWN_MADD_I16
TSR__INLINE tsr__vi32 tsr__vi32_madd_i16(tsr__vi32 a, tsr__vi32 b, tsr__vi32 c) {
  return c + (tsr__vi32)_mm_madd_epi16((__m128i)a, (__m128i)b);
}
#endif

#endif
