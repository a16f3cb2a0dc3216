/* Depthwise convolutions: each channel by itself, where the vectors are channels (last) or pixels of a row (first). */
#ifndef TSR_NN_CONV_DEPTHWISE_H
#define TSR_NN_CONV_DEPTHWISE_H

#include "cpu/isa.h"

/* Channels last: outputs y0 ≤ y < y1 of one image, all pixels and channels. */
typedef struct tsr__depthwise_last {
  const float *x, *weights, *bias, *limits; /* weights (kh, kw, channels); limits may be NULL */
  const float *zeros;                       /* a row of TSR__DEPTHWISE_ZEROS pixels */
  float *out;
  tsr_index channels, h, w, ow, kh, kw, sh, sw, dh, dw, top, left;
  tsr_index x_row, x_pixel, out_row, out_pixel;
  tsr_index y0, y1;
} tsr__depthwise_last;

/* Channels first: the same rows of one plane. */
typedef struct tsr__depthwise_first {
  const float *x, *weights, *limits; /* weights (kh, kw) */
  float *out;
  float bias;
  tsr_index h, w, ow, kh, kw, sh, sw, dh, dw, top, left;
  tsr_index x_row, out_row;
  tsr_index y0, y1;
} tsr__depthwise_first;

enum { TSR__DEPTHWISE_ZEROS = 9 }; /* pixels that a tile reads of one row, at most */

typedef struct tsr__depthwise {
  void (*last)(const tsr__depthwise_last *d);
  void (*first)(const tsr__depthwise_first *d);
} tsr__depthwise;

#define X(isa) extern const tsr__depthwise tsr__depthwise_##isa;
TSR_ISA_LIST(X)
#undef X

#endif
