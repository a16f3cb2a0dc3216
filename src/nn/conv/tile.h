/* The product at the bottom of every convolution but the depthwise ones: some rows by a panel of columns. */
#ifndef TSR_NN_CONV_TILE_H
#define TSR_NN_CONV_TILE_H

#include "cpu/isa.h"

/* The most rows of a tile, on any instruction set. */
#define TSR__CONV_ROWS 8

/* out[r][j] = Σ over taps t and k < length of a[r][offset[t] + k] · panel[(t·length + k)·width + j], with a bias, cut to
 * low … high. The panel's width is whole vectors; columns of them are stored. */
typedef struct tsr__conv_tile {
  const float *const *a;       /* rows of them */
  const tsr_index    *offset;  /* one a tap */
  tsr_index           taps, length;
  const float        *panel;
  float *const       *out;
  const float        *bias_row;    /* one a row; NULL: bias_column */
  const float        *bias_column; /* as wide as the panel */
  const float        *limits;      /* low and high, or NULL */
  int                 rows, vectors;
  tsr_index           columns;
} tsr__conv_tile;

/* Copies of rows for a panel: run i takes count[i] numbers from offset[i] on, step apart. */
typedef struct tsr__conv_runs {
  int       runs;
  tsr_index step;
  tsr_index offset[64];
  int       count[64];
} tsr__conv_runs;

typedef struct tsr__conv_tiles {
  int lanes;   /* numbers in a vector */
  int vectors; /* the most in a panel: lanes · vectors ≤ 64 */
  int rows[5]; /* the most rows of a tile, by the vectors in its panel */
  void (*run)(const tsr__conv_tile *tile);
  /* One row of a panel from the rows of an image; may write a vector too far. */
  void (*gather)(const float *from, const tsr__conv_runs *runs, float *to);
} tsr__conv_tiles;

#define X(isa) extern const tsr__conv_tiles tsr__conv_tiles_##isa;
TSR_ISA_LIST(X)
#undef X

#endif
