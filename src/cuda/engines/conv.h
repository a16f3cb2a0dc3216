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

/* x·y + z, of the type that is summed in. */
const char *tsr__cuda_conv_multiply_add(const tsr__cuda_conv *c);

/* ---- arguments ---- */

/* As in kernels/conv_args.cuh. */
typedef struct tsr__cuda_conv_args {
  uint64_t x, w, bias, out, part;
  int64_t positions, made, each, groups, deep;
  int64_t x_group, x_sample, x_channel, w_group, w_filter, w_channel, out_group, out_sample, out_filter, bias_step;
  int64_t blocks_o, blocks_p, splits, split;
  tsr__cuda_conv_axis axis[3];
  double number[2];
} tsr__cuda_conv_args;

/* All but blocks and parts: sums are whole. */
void tsr__cuda_conv_set_args(const tsr__cuda_conv *c, const tsr__cuda_finish *finish, tsr__cuda_conv_args *args);
/* Of the launch that was added last. part: the place of the parts of sums in the scratch memory; SIZE_MAX: there are none. */
void tsr__cuda_conv_addresses(const tsr__cuda_conv *c, size_t part, tsr__cuda_plan *plan);

/* Whether places within a sample and a filter, or steps of a sum, need more than 31 bits; whether kernels have a bit for each tap of each axis. */
bool tsr__cuda_conv_is_wide(const tsr__cuda_conv *c);
bool tsr__cuda_conv_has_few_taps(const tsr__cuda_conv *c);

static inline int64_t tsr__cuda_conv_over(int64_t n, int64_t by) { return (n + by - 1) / by; }

/* ---- who does it ---- */

/* Any of them, by tiles of sums (conv_tile.c). */
tsr_status tsr__cuda_conv_tiles(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_conv *c, const tsr__cuda_finish *finish,
                                tsr__cuda_plan *plan);

/* Of f16 and bf16, by products of warps (conv_half.c). *done: it was planned so; where it is not for them, nothing is done. */
tsr_status tsr__cuda_conv_halves(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_conv *c, const tsr__cuda_finish *finish,
                                 bool *done, tsr__cuda_plan *plan);

/* Of one channel a group (depthwise.c); the same. */
tsr_status tsr__cuda_conv_depthwise(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_conv *c,
                                    const tsr__cuda_finish *finish, bool *done, tsr__cuda_plan *plan);

#endif
