/* The widest register of the instruction set that a kernel is compiled for, as bytes: load, store, store past the
 * caches. */
#ifndef TSR_CPU_VECTOR_H
#define TSR_CPU_VECTOR_H

#define TSR__LINE 64 /* bytes of a line of the caches */

#if defined(__AVX512F__) && defined(__AVX512BW__)
#include <immintrin.h>
#define TSR__VECTOR_BYTES 64
typedef __m512i tsr__vector;
static inline tsr__vector tsr__vector_load(const char *at) { return _mm512_loadu_si512(at); }
static inline void tsr__vector_store(char *at, tsr__vector v) { _mm512_storeu_si512(at, v); }
static inline void tsr__vector_stream(char *at, tsr__vector v) { _mm512_stream_si512((void *)at, v); }
static inline void tsr__vector_fence(void) { _mm_sfence(); }

#elif defined(__AVX2__)
#include <immintrin.h>
#define TSR__VECTOR_BYTES 32
typedef __m256i tsr__vector;
static inline tsr__vector tsr__vector_load(const char *at) { return _mm256_loadu_si256((const void *)at); }
static inline void tsr__vector_store(char *at, tsr__vector v) { _mm256_storeu_si256((void *)at, v); }
static inline void tsr__vector_stream(char *at, tsr__vector v) { _mm256_stream_si256((void *)at, v); }
static inline void tsr__vector_fence(void) { _mm_sfence(); }

#else
#define TSR__VECTOR_BYTES 0 /* none: what is written with vectors is left to the compiler and the C library */
#endif

#endif
