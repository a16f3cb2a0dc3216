/* The vector types of an instruction set: as many elements of one type as TSR__VEC_BYTES hold. Included by its file, which
 * has set that. Arithmetic, comparisons and shifts are C's own, by the compiler's vector extension. */
#ifndef TSR_CPU_VEC_TYPES_H
#define TSR_CPU_VEC_TYPES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <tessera/config.h>

#define TSR__INLINE static inline __attribute__((always_inline))

#define TSR__VEC_TYPE(name, type)                                                                          \
  typedef type tsr__v##name __attribute__((vector_size(TSR__VEC_BYTES)));                                  \
  typedef type tsr__v##name##_any __attribute__((vector_size(TSR__VEC_BYTES), aligned(1), may_alias));     \
  TSR__INLINE tsr__v##name tsr__v##name##_load(const void *at) { return *(const tsr__v##name##_any *)at; } \
  TSR__INLINE void tsr__v##name##_store(void *at, tsr__v##name v) { *(tsr__v##name##_any *)at = v; }

TSR__VEC_TYPE(f32, float)
TSR__VEC_TYPE(u8, uint8_t)
TSR__VEC_TYPE(i32, int32_t)
TSR__VEC_TYPE(u32, uint32_t)
TSR__VEC_TYPE(i64, int64_t)
TSR__VEC_TYPE(u64, uint64_t)
#if TSR_HAVE_F64
TSR__VEC_TYPE(f64, double)
#endif
#undef TSR__VEC_TYPE

/* Lanes of a vector. */
enum { TSR__VF32_LANES = TSR__VEC_BYTES / 4, TSR__VF64_LANES = TSR__VEC_BYTES / 8 };

/* One number in every lane. Less 0, because that keeps -0. */
TSR__INLINE tsr__vf32 tsr__vf32_all(float x) { return x - (tsr__vf32){0}; }
TSR__INLINE tsr__vi32 tsr__vi32_all(int32_t x) { return x + (tsr__vi32){0}; }
TSR__INLINE tsr__vi64 tsr__vi64_all(int64_t x) { return x + (tsr__vi64){0}; }
#if TSR_HAVE_F64
TSR__INLINE tsr__vf64 tsr__vf64_all(double x) { return x - (tsr__vf64){0}; }
#endif

#endif
