/* f32 vectors for the kernels of convolutions: AVX-512, AVX2 with FMA, and 16 bytes of anything else. */
#ifndef TSR_NN_CONV_VEC_H
#define TSR_NN_CONV_VEC_H

#include <stddef.h>
#include <string.h>
#include <tessera/index.h>

#define TSR__INLINE static inline __attribute__((always_inline))

/* Loops over registers: unrolled, or the compiler would keep them in memory. */
#if defined(__clang__)
#define TSR__UNROLL _Pragma("clang loop unroll(full)")
#else
#define TSR__UNROLL _Pragma("GCC unroll 32")
#endif

#if defined(__AVX512F__)
#include <immintrin.h>
#define TSR__VEC 16
typedef __m512 tsr__vec;
TSR__INLINE tsr__vec tsr__vec_zero(void) { return _mm512_setzero_ps(); }
TSR__INLINE tsr__vec tsr__vec_all(float x) { return _mm512_set1_ps(x); }
TSR__INLINE tsr__vec tsr__vec_load(const float *at) { return _mm512_loadu_ps(at); }
TSR__INLINE void tsr__vec_store(float *at, tsr__vec v) { _mm512_storeu_ps(at, v); }
TSR__INLINE tsr__vec tsr__vec_fma(tsr__vec a, tsr__vec b, tsr__vec c) { return _mm512_fmadd_ps(a, b, c); }
TSR__INLINE tsr__vec tsr__vec_clamp(tsr__vec v, tsr__vec low, tsr__vec high) {
  return _mm512_min_ps(high, _mm512_max_ps(low, v)); /* the second operand where one is NaN */
}
TSR__INLINE tsr__vec tsr__vec_load_part(const float *at, tsr_index n) {
  return _mm512_maskz_loadu_ps((__mmask16)((1u << n) - 1u), at);
}
TSR__INLINE void tsr__vec_store_part(float *at, tsr_index n, tsr__vec v) {
  _mm512_mask_storeu_ps(at, (__mmask16)((1u << n) - 1u), v);
}

#elif defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#define TSR__VEC 8
typedef __m256 tsr__vec;
TSR__INLINE tsr__vec tsr__vec_zero(void) { return _mm256_setzero_ps(); }
TSR__INLINE tsr__vec tsr__vec_all(float x) { return _mm256_set1_ps(x); }
TSR__INLINE tsr__vec tsr__vec_load(const float *at) { return _mm256_loadu_ps(at); }
TSR__INLINE void tsr__vec_store(float *at, tsr__vec v) { _mm256_storeu_ps(at, v); }
TSR__INLINE tsr__vec tsr__vec_fma(tsr__vec a, tsr__vec b, tsr__vec c) { return _mm256_fmadd_ps(a, b, c); }
TSR__INLINE tsr__vec tsr__vec_clamp(tsr__vec v, tsr__vec low, tsr__vec high) {
  return _mm256_min_ps(high, _mm256_max_ps(low, v));
}
TSR__INLINE __m256i tsr__vec_first(tsr_index n) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32((int)n), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
TSR__INLINE tsr__vec tsr__vec_load_part(const float *at, tsr_index n) {
  return _mm256_maskload_ps(at, tsr__vec_first(n));
}
TSR__INLINE void tsr__vec_store_part(float *at, tsr_index n, tsr__vec v) {
  _mm256_maskstore_ps(at, tsr__vec_first(n), v);
}

#else
#define TSR__VEC 4
typedef float tsr__vec __attribute__((vector_size(16)));
TSR__INLINE tsr__vec tsr__vec_zero(void) { return (tsr__vec){0, 0, 0, 0}; }
TSR__INLINE tsr__vec tsr__vec_all(float x) { return (tsr__vec){x, x, x, x}; }
TSR__INLINE tsr__vec tsr__vec_load(const float *at) {
  tsr__vec v;
  memcpy(&v, at, sizeof v);
  return v;
}
TSR__INLINE void tsr__vec_store(float *at, tsr__vec v) { memcpy(at, &v, sizeof v); }
TSR__INLINE tsr__vec tsr__vec_fma(tsr__vec a, tsr__vec b, tsr__vec c) { return a * b + c; }
TSR__INLINE tsr__vec tsr__vec_clamp(tsr__vec v, tsr__vec low, tsr__vec high) {
  for (int i = 0; i < TSR__VEC; i++) {
    v[i] = v[i] < low[i] ? low[i] : v[i];
    v[i] = v[i] > high[i] ? high[i] : v[i];
  }
  return v;
}
TSR__INLINE tsr__vec tsr__vec_load_part(const float *at, tsr_index n) {
  tsr__vec v = tsr__vec_zero();
  for (int i = 0; i < TSR__VEC && i < n; i++) v[i] = at[i];
  return v;
}
TSR__INLINE void tsr__vec_store_part(float *at, tsr_index n, tsr__vec v) {
  for (int i = 0; i < TSR__VEC && i < n; i++) at[i] = v[i];
}
#endif

/* n ≤ TSR__VEC of them, the others 0 when loaded. */
TSR__INLINE tsr__vec tsr__vec_load_some(const float *at, tsr_index n) {
  return n >= TSR__VEC ? tsr__vec_load(at) : tsr__vec_load_part(at, n);
}
TSR__INLINE void tsr__vec_store_some(float *at, tsr_index n, tsr__vec v) {
  if (n >= TSR__VEC)
    tsr__vec_store(at, v);
  else
    tsr__vec_store_part(at, n, v);
}

#endif
