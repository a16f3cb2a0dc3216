/* Colours: maps go evenly, the cycle stays apart for colour-blind readers. */
#include <math.h>
#include <tessera/tessera.h>
#include "support/test.h"

#if TSR_HAVE_PLOT

#include "plot/color.h"

typedef struct lab3 {
  double l, a, b;
} lab3;

static void linear_of(uint32_t color, double rgb[3]) {
  for (int i = 0; i < 3; i++) {
    const double v = (color >> (16 - 8 * i) & 255) / 255.0;
    rgb[i] = v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
  }
}

static lab3 lab_of(const double c[3]) {
  const double l = cbrt(0.4122214708 * c[0] + 0.5363325363 * c[1] + 0.0514459929 * c[2]),
               m = cbrt(0.2119034982 * c[0] + 0.6806995451 * c[1] + 0.1073969566 * c[2]),
               s = cbrt(0.0883024619 * c[0] + 0.2817188376 * c[1] + 0.6299787005 * c[2]);
  return (lab3){0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
                1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
                0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

static double apart(lab3 a, lab3 b) {
  return sqrt((a.l - b.l) * (a.l - b.l) + (a.a - b.a) * (a.a - b.a) + (a.b - b.b) * (a.b - b.b));
}

static lab3 seen(uint32_t color) {
  double rgb[3];
  linear_of(color, rgb);
  return lab_of(rgb);
}

TEST(maps_go_evenly) {
  enum { PARTS = 16 };
  for (int theme = 0; theme < 2; theme++)
    for (int map = TSR_PLOT_DUSK; map <= TSR_PLOT_PHASE; map++) {
      double least = 1e9, most = 0;
      for (int i = 0; i < PARTS; i++) {
        const double from = (double)i / PARTS, to = (double)(i + 1) / PARTS;
        const double d = apart(seen(tsr_plot_color(map, theme, from)), seen(tsr_plot_color(map, theme, to)));
        least = fmin(least, d);
        most = fmax(most, d);
      }
      CHECK(most < 1.3 * least);
      if (most >= 1.3 * least) printf("  map %d: %g to %g\n", map, least, most);
    }
}

TEST(lightness_rises) {
  static const int maps[] = {TSR_PLOT_DUSK, TSR_PLOT_GRAY, TSR_PLOT_LAGOON};
  for (int k = 0; k < 3; k++)
    for (int i = 1; i <= 64; i++) {
      const lab3 a = seen(tsr_plot_color(maps[k], 0, (i - 1) / 64.0)), b = seen(tsr_plot_color(maps[k], 0, i / 64.0));
      CHECK(b.l > a.l);
    }
  for (int theme = 0; theme < 2; theme++) { /* both halves of the diverging one alike */
    for (int i = 0; i <= 32; i++) {
      const lab3 a = seen(tsr_plot_color(TSR_PLOT_DIVERGING, theme, i / 64.0)),
                 b = seen(tsr_plot_color(TSR_PLOT_DIVERGING, theme, 1 - i / 64.0));
      CHECK(fabs(a.l - b.l) < 0.03);
    }
  }
  CHECK(apart(seen(tsr_plot_color(TSR_PLOT_PHASE, 0, 0)), seen(tsr_plot_color(TSR_PLOT_PHASE, 0, 1))) < 0.01);
}

/* What readers without long- or middle-wave receptors see (Viénot, Brettel and Mollon, 1999). */
static lab3 seen_without(int receptor, uint32_t color) {
  double c[3], out[3];
  linear_of(color, c);
  const double p = 0.11238 * c[0] + 0.88762 * c[1], q = 0.00401 * c[0] - 0.00401 * c[1] + c[2];
  const double e = 0.29275 * c[0] + 0.70725 * c[1], f = -0.02234 * c[0] + 0.02234 * c[1] + c[2];
  out[0] = out[1] = fmax(receptor == 0 ? p : e, 0);
  out[2] = fmax(receptor == 0 ? q : f, 0);
  return lab_of(out);
}

TEST(the_cycle_stays_apart) {
  for (int theme = 0; theme < 2; theme++) {
    const tsr__plot_theme *const t = tsr__theme_of(theme);
    for (int i = 0; i < 8; i++) {
      CHECK(apart(seen(t->cycle[i]), seen(t->paper)) > 0.25);
      for (int k = 0; k < i; k++) {
        const double plain = apart(seen(t->cycle[i]), seen(t->cycle[k]));
        const double without = fmin(apart(seen_without(0, t->cycle[i]), seen_without(0, t->cycle[k])),
                                    apart(seen_without(1, t->cycle[i]), seen_without(1, t->cycle[k])));
        const double least = i < 4 ? 0.09 : 0.045; /* the first four are the ones that are used */
        CHECK(plain > 0.1 && without > least);
        if (plain <= 0.1 || without <= least) printf("  theme %d: %d and %d: %g, %g\n", theme, i, k, plain, without);
      }
    }
  }
}

TEST(what_is_beyond_is_cut_off) {
  const uint32_t first = tsr_plot_color(TSR_PLOT_DUSK, 0, 0), last = tsr_plot_color(TSR_PLOT_DUSK, 0, 1);
  CHECK(tsr_plot_color(TSR_PLOT_DUSK, 0, -3) == first && tsr_plot_color(TSR_PLOT_DUSK, 0, (double)INFINITY) == last);
  CHECK(tsr_plot_color(TSR_PLOT_DUSK, 0, (double)NAN) == 0xff8f8f8fu && first >> 24 == 255);
  CHECK(tsr__color_between(0xff000000u, 0xffffffffu, 0.5) == 0xff808080u);
}

TEST_MAIN(RUN(maps_go_evenly), RUN(lightness_rises), RUN(the_cycle_stays_apart), RUN(what_is_beyond_is_cut_off))

#else
TEST(colors) { SKIP("pictures are not configured"); }
TEST_MAIN(RUN(colors))
#endif
