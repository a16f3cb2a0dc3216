/* Plots: what is in them. */
#include "plot/scene.h"

#if TSR_HAVE_PLOT

#include <string.h>

#include <tessera/ops.h>
#include <tessera/view.h>

#include "core/table.h"

/* ---- texts ---- */

static void *keep(tsr_plot *plot, const void *from, size_t bytes) {
  tsr__plot_block *const block = tsr__plot_push(&plot->memory, &plot->texts, sizeof *block, 1);
  if (block == NULL) return NULL;
  const tsr_allocator *const a = plot->memory.allocator;
  block->data = a->alloc(a->self, bytes, TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
  if (block->data == NULL) {
    plot->texts.count--;
    plot->memory.failed = true;
    return NULL;
  }
  block->bytes = bytes;
  return memcpy(block->data, from, bytes);
}

/* Makes *text the plot's own: TSR_ELIMIT, TSR_ENOMEM. */
static tsr_status keep_text(tsr_ctx *ctx, const char *op, tsr_plot *plot, const char *arg, const char **text) {
  if (*text == NULL) return TSR_OK;
  size_t n = 0;
  while (n <= TSR_PLOT_TEXT && (*text)[n] != '\0') n++;
  if (n > TSR_PLOT_TEXT) return TSR__FAIL(ctx, TSR_ELIMIT, op, arg, "is longer than %d bytes", TSR_PLOT_TEXT);
  *text = keep(plot, *text, n + 1);
  return TSR_OK;
}

/* What every change ends with: no memory is a failure of this call alone. */
static tsr_status settle(tsr_ctx *ctx, const char *op, tsr_plot *plot) {
  if (!plot->memory.failed) return TSR_OK;
  plot->memory.failed = false;
  return TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory for it");
}

/* ---- a plot ---- */

static bool is_between(double value, double most) { return value >= 0 && value <= most; } /* NaN is not */

static tsr_status check_options(tsr_ctx *ctx, const char *op, const tsr_plot_options *o) {
  const tsr_status st = tsr__check_reserved(ctx, op, TSR__ROOM(o));
  if (st != TSR_OK) return st;
  if (!is_between(o->width, 1e5) || !is_between(o->height, 1e5))
    return TSR__FAIL(ctx, TSR_EARG, op, "options", "width and height are 0 to 100000 points");
  if (!is_between(o->scale, 100)) return TSR__FAIL(ctx, TSR_EARG, op, "options", "scale is 0 to 100");
  if (!is_between(o->text_size, 1000)) return TSR__FAIL(ctx, TSR_EARG, op, "options", "text_size is 0 to 1000");
  if (o->columns < 0 || o->theme < TSR_PLOT_LIGHT || o->theme > TSR_PLOT_DARK)
    return TSR__FAIL(ctx, TSR_EARG, op, "options", "columns %d, theme %d", o->columns, o->theme);
  return TSR_OK;
}

tsr_status tsr_plot_new(tsr_ctx *ctx, const tsr_plot_options *options, tsr_plot **plot) {
  static const char op[] = "plot_new";
  const tsr_plot_options o = options != NULL ? *options : (tsr_plot_options){0};
  const tsr_allocator *const a = tsr__allocator(ctx);
  tsr_status st = check_options(ctx, op, &o);
  if (st != TSR_OK) return st;
  if (plot == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "plot", "is NULL");
  tsr_plot *const p = a->alloc(a->self, sizeof *p, TSR_DATA_ALIGN, TSR_HINT_DEFAULT);
  if (p == NULL) return TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory for a plot");
  *p = (tsr_plot){.memory.allocator = a, .options = o};
  st = keep_text(ctx, op, p, "options", &p->options.title);
  if (st == TSR_OK) st = settle(ctx, op, p);
  if (st != TSR_OK)
    tsr_plot_release(p);
  else
    *plot = p;
  return st;
}

void tsr_plot_release(tsr_plot *plot) {
  if (plot == NULL) return;
  const tsr_allocator *const a = plot->memory.allocator;
  tsr__plot_series *const series = plot->series.data;
  const tsr__plot_block *const blocks = plot->texts.data;
  for (size_t i = 0; i < plot->series.count; i++) {
    tsr_release(&series[i].x);
    tsr_release(&series[i].y);
    tsr_release(&series[i].color);
  }
  for (size_t i = 0; i < plot->texts.count; i++) a->free(a->self, blocks[i].data, blocks[i].bytes);
  tsr__plot_array_release(&plot->memory, &plot->texts, sizeof(tsr__plot_block));
  tsr__plot_array_release(&plot->memory, &plot->series, sizeof(tsr__plot_series));
  tsr__plot_array_release(&plot->memory, &plot->panels, sizeof(tsr__plot_panel));
  a->free(a->self, plot, sizeof *plot);
}

/* ---- panels ---- */

/* Both 0: by the data. */
static bool is_range(double min, double max) {
  return (min == 0 && max == 0) || (min < max && max - min <= 1.7e308 && min >= -1.7e308);
}

static tsr_status check_axes(tsr_ctx *ctx, const char *op, const tsr_plot_axes *axes) {
  const tsr_status st = tsr__check_reserved(ctx, op, TSR__ROOM(axes));
  if (st != TSR_OK) return st;
  if (!is_range(axes->x_min, axes->x_max) || !is_range(axes->y_min, axes->y_max))
    return TSR__FAIL(ctx, TSR_EARG, op, "axes", "a range goes from the smaller to the larger number, or is 0 to 0");
  if ((axes->x_log && axes->x_min < axes->x_max && axes->x_min <= 0) ||
      (axes->y_log && axes->y_min < axes->y_max && axes->y_min <= 0))
    return TSR__FAIL(ctx, TSR_EARG, op, "axes", "a logarithmic axis begins above 0");
  if (axes->x_time < TSR_UNIT_NONE || axes->x_time > TSR_UNIT_NANOSECOND)
    return TSR__FAIL(ctx, TSR_EARG, op, "axes", "x_time %d is no unit of time", axes->x_time);
  if (axes->x_log && axes->x_time != TSR_UNIT_NONE)
    return TSR__FAIL(ctx, TSR_EARG, op, "axes", "an axis of times is not logarithmic");
  if (axes->legend < TSR_PLOT_LEGEND_AUTO || axes->legend > TSR_PLOT_LEGEND_BOTTOM_RIGHT)
    return TSR__FAIL(ctx, TSR_EARG, op, "axes", "legend %d is no place", axes->legend);
  if (axes->names < 0 || (axes->names > 0 && axes->x_names == NULL))
    return TSR__FAIL(ctx, TSR_EARG, op, "axes", "there are no %d names", axes->names);
  return TSR_OK;
}

static tsr_status keep_names(tsr_ctx *ctx, const char *op, tsr_plot *plot, tsr_plot_axes *axes) {
  if (axes->names == 0) axes->x_names = NULL;
  if (axes->names > TSR_PLOT_SERIES)
    return TSR__FAIL(ctx, TSR_ELIMIT, op, "axes", "%d names are more than %d", axes->names, TSR_PLOT_SERIES);
  if (axes->names == 0) return TSR_OK;
  const char **const names = keep(plot, axes->x_names, (size_t)axes->names * sizeof *names);
  tsr_status st = TSR_OK;
  for (int i = 0; i < axes->names && names != NULL && st == TSR_OK; i++)
    st = keep_text(ctx, op, plot, "axes", &names[i]);
  axes->x_names = names;
  return st;
}

static tsr_status add_panel(tsr_ctx *ctx, const char *op, tsr_plot *plot, const tsr_plot_axes *axes) {
  if (plot->panels.count == TSR_PLOT_PANELS)
    return TSR__FAIL(ctx, TSR_ELIMIT, op, NULL, "a picture has %d panels at the most", TSR_PLOT_PANELS);
  tsr__plot_panel panel = {.axes = axes != NULL ? *axes : (tsr_plot_axes){0}, .first = plot->series.count};
  tsr_plot_axes *const a = &panel.axes;
  const char **const texts[] = {&a->title, &a->x_label, &a->y_label, &a->color_label};
  tsr_status st = check_axes(ctx, op, a);
  for (int i = 0; i < 4 && st == TSR_OK; i++) st = keep_text(ctx, op, plot, "axes", texts[i]);
  if (st == TSR_OK) st = keep_names(ctx, op, plot, a);
  tsr__plot_panel *const to = st == TSR_OK ? tsr__plot_push(&plot->memory, &plot->panels, sizeof *to, 1) : NULL;
  if (to != NULL) *to = panel;
  const tsr_status room = settle(ctx, op, plot);
  return st != TSR_OK ? st : room;
}

tsr_status tsr_plot_panel(tsr_ctx *ctx, tsr_plot *plot, const tsr_plot_axes *axes) {
  static const char op[] = "plot_panel";
  if (plot == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "plot", "is NULL");
  return add_panel(ctx, op, plot, axes);
}

/* ---- series ---- */

static tsr_status check_style(tsr_ctx *ctx, const char *op, const tsr_plot_style *s) {
  const tsr_status st = tsr__check_reserved(ctx, op, TSR__ROOM(s));
  if (st != TSR_OK) return st;
  if (!is_between(s->width, 1000) || !is_between(s->size, 1000))
    return TSR__FAIL(ctx, TSR_EARG, op, "style", "width and size are 0 to 1000 points");
  if (s->marker < TSR_PLOT_NO_MARKER || s->marker > TSR_PLOT_CROSS || s->dash < TSR_PLOT_SOLID ||
      s->dash > TSR_PLOT_DOTTED || s->map < TSR_PLOT_MAP_AUTO || s->map > TSR_PLOT_PHASE)
    return TSR__FAIL(ctx, TSR_EARG, op, "style", "marker %d, dash %d or map %d is none", s->marker, s->dash, s->map);
  if (!is_range(s->min, s->max)) return TSR__FAIL(ctx, TSR_EARG, op, "style", "min is not below max");
  if (s->bins < 0 || s->bins > 10000) return TSR__FAIL(ctx, TSR_EARG, op, "style", "%d bins", s->bins);
  return TSR_OK;
}

static tsr_status check_tensor(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t, int least,
                               int most) {
  const tsr_status st = tsr__check_input(ctx, op, arg, t);
  if (st != TSR_OK) return st;
  if (tsr_dtype_describe(t->dtype)->class_ == TSR_CLASS_COMPLEX)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, arg, "is %t: complex numbers have no place on an axis", t);
  if (t->ndim < least || t->ndim > most)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, arg, "is %t: its rank is not %d to %d", t, least, most);
  return TSR_OK;
}

/* A handle of the plot's own: a count more, or a copy. */
static tsr_status hold(tsr_ctx *ctx, const tsr_tensor *t, tsr_tensor *to) {
  if (t == NULL) return TSR_OK;
  return t->storage != NULL ? tsr_share(ctx, t, to) : tsr_clone(ctx, t, to);
}

static tsr_status add_series(tsr_ctx *ctx, const char *op, tsr_plot *plot, const tsr__plot_series *what) {
  tsr_status st = plot->panels.count == 0 ? add_panel(ctx, op, plot, NULL) : TSR_OK;
  if (st != TSR_OK) return st;
  tsr__plot_panel *const panel = (tsr__plot_panel *)plot->panels.data + (plot->panels.count - 1);
  tsr__plot_series new = {.kind = what->kind, .style = what->style};
  if (panel->count == TSR_PLOT_SERIES)
    return TSR__FAIL(ctx, TSR_ELIMIT, op, NULL, "a panel shows %d things at the most", TSR_PLOT_SERIES);
  st = keep_text(ctx, op, plot, "style", &new.style.label);
  if (st == TSR_OK && what->x.dtype != TSR_NONE) st = hold(ctx, &what->x, &new.x);
  if (st == TSR_OK) st = hold(ctx, &what->y, &new.y);
  if (st == TSR_OK && what->color.dtype != TSR_NONE) st = hold(ctx, &what->color, &new.color);
  if (st != TSR_OK) st = tsr__fail_as(ctx, st, op);
  tsr__plot_series *const to = st == TSR_OK ? tsr__plot_push(&plot->memory, &plot->series, sizeof *to, 1) : NULL;
  if (st == TSR_OK) st = settle(ctx, op, plot);
  plot->memory.failed = false;
  if (st != TSR_OK) {
    tsr_release(&new.x);
    tsr_release(&new.y);
    tsr_release(&new.color);
    return st;
  }
  *to = new;
  panel->count++;
  return TSR_OK;
}

/* Vectors of one length, x and color may be NULL. */
static tsr_status add_xy(tsr_ctx *ctx, const char *op, tsr_plot *plot, const tsr_tensor *x, const tsr_tensor *color,
                         tsr__plot_series *s) {
  tsr_status st = x != NULL ? check_tensor(ctx, op, "x", x, 1, 1) : TSR_OK;
  if (st == TSR_OK && color != NULL) st = check_tensor(ctx, op, "color", color, 1, 1);
  if (st != TSR_OK) return st;
  if (x != NULL && x->shape[0] != s->y.shape[0])
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "x", "is %t, y is %t: they are not as long", x, &s->y);
  if (color != NULL && color->shape[0] != s->y.shape[0])
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "color", "is %t, y is %t: they are not as long", color, &s->y);
  if (x != NULL) s->x = *x;
  if (color != NULL) s->color = *color;
  return add_series(ctx, op, plot, s);
}

/* What all of them begin with. */
static tsr_status begin(tsr_ctx *ctx, const char *op, const tsr_plot *plot, const char *arg, const tsr_tensor *y,
                        int least, int most, const tsr_plot_style *style, tsr__plot_series *s) {
  if (plot == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "plot", "is NULL");
  if (style != NULL) s->style = *style;
  tsr_status st = check_style(ctx, op, &s->style);
  if (st == TSR_OK) st = check_tensor(ctx, op, arg, y, least, most);
  if (st == TSR_OK) s->y = *y;
  return st;
}

tsr_status tsr_plot_line(tsr_ctx *ctx, tsr_plot *plot, const tsr_tensor *x, const tsr_tensor *y,
                         const tsr_plot_style *style) {
  static const char op[] = "plot_line";
  tsr__plot_series s = {.kind = TSR__SERIES_LINE};
  tsr_status st = begin(ctx, op, plot, "y", y, 1, 2, style, &s);
  if (st != TSR_OK || y->ndim == 1) return st == TSR_OK ? add_xy(ctx, op, plot, x, NULL, &s) : st;
  if (y->shape[1] > TSR_PLOT_SERIES)
    return TSR__FAIL(ctx, TSR_ELIMIT, op, "y", "is %t: more than %d lines", y, TSR_PLOT_SERIES);
  const size_t before = plot->series.count;
  for (tsr_index i = 0; i < y->shape[1] && st == TSR_OK; i++) {
    tsr__plot_series one = s;
    st = tsr_select(ctx, y, 1, i, &one.y);
    if (st == TSR_OK) st = add_xy(ctx, op, plot, x, NULL, &one);
  }
  while (st != TSR_OK && plot->series.count > before) { /* all of them or none */
    tsr__plot_series *const last = (tsr__plot_series *)plot->series.data + --plot->series.count;
    tsr_release(&last->x);
    tsr_release(&last->y);
    ((tsr__plot_panel *)plot->panels.data)[plot->panels.count - 1].count--;
  }
  return st;
}

tsr_status tsr_plot_scatter(tsr_ctx *ctx, tsr_plot *plot, const tsr_tensor *x, const tsr_tensor *y,
                            const tsr_tensor *color, const tsr_plot_style *style) {
  static const char op[] = "plot_scatter";
  tsr__plot_series s = {.kind = TSR__SERIES_SCATTER};
  const tsr_status st = begin(ctx, op, plot, "y", y, 1, 1, style, &s);
  return st == TSR_OK ? add_xy(ctx, op, plot, x, color, &s) : st;
}

tsr_status tsr_plot_bars(tsr_ctx *ctx, tsr_plot *plot, const tsr_tensor *x, const tsr_tensor *y,
                         const tsr_plot_style *style) {
  static const char op[] = "plot_bars";
  tsr__plot_series s = {.kind = TSR__SERIES_BARS};
  const tsr_status st = begin(ctx, op, plot, "y", y, 1, 1, style, &s);
  return st == TSR_OK ? add_xy(ctx, op, plot, x, NULL, &s) : st;
}

tsr_status tsr_plot_hist(tsr_ctx *ctx, tsr_plot *plot, const tsr_tensor *values, const tsr_plot_style *style) {
  static const char op[] = "plot_hist";
  tsr__plot_series s = {.kind = TSR__SERIES_HIST};
  const tsr_status st = begin(ctx, op, plot, "values", values, 0, TSR_MAX_DIMS, style, &s);
  return st == TSR_OK ? add_series(ctx, op, plot, &s) : st;
}

tsr_status tsr_plot_heat(tsr_ctx *ctx, tsr_plot *plot, const tsr_tensor *values, const tsr_plot_style *style) {
  static const char op[] = "plot_heat";
  enum { TILES = 4096 };
  tsr__plot_series s = {.kind = TSR__SERIES_HEAT};
  const tsr_status st = begin(ctx, op, plot, "values", values, 2, TSR_MAX_DIMS, style, &s);
  if (st != TSR_OK) return st;
  tsr_index tiles = 1;
  for (int i = 0; i < values->ndim - 2; i++) {
    tiles = values->shape[i] > TILES ? TILES + 1 : tiles * values->shape[i];
    if (tiles > TILES) return TSR__FAIL(ctx, TSR_ELIMIT, op, "values", "is %t: more than %d matrices", values, TILES);
  }
  return add_series(ctx, op, plot, &s);
}

tsr_status tsr_plot_image(tsr_ctx *ctx, tsr_plot *plot, const tsr_tensor *image, const tsr_plot_style *style) {
  static const char op[] = "plot_image";
  tsr__plot_series s = {.kind = TSR__SERIES_IMAGE};
  const tsr_status st = begin(ctx, op, plot, "image", image, 2, 3, style, &s);
  if (st != TSR_OK) return st;
  if (image->ndim == 3 && image->shape[2] != 3 && image->shape[2] != 4)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "image", "is %t: an image is [H,W], [H,W,3] or [H,W,4]", image);
  const int class_ = tsr_dtype_describe(image->dtype)->class_;
  if (image->dtype != TSR_U8 && image->dtype != TSR_U16 && class_ != TSR_CLASS_FLOAT)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "image", "is %t: an image is u8, u16 or floats from 0 to 1", image);
  return add_series(ctx, op, plot, &s);
}

#endif
