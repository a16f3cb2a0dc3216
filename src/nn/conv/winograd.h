/* Winograd's F(4×4, 3×3): tiles of 6×6 pixels, transformed, give 4×4 outputs with 36 products where the sum takes 144.
 */
#ifndef TSR_NN_CONV_WINOGRAD_H
#define TSR_NN_CONV_WINOGRAD_H

#include "cpu/isa.h"

/* One tile's outputs: out is pixel (0, 0), channel 0 of the panel. */
typedef struct tsr__winograd_out {
  float *out;
  tsr_index channel, row, pixel; /* strides; channel or pixel is 1 */
  tsr_index rows, pixels;        /* of the tile that are inside: 1 … 4 */
  tsr_index channels;            /* of the panel */
  const float *bias;             /* of the panel, whole vectors */
  const float *limits;           /* or NULL */
} tsr__winograd_out;

typedef struct tsr__winograd {
  /* Filters (o, i, 3, 3), count of them, into a panel (36, i, width). */
  void (*filters)(tsr_index i, tsr_index count, tsr_index width, const float *from, float *to);
  /* A tile of 6×6 pixels, channels last (a multiple of the vector), into 36 rows that lie step apart. */
  void (*input)(const float *x, tsr_index row, tsr_index pixel, tsr_index channels, float *to, tsr_index step);
  /* 36 rows of vectors, step apart, into a tile of outputs. */
  void (*output)(const float *from, tsr_index step, const tsr__winograd_out *o);
} tsr__winograd;

TSR__DECLARE_FOR_ISAS(const tsr__winograd, tsr__winograd)

#endif
