/* Softmax of bytes by integers alone.
 *
 * Once rounded: with d the greatest number less this one, t = d · unit in 2^-26, and e = 2^-t in 31 bits by a polynomial of the
 * fifth degree, near to 2^-22 of itself; the sum of all e in 64 bits, its reciprocal in 31; results are 256 · e / sum to the
 * nearest. Twice rounded: as TensorFlow Lite's reference kernel, whose numbers have 5 bits before the point, then 12, then none. */
#ifndef TSR_NN_QUANT_ALONG_SOFTMAX_H
#define TSR_NN_QUANT_ALONG_SOFTMAX_H

#include "nn/quant/quant.h"

typedef struct tsr__q_softmax {
  tsr_index n;
  ptrdiff_t step, out_step;
  int flip; /* 0x80: i8, 0: u8; with it numbers are as those of u8 */
#if TSR__ROUND_TWICE
  int32_t multiplier, least; /* of a difference, which is least or more */
  int left;
#else
  uint32_t unit; /* scale · log2(e) in 2^-26 */
#endif
} tsr__q_softmax;

void tsr__q_softmax_init(float scale, tsr__q_softmax *s);
void tsr__q_softmax_row(const tsr__q_softmax *s, const char *x, char *out);

#endif
