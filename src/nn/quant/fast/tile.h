/* Tiles of outputs in registers: rows of x by panels of weights. A call does any number of rows, a tile of them at a
 * time. */
#ifndef TSR_NN_QUANT_FAST_TILE_H
#define TSR_NN_QUANT_FAST_TILE_H

#include "cpu/isa.h"
#include "nn/quant/fast/ends.h"

enum { TSR__Q_ROWS = 12, TSR__Q_COLUMNS = 64 }; /* of the largest tiles */

/* Numbers come in groups of four bytes: four u8 (or i8, as the dots take them) by four i8, or two i16 by two i16. Group p of a panel of v vectors
 * holds a group for each of its v · lanes columns. What belongs to a column is there for whole vectors. */
typedef struct tsr__q_tile {
  const char *const *x; /* rows of them: the pixel that the first tap begins at; TSR__Q_ROWS more, the last one */
  char *const *out;     /* the same: the pixel of the results */
  ptrdiff_t x_first, out_first; /* where in a pixel the first number lies, and where the first column goes */
  ptrdiff_t out_step;           /* from column to column */
  const ptrdiff_t *offset;      /* of taps, in bytes */
  tsr_index taps, groups;       /* groups in each tap */
  const int32_t *panel;
  tsr__q_ends end;
  int rows, vectors, columns;
  bool bytes_end; /* end.fast, and the output is bytes side by side */
} tsr__q_tile;

typedef struct tsr__q_tiles {
  uint8_t lanes, vectors; /* numbers in a vector, vectors of the widest panel */
  uint8_t x_dtype;        /* that the dots take as it is; signs of the other bytes are flipped before */
  void (*run)(const tsr__q_tile *t);
} tsr__q_tiles;

/* n bytes: their signs flipped, or as i16. */
typedef void tsr__q_convert_fn(tsr_index n, const char *from, char *to);

/* Of pairs of i16, and of bytes: without a run where the set has no byte dots. */
#define X(isa)                                                      \
  extern const tsr__q_tiles tsr__q_pairs_##isa, tsr__q_bytes_##isa; \
  extern tsr__q_convert_fn tsr__q_flip_##isa, tsr__q_widen_i8_##isa, tsr__q_widen_u8_##isa;
TSR_ISA_LIST(X)
#undef X

#endif
