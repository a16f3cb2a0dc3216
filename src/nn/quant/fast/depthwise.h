/* Depthwise convolutions of quantised numbers, channels last: a row of outputs at a time. */
#ifndef TSR_NN_QUANT_FAST_DEPTHWISE_H
#define TSR_NN_QUANT_FAST_DEPTHWISE_H

#include "cpu/isa.h"
#include "nn/quant/fast/ends.h"

enum { TSR__Q_TAPS_HIGH = 8 }; /* rows of filters that are taken */

/* Rows of x that lie outside are a row of zero points, with a step of 0. */
typedef struct tsr__q_depthwise {
  const char *row[TSR__Q_TAPS_HIGH]; /* kh of them: pixel 0 */
  ptrdiff_t step[TSR__Q_TAPS_HIGH];  /* from pixel to pixel */
  const char *zeros;                 /* a pixel of zero points */
  tsr_index channels, w, ow, kh, kw, stride, dilation, left;
  const int8_t *weights; /* [KH,KW,O] */
  tsr__q_ends end;
  int x_dtype;
  char *out;
  ptrdiff_t out_step; /* from pixel to pixel */
} tsr__q_depthwise;

/* any: every filter; dots_3: 3×3, dilation 1, bytes, with end.fast, on machines with byte dots; NULL where the set has none.
 */
typedef struct tsr__q_depthwise_kernels {
  void (*any)(const tsr__q_depthwise *d);
  void (*dots_3)(const tsr__q_depthwise *d);
} tsr__q_depthwise_kernels;

TSR__DECLARE_FOR_ISAS(const tsr__q_depthwise_kernels, tsr__q_depthwise)

#endif
