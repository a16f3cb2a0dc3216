/* The columns of a product as panels of vectors, as equal as can be. */
#ifndef TSR_NN_CONV_COLUMNS_H
#define TSR_NN_CONV_COLUMNS_H

#include "nn/conv/tile.h"

/* The kernels of an instruction set. */
const tsr__conv_tiles *tsr__conv_tiles_of(int isa);

typedef struct tsr__conv_columns {
  int lanes;
  tsr_index count;   /* columns */
  tsr_index vectors; /* of all panels */
  tsr_index panels;
} tsr__conv_columns;

static inline tsr_index tsr__conv_ceil(tsr_index a, tsr_index b) { return a / b + (a % b != 0); }
static inline tsr_index tsr__conv_min(tsr_index a, tsr_index b) { return a < b ? a : b; }

static inline tsr__conv_columns tsr__conv_columns_of(const tsr__conv_tiles *tiles, tsr_index count) {
  const tsr_index vectors = tsr__conv_ceil(count, tiles->lanes);
  return (tsr__conv_columns){tiles->lanes, count, vectors, tsr__conv_ceil(vectors, tiles->vectors)};
}

/* The first vector of a panel; of the one past the last: all vectors. */
static inline tsr_index tsr__conv_vector(const tsr__conv_columns *c, tsr_index panel) {
  return panel * (c->vectors / c->panels) + tsr__conv_min(panel, c->vectors % c->panels);
}

/* Columns first ≤ j < first + count, in vectors whole vectors. */
typedef struct tsr__conv_panel {
  tsr_index first, count;
  int vectors;
} tsr__conv_panel;

static inline tsr__conv_panel tsr__conv_panel_at(const tsr__conv_columns *c, tsr_index panel) {
  const tsr_index v = tsr__conv_vector(c, panel), next = tsr__conv_vector(c, panel + 1), first = v * c->lanes;
  return (tsr__conv_panel){first, tsr__conv_min(next * c->lanes, c->count) - first, (int)(next - v)};
}

#endif
