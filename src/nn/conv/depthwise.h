/* Depthwise convolutions: each channel by itself, where the vectors are channels (last) or pixels of a row (first). */
#ifndef TSR_NN_CONV_DEPTHWISE_H
#define TSR_NN_CONV_DEPTHWISE_H

#include "nn/conv/conv.h"

/* Rows y0 ≤ y < y1 of outputs of one image: all pixels and channels, or one plane where channels are first. */
typedef struct tsr__depthwise_rows {
  tsr__conv c;                              /* not a pointer: that is a load more where registers are few */
  const float *x, *weights, *bias, *limits; /* weights (kh, kw, o); limits may be NULL */
  const float *zeros;                       /* channels last: a row of TSR__DEPTHWISE_ZEROS pixels */
  float *out;
  tsr_index x_row, x_pixel, out_row, out_pixel;
  tsr_index y0, y1;
} tsr__depthwise_rows;

enum { TSR__DEPTHWISE_ZEROS = 9 }; /* pixels that a tile reads of one row, at most */

typedef struct tsr__depthwise {
  void (*last)(const tsr__depthwise_rows *d);
  void (*first)(const tsr__depthwise_rows *d);
} tsr__depthwise;

TSR__DECLARE_FOR_ISAS(const tsr__depthwise, tsr__depthwise)

#endif
