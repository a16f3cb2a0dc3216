/* Colours of pictures. Maps are paths through Oklab, in which equal distances look about equal: lightness L goes evenly, hue and chroma
 * change smoothly with it. The screen can show all of it; a rounding beyond what it can loses chroma, at the same L and hue.
 *
 * The formulas, with t from 0 to 1 and angles in degrees:
 *   dusk       L = 0.17 + 0.77 t,  hue = 275 + 190 t,  chroma = 0.145 (1 - (2 t - 1)^4)^(1/2) + 0.02
 *   lagoon     L = 0.18 + 0.76 t,  hue = 268 - 128 t,  chroma = 0.062 sin(pi t)^(1/2) + 0.013
 *   gray       L = 0.14 + 0.84 t
 *   diverging  s = |2 t - 1|: light L = 0.965 - 0.52 s^1.05, dark L = 0.30 + 0.45 s; hue 250 below, 32 above; chroma = 0.12 s^0.8
 *   phase      L = 0.68, hue = 360 t + 20, chroma = 0.115
 *
 * The steps of 256 are then spaced evenly by their length in Oklab. */
#include "plot/color.h"

#if TSR_HAVE_PLOT

#include <math.h>

#define PI 3.14159265358979323846

/* ---- Oklab ---- */

typedef struct lab {
  double l, a, b;
} lab;

static lab lch(double l, double chroma, double hue) {
  return (lab){l, chroma * cos(hue * PI / 180), chroma * sin(hue * PI / 180)};
}

static void linear_of(lab c, double rgb[3]) {
  const double l = c.l + 0.3963377774 * c.a + 0.2158037573 * c.b, m = c.l - 0.1055613458 * c.a - 0.0638541728 * c.b,
               s = c.l - 0.0894841775 * c.a - 1.2914855480 * c.b, l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
  rgb[0] = 4.0767416621 * l3 - 3.3077115913 * m3 + 0.2309699292 * s3;
  rgb[1] = -1.2684380046 * l3 + 2.6097574011 * m3 - 0.3413193965 * s3;
  rgb[2] = -0.0041960863 * l3 - 0.7034186147 * m3 + 1.7076147010 * s3;
}

static bool is_shown(lab c) {
  double rgb[3];
  linear_of(c, rgb);
  for (int i = 0; i < 3; i++)
    if (rgb[i] < -1e-9 || rgb[i] > 1 + 1e-9) return false;
  return true;
}

/* Less chroma until the screen has it. */
static lab shown(lab c) {
  double low = 0, high = 1;
  if (is_shown(c)) return c;
  for (int i = 0; i < 24; i++) {
    const double middle = (low + high) / 2;
    if (is_shown((lab){c.l, c.a * middle, c.b * middle}))
      low = middle;
    else
      high = middle;
  }
  return (lab){c.l, c.a * low, c.b * low};
}

static uint32_t encoded(double linear) {
  const double v = linear <= 0.0031308 ? 12.92 * linear : 1.055 * pow(linear, 1 / 2.4) - 0.055;
  return (uint32_t)(fmin(fmax(v, 0), 1) * 255 + 0.5);
}

static uint32_t color_of(lab c) {
  double rgb[3];
  linear_of(c, rgb);
  return 0xff000000u | encoded(rgb[0]) << 16 | encoded(rgb[1]) << 8 | encoded(rgb[2]);
}

/* ---- maps ---- */

static lab path_of(int map, int theme, double t) {
  const double s = fabs(2 * t - 1);
  switch (map) {
    case TSR_PLOT_GRAY: return (lab){0.14 + 0.84 * t, 0, 0};
    case TSR_PLOT_LAGOON: return lch(0.18 + 0.76 * t, 0.062 * sqrt(fmax(sin(PI * t), 0)) + 0.013, 268 - 128 * t);
    case TSR_PLOT_PHASE: return lch(0.68, 0.115, 360 * t + 20);
    case TSR_PLOT_DIVERGING:
      return lch(theme == TSR_PLOT_DARK ? 0.30 + 0.45 * s : 0.965 - 0.52 * pow(s, 1.05), 0.12 * pow(s, 0.8),
                 t < 0.5 ? 250 : 32);
    default: return lch(0.17 + 0.77 * t, 0.145 * sqrt(1 - s * s * s * s) + 0.02, 275 + 190 * t);
  }
}

static double apart(lab a, lab b) {
  const double l = a.l - b.l, x = a.a - b.a, y = a.b - b.b;
  return sqrt(l * l + x * x + y * y);
}

/* Even steps from the middle, or from the beginning where parts is 1. */
void tsr__shades_of(int map, int theme, tsr__plot_shades *shades) {
  enum { FINE = 2048 };
  lab last = shown(path_of(map, theme, 0));
  double length = 0, total = 0;
  for (int i = 1; i <= FINE; i++) {
    const lab c = shown(path_of(map, theme, (double)i / FINE));
    total += apart(c, last);
    last = c;
  }
  last = shown(path_of(map, theme, 0));
  shades->shade[0] = color_of(last);
  for (int i = 1, k = 1; i <= FINE && k < TSR__PLOT_SHADES; i++) {
    const lab c = shown(path_of(map, theme, (double)i / FINE));
    length += apart(c, last);
    last = c;
    while (k < TSR__PLOT_SHADES && (i == FINE || length >= total * k / (TSR__PLOT_SHADES - 1)))
      shades->shade[k++] = color_of(c);
  }
  shades->missing = map == TSR_PLOT_GRAY ? 0xffd81b60u : 0xff8f8f8fu;
}

void tsr__shades_cut(tsr__plot_shades *shades, double from, double to) {
  tsr__plot_shades all = *shades;
  for (int i = 0; i < TSR__PLOT_SHADES; i++)
    shades->shade[i] = tsr__shade_at(&all, from + (to - from) * i / (TSR__PLOT_SHADES - 1));
}

uint32_t tsr_plot_color(int map, int theme, double at) {
  tsr__plot_shades shades;
  tsr__shades_of(map, theme, &shades);
  return tsr__shade_at(&shades, at);
}

uint32_t tsr__color_between(uint32_t a, uint32_t b, double part) {
  uint32_t out = 0;
  for (int shift = 0; shift < 32; shift += 8) {
    const double from = a >> shift & 255, to = b >> shift & 255;
    out |= (uint32_t)(from + (to - from) * part + 0.5) << shift;
  }
  return out;
}

/* ---- themes ---- */

/* The cycle: hues that stay apart for readers without red or green receptors, because lightness differs with them; color_test measures it. */
const tsr__plot_theme *tsr__theme_of(int theme) {
  static const tsr__plot_theme light = {.paper = 0xffffffffu,
                                        .ink = 0xff1d2127u,
                                        .label = 0xff43494fu,
                                        .axis = 0xff8a9097u,
                                        .grid = 0xffe7e9ecu,
                                        .legend = 0xe8ffffffu,
                                        .cycle = {0xff2750beu, 0xffd9642cu, 0xff1d9a7cu, 0xff7c317bu, 0xffe69713u,
                                                  0xff56b0dcu, 0xff9c4a22u, 0xff5a6470u}};
  static const tsr__plot_theme dark = {.paper = 0xff16191eu,
                                       .ink = 0xfff0f1f3u,
                                       .label = 0xffb9bfc7u,
                                       .axis = 0xff6d747du,
                                       .grid = 0xff2b3038u,
                                       .legend = 0xe816191eu,
                                       .cycle = {0xff7a8dfau, 0xfffa9240u, 0xff3dc797u, 0xffa776b2u, 0xffecc33fu,
                                                 0xff8fd3f2u, 0xffc9713fu, 0xff9ba4b1u}};
  return theme == TSR_PLOT_DARK ? &dark : &light;
}

#endif
