#include "heat.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "image.h"
#include "numbers.h"
#include "report.h"
#include "text.h"

/* Rows of pixels at the most: what fits a screen. */
enum { TALLEST = 80, LARGEST = 4 /* pixels of an element */ };

/* ---- range ---- */

bool heat_options_read(const arguments *args, heat_options *out) {
  const char *name = args_value(args, "map", NULL);
  out->chosen = name != NULL;
  out->map = colormap_find(name);
  if (out->map == NULL) return report("--map: '%s' is none of dusk, gray, diverging", name), false;
  return args_real(args, "min", (double)NAN, &out->least) && args_real(args, "max", (double)NAN, &out->greatest);
}

tsr_status heat_range(tsr_ctx *ctx, const tsr_tensor *t, const heat_options *o, double *least, double *greatest) {
  tsr_summary all;
  const tsr_status st = tsr_summarize(ctx, t, &all);
  if (st != TSR_OK) return st;
  *least = isnan(o->least) ? all.min : o->least;
  *greatest = isnan(o->greatest) ? all.max : o->greatest;
  if (!o->map->diverging || !isnan(o->least) || !isnan(o->greatest)) return TSR_OK;
  *greatest = fmax(fabs(all.min), fabs(all.max));
  *least = -*greatest;
  return TSR_OK;
}

double heat_place(double value, double least, double greatest) {
  return greatest > least ? (value - least) / (greatest - least) : value - value + 0.5;
}

/* ---- drawing ---- */

typedef struct picture {
  int width, height;
  int planes;     /* 1, or 3: red, green and blue */
  double *pixels; /* planes of them, one behind the other */
  double least, greatest;
  const colormap *map;
} picture;

static double plane_at(const picture *p, int plane, int x, int y) {
  const size_t at = ((size_t)plane * (size_t)p->height + (size_t)y) * (size_t)p->width + (size_t)x;
  return heat_place(p->pixels[at], p->least, p->greatest);
}

/* How bright it is. */
static double place(const picture *p, int x, int y) {
  if (p->planes == 1) return plane_at(p, 0, x, y);
  return 0.299 * plane_at(p, 0, x, y) + 0.587 * plane_at(p, 1, x, y) + 0.114 * plane_at(p, 2, x, y);
}

static uint32_t color_at(const picture *p, int x, int y) {
  if (p->planes == 1) return colormap_at(p->map, place(p, x, y));
  return image_color((const double[]){plane_at(p, 0, x, y), plane_at(p, 1, x, y), plane_at(p, 2, x, y)});
}

/* As large as fits, elements square: whole pixels for each element, or several elements a pixel. */
static void fit(const tsr_tensor *m, const terminal *to, picture *p) {
  const double rows = (double)m->shape[0], columns = (double)m->shape[1];
  double scale = fmin(to->width / columns, TALLEST / rows);
  if (scale >= 1) scale = fmin(floor(scale), LARGEST);
  if (!to->color && scale >= 2) scale = 2 * floor(scale / 2); /* letters are twice as high as they are wide */
  p->width = (int)fmax(1, floor(columns * scale));
  p->height = (int)fmax(1, floor(rows * scale));
  if (!to->color) p->height = (p->height + 1) / 2;
}

/* Colours are said when they change. */
static void put_colors(const picture *p, const terminal *to) {
  for (int y = 0; y < p->height; y += 2) {
    uint32_t upper = UINT32_MAX, lower = UINT32_MAX;
    for (int x = 0; x < p->width; x++) {
      const uint32_t above = color_at(p, x, y);
      const uint32_t below = y + 1 < p->height ? color_at(p, x, y + 1) : lower;
      if (above != upper) terminal_foreground(to, above);
      if (below != lower) terminal_background(to, below);
      upper = above;
      lower = below;
      (void)fputs("\xe2\x96\x80", stdout); /* the upper half block */
    }
    terminal_reset(to);
    (void)putchar('\n');
  }
}

static char letter(double place) {
  static const char ramp[] = " .:-=+*#%@";
  if (isnan(place)) return '?';
  return ramp[(int)(fmin(fmax(place, 0), 1) * 9 + 0.5)];
}

static void put_letters(const picture *p) {
  for (int y = 0; y < p->height; y++) {
    for (int x = 0; x < p->width; x++) (void)putchar(letter(place(p, x, y)));
    (void)putchar('\n');
  }
}

static void put_scale(const picture *p, const terminal *to) {
  enum { CELLS = 20 };
  char least[32], greatest[32];
  (void)printf("%s ", text_real(p->least, least));
  for (int i = 0; i < CELLS; i++) {
    const double at = (i + 0.5) / CELLS;
    terminal_background(to, colormap_at(p->map, at));
    (void)putchar(to->color ? ' ' : letter(at));
  }
  terminal_reset(to);
  (void)printf(" %s\n", text_real(p->greatest, greatest));
}

/* ---- all of it ---- */

static void put_picture(const picture *p, const char *index, const terminal *to) {
  if (index[0] != '\0') (void)printf("the last two axes, at %s of the others\n", index);
  if (to->color) put_colors(p, to);
  if (!to->color) put_letters(p);
  if (p->planes == 1) put_scale(p, to);
}

bool heat_write(tsr_ctx *ctx, const char *label, const tsr_tensor *t, const heat_options *o, const terminal *to) {
  char index[64] = "";
  double white = 1;
  tsr_tensor m = {0};
  const bool image = !o->chosen && image_is(ctx, t, &white);
  picture p = {.map = o->map, .planes = image ? 3 : 1, .least = isnan(o->least) ? 0 : o->least};
  p.greatest = isnan(o->greatest) ? white : o->greatest;
  tsr_status st = image ? tsr_select(ctx, t, 2, 0, &m) : numbers_matrix(ctx, t, &m, index, sizeof index);
  if (st == TSR_OK && tsr_size(&m) == 0) return (void)puts("(no elements)"), true;
  if (st == TSR_OK && !image) st = heat_range(ctx, &m, o, &p.least, &p.greatest);
  if (st != TSR_OK) return report_failure(ctx, label), false;
  fit(&m, to, &p);
  p.pixels = malloc((size_t)p.planes * (size_t)p.width * (size_t)p.height * sizeof *p.pixels);
  if (p.pixels == NULL) return report("out of memory"), false;
  st = image ? image_planes(ctx, t, p.width, p.height, p.pixels) : numbers_pixels(ctx, &m, p.width, p.height, p.pixels);
  if (st == TSR_OK) put_picture(&p, index, to);
  free(p.pixels);
  return st == TSR_OK || (report_failure(ctx, label), false);
}
