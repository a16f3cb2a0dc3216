/* Colours: themes, the cycle, maps of numbers. */
#ifndef TSR_PLOT_COLOR_H
#define TSR_PLOT_COLOR_H

#include <tessera/plot.h>

#if TSR_HAVE_PLOT

typedef struct tsr__plot_theme {
  uint32_t paper, ink, label, axis, grid, legend; /* legend: what is below it, nearly opaque */
  uint32_t cycle[8];
} tsr__plot_theme;

const tsr__plot_theme *tsr__theme_of(int theme);

enum { TSR__PLOT_SHADES = 256 };

/* The colours of a map from 0 to 1, and that of what is no number. */
typedef struct tsr__plot_shades {
  uint32_t shade[TSR__PLOT_SHADES], missing;
} tsr__plot_shades;

void tsr__shades_of(int map, int theme, tsr__plot_shades *shades);

/* Only a part of them, stretched. */
void tsr__shades_cut(tsr__plot_shades *shades, double from, double to);

/* The colour of a place; NaN: missing. */
static inline uint32_t tsr__shade_at(const tsr__plot_shades *s, double at) {
  if (!(at == at)) return s->missing;
  return s->shade[at <= 0 ? 0 : at >= 1 ? TSR__PLOT_SHADES - 1 : (int)(at * (TSR__PLOT_SHADES - 1) + 0.5)];
}

/* A colour between two: part 0 is the first. */
uint32_t tsr__color_between(uint32_t a, uint32_t b, double part);

#endif

#endif
