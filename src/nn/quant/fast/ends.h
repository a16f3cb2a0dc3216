/* What follows the sums of fast kernels. */
#ifndef TSR_NN_QUANT_FAST_ENDS_H
#define TSR_NN_QUANT_FAST_ENDS_H

#include "nn/quant/quant.h"

/* Of columns or channels, one after the other. */
typedef struct tsr__q_ends {
  const int32_t *bias, *multiplier, *shift;
  int32_t zero, low, high;
  int out_dtype;
  bool fast; /* every shift is TSR__FIXED_HIGH or more */
} tsr__q_ends;

static inline tsr__q_ends tsr__q_ends_of(const tsr_qlayer *l, bool fast, const int32_t *bias, const int32_t *multiplier,
                                         const int32_t *shift) {
  return (tsr__q_ends){bias, multiplier, shift, l->out_zero, l->low, l->high, l->out_dtype, fast};
}

/* Results as i32 in place of n sums from column or channel first on. */
static inline void tsr__q_ends_scale(const tsr__q_ends *e, tsr_index first, int n, int32_t *sums) {
  const int32_t *const multiplier = e->multiplier + first, *const shift = e->shift + first;
  const int32_t zero = e->zero, low = e->low, high = e->high;
  if (e->fast) {
    for (int i = 0; i < n; i++) {
      const int32_t y = tsr__fixed_apply_high(sums[i], (tsr__fixed){multiplier[i], shift[i]}) + zero;
      const int32_t above = y < low ? low : y;
      sums[i] = above > high ? high : above;
    }
  } else {
    for (int i = 0; i < n; i++)
      sums[i] = tsr__quant_clamp(tsr__fixed_apply(sums[i], (tsr__fixed){multiplier[i], shift[i]}) + zero, low, high);
  }
}

#endif
