/* f16 and f32 by the processor's own conversion, where a kernel is compiled for one. It gives the bits that
 * core/dtype/f16.h does: nearest even, infinity beyond the largest, NaN made quiet with the payload that fits. */
#ifndef TSR_OPS_CAST_HALF_H
#define TSR_OPS_CAST_HALF_H

#include "cpu/vec/vec.h"
#include <tessera/index.h>

#if TSR__VEC_F16

/* Both convert whole vectors and return how many elements these were. */
static inline tsr_index tsr__half_load(tsr_index n, const void *src, void *wide) {
  tsr_index i = 0;
  for (; i + TSR__VF32_LANES <= n; i += TSR__VF32_LANES)
    tsr__vf32_store((float *)wide + i, tsr__vf32_from_f16((const uint16_t *)src + i));
  return i;
}

static inline tsr_index tsr__half_store(tsr_index n, const void *wide, void *dst) {
  tsr_index i = 0;
  for (; i + TSR__VF32_LANES <= n; i += TSR__VF32_LANES)
    tsr__vf32_to_f16((uint16_t *)dst + i, tsr__vf32_load((const float *)wide + i));
  return i;
}

#endif

#endif
