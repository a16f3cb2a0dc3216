/* Tiles of quantised layers; compiled once per instruction set. */
#include "nn/quant/tile.h"

#if TSR_HAVE_MALLOC
#include "cpu/vec/vec.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define LANES (TSR__VEC_BYTES / 4)
#if TSR__VEC_REGISTERS == 32
#define ROWS_OF \
  { 0, 12, 12, 8, 6 }
#else
#define ROWS_OF \
  { 0, 8, 4, 0, 0 }
#endif

/* ---- from sums to results ---- */

/* Results as i32 in place of the sums. */
static void scale_row(const tsr__q_tile *t, int n, int32_t *sums) {
  const int32_t *const multiplier = t->multiplier, *const shift = t->shift;
  const int32_t zero = t->zero, low = t->low, high = t->high;
  if (t->fast_end) {
    for (int i = 0; i < n; i++) {
      const int32_t y = tsr__fixed_apply_high(sums[i], (tsr__fixed){multiplier[i], shift[i]}) + zero;
      const int32_t above = y < low ? low : y;
      sums[i] = above > high ? high : above;
    }
  } else {
    for (int i = 0; i < n; i++)
      sums[i] = tsr__clamp_i64(tsr__fixed_apply(sums[i], (tsr__fixed){multiplier[i], shift[i]}) + zero, low, high);
  }
}

static void store_row(const tsr__q_tile *t, const int32_t *y, char *out) {
  const ptrdiff_t step = t->out_step;
  const int n = t->columns;
  if (t->out_dtype == TSR_I16) {
    for (int i = 0; i < n; i++) *(int16_t *)(void *)(out + i * step) = (int16_t)y[i];
  } else if (step == 1) {
    for (int i = 0; i < n; i++) out[i] = (char)y[i];
  } else {
    for (int i = 0; i < n; i++) out[i * step] = (char)y[i];
  }
}

static void finish_row(const tsr__q_tile *t, int32_t *sums, char *out) {
  scale_row(t, t->vectors * LANES, sums);
  store_row(t, sums, out);
}

/* The same in registers, for bytes side by side: the high words of 64-bit products are put together, then all is
 * narrowed with saturation, which leaves what the bounds cut off anyway. */
#if TSR__VEC_BYTES == 64
#define END_IN_REGISTERS 1

TSR__INLINE __m512i narrow(const tsr__q_tile *t, const tsr__vi32 *y, int vectors) {
  const __m512i none = _mm512_setzero_si512();
  const __m512i low = _mm512_set1_epi16((int16_t)t->low), high = _mm512_set1_epi16((int16_t)t->high);
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  __m512i ab = _mm512_packs_epi32((__m512i)y[0], vectors > 1 ? (__m512i)y[1] : none), cd = none, bytes;
  ab = _mm512_min_epi16(_mm512_max_epi16(ab, low), high);
  if (vectors > 2) {
    cd = _mm512_packs_epi32((__m512i)y[2], vectors > 3 ? (__m512i)y[3] : none);
    cd = _mm512_min_epi16(_mm512_max_epi16(cd, low), high);
  }
  bytes = t->out_dtype == TSR_U8 ? _mm512_packus_epi16(ab, cd) : _mm512_packs_epi16(ab, cd);
  return _mm512_permutexvar_epi32(order, bytes);
}

TSR__INLINE void end_tile(const tsr__q_tile *t, const int rows, const int vectors, tsr__vi32 (*sum)[4]) {
  const tsr__vi32 zero = tsr__vi32_all(t->zero);
  TSR__UNROLL(4)
  for (int j = 0; j < vectors; j++) {
    const __m512i multiplier = _mm512_loadu_si512(t->multiplier + j * LANES);
    const __m512i odd = _mm512_srli_epi64(multiplier, 32);
    const __m512i shift = _mm512_sub_epi32(_mm512_loadu_si512(t->shift + j * LANES), _mm512_set1_epi32(32));
    const __m512i half = _mm512_sllv_epi32(_mm512_set1_epi32(1), _mm512_sub_epi32(shift, _mm512_set1_epi32(1)));
    TSR__UNROLL(12)
    for (int r = 0; r < rows; r++) {
      const __m512i s = (__m512i)sum[r][j];
      const __m512i of_even = _mm512_mul_epi32(s, multiplier), of_odd = _mm512_mul_epi32(_mm512_srli_epi64(s, 32), odd);
      const __m512i top = _mm512_mask_shuffle_epi32(of_odd, 0x5555, of_even, _MM_PERM_DDBB);
      sum[r][j] = (tsr__vi32)_mm512_srav_epi32(_mm512_add_epi32(top, half), shift) + zero;
    }
  }
  const __mmask64 mask = ~(__mmask64)0 >> (64 - t->columns);
  TSR__UNROLL(12)
  for (int r = 0; r < rows; r++) {
    if (r >= t->rows) break;
    _mm512_mask_storeu_epi8(t->out[r], mask, narrow(t, sum[r], vectors));
  }
}
#else
#define END_IN_REGISTERS 0
TSR__INLINE void end_tile(const tsr__q_tile *t, const int rows, const int vectors, tsr__vi32 (*sum)[4]) {
  (void)t, (void)rows, (void)vectors, (void)sum;
}
#endif

/* ---- pairs of i16 ---- */

TSR__INLINE tsr__vi32 dot_pairs(tsr__vi32 x, tsr__vi32 w, tsr__vi32 sum) {
#if TSR__VEC_BYTES == 64
  return sum + (tsr__vi32)_mm512_madd_epi16((__m512i)x, (__m512i)w);
#elif TSR__VEC_BYTES == 32
  return sum + (tsr__vi32)_mm256_madd_epi16((__m256i)x, (__m256i)w);
#elif defined(__SSE2__)
  return sum + (tsr__vi32)_mm_madd_epi16((__m128i)x, (__m128i)w);
#else
  return sum + (x << 16 >> 16) * (w << 16 >> 16) + (x >> 16) * (w >> 16);
#endif
}

#define TARGET
#define WIDE 0
#define FN(name) name##_pairs
#define DOT dot_pairs
#include "nn/quant/tile.tmpl.h"
const tsr__q_tiles TSR__ISA_NAME(tsr__q_pairs) = {.lanes = LANES, .vectors = 2, .rows = ROWS_OF, .run = run_pairs};
#undef TARGET
#undef WIDE
#undef FN
#undef DOT

/* ---- four bytes ---- */

#if TSR__VEC_BYTES == 64
#define TARGET __attribute__((target("avx512vnni")))
#define WIDE 1
#define FN(name) name##_bytes
TSR__INLINE TARGET tsr__vi32 dot_bytes(tsr__vi32 x, tsr__vi32 w, tsr__vi32 sum) {
  return (tsr__vi32)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)x, (__m512i)w);
}
#define DOT dot_bytes
#include "nn/quant/tile.tmpl.h"
const tsr__q_tiles TSR__ISA_NAME(tsr__q_bytes) = {.lanes = LANES, .vectors = 4, .rows = ROWS_OF, .run = run_bytes};
#endif

/* ---- copies of x ---- */

void TSR__ISA_NAME(tsr__q_flip)(tsr_index n, const char *from, char *to) {
  for (tsr_index i = 0; i < n; i++) to[i] = (char)(from[i] ^ 0x80);
}

void TSR__ISA_NAME(tsr__q_widen_i8)(tsr_index n, const char *from, char *to) {
  for (tsr_index i = 0; i < n; i++) ((int16_t *)(void *)to)[i] = ((const int8_t *)from)[i];
}

void TSR__ISA_NAME(tsr__q_widen_u8)(tsr_index n, const char *from, char *to) {
  for (tsr_index i = 0; i < n; i++) ((int16_t *)(void *)to)[i] = ((const uint8_t *)from)[i];
}

#endif
