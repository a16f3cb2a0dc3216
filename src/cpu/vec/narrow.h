/* Vectors of f32 from narrower numbers in memory, at any address: tsr__vf32_from_bf16, _from_i8, and _from_f16 where the set itself
 * has no such instruction (TSR__VEC_F16). Included by kernel files, after vec.h. */
#ifndef TSR_CPU_VEC_NARROW_H
#define TSR_CPU_VEC_NARROW_H

#include "cpu/vec/vec.h"

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#if defined(__AVX512F__) && defined(__AVX512BW__)

TSR__INLINE tsr__vf32 tsr__vf32_from_bf16(const void *at) {
  return (tsr__vf32)_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256(at)), 16);
}
TSR__INLINE tsr__vf32 tsr__vf32_from_i8(const void *at) {
  return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(at)));
}

#elif defined(__AVX2__)

TSR__INLINE tsr__vf32 tsr__vf32_from_bf16(const void *at) {
  return (tsr__vf32)_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128(at)), 16);
}
TSR__INLINE tsr__vf32 tsr__vf32_from_i8(const void *at) {
  return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(at)));
}

#elif defined(__aarch64__)

TSR__INLINE tsr__vf32 tsr__vf32_from_bf16(const void *at) {
  return vreinterpretq_f32_u32(vshll_n_u16(vreinterpret_u16_u8(vld1_u8(at)), 16));
}
TSR__INLINE tsr__vf32 tsr__vf32_from_i8(const void *at) {
  uint32_t bytes;
  memcpy(&bytes, at, sizeof bytes);
  return vcvtq_f32_s32(vmovl_s16(vget_low_s16(vmovl_s8(vreinterpret_s8_u32(vdup_n_u32(bytes))))));
}

#elif defined(__SSE2__)

/* Into the upper part of each lane, from where i8 is shifted down with its sign. */
TSR__INLINE tsr__vf32 tsr__vf32_from_bf16(const void *at) {
  return (tsr__vf32)_mm_unpacklo_epi16(_mm_setzero_si128(), _mm_loadl_epi64(at));
}
TSR__INLINE tsr__vf32 tsr__vf32_from_i8(const void *at) {
  int32_t bytes;
  memcpy(&bytes, at, sizeof bytes);
  const __m128i v = _mm_cvtsi32_si128(bytes), twice = _mm_unpacklo_epi8(v, v);
  return (tsr__vf32)_mm_cvtepi32_ps(_mm_srai_epi32(_mm_unpacklo_epi16(twice, twice), 24));
}

#elif defined(__wasm_simd128__)

TSR__INLINE tsr__vf32 tsr__vf32_from_bf16(const void *at) {
  return (tsr__vf32)wasm_i32x4_shl(wasm_u32x4_load16x4(at), 16);
}
TSR__INLINE tsr__vf32 tsr__vf32_from_i8(const void *at) {
  const v128_t words = wasm_i16x8_extend_low_i8x16(wasm_v128_load32_zero(at));
  return (tsr__vf32)wasm_f32x4_convert_i32x4(wasm_i32x4_extend_low_i16x8(words));
}

#else

TSR__INLINE tsr__vf32 tsr__vf32_from_bf16(const void *at) {
  uint16_t bits[TSR__VF32_LANES];
  tsr__vu32 v = {0};
  memcpy(bits, at, sizeof bits);
  for (int i = 0; i < TSR__VF32_LANES; i++) v[i] = (uint32_t)bits[i] << 16;
  return (tsr__vf32)v;
}
TSR__INLINE tsr__vf32 tsr__vf32_from_i8(const void *at) {
  tsr__vf32 v = {0};
  for (int i = 0; i < TSR__VF32_LANES; i++) v[i] = (float)((const int8_t *)at)[i];
  return v;
}

#endif

/* The exponent is put right by a product with 2^112, which makes subnormal numbers normal too; infinity and NaN keep the
 * largest one. */
#if !TSR__VEC_F16
TSR__INLINE tsr__vf32 tsr__vf32_from_f16(const void *at) {
  const tsr__vu32 bits = (tsr__vu32)tsr__vf32_from_bf16(at) >> 16;
  const tsr__vu32 sign = (bits & 0x8000u) << 16, size = (bits & 0x7fffu) << 13;
  const tsr__vu32 none = (tsr__vu32)(size >= (0x7c00u << 13)) & 0x7f800000u;
  return (tsr__vf32)((tsr__vu32)((tsr__vf32)size * 0x1p112f) | none | sign);
}
#endif

#endif
