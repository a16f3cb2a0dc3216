/* Lines with a width, as areas. */
#ifndef TSR_PLOT_STROKE_H
#define TSR_PLOT_STROKE_H

#include "plot/fill.h"

#if TSR_HAVE_PLOT

typedef struct tsr__plot_pen {
  double width;       /* pixels */
  bool round;         /* ends and joins; else ends are cut off and joins pointed up to a limit */
  const double *dash; /* lengths of strokes and gaps in turn, in pixels; NULL: none */
  int dashes;         /* an even number of them */
} tsr__plot_pen;

/* Adds what a pen draws along a path, in pixels, to rings. Parts of lines that are outside of near, which is the picture's clip made
 * larger by what a pen needs, are left out. */
void tsr__stroke(tsr__plot_memory *memory, tsr__plot_rings *rings, const tsr__plot_outline *path,
                 const tsr__plot_pen *pen, const tsr__plot_pixels *near);

#endif

#endif
