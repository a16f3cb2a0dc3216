#include "colormap.h"

#include <math.h>
#include <string.h>

/* dusk: night to noon, the lightness of its points rising in equal steps from 7 to 90 (CIE L*), so that the order of
 * numbers is seen in grey too. */
static const colormap maps[] = {
    {"dusk", 0, 9, {0x150e37, 0x2c2566, 0x344489, 0x2e6594, 0x2b8693, 0x38a58a, 0x66c272, 0xabd75a, 0xf4e65c}},
    {"gray", 0, 2, {0x000000, 0xffffff}},
    {"diverging", 1, 5, {0x1f4e9c, 0x7fa6d8, 0xf3f1ec, 0xe0937a, 0x9e2a2b}},
};

const colormap *colormap_find(const char *name) {
  for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
    if (name == NULL || strcmp(maps[i].name, name) == 0) return &maps[i];
  return NULL;
}

static uint32_t mix(uint32_t a, uint32_t b, double t, int shift) {
  const double from = (double)(a >> shift & 255), to = (double)(b >> shift & 255);
  return (uint32_t)lround(from + (to - from) * t) << shift;
}

uint32_t colormap_at(const colormap *map, double value) {
  if (isnan(value)) return COLOR_NAN;
  const double at = fmin(fmax(value, 0), 1) * (map->count - 1);
  const int i = at >= map->count - 1 ? map->count - 2 : (int)at;
  const uint32_t a = map->colors[i], b = map->colors[i + 1];
  return mix(a, b, at - i, 16) | mix(a, b, at - i, 8) | mix(a, b, at - i, 0);
}
