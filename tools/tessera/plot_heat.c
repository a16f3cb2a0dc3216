/* Heat maps: the last two axes of a tensor, or a grid of such matrices. */
#include <math.h>
#include <stdlib.h>

#include "axes.h"
#include "numbers.h"
#include "plot.h"
#include "report.h"

enum {
  SIDE = 560,
  GRID_SIDE = 720,
  NARROWEST = 160,
  LARGEST = 64 /* pixels of an element */,
  LARGEST_TILED = 32,
  TILES = 4096,
  GAP = 2
};

/* ---- one matrix ---- */

void plot_fit(const plot *p, tsr_index rows, tsr_index columns, int around, box *area) {
  const int width = p->width > 0 ? p->width - around : SIDE;
  const int height = p->height > 0 ? p->height - TITLE_HEIGHT - BOTTOM_ROOM : SIDE;
  double scale = fmin(width / (double)columns, height / (double)rows);
  if (scale > 1) scale = fmin(floor(scale), LARGEST);
  area->width = (int)fmax((double)columns * scale, 1);
  area->height = (int)fmax((double)rows * scale, 1);
  if (area->height < NARROWEST) area->height = NARROWEST; /* a vector is a strip that can be seen, with its scale */
  if (area->width < NARROWEST) area->width = NARROWEST;
}

/* Draws a matrix into an area: false when there is no memory or it could not be read, which is reported. */
static bool draw_matrix(const plot *p, const tsr_tensor *m, canvas *c, box area, double least, double greatest) {
  double *pixels = malloc((size_t)area.width * (size_t)area.height * sizeof *pixels);
  if (pixels == NULL) return report("out of memory"), false;
  const tsr_status st = numbers_pixels(p->ctx, m, area.width, area.height, pixels);
  for (int y = 0; y < area.height && st == TSR_OK; y++)
    for (int x = 0; x < area.width; x++) {
      const double value = pixels[(size_t)y * (size_t)area.width + (size_t)x];
      canvas_fill(c, (box){area.x + x, area.y + y, 1, 1},
                  colormap_at(p->colors.map, heat_place(value, least, greatest)));
    }
  free(pixels);
  return st == TSR_OK || (report_failure(p->ctx, NULL), false);
}

bool plot_heat(const plot *p, canvas *out) {
  tsr_tensor m = {0};
  char index[64];
  double least = 0, greatest = 0;
  tsr_status st = numbers_matrix(p->ctx, p->tensor, &m, index, sizeof index);
  if (st == TSR_OK) st = heat_range(p->ctx, &m, &p->colors, &least, &greatest);
  if (st != TSR_OK) return report_failure(p->ctx, NULL), false;
  const axis upright = {0, (double)m.shape[0], true};
  box area = {0, TITLE_HEIGHT, 0, 0};
  plot_fit(p, m.shape[0], m.shape[1], LEFT_ROOM + SCALE_ROOM, &area);
  area.x = axes_left_room(upright, area.height);
  const int width = area.x + area.width + axes_scale_room(area.height, least, greatest);
  if (!canvas_init(out, width, TITLE_HEIGHT + area.height + BOTTOM_ROOM)) return false;
  axes_title(out, p->title);
  const bool ok = draw_matrix(p, &m, out, area, least, greatest);
  canvas_frame(out, area, INK);
  axes_below(out, area, (axis){0, (double)m.shape[1], true}, false);
  axes_left(out, area, upright, false, true);
  axes_scale(out, area, p->colors.map, least, greatest);
  if (!ok) canvas_release(out);
  return ok;
}

/* ---- many ---- */

/* The tensor with its pictures in the last two axes. */
static tsr_status pictures_last(tsr_ctx *ctx, const tsr_tensor *t, tsr_tensor *out) {
  switch (t->layout) {
    case TSR_NHWC: return tsr_to_layout_view(ctx, t, TSR_NCHW, out);
    case TSR_OHWI:
    case TSR_HWIO: return tsr_to_layout_view(ctx, t, TSR_OIHW, out);
    default: return tsr_view(ctx, t, out);
  }
}

/* Matrix number i of all that the leading axes count. */
static tsr_status tile_at(tsr_ctx *ctx, const tsr_tensor *t, tsr_index i, tsr_tensor *out) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  for (int k = t->ndim - 3; k >= 0; i /= t->shape[k--]) index[k] = i % t->shape[k];
  return tsr_mat(ctx, t, t->ndim - 2, index, out);
}

typedef struct grid {
  tsr_tensor t;
  tsr_index count;
  int columns, rows;
  box tile; /* its width and height */
  double least, greatest;
} grid;

/* As many columns as the axis before the last two has, where that fits; else about a square. */
static void arrange(const plot *p, grid *g) {
  const tsr_index width = g->t.shape[g->t.ndim - 1], height = g->t.shape[g->t.ndim - 2];
  const tsr_index inner = g->t.ndim > 3 ? g->t.shape[g->t.ndim - 3] : 1;
  const int square = (int)ceil(sqrt((double)g->count));
  g->columns = inner >= square / 2 && inner <= 2 * square ? (int)inner : square;
  g->rows = (int)((g->count + g->columns - 1) / g->columns);
  const int across = p->width > 0 ? p->width - EDGE - SCALE_ROOM : GRID_SIDE;
  const int down = p->height > 0 ? p->height - TITLE_HEIGHT - EDGE : GRID_SIDE;
  const tsr_index wide = (across / g->columns - GAP) / width, high = (down / g->rows - GAP) / height;
  int scale = (int)(wide < high ? wide : high);
  scale = scale < 1 ? 1 : scale > LARGEST_TILED ? LARGEST_TILED : scale;
  g->tile = (box){0, 0, (int)width * scale, (int)height * scale};
}

static bool draw_tiles(const plot *p, const grid *g, canvas *out) {
  for (tsr_index i = 0; i < g->count; i++) {
    tsr_tensor m = {0};
    box area = g->tile;
    area.x = EDGE + (int)(i % g->columns) * (area.width + GAP);
    area.y = TITLE_HEIGHT + (int)(i / g->columns) * (area.height + GAP);
    if (tile_at(p->ctx, &g->t, i, &m) != TSR_OK) return report_failure(p->ctx, NULL), false;
    if (!draw_matrix(p, &m, out, area, g->least, g->greatest)) return false;
  }
  return true;
}

bool plot_grid(const plot *p, canvas *out) {
  grid g = {0};
  tsr_status st = pictures_last(p->ctx, p->tensor, &g.t);
  if (st == TSR_OK && g.t.ndim < 3) return plot_heat(p, out);
  if (st == TSR_OK) st = heat_range(p->ctx, &g.t, &p->colors, &g.least, &g.greatest);
  if (st != TSR_OK) return report_failure(p->ctx, NULL), false;
  g.count = tsr_size(&g.t) / g.t.shape[g.t.ndim - 1] / g.t.shape[g.t.ndim - 2];
  if (g.count > TILES)
    return report("%lld pictures are too many: take a slice of at most %d", (long long)g.count, TILES), false;
  arrange(p, &g);
  const int64_t width = (int64_t)g.columns * (g.tile.width + GAP);
  int64_t height = (int64_t)g.rows * (g.tile.height + GAP);
  if (width > 16000 || height > 16000) return report("the grid is too large for a picture: take a slice"), false;
  if (height < SCALE_HEIGHT + GAP) height = SCALE_HEIGHT + GAP;
  const int scale = axes_scale_room((int)height - GAP, g.least, g.greatest);
  if (!canvas_init(out, EDGE + (int)width + scale, TITLE_HEIGHT + (int)height + EDGE)) return false;
  axes_title(out, p->title);
  const bool ok = draw_tiles(p, &g, out);
  axes_scale(out, (box){EDGE, TITLE_HEIGHT, (int)width - GAP, (int)height - GAP}, p->colors.map, g.least, g.greatest);
  if (!ok) canvas_release(out);
  return ok;
}
