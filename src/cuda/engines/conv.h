/* Convolutions as the engines see them: products of filters by windows, and who does them. */
#ifndef TSR_CUDA_ENGINES_CONV_H
#define TSR_CUDA_ENGINES_CONV_H

#include "cuda/engines/elements.h"

#include <tessera/activation.h>

/* An axis that is convolved over. Tap k of position i meets element base + i·step + k·tap of x. */
typedef struct tsr__cuda_conv_axis {
  int64_t in, out, taps, base, step, tap;
  int64_t x, w, o; /* strides of one element of x, one tap, one position */
} tsr__cuda_conv_axis;

/* Axes: depth, height, width; those that there are not have length 1. Strides in elements. */
typedef struct tsr__cuda_conv {
  const char *op;
  int dtype, compute; /* of x and out; what is summed in */
  bool exact;         /* the bits of plain loops: products are rounded, what is outside takes no part */
  bool biased;
  tsr__cuda_view x, w, bias, out; /* where they lie; axes and strides are those below */
  int64_t n, groups, each, made;  /* samples; channels and filters of a group */
  int64_t x_sample, x_channel, w_group, w_filter, w_channel, out_sample, out_filter, bias_step;
  tsr__cuda_conv_axis axis[3];
  tsr_activation activation;
} tsr__cuda_conv;

static inline int64_t tsr__cuda_conv_taps(const tsr__cuda_conv *c) {
  return c->axis[0].taps * c->axis[1].taps * c->axis[2].taps;
}
static inline int64_t tsr__cuda_conv_positions(const tsr__cuda_conv *c) {
  return c->n * c->axis[0].out * c->axis[1].out * c->axis[2].out;
}

/* ---- what is done with a sum ---- */

/* The lines of an activation: its numbers are of the call. */
typedef struct tsr__cuda_finish {
  const void *kind; /* says which lines */
  double number[2];
  tsr__cuda_lines lines;
} tsr__cuda_finish;

/* TSR_EDEVICE: it is computed on the host only. */
tsr_status tsr__cuda_conv_finish(tsr_ctx *ctx, const tsr__cuda_conv *c, tsr__cuda_finish *finish);

/* Text: types T and C, LOADED, and T finished(C sum, double p, double q). */
void tsr__cuda_conv_words(const tsr__cuda_conv *c, const tsr__cuda_finish *finish, tsr__cuda_text *text);

/* ---- who does it ---- */

/* Any of them, by tiles of sums (conv_tile.c). */
tsr_status tsr__cuda_conv_tiles(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_conv *c, const tsr__cuda_finish *finish,
                                tsr__cuda_plan *plan);

#endif
