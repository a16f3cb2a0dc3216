/* Sums of bytes in i32, for means. */
#ifndef TSR_NN_QUANT_ALONG_SUMS_H
#define TSR_NN_QUANT_ALONG_SUMS_H

#include "nn/quant/quant.h"

enum { TSR__Q_SUM_CHANNELS = 16 }; /* at a time */

/* sums[0 … n - 1] += count rows of n numbers side by side, step bytes apart; n ≤ TSR__Q_SUM_CHANNELS. flip: 0x80 for u8,
 * whose numbers less 128 are added. */
void tsr__q_sum_rows(int n, const char *x, tsr_index count, ptrdiff_t step, int flip, int32_t *sums);

/* n numbers side by side. */
int32_t tsr__q_sum_run(tsr_index n, const char *x, int flip);

#endif
