/* Tiles of quantised layers; compiled once per instruction set. */
#include "nn/quant/fast/tile.h"

#if TSR_HAVE_MALLOC
#include "cpu/vec/vec.h"

#define LANES (TSR__VEC_BYTES / 4)
enum { MOST_SUMS = (TSR__VEC_REGISTERS == 32 ? 24 : 8) * LANES }; /* of a tile */

/* ---- from sums to results ---- */

static void store_row(const tsr__q_tile *t, const int32_t *y, char *out) {
  const ptrdiff_t step = t->out_step;
  const int n = t->columns;
  if (t->end.out_dtype == TSR_I16) {
    for (int i = 0; i < n; i++) *(int16_t *)(void *)(out + i * step) = (int16_t)y[i];
  } else if (step == 1) {
    for (int i = 0; i < n; i++) out[i] = (char)y[i];
  } else {
    for (int i = 0; i < n; i++) out[i * step] = (char)y[i];
  }
}

static void finish_rows(const tsr__q_tile *t, int first, int rows, int32_t *sums) {
  for (int r = 0; r < rows; r++, sums += t->vectors * LANES) {
    tsr__q_ends_scale(&t->end, 0, t->vectors * LANES, sums);
    store_row(t, sums, t->out[first + r] + t->out_first);
  }
}

/* The same in registers, for bytes side by side: the high words of 64-bit products are put together, then all is
 * narrowed with saturation, which leaves what the bounds cut off anyway. */
#if TSR__VEC_MUL_HIGH && !TSR__ROUND_TWICE
#define END_IN_REGISTERS 1

/* What belongs to columns: every second multiplier, shifts of the high words, and the halves that round. */
typedef struct ends {
  _Alignas(64) int32_t odd[TSR__Q_COLUMNS], shift[TSR__Q_COLUMNS], half[TSR__Q_COLUMNS];
  __mmask64 mask;
} ends;

TSR__INLINE void set_ends(const tsr__q_tile *t, const int vectors, ends *e) {
  const __m512i one = _mm512_set1_epi32(1);
  for (int j = 0; j < vectors * LANES; j += LANES) {
    const __m512i shift = _mm512_sub_epi32(_mm512_loadu_si512(t->end.shift + j), _mm512_set1_epi32(32));
    _mm512_store_si512(e->odd + j, _mm512_srli_epi64(_mm512_loadu_si512(t->end.multiplier + j), 32));
    _mm512_store_si512(e->shift + j, shift);
    _mm512_store_si512(e->half + j, _mm512_sllv_epi32(one, _mm512_sub_epi32(shift, one)));
  }
  e->mask = ~(__mmask64)0 >> (64 - t->columns);
}

TSR__INLINE __m512i scale(const tsr__q_tile *t, const ends *e, const tsr__vi32 *sum, int j) {
  const tsr__vi32 high =
      tsr__vi32_mul_high(sum[j / LANES], tsr__vi32_load(t->end.multiplier + j), tsr__vi32_load(e->odd + j));
  return _mm512_srav_epi32(_mm512_add_epi32((__m512i)high, _mm512_load_si512(e->half + j)),
                           _mm512_load_si512(e->shift + j));
}

/* Two vectors as one of 16 bits a number, with the zero point. */
TSR__INLINE __m512i scale_two(const tsr__q_tile *t, const ends *e, const tsr__vi32 *sum, int j, bool two) {
  const __m512i a = scale(t, e, sum, j), b = two ? scale(t, e, sum, j + LANES) : a;
  return _mm512_adds_epi16(_mm512_packs_epi32(a, b), _mm512_set1_epi16((int16_t)t->end.zero));
}

TSR__INLINE void end_row(const tsr__q_tile *t, const ends *e, const int vectors, const tsr__vi32 *sum, char *out) {
  const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
  const __m512i low = _mm512_set1_epi8((char)t->end.low), high = _mm512_set1_epi8((char)t->end.high);
  const __m512i ab = scale_two(t, e, sum, 0, vectors > 1);
  const __m512i cd = vectors > 2 ? scale_two(t, e, sum, 2 * LANES, vectors > 3) : ab;
  __m512i bytes;
  if (t->end.out_dtype == TSR_U8)
    bytes = _mm512_min_epu8(_mm512_max_epu8(_mm512_packus_epi16(ab, cd), low), high);
  else
    bytes = _mm512_min_epi8(_mm512_max_epi8(_mm512_packs_epi16(ab, cd), low), high);
  _mm512_mask_storeu_epi8(out, e->mask, _mm512_permutexvar_epi32(order, bytes));
}
#else
#define END_IN_REGISTERS 0
typedef int ends;
TSR__INLINE void set_ends(const tsr__q_tile *t, const int vectors, ends *e) { (void)t, (void)vectors, *e = 0; }
TSR__INLINE void end_row(const tsr__q_tile *t, const ends *e, const int vectors, const tsr__vi32 *sum, char *out) {
  (void)t, (void)e, (void)vectors, (void)sum, (void)out;
}
#endif

/* ---- pairs of i16 ---- */

#define TARGET
#define WIDE 0
#define FN(name) name##_pairs
#define DOT tsr__vi32_madd_i16
#include "nn/quant/fast/tile.tmpl.h"
const tsr__q_tiles TSR__ISA_NAME(tsr__q_pairs) = {.lanes = LANES, .vectors = 2, .x_dtype = TSR_I16, .run = run_pairs};
#undef TARGET
#undef WIDE
#undef FN
#undef DOT

/* ---- four bytes ---- */

#if TSR__VEC_BYTE_DOTS
#define TARGET TSR__VEC_BYTE_DOTS_TARGET
#define WIDE 1
#define FN(name) name##_bytes
#define DOT tsr__vi32_dot_bytes
#include "nn/quant/fast/tile.tmpl.h"
const tsr__q_tiles TSR__ISA_NAME(tsr__q_bytes) = {
    .lanes = LANES, .vectors = 4, .x_dtype = TSR__VEC_SIGNED_BYTE_DOTS ? TSR_I8 : TSR_U8, .run = run_bytes};
#else
const tsr__q_tiles TSR__ISA_NAME(tsr__q_bytes) = {.run = NULL};
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
