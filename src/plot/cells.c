/* Heat maps and images: elements as squares of colour. */
#include "plot/scene.h"

#if TSR_HAVE_PLOT

#include <math.h>

#include <tessera/view.h>

/* ---- what is in them ---- */

typedef struct cell_counts {
  tsr__plot_seen *seen;
  tsr__plot_frame *f;
} cell_counts;

static void see_cells(void *user, tsr_index n, const double *x, const double *y, const double *color) {
  const cell_counts *const c = user;
  (void)x, (void)color;
  for (tsr_index i = 0; i < n; i++) {
    if (isfinite(y[i]))
      tsr__range_add(&c->seen->color, y[i]);
    else if (isnan(y[i]))
      c->f->missing++;
    else
      c->f->infinite++;
  }
}

/* As many columns as the axis before the last two has, where that fits; else about a square. */
static int columns_of_tiles(const tsr_tensor *t, tsr_index tiles) {
  const int square = (int)ceil(sqrt((double)tiles));
  const tsr_index inner = t->ndim > 3 ? t->shape[t->ndim - 3] : 1;
  return inner >= square / 2 && inner <= 2 * square ? (int)inner : square;
}

tsr_status tsr__cells_see(tsr__plot_draw *d, tsr__plot_frame *f, size_t i) {
  const tsr__plot_series *const s = &f->series[i];
  tsr__plot_seen *const seen = &f->seen[i];
  const int rank = s->y.ndim, last = s->kind == TSR__SERIES_IMAGE ? 1 : rank - 1;
  cell_counts c = {seen, f};
  f->cells = true;
  seen->rows = s->y.shape[last - 1];
  seen->columns = s->y.shape[last];
  seen->tiles = 1;
  for (int k = 0; k < last - 1; k++) seen->tiles *= s->y.shape[k];
  if (last > 1) f->bare = true;
  seen->across = last > 1 ? columns_of_tiles(&s->y, seen->tiles) : 1;
  if (seen->rows > 0 && seen->columns > 0) {
    seen->x = (tsr__plot_range){-0.5, (double)seen->columns - 0.5};
    seen->y = (tsr__plot_range){-0.5, (double)seen->rows - 0.5};
  }
  return s->kind == TSR__SERIES_IMAGE ? TSR_OK : tsr__elements_visit(d, &s->y, see_cells, &c);
}

/* ---- means of what falls into a pixel ---- */

typedef struct cell_band {
  tsr_index columns, at; /* at: the column of the next element */
  int width;
  double *sums, *counts; /* width of each */
} cell_band;

static void add_to_band(void *user, tsr_index n, const double *x, const double *y, const double *color) {
  cell_band *const b = user;
  (void)x, (void)color;
  for (tsr_index i = 0; i < n; i++) {
    const tsr_index p = b->at * b->width / b->columns;
    if (++b->at == b->columns) b->at = 0;
    if (!isfinite(y[i])) continue;
    b->sums[p] += y[i];
    b->counts[p] += 1;
  }
}

/* A matrix as width × height numbers, no more than it has itself. */
static tsr_status shrink(tsr__plot_draw *d, const tsr_tensor *m, int width, int height, double *to) {
  tsr__plot_array room = {0};
  cell_band b = {.columns = m->shape[1], .width = width};
  tsr_status st = TSR_OK;
  b.sums = tsr__plot_push(&d->list.memory, &room, sizeof(double), 2 * (size_t)width);
  if (b.sums == NULL) return TSR_OK; /* told at the end */
  b.counts = b.sums + width;
  for (int y = 0; y < height && st == TSR_OK; y++) {
    const tsr_index rows = m->shape[0], first = y * rows / height, end = (y + 1) * rows / height;
    tsr_tensor part = {0};
    for (int x = 0; x < 2 * width; x++) b.sums[x] = 0;
    b.at = 0;
    st = tsr_narrow(d->ctx, m, 0, first, end - first, &part);
    if (st == TSR_OK) st = tsr__elements_visit(d, &part, add_to_band, &b);
    for (int x = 0; x < width; x++, to++) *to = b.counts[x] > 0 ? b.sums[x] / b.counts[x] : (double)NAN;
  }
  tsr__plot_array_release(&d->list.memory, &room, sizeof(double));
  return st;
}

static int fewer(tsr_index cells, double points, double detail) {
  const double most = 16000, pixels = fmin(fmax(floor(points * detail), 1), most);
  return (double)cells > pixels ? (int)pixels : (int)cells;
}

/* ---- heat maps ---- */

typedef struct cell_box {
  double x, y, width, height;
} cell_box;

static tsr_status draw_matrix(tsr__plot_draw *d, const tsr__plot_frame *f, const tsr_tensor *m, cell_box at) {
  const int width = fewer(m->shape[1], at.width, d->detail), height = fewer(m->shape[0], at.height, d->detail);
  const size_t n = (size_t)width * (size_t)height;
  const double span = f->cs.max - f->cs.min;
  tsr__plot_array room = {0};
  double *const values = tsr__plot_push(&d->list.memory, &room, sizeof *values, n);
  const tsr_status st = values != NULL ? shrink(d, m, width, height, values) : TSR_OK;
  uint32_t *const colors = st == TSR_OK && values != NULL
                               ? tsr__list_cells(&d->list, at.x, at.y, at.width, at.height, width, height, 0)
                               : NULL;
  for (size_t i = 0; i < n && colors != NULL; i++)
    colors[i] = tsr__shade_at(&f->shades, span > 0 ? (values[i] - f->cs.min) / span : values[i] - values[i] + 0.5);
  tsr__plot_array_release(&d->list.memory, &room, sizeof(double));
  return st;
}

static tsr_status draw_tiles(tsr__plot_draw *d, const tsr__plot_frame *f, size_t i) {
  const tsr_tensor *const t = &f->series[i].y;
  const tsr_index tiles = f->seen[i].tiles;
  const int across = f->seen[i].across, down = (int)((tiles + across - 1) / across);
  const double gap = fmin(2, f->width / across / 4), wide = (f->width + gap) / across, high = (f->height + gap) / down;
  tsr_status st = TSR_OK;
  for (tsr_index k = 0; k < tiles && st == TSR_OK; k++) {
    tsr_index index[TSR_MAX_DIMS] = {0}, rest = k;
    tsr_tensor m = {0};
    for (int axis = t->ndim - 3; axis >= 0; rest /= t->shape[axis--]) index[axis] = rest % t->shape[axis];
    st = tsr_mat(d->ctx, t, t->ndim - 2, index, &m);
    const cell_box at = {f->x + (double)(k % across) * wide, f->y + (double)(k / across) * high, wide - gap,
                         high - gap};
    if (st == TSR_OK) st = draw_matrix(d, f, &m, at);
  }
  return st;
}

/* ---- images ---- */

static double white_of(const tsr_tensor *t) { return t->dtype == TSR_U8 ? 255 : t->dtype == TSR_U16 ? 65535 : 1; }

/* A plane of an image: of a grey one each is the same, and one without alpha is opaque. */
static tsr_status shrink_plane(tsr__plot_draw *d, const tsr_tensor *image, int plane, int width, int height,
                               double *to) {
  const int planes = image->ndim == 3 ? (int)image->shape[2] : 1;
  tsr_tensor m = {0};
  if (plane == 3 && planes < 4) {
    for (size_t i = 0; i < (size_t)width * (size_t)height; i++) to[i] = white_of(image);
    return TSR_OK;
  }
  const tsr_status st =
      image->ndim == 3 ? tsr_select(d->ctx, image, 2, plane < planes ? plane : 0, &m) : tsr_view(d->ctx, image, &m);
  return st == TSR_OK ? shrink(d, &m, width, height, to) : st;
}

static uint32_t byte_of(double value, double white) {
  return value > 0 ? (uint32_t)(fmin(value / white, 1) * 255 + 0.5) : 0;
}

static tsr_status draw_image(tsr__plot_draw *d, const tsr__plot_frame *f, const tsr_tensor *image) {
  const int width = fewer(image->shape[1], f->width, d->detail), height = fewer(image->shape[0], f->height, d->detail);
  const size_t n = (size_t)width * (size_t)height;
  const double white = white_of(image);
  tsr__plot_array room = {0};
  double *const values = tsr__plot_push(&d->list.memory, &room, sizeof *values, 4 * n);
  tsr_status st = TSR_OK;
  for (int k = 0; k < 4 && st == TSR_OK && values != NULL; k++)
    st = shrink_plane(d, image, k, width, height, values + (size_t)k * n);
  uint32_t *const colors = st == TSR_OK && values != NULL
                               ? tsr__list_cells(&d->list, f->x, f->y, f->width, f->height, width, height, 0)
                               : NULL;
  for (size_t i = 0; i < n && colors != NULL; i++) {
    colors[i] = f->shades.missing;
    if (isnan(values[i]) || isnan(values[n + i]) || isnan(values[2 * n + i])) continue;
    colors[i] = byte_of(values[3 * n + i], white) << 24 | byte_of(values[i], white) << 16 |
                byte_of(values[n + i], white) << 8 | byte_of(values[2 * n + i], white);
  }
  tsr__plot_array_release(&d->list.memory, &room, sizeof(double));
  return st;
}

tsr_status tsr__cells_draw(tsr__plot_draw *d, tsr__plot_frame *f, size_t i) {
  const tsr__plot_series *const s = &f->series[i];
  if (tsr_size(&s->y) == 0) return TSR_OK;
  if (s->kind == TSR__SERIES_IMAGE) return draw_image(d, f, &s->y);
  return s->y.ndim == 2 ? draw_matrix(d, f, &s->y, (cell_box){f->x, f->y, f->width, f->height}) : draw_tiles(d, f, i);
}

#endif
