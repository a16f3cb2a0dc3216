/* Colours for numbers. */
#ifndef TESSERA_COLORMAP_H
#define TESSERA_COLORMAP_H

#include <stdint.h>

/* A map: colours at equal distances, the first for 0, the last for 1; between them a straight line. */
typedef struct colormap {
  const char *name;
  int diverging; /* its middle stands for 0 */
  int count;
  uint32_t colors[9]; /* 0xRRGGBB */
} colormap;

/* The map of that name; NULL when there is none. NULL asks for the first. */
const colormap *colormap_find(const char *name);

/* The colour for a number of 0 … 1; what is outside is clipped, NaN has a colour of its own. */
uint32_t colormap_at(const colormap *map, double value);

/* The colour of NaN. */
enum { COLOR_NAN = 0xd81b60 };

#endif
