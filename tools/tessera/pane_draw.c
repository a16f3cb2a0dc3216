#include "pane_draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "colormap.h"
#include "columns.h"
#include "heat.h"
#include "magnitude.h"
#include "numbers.h"
#include "text.h"

/* ---- elements ---- */

/* In as few digits as read back as the same f32 or f64, of those that are allowed. */
static void put_real(int dtype, double value, int most, char *out, size_t capacity) {
  if (isnan(value)) {
    (void)snprintf(out, capacity, "nan");
    return;
  }
  for (int digits = most < 6 ? most : 6; digits <= most; digits++) {
    (void)snprintf(out, capacity, "%.*g", digits, value);
    double back = strtod(out, NULL);
    if (dtype != TSR_F64 && dtype != TSR_C128) back = (double)(float)back;
    if (!(back < value || back > value)) return;
  }
}

static tsr_status put_complex(tsr_ctx *ctx, const tsr_tensor *m, const tsr_index *at, int digits, char *text) {
  char real[32], imaginary[32];
  tsr_real value[2] = {0};
  for (int i = 0; i < 2; i++) {
    tsr_tensor part = {0};
    tsr_status st = tsr_complex_part(ctx, m, i, &part);
    if (st == TSR_OK) st = tsr_get(ctx, &part, 2, at, &value[i]);
    if (st != TSR_OK) return st;
  }
  put_real(m->dtype, value[0], digits, real, sizeof real);
  put_real(m->dtype, fabs(value[1]), digits, imaginary, sizeof imaginary);
  (void)snprintf(text, PANE_CELL, "%s%c%sj", real, signbit(value[1]) ? '-' : '+', imaginary);
  return TSR_OK;
}

tsr_status pane_cell(tsr_ctx *ctx, const tsr_tensor *m, tsr_index row, tsr_index column, int digits, char *text) {
  const tsr_index at[2] = {row, column};
  const int class = tsr_dtype_describe(m->dtype)->class_;
  tsr_real value = 0;
  int64_t whole = 0;
  if (class == TSR_CLASS_COMPLEX) return put_complex(ctx, m, at, digits, text);
  if (class < TSR_CLASS_FLOAT && m->dtype != TSR_U64) {
    const tsr_status st = tsr_get_i64(ctx, m, 2, at, &whole);
    (void)snprintf(text, PANE_CELL, "%lld", (long long)whole);
    return st;
  }
  const tsr_status st = tsr_get(ctx, m, 2, at, &value);
  if (m->dtype == TSR_U64) {
    (void)snprintf(text, PANE_CELL, "%.0f", value);
  } else {
    put_real(m->dtype, value, digits, text, PANE_CELL);
  }
  return st;
}

tsr_status pane_text(const pane *p, const tsr_tensor *m, tsr_index row, tsr_index column, int digits, char *text) {
  const tsr_column *what = target_column(p->from, p->of);
  const tsr_index at[2] = {row, column};
  int64_t value = 0;
  if (what == NULL || what->kind == TSR_COLUMN_NUMBER) return pane_cell(p->ctx, m, row, column, digits, text);
  const tsr_status st = tsr_get_i64(p->ctx, m, 2, at, &value);
  rows_text(what, value, text, PANE_CELL);
  return st;
}

/* ---- tables ---- */

/* The name of a column where the file is a table, else its number. */
static void title_of(const pane *p, tsr_index column, char *out) {
  const char *name = p->of->tensor.ndim <= 2 && p->rows < p->columns ? columns_name(&p->from->metadata, column) : NULL;
  if (name != NULL && p->from->bundle.count == 1)
    (void)text_escape(name, TEXT_LINE, out, PANE_CELL);
  else
    (void)snprintf(out, PANE_CELL, "%lld", (long long)column);
}

/* One column from x on; returns where it ends, or -1 where it does not fit. */
static int put_column(const pane *p, screen *s, pane_box box, const tsr_tensor *m, tsr_index column, int x,
                      bool focused) {
  char(*cells)[PANE_CELL] = calloc((size_t)(box.bottom - box.top) + 1, sizeof *cells);
  if (cells == NULL) return -1;
  int width = 0, count = 0;
  title_of(p, column, cells[0]);
  width = (int)text_width(cells[0], TEXT_LINE);
  for (int y = box.top + 1; y < box.bottom && p->top + count < m->shape[0]; y++) {
    char *cell = cells[++count];
    if (pane_text(p, m, p->top + count - 1, column, p->digits, cell) != TSR_OK) tsr_error_clear(p->ctx);
    const int places = (int)text_width(cell, TEXT_LINE);
    width = places > width ? places : width;
  }
  int end = x + width;
  if (end > box.right && x > box.left + 12) end = -1;
  if (end > box.right) end = box.right;
  for (int i = 0; i <= count && end >= 0; i++) {
    const bool under = focused && i > 0 && column == p->column && p->top + i - 1 == p->row;
    screen_right(s, x, box.top + i, end, cells[i], i == 0 ? look_bold : under ? look_marked : look_plain);
  }
  free(cells);
  return end;
}

static int put_numbers(const pane *p, screen *s, pane_box box, tsr_index rows) {
  char text[32];
  const tsr_index shown = box.bottom - box.top - 1, last = p->top + shown < rows ? p->top + shown : rows;
  const int width = snprintf(text, sizeof text, "%lld", (long long)(last > 0 ? last - 1 : 0));
  for (int i = 0; i < shown && p->top + i < rows; i++) {
    (void)snprintf(text, sizeof text, "%lld", (long long)(p->top + i));
    screen_right(s, box.left, box.top + 1 + i, box.left + width, text, look_dim);
  }
  return box.left + width;
}

/* As many columns as fit; once more from further right where the cursor's is not among them. */
tsr_status pane_put_table(pane *p, screen *s, pane_box box, const tsr_tensor *m, bool focused) {
  for (;;) {
    int x = put_numbers(p, s, box, m->shape[0]);
    tsr_index column = p->left;
    while (column < m->shape[1]) {
      const int end = put_column(p, s, box, m, column, x + 2, focused);
      if (end < 0) break;
      x = end;
      column++;
      if (x >= box.right) break;
    }
    p->seen_columns = (int)(column - p->left);
    if (p->column < column || p->left >= p->column) return TSR_OK;
    p->left++;
    for (int y = box.top; y < box.bottom; y++)
      for (int k = box.left; k < box.right; k++) screen_put(s, k, y, ' ', look_plain);
  }
}

/* ---- maps ---- */

enum { LARGEST = 6 /* pixels of an element */, LOOKED_AT = 4 << 20 /* elements */ };

/* Every so many rows and columns of a large one. */
static tsr_status thin_out(tsr_ctx *ctx, const tsr_tensor *m, tsr_tensor *out) {
  tsr_status st = tsr_view(ctx, m, out);
  for (int axis = 0; axis < 2 && st == TSR_OK; axis++) {
    const tsr_index step = tsr_size(out) / LOOKED_AT + 1, most = out->shape[axis] / 512 + 1;
    if (step > 1) st = tsr_slice(ctx, out, axis, 0, TSR_OMIT, step < most ? step : most, out);
  }
  return st;
}

static char letter(double place) {
  static const char ramp[] = " .:-=+*#%@";
  return isnan(place) ? '?' : ramp[(int)(place * 9 + 0.5)];
}

static void put_scale(screen *s, pane_box box, const colormap *map, double least, double greatest) {
  char text[32];
  const int y = box.bottom - 1;
  int x = screen_text(s, box.left, y, box.right, text_real(least, text), look_plain) + 1;
  for (int i = 0; i < 20 && x < box.right; i++, x++) {
    const double at = (i + 0.5) / 20;
    const screen_look look = {SCREEN_PLAIN, (int32_t)colormap_at(map, at), 0};
    screen_put(s, x, y, s->color ? ' ' : (uint32_t)letter(at), look);
  }
  (void)screen_text(s, x + 1, y, box.right, text_real(greatest, text), look_plain);
}

typedef struct picture {
  const colormap *map;
  double *pixels, least, greatest;
  int width, height;
} picture;

static double place_at(const picture *p, int x, int y) {
  const double value = p->pixels[y * p->width + x];
  if (isnan(value)) return value;
  return fmin(fmax(heat_place(value, p->least, p->greatest), 0), 1);
}

static void put_pixels(const picture *p, screen *s, pane_box box) {
  const bool halves = s->color && s->utf8;
  for (int y = 0; y < p->height; y += halves ? 2 : 1)
    for (int x = 0; x < p->width; x++) {
      const int row = box.top + (halves ? y / 2 : y);
      const double above = place_at(p, x, y);
      screen_look look = {(int32_t)colormap_at(p->map, above), SCREEN_PLAIN, 0};
      if (halves && y + 1 < p->height) look.ground = (int32_t)colormap_at(p->map, place_at(p, x, y + 1));
      if (halves) screen_put(s, box.left + x, row, 0x2580, look);
      if (!halves) screen_put(s, box.left + x, row, (uint32_t)letter(above), look_plain);
    }
}

/* Elements are square: a letter is two pixels high where there are half blocks, else two letters are one. */
static void fit(const screen *s, pane_box box, const tsr_tensor *m, picture *p) {
  const bool halves = s->color && s->utf8;
  const int width = box.right - box.left, height = (box.bottom - box.top - 2) * (halves ? 2 : 1);
  const double across = halves ? 1 : 2;
  double scale = fmin(width / across / (double)m->shape[1], height / (double)m->shape[0]);
  if (scale >= 1) scale = fmin(floor(scale), LARGEST);
  p->width = (int)fmin(width, fmax(1, floor((double)m->shape[1] * scale * across)));
  p->height = (int)fmin(height, fmax(1, floor((double)m->shape[0] * scale)));
}

tsr_status pane_put_heat(const pane *p, screen *s, pane_box box, const tsr_tensor *m) {
  tsr_tensor numbers = {0}, some = {0};
  tsr_summary all;
  picture of = {0};
  if (box.bottom - box.top < 3) return TSR_OK;
  tsr_status st = thin_out(p->ctx, m, &some);
  if (st == TSR_OK) st = magnitudes_or_view(p->ctx, &some, &numbers);
  if (st == TSR_OK) st = tsr_summarize(p->ctx, &numbers, &all);
  if (st == TSR_OK) {
    const bool both = all.min < 0 && all.max > 0; /* 0 in the middle */
    of.map = colormap_find(both ? "diverging" : NULL);
    of.greatest = both ? fmax(-all.min, all.max) : all.max;
    of.least = both ? -of.greatest : all.min;
    fit(s, box, &numbers, &of);
    of.pixels = calloc((size_t)of.width * (size_t)of.height + 1, sizeof *of.pixels);
    st = of.pixels != NULL ? numbers_pixels(p->ctx, &numbers, of.width, of.height, of.pixels) : TSR_ENOMEM;
  }
  if (st == TSR_OK) put_pixels(&of, s, box);
  if (st == TSR_OK) put_scale(s, box, of.map, of.least, of.greatest);
  free(of.pixels);
  tsr_release(&numbers);
  return st;
}

/* ---- histograms ---- */

static void put_bars(const histogram *h, screen *s, pane_box box) {
  enum { NUMBERS = 12, COUNTS = 12 };
  const double step = (h->greatest - h->least) / h->bins;
  const int room = box.right - box.left - NUMBERS - COUNTS;
  char text[32];
  for (int i = 0; i < h->bins; i++) {
    const int y = box.top + i, x = box.left + NUMBERS;
    screen_right(s, box.left, y, x - 1, text_real(h->least + i * step, text), look_plain);
    const int length = h->most > 0 && room > 0 ? (int)ceil(room * (double)h->counts[i] / (double)h->most) : 0;
    for (int k = 0; k < length; k++)
      screen_put(s, x + k, y, s->utf8 ? 0x2588 : '#', (screen_look){0x2b8693, SCREEN_PLAIN, 0});
    if (h->counts[i] > 0) (void)screen_text(s, x + length + 1, y, box.right, text_count(h->counts[i], text), look_dim);
  }
  screen_right(s, box.left, box.top + h->bins, box.left + NUMBERS - 1, text_real(h->greatest, text), look_plain);
}

tsr_status pane_put_hist(const pane *p, screen *s, pane_box box, const tsr_tensor *m) {
  const int room = box.bottom - box.top - 1;
  histogram h = {0};
  tsr_tensor numbers = {0};
  if (room < 1) return TSR_OK;
  tsr_status st = magnitudes_or_view(p->ctx, m, &numbers);
  if (st == TSR_OK) st = histogram_count(p->ctx, &numbers, room < 20 ? room : 20, &h);
  if (st == TSR_OK && isnan(h.least))
    (void)screen_text(s, box.left, box.top, box.right, "(no finite elements)", look_dim);
  if (st == TSR_OK && !isnan(h.least)) put_bars(&h, s, box);
  if (st == TSR_OK) histogram_release(&h);
  tsr_release(&numbers);
  return st;
}
