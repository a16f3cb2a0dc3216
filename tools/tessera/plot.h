/* Kinds of plots: each draws a tensor on a canvas of its own. */
#ifndef TESSERA_PLOT_H
#define TESSERA_PLOT_H

#include "canvas.h"
#include "heat.h"

typedef struct plot {
  tsr_ctx *ctx;
  const tsr_tensor *tensor; /* of real numbers */
  const char *title;
  heat_options colors;
  int bins;
  int width, height; /* of the picture, about; 0: the kind's own */
} plot;

/* Each fills *out, which needs canvas_release when it succeeds; false: reported. */
bool plot_heat(const plot *p, canvas *out);
bool plot_hist(const plot *p, canvas *out);
bool plot_line(const plot *p, canvas *out);
bool plot_grid(const plot *p, canvas *out);

#endif
