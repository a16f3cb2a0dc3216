/* The product at the bottom of every convolution but the depthwise ones: some rows by a panel of columns. */
#ifndef TSR_NN_CONV_TILE_H
#define TSR_NN_CONV_TILE_H

#include "cpu/isa.h"

/* The most rows of a tile, on any instruction set. */
#define TSR__CONV_ROWS 8

/* out[r][j] = Σ over taps t and k < length of a[r][offset[t] + k] · panel[(t·length + k)·width + j], with a bias, cut
 * to low … high. The panel's width is whole vectors; columns of them are stored. Any number of rows: as many tiles. */
typedef struct tsr__conv_tile {
  const float *const *a;   /* rows of them */
  tsr_index a_first;       /* added to each */
  const tsr_index *offset; /* one a tap */
  tsr_index taps, length;
  const float *const *each; /* instead of a and offset, when not NULL: taps of rows of them. length > 1, one tile */
  const float *panel;
  float *const *out;
  tsr_index out_first;
  const float *bias_row;    /* one a row; NULL: bias_column */
  const float *bias_column; /* as wide as the panel */
  const float *limits;      /* low and high, or NULL */
  int rows, vectors;
  tsr_index columns;
} tsr__conv_tile;

/* A panel of pixels, gathered: row k of it is made of runs, run i of count[i] numbers from from + offset[k] + start[i]
 * on, step apart. */
typedef struct tsr__conv_gather {
  const float *from;
  const tsr_index *offset;
  tsr_index rows, width, step;
  float *to;
  int runs;
  tsr_index start[64];
  int count[64];
} tsr__conv_gather;

typedef struct tsr__conv_tiles {
  int lanes;   /* numbers in a vector */
  int vectors; /* the most in a panel: lanes · vectors ≤ 64 */
  int rows[5]; /* the most rows of a tile, by the vectors in its panel */
  void (*run)(const tsr__conv_tile *tile);
  void (*gather)(const tsr__conv_gather *g);
} tsr__conv_tiles;

TSR__DECLARE_FOR_ISAS(const tsr__conv_tiles, tsr__conv_tiles)

#endif
