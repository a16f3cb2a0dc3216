/* A panel: what its axes go over, what is around it, and its drawing. */
#include "plot/scene.h"

#if TSR_HAVE_PLOT

#include <math.h>
#include <string.h>

#include "core/text.h"
#include "plot/font.h"

/* ---- what is seen ---- */

void tsr__frame_note(tsr__plot_frame *f, const char *text) {
  if (f->notes == (int)(sizeof f->note / sizeof f->note[0])) return;
  tsr__text note;
  tsr__text_init(&note, f->note[f->notes], sizeof f->note[0]);
  tsr__text_string(&note, text);
  f->notes++;
}

static void note_count(tsr__plot_frame *f, int64_t count, const char *one, const char *many) {
  char number[TSR__PLOT_LABEL], line[160];
  tsr__text text;
  if (count == 0) return;
  tsr__count_text(count, number);
  tsr__text_init(&text, line, sizeof line);
  tsr__text_format(&text, "%s %s", number, count == 1 ? one : many);
  tsr__frame_note(f, line);
}

static tsr_status see(tsr__plot_draw *d, tsr__plot_frame *f, size_t i) {
  const double none = (double)NAN;
  tsr__plot_seen *const seen = &f->seen[i];
  seen->x = seen->y = seen->color = (tsr__plot_range){none, none};
  switch (f->series[i].kind) {
    case TSR__SERIES_HIST: return tsr__hist_see(d, f, i);
    case TSR__SERIES_HEAT:
    case TSR__SERIES_IMAGE: return tsr__cells_see(d, f, i);
    default: return tsr__xy_see(d, f, i);
  }
}

static void join(tsr__plot_range *range, tsr__plot_range with) {
  if (isnan(with.min)) return;
  tsr__range_add(range, with.min);
  tsr__range_add(range, with.max);
}

/* Bars stand beside each other; all of them are as wide as the closest neighbours allow. */
static void place_bars(tsr__plot_frame *f) {
  int bars = 0;
  double width = (double)INFINITY;
  for (size_t i = 0; i < f->panel->count; i++)
    if (f->series[i].kind == TSR__SERIES_BARS) {
      f->seen[i].bar = bars++;
      width = fmin(width, f->seen[i].bar_width);
    }
  for (size_t i = 0; i < f->panel->count; i++) {
    tsr__plot_seen *const seen = &f->seen[i];
    if (f->series[i].kind != TSR__SERIES_BARS) continue;
    seen->bars = bars;
    seen->bar_width = width;
    if (isnan(seen->x.min)) continue;
    if (!f->panel->axes.x_log) seen->x = (tsr__plot_range){seen->x.min - 0.6 * width, seen->x.max + 0.6 * width};
    if (!f->panel->axes.y_log) tsr__range_add(&seen->y, 0);
  }
}

/* More room: a part of the range at each end. */
static tsr__plot_range widened(tsr__plot_range r, bool log, double low, double high) {
  if (isnan(r.min)) return log ? (tsr__plot_range){1, 10} : (tsr__plot_range){0, 1};
  if (log) {
    const double a = log10(r.min), b = log10(r.max), air = b > a ? b - a : 1;
    return (tsr__plot_range){fmax(pow(10, a - air * fmax(low, b > a ? 0 : 0.3)), 1e-307),
                             fmin(pow(10, b + air * fmax(high, b > a ? 0 : 0.3)), 1e307)};
  }
  const double span = r.max / 2 - r.min / 2, most = 1.7e308;
  if (!(span > 0) || span < fmax(fabs(r.min), fabs(r.max)) * 1e-14) {
    const double air = fmax(fabs(r.min) * 0.1, r.min == 0 ? 1 : 0);
    return (tsr__plot_range){fmax(r.min - air, -most), fmin(r.max + air, most)};
  }
  return (tsr__plot_range){fmax(r.min - 2 * span * low, -most), fmin(r.max + 2 * span * high, most)};
}

static bool has_kind(const tsr__plot_frame *f, int kind) {
  for (size_t i = 0; i < f->panel->count; i++)
    if (f->series[i].kind == kind) return true;
  return false;
}

static void choose_scales(tsr__plot_frame *f, tsr__plot_range x, tsr__plot_range y) {
  const tsr_plot_axes *const a = &f->panel->axes;
  const bool x_log = a->x_log && !f->cells, y_log = a->y_log && !f->cells; /* cells are counted */
  const bool hist = has_kind(f, TSR__SERIES_HIST), bars = has_kind(f, TSR__SERIES_BARS);
  const bool points = has_kind(f, TSR__SERIES_SCATTER);
  const double across = f->cells ? 0 : points ? 0.04 : hist ? 0.015 : bars ? 0 : 0.01;
  const double up = f->cells ? 0 : 0.06;
  const bool foot = (hist || bars) && !y_log;
  x = widened(x, x_log, across, across);
  y = widened(y, y_log, f->cells || (foot && y.min >= 0) ? 0 : up, foot && y.max <= 0 ? 0 : up);
  if (a->x_min < a->x_max) x = (tsr__plot_range){a->x_min, a->x_max};
  if (a->y_min < a->y_max) y = (tsr__plot_range){a->y_min, a->y_max};
  bool whole = f->panel->count > 0;
  for (size_t i = 0; i < f->panel->count; i++) whole = whole && f->seen[i].whole;
  f->xs = (tsr__plot_scale){.min = x.min, .max = x.max, .log = x_log, .time = a->x_time};
  f->xs.whole = f->cells || (whole && x.max - x.min >= 1);
  f->ys = (tsr__plot_scale){.min = y.min, .max = y.max, .log = y_log, .whole = f->cells, .inverted = f->cells};
  f->ys.whole = f->cells || (hist && y.max - y.min < 1e15);
}

/* Signed numbers are shown around 0 unless nearly all of the range is on one side of it. */
static bool is_signed(tsr__plot_range r) {
  return r.min < 0 && r.max > 0 && fmin(-r.min, r.max) > 0.1 * fmax(-r.min, r.max);
}

static void choose_colors(tsr__plot_draw *d, tsr__plot_frame *f, tsr__plot_range colors) {
  const bool heat = has_kind(f, TSR__SERIES_HEAT), dark = d->plot->options.theme == TSR_PLOT_DARK;
  const tsr_plot_style *style = NULL;
  for (size_t i = 0; i < f->panel->count && style == NULL; i++)
    if (f->series[i].kind == TSR__SERIES_HEAT || f->series[i].color.dtype != TSR_NONE) style = &f->series[i].style;
  f->bar = style != NULL;
  f->map = style != NULL && style->map != TSR_PLOT_MAP_AUTO ? style->map : TSR_PLOT_DUSK;
  if (style != NULL && style->map == TSR_PLOT_MAP_AUTO && heat && is_signed(colors)) f->map = TSR_PLOT_DIVERGING;
  tsr__shades_of(f->map, d->plot->options.theme, &f->shades);
  if (style == NULL) return;
  if (!heat && f->map != TSR_PLOT_DIVERGING && f->map != TSR_PLOT_PHASE) /* points are to be seen on the paper */
    tsr__shades_cut(&f->shades, dark ? 0.27 : 0, dark ? 1 : 0.87);
  if (isnan(colors.min)) colors = (tsr__plot_range){0, 1};
  if (f->map == TSR_PLOT_DIVERGING && !(style->min < style->max)) {
    const double most = fmax(fabs(colors.min), fabs(colors.max));
    colors = (tsr__plot_range){-most, most};
  }
  if (style->min < style->max) colors = (tsr__plot_range){style->min, style->max};
  if (!(colors.min < colors.max)) colors = widened(colors, false, 0, 0);
  f->cs = (tsr__plot_scale){.min = colors.min, .max = colors.max};
}

static void choose_paints(const tsr__plot_draw *d, tsr__plot_frame *f) {
  int next = 0;
  for (size_t i = 0; i < f->panel->count; i++) {
    const uint32_t own = f->series[i].style.color;
    f->seen[i].paint = own;
    if (own == 0 && f->series[i].kind < TSR__SERIES_HEAT) f->seen[i].paint = d->theme->cycle[next++ % 8];
  }
}

static void tell(tsr__plot_frame *f) {
  int64_t left_out = 0, nothing = 0, shown = 0;
  for (size_t i = 0; i < f->panel->count; i++) {
    left_out += f->seen[i].left_out;
    shown += f->seen[i].drawn;
    if (f->series[i].kind != TSR__SERIES_LINE && f->series[i].kind < TSR__SERIES_HEAT)
      nothing += f->seen[i].count - f->seen[i].drawn - f->seen[i].left_out;
  }
  if (shown == 0 && !f->cells) tsr__frame_note(f, left_out > 0 ? "nothing here is positive" : "no numbers");
  note_count(f, left_out, "number is not positive: not drawn", "numbers are not positive: not drawn");
  note_count(f, nothing, "is not finite: not drawn", "are not finite: not drawn");
  const bool pink = f->map == TSR_PLOT_GRAY;
  note_count(f, f->missing, pink ? "NaN, in pink" : "NaN, in grey", pink ? "NaN, in pink" : "NaN, in grey");
  note_count(f, f->infinite, pink ? "infinite, in pink" : "infinite, in grey",
             pink ? "infinite, in pink" : "infinite, in grey");
}

tsr_status tsr__frame_see(tsr__plot_draw *d, tsr__plot_frame *f) {
  const double none = (double)NAN;
  tsr__plot_range x = {none, none}, y = {none, none}, colors = {none, none};
  tsr_status st = TSR_OK;
  for (size_t i = 0; i < f->panel->count && st == TSR_OK; i++) st = see(d, f, i);
  if (st != TSR_OK) return st;
  place_bars(f);
  for (size_t i = 0; i < f->panel->count; i++) {
    join(&x, f->seen[i].x);
    join(&y, f->seen[i].y);
    join(&colors, f->seen[i].color);
    if (f->cells && f->seen[i].rows > 0 && f->aspect == 0)
      f->aspect = (double)f->seen[i].columns / (double)f->seen[i].rows;
  }
  if (f->bare && f->panel->count > 0) {
    const tsr__plot_seen *const s = &f->seen[0];
    const double across = s->across > 0 ? s->across : 1, down = ceil((double)s->tiles / across);
    f->aspect *= across / fmax(down, 1);
  }
  choose_scales(f, x, y);
  choose_colors(d, f, colors);
  choose_paints(d, f);
  tell(f);
  return TSR_OK;
}

/* ---- what is around ---- */

static bool is_there(const char *text) { return text != NULL && text[0] != '\0'; }

/* Names of bars in place of numbers: level where they fit, else aslant; some, where they are many. */
static void name_ticks(const tsr__plot_draw *d, tsr__plot_frame *f, double width) {
  const tsr_plot_axes *const a = &f->panel->axes;
  const double slot = width / (f->xs.max - f->xs.min);
  const double least = 1.3 * d->size;
  int every = slot > 0 && slot < least ? (int)fmin(ceil(least / slot), 1e6) : 1;
  while (a->names / every >= TSR__PLOT_TICKS) every++;
  double widest = 0;
  f->xt.count = f->xt.minors = 0;
  f->xt.two_lines = false;
  for (int i = 0; i < a->names; i += every) {
    if (i < f->xs.min || i > f->xs.max) continue;
    tsr__plot_tick *const t = &f->xt.tick[f->xt.count++];
    tsr__text text;
    t->at = i;
    t->below[0] = '\0';
    tsr__text_init(&text, t->label, sizeof t->label);
    tsr__text_string(&text, a->x_names[i] != NULL ? a->x_names[i] : "");
    widest = fmax(widest, tsr__font_width(t->label, d->size, false));
  }
  f->names_angle = widest + 0.6 * d->size > slot * every ? 40 : 0;
}

static double height_of_labels(const tsr__plot_draw *d, const tsr__plot_frame *f) {
  if (f->names_angle == 0) return d->size * (f->xt.two_lines ? 2.9 : 1.55);
  return 0.6 * tsr__ticks_widest(&f->xt, d->size) * 1.1 + 1.3 * d->size;
}

enum { TICK = 4, NEAR = 4, BAR_GAP = 14, BAR_WIDTH = 13, EDGE = 12 };

void tsr__frame_measure(const tsr__plot_draw *d, tsr__plot_frame *f, double width, double height) {
  const tsr_plot_axes *const a = &f->panel->axes;
  const double size = d->size;
  width = fmax(width, 1);
  height = fmax(height, 1);
  f->names_angle = 0;
  if (a->names > 0 && !f->cells)
    name_ticks(d, f, width);
  else
    tsr__ticks_choose(&f->xs, &(tsr__plot_room){width, size, false}, &f->xt);
  tsr__ticks_choose(&f->ys, &(tsr__plot_room){height, size, true}, &f->yt);
  if (f->bar) tsr__ticks_choose(&f->cs, &(tsr__plot_room){height, size, true}, &f->ct);
  f->left = f->right = EDGE;
  f->top = is_there(a->title) ? 2.1 * size + EDGE / 2.0 : EDGE;
  f->bottom = EDGE;
  if (!f->bare) {
    f->left += tsr__ticks_widest(&f->yt, size) + TICK + NEAR;
    f->bottom += height_of_labels(d, f) + TICK - 2;
    if (f->xt.count > 0 && f->names_angle == 0) { /* labels at the ends hang over */
      const tsr__plot_tick *const last = &f->xt.tick[f->xt.count - 1], *const first = &f->xt.tick[0];
      const double over =
          fmax(tsr__font_width(last->label, size, false), tsr__font_width(last->below, size, false)) / 2 -
          (1 - tsr__scale_place(&f->xs, last->at)) * width;
      const double under =
          fmax(tsr__font_width(first->label, size, false), tsr__font_width(first->below, size, false)) / 2 -
          tsr__scale_place(&f->xs, first->at) * width;
      f->right = fmax(f->right, over + 4);
      f->left = fmax(f->left, under + 4);
    }
    if (f->names_angle != 0)
      f->left = fmax(f->left, 0.77 * tsr__font_width(f->xt.count > 0 ? f->xt.tick[0].label : "", size, false));
  }
  if (is_there(a->y_label)) f->left += 1.7 * size;
  if (is_there(a->x_label)) f->bottom += 1.6 * size;
  f->bottom += f->notes * 1.35 * size;
  if (f->bar) {
    f->right = EDGE + BAR_GAP + BAR_WIDTH + TICK + NEAR + tsr__ticks_widest(&f->ct, size);
    if (is_there(a->color_label)) f->right += 1.8 * size;
  }
  tsr__legend_measure(d, f);
  if (f->legend == TSR_PLOT_LEGEND_RIGHT) f->right += f->legend_width + BAR_GAP - EDGE / 2.0;
}

/* ---- drawing ---- */

static void put_label(tsr__plot_draw *d, const char *text, double x, double y, double anchor, double angle,
                      uint32_t color) {
  tsr__list_text(&d->list,
                 &(tsr__plot_label){
                     .text = text, .x = x, .y = y, .size = d->size, .anchor = anchor, .angle = angle, .color = color});
}

/* How far below its middle the line of a text is. */
static double middle(const tsr__plot_draw *d) { return d->size * TSR__FONT_CAPITAL / 2; }

static void draw_grid(tsr__plot_draw *d, const tsr__plot_frame *f) {
  const uint32_t grid = d->theme->grid;
  if (f->cells) return;
  for (int i = 0; i < f->xt.count && f->names_angle == 0 && f->panel->axes.names == 0; i++) {
    const double x = tsr__frame_x(f, f->xt.tick[i].at);
    tsr__list_line(&d->list, x, f->y, x, f->y + f->height, 1, grid);
  }
  for (int i = 0; i < f->yt.count; i++) {
    const double y = tsr__frame_y(f, f->yt.tick[i].at);
    tsr__list_line(&d->list, f->x, y, f->x + f->width, y, 1, grid);
  }
  const double zero = f->ys.log ? (double)NAN : tsr__frame_y(f, 0);
  if (zero > f->y + 1 && zero < f->y + f->height - 1 && (has_kind(f, TSR__SERIES_BARS) || f->ys.min < 0))
    tsr__list_line(&d->list, f->x, zero, f->x + f->width, zero, 1,
                   tsr__color_between(d->theme->axis, d->theme->grid, 0.4));
}

static void draw_x_axis(tsr__plot_draw *d, const tsr__plot_frame *f) {
  const double foot = f->y + f->height, size = d->size;
  for (int i = 0; i < f->xt.minors; i++) {
    const double x = tsr__frame_x(f, f->xt.minor[i]);
    tsr__list_line(&d->list, x, foot, x, foot + TICK / 2.0, 1, d->theme->axis);
  }
  for (int i = 0; i < f->xt.count; i++) {
    const tsr__plot_tick *const t = &f->xt.tick[i];
    const double x = tsr__frame_x(f, t->at), y = foot + TICK + NEAR - 1 + size * TSR__FONT_CAPITAL;
    tsr__list_line(&d->list, x, foot, x, foot + TICK, 1, d->theme->axis);
    if (f->names_angle == 0)
      put_label(d, t->label, x, y, 0.5, 0, d->theme->label);
    else
      put_label(d, t->label, x + 0.35 * size, y - 0.1 * size, 1, f->names_angle, d->theme->label);
    put_label(d, t->below, x, y + 1.35 * size, 0.5, 0, d->theme->label);
  }
}

static void draw_y_axis(tsr__plot_draw *d, const tsr__plot_frame *f) {
  for (int i = 0; i < f->yt.minors; i++) {
    const double y = tsr__frame_y(f, f->yt.minor[i]);
    tsr__list_line(&d->list, f->x - TICK / 2.0, y, f->x, y, 1, d->theme->axis);
  }
  for (int i = 0; i < f->yt.count; i++) {
    const double y = tsr__frame_y(f, f->yt.tick[i].at);
    tsr__list_line(&d->list, f->x - TICK, y, f->x, y, 1, d->theme->axis);
    put_label(d, f->yt.tick[i].label, f->x - TICK - NEAR, y + middle(d), 1, 0, d->theme->label);
  }
}

static void draw_titles(tsr__plot_draw *d, const tsr__plot_frame *f) {
  const tsr_plot_axes *const a = &f->panel->axes;
  const double size = d->size;
  double below = f->y + f->height + (f->bare ? 0 : height_of_labels(d, f) + TICK - 2);
  const tsr__plot_label title = {
      .text = a->title, .x = f->x, .y = f->y - 0.85 * size, .size = 1.1 * size, .bold = true, .color = d->theme->ink};
  if (is_there(a->title)) tsr__list_text_within(&d->list, &title, f->width + f->right - 6);
  if (is_there(a->x_label)) {
    const tsr__plot_label label = {.text = a->x_label,
                                   .x = f->x + f->width / 2,
                                   .y = below + 1.1 * size,
                                   .size = size,
                                   .anchor = 0.5,
                                   .color = d->theme->ink};
    tsr__list_text_within(&d->list, &label, f->width + 2 * fmin(f->left, f->right) - 8);
    below += 1.6 * size;
  }
  if (is_there(a->y_label)) {
    const double x = f->x - (f->bare ? 0 : tsr__ticks_widest(&f->yt, size) + TICK + NEAR) - 0.75 * size;
    const tsr__plot_label label = {.text = a->y_label,
                                   .x = x,
                                   .y = f->y + f->height / 2,
                                   .size = size,
                                   .anchor = 0.5,
                                   .angle = 90,
                                   .color = d->theme->ink};
    tsr__list_text_within(&d->list, &label, f->height + 2 * fmin(f->top, f->bottom) - 8);
  }
  for (int i = 0; i < f->notes; i++, below += 1.35 * size) {
    const tsr__plot_label note = {
        .text = f->note[i], .x = f->x, .y = below + 1.05 * size, .size = 0.88 * size, .color = d->theme->label};
    tsr__list_text_within(&d->list, &note, f->width + f->right - 6);
  }
}

static void draw_bar(tsr__plot_draw *d, const tsr__plot_frame *f) {
  const double x = f->x + f->width + BAR_GAP;
  uint32_t *const shades = tsr__list_cells(&d->list, x, f->y, BAR_WIDTH, f->height, 1, TSR__PLOT_SHADES, 0);
  for (int i = 0; i < TSR__PLOT_SHADES && shades != NULL; i++) shades[i] = f->shades.shade[TSR__PLOT_SHADES - 1 - i];
  tsr__list_frame(&d->list, x, f->y, BAR_WIDTH, f->height, 1, d->theme->axis);
  for (int i = 0; i < f->ct.count; i++) {
    const double y = f->y + (1 - tsr__scale_place(&f->cs, f->ct.tick[i].at)) * f->height;
    tsr__list_line(&d->list, x + BAR_WIDTH, y, x + BAR_WIDTH + TICK, y, 1, d->theme->axis);
    put_label(d, f->ct.tick[i].label, x + BAR_WIDTH + TICK + NEAR, y + middle(d), 0, 0, d->theme->label);
  }
  if (is_there(f->panel->axes.color_label)) {
    const double label = x + BAR_WIDTH + TICK + NEAR + tsr__ticks_widest(&f->ct, d->size) + 1.4 * d->size;
    const tsr__plot_label text = {.text = f->panel->axes.color_label,
                                  .x = label,
                                  .y = f->y + f->height / 2,
                                  .size = d->size,
                                  .anchor = 0.5,
                                  .angle = 90,
                                  .color = d->theme->ink};
    tsr__list_text_within(&d->list, &text, f->height + 2 * fmin(f->top, f->bottom) - 8);
  }
}

static void draw_spines(tsr__plot_draw *d, const tsr__plot_frame *f) {
  if (f->bare) return;
  if (f->cells) {
    tsr__list_frame(&d->list, f->x, f->y, f->width, f->height, 1, d->theme->axis);
    return;
  }
  tsr__list_line(&d->list, f->x, f->y + f->height, f->x + f->width, f->y + f->height, 1, d->theme->axis);
  tsr__list_line(&d->list, f->x, f->y, f->x, f->y + f->height, 1, d->theme->axis);
}

static tsr_status draw_series(tsr__plot_draw *d, tsr__plot_frame *f, size_t i) {
  switch (f->series[i].kind) {
    case TSR__SERIES_LINE: return tsr__line_draw(d, f, i);
    case TSR__SERIES_SCATTER: return tsr__scatter_draw(d, f, i);
    case TSR__SERIES_BARS: return tsr__bars_draw(d, f, i);
    case TSR__SERIES_HIST: return tsr__hist_draw(d, f, i);
    default: return tsr__cells_draw(d, f, i);
  }
}

tsr_status tsr__frame_draw(tsr__plot_draw *d, tsr__plot_frame *f) {
  tsr_status st = TSR_OK;
  draw_grid(d, f);
  if (!f->cells) tsr__list_clip(&d->list, f->x - 1, f->y - 1, f->width + 2, f->height + 2);
  for (size_t i = 0; i < f->panel->count && st == TSR_OK; i++) st = draw_series(d, f, i);
  if (!f->cells) tsr__list_unclip(&d->list);
  draw_spines(d, f);
  if (!f->bare) {
    draw_x_axis(d, f);
    draw_y_axis(d, f);
  }
  if (f->bar) draw_bar(d, f);
  draw_titles(d, f);
  return st;
}

#endif
