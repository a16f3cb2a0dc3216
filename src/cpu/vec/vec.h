/* The vector vocabulary: the widest register of the instruction set that a kernel is compiled for, as vectors of one
 * element type (tsr__vf32, tsr__vi64 …). An instruction set is one file beside this one; what it has no instruction for is
 * in plain.h. Arithmetic, comparisons and shifts are C's own. Included by kernel files only.
 *
 * Of the instruction set:
 *   TSR__VEC_BYTES, _REGISTERS         width and number of the registers
 *   TSR__VEC_FUSED                     whether madd rounds once
 *   TSR__VEC_STREAMS                   whether there are non-temporal stores: then there are tsr__vu8_stream,
 *                                      tsr__stream_32 (32 bytes, aligned), tsr__vec_fence,
 *                                      tsr__vu8_load_crossed, _load_lanes, _store_lane and TSR__VEC_UNPACK_LOW, _HIGH too
 *   TSR__VEC_F16                       whether it converts f16: tsr__vf32_from_f16, tsr__vf32_to_f16
 *   TSR__VEC_PAIR_DOTS                 whether madd_i16 is an instruction
 *   TSR__VEC_BF16_DOTS, _BYTE_DOTS     whether its machines may have dots of bf16 and of bytes besides (cpu/isa.h):
 *                                      tsr__vf32_dot_bf16, tsr__vi32_dot_bytes(a, b, c), c and two or four products a lane
 *                                      (bytes: of a without a sign, of b with one), in functions that are …_TARGET
 *   TSR__VEC_SIGNED_BYTE_DOTS          whether a has a sign too
 *   TSR__VEC_TILES                     whether its machines may multiply tiles of two rows by two columns besides, of eight bytes or four
 *                                      bf16 each (ops/matmul/tiles.kernel.c)
 *   TSR__VEC_MUL_HIGH                  whether there is tsr__vi32_mul_high(a, b, odd): the high words of a·b; odd: every
 *                                      second lane of b, moved down by one
 *   TSR__VEC_SORTS                     whether vectors of keys (u32, u64) can be sorted: then there are _min, _max, _above
 *                                      and _compress of them, and what order.h has
 * For each type as far as kernels need it:
 *   _load, _store                      at any address
 *   _all(x)                            x in every lane
 *   _madd(a, b, c)                     a·b + c
 *   TSR__VF32_MADD_LANE(b, a, lane, c), TSR__VI32_DOT_BYTES_LANE
 *                                      c + b · one of four lanes of a, where the set has an instruction for that
 *   _madd_i16(a, b, c)                 c and both products of pairs of i16
 *   _load_part(at, n), _store_part(at, v, n)
 *                                      the first n lanes, 0 ≤ n ≤ all; the others load as 0, and no byte past them is touched
 *   _load_some, _store_some            the same, for an n that is mostly all of them
 *   _load_window(at, tsr__vwindow_between(low, high))
 *                                      lanes low ≤ i < high; the others are 0 and not touched
 *   _min, _max(a, b)                   b where either is NaN;   _max_nan: NaN where either is;   _clamp(v, low, high)
 *   _reduce_max(v)                     the largest lane, NaN if there is one
 *   _less, _equal, _pick(lanes, yes, no), _if_less(a, b, yes, no)
 *   _above(a, b)                       a bit for each lane where a > b
 *   _compress(v, bits)                 the lanes whose bits are set, first; the others are anything
 *   _of_16(table, index)               table[index mod 16]
 *   _even, _odd(a, b), _slide(a, b)    every other lane of both; all lanes of a but the first, then b's first
 *   TSR__VEC4_ZIP_LOW, _HIGH(a, b)     the lower and the upper halves of both, lane by lane in turn (VEC8: of 8 bytes) */
#ifndef TSR_CPU_VEC_H
#define TSR_CPU_VEC_H

#include <stddef.h>

#if defined(__AVX512F__) && defined(__AVX512BW__)
#include "cpu/vec/avx512.h"
#elif defined(__AVX2__) && defined(__FMA__)
#include "cpu/vec/avx2.h"
#elif defined(__aarch64__)
#include "cpu/vec/neon.h"
#else
#include "cpu/vec/generic.h"
#endif
#include "cpu/vec/plain.h"
#if TSR__VEC_SORTS
#include "cpu/vec/order.h"
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

/* Bytes of a line of the caches. */
#define TSR__LINE 64

#if TSR__VEC_STREAMS
TSR__INLINE void tsr__stream_32(char *at, const char *from) {
  _mm256_stream_si256((void *)at, _mm256_load_si256((const void *)from));
}
TSR__INLINE void tsr__vec_fence(void) { _mm_sfence(); }
#endif

TSR__INLINE tsr__vi32 tsr__vi32_madd(tsr__vi32 a, tsr__vi32 b, tsr__vi32 c) { return a * b + c; }
TSR__INLINE tsr__vi64 tsr__vi64_madd(tsr__vi64 a, tsr__vi64 b, tsr__vi64 c) { return a * b + c; }

TSR__INLINE tsr__vf32 tsr__vf32_load_some(const float *at, int64_t n) {
  return n >= TSR__VF32_LANES ? tsr__vf32_load(at) : tsr__vf32_load_part(at, (int)n);
}
TSR__INLINE void tsr__vf32_store_some(float *at, tsr__vf32 v, int64_t n) {
  if (n >= TSR__VF32_LANES)
    tsr__vf32_store(at, v);
  else
    tsr__vf32_store_part(at, v, (int)n);
}

TSR__INLINE tsr__vf32 tsr__vf32_clamp(tsr__vf32 v, tsr__vf32 low, tsr__vf32 high) {
  return tsr__vf32_min(high, tsr__vf32_max(low, v));
}

TSR__INLINE tsr__vf32 tsr__vf32_even(tsr__vf32 a, tsr__vf32 b) { return TSR__VEC4_EVEN(a, b); }
TSR__INLINE tsr__vf32 tsr__vf32_odd(tsr__vf32 a, tsr__vf32 b) { return TSR__VEC4_ODD(a, b); }
TSR__INLINE tsr__vf32 tsr__vf32_slide(tsr__vf32 a, tsr__vf32 b) { return TSR__VEC4_SLIDE(a, b); }
#if TSR_HAVE_F64
TSR__INLINE tsr__vf64 tsr__vf64_even(tsr__vf64 a, tsr__vf64 b) { return TSR__VEC8_EVEN(a, b); }
TSR__INLINE tsr__vf64 tsr__vf64_odd(tsr__vf64 a, tsr__vf64 b) { return TSR__VEC8_ODD(a, b); }
TSR__INLINE tsr__vf64 tsr__vf64_slide(tsr__vf64 a, tsr__vf64 b) { return TSR__VEC8_SLIDE(a, b); }
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
TSR__VEC_SUM_EACH(f32, TSR__VEC4_ZIP_LOW, TSR__VEC4_ZIP_HIGH)
#if TSR_HAVE_F64
TSR__VEC_SUM_EACH(f64, TSR__VEC8_ZIP_LOW, TSR__VEC8_ZIP_HIGH)
#endif
#undef TSR__VEC_SUM_EACH

#endif
