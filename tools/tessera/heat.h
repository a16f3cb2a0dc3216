/* Heat maps in the terminal: two rows of pixels a line. */
#ifndef TESSERA_HEAT_H
#define TESSERA_HEAT_H

#include "colormap.h"
#include "command.h"
#include "terminal.h"

typedef struct heat_options {
  const colormap *map;
  bool chosen;            /* the map was asked for */
  double least, greatest; /* NaN: what the tensor has */
} heat_options;

/* Reads --map, --min and --max; false: reported. */
bool heat_options_read(const arguments *args, heat_options *out);

/* The range of the colours for a tensor: what was asked for, else what its finite elements span. */
tsr_status heat_range(tsr_ctx *ctx, const tsr_tensor *t, const heat_options *o, double *least, double *greatest);

/* Where a number lies in a range, as 0 … 1. */
double heat_place(double value, double least, double greatest);

/* Writes the map of a tensor and its scale; false: reported, with that label. */
bool heat_write(tsr_ctx *ctx, const char *label, const tsr_tensor *t, const heat_options *o, const terminal *to);

#endif
