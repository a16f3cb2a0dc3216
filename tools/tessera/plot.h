/* What tessera plot draws: tensors by their shape, and columns of tables by name. */
#ifndef TESSERA_DRAWING_H
#define TESSERA_DRAWING_H

#include "args.h"
#include "heat.h"

#if TSR_HAVE_PLOT

typedef struct drawing {
  tsr_ctx *ctx;
  const arguments *args;
  tsr_plot *plot;
  tsr_plot_axes axes;
  tsr_plot_style style;
  heat_options colors; /* --min, --max; --map is the style's */
  bool map_chosen;
} drawing;

enum { LINES = 8 /* at the most */ };

/* Draws a tensor of real numbers; kind NULL: by its shape. False: reported. */
bool plot_tensor(drawing *d, const tsr_tensor *t, const char *kind);

/* Whether columns are asked for by --x, --y or --color, or the file is a table whose columns have names or are no
 * numbers; and drawing those of a file. False: reported. */
bool plot_wants_columns(tsr_ctx *ctx, const arguments *args);
bool plot_columns(drawing *d, const char *operand, const char *kind);

/* The column for --color; NULL: none is named, but when colours are for the terminal. */
const char *plot_color_column(const arguments *args);

/* Whether a kind is one; false: reported. */
bool plot_is_kind(const char *kind);

#endif

#endif
