/* Tiles of quantised layers; compiled once per instruction set. */
#include "nn/quant/tile.h"

#if TSR_HAVE_MALLOC
#include "cpu/vec/vec.h"
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#define LANES (TSR__VEC_BYTES / 4)
#if TSR__VEC_REGISTERS == 32
enum { MOST_VECTORS = 4, MOST_ROWS = 12 };
#define ROWS_OF \
  { 0, 12, 12, 8, 6 }
#else
enum { MOST_VECTORS = 2, MOST_ROWS = 8 };
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
#define FN(name) name##_pairs
#define DOT dot_pairs
#include "nn/quant/tile.tmpl.h"
const tsr__q_tiles TSR__ISA_NAME(tsr__q_pairs) = {
    .lanes = LANES, .vectors = MOST_VECTORS, .rows = ROWS_OF, .run = run_pairs};
#undef TARGET
#undef FN
#undef DOT

/* ---- four bytes ---- */

#if TSR__VEC_BYTES == 64
#define TARGET __attribute__((target("avx512vnni")))
#define FN(name) name##_bytes
TSR__INLINE TARGET tsr__vi32 dot_bytes(tsr__vi32 x, tsr__vi32 w, tsr__vi32 sum) {
  return (tsr__vi32)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)x, (__m512i)w);
}
#define DOT dot_bytes
#include "nn/quant/tile.tmpl.h"
const tsr__q_tiles TSR__ISA_NAME(tsr__q_bytes) = {
    .lanes = LANES, .vectors = MOST_VECTORS, .rows = ROWS_OF, .run = run_bytes};
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
