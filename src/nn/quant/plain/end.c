/* Plain kernels: from sums to results. */
#include "cpu/fast_when_small.h"

#include "nn/quant/plain/plain.h"

/* The result of channel o. */
static inline int32_t result(const tsr__q_run *q, tsr_index o, int32_t sum) {
  const tsr__fixed f = {q->table[TSR__Q_MULTIPLIER][o], q->table[TSR__Q_SHIFT][o]};
  const tsr_qlayer *const l = q->layer;
  if (!q->high) return tsr__quant_clamp(tsr__fixed_apply(sum, f) + l->out_zero, l->low, l->high);
  const int32_t y = tsr__fixed_apply_high(sum, f) + l->out_zero; /* at most 2^30 + 2^15 in size */
  return y < l->low ? l->low : y > l->high ? l->high : y;
}

/* Whatever the dtype and the shifts. */
static void end_any(const tsr__q_run *q, tsr_index first, int n, const int32_t *sums, char *out) {
  out += (ptrdiff_t)first * q->os[1];
  for (int i = 0; i < n; i++, out += q->os[1])
    tsr__quant_store(q->layer->out_dtype, out, result(q, first + i, sums[i]));
}

#if defined(TSR__SMLAD)

static void end_bytes(const tsr__q_run *q, tsr_index first, int n, const int32_t *sums, char *out) {
  const tsr_qlayer *const l = q->layer;
  const tsr__smlad_ends e = {.multiplier = q->table[TSR__Q_MULTIPLIER] + first,
                             .shift = q->table[TSR__Q_SHIFT] + first,
                             .zero = 2 * (l->out_zero - l->low) + 1,
                             .above = 255 - (l->high - l->low),
                             .below = l->high - 255,
                             .step = q->os[1]};
  tsr__smlad_end(&e, n, sums, out);
}

#else

/* Every shift is TSR__FIXED_HIGH or more. */
#define END(type)                                                                                           \
  const int32_t *multiplier = q->table[TSR__Q_MULTIPLIER] + first, *shift = q->table[TSR__Q_SHIFT] + first; \
  const int32_t zero = q->layer->out_zero, low = q->layer->low, high = q->layer->high;                      \
  const ptrdiff_t step = q->os[1];                                                                          \
  for (int i = 0; i < n; i++, out += step) {                                                                \
    const int32_t y = tsr__fixed_apply_high(sums[i], (tsr__fixed){multiplier[i], shift[i]}) + zero;         \
    const int32_t above = y < low ? low : y;                                                                \
    *(type *)(void *)out = (type)(above > high ? high : above);                                             \
  }

static void end_bytes(const tsr__q_run *q, tsr_index first, int n, const int32_t *sums, char *out) { END(int8_t) }
static void end_words(const tsr__q_run *q, tsr_index first, int n, const int32_t *sums, char *out) { END(int16_t) }

#endif

void tsr__q_plain_end(const tsr__q_run *q, tsr_index first, int n, const int32_t *sums, char *out) {
  if (!q->short_ends) {
#if defined(TSR__MVE)
    if (q->high && q->layer->out_dtype == TSR_I16 && q->os[1] == 2) {
      const tsr__mve_filters f = tsr__q_plain_mve_ends(q, first, n);
      tsr__mve_end_wide(&f, n, sums, (int16_t *)(void *)out + first);
      return;
    }
#endif
#if !defined(TSR__SMLAD)
    if (q->high && q->layer->out_dtype == TSR_I16) {
      end_words(q, first, n, sums, out + (ptrdiff_t)first * q->os[1]);
      return;
    }
#endif
    end_any(q, first, n, sums, out);
    return;
  }
#if defined(TSR__MVE)
  if (q->os[1] == 1 && n >= 4) {
    const int fours = n / 4 * 4;
    const tsr__mve_filters f = tsr__q_plain_mve_ends(q, first, fours);
    tsr__mve_end(&f, sums, out + first);
    first += fours;
    sums += fours;
    n -= fours;
  }
#endif
  end_bytes(q, first, n, sums, out + (ptrdiff_t)first * q->os[1]);
}
