/* AVX2 with FMA and F16C. Which lanes is a vector of numbers whose bits are all set or all clear. */
#ifndef TSR_CPU_VEC_AVX2_H
#define TSR_CPU_VEC_AVX2_H

#include <immintrin.h>

#define TSR__VEC_BYTES 32
#define TSR__VEC_REGISTERS 16
#define TSR__VEC_FUSED 1
#define TSR__VEC_STREAMS 1
#define TSR__VEC_F16 1
#define TSR__VEC_SORTS 1
#define TSR__OWN_MADD
#define TSR__OWN_MADD_I16
#define TSR__OWN_LOAD_PART
#define TSR__OWN_WINDOW
#define TSR__OWN_LANES
#define TSR__OWN_EXTREMES
#define TSR__OWN_TABLE_F32
#define TSR__OWN_WIDEN
#include "cpu/vec/compress.h"
#include "cpu/vec/types.h"

TSR__INLINE tsr__vf32 tsr__vf32_madd(tsr__vf32 a, tsr__vf32 b, tsr__vf32 c) { return _mm256_fmadd_ps(a, b, c); }
TSR__INLINE tsr__vf64 tsr__vf64_madd(tsr__vf64 a, tsr__vf64 b, tsr__vf64 c) { return _mm256_fmadd_pd(a, b, c); }

/* ---- some of the lanes: loads; stores with a mask are slow on some machines, and there are few of them ---- */

TSR__INLINE __m256i tsr__first4(int n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
TSR__INLINE __m256i tsr__first8(int n) {
  return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}
TSR__INLINE tsr__vf32 tsr__vf32_load_part(const float *at, int n) { return _mm256_maskload_ps(at, tsr__first4(n)); }
TSR__INLINE tsr__vf64 tsr__vf64_load_part(const double *at, int n) { return _mm256_maskload_pd(at, tsr__first8(n)); }
TSR__INLINE tsr__vi32 tsr__vi32_load_part(const int32_t *at, int n) {
  return (tsr__vi32)_mm256_maskload_epi32(at, tsr__first4(n));
}
TSR__INLINE tsr__vi64 tsr__vi64_load_part(const int64_t *at, int n) {
  return (tsr__vi64)_mm256_maskload_epi64((const void *)at, tsr__first8(n));
}

typedef __m256i tsr__vwindow;
TSR__INLINE tsr__vwindow tsr__vwindow_between(int64_t low, int64_t high) {
  const int from = low < 0 ? 0 : low < 8 ? (int)low : 8, to = high < 0 ? 0 : high < 8 ? (int)high : 8;
  return _mm256_andnot_si256(tsr__first4(from), tsr__first4(to));
}
TSR__INLINE tsr__vf32 tsr__vf32_load_window(const float *at, tsr__vwindow lanes) {
  return _mm256_maskload_ps(at, lanes);
}

/* ---- which lanes, and choosing by them ---- */

typedef tsr__vi32 tsr__lanes;
TSR__INLINE tsr__lanes tsr__vf32_less(tsr__vf32 a, tsr__vf32 b) { return a < b; }
TSR__INLINE tsr__lanes tsr__vf32_equal(tsr__vf32 a, tsr__vf32 b) { return a == b; }
TSR__INLINE tsr__lanes tsr__vu32_less(tsr__vu32 a, tsr__vu32 b) { return a < b; }
TSR__INLINE bool tsr__lanes_all(tsr__lanes lanes) { return _mm256_movemask_ps((__m256)lanes) == 0xff; }
TSR__INLINE tsr__vf32 tsr__vf32_pick(tsr__lanes lanes, tsr__vf32 yes, tsr__vf32 no) {
  return _mm256_blendv_ps(no, yes, (__m256)lanes);
}
TSR__INLINE tsr__vf32 tsr__vf32_not_below(tsr__vf32 d, float bound, tsr__vf32 v) {
  return _mm256_and_ps(_mm256_cmp_ps(d, _mm256_set1_ps(bound), _CMP_NLT_UQ), v);
}

/* ---- extremes ---- */

TSR__INLINE tsr__vf32 tsr__vf32_min(tsr__vf32 a, tsr__vf32 b) { return _mm256_min_ps(a, b); }
TSR__INLINE tsr__vf32 tsr__vf32_max(tsr__vf32 a, tsr__vf32 b) { return _mm256_max_ps(a, b); }
TSR__INLINE tsr__vf64 tsr__vf64_max(tsr__vf64 a, tsr__vf64 b) { return _mm256_max_pd(a, b); }
TSR__INLINE tsr__vf32 tsr__vf32_max_nan(tsr__vf32 a, tsr__vf32 b) {
  return _mm256_blendv_ps(_mm256_max_ps(b, a), b, _mm256_cmp_ps(b, b, _CMP_UNORD_Q));
}
TSR__INLINE tsr__vf64 tsr__vf64_max_nan(tsr__vf64 a, tsr__vf64 b) {
  return _mm256_blendv_pd(_mm256_max_pd(b, a), b, _mm256_cmp_pd(b, b, _CMP_UNORD_Q));
}
TSR__INLINE float tsr__vf32_reduce_max(tsr__vf32 v) {
  const __m128 four = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  const __m128 one = _mm_max_ss(two, _mm_shuffle_ps(two, two, 1));
  return _mm256_movemask_ps(_mm256_cmp_ps(v, v, _CMP_UNORD_Q)) != 0 ? __builtin_nanf("") : _mm_cvtss_f32(one);
}
TSR__INLINE double tsr__vf64_reduce_max(tsr__vf64 v) {
  const __m128d two = _mm_max_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
  const __m128d one = _mm_max_sd(two, _mm_unpackhi_pd(two, two));
  return _mm256_movemask_pd(_mm256_cmp_pd(v, v, _CMP_UNORD_Q)) != 0 ? __builtin_nan("") : _mm_cvtsd_f64(one);
}

/* ---- keys in order: comparisons have signs, so that the top bit is turned for those of 64 bits ---- */

TSR__INLINE tsr__vu32 tsr__vu32_min(tsr__vu32 a, tsr__vu32 b) {
  return (tsr__vu32)_mm256_min_epu32((__m256i)a, (__m256i)b);
}
TSR__INLINE tsr__vu32 tsr__vu32_max(tsr__vu32 a, tsr__vu32 b) {
  return (tsr__vu32)_mm256_max_epu32((__m256i)a, (__m256i)b);
}
TSR__INLINE unsigned tsr__vu32_above(tsr__vu32 a, tsr__vu32 b) {
  const __m256i not_above = _mm256_cmpeq_epi32(_mm256_max_epu32((__m256i)a, (__m256i)b), (__m256i)b);
  return (unsigned)_mm256_movemask_ps((__m256)not_above) ^ 0xffu;
}
TSR__INLINE tsr__vu32 tsr__vu32_compress(tsr__vu32 v, unsigned lanes) {
  const __m256i shifts = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
  const __m256i from = _mm256_srlv_epi32(_mm256_set1_epi32((int)tsr__lanes_of[lanes]), shifts);
  return (tsr__vu32)_mm256_permutevar8x32_epi32((__m256i)v, from);
}

TSR__INLINE __m256i tsr__vu64_greater(tsr__vu64 a, tsr__vu64 b) {
  const __m256i top = _mm256_set1_epi64x(INT64_MIN);
  return _mm256_cmpgt_epi64(_mm256_xor_si256((__m256i)a, top), _mm256_xor_si256((__m256i)b, top));
}
TSR__INLINE tsr__vu64 tsr__vu64_min(tsr__vu64 a, tsr__vu64 b) {
  return (tsr__vu64)_mm256_blendv_epi8((__m256i)a, (__m256i)b, tsr__vu64_greater(a, b));
}
TSR__INLINE tsr__vu64 tsr__vu64_max(tsr__vu64 a, tsr__vu64 b) {
  return (tsr__vu64)_mm256_blendv_epi8((__m256i)b, (__m256i)a, tsr__vu64_greater(a, b));
}
TSR__INLINE unsigned tsr__vu64_above(tsr__vu64 a, tsr__vu64 b) {
  return (unsigned)_mm256_movemask_pd((__m256d)tsr__vu64_greater(a, b));
}
TSR__INLINE tsr__vu64 tsr__vu64_compress(tsr__vu64 v, unsigned lanes) {
  const __m256i from = _mm256_load_si256((const void *)tsr__pairs_of[lanes]);
  return (tsr__vu64)_mm256_permutevar8x32_epi32((__m256i)v, from);
}

/* ---- lanes that change places ---- */

#define TSR__VEC4_ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define TSR__VEC4_ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define TSR__VEC8_ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define TSR__VEC8_ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define TSR__VEC4_EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define TSR__VEC4_ODD(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#define TSR__VEC8_EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6)
#define TSR__VEC8_ODD(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7)
#define TSR__VEC4_SLIDE(a, b) __builtin_shufflevector(a, b, 1, 2, 3, 4, 5, 6, 7, 8)
#define TSR__VEC8_SLIDE(a, b) __builtin_shufflevector(a, b, 1, 2, 3, 4)

#define TSR__VEC_UNPACK_LOW(bits, a, b) ((tsr__vu8)_mm256_unpacklo_epi##bits((__m256i)(a), (__m256i)(b)))
#define TSR__VEC_UNPACK_HIGH(bits, a, b) ((tsr__vu8)_mm256_unpackhi_epi##bits((__m256i)(a), (__m256i)(b)))
/* 16 bytes each from two places step bytes apart. */
TSR__INLINE tsr__vu8 tsr__vu8_load_lanes(const char *at, ptrdiff_t step) {
  const __m256i v = _mm256_castsi128_si256(_mm_loadu_si128((const void *)at));
  return (tsr__vu8)_mm256_inserti128_si256(v, _mm_loadu_si128((const void *)(at + step)), 1);
}
TSR__INLINE void tsr__vu8_store_lane(char *at, tsr__vu8 v, int lane) {
  const __m256i all = (__m256i)v;
  _mm_storeu_si128((void *)at, lane == 0 ? _mm256_castsi256_si128(all) : _mm256_extracti128_si256(all, 1));
}
TSR__INLINE void tsr__vu8_load_crossed(const char *at, ptrdiff_t step, tsr__vu8 *v, int n) {
  const __m256i a = (__m256i)tsr__vu8_load(at), b = (__m256i)tsr__vu8_load(at + step);
  v[0] = (tsr__vu8)_mm256_permute2x128_si256(a, b, 0x20);
  v[n] = (tsr__vu8)_mm256_permute2x128_si256(a, b, 0x31);
}

/* ---- tables, widths, bytes ---- */

TSR__INLINE tsr__vf32 tsr__vf32_of_16(const float *table, tsr__vu32 index) {
  const __m256 low = _mm256_permutevar8x32_ps(tsr__vf32_load(table), (__m256i)index);
  const __m256 high = _mm256_permutevar8x32_ps(tsr__vf32_load(table + 8), (__m256i)index);
  return _mm256_blendv_ps(low, high, (__m256)(index << 28));
}
TSR__INLINE tsr__vf64 tsr__vf64_from_f32(const float *x) { return _mm256_cvtps_pd(_mm_loadu_ps(x)); }

TSR__INLINE tsr__vf32 tsr__vf32_from_f16(const void *at) { return _mm256_cvtph_ps(_mm_loadu_si128(at)); }
TSR__INLINE void tsr__vf32_to_f16(void *at, tsr__vf32 v) {
  _mm_storeu_si128(at, _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT));
}

TSR__INLINE tsr__vi32 tsr__vi32_madd_i16(tsr__vi32 a, tsr__vi32 b, tsr__vi32 c) {
  return c + (tsr__vi32)_mm256_madd_epi16((__m256i)a, (__m256i)b);
}

TSR__INLINE void tsr__vu8_stream(char *at, tsr__vu8 v) { _mm256_stream_si256((void *)at, (__m256i)v); }

#endif
