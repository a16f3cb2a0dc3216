/* AVX-512 (F, BW, VL, DQ). Which lanes is a mask in a register of its own. */
#ifndef TSR_CPU_VEC_AVX512_H
#define TSR_CPU_VEC_AVX512_H

#include <immintrin.h>

#define TSR__VEC_BYTES 64
#define TSR__VEC_REGISTERS 32
#define TSR__VEC_FUSED 1
#define TSR__VEC_STREAMS 1
#define TSR__VEC_F16 1
#define TSR__VEC_BF16_DOTS 1
#define TSR__VEC_BYTE_DOTS 1
#define TSR__VEC_MUL_HIGH 1
#define TSR__VEC_SORTS 1
#define TSR__OWN_MADD
#define TSR__OWN_MADD_I16
#define TSR__OWN_LOAD_PART
#define TSR__OWN_STORE_PART
#define TSR__OWN_WINDOW
#define TSR__OWN_LANES
#define TSR__OWN_LANES_F64
#define TSR__OWN_EXTREMES
#define TSR__OWN_TABLE_F32
#define TSR__OWN_TABLE_F64
#define TSR__OWN_WIDEN
#define TSR__OWN_ORDER
#include "cpu/vec/types.h"

TSR__INLINE tsr__vf32 tsr__vf32_madd(tsr__vf32 a, tsr__vf32 b, tsr__vf32 c) { return _mm512_fmadd_ps(a, b, c); }
TSR__INLINE tsr__vf64 tsr__vf64_madd(tsr__vf64 a, tsr__vf64 b, tsr__vf64 c) { return _mm512_fmadd_pd(a, b, c); }

/* ---- some of the lanes ---- */

#define TSR__FIRST_LANES(n) ((1u << (n)) - 1u)
TSR__INLINE tsr__vf32 tsr__vf32_load_part(const float *at, int n) {
  return _mm512_maskz_loadu_ps((__mmask16)TSR__FIRST_LANES(n), at);
}
TSR__INLINE void tsr__vf32_store_part(float *at, tsr__vf32 v, int n) {
  _mm512_mask_storeu_ps(at, (__mmask16)TSR__FIRST_LANES(n), v);
}
TSR__INLINE tsr__vf64 tsr__vf64_load_part(const double *at, int n) {
  return _mm512_maskz_loadu_pd((__mmask8)TSR__FIRST_LANES(n), at);
}
TSR__INLINE void tsr__vf64_store_part(double *at, tsr__vf64 v, int n) {
  _mm512_mask_storeu_pd(at, (__mmask8)TSR__FIRST_LANES(n), v);
}
TSR__INLINE tsr__vi32 tsr__vi32_load_part(const int32_t *at, int n) {
  return (tsr__vi32)_mm512_maskz_loadu_epi32((__mmask16)TSR__FIRST_LANES(n), at);
}
TSR__INLINE void tsr__vi32_store_part(int32_t *at, tsr__vi32 v, int n) {
  _mm512_mask_storeu_epi32(at, (__mmask16)TSR__FIRST_LANES(n), (__m512i)v);
}
TSR__INLINE tsr__vi64 tsr__vi64_load_part(const int64_t *at, int n) {
  return (tsr__vi64)_mm512_maskz_loadu_epi64((__mmask8)TSR__FIRST_LANES(n), at);
}
TSR__INLINE void tsr__vi64_store_part(int64_t *at, tsr__vi64 v, int n) {
  _mm512_mask_storeu_epi64(at, (__mmask8)TSR__FIRST_LANES(n), (__m512i)v);
}

typedef __mmask16 tsr__vwindow;
TSR__INLINE tsr__vwindow tsr__vwindow_between(int64_t low, int64_t high) {
  const int64_t from = low < 0 ? 0 : low < 16 ? low : 16, to = high < 0 ? 0 : high < 16 ? high : 16;
  return (__mmask16)(TSR__FIRST_LANES(to) >> from << from);
}
TSR__INLINE tsr__vf32 tsr__vf32_load_window(const float *at, tsr__vwindow lanes) {
  return _mm512_maskz_loadu_ps(lanes, at);
}

/* ---- which lanes, and choosing by them ---- */

typedef __mmask16 tsr__lanes;
TSR__INLINE tsr__lanes tsr__vf32_less(tsr__vf32 a, tsr__vf32 b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
TSR__INLINE tsr__lanes tsr__vf32_equal(tsr__vf32 a, tsr__vf32 b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
TSR__INLINE tsr__lanes tsr__vu32_less(tsr__vu32 a, tsr__vu32 b) {
  return _mm512_cmplt_epu32_mask((__m512i)a, (__m512i)b);
}
TSR__INLINE bool tsr__lanes_all(tsr__lanes lanes) { return lanes == 0xffff; }
TSR__INLINE tsr__vf32 tsr__vf32_pick(tsr__lanes lanes, tsr__vf32 yes, tsr__vf32 no) {
  return _mm512_mask_blend_ps(lanes, no, yes);
}
TSR__INLINE tsr__vf32 tsr__vf32_not_below(tsr__vf32 d, float bound, tsr__vf32 v) {
  return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(d, _mm512_set1_ps(bound), _CMP_NLT_UQ), v);
}
TSR__INLINE tsr__vf64 tsr__vf64_if_less(tsr__vf64 a, tsr__vf64 b, tsr__vf64 yes, tsr__vf64 no) {
  return _mm512_mask_blend_pd(_mm512_cmp_pd_mask(a, b, _CMP_LT_OQ), no, yes);
}
TSR__INLINE bool tsr__vi64_all_set(tsr__vi64 v) { return _mm512_movepi64_mask((__m512i)v) == 0xff; }
TSR__INLINE bool tsr__vf64_between(tsr__vf64 x, double low, double high) {
  const __mmask8 above = _mm512_cmp_pd_mask(x, tsr__vf64_all(low), _CMP_GE_OQ);
  return _mm512_mask_cmp_pd_mask(above, x, tsr__vf64_all(high), _CMP_LE_OQ) == 0xff;
}

/* ---- extremes ---- */

TSR__INLINE tsr__vf32 tsr__vf32_min(tsr__vf32 a, tsr__vf32 b) { return _mm512_min_ps(a, b); }
TSR__INLINE tsr__vf32 tsr__vf32_max(tsr__vf32 a, tsr__vf32 b) { return _mm512_max_ps(a, b); }
TSR__INLINE tsr__vf64 tsr__vf64_max(tsr__vf64 a, tsr__vf64 b) { return _mm512_max_pd(a, b); }
TSR__INLINE tsr__vf32 tsr__vf32_max_nan(tsr__vf32 a, tsr__vf32 b) {
  return _mm512_mask_max_ps(b, _mm512_cmp_ps_mask(b, b, _CMP_ORD_Q), b, a);
}
TSR__INLINE tsr__vf64 tsr__vf64_max_nan(tsr__vf64 a, tsr__vf64 b) {
  return _mm512_mask_max_pd(b, _mm512_cmp_pd_mask(b, b, _CMP_ORD_Q), b, a);
}
TSR__INLINE float tsr__vf32_reduce_max(tsr__vf32 v) {
  return _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q) != 0 ? __builtin_nanf("") : _mm512_reduce_max_ps(v);
}
TSR__INLINE double tsr__vf64_reduce_max(tsr__vf64 v) {
  return _mm512_cmp_pd_mask(v, v, _CMP_UNORD_Q) != 0 ? __builtin_nan("") : _mm512_reduce_max_pd(v);
}

/* ---- keys in order ---- */

#define TSR__VEC_KEYS(name, bits, mask)                                                            \
  TSR__INLINE tsr__v##name tsr__v##name##_min(tsr__v##name a, tsr__v##name b) {                    \
    return (tsr__v##name)_mm512_min_epu##bits((__m512i)a, (__m512i)b);                             \
  }                                                                                                \
  TSR__INLINE tsr__v##name tsr__v##name##_max(tsr__v##name a, tsr__v##name b) {                    \
    return (tsr__v##name)_mm512_max_epu##bits((__m512i)a, (__m512i)b);                             \
  }                                                                                                \
  TSR__INLINE unsigned tsr__v##name##_above(tsr__v##name a, tsr__v##name b) {                      \
    return _mm512_cmpgt_epu##bits##_mask((__m512i)a, (__m512i)b);                                  \
  }                                                                                                \
  TSR__INLINE tsr__v##name tsr__v##name##_compress(tsr__v##name v, unsigned lanes) {               \
    return (tsr__v##name)_mm512_maskz_compress_epi##bits((mask)lanes, (__m512i)v);                 \
  }                                                                                                \
  TSR__INLINE tsr__v##name tsr__v##name##_order(tsr__v##name a, tsr__v##name b, int bit) {         \
    const unsigned upper = bit == 1 ? 0xaaaau : bit == 2 ? 0xccccu : bit == 4 ? 0xf0f0u : 0xff00u; \
    const __m512i low = _mm512_min_epu##bits((__m512i)a, (__m512i)b);                              \
    return (tsr__v##name)_mm512_mask_max_epu##bits(low, (mask)upper, (__m512i)a, (__m512i)b);      \
  }
TSR__VEC_KEYS(u32, 32, __mmask16)
TSR__VEC_KEYS(u64, 64, __mmask8)
#undef TSR__VEC_KEYS

/* ---- lanes that change places ---- */

#define TSR__VEC4_ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define TSR__VEC4_ZIP_HIGH(a, b) \
  __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define TSR__VEC8_ZIP_LOW(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define TSR__VEC8_ZIP_HIGH(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define TSR__VEC4_EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
#define TSR__VEC4_ODD(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
#define TSR__VEC8_EVEN(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14)
#define TSR__VEC8_ODD(a, b) __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15)
#define TSR__VEC4_SLIDE(a, b) __builtin_shufflevector(a, b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
#define TSR__VEC8_SLIDE(a, b) __builtin_shufflevector(a, b, 1, 2, 3, 4, 5, 6, 7, 8)

#define TSR__VEC_UNPACK_LOW(bits, a, b) ((tsr__vu8)_mm512_unpacklo_epi##bits((__m512i)(a), (__m512i)(b)))
#define TSR__VEC_UNPACK_HIGH(bits, a, b) ((tsr__vu8)_mm512_unpackhi_epi##bits((__m512i)(a), (__m512i)(b)))
/* 16 bytes each from four places step bytes apart. */
TSR__INLINE tsr__vu8 tsr__vu8_load_lanes(const char *at, ptrdiff_t step) {
  __m512i v = _mm512_castsi128_si512(_mm_loadu_si128((const void *)at));
  v = _mm512_inserti32x4(v, _mm_loadu_si128((const void *)(at + step)), 1);
  v = _mm512_inserti32x4(v, _mm_loadu_si128((const void *)(at + 2 * step)), 2);
  return (tsr__vu8)_mm512_inserti32x4(v, _mm_loadu_si128((const void *)(at + 3 * step)), 3);
}
TSR__INLINE void tsr__vu8_store_lane(char *at, tsr__vu8 v, int lane) {
  const __m512i all = (__m512i)v;
  const __m128i part = lane == 0   ? _mm512_castsi512_si128(all)
                       : lane == 1 ? _mm512_extracti32x4_epi32(all, 1)
                       : lane == 2 ? _mm512_extracti32x4_epi32(all, 2)
                                   : _mm512_extracti32x4_epi32(all, 3);
  _mm_storeu_si128((void *)at, part);
}
TSR__INLINE void tsr__vu8_load_crossed(const char *at, ptrdiff_t step, tsr__vu8 *v, int n) {
  const __m512i a = (__m512i)tsr__vu8_load(at), b = (__m512i)tsr__vu8_load(at + step);
  const __m512i c = (__m512i)tsr__vu8_load(at + 2 * step), d = (__m512i)tsr__vu8_load(at + 3 * step);
  const __m512i ab = _mm512_shuffle_i32x4(a, b, 0x44), cd = _mm512_shuffle_i32x4(c, d, 0x44);
  const __m512i ab_high = _mm512_shuffle_i32x4(a, b, 0xee), cd_high = _mm512_shuffle_i32x4(c, d, 0xee);
  v[0] = (tsr__vu8)_mm512_shuffle_i32x4(ab, cd, 0x88);
  v[n] = (tsr__vu8)_mm512_shuffle_i32x4(ab, cd, 0xdd);
  v[2 * n] = (tsr__vu8)_mm512_shuffle_i32x4(ab_high, cd_high, 0x88);
  v[3 * n] = (tsr__vu8)_mm512_shuffle_i32x4(ab_high, cd_high, 0xdd);
}

/* ---- tables, widths, bytes ---- */

TSR__INLINE tsr__vf32 tsr__vf32_of_16(const float *table, tsr__vu32 index) {
  return _mm512_permutexvar_ps((__m512i)index, tsr__vf32_load(table));
}
TSR__INLINE tsr__vf64 tsr__vf64_of_16(const double *table, tsr__vu64 index) {
  return _mm512_permutex2var_pd(tsr__vf64_load(table), (__m512i)index, tsr__vf64_load(table + 8));
}
TSR__INLINE tsr__vf64 tsr__vf64_from_f32(const float *x) { return _mm512_cvtps_pd(_mm256_loadu_ps(x)); }

TSR__INLINE tsr__vf32 tsr__vf32_from_f16(const void *at) { return _mm512_cvtph_ps(_mm256_loadu_si256(at)); }
TSR__INLINE void tsr__vf32_to_f16(void *at,
                                  tsr__vf32 v) { /* the mask: the form without one warns where it is a macro */
  _mm256_storeu_si256(at, _mm512_maskz_cvtps_ph((__mmask16)0xffff, v, _MM_FROUND_TO_NEAREST_INT));
}

TSR__INLINE tsr__vi32 tsr__vi32_madd_i16(tsr__vi32 a, tsr__vi32 b, tsr__vi32 c) {
  return c + (tsr__vi32)_mm512_madd_epi16((__m512i)a, (__m512i)b);
}

#define TSR__VEC_BF16_DOTS_TARGET __attribute__((target("avx512bf16")))
TSR__INLINE TSR__VEC_BF16_DOTS_TARGET tsr__vf32 tsr__vf32_dot_bf16(tsr__vi32 a, tsr__vi32 b, tsr__vf32 c) {
  return _mm512_dpbf16_ps(c, (__m512bh)a, (__m512bh)b);
}
#define TSR__VEC_BYTE_DOTS_TARGET __attribute__((target("avx512vnni")))
TSR__INLINE TSR__VEC_BYTE_DOTS_TARGET tsr__vi32 tsr__vi32_dot_bytes(tsr__vi32 a, tsr__vi32 b, tsr__vi32 c) {
  return (tsr__vi32)_mm512_dpbusd_epi32((__m512i)c, (__m512i)a, (__m512i)b);
}
TSR__INLINE tsr__vi32 tsr__vi32_mul_high(tsr__vi32 a, tsr__vi32 b, tsr__vi32 odd) {
  const __m512i of_even = _mm512_mul_epi32((__m512i)a, (__m512i)b);
  const __m512i of_odd = _mm512_mul_epi32(_mm512_srli_epi64((__m512i)a, 32), (__m512i)odd);
  return (tsr__vi32)_mm512_mask_shuffle_epi32(of_odd, 0x5555, of_even, _MM_PERM_DDBB);
}

TSR__INLINE void tsr__vu8_stream(char *at, tsr__vu8 v) { _mm512_stream_si512((void *)at, (__m512i)v); }

#endif
