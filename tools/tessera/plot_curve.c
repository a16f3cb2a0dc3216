/* Histograms and lines: plots with two axes of numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "axes.h"
#include "hist.h"
#include "numbers.h"
#include "plot.h"
#include "report.h"

enum { WIDTH = 900, HEIGHT = 520 };

static const uint32_t line_colors[] = {0x2b6f93, 0xc8553d, 0x4c956c, 0x8e5ea2, 0xd79b00, 0x555555, 0x1f9e9e, 0xb5446e};
enum { LINES = (int)(sizeof line_colors / sizeof line_colors[0]) };

/* The empty picture with its title and the axis on the left; *area is what remains for the curve. */
static bool begin(const plot *p, axis upright, canvas *out, box *area) {
  const int width = p->width > 0 ? p->width : WIDTH, height = p->height > 0 ? p->height : HEIGHT;
  *area = (box){0, TITLE_HEIGHT, 0, height - TITLE_HEIGHT - BOTTOM_ROOM};
  area->x = axes_left_room(upright, area->height);
  if (area->x > width / 2) area->x = width / 2; /* a picture of 200 pixels has room for no number of 12 digits */
  area->width = width - area->x - EDGE;
  if (!canvas_init(out, width, height)) return false;
  axes_title(out, p->title);
  axes_left(out, *area, upright, true, false);
  return true;
}

/* ---- histograms ---- */

bool plot_hist(const plot *p, canvas *out) {
  histogram h;
  box area;
  if (histogram_count(p->ctx, p->tensor, p->bins, &h) != TSR_OK) return report_failure(p->ctx, NULL), false;
  const bool ok = begin(p, (axis){0, (double)h.most, true}, out, &area);
  if (ok) {
    const axis across = {isnan(h.least) ? 0 : h.least, isnan(h.greatest) ? 1 : h.greatest, false};
    axes_below(out, area, across, false);
    for (int i = 0; i < h.bins; i++) {
      const int left = i * area.width / h.bins, right = (i + 1) * area.width / h.bins;
      const int height = h.most > 0 ? (int)lround((double)h.counts[i] / (double)h.most * area.height) : 0;
      const int gap = right - left > 4 ? 1 : 0;
      canvas_fill(out, (box){area.x + left, area.y + area.height - height, right - left - gap, height}, ACCENT);
    }
    canvas_frame(out, area, INK);
  }
  histogram_release(&h);
  return ok;
}

/* ---- lines ---- */

/* The least and the greatest number of each column of pixels: NaN where there is none. What is not finite is a gap. */
typedef struct curve {
  tsr_index count, at;
  int width;
  double *least, *greatest;
  bool *apart; /* there is a gap before the first number of the column */
  bool gap;    /* the last number was not finite */
} curve;

static void add_values(void *user, const double *values, tsr_index n) {
  curve *v = user;
  for (tsr_index i = 0; i < n; i++, v->at++) {
    const tsr_index x = v->count > 1 ? v->at * (v->width - 1) / (v->count - 1) : 0;
    const bool gap = v->gap;
    v->gap = !isfinite(values[i]);
    if (v->gap) continue;
    if (isnan(v->least[x])) v->apart[x] = gap;
    v->least[x] = fmin(v->least[x], values[i]);
    v->greatest[x] = fmax(v->greatest[x], values[i]);
  }
}

static double height_of(box area, double value, axis a) {
  return area.y + (1 - heat_place(value, a.least, a.greatest)) * area.height;
}

/* Whether no line goes on from column x: the next number is behind a gap, or there is none. */
static bool ends_at(const curve *v, int x) {
  for (x++; x < v->width; x++)
    if (!isnan(v->least[x])) return v->apart[x];
  return true;
}

/* Joins what the columns hold: one with several numbers is a stroke from the least to the greatest, a number alone
 * between gaps a dot. */
static void draw_curve(canvas *out, const curve *v, box area, axis a, uint32_t color) {
  int last = -1;
  double before = 0;
  for (int x = 0; x < v->width; x++) {
    if (isnan(v->least[x])) continue;
    const double low = height_of(area, v->least[x], a), high = height_of(area, v->greatest[x], a);
    const double middle = (low + high) / 2;
    if (high < low) canvas_line(out, area.x + x, low, area.x + x, high, 1, color);
    const bool joined = last >= 0 && !v->apart[x];
    if (joined) canvas_line(out, area.x + last, before, area.x + x, middle, 2, color);
    if (!joined) canvas_line(out, area.x + x, middle, area.x + x, middle, ends_at(v, x) ? 5 : 2, color);
    last = x;
    before = middle;
  }
}

static tsr_status draw_row(const plot *p, const tsr_tensor *row, canvas *out, box area, axis a, uint32_t color) {
  curve v = {.count = tsr_size(row), .width = area.width};
  v.least = malloc((size_t)v.width * (2 * sizeof *v.least + sizeof *v.apart));
  if (v.least == NULL) return TSR_ENOMEM;
  v.greatest = v.least + v.width;
  v.apart = (bool *)(v.greatest + v.width);
  for (int x = 0; x < 2 * v.width; x++) v.least[x] = (double)NAN;
  const tsr_status st = numbers_visit(p->ctx, row, add_values, &v);
  if (st == TSR_OK) draw_curve(out, &v, area, a, color);
  free(v.least);
  return st;
}

/* A little air above and below. */
static axis padded(double least, double greatest) {
  const double air = greatest > least ? 0.04 * (greatest - least) : fmax(fabs(least) * 0.1, 0.5);
  return (axis){least - air, greatest + air, false};
}

bool plot_line(const plot *p, canvas *out) {
  tsr_tensor rows = {0};
  double least = 0, greatest = 0;
  box area;
  tsr_status st = numbers_matrix(p->ctx, p->tensor, &rows, NULL, 0);
  if (st == TSR_OK) st = heat_range(p->ctx, &rows, &p->colors, &least, &greatest);
  if (st == TSR_OK && rows.shape[1] == 1) st = tsr_transpose(p->ctx, &rows, 0, 1, &rows); /* one column is one line */
  if (st != TSR_OK) return report_failure(p->ctx, NULL), false;
  if (rows.shape[0] > LINES)
    return report("%lld lines are too many: take a slice of at most %d rows", (long long)rows.shape[0], LINES), false;
  if (isnan(least)) least = greatest = 0;
  const axis upright = padded(least, greatest);
  if (!begin(p, upright, out, &area)) return false;
  axes_below(out, area, (axis){0, (double)(rows.shape[1] > 1 ? rows.shape[1] - 1 : 1), true}, true);
  for (tsr_index i = 0; i < rows.shape[0] && st == TSR_OK; i++) {
    tsr_tensor row = {0};
    st = tsr_select(p->ctx, &rows, 0, i, &row);
    if (st == TSR_OK) st = draw_row(p, &row, out, area, upright, line_colors[i]);
  }
  canvas_frame(out, area, INK);
  if (st != TSR_OK) canvas_release(out);
  return st == TSR_OK || (report_failure(p->ctx, NULL), false);
}
