/* Convolution where flash and RAM are small: f32 read and written where it lies, nothing packed, four outputs by four
 * filters in registers. */
#ifndef TSR_NN_CONV_BLOCKS_H
#define TSR_NN_CONV_BLOCKS_H

#include <tessera/dtype.h>
#include "cpu/dsp.h"
#include "cpu/isa.h"

/* Whether blocks are vectors: of outputs, of filters, or of numbers of a filter. */
#if defined(TSR__MVE_FLOAT)
#define TSR__CONV_BLOCKS_IN_VECTORS 1
#else
#define TSR__CONV_BLOCKS_IN_VECTORS 0
#endif

/* Outputs and filters of a block. */
#define TSR__CONV_BLOCK 4

/* out[p][f · o_step] = start[f] + Σ x[p] · w[f] over three axes: the taps of a filter that lie inside x, in the order
 * channel, row, column. A step of the last axis leads from tap to tap; one of the others from behind the last tap of a
 * line, or plane, to the next one. In elements. Every pointer is good: where there are fewer outputs, some are the same,
 * and are written more than once. */
typedef struct tsr__conv_block {
  const float *x[TSR__CONV_BLOCK]; /* the first tap of each output */
  const float *w[TSR__CONV_BLOCK]; /* and of each filter */
  float *out[TSR__CONV_BLOCK];
  float start[TSR__CONV_BLOCK];
  tsr_index count[3]; /* none is 0 */
  tsr_index x_step[3], w_step[3], o_step;
} tsr__conv_block;

typedef void tsr__conv_block_fn(const tsr__conv_block *b);

typedef struct tsr__conv_blocks {
  tsr__conv_block_fn *four; /* four filters, four outputs */
  tsr__conv_block_fn *pair; /* four filters, outputs 0 and 1 */
  tsr__conv_block_fn *one;  /* filter 0, four outputs; any steps */
} tsr__conv_blocks;

TSR__DECLARE_FOR_ISAS(const tsr__conv_blocks, tsr__conv_blocks)

#endif
