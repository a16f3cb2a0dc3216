/* Depthwise convolutions of quantised numbers, channels last: a row of outputs at a time. */
#ifndef TSR_NN_QUANT_DEPTHWISE_H
#define TSR_NN_QUANT_DEPTHWISE_H

#include "cpu/isa.h"
#include "nn/quant/quant.h"

enum { TSR__Q_TAPS_HIGH = 8 }; /* rows of filters that are taken */

/* Rows of x that lie outside are a row of zero points, with a step of 0. */
typedef struct tsr__q_depthwise {
  const char *row[TSR__Q_TAPS_HIGH]; /* kh of them: pixel 0 */
  ptrdiff_t step[TSR__Q_TAPS_HIGH];  /* from pixel to pixel */
  const char *zeros;                 /* a pixel of zero points */
  tsr_index channels, w, ow, kh, kw, stride, dilation, left;
  const int8_t *weights; /* [KH,KW,O] */
  const int32_t *bias, *multiplier, *shift;
  int32_t zero, low, high;
  int x_dtype, out_dtype;
  bool fast_end; /* every shift is TSR__FIXED_HIGH or more */
  char *out;
  ptrdiff_t out_step; /* from pixel to pixel */
} tsr__q_depthwise;

typedef void tsr__q_depthwise_fn(const tsr__q_depthwise *d);

#define X(isa) extern tsr__q_depthwise_fn tsr__q_depthwise_##isa;
TSR_ISA_LIST(X)
#undef X
#if defined(TSR_WITH_avx512)
/* 3×3, dilation 1, bytes, with fast_end, on machines with byte dots. */
extern tsr__q_depthwise_fn tsr__q_depthwise_3_avx512;
#endif

#endif
