/* What functions of f32 that need tables are written with: vectors of floats and of their bits, comparisons that
 * choose, a table of 16 in registers. As f64.h: where products are fused. Included by kernel files only. */
#ifndef TSR_CPU_VEC_F32_H
#define TSR_CPU_VEC_F32_H

#include "cpu/vec/f64.h"

#if TSR__WIDE

enum { TSR__LANES_F32 = TSR__VEC_BYTES / 4 };

typedef uint32_t tsr__vu32 __attribute__((vector_size(TSR__VEC_BYTES)));

/* a·b + c where c, or b, is the same in every lane. */
TSR__INLINE tsr__vf32 tsr__vf32_step(tsr__vf32 a, tsr__vf32 b, float c) {
  return tsr__vf32_madd(a, b, tsr__vf32_all(c));
}
TSR__INLINE tsr__vf32 tsr__vf32_by(tsr__vf32 a, float b, tsr__vf32 c) { return tsr__vf32_madd(a, tsr__vf32_all(b), c); }

TSR__INLINE tsr__vf32 tsr__vf32_abs(tsr__vf32 x) { return (tsr__vf32)((tsr__vu32)x & 0x7fffffffu); }

/* Which lanes: of comparisons. They go together by & and |. */
#if TSR__VEC_BYTES == 64
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
#else
typedef tsr__vi32 tsr__lanes;
TSR__INLINE tsr__lanes tsr__vf32_less(tsr__vf32 a, tsr__vf32 b) { return a < b; }
TSR__INLINE tsr__lanes tsr__vf32_equal(tsr__vf32 a, tsr__vf32 b) { return a == b; }
TSR__INLINE tsr__lanes tsr__vu32_less(tsr__vu32 a, tsr__vu32 b) { return a < b; }
#if TSR__VEC_BYTES == 32
TSR__INLINE bool tsr__lanes_all(tsr__lanes lanes) { return _mm256_movemask_ps((__m256)lanes) == 0xff; }
TSR__INLINE tsr__vf32 tsr__vf32_pick(tsr__lanes lanes, tsr__vf32 yes, tsr__vf32 no) {
  return _mm256_blendv_ps(no, yes, (__m256)lanes);
}
#else
TSR__INLINE bool tsr__lanes_all(tsr__lanes lanes) {
  int32_t all = lanes[0];
  for (int i = 1; i < TSR__LANES_F32; i++) all &= lanes[i];
  return all != 0;
}
TSR__INLINE tsr__vf32 tsr__vf32_pick(tsr__lanes lanes, tsr__vf32 yes, tsr__vf32 no) {
  return (tsr__vf32)((lanes & (tsr__vi32)yes) | (~lanes & (tsr__vi32)no));
}
#endif
#endif

/* table[index mod 16]. */
TSR__INLINE tsr__vf32 tsr__vf32_of_16(const float *table, tsr__vu32 index) {
#if TSR__VEC_BYTES == 64
  return _mm512_permutexvar_ps((__m512i)index, tsr__vf32_load(table));
#elif TSR__VEC_BYTES == 32
  const __m256 low = _mm256_permutevar8x32_ps(tsr__vf32_load(table), (__m256i)index);
  const __m256 high = _mm256_permutevar8x32_ps(tsr__vf32_load(table + 8), (__m256i)index);
  return _mm256_blendv_ps(low, high, (__m256)(index << 28));
#else
  const tsr__vu32 within = index & 15;
  tsr__vf32 v = {0};
  for (int i = 0; i < TSR__LANES_F32; i++) v[i] = table[within[i]];
  return v;
#endif
}

#endif
#endif
