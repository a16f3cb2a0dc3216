/* Areas as pixels: how much of each pixel a path covers, exactly, in integers. */
#ifndef TSR_PLOT_FILL_H
#define TSR_PLOT_FILL_H

#include "plot/path.h"

#if TSR_HAVE_PLOT

/* Points of closed rings, in 256ths of a pixel. */
typedef struct tsr__plot_corner {
  int32_t x, y;
} tsr__plot_corner;

typedef struct tsr__plot_rings {
  tsr__plot_array corners; /* tsr__plot_corner */
  tsr__plot_array starts;  /* size_t: the number of each ring's first corner */
} tsr__plot_rings;

/* Begins a ring; adds a corner in pixels to the last one. What is far outside of any picture is brought nearer. */
void tsr__rings_start(tsr__plot_memory *memory, tsr__plot_rings *rings);
void tsr__rings_add(tsr__plot_memory *memory, tsr__plot_rings *rings, double x, double y);
void tsr__rings_clear(tsr__plot_rings *rings);
void tsr__rings_release(const tsr__plot_memory *memory, tsr__plot_rings *rings);

/* A path in pixels as rings; open pieces are closed. */
void tsr__rings_of(tsr__plot_memory *memory, tsr__plot_rings *rings, const tsr__plot_outline *path);

/* Whole pixels: from x and y on, below x1 and y1. */
typedef struct tsr__plot_pixels {
  int x, y, x1, y1;
} tsr__plot_pixels;

/* Called for each row that something covers: cover[i], 0 … 255, is of pixel x + i. */
typedef void tsr__plot_cover_fn(void *user, int y, int x, int n, const uint8_t *cover);

/* What covers[] and sums need: it is kept from one area to the next. */
typedef struct tsr__plot_filler {
  tsr__plot_array sums;  /* int32_t pairs */
  tsr__plot_array cover; /* uint8_t */
} tsr__plot_filler;
void tsr__filler_release(const tsr__plot_memory *memory, tsr__plot_filler *filler);

/* The area that rings go around, within the pixels of clip: what is covered twice counts once. */
void tsr__fill(tsr__plot_memory *memory, tsr__plot_filler *filler, const tsr__plot_rings *rings,
               const tsr__plot_pixels *clip, tsr__plot_cover_fn *fn, void *user);

#endif

#endif
