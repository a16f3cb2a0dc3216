/* Dots by instructions that multiply two pairs of i16 and add both products (SMLAD), of Cortex-M4, M7 and M33. By hand,
 * because what compilers make of it does not stay in registers. */
#ifndef TSR_NN_QUANT_PLAIN_SMLAD_H
#define TSR_NN_QUANT_PLAIN_SMLAD_H

/* ---- one patch, four filters ---- */

/* sums[0 … 3] += patch · (w, w + next, w + 2 · next, w + 3 · next). */
void tsr__smlad_dots(const char *patch, const char *w, ptrdiff_t next, tsr_index k, int32_t *sums);

/* ---- four patches, every filter, and what follows the sums ---- */

/* Patches lie group by group: four numbers of the first, four of the second, ...; what is left over by steps: a number
 * of each. Results are bytes; bounds and zero point are added before the last shift, which is why shifts are at most
 * TSR__Q_SHORT_SHIFT. */
typedef struct tsr__smlad_four {
  char *out[4]; /* of the patches, past the last filter */
  char *patches;
  const int32_t *bias, *multiplier, *shift; /* past the last filter */
  const char *end;                          /* of the whole groups */
  int32_t i;                                /* minus the filters that are left */
  int32_t zero;                             /* 2 · (zero point - what the least result stands for) + 1 */
  ptrdiff_t step;                           /* between the results of two filters */
  const int8_t *w;
  int32_t rest;         /* steps past the whole groups */
  int32_t above, below; /* 255 - (high - low), high - 255 */
} tsr__smlad_four;

/* Filters of whole sixteens, i8 of the full range with results side by side: 28 + 54 / 16 of their length instructions
 * for four outputs; the same with any bounds, anywhere; any filter. */
void tsr__smlad_four_signed(tsr__smlad_four *f);
void tsr__smlad_four_clamped(tsr__smlad_four *f);
void tsr__smlad_four_any(tsr__smlad_four *f);

/* ---- what follows sums ---- */

/* n results of such filters, from their sums: 13 instructions each. */
typedef struct tsr__smlad_ends {
  const int32_t *multiplier, *shift;
  int32_t zero, above, below; /* as above */
  ptrdiff_t step;
} tsr__smlad_ends;
void tsr__smlad_end(const tsr__smlad_ends *e, tsr_index n, const int32_t *sums, char *out);

/* ---- patches ---- */

/* The next four bytes of x as pairs, i8 or u8; step: bytes between groups, a constant. */
#define TSR__SMLAD_PAIRS_OF_FOUR(extend, x, to, step)                               \
  do {                                                                              \
    uint32_t low_, high_;                                                           \
    __asm__ volatile("ldr %[h], [%[p]], #4\n " extend " %[l], %[h]\n " extend       \
                     " %[h], %[h], ror #8\n"                                        \
                     "strd %[l], %[h], [%[t]], %[by]"                               \
                     : [p] "+r"(x), [t] "+r"(to), [l] "=&r"(low_), [h] "=&r"(high_) \
                     : [by] "i"(step)                                               \
                     : "memory");                                                   \
  } while (0)

/* n bytes, a multiple of four. */
#define TSR__SMLAD_PAIRS_OF(extend, n, x, to, step)                      \
  do {                                                                   \
    for (; n >= 16; n -= 16) {                                           \
      TSR__SMLAD_PAIRS_OF_FOUR(extend, x, to, step);                     \
      TSR__SMLAD_PAIRS_OF_FOUR(extend, x, to, step);                     \
      TSR__SMLAD_PAIRS_OF_FOUR(extend, x, to, step);                     \
      TSR__SMLAD_PAIRS_OF_FOUR(extend, x, to, step);                     \
    }                                                                    \
    for (; n > 0; n -= 4) TSR__SMLAD_PAIRS_OF_FOUR(extend, x, to, step); \
  } while (0)

/* As a patch of its own, and as one of four. */
static inline void tsr__smlad_pairs_of(tsr_index n, const char *x, bool sign, char *to) {
  if (sign)
    TSR__SMLAD_PAIRS_OF("sxtb16", n, x, to, 8);
  else
    TSR__SMLAD_PAIRS_OF("uxtb16", n, x, to, 8);
}

static inline void tsr__smlad_pairs_interleaved(tsr_index n, const char *x, bool sign, char *to) {
  if (sign)
    TSR__SMLAD_PAIRS_OF("sxtb16", n, x, to, 32);
  else
    TSR__SMLAD_PAIRS_OF("uxtb16", n, x, to, 32);
}

/* Four runs of n bytes of i8, whole fours, step bytes apart, as four patches. */
static inline void tsr__smlad_pairs_of_points(tsr_index n, const char *x, ptrdiff_t step, char *patches) {
  for (char *const end = patches + 32; patches != end; x += step, patches += 8) {
    const char *from = x;
    char *to = patches;
    tsr_index left = n;
    TSR__SMLAD_PAIRS_OF("sxtb16", left, from, to, 32);
  }
}

/* n times a number, a multiple of four; groups are step bytes apart. */
static inline void tsr__smlad_pairs_fill(tsr_index n, int32_t number, char *to, int step) {
  const uint32_t two = (uint32_t)number << 16 | ((uint32_t)number & 0xffff), pair[2] = {two, two};
  for (; n > 0; n -= 4, to += step) memcpy(__builtin_assume_aligned(to, 8), pair, sizeof pair);
}

#endif
