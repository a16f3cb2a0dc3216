/* Vectors of pairs, as complex numbers lie: the first of each pair twice, the second twice, both swapped. Included by kernel
 * files, after vec.h. */
#ifndef TSR_CPU_VEC_PAIRS_H
#define TSR_CPU_VEC_PAIRS_H

#include "cpu/vec/vec.h"

#if TSR__VEC_BYTES == 64
#define TSR__PAIRS4(v, a, b)                                                                                     \
  __builtin_shufflevector(v, v, 0 + (a), 0 + (b), 2 + (a), 2 + (b), 4 + (a), 4 + (b), 6 + (a), 6 + (b), 8 + (a), \
                          8 + (b), 10 + (a), 10 + (b), 12 + (a), 12 + (b), 14 + (a), 14 + (b))
#define TSR__PAIRS8(v, a, b) \
  __builtin_shufflevector(v, v, 0 + (a), 0 + (b), 2 + (a), 2 + (b), 4 + (a), 4 + (b), 6 + (a), 6 + (b))
#elif TSR__VEC_BYTES == 32
#define TSR__PAIRS4(v, a, b) \
  __builtin_shufflevector(v, v, 0 + (a), 0 + (b), 2 + (a), 2 + (b), 4 + (a), 4 + (b), 6 + (a), 6 + (b))
#define TSR__PAIRS8(v, a, b) __builtin_shufflevector(v, v, 0 + (a), 0 + (b), 2 + (a), 2 + (b))
#else
#define TSR__PAIRS4(v, a, b) __builtin_shufflevector(v, v, 0 + (a), 0 + (b), 2 + (a), 2 + (b))
#define TSR__PAIRS8(v, a, b) __builtin_shufflevector(v, v, 0 + (a), 0 + (b))
#endif

#define TSR__PAIRS_OF(name, pairs, bits, sign)                                               \
  TSR__INLINE tsr__v##name tsr__v##name##_firsts(tsr__v##name v) { return pairs(v, 0, 0); }  \
  TSR__INLINE tsr__v##name tsr__v##name##_seconds(tsr__v##name v) { return pairs(v, 1, 1); } \
  TSR__INLINE tsr__v##name tsr__v##name##_swapped(tsr__v##name v) { return pairs(v, 1, 0); } \
  /* With the other sign where it is the first of a pair. */                                 \
  TSR__INLINE tsr__v##name tsr__v##name##_firsts_negated(tsr__v##name v) {                   \
    const tsr__v##bits all = (sign) - (tsr__v##bits){0}, none = {0};                         \
    const tsr__v##bits signs = pairs##_OF(all, none);                                        \
    return (tsr__v##name)((tsr__v##bits)v ^ signs);                                          \
  }
#if TSR__VEC_BYTES == 64
#define TSR__PAIRS4_OF(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define TSR__PAIRS8_OF(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#elif TSR__VEC_BYTES == 32
#define TSR__PAIRS4_OF(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define TSR__PAIRS8_OF(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#else
#define TSR__PAIRS4_OF(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define TSR__PAIRS8_OF(a, b) __builtin_shufflevector(a, b, 0, 2)
#endif
TSR__PAIRS_OF(f32, TSR__PAIRS4, u32, UINT32_C(1) << 31)
#if TSR_HAVE_F64
TSR__PAIRS_OF(f64, TSR__PAIRS8, u64, UINT64_C(1) << 63)
#endif
#undef TSR__PAIRS_OF

#endif
