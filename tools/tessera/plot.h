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

/* Pixels of an area for so many rows and columns of elements, in a picture that has `around` pixels on its left and
 * right besides: elements are square, where their numbers are not too different. */
void plot_fit(const plot *p, tsr_index rows, tsr_index columns, int around, box *area);

/* Each fills *out, which needs canvas_release when it succeeds; false: reported. */
bool plot_heat(const plot *p, canvas *out);
bool plot_hist(const plot *p, canvas *out);
bool plot_line(const plot *p, canvas *out);
bool plot_grid(const plot *p, canvas *out);
bool plot_image(const plot *p, canvas *out);

#endif
