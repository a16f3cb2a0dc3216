/* One vector of f32 or f64: load, store, add, the greatest with NaN, and every other element of two. Written for
 * AVX-512 and AVX2; elsewhere a vector is a few elements, and the compiler sees to it. */
#ifndef TSR_NN_VECTOR_H
#define TSR_NN_VECTOR_H

#include <string.h>
#include <tessera/config.h>

#if defined(__AVX512F__)
#include <immintrin.h>
typedef __m512 tsr__vec_f32;
typedef __m512d tsr__vec_f64;
static inline tsr__vec_f32 tsr__vec_load_f32(const void *at) { return _mm512_loadu_ps(at); }
static inline tsr__vec_f64 tsr__vec_load_f64(const void *at) { return _mm512_loadu_pd(at); }
static inline void tsr__vec_store_f32(void *at, tsr__vec_f32 v) { _mm512_storeu_ps(at, v); }
static inline void tsr__vec_store_f64(void *at, tsr__vec_f64 v) { _mm512_storeu_pd(at, v); }
static inline tsr__vec_f32 tsr__vec_add_f32(tsr__vec_f32 a, tsr__vec_f32 v) { return _mm512_add_ps(a, v); }
static inline tsr__vec_f64 tsr__vec_add_f64(tsr__vec_f64 a, tsr__vec_f64 v) { return _mm512_add_pd(a, v); }
/* max gives its second operand where either is NaN: what is left is a NaN in v. */
static inline tsr__vec_f32 tsr__vec_max_f32(tsr__vec_f32 a, tsr__vec_f32 v) {
  return _mm512_mask_max_ps(v, _mm512_cmp_ps_mask(v, v, _CMP_ORD_Q), v, a);
}
static inline tsr__vec_f64 tsr__vec_max_f64(tsr__vec_f64 a, tsr__vec_f64 v) {
  return _mm512_mask_max_pd(v, _mm512_cmp_pd_mask(v, v, _CMP_ORD_Q), v, a);
}
/* The greatest lane; NaN when there is one. */
static inline float tsr__vec_top_f32(tsr__vec_f32 v) {
  return _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q) != 0 ? __builtin_nanf("") : _mm512_reduce_max_ps(v);
}
static inline double tsr__vec_top_f64(tsr__vec_f64 v) {
  return _mm512_cmp_pd_mask(v, v, _CMP_UNORD_Q) != 0 ? __builtin_nan("") : _mm512_reduce_max_pd(v);
}
/* Elements 0, 2, 4 … (odd 0) or 1, 3, 5 … (odd 1) of a and b, one after the other. */
static inline tsr__vec_f32 tsr__vec_half_f32(tsr__vec_f32 a, tsr__vec_f32 b, int odd) {
  const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  return _mm512_permutex2var_ps(a, _mm512_add_epi32(even, _mm512_set1_epi32(odd)), b);
}
static inline tsr__vec_f64 tsr__vec_half_f64(tsr__vec_f64 a, tsr__vec_f64 b, int odd) {
  const __m512i even = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
  return _mm512_permutex2var_pd(a, _mm512_add_epi64(even, _mm512_set1_epi64(odd)), b);
}
/* All elements of a but the first, then the first of b. */
static inline tsr__vec_f32 tsr__vec_next_f32(tsr__vec_f32 a, tsr__vec_f32 b) {
  return _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(b), _mm512_castps_si512(a), 1));
}
static inline tsr__vec_f64 tsr__vec_next_f64(tsr__vec_f64 a, tsr__vec_f64 b) {
  return _mm512_castsi512_pd(_mm512_alignr_epi64(_mm512_castpd_si512(b), _mm512_castpd_si512(a), 1));
}

#elif defined(__AVX2__)
#include <immintrin.h>
typedef __m256 tsr__vec_f32;
typedef __m256d tsr__vec_f64;
static inline tsr__vec_f32 tsr__vec_load_f32(const void *at) { return _mm256_loadu_ps(at); }
static inline tsr__vec_f64 tsr__vec_load_f64(const void *at) { return _mm256_loadu_pd(at); }
static inline void tsr__vec_store_f32(void *at, tsr__vec_f32 v) { _mm256_storeu_ps(at, v); }
static inline void tsr__vec_store_f64(void *at, tsr__vec_f64 v) { _mm256_storeu_pd(at, v); }
static inline tsr__vec_f32 tsr__vec_add_f32(tsr__vec_f32 a, tsr__vec_f32 v) { return _mm256_add_ps(a, v); }
static inline tsr__vec_f64 tsr__vec_add_f64(tsr__vec_f64 a, tsr__vec_f64 v) { return _mm256_add_pd(a, v); }
static inline tsr__vec_f32 tsr__vec_max_f32(tsr__vec_f32 a, tsr__vec_f32 v) {
  return _mm256_blendv_ps(_mm256_max_ps(v, a), v, _mm256_cmp_ps(v, v, _CMP_UNORD_Q));
}
static inline tsr__vec_f64 tsr__vec_max_f64(tsr__vec_f64 a, tsr__vec_f64 v) {
  return _mm256_blendv_pd(_mm256_max_pd(v, a), v, _mm256_cmp_pd(v, v, _CMP_UNORD_Q));
}
static inline float tsr__vec_top_f32(tsr__vec_f32 v) {
  const __m128 four = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  const __m128 two = _mm_max_ps(four, _mm_movehl_ps(four, four));
  const __m128 one = _mm_max_ss(two, _mm_shuffle_ps(two, two, 1));
  return _mm256_movemask_ps(_mm256_cmp_ps(v, v, _CMP_UNORD_Q)) != 0 ? __builtin_nanf("") : _mm_cvtss_f32(one);
}
static inline double tsr__vec_top_f64(tsr__vec_f64 v) {
  const __m128d two = _mm_max_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
  const __m128d one = _mm_max_sd(two, _mm_unpackhi_pd(two, two));
  return _mm256_movemask_pd(_mm256_cmp_pd(v, v, _CMP_UNORD_Q)) != 0 ? __builtin_nan("") : _mm_cvtsd_f64(one);
}
static inline tsr__vec_f32 tsr__vec_half_f32(tsr__vec_f32 a, tsr__vec_f32 b, int odd) {
  const __m256 mixed = odd ? _mm256_shuffle_ps(a, b, 0xdd) : _mm256_shuffle_ps(a, b, 0x88);
  return _mm256_castpd_ps(_mm256_permute4x64_pd(_mm256_castps_pd(mixed), 0xd8));
}
static inline tsr__vec_f64 tsr__vec_half_f64(tsr__vec_f64 a, tsr__vec_f64 b, int odd) {
  return _mm256_permute4x64_pd(odd ? _mm256_shuffle_pd(a, b, 0xf) : _mm256_shuffle_pd(a, b, 0), 0xd8);
}
static inline tsr__vec_f32 tsr__vec_next_f32(tsr__vec_f32 a, tsr__vec_f32 b) {
  const __m256i low = _mm256_castps_si256(a), high = _mm256_castps_si256(_mm256_permute2f128_ps(a, b, 0x21));
  return _mm256_castsi256_ps(_mm256_alignr_epi8(high, low, 4));
}
static inline tsr__vec_f64 tsr__vec_next_f64(tsr__vec_f64 a, tsr__vec_f64 b) {
  return _mm256_shuffle_pd(a, _mm256_permute2f128_pd(a, b, 0x21), 0x5);
}

#else
#define TSR__VEC_PLAIN(suffix, C)                                                                             \
  typedef struct tsr__vec_##suffix {                                                                          \
    C lane[4];                                                                                                \
  } tsr__vec_##suffix;                                                                                        \
  static inline tsr__vec_##suffix tsr__vec_load_##suffix(const void *at) {                                    \
    tsr__vec_##suffix v;                                                                                      \
    memcpy(&v, at, sizeof v);                                                                                 \
    return v;                                                                                                 \
  }                                                                                                           \
  static inline void tsr__vec_store_##suffix(void *at, tsr__vec_##suffix v) { memcpy(at, &v, sizeof v); }     \
  static inline tsr__vec_##suffix tsr__vec_add_##suffix(tsr__vec_##suffix a, tsr__vec_##suffix v) {           \
    for (int l = 0; l < 4; l++) a.lane[l] += v.lane[l];                                                       \
    return a;                                                                                                 \
  }                                                                                                           \
  static inline tsr__vec_##suffix tsr__vec_max_##suffix(tsr__vec_##suffix a, tsr__vec_##suffix v) {           \
    for (int l = 0; l < 4; l++) {                                                                             \
      const C most = v.lane[l] > a.lane[l] ? v.lane[l] : a.lane[l];                                           \
      a.lane[l] = v.lane[l] != v.lane[l] ? v.lane[l] : most;                                                  \
    }                                                                                                         \
    return a;                                                                                                 \
  }                                                                                                           \
  static inline C tsr__vec_top_##suffix(tsr__vec_##suffix v) {                                                \
    C top = v.lane[0];                                                                                        \
    for (int l = 1; l < 4; l++) top = ((v.lane[l] > top) | (v.lane[l] != v.lane[l])) ? v.lane[l] : top;       \
    return top;                                                                                               \
  }                                                                                                           \
  static inline tsr__vec_##suffix tsr__vec_half_##suffix(tsr__vec_##suffix a, tsr__vec_##suffix b, int odd) { \
    return (tsr__vec_##suffix){{a.lane[odd], a.lane[2 + odd], b.lane[odd], b.lane[2 + odd]}};                 \
  }                                                                                                           \
  static inline tsr__vec_##suffix tsr__vec_next_##suffix(tsr__vec_##suffix a, tsr__vec_##suffix b) {          \
    return (tsr__vec_##suffix){{a.lane[1], a.lane[2], a.lane[3], b.lane[0]}};                                 \
  }
TSR__VEC_PLAIN(f32, float)
#if TSR_HAVE_F64
TSR__VEC_PLAIN(f64, double)
#endif
#endif

#endif
