#include "grid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "report.h"
#include "text.h"

enum { CELL = 64, GAP = 2, DIGITS = 8, PLACES = 6 };

bool grid_is(const source *s, const target *t) {
  const tsr_tensor *x = &t->tensor;
  if (t->group != NULL || target_column(s, t) != NULL) return t->group != NULL || x->ndim == 1;
  if (x->ndim < 1 || x->ndim > 2 || tsr_dtype_describe(x->dtype)->class_ == TSR_CLASS_COMPLEX) return false;
  return s->format == TSR_FORMAT_CSV || s->format == TSR_FORMAT_TSV ||
         (s->bundle.count == 1 && columns_named(&s->metadata));
}

/* ---- columns ---- */

/* A column without a name goes by its number; so do all where there are no names. */
static char *title_of(const source *s, tsr_index number) {
  char digits[24];
  const char *name = columns_name(&s->metadata, number);
  if (name != NULL && name[0] != '\0') return strdup(name);
  (void)snprintf(digits, sizeof digits, "%lld", (long long)number);
  return strdup(digits);
}

/* The columns of a table of text, or some of them, one vector each. */
static bool init_group(tsr_ctx *ctx, const source *s, const target *list, tsr_index count, grid *out) {
  *out = (grid){.count = count, .rows = list[0].tensor.shape[0]};
  out->columns = calloc((size_t)count + 1, sizeof *out->columns);
  bool ok = out->columns != NULL;
  for (tsr_index i = 0; i < count && ok; i++) {
    grid_column *c = &out->columns[i];
    const tsr_column *what = target_column(s, &list[i]);
    c->title = strdup(list[i].name);
    c->what = what != NULL && what->kind != TSR_COLUMN_NUMBER ? what : NULL;
    ok = c->title != NULL && tsr_view(ctx, &list[i].tensor, &c->values) == TSR_OK;
  }
  if (!ok) report("out of memory");
  if (!ok) grid_release(out);
  return ok;
}

bool grid_init(tsr_ctx *ctx, const source *s, const target *t, grid *out) {
  const tsr_tensor *x = &t->tensor;
  if (t->group != NULL) return init_group(ctx, s, t->group->list, t->group->count, out);
  if (target_column(s, t) != NULL) return init_group(ctx, s, t, 1, out);
  *out = (grid){.count = x->ndim == 2 ? x->shape[1] : 1, .rows = x->shape[0]};
  out->columns = calloc((size_t)out->count + 1, sizeof *out->columns);
  bool ok = out->columns != NULL;
  for (tsr_index i = 0; i < out->count && ok; i++) {
    grid_column *c = &out->columns[i];
    c->title = title_of(s, i);
    ok = c->title != NULL;
    if (ok && x->ndim == 2) ok = tsr_select(ctx, x, 1, i, &c->values) == TSR_OK;
    if (ok && x->ndim == 1) ok = tsr_view(ctx, x, &c->values) == TSR_OK;
  }
  if (!ok) report("out of memory");
  if (!ok) grid_release(out);
  return ok;
}

void grid_release(grid *g) {
  for (tsr_index i = 0; g->columns != NULL && i < g->count; i++) free(g->columns[i].title);
  free(g->columns);
  *g = (grid){0};
}

/* ---- cells ---- */

/* The rows that are shown: first ones, last ones, or all; gap is behind how many of them some are left out. */
typedef struct shown {
  tsr_index count, gap, skipped;
} shown;

static shown rows_of(const grid *g, const grid_options *o) {
  if (o->head + o->tail >= g->rows || g->rows <= o->most) return (shown){.count = g->rows, .gap = -1};
  return (shown){.count = o->head + o->tail, .gap = o->head, .skipped = g->rows - o->head - o->tail};
}

static tsr_index row_of(const shown *s, tsr_index i) { return s->gap >= 0 && i >= s->gap ? i + s->skipped : i; }

/* How the numbers of a column are written: with so many places behind the point, or each in its own way. */
typedef struct style {
  bool whole, own;
  int places;
} style;

static int places_of(const char *text) {
  const char *point = strchr(text, '.');
  return point != NULL ? (int)strlen(point + 1) : 0;
}

static tsr_status number_at(tsr_ctx *ctx, const grid_column *c, tsr_index row, double *value) {
  return tsr_get(ctx, &c->values, 1, &row, value);
}

/* The places that the number with the most of them needs; none line up where one has an exponent. */
static tsr_status style_of(tsr_ctx *ctx, const grid_column *c, const shown *s, int digits, style *out) {
  char text[CELL];
  *out = (style){.whole = tsr_dtype_describe(c->values.dtype)->class_ < TSR_CLASS_FLOAT};
  if (c->what != NULL) return TSR_OK;
  for (tsr_index i = 0; i < s->count && !out->whole; i++) {
    double value = 0;
    const tsr_status st = number_at(ctx, c, row_of(s, i), &value);
    if (st != TSR_OK) return st;
    if (!isfinite(value)) continue;
    (void)snprintf(text, sizeof text, "%.*g", digits, value);
    if (strchr(text, 'e') != NULL) out->own = true;
    const int places = places_of(text);
    out->places = places > out->places ? places : out->places;
    if (out->places > PLACES && digits <= DIGITS) out->places = PLACES;
  }
  return TSR_OK;
}

static tsr_status put_whole(tsr_ctx *ctx, const grid_column *c, tsr_index row, char *text) {
  int64_t value = 0;
  if (c->values.dtype == TSR_U64) {
    double real = 0;
    const tsr_status st = number_at(ctx, c, row, &real);
    (void)snprintf(text, CELL, "%.0f", real);
    return st;
  }
  const tsr_status st = tsr_get_i64(ctx, &c->values, 1, &row, &value);
  if (c->what != NULL) {
    rows_text(c->what, value, text, CELL);
    return st;
  }
  (void)snprintf(text, CELL, "%lld", (long long)value);
  return st;
}

static tsr_status put_cell(tsr_ctx *ctx, const grid_column *c, const style *s, int digits, tsr_index row, char *text) {
  double value = 0;
  if (s->whole) return put_whole(ctx, c, row, text);
  const tsr_status st = number_at(ctx, c, row, &value);
  if (!isfinite(value)) {
    (void)snprintf(text, CELL, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
  } else if (s->own) {
    (void)snprintf(text, CELL, "%.*g", digits, value);
  } else {
    (void)snprintf(text, CELL, "%.*f", s->places, value);
  }
  return st;
}

/* ---- text ---- */

/* All cells as text, column after column. */
typedef struct page {
  const grid *g;
  shown rows;
  char (*cells)[CELL]; /* rows.count of each column */
  size_t *widths;
  tsr_index columns; /* that are shown */
  int number_width;
} page;

static tsr_status fill_column(tsr_ctx *ctx, page *p, tsr_index k, int digits) {
  const grid_column *c = &p->g->columns[k];
  style s;
  tsr_status st = style_of(ctx, c, &p->rows, digits, &s);
  p->widths[k] = text_width(c->title, TEXT_NAME);
  for (tsr_index i = 0; i < p->rows.count && st == TSR_OK; i++) {
    char *cell = p->cells[k * p->rows.count + i];
    st = put_cell(ctx, c, &s, digits, row_of(&p->rows, i), cell);
    const size_t width = text_width(cell, TEXT_LINE);
    if (width > p->widths[k]) p->widths[k] = width;
  }
  return st;
}

/* Columns that do not fit the terminal are left out, and told. */
static void fit(page *p, const grid_options *o, const terminal *to) {
  size_t used = (size_t)p->number_width;
  for (p->columns = 0; p->columns < p->g->count; p->columns++) {
    used += GAP + p->widths[p->columns];
    if (!o->whole && p->columns > 0 && used > (size_t)to->width) return;
  }
}

/* Text is set to the left, all else to the right. */
static bool is_left(const grid_column *c) { return c->what != NULL && c->what->kind == TSR_COLUMN_TEXT; }

static void put_padded(const page *p, tsr_index k, const char *text, text_kind kind) {
  const int room = (int)(p->widths[k] - text_width(text, kind));
  const bool left = is_left(&p->g->columns[k]), last = k + 1 == p->columns;
  (void)printf("%*s", left ? GAP : GAP + room, "");
  (void)text_write(stdout, text, kind);
  if (left && !last) (void)printf("%*s", room, "");
}

static void put_titles(const page *p, const terminal *to) {
  (void)printf("%*s", p->number_width, "");
  terminal_bold(to);
  for (tsr_index k = 0; k < p->columns; k++) put_padded(p, k, p->g->columns[k].title, TEXT_NAME);
  terminal_reset(to);
  (void)putchar('\n');
}

static void put_row(const page *p, tsr_index i, const terminal *to) {
  if (i == p->rows.gap && i > 0) {
    terminal_dim(to);
    (void)printf("%*s\n", p->number_width, to->utf8 ? "\xe2\x80\xa6  " : "..");
    terminal_reset(to);
  }
  terminal_dim(to);
  (void)printf("%*lld", p->number_width, (long long)row_of(&p->rows, i));
  terminal_reset(to);
  for (tsr_index k = 0; k < p->columns; k++) put_padded(p, k, p->cells[k * p->rows.count + i], TEXT_LINE);
  (void)putchar('\n');
}

static void put_page(const page *p, const terminal *to) {
  put_titles(p, to);
  for (tsr_index i = 0; i < p->rows.count; i++) put_row(p, i, to);
  if (p->columns == p->g->count) return;
  terminal_dim(to);
  (void)printf("and %lld columns more: FILE:COLUMN,COLUMN shows some\n", (long long)(p->g->count - p->columns));
  terminal_reset(to);
}

bool grid_write(tsr_ctx *ctx, const grid *g, const grid_options *o, const terminal *to) {
  const int digits = o->digits > 0 ? o->digits : DIGITS;
  page p = {.g = g, .rows = rows_of(g, o)};
  const size_t cells = (size_t)g->count * (size_t)p.rows.count;
  tsr_status st = TSR_OK;
  p.number_width = snprintf(NULL, 0, "%lld", (long long)(g->rows > 0 ? g->rows - 1 : 0));
  p.cells = calloc(cells + 1, sizeof *p.cells);
  p.widths = calloc((size_t)g->count + 1, sizeof *p.widths);
  const bool room = p.cells != NULL && p.widths != NULL;
  if (!room) report("out of memory");
  for (tsr_index k = 0; k < g->count && room && st == TSR_OK; k++) st = fill_column(ctx, &p, k, digits);
  if (st != TSR_OK) report_failure(ctx, NULL);
  if (room && st == TSR_OK) {
    fit(&p, o, to);
    put_page(&p, to);
  }
  free(p.cells);
  free(p.widths);
  return room && st == TSR_OK;
}
