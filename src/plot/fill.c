/* Coverage of pixels. Each edge adds to the cells that it goes through: how far it goes down in the cell, and twice the area
 * between it and the left side of the cell. A sum along the row then is how much of each pixel is inside: FreeType's smooth
 * rasteriser and LibArt work so. All of it is in integers, so that no machine rounds otherwise. */
#include "plot/fill.h"

#if TSR_HAVE_PLOT

#include <math.h>
#include <string.h>

enum { ONE = 256, SHIFT = 8, FULL = 2 * ONE * ONE };

/* ---- rings ---- */

void tsr__rings_start(tsr__plot_memory *memory, tsr__plot_rings *rings) {
  size_t *const start = tsr__plot_push(memory, &rings->starts, sizeof *start, 1);
  if (start != NULL) *start = rings->corners.count;
}

static int32_t fixed(double pixels) {
  const double most = 1 << 21;              /* pixels: their 256ths and differences of two fit 32 bits */
  if (!(pixels > -most)) return -(1 << 29); /* NaN too */
  return pixels < most ? (int32_t)floor(pixels * ONE + 0.5) : 1 << 29;
}

void tsr__rings_add(tsr__plot_memory *memory, tsr__plot_rings *rings, double x, double y) {
  tsr__plot_corner *const corner = tsr__plot_push(memory, &rings->corners, sizeof *corner, 1);
  if (corner != NULL) *corner = (tsr__plot_corner){fixed(x), fixed(y)};
}

void tsr__rings_clear(tsr__plot_rings *rings) { rings->corners.count = rings->starts.count = 0; }

void tsr__rings_release(const tsr__plot_memory *memory, tsr__plot_rings *rings) {
  tsr__plot_array_release(memory, &rings->corners, sizeof(tsr__plot_corner));
  tsr__plot_array_release(memory, &rings->starts, sizeof(size_t));
}

void tsr__rings_of(tsr__plot_memory *memory, tsr__plot_rings *rings, const tsr__plot_outline *path) {
  const tsr__plot_point *p = path->points;
  tsr__plot_point at = {0, 0};
  for (size_t i = 0; i < path->count; i++) {
    const int verb = path->verbs[i];
    if (verb == TSR__PLOT_CLOSE) continue;
    if (verb == TSR__PLOT_MOVE || rings->starts.count == 0) tsr__rings_start(memory, rings);
    const int steps = verb == TSR__PLOT_CURVE ? tsr__path_cubic_steps(at, p) : 1;
    for (int k = 1; k < steps; k++) {
      const tsr__plot_point q = tsr__path_cubic(at, p, (double)k / steps);
      tsr__rings_add(memory, rings, q.x, q.y);
    }
    p += tsr__path_points(verb);
    at = p[-1];
    tsr__rings_add(memory, rings, at.x, at.y);
  }
}

/* ---- cells ---- */

/* Rows of cells, from row y on, columns from x on; each row has one more for what is right of it. */
typedef struct cells {
  int32_t *sums; /* down and area of each */
  int x, y, width, height;
} cells;

/* a·b/c, to the nearest; c > 0. */
static int32_t share(int32_t a, int32_t b, int32_t c) {
  const int64_t product = (int64_t)a * b;
  return (int32_t)((product >= 0 ? product + c / 2 : product - c / 2) / c);
}

static void add_cell(int32_t *row, int column, int32_t left, int32_t right, int32_t down) {
  row[2 * column] += down;
  row[2 * column + 1] += (left + right) * down;
}

/* A part of an edge within one row, from x0 to x1 (256ths, from the first column on) and `down` further down. */
static void add_in_row(int32_t *row, int width, int32_t x0, int32_t x1, int32_t down) {
  const int32_t end = width * ONE;
  if (down == 0) return;
  if (x0 <= 0 && x1 <= 0) {
    add_cell(row, 0, 0, 0, down);
    return;
  }
  if (x0 >= end && x1 >= end) return; /* what is right of the last column covers nothing of it */
  const bool right = x1 >= x0;
  const int32_t length = right ? x1 - x0 : x0 - x1;
  int32_t x = x0, done = 0;
  if (x < 0 || x > end) { /* comes in from a side: what is outside of it goes straight down */
    x = x < 0 ? 0 : end;
    done = share(x < x0 ? x0 - x : x - x0, down, length);
    if (x == 0) add_cell(row, 0, 0, 0, done);
  }
  const int32_t last = x1 < 0 ? 0 : x1 > end ? end : x1;
  while (x != last) {
    const int column = right ? x >> SHIFT : (x - 1) >> SHIFT;
    const int32_t side = right ? (column + 1) * ONE : column * ONE;
    const int32_t next = right ? (side < last ? side : last) : (side > last ? side : last);
    const int32_t so_far = next == x1 ? down : share(next < x0 ? x0 - next : next - x0, down, length);
    add_cell(row, column, x - column * ONE, next - column * ONE, so_far - done);
    done = so_far;
    x = next;
  }
  if (done != down) add_cell(row, last >> SHIFT, last & (ONE - 1), last & (ONE - 1), down - done);
}

/* Downwards: y0 < y1. sign: that of the edge. */
static void add_edge(const cells *c, tsr__plot_corner a, tsr__plot_corner b, int sign) {
  const int32_t top = c->y * ONE, bottom = (c->y + c->height) * ONE, left = c->x * ONE;
  const int32_t first = a.y > top ? a.y : top, last = b.y < bottom ? b.y : bottom;
  if (first >= last) return;
  int32_t y = first, x = a.x + (first > a.y ? share(first - a.y, b.x - a.x, b.y - a.y) : 0);
  while (y < last) {
    const int row = y >> SHIFT;
    const int32_t next = (row + 1) * ONE < last ? (row + 1) * ONE : last;
    const int32_t to = next == b.y ? b.x : a.x + share(next - a.y, b.x - a.x, b.y - a.y);
    add_in_row(c->sums + (size_t)(row - c->y) * 2 * (size_t)(c->width + 1), c->width, x - left, to - left,
               sign * (next - y));
    x = to;
    y = next;
  }
}

static void add_rings(const cells *c, const tsr__plot_rings *rings) {
  const tsr__plot_corner *const corners = rings->corners.data;
  const size_t *const starts = rings->starts.data;
  for (size_t k = 0; k < rings->starts.count; k++) {
    const size_t end = k + 1 < rings->starts.count ? starts[k + 1] : rings->corners.count;
    for (size_t i = starts[k]; i < end; i++) {
      const tsr__plot_corner a = corners[i], b = corners[i + 1 < end ? i + 1 : starts[k]];
      if (a.y < b.y) add_edge(c, a, b, 1);
      if (a.y > b.y) add_edge(c, b, a, -1);
    }
  }
}

static void put_row(const int32_t *row, int width, uint8_t *cover) {
  int64_t down = 0;
  for (int i = 0; i < width; i++) {
    int64_t area = (down + row[2 * i]) * (2 * ONE) - row[2 * i + 1];
    down += row[2 * i];
    if (area < 0) area = -area;
    cover[i] = (uint8_t)(area >= FULL ? 255 : (area * 255 + FULL / 2) / FULL);
  }
}

/* ---- an area ---- */

static int pixel_of(int32_t v) { return (v - (v & (ONE - 1))) / ONE; }

/* The pixels that rings touch, within clip. */
static tsr__plot_pixels bounds(const tsr__plot_rings *rings, const tsr__plot_pixels *clip) {
  const tsr__plot_corner *const c = rings->corners.data;
  int32_t x0 = INT32_MAX, y0 = INT32_MAX, x1 = INT32_MIN, y1 = INT32_MIN;
  for (size_t i = 0; i < rings->corners.count; i++) {
    x0 = c[i].x < x0 ? c[i].x : x0;
    y0 = c[i].y < y0 ? c[i].y : y0;
    x1 = c[i].x > x1 ? c[i].x : x1;
    y1 = c[i].y > y1 ? c[i].y : y1;
  }
  tsr__plot_pixels p = {pixel_of(x0), pixel_of(y0), pixel_of(x1) + 1, pixel_of(y1) + 1};
  if (p.x < clip->x) p.x = clip->x;
  if (p.y < clip->y) p.y = clip->y;
  if (p.x1 > clip->x1) p.x1 = clip->x1;
  if (p.y1 > clip->y1) p.y1 = clip->y1;
  return p;
}

/* Rows are done some at a time, so that the sums of a large area stay in the cache. */
void tsr__fill(tsr__plot_memory *memory, tsr__plot_filler *filler, const tsr__plot_rings *rings,
               const tsr__plot_pixels *clip, tsr__plot_cover_fn *fn, void *user) {
  enum { CELLS = 1 << 15 };
  if (memory->failed || rings->corners.count == 0) return;
  const tsr__plot_pixels area = bounds(rings, clip);
  if (area.x >= area.x1 || area.y >= area.y1) return;
  cells c = {.x = area.x, .width = area.x1 - area.x};
  const int at_once = c.width >= CELLS ? 1 : CELLS / c.width;
  const int most = at_once < area.y1 - area.y ? at_once : area.y1 - area.y;
  const size_t row = 2 * (size_t)(c.width + 1);
  filler->sums.count = filler->cover.count = 0;
  c.sums = tsr__plot_push(memory, &filler->sums, sizeof *c.sums, row * (size_t)most);
  uint8_t *const cover = tsr__plot_push(memory, &filler->cover, 1, (size_t)c.width);
  if (c.sums == NULL || cover == NULL) return;
  for (c.y = area.y; c.y < area.y1; c.y += most) {
    c.height = area.y1 - c.y < most ? area.y1 - c.y : most;
    if (c.y > area.y) memset(c.sums, 0, row * (size_t)c.height * sizeof *c.sums);
    add_rings(&c, rings);
    for (int i = 0; i < c.height; i++) {
      put_row(c.sums + (size_t)i * row, c.width, cover);
      fn(user, c.y + i, c.x, c.width, cover);
    }
  }
}

void tsr__filler_release(const tsr__plot_memory *memory, tsr__plot_filler *filler) {
  tsr__plot_array_release(memory, &filler->sums, sizeof(int32_t));
  tsr__plot_array_release(memory, &filler->cover, 1);
}

#endif
