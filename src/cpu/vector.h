/* The widest register of the instruction set that a kernel is compiled for, as bytes: load, store, store past the
 * caches, one element of 1, 2, 4, 8 or 16 bytes over and over. */
#ifndef TSR_CPU_VECTOR_H
#define TSR_CPU_VECTOR_H

#include <stdint.h>
#include <string.h>

#define TSR__LINE 64 /* bytes of a line of the caches */

#if defined(__AVX512F__) && defined(__AVX512BW__)
#include <immintrin.h>
#define TSR__VECTOR_BYTES 64
typedef __m512i tsr__vector;
static inline tsr__vector tsr__vector_load(const char *at) { return _mm512_loadu_si512(at); }
static inline void tsr__vector_store(char *at, tsr__vector v) { _mm512_storeu_si512(at, v); }
static inline void tsr__vector_stream(char *at, tsr__vector v) { _mm512_stream_si512((void *)at, v); }
static inline void tsr__vector_fence(void) { _mm_sfence(); }
static inline tsr__vector tsr__vector_repeat(const unsigned char *element, size_t item) {
  int16_t two;
  int32_t four;
  long long eight;
  switch (item) {
    case 1: return _mm512_set1_epi8((char)*element);
    case 2: memcpy(&two, element, 2); return _mm512_set1_epi16(two);
    case 4: memcpy(&four, element, 4); return _mm512_set1_epi32(four);
    case 8: memcpy(&eight, element, 8); return _mm512_set1_epi64(eight);
    default: return _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)element));
  }
}

#elif defined(__AVX2__)
#include <immintrin.h>
#define TSR__VECTOR_BYTES 32
typedef __m256i tsr__vector;
static inline tsr__vector tsr__vector_load(const char *at) { return _mm256_loadu_si256((const void *)at); }
static inline void tsr__vector_store(char *at, tsr__vector v) { _mm256_storeu_si256((void *)at, v); }
static inline void tsr__vector_stream(char *at, tsr__vector v) { _mm256_stream_si256((void *)at, v); }
static inline void tsr__vector_fence(void) { _mm_sfence(); }
static inline tsr__vector tsr__vector_repeat(const unsigned char *element, size_t item) {
  int16_t two;
  int32_t four;
  long long eight;
  switch (item) {
    case 1: return _mm256_set1_epi8((char)*element);
    case 2: memcpy(&two, element, 2); return _mm256_set1_epi16(two);
    case 4: memcpy(&four, element, 4); return _mm256_set1_epi32(four);
    case 8: memcpy(&eight, element, 8); return _mm256_set1_epi64x(eight);
    default: return _mm256_broadcastsi128_si256(_mm_loadu_si128((const void *)element));
  }
}

#else
#define TSR__VECTOR_BYTES 0 /* none: what is written with vectors is left to the compiler and the C library */
#endif

#endif
