/* Lines, points and bars: pairs of numbers. */
#include "plot/scene.h"

#if TSR_HAVE_PLOT

#include <math.h>

/* ---- what they go over ---- */

typedef struct seeing {
  tsr__plot_seen *seen;
  bool x_log, y_log;
  double last_x, gap; /* gap: the least difference of neighbours in x */
} seeing;

static void see_pairs(void *user, tsr_index n, const double *x, const double *y, const double *color) {
  seeing *const s = user;
  tsr__plot_seen *const seen = s->seen;
  for (tsr_index i = 0; i < n; i++) {
    if (x[i] < s->last_x) seen->sorted = false;
    if (isfinite(x[i])) {
      if (x[i] != s->last_x) s->gap = fmin(s->gap, fabs(x[i] - s->last_x));
      s->last_x = x[i];
    } else {
      seen->sorted = seen->sorted && isnan(x[i]);
    }
    if (!isfinite(x[i]) || !isfinite(y[i])) continue;
    if ((s->x_log && x[i] <= 0) || (s->y_log && y[i] <= 0)) {
      seen->left_out++;
      continue;
    }
    seen->drawn++;
    seen->whole = seen->whole && x[i] == floor(x[i]);
    tsr__range_add(&seen->x, x[i]);
    tsr__range_add(&seen->y, y[i]);
    if (color != NULL && isfinite(color[i])) tsr__range_add(&seen->color, color[i]);
  }
  seen->count += n;
}

tsr_status tsr__xy_see(tsr__plot_draw *d, tsr__plot_frame *f, size_t i) {
  tsr__plot_seen *const seen = &f->seen[i];
  seeing s = {.seen = seen, .last_x = -(double)INFINITY, .gap = (double)INFINITY};
  s.x_log = f->panel->axes.x_log;
  s.y_log = f->panel->axes.y_log;
  seen->sorted = true;
  seen->whole = f->series[i].x.dtype == TSR_NONE || tsr_dtype_describe(f->series[i].x.dtype)->class_ != TSR_CLASS_FLOAT;
  const tsr_status st = tsr__pairs_visit(d, f, &f->series[i], see_pairs, &s);
  seen->bar_width = isfinite(s.gap) ? s.gap : 1;
  return st;
}

/* ---- lines ---- */

/* A line as it is drawn: where x never falls, of each column of pixels the first, the lowest, the highest and the last point. */
typedef struct liner {
  tsr__plot_draw *d;
  const tsr__plot_frame *f;
  bool columns, steps, open; /* columns: points are joined by columns; open: a piece was begun */
  double column;             /* the present one */
  tsr__plot_point first, low, high, last, before;
  int held; /* points of the present column */
  int low_at, high_at;
  size_t pieces;          /* points of the present piece */
  tsr__plot_array *alone; /* tsr__plot_point: those between two gaps */
} liner;

static void draw_to(liner *l, tsr__plot_point p) {
  tsr__plot_list *const list = &l->d->list;
  if (!l->open)
    tsr__path_move(&list->memory, &list->path, p.x, p.y);
  else if (l->steps)
    tsr__path_line(&list->memory, &list->path, p.x, l->before.y);
  if (l->open) tsr__path_line(&list->memory, &list->path, p.x, p.y);
  l->open = true;
  l->before = p;
  l->pieces++;
}

static void end_column(liner *l) {
  if (l->held == 0) return;
  const bool low_first = l->low_at < l->high_at;
  const tsr__plot_point *const a = low_first ? &l->low : &l->high, *const b = low_first ? &l->high : &l->low;
  draw_to(l, l->first);
  if (l->held > 2) {
    draw_to(l, *a);
    draw_to(l, *b);
  }
  if (l->held > 1) draw_to(l, l->last);
  l->held = 0;
}

static void end_piece(liner *l) {
  end_column(l);
  if (l->pieces == 1) {
    tsr__plot_point *const p = tsr__plot_push(&l->d->list.memory, l->alone, sizeof *p, 1);
    if (p != NULL) *p = l->before;
  }
  l->open = false;
  l->pieces = 0;
}

static void add_to_column(liner *l, tsr__plot_point p) {
  const double column = floor(p.x * l->d->detail);
  if (l->held > 0 && column != l->column) end_column(l);
  l->column = column;
  if (l->held == 0) l->first = p;
  if (l->held == 0 || p.y > l->low.y) l->low = p, l->low_at = l->held;
  if (l->held == 0 || p.y < l->high.y) l->high = p, l->high_at = l->held;
  l->last = p;
  l->held++;
}

static double within(double v, double most) { return v < -most ? -most : v > most ? most : v; }

static void line_pairs(void *user, tsr_index n, const double *x, const double *y, const double *color) {
  liner *const l = user;
  const double far = 1e7; /* points: what is cut off there is nowhere near the picture */
  (void)color;
  for (tsr_index i = 0; i < n; i++) {
    tsr__plot_point p = {tsr__frame_x(l->f, x[i]), tsr__frame_y(l->f, y[i])};
    if (isnan(p.x) || isnan(p.y)) {
      end_piece(l);
      continue;
    }
    p = (tsr__plot_point){within(p.x, far), within(p.y, far)};
    if (l->columns)
      add_to_column(l, p);
    else if (!l->open || fabs(p.x - l->before.x) + fabs(p.y - l->before.y) > 0.1 / l->d->detail || i + 1 == n)
      draw_to(l, p);
  }
}

static void put_markers(tsr__plot_draw *d, const tsr__plot_array *points, int marker, double size, uint32_t color) {
  const tsr__plot_begun from = tsr__list_begin(&d->list);
  const tsr__plot_point *const p = points->data;
  for (size_t i = 0; i < points->count; i++) tsr__path_move(&d->list.memory, &d->list.path, p[i].x, p[i].y);
  tsr__list_markers(&d->list, from, marker, size, color, SIZE_MAX);
}

typedef struct marking {
  tsr__plot_draw *d;
  const tsr__plot_frame *f;
  tsr__plot_range colors;
  bool colored;
} marking;

static void mark_pairs(void *user, tsr_index n, const double *x, const double *y, const double *color) {
  const marking *const m = user;
  tsr__plot_list *const list = &m->d->list;
  const double span = m->f->cs.max - m->f->cs.min;
  for (tsr_index i = 0; i < n; i++) {
    const double px = tsr__frame_x(m->f, x[i]), py = tsr__frame_y(m->f, y[i]);
    if (!(fabs(px) < 1e7 && fabs(py) < 1e7)) continue; /* NaN too */
    if (m->colored) {
      uint32_t *const c = tsr__plot_push(&list->memory, &list->colors, sizeof *c, 1);
      if (c == NULL) return;
      const double at = span > 0 ? (color[i] - m->f->cs.min) / span : color[i] - color[i] + 0.5;
      *c = tsr__shade_at(&m->f->shades, at);
    }
    tsr__path_move(&list->memory, &list->path, px, py);
  }
}

static tsr_status draw_markers(tsr__plot_draw *d, tsr__plot_frame *f, size_t i, int marker, double size,
                               uint32_t color) {
  marking m = {.d = d, .f = f, .colored = f->series[i].color.dtype != TSR_NONE};
  const tsr__plot_begun from = tsr__list_begin(&d->list);
  const size_t colors = d->list.colors.count;
  const tsr_status st = tsr__pairs_visit(d, f, &f->series[i], mark_pairs, &m);
  tsr__list_markers(&d->list, from, marker, size, color, m.colored ? colors : SIZE_MAX);
  return st;
}

tsr_status tsr__line_draw(tsr__plot_draw *d, tsr__plot_frame *f, size_t i) {
  const tsr_plot_style *const style = &f->series[i].style;
  const double width = style->width > 0 ? style->width : 1.6 * fmax(d->size / 13, 1);
  tsr__plot_array alone = {0};
  liner l = {.d = d, .f = f, .columns = f->seen[i].sorted, .steps = style->steps, .alone = &alone};
  const tsr__plot_begun from = tsr__list_begin(&d->list);
  tsr_status st = tsr__pairs_visit(d, f, &f->series[i], line_pairs, &l);
  end_piece(&l);
  tsr__list_stroke(&d->list, from, TSR__PLOT_ROUND, style->dash, width, f->seen[i].paint);
  put_markers(d, &alone, TSR_PLOT_CIRCLE, fmax(2 * width, 3), f->seen[i].paint);
  tsr__plot_array_release(&d->list.memory, &alone, sizeof(tsr__plot_point));
  if (st == TSR_OK && style->marker != TSR_PLOT_NO_MARKER)
    st = draw_markers(d, f, i, style->marker, style->size > 0 ? style->size : 5.5, f->seen[i].paint);
  return st;
}

/* ---- points ---- */

tsr_status tsr__scatter_draw(tsr__plot_draw *d, tsr__plot_frame *f, size_t i) {
  const tsr_plot_style *const style = &f->series[i].style;
  const double n = (double)f->seen[i].drawn;
  const double usual = n <= 300 ? 6 : n <= 3000 ? 4.5 : n <= 30000 ? 3 : 2;
  const int marker = style->marker != TSR_PLOT_NO_MARKER ? style->marker : TSR_PLOT_CIRCLE;
  uint32_t color = f->seen[i].paint;
  if (style->color == 0 && n > 300) color = (color & 0xffffffu) | (n > 30000 ? 0x90000000u : 0xc0000000u);
  return draw_markers(d, f, i, marker, style->size > 0 ? style->size : usual, color);
}

/* ---- bars ---- */

typedef struct barring {
  tsr__plot_draw *d;
  const tsr__plot_frame *f;
  const tsr__plot_seen *seen;
} barring;

static void bar_pairs(void *user, tsr_index n, const double *x, const double *y, const double *color) {
  const barring *const b = user;
  const tsr__plot_frame *const f = b->f;
  const double slot = b->seen->bar_width * 0.8, width = slot / b->seen->bars;
  const double foot = f->ys.log ? f->ys.min : fmin(fmax(0, f->ys.min), f->ys.max), base = tsr__frame_y(f, foot);
  (void)color;
  for (tsr_index i = 0; i < n; i++) {
    const double from = x[i] - slot / 2 + width * b->seen->bar;
    double left = tsr__frame_x(f, from), right = tsr__frame_x(f, from + width);
    const double top = fmin(fmax(tsr__frame_y(f, y[i]), -1e6), 1e6);
    if (isnan(left) || isnan(right) || isnan(top) || !isfinite(y[i]) || y[i] == 0) continue;
    if (fabs(left) > 1e6 || fabs(right) > 1e6) continue;
    if (right - left > 6 && b->seen->bars > 1) right -= 1; /* a hair between neighbours */
    if (right - left < 1 / b->d->detail) right = left + 1 / b->d->detail;
    tsr__path_rect(&b->d->list.memory, &b->d->list.path, left, fmin(top, base), right - left, fabs(base - top));
  }
}

tsr_status tsr__bars_draw(tsr__plot_draw *d, tsr__plot_frame *f, size_t i) {
  barring b = {.d = d, .f = f, .seen = &f->seen[i]};
  const tsr__plot_begun from = tsr__list_begin(&d->list);
  const tsr_status st = tsr__pairs_visit(d, f, &f->series[i], bar_pairs, &b);
  tsr__list_fill(&d->list, from, TSR__PLOT_SNAP, f->seen[i].paint);
  return st;
}

#endif
