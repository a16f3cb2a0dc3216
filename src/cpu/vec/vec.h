/* The small vector vocabulary: the widest register of the instruction set that a kernel is compiled for, as vectors of
 * one element type. Arithmetic is C's own (GCC's vector extension); here is what C has no words for: unaligned and
 * partial loads and stores, one number in every lane, fused multiply-add, interleaving. Included by kernel files only.
 */
#ifndef TSR_CPU_VEC_H
#define TSR_CPU_VEC_H

#include <stdint.h>
#include <string.h>
#include <tessera/config.h>

#if defined(__AVX512F__) && defined(__AVX512BW__)
#include <immintrin.h>
#define TSR__VEC_BYTES 64
#define TSR__VEC_REGISTERS 32
#elif defined(__AVX2__)
#include <immintrin.h>
#define TSR__VEC_BYTES 32
#define TSR__VEC_REGISTERS 16
#else
#define TSR__VEC_BYTES 16
#if defined(__aarch64__)
#define TSR__VEC_REGISTERS 32
#else
#define TSR__VEC_REGISTERS 16
#endif
#endif
#if defined(__aarch64__)
#include <arm_neon.h>
#endif

/* TSR__VEC(tsr__vf32, _load) is tsr__vf32_load, also where the first is a macro. */
#define TSR__VEC_CAT(prefix, what) prefix##what
#define TSR__VEC(prefix, what) TSR__VEC_CAT(prefix, what)

/* Before a loop whose count is a constant once it is inlined: n copies of its body, and arrays become registers. */
#define TSR__PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define TSR__UNROLL(n) TSR__PRAGMA(unroll n)
#else
#define TSR__UNROLL(n) TSR__PRAGMA(GCC unroll n)
#endif

#define TSR__INLINE static inline __attribute__((always_inline))

#define TSR__VEC_TYPES(name, type)                                                                         \
  typedef type tsr__v##name __attribute__((vector_size(TSR__VEC_BYTES)));                                  \
  typedef type tsr__v##name##_any __attribute__((vector_size(TSR__VEC_BYTES), aligned(1), may_alias));     \
  TSR__INLINE tsr__v##name tsr__v##name##_load(const void *at) { return *(const tsr__v##name##_any *)at; } \
  TSR__INLINE void tsr__v##name##_store(void *at, tsr__v##name v) { *(tsr__v##name##_any *)at = v; }

TSR__VEC_TYPES(f32, float)
TSR__VEC_TYPES(i32, int32_t)
TSR__VEC_TYPES(i64, int64_t)
#if TSR_HAVE_F64
TSR__VEC_TYPES(f64, double)
#endif

/* One number in every lane. Less 0, because that keeps -0. */
TSR__INLINE tsr__vf32 tsr__vf32_all(float x) { return x - (tsr__vf32){0}; }
TSR__INLINE tsr__vi32 tsr__vi32_all(int32_t x) { return x + (tsr__vi32){0}; }
TSR__INLINE tsr__vi64 tsr__vi64_all(int64_t x) { return x + (tsr__vi64){0}; }
#if TSR_HAVE_F64
TSR__INLINE tsr__vf64 tsr__vf64_all(double x) { return x - (tsr__vf64){0}; }
#endif

/* a·b + c, rounded once where the instruction set can, else twice. */
#if TSR__VEC_BYTES == 64
TSR__INLINE tsr__vf32 tsr__vf32_madd(tsr__vf32 a, tsr__vf32 b, tsr__vf32 c) { return _mm512_fmadd_ps(a, b, c); }
TSR__INLINE tsr__vf64 tsr__vf64_madd(tsr__vf64 a, tsr__vf64 b, tsr__vf64 c) { return _mm512_fmadd_pd(a, b, c); }
#elif TSR__VEC_BYTES == 32
TSR__INLINE tsr__vf32 tsr__vf32_madd(tsr__vf32 a, tsr__vf32 b, tsr__vf32 c) { return _mm256_fmadd_ps(a, b, c); }
TSR__INLINE tsr__vf64 tsr__vf64_madd(tsr__vf64 a, tsr__vf64 b, tsr__vf64 c) { return _mm256_fmadd_pd(a, b, c); }
#elif defined(__aarch64__)
TSR__INLINE tsr__vf32 tsr__vf32_madd(tsr__vf32 a, tsr__vf32 b, tsr__vf32 c) { return vfmaq_f32(c, a, b); }
TSR__INLINE tsr__vf64 tsr__vf64_madd(tsr__vf64 a, tsr__vf64 b, tsr__vf64 c) { return vfmaq_f64(c, a, b); }
#else
TSR__INLINE tsr__vf32 tsr__vf32_madd(tsr__vf32 a, tsr__vf32 b, tsr__vf32 c) { return a * b + c; }
#if TSR_HAVE_F64
TSR__INLINE tsr__vf64 tsr__vf64_madd(tsr__vf64 a, tsr__vf64 b, tsr__vf64 c) { return a * b + c; }
#endif
#endif
TSR__INLINE tsr__vi32 tsr__vi32_madd(tsr__vi32 a, tsr__vi32 b, tsr__vi32 c) { return a * b + c; }
TSR__INLINE tsr__vi64 tsr__vi64_madd(tsr__vi64 a, tsr__vi64 b, tsr__vi64 c) { return a * b + c; }

/* The first n lanes, 0 ≤ n ≤ all of them: the others load as 0 and are not stored. No byte past them is touched. */
#if TSR__VEC_BYTES == 64
#define TSR__FIRST(n) ((1u << (n)) - 1u)
TSR__INLINE tsr__vf32 tsr__vf32_load_part(const float *at, int n) {
  return _mm512_maskz_loadu_ps((__mmask16)TSR__FIRST(n), at);
}
TSR__INLINE void tsr__vf32_store_part(float *at, tsr__vf32 v, int n) {
  _mm512_mask_storeu_ps(at, (__mmask16)TSR__FIRST(n), v);
}
TSR__INLINE tsr__vf64 tsr__vf64_load_part(const double *at, int n) {
  return _mm512_maskz_loadu_pd((__mmask8)TSR__FIRST(n), at);
}
TSR__INLINE void tsr__vf64_store_part(double *at, tsr__vf64 v, int n) {
  _mm512_mask_storeu_pd(at, (__mmask8)TSR__FIRST(n), v);
}
TSR__INLINE tsr__vi32 tsr__vi32_load_part(const int32_t *at, int n) {
  return (tsr__vi32)_mm512_maskz_loadu_epi32((__mmask16)TSR__FIRST(n), at);
}
TSR__INLINE void tsr__vi32_store_part(int32_t *at, tsr__vi32 v, int n) {
  _mm512_mask_storeu_epi32(at, (__mmask16)TSR__FIRST(n), (__m512i)v);
}
TSR__INLINE tsr__vi64 tsr__vi64_load_part(const int64_t *at, int n) {
  return (tsr__vi64)_mm512_maskz_loadu_epi64((__mmask8)TSR__FIRST(n), at);
}
TSR__INLINE void tsr__vi64_store_part(int64_t *at, tsr__vi64 v, int n) {
  _mm512_mask_storeu_epi64(at, (__mmask8)TSR__FIRST(n), (__m512i)v);
}
#elif TSR__VEC_BYTES == 32 /* stores with a mask are slow on some machines, and there are few of them */
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
#else
#define TSR__VEC_LOAD_PART(name, type)                                       \
  TSR__INLINE tsr__v##name tsr__v##name##_load_part(const type *at, int n) { \
    tsr__v##name v = {0};                                                    \
    for (int i = 0; i < n; i++) v[i] = at[i];                                \
    return v;                                                                \
  }
TSR__VEC_LOAD_PART(f32, float)
TSR__VEC_LOAD_PART(i32, int32_t)
TSR__VEC_LOAD_PART(i64, int64_t)
#if TSR_HAVE_F64
TSR__VEC_LOAD_PART(f64, double)
#endif
#undef TSR__VEC_LOAD_PART
#endif

#if TSR__VEC_BYTES < 64
#define TSR__VEC_STORE_PART(name, type)                                         \
  TSR__INLINE void tsr__v##name##_store_part(type *at, tsr__v##name v, int n) { \
    for (int i = 0; i < n; i++) at[i] = v[i];                                   \
  }
TSR__VEC_STORE_PART(f32, float)
TSR__VEC_STORE_PART(i32, int32_t)
TSR__VEC_STORE_PART(i64, int64_t)
#if TSR_HAVE_F64
TSR__VEC_STORE_PART(f64, double)
#endif
#undef TSR__VEC_STORE_PART
#endif
#undef TSR__VEC_TYPES

/* The lower and the upper halves of two vectors, lane by lane in turn. On 4 and 8 bytes a lane, whatever they mean. */
#if TSR__VEC_BYTES == 64
#define TSR__ZIP4_LOW(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define TSR__ZIP4_HIGH(a, b) __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define TSR__ZIP8_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define TSR__ZIP8_HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#elif TSR__VEC_BYTES == 32
#define TSR__ZIP4_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define TSR__ZIP4_HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define TSR__ZIP8_LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define TSR__ZIP8_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#else
#define TSR__ZIP4_LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define TSR__ZIP4_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define TSR__ZIP8_LOW(a, b) __builtin_shufflevector(a, b, 0, 2)
#define TSR__ZIP8_HIGH(a, b) __builtin_shufflevector(a, b, 1, 3)
#endif

/* The sum of each of as many vectors as one has lanes: of v[i] in lane i. Halves are added, and two vectors share one
 * from then on, so that the order of a sum does not depend on i. v is used up. */
#define TSR__VEC_SUM_EACH(name, low, high)                                           \
  TSR__INLINE tsr__v##name tsr__v##name##_sum_each(tsr__v##name *v) {                \
    TSR__UNROLL(4)                                                                   \
    for (int n = (int)(sizeof v[0] / sizeof v[0][0]) / 2; n > 0; n /= 2) {           \
      TSR__UNROLL(8)                                                                 \
      for (int i = 0; i < n; i++) v[i] = low(v[i], v[i + n]) + high(v[i], v[i + n]); \
    }                                                                                \
    return v[0];                                                                     \
  }
TSR__VEC_SUM_EACH(f32, TSR__ZIP4_LOW, TSR__ZIP4_HIGH)
#if TSR_HAVE_F64
TSR__VEC_SUM_EACH(f64, TSR__ZIP8_LOW, TSR__ZIP8_HIGH)
#endif
#undef TSR__VEC_SUM_EACH

#endif
