/* The whole picture: panels in rows and columns, as large as what is around their axes leaves. */
#include "plot/scene.h"

#if TSR_HAVE_PLOT

#include <math.h>

#include "plot/font.h"

typedef struct composer {
  tsr__plot_draw *d;
  tsr__plot_frame *frames;
  int count, columns, rows;
  double width, height, head; /* head: for the title of the whole */
} composer;

/* ---- sizes ---- */

/* How large the axes' area is where nobody says: 640 × 400 with what is around, and cells as many points as make a good size. */
static void usual_area(const tsr__plot_frame *f, int panels, double *width, double *height) {
  const double side = panels == 1 ? 400 : 260;
  *width = panels == 1 ? 560 : 360;
  *height = panels == 1 ? 330 : 220;
  if (!f->cells || f->aspect <= 0) return;
  const double aspect = fmin(fmax(f->aspect, 0.25), 4);
  *width = aspect >= 1 ? side * sqrt(aspect) : side * sqrt(aspect);
  *height = *width / aspect;
  if (*height > side) *width *= side / *height, *height = side;
  if (*width > 1.6 * side) *height *= 1.6 * side / *width, *width = 1.6 * side;
  *height = fmax(*height, 120);
}

static double sum_of_most(const composer *c, bool across, bool first) {
  double sum = 0;
  const int lines = across ? c->columns : c->rows;
  for (int k = 0; k < lines; k++) {
    double most = 0;
    for (int i = 0; i < c->count; i++) {
      if ((across ? i % c->columns : i / c->columns) != k) continue;
      const tsr__plot_frame *const f = &c->frames[i];
      most = fmax(most, across ? (first ? f->left : f->right) : (first ? f->top : f->bottom));
    }
    sum += most;
  }
  return sum;
}

static double most_in_line(const composer *c, bool across, int line, bool first) {
  double most = 0;
  for (int i = 0; i < c->count; i++) {
    if ((across ? i % c->columns : i / c->columns) != line) continue;
    const tsr__plot_frame *const f = &c->frames[i];
    most = fmax(most, across ? (first ? f->left : f->right) : (first ? f->top : f->bottom));
  }
  return most;
}

static double around(const composer *c, bool across) {
  return sum_of_most(c, across, true) + sum_of_most(c, across, false);
}

/* An area each; what is around depends on it a little: labels are fewer where there is less room. */
static void measure(composer *c) {
  enum { ROUNDS = 4 };
  const tsr_plot_options *const o = &c->d->plot->options;
  double wide = 0, high = 0;
  for (int i = 0; i < c->count; i++) {
    double w, h;
    usual_area(&c->frames[i], c->count, &w, &h);
    wide = fmax(wide, w);
    high = fmax(high, h);
  }
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < c->count; i++) tsr__frame_measure(c->d, &c->frames[i], wide, high);
    const double beside = around(c, true), above = around(c, false) + c->head;
    bool cells = false;
    for (int i = 0; i < c->count; i++) cells = cells || c->frames[i].cells;
    c->width = o->width > 0 ? o->width : cells || c->count > 1 ? floor(wide * c->columns + beside + 0.5) : 640;
    c->height = o->height > 0 ? o->height : cells || c->count > 1 ? floor(high * c->rows + above + 0.5) : 400;
    if (o->width > 0 || c->width == 640) wide = fmax((c->width - beside) / c->columns, 1);
    if (o->height > 0 || c->height == 400) high = fmax((c->height - above) / c->rows, 1);
  }
  double y = c->head;
  for (int r = 0; r < c->rows; r++) {
    double x = 0;
    y += most_in_line(c, false, r, true);
    for (int k = 0; k < c->columns; k++) {
      x += most_in_line(c, true, k, true);
      const int i = r * c->columns + k;
      if (i < c->count) {
        c->frames[i].x = floor(x + 0.5);
        c->frames[i].y = floor(y + 0.5);
        c->frames[i].width = floor(wide + 0.5);
        c->frames[i].height = floor(high + 0.5);
      }
      x += wide + most_in_line(c, true, k, false);
    }
    y += high + most_in_line(c, false, r, false);
  }
}

/* Cells are square where their numbers are not too different; whole pixels each where they are large. */
static void fit_cells(const composer *c, tsr__plot_frame *f) {
  if (!f->cells || !(f->aspect >= 0.125 && f->aspect <= 8)) return;
  const double w = f->width, h = f->height;
  if (f->width > f->height * f->aspect)
    f->width = fmax(floor(f->height * f->aspect + 0.5), 1);
  else
    f->height = fmax(floor(f->width / f->aspect + 0.5), 1);
  /* A row or a column of cells is a strip that can be seen, with its scale. */
  const double least = 120, wide = f->width, high = f->height;
  f->width = fmax(f->width, fmin(w, least));
  f->height = fmax(f->height, fmin(h, least));
  if (!f->bare && f->seen[0].columns > 0 && f->seen[0].rows > 0 && f->width == wide && f->height == high) {
    const double each = f->width / (double)f->seen[0].columns;
    if (each >= 4) { /* points, whatever the scale: every way out has the same sizes */
      const double whole = floor(each);
      f->width = whole * (double)f->seen[0].columns;
      f->height = whole * (double)f->seen[0].rows;
    }
  }
  f->x += floor((w - f->width) / 2);
  f->y += floor((h - f->height) / 2);
  const double left = f->left, right = f->right, top = f->top, bottom = f->bottom;
  tsr__frame_measure(c->d, f, f->width, f->height);
  f->left = left;
  f->right = right;
  f->top = top;
  f->bottom = bottom;
}

/* ---- legends ---- */

typedef struct corner_box {
  double x, y, x1, y1;
} corner_box;

/* Whether the line from a to b goes through a box. */
static bool crosses(const corner_box *box, tsr__plot_point a, tsr__plot_point b) {
  const double step[4] = {a.x - b.x, b.x - a.x, a.y - b.y, b.y - a.y};
  const double room[4] = {a.x - box->x, box->x1 - a.x, a.y - box->y, box->y1 - a.y};
  double first = 0, last = 1;
  for (int i = 0; i < 4; i++) {
    if (step[i] == 0 && room[i] < 0) return false;
    if (step[i] < 0) first = fmax(first, room[i] / step[i]);
    if (step[i] > 0) last = fmin(last, room[i] / step[i]);
  }
  return first <= last;
}

/* What an item has in a box: markers, lines, areas by their bounds. */
static int found_in(const tsr__plot_list *list, const tsr__plot_item *item, const corner_box *box) {
  const tsr__plot_outline o = tsr__list_outline(list, item);
  const tsr__plot_point *p = o.points;
  int found = 0;
  corner_box bounds = {0};
  for (size_t i = 0; i < o.count; i++) {
    const int verb = o.verbs[i];
    if (verb == TSR__PLOT_MOVE) bounds = (corner_box){p->x, p->y, p->x, p->y};
    if (verb == TSR__PLOT_LINE) {
      bounds = (corner_box){fmin(bounds.x, p->x), fmin(bounds.y, p->y), fmax(bounds.x1, p->x), fmax(bounds.y1, p->y)};
      if (item->kind == TSR__PLOT_STROKE) found += crosses(box, p[-1], *p);
    }
    const bool overlaps = bounds.x < box->x1 && bounds.x1 > box->x && bounds.y < box->y1 && bounds.y1 > box->y;
    if (verb == TSR__PLOT_MOVE && item->kind == TSR__PLOT_MARKERS) found += overlaps;
    if (verb == TSR__PLOT_CLOSE && item->kind == TSR__PLOT_FILL) found += overlaps;
    p += tsr__path_points(verb);
  }
  return found;
}

/* The corner with nothing in it, among the items from first on; else TSR_PLOT_LEGEND_RIGHT. */
static int free_corner(const composer *c, const tsr__plot_frame *f, size_t first, size_t end) {
  static const int corners[4] = {TSR_PLOT_LEGEND_TOP_RIGHT, TSR_PLOT_LEGEND_TOP_LEFT, TSR_PLOT_LEGEND_BOTTOM_RIGHT,
                                 TSR_PLOT_LEGEND_BOTTOM_LEFT};
  const tsr__plot_item *const items = c->d->list.items.data;
  enum { AIR = 12 };
  if (f->legend_width + AIR > f->width * 0.6 || f->legend_height + AIR > f->height * 0.7) return TSR_PLOT_LEGEND_RIGHT;
  for (int k = 0; k < 4; k++) {
    const bool left = k % 2 == 1, low = k >= 2;
    const double w = f->legend_width + AIR, h = f->legend_height + AIR;
    const double x = left ? f->x : f->x + f->width - w, y = low ? f->y + f->height - h : f->y;
    const corner_box box = {x, y, x + w, y + h};
    int found = 0;
    for (size_t i = first; i < end && found == 0; i++)
      if (items[i].kind == TSR__PLOT_FILL || items[i].kind == TSR__PLOT_STROKE || items[i].kind == TSR__PLOT_MARKERS)
        found = found_in(&c->d->list, &items[i], &box);
    if (found == 0) return corners[k];
  }
  return TSR_PLOT_LEGEND_RIGHT;
}

/* ---- all of it ---- */

/* The items of a panel between its clip and the end of it are its data. */
static void data_items(const tsr__plot_list *list, size_t from, size_t *first, size_t *end) {
  const tsr__plot_item *const items = list->items.data;
  *first = from;
  while (*first < list->items.count && items[*first].kind != TSR__PLOT_CLIP) ++*first;
  *end = *first + 1;
  while (*end < list->items.count && items[*end].kind != TSR__PLOT_CLIP) ++*end;
  if (*end > list->items.count) *end = list->items.count;
}

/* Draws all panels; *again: a legend has no free corner, and goes to the right. */
static tsr_status draw_panels(composer *c, bool *again) {
  tsr_status st = TSR_OK;
  for (int i = 0; i < c->count && st == TSR_OK; i++) {
    tsr__plot_frame *const f = &c->frames[i];
    const size_t from = c->d->list.items.count;
    fit_cells(c, f);
    st = tsr__frame_draw(c->d, f);
    if (st != TSR_OK || c->d->list.memory.failed || f->legend == TSR_PLOT_LEGEND_NONE) continue;
    int corner = f->legend;
    if (corner == TSR_PLOT_LEGEND_AUTO) {
      size_t first, end;
      data_items(&c->d->list, from, &first, &end);
      corner = free_corner(c, f, first, end);
      if (corner == TSR_PLOT_LEGEND_RIGHT) {
        f->legend = corner;
        *again = true;
        continue;
      }
    }
    tsr__legend_draw(c->d, f, corner);
  }
  return st;
}

static void clear(tsr__plot_list *list) {
  tsr__path_clear(&list->path);
  list->items.count = list->texts.count = list->colors.count = 0;
}

static void draw_title(const composer *c) {
  const bool one = c->columns == 1 && c->count > 0;
  const tsr__plot_label title = {.text = c->d->plot->options.title,
                                 .x = one ? c->frames[0].x : c->width / 2,
                                 .anchor = one ? 0 : 0.5,
                                 .y = 1.9 * c->d->size,
                                 .size = 1.3 * c->d->size,
                                 .bold = true,
                                 .color = c->d->theme->ink};
  tsr__list_text_within(&c->d->list, &title, c->width - (one ? c->frames[0].x : 0) - 12);
}

static tsr_status compose(composer *c) {
  tsr_status st = TSR_OK;
  bool again = true;
  for (int pass = 0; pass < 2 && again && st == TSR_OK; pass++) {
    again = false;
    clear(&c->d->list);
    measure(c);
    draw_title(c);
    st = draw_panels(c, &again);
  }
  c->d->list.width = c->width;
  c->d->list.height = c->height;
  return st;
}

/* Frames and what is seen of their series, all in one array of each. */
static tsr_status see_all(composer *c, tsr__plot_seen *seen) {
  const tsr_plot *const plot = c->d->plot;
  const tsr__plot_panel *const panels = plot->panels.data;
  tsr_status st = TSR_OK;
  for (int i = 0; i < c->count && st == TSR_OK; i++) {
    tsr__plot_frame *const f = &c->frames[i];
    f->panel = &panels[i];
    const tsr__plot_series *const series = plot->series.data; /* NULL: there is none, and first is 0 */
    f->series = series != NULL ? series + panels[i].first : NULL;
    f->seen = seen != NULL ? seen + panels[i].first : NULL;
    f->legend = panels[i].axes.legend;
    st = tsr__frame_see(c->d, f);
  }
  return st;
}

/* Texts grow with a picture, but less than it. */
static double usual_text(const tsr_plot_options *o, int panels) {
  enum { SIZE = 13, LEAST = 9, MOST = 40 };
  const double each = panels > 1 ? ceil(sqrt((double)panels)) : 1;
  const double width = o->width > 0 ? o->width / each / 640 : 1, height = o->height > 0 ? o->height / each / 400 : 1;
  const double part = fmin(width, height), grown = SIZE * sqrt(part > 1.25 ? part / 1.25 : part < 0.7 ? part / 0.7 : 1);
  return fmin(fmax(floor(grown + 0.5), LEAST), MOST);
}

tsr_status tsr__plot_compose(tsr_ctx *ctx, const char *op, const tsr_plot *plot, double detail, tsr__plot_list *list) {
  const tsr_plot_options *const o = &plot->options;
  tsr__plot_draw d = {.ctx = ctx, .op = op, .plot = plot, .theme = tsr__theme_of(o->theme), .detail = detail};
  tsr__plot_array frames = {0}, seen = {0}, block = {0};
  composer c = {.d = &d, .count = (int)plot->panels.count};
  d.size = o->text_size > 0 ? o->text_size : usual_text(o, c.count);
  d.list.memory.allocator = tsr__allocator(ctx);
  d.list.text_size = d.size;
  d.list.paper = d.theme->paper;
  c.columns = o->columns > 0 ? o->columns : (int)ceil(sqrt((double)c.count));
  if (c.columns > c.count) c.columns = c.count;
  if (c.columns < 1) c.columns = 1;
  c.rows = (c.count + c.columns - 1) / c.columns;
  c.head = o->title != NULL && o->title[0] != '\0' ? 2.4 * d.size : 0;
  c.width = o->width > 0 ? o->width : 640;
  c.height = o->height > 0 ? o->height : 400;
  c.frames = tsr__plot_push(&d.list.memory, &frames, sizeof *c.frames, plot->panels.count);
  tsr__plot_seen *const s = tsr__plot_push(&d.list.memory, &seen, sizeof *s, plot->series.count);
  d.block = tsr__plot_push(&d.list.memory, &block, sizeof(double), 3 * (size_t)TSR__PLOT_BLOCK);
  tsr_status st = TSR_OK;
  if (!d.list.memory.failed && c.count > 0) {
    st = see_all(&c, s);
    if (st == TSR_OK && !d.list.memory.failed) st = compose(&c);
    for (size_t i = 0; i < plot->series.count; i++)
      tsr__plot_array_release(&d.list.memory, &s[i].hist.counts, sizeof(int64_t));
  } else {
    d.list.width = c.width;
    d.list.height = c.height;
  }
  tsr__plot_array_release(&d.list.memory, &frames, sizeof *c.frames);
  tsr__plot_array_release(&d.list.memory, &seen, sizeof(tsr__plot_seen));
  tsr__plot_array_release(&d.list.memory, &block, sizeof(double));
  *list = d.list;
  if (st == TSR_OK && d.list.memory.failed) st = TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory for the picture");
  return st;
}

#endif
