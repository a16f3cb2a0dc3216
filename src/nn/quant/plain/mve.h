/* Dots of bytes by vectors, on Cortex-M55 and its like. */
#ifndef TSR_NN_QUANT_PLAIN_MVE_H
#define TSR_NN_QUANT_PLAIN_MVE_H

/* ---- patches ---- */

/* Loops that end themselves, with as many lanes as are left. */
static inline void tsr__mve_copy(tsr_index n, const char *x, char *to) {
  __asm__ volatile("wlstp.8 lr, %[n], 2f\n 1: vldrb.8 q0, [%[x]], #16\n vstrb.8 q0, [%[to]], #16\n letp lr, 1b\n 2:"
                   : [x] "+r"(x), [to] "+r"(to)
                   : [n] "r"(n)
                   : "lr", "q0", "memory");
}

static inline void tsr__mve_fill(tsr_index n, int8_t value, char *to) {
  __asm__ volatile("vdup.8 q0, %[value]\n wlstp.8 lr, %[n], 2f\n 1: vstrb.8 q0, [%[to]], #16\n letp lr, 1b\n 2:"
                   : [to] "+r"(to)
                   : [n] "r"(n), [value] "r"(value)
                   : "lr", "q0", "memory");
}

/* ---- from sums to results ---- */

/* Twice the high word, then a shift down that rounds halves up: floor(floor(a / 2^31) / 2^n) is floor(a / 2^(31 + n)). */
static inline int32x4_t tsr__mve_scaled(int32x4_t sums, int32x4_t multiplier, int32x4_t shift) {
  const int32x4_t up = vsubq_s32(vdupq_n_s32(31), shift);
#if TSR__ROUND_TWICE
  const int32x4_t x = vqrdmulhq_s32(sums, multiplier);
  return vrshlq_s32(vaddq_s32(x, vshrq_n_s32(x, 31)), up);
#else
  return vrshlq_s32(vqdmulhq_s32(sums, multiplier), up);
#endif
}

/* ---- filters ---- */

/* Four filters or more, each k long, one after the other. Results are bytes side by side; every shift is
 * TSR__FIXED_HIGH or more. */
typedef struct tsr__mve_filters {
  const int8_t *w;
  tsr_index k, count;
  const int32_t *bias, *multiplier, *shift;
  int32_t zero, low, high; /* of the output */
} tsr__mve_filters;

/* A patch with all of them. */
void tsr__mve_run(const tsr__mve_filters *f, const int8_t *patch, char *out);

/* count patches of at most 16 numbers, step bytes apart, their results out_step bytes apart. */
void tsr__mve_points(const tsr__mve_filters *f, const char *x, ptrdiff_t step, char *out, ptrdiff_t out_step,
                     tsr_index count);

/* Results of the first filters from sums alone, count of them, a multiple of four. */
void tsr__mve_end(const tsr__mve_filters *f, const int32_t *sums, char *out);

/* sums[0 … 3] += patch · (w, w + next, w + 2 · next, w + 3 · next). */
void tsr__mve_dots(const int8_t *patch, const int8_t *w, ptrdiff_t next, tsr_index k, int32_t *sums);
void tsr__mve_dots_wide(const int16_t *patch, const int8_t *w, ptrdiff_t next, tsr_index k, int32_t *sums);

/* n results of 16 bits, side by side, from their sums; every shift is TSR__FIXED_HIGH or more. */
void tsr__mve_end_wide(const tsr__mve_filters *f, tsr_index n, const int32_t *sums, int16_t *out);

#endif
