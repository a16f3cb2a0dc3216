/* f16 and f32 by the processor's own conversion, where a kernel is compiled for one. It gives the bits that
 * core/dtype/f16.h does: nearest even, infinity beyond the largest, NaN made quiet with the payload that fits. */
#ifndef TSR_OPS_CAST_HALF_H
#define TSR_OPS_CAST_HALF_H

#include <tessera/index.h>

#if defined(__F16C__) && defined(__AVX2__)
#include <immintrin.h>
#define TSR__HAVE_HALF 1

/* Both convert whole vectors and return how many elements these were. */
static inline tsr_index tsr__half_load(tsr_index n, const void *src, void *wide) {
  tsr_index i = 0;
#if defined(__AVX512F__)
  for (; i + 16 <= n; i += 16)
    _mm512_storeu_ps((float *)wide + i, _mm512_cvtph_ps(_mm256_loadu_si256((const void *)((const uint16_t *)src + i))));
#else
  for (; i + 8 <= n; i += 8)
    _mm256_storeu_ps((float *)wide + i, _mm256_cvtph_ps(_mm_loadu_si128((const void *)((const uint16_t *)src + i))));
#endif
  return i;
}

static inline tsr_index tsr__half_store(tsr_index n, const void *wide, void *dst) {
  tsr_index i = 0;
#if defined(__AVX512F__)
  for (; i + 16 <= n; i += 16)
    _mm256_storeu_si256((void *)((uint16_t *)dst + i), /* the mask: the form without one warns where it is a macro */
                        _mm512_maskz_cvtps_ph((__mmask16)0xffff, _mm512_loadu_ps((const float *)wide + i),
                                              _MM_FROUND_TO_NEAREST_INT));
#else
  for (; i + 8 <= n; i += 8)
    _mm_storeu_si128((void *)((uint16_t *)dst + i),
                     _mm256_cvtps_ph(_mm256_loadu_ps((const float *)wide + i), _MM_FROUND_TO_NEAREST_INT));
#endif
  return i;
}

#endif

#endif
