/* Kinds of pictures of one tensor. */
#include "plot.h"

#if TSR_HAVE_PLOT

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "image.h"
#include "numbers.h"
#include "report.h"

enum { TILES = 4096 };

static bool failed(const drawing *d) {
  (void)report_failure(d->ctx, NULL);
  return false;
}

/* A panel with what is known of it by now, and one thing in it. */
static bool begin(const drawing *d) { return tsr_plot_panel(d->ctx, d->plot, &d->axes) == TSR_OK || failed(d); }

/* What --min and --max ask for, the other end from the tensor; false: reported. */
static bool asked_range(const drawing *d, const tsr_tensor *t, double *least, double *greatest) {
  if (isnan(d->colors.least) && isnan(d->colors.greatest)) return true;
  if (heat_range(d->ctx, t, &d->colors, least, greatest) != TSR_OK) return failed(d);
  if (*least < *greatest) return true;
  return report("--min %g is not below %g", *least, *greatest), false;
}

static bool draw_heat(drawing *d, const tsr_tensor *t) {
  tsr_tensor m = {0};
  if (numbers_matrix(d->ctx, t, &m, NULL, 0) != TSR_OK) return failed(d);
  if (!asked_range(d, &m, &d->style.min, &d->style.max) || !begin(d)) return false;
  return tsr_plot_heat(d->ctx, d->plot, &m, &d->style) == TSR_OK || failed(d);
}

static bool draw_hist(drawing *d, const tsr_tensor *t) {
  if (!asked_range(d, t, &d->style.min, &d->style.max)) return false;
  if (d->axes.y_label == NULL) d->axes.y_label = "count";
  return begin(d) && (tsr_plot_hist(d->ctx, d->plot, t, &d->style) == TSR_OK || failed(d));
}

/* The rows of a matrix as its columns, which is what lines and bars are; one column stays one. */
static bool rows_of(const drawing *d, const tsr_tensor *t, tsr_tensor *out) {
  tsr_status st = numbers_matrix(d->ctx, t, out, NULL, 0);
  if (st == TSR_OK && out->shape[1] != 1) st = tsr_transpose(d->ctx, out, 0, 1, out);
  if (st != TSR_OK) return failed(d);
  if (out->shape[1] <= LINES) return true;
  return report("%lld lines are too many: take a slice of at most %d rows", (long long)out->shape[1], LINES), false;
}

static bool draw_line(drawing *d, const tsr_tensor *t) {
  tsr_tensor rows = {0};
  if (!rows_of(d, t, &rows) || !asked_range(d, &rows, &d->axes.y_min, &d->axes.y_max) || !begin(d)) return false;
  for (tsr_index i = 0; i < rows.shape[1]; i++) {
    char name[32];
    tsr_tensor one = {0};
    tsr_plot_style style = d->style;
    (void)snprintf(name, sizeof name, "row %lld", (long long)i);
    style.label = rows.shape[1] > 1 ? name : NULL;
    if (tsr_select(d->ctx, &rows, 1, i, &one) != TSR_OK) return failed(d);
    if (tsr_plot_line(d->ctx, d->plot, NULL, &one, &style) != TSR_OK) return failed(d);
  }
  return true;
}

static bool draw_bars(drawing *d, const tsr_tensor *t) {
  tsr_tensor rows = {0};
  if (!rows_of(d, t, &rows) || !asked_range(d, &rows, &d->axes.y_min, &d->axes.y_max) || !begin(d)) return false;
  for (tsr_index i = 0; i < rows.shape[1]; i++) {
    tsr_tensor one = {0};
    if (tsr_select(d->ctx, &rows, 1, i, &one) != TSR_OK) return failed(d);
    if (tsr_plot_bars(d->ctx, d->plot, NULL, &one, &d->style) != TSR_OK) return failed(d);
  }
  return true;
}

/* Columns of a matrix: x, y, and the colour where there is a third. */
static bool draw_scatter(drawing *d, const tsr_tensor *t) {
  tsr_tensor column[3] = {{0}};
  if (t->ndim != 2 || t->shape[1] < 2 || t->shape[1] > 3)
    return report(
               "--kind scatter: points are [N,2], or [N,3] with a colour; columns of tables are named by --x and --y"),
           false;
  for (tsr_index i = 0; i < t->shape[1]; i++)
    if (tsr_select(d->ctx, t, 1, i, &column[i]) != TSR_OK) return failed(d);
  const tsr_tensor *color = t->shape[1] == 3 ? &column[2] : NULL;
  if (color != NULL && !asked_range(d, color, &d->style.min, &d->style.max)) return false;
  if (!begin(d)) return false;
  return tsr_plot_scatter(d->ctx, d->plot, &column[0], &column[1], color, &d->style) == TSR_OK || failed(d);
}

/* The tensor with its pictures in the last two axes. */
static tsr_status pictures_last(tsr_ctx *ctx, const tsr_tensor *t, tsr_tensor *out) {
  switch (t->layout) {
    case TSR_NHWC: return tsr_to_layout_view(ctx, t, TSR_NCHW, out);
    case TSR_OHWI:
    case TSR_HWIO: return tsr_to_layout_view(ctx, t, TSR_OIHW, out);
    default: return tsr_view(ctx, t, out);
  }
}

static bool draw_grid(drawing *d, const tsr_tensor *t) {
  tsr_tensor all = {0};
  if (pictures_last(d->ctx, t, &all) != TSR_OK) return failed(d);
  if (all.ndim < 3) return draw_heat(d, t);
  const tsr_index count = tsr_size(&all) / all.shape[all.ndim - 1] / all.shape[all.ndim - 2];
  if (count > TILES)
    return report("%lld pictures are too many: take a slice of at most %d", (long long)count, TILES), false;
  if (!asked_range(d, &all, &d->style.min, &d->style.max) || !begin(d)) return false;
  return tsr_plot_heat(d->ctx, d->plot, &all, &d->style) == TSR_OK || failed(d);
}

static bool draw_image(drawing *d, const tsr_tensor *t) {
  double white;
  if (!image_is(d->ctx, t, &white))
    return report("--kind image: an image is [H,W,3] or [H,W,4] of u8, u16 or floats from 0 to 1"), false;
  return begin(d) && (tsr_plot_image(d->ctx, d->plot, t, &d->style) == TSR_OK || failed(d));
}

typedef struct kind {
  const char *name;
  bool (*draw)(drawing *d, const tsr_tensor *t);
} kind;

static const kind kinds[] = {{"heat", draw_heat},   {"hist", draw_hist},       {"line", draw_line}, {"grid", draw_grid},
                             {"image", draw_image}, {"scatter", draw_scatter}, {"bars", draw_bars}};

static const kind *find_kind(const char *name) {
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
    if (strcmp(kinds[i].name, name) == 0) return &kinds[i];
  report("--kind: '%s' is none of heat, hist, line, grid, image, scatter, bars", name);
  return NULL;
}

bool plot_is_kind(const char *name) { return find_kind(name) != NULL; }

/* By the shape: a vector is a line, a matrix a heat map, more are a grid of them; an image is one, unless a map of
 * colours was asked for. */
static const char *usual_kind(const drawing *d, const tsr_tensor *t) {
  double white;
  int axes = 0;
  if (!d->map_chosen && image_is(d->ctx, t, &white)) return "image";
  for (int i = 0; i < t->ndim; i++) axes += t->shape[i] > 1;
  return axes <= 1 ? "line" : t->ndim <= 2 ? "heat" : "grid";
}

bool plot_tensor(drawing *d, const tsr_tensor *t, const char *name) {
  const kind *k = find_kind(name != NULL ? name : usual_kind(d, t));
  return k != NULL && k->draw(d, t);
}

#endif
