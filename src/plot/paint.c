/* A list as pixels. */
#include "plot/list.h"

#if TSR_HAVE_PLOT

#include <math.h>
#include <string.h>

#include "plot/fill.h"
#include "plot/font.h"
#include "plot/stroke.h"

typedef struct painter {
  const tsr__plot_list *list;
  tsr__plot_memory memory; /* of what is below */
  double scale;
  int width, height;
  uint8_t *pixels;
  tsr__plot_pixels clip;
  uint32_t color;
  tsr__plot_rings rings;
  tsr__plot_filler filler;
  tsr__plot_path path, dots;
  tsr__plot_array points; /* of a path in pixels */
} painter;

/* ---- colours over pixels ---- */

static uint8_t blend(uint8_t below, uint32_t above, uint32_t alpha) {
  const uint32_t sum = below * (255 * 255 - alpha) + above * alpha; /* alpha: of 255² */
  return (uint8_t)((sum + 255 * 255 / 2) / (255 * 255));
}

static void put_pixel(uint8_t *at, uint32_t color, uint32_t cover) {
  const uint32_t alpha = (color >> 24) * cover;
  at[0] = blend(at[0], color >> 16 & 255, alpha);
  at[1] = blend(at[1], color >> 8 & 255, alpha);
  at[2] = blend(at[2], color & 255, alpha);
}

static uint8_t *pixel_at(const painter *p, int x, int y) {
  return p->pixels + ((size_t)y * (size_t)p->width + (size_t)x) * 3;
}

static void put_cover(void *user, int y, int x, int n, const uint8_t *cover) {
  painter *const p = user;
  uint8_t *at = pixel_at(p, x, y);
  for (int i = 0; i < n; i++, at += 3)
    if (cover[i] != 0) put_pixel(at, p->color, cover[i]);
}

static void fill_rings(painter *p, uint32_t color) {
  p->color = color;
  tsr__fill(&p->memory, &p->filler, &p->rings, &p->clip, put_cover, p);
  tsr__rings_clear(&p->rings);
}

/* ---- paths ---- */

static double snap(double v, int pen) { return pen % 2 != 0 ? floor(v) + 0.5 : floor(v + 0.5); }

/* The path of an item in pixels; pen: of a stroke that is snapped, 0 for areas. */
static tsr__plot_outline in_pixels(painter *p, const tsr__plot_item *item, int pen) {
  tsr__plot_outline o = tsr__list_outline(p->list, item);
  size_t n = 0;
  for (size_t i = 0; i < o.count; i++) n += (size_t)tsr__path_points(o.verbs[i]);
  p->points.count = 0;
  tsr__plot_point *const to = tsr__plot_push(&p->memory, &p->points, sizeof *to, n);
  if (to == NULL) return (tsr__plot_outline){0};
  for (size_t i = 0; i < n; i++) {
    to[i] = (tsr__plot_point){o.points[i].x * p->scale, o.points[i].y * p->scale};
    if ((item->flags & TSR__PLOT_SNAP) != 0) to[i] = (tsr__plot_point){snap(to[i].x, pen), snap(to[i].y, pen)};
  }
  o.points = to;
  return o;
}

static void paint_fill(painter *p, const tsr__plot_item *item) {
  const tsr__plot_outline o = in_pixels(p, item, 0);
  tsr__rings_of(&p->memory, &p->rings, &o);
  fill_rings(p, item->color);
}

static void paint_stroke(painter *p, const tsr__plot_item *item) {
  double lengths[4];
  tsr__plot_pen pen = {.width = item->width * p->scale, .round = (item->flags & TSR__PLOT_ROUND) != 0};
  const double *const dashes = tsr__list_dashes(item->dash, &pen.dashes);
  for (int i = 0; i < pen.dashes; i++) lengths[i] = dashes[i] * fmax(pen.width, 1);
  pen.dash = pen.dashes > 0 ? lengths : NULL;
  if ((item->flags & TSR__PLOT_SNAP) != 0) pen.width = fmax(floor(pen.width + 0.5), 1);
  const tsr__plot_outline o = in_pixels(p, item, (int)fmin(pen.width, 1000));
  tsr__stroke(&p->memory, &p->rings, &o, &pen, &p->clip);
  fill_rings(p, item->color);
}

/* ---- text ---- */

static tsr__plot_point rotated(tsr__plot_point v, double c, double s) {
  return (tsr__plot_point){v.x * c + v.y * s, v.y * c - v.x * s};
}

static void move_path(const tsr__plot_path *path, tsr__plot_point by, double c, double s) {
  tsr__plot_point *const points = path->points.data;
  for (size_t i = 0; i < path->points.count; i++) {
    const tsr__plot_point r = rotated(points[i], c, s);
    points[i] = (tsr__plot_point){r.x + by.x, r.y + by.y};
  }
}

static tsr__plot_outline whole(const tsr__plot_path *path) {
  return (tsr__plot_outline){path->verbs.data, path->points.data, path->verbs.count};
}

/* Letters are drawn from 0, 0 to the right, rotated, and moved: to whole pixels across their line where it is upright or level. */
static void paint_text(painter *p, const tsr__plot_item *item) {
  const char *text = (const char *)p->list->texts.data + item->text;
  const double size = item->width * p->scale, radians = item->angle * 3.14159265358979323846 / 180;
  const bool bold = (item->flags & TSR__PLOT_BOLD) != 0, level = item->angle == 0;
  const bool upright = item->angle == 90 || item->angle == -90;
  const double c = upright ? 0 : cos(radians), s = upright ? item->angle / 90 : sin(radians);
  const tsr__font_fit fit = tsr__font_fit_of(size, bold, level || upright);
  double x = -item->anchor * tsr__font_width(text, size, bold);
  tsr__plot_point to = {item->x * p->scale, item->y * p->scale};
  if (level || upright) {
    to = (tsr__plot_point){floor(to.x + 0.5), floor(to.y + 0.5)};
    x = floor(x + 0.5);
  }
  tsr__path_clear(&p->path);
  tsr__path_clear(&p->dots);
  for (uint32_t code; (code = tsr__font_next(&text)) != 0; x += tsr__font_advance(code, size, bold))
    tsr__font_draw(&p->memory, &fit, code, x, 0, &p->path, &p->dots);
  if (p->memory.failed) return;
  move_path(&p->path, to, c, s);
  move_path(&p->dots, to, c, s);
  const tsr__plot_outline strokes = whole(&p->path), dots = whole(&p->dots);
  tsr__stroke(&p->memory, &p->rings, &strokes, &(tsr__plot_pen){.width = fit.pen, .round = true}, &p->clip);
  tsr__rings_of(&p->memory, &p->rings, &dots);
  fill_rings(p, item->color);
}

/* ---- markers ---- */

/* What a marker covers, for each quarter of a pixel that it may be off: painted once, then only laid over pixels. */
enum { PLACES = 4, STAMPS = PLACES * PLACES };
typedef struct stamps {
  uint8_t *cover; /* STAMPS squares of side · side */
  int side;
} stamps;

typedef struct stamping {
  uint8_t *cover;
  int side;
} stamping;

static void keep_cover(void *user, int y, int x, int n, const uint8_t *cover) {
  const stamping *const s = user;
  memcpy(s->cover + (size_t)y * (size_t)s->side + (size_t)x, cover, (size_t)n);
}

/* Adds the shape of a marker, in pixels, to the rings. */
static void add_marker(painter *p, const tsr__plot_item *item, double x, double y, const tsr__plot_pixels *near) {
  const double size = item->width * p->scale;
  tsr__path_clear(&p->path);
  tsr__list_shape(&p->memory, &p->path, item->marker, x, y, size);
  if (p->memory.failed) return;
  const tsr__plot_outline o = whole(&p->path);
  const tsr__plot_pen pen = {.width = fmax(size * 0.24, 1)};
  if (item->marker == TSR_PLOT_CROSS)
    tsr__stroke(&p->memory, &p->rings, &o, &pen, near);
  else
    tsr__rings_of(&p->memory, &p->rings, &o);
}

static bool make_stamps(painter *p, const tsr__plot_item *item, tsr__plot_array *room, stamps *s) {
  s->side = 2 * (int)ceil(item->width * p->scale * 0.75 + 2);
  s->cover = tsr__plot_push(&p->memory, room, 1, STAMPS * (size_t)s->side * (size_t)s->side);
  if (s->cover == NULL) return false;
  const tsr__plot_pixels all = {0, 0, s->side, s->side};
  for (int i = 0; i < STAMPS; i++) {
    stamping one = {s->cover + (size_t)i * (size_t)s->side * (size_t)s->side, s->side};
    add_marker(p, item, s->side / 2 + (double)(i % PLACES) / PLACES, s->side / 2 + (double)(i / PLACES) / PLACES, &all);
    tsr__fill(&p->memory, &p->filler, &p->rings, &all, keep_cover, &one);
    tsr__rings_clear(&p->rings);
  }
  return !p->memory.failed;
}

static void put_stamp(const painter *p, const stamps *s, double x, double y, uint32_t color) {
  const double fx = floor(x * PLACES + 0.5), fy = floor(y * PLACES + 0.5);
  if (!(fabs(fx) < 1e8 && fabs(fy) < 1e8)) return; /* NaN too */
  const int qx = (int)fx, qy = (int)fy, kx = qx & (PLACES - 1), ky = qy & (PLACES - 1);
  const int left = (qx - kx) / PLACES - s->side / 2, top = (qy - ky) / PLACES - s->side / 2;
  const uint8_t *const cover = s->cover + (size_t)(ky * PLACES + kx) * (size_t)s->side * (size_t)s->side;
  for (int i = 0; i < s->side; i++) {
    if (top + i < p->clip.y || top + i >= p->clip.y1) continue;
    for (int k = 0; k < s->side; k++) {
      const uint8_t c = cover[i * s->side + k];
      if (c != 0 && left + k >= p->clip.x && left + k < p->clip.x1) put_pixel(pixel_at(p, left + k, top + i), color, c);
    }
  }
}

static void paint_markers(painter *p, const tsr__plot_item *item) {
  enum { LARGE = 100 /* pixels */ };
  const tsr__plot_point *const at = (const tsr__plot_point *)p->list->path.points.data + item->points;
  const uint32_t *const colors =
      item->colors != SIZE_MAX ? (const uint32_t *)p->list->colors.data + item->colors : NULL;
  const bool small = item->width * p->scale <= LARGE;
  tsr__plot_array room = {0};
  stamps s = {0};
  if (!small || make_stamps(p, item, &room, &s)) {
    for (size_t i = 0; i < item->count; i++) {
      const uint32_t color = colors != NULL ? colors[i] : item->color;
      const double x = at[i].x * p->scale, y = at[i].y * p->scale;
      if (small) put_stamp(p, &s, x, y, color);
      if (!small) add_marker(p, item, x, y, &p->clip), fill_rings(p, color);
    }
  }
  tsr__plot_array_release(&p->memory, &room, 1);
}

/* ---- rectangles ---- */

static int whole_pixel(double points, double scale, int most) {
  const double v = floor(points * scale + 0.5);
  return !(v > 0) ? 0 : v >= most ? most : (int)v; /* NaN: 0 */
}

static tsr__plot_pixels pixels_of(const painter *p, const tsr__plot_item *item) {
  return (tsr__plot_pixels){whole_pixel(item->x, p->scale, p->width), whole_pixel(item->y, p->scale, p->height),
                            whole_pixel(item->x + item->wide, p->scale, p->width),
                            whole_pixel(item->y + item->high, p->scale, p->height)};
}

static void paint_clip(painter *p, const tsr__plot_item *item) {
  p->clip = item->wide > 0 ? pixels_of(p, item) : (tsr__plot_pixels){0, 0, p->width, p->height};
}

static void paint_cells(const painter *p, const tsr__plot_item *item) {
  const tsr__plot_pixels r = pixels_of(p, item);
  const uint32_t *const colors = (const uint32_t *)p->list->colors.data + item->colors;
  for (int y = r.y; y < r.y1; y++) {
    const uint32_t *const row =
        colors + (size_t)((int64_t)(y - r.y) * item->rows / (r.y1 - r.y)) * (size_t)item->columns;
    uint8_t *at = pixel_at(p, r.x, y);
    for (int x = r.x; x < r.x1; x++, at += 3)
      put_pixel(at, row[(int64_t)(x - r.x) * item->columns / (r.x1 - r.x)], 255);
  }
}

/* ---- all of it ---- */

static void paint_item(painter *p, const tsr__plot_item *item) {
  switch (item->kind) {
    case TSR__PLOT_FILL: paint_fill(p, item); break;
    case TSR__PLOT_STROKE: paint_stroke(p, item); break;
    case TSR__PLOT_TEXT: paint_text(p, item); break;
    case TSR__PLOT_MARKERS: paint_markers(p, item); break;
    case TSR__PLOT_CELLS: paint_cells(p, item); break;
    default: paint_clip(p, item); break;
  }
}

tsr_status tsr__list_paint(tsr_ctx *ctx, const char *op, const tsr__plot_list *list, double scale, int width,
                           int height, uint8_t *pixels) {
  const tsr__plot_item *const items = list->items.data;
  painter p = {.list = list, .scale = scale, .width = width, .height = height, .pixels = pixels};
  p.memory.allocator = list->memory.allocator;
  p.clip = (tsr__plot_pixels){0, 0, width, height};
  for (size_t i = 0; i < (size_t)width * (size_t)height; i++) {
    pixels[3 * i] = (uint8_t)(list->paper >> 16);
    pixels[3 * i + 1] = (uint8_t)(list->paper >> 8);
    pixels[3 * i + 2] = (uint8_t)list->paper;
  }
  for (size_t i = 0; i < list->items.count && !p.memory.failed; i++) paint_item(&p, &items[i]);
  tsr__rings_release(&p.memory, &p.rings);
  tsr__filler_release(&p.memory, &p.filler);
  tsr__path_release(&p.memory, &p.path);
  tsr__path_release(&p.memory, &p.dots);
  tsr__plot_array_release(&p.memory, &p.points, sizeof(tsr__plot_point));
  return p.memory.failed ? TSR__FAIL(ctx, TSR_ENOMEM, op, NULL, "no memory to draw with") : TSR_OK;
}

#endif
