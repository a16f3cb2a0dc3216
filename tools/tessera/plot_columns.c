/* Pictures of columns: a table's, or the vectors of a file. */
#include "plot.h"

#if TSR_HAVE_PLOT

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "address.h"
#include "numbers.h"
#include "report.h"
#include "rows.h"
#include "source.h"
#include "text.h"

const char *plot_color_column(const arguments *args) {
  static const char *const when[] = {"auto", "always", "never"};
  const char *name = args_value(args, "color", "auto");
  for (int i = 0; i < 3; i++)
    if (strcmp(name, when[i]) == 0) return NULL;
  return name;
}

/* ---- which file ---- */

static bool is_table(tsr_ctx *ctx, const char *file) {
  static const char *const ends[] = {".csv", ".tsv", ".csv.gz", ".tsv.gz"};
  int format = TSR_FORMAT_AUTO;
  const size_t n = strlen(file);
  if (rows_asked()) return true;
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (n > strlen(ends[i]) && strcmp(file + n - strlen(ends[i]), ends[i]) == 0) return true;
  const bool found = tsr_format_detect(ctx, file, &format) == TSR_OK && format == TSR_FORMAT_CSV;
  tsr_error_clear(ctx);
  return found;
}

/* Numbers without names are a matrix, as ever. */
static bool is_named(tsr_ctx *ctx, const char *file) {
  tsr_table head = {0};
  tsr_csv_form form = {0};
  tsr_csv_options options = rows_options();
  options.most = 100;
  const tsr_status st = tsr_csv_table_load(ctx, file, &options, &head, &form);
  tsr_index numbers = 0;
  for (tsr_index i = 0; i < head.values.count; i++) numbers += head.columns[i].kind == TSR_COLUMN_NUMBER;
  const bool named = st == TSR_OK && (numbers < head.values.count || (form.header && numbers <= LINES));
  tsr_error_clear(ctx);
  tsr_table_release(&head);
  return named;
}

bool plot_wants_columns(tsr_ctx *ctx, const arguments *args) {
  address where;
  if (args_has(args, "x") || args_has(args, "y") || plot_color_column(args) != NULL) return true;
  if (!address_split(args->operands[0], &where)) return false; /* reported when it is opened */
  const char *kind = args_value(args, "kind", "line");
  const bool shape = strcmp(kind, "heat") == 0 || strcmp(kind, "grid") == 0 || strcmp(kind, "image") == 0;
  const bool wants = !shape && where.rest[0] == '\0' && where.raw.dtype == TSR_NONE && strcmp(where.file, "-") != 0 &&
                     !source_is_open_pipe(where.file) && is_table(ctx, where.file) && is_named(ctx, where.file);
  address_release(&where);
  return wants;
}

/* ---- columns ---- */

static bool from_vectors(tsr_ctx *ctx, const char *file, tsr_table *out) {
  source from;
  targets found;
  tsr_status st = TSR_OK;
  if (!source_open(ctx, file, &from, &found)) return false;
  for (tsr_index i = 0; i < found.count && st == TSR_OK; i++) {
    tsr_tensor values = {0};
    if (found.list[i].tensor.ndim != 1) continue;
    st = target_fetch(ctx, &found.list[i]);
    if (st == TSR_OK && out->values.count > 0 && found.list[i].tensor.shape[0] != out->rows) continue;
    if (st == TSR_OK) st = tsr_clone(ctx, &found.list[i].tensor, &values);
    if (st == TSR_OK) st = tsr_table_add(ctx, out, found.list[i].name, NULL, &values);
    tsr_release(&values);
  }
  if (st != TSR_OK) report_failure(ctx, file);
  targets_release(&found);
  source_release(&from);
  return st == TSR_OK;
}

static bool load_columns(tsr_ctx *ctx, const char *operand, tsr_table *out) {
  address where;
  if (!address_split(operand, &where)) return false;
  bool ok = true;
  if (is_table(ctx, where.file)) {
    ok = rows_load(ctx, where.file, out, NULL) == TSR_OK;
    if (!ok) report_failure(ctx, NULL);
  } else {
    ok = from_vectors(ctx, where.file, out);
  }
  address_release(&where);
  return ok;
}

static bool find_column(const tsr_table *t, const char *name, size_t length, tsr_index *at) {
  char shown[256];
  (void)snprintf(shown, sizeof shown, "%.*s", (int)(length < 200 ? length : 200), name);
  *at = tsr_table_find(t, shown);
  if (*at < 0) {
    char *end = NULL;
    const long number = strtol(shown, &end, 10);
    if (shown[0] != '\0' && *end == '\0' && number >= 0 && number < t->values.count) *at = (tsr_index)number;
  }
  if (*at >= 0) return true;
  report("there is no column '%s'%s%s", shown, t->values.count > 0 ? "; the first is " : "",
         t->values.count > 0 ? t->values.tensors[0].name : "");
  return false;
}

/* What is drawn: numbers of columns. */
typedef struct chosen {
  tsr_table table;
  tsr_index x, color; /* -1: none */
  tsr_index y[LINES];
  int count;
} chosen;

static bool is_time(const tsr_column *c) { return c->kind == TSR_COLUMN_DATE || c->kind == TSR_COLUMN_DATETIME; }

static bool choose_y(const char *names, chosen *c) {
  while (names != NULL && *names != '\0') {
    const size_t n = strcspn(names, ",");
    if (c->count == LINES) return report("--y: more than %d columns", LINES), false;
    if (!find_column(&c->table, names, n, &c->y[c->count++])) return false;
    names += n + (names[n] == ',');
  }
  return true;
}

/* Without --x it is the first column of times; without --y all of numbers. */
static bool choose(const drawing *d, const char *kind, chosen *c) {
  const char *x = args_value(d->args, "x", NULL), *y = args_value(d->args, "y", NULL);
  const char *color = plot_color_column(d->args);
  const bool bars = kind != NULL && strcmp(kind, "bars") == 0, hist = kind != NULL && strcmp(kind, "hist") == 0;
  const tsr_column *columns = c->table.columns;
  c->x = c->color = -1;
  if (c->table.values.count == 0) return report("there are no columns"), false;
  if (x != NULL && !find_column(&c->table, x, strlen(x), &c->x)) return false;
  if (color != NULL && !find_column(&c->table, color, strlen(color), &c->color)) return false;
  for (tsr_index i = 0; i < c->table.values.count && x == NULL && c->x < 0 && !hist; i++)
    if (is_time(&columns[i]) || (bars && columns[i].kind == TSR_COLUMN_TEXT)) c->x = i;
  if (y != NULL) return choose_y(y, c);
  for (tsr_index i = 0; i < c->table.values.count && c->count < LINES; i++)
    if (i != c->x && i != c->color && columns[i].kind == TSR_COLUMN_NUMBER) c->y[c->count++] = i;
  return c->count > 0 || (report("no column has numbers: say which with --y"), false);
}

/* ---- drawing ---- */

static bool failed(const drawing *d) {
  (void)report_failure(d->ctx, NULL);
  return false;
}

/* A column as numbers, NaN where there is no value. */
static tsr_status as_numbers(const drawing *d, const chosen *c, tsr_index at, tsr_tensor *out) {
  const tsr_column *what = &c->table.columns[at];
  tsr_status st = tsr_cast(d->ctx, &c->table.values.tensors[at], TSR_F64, out);
  if (st != TSR_OK || what->missing == 0) return st;
  double *to = out->data;
  for (tsr_index i = 0; i < out->shape[0]; i++)
    if (!tsr_table_has(&c->table, at, i)) to[i] = (double)NAN;
  return TSR_OK;
}

/* Only the rows whose text is number k; the others are not there, so that a line goes on over them. */
static tsr_status keep_group(const drawing *d, const chosen *c, int32_t k, tsr_tensor *values) {
  const int32_t *group = c->table.values.tensors[c->color].data;
  double *to = values->data;
  tsr_index kept = 0;
  for (tsr_index i = 0; i < values->shape[0]; i++)
    if (group[i] == k) to[kept++] = to[i];
  return tsr_reallocate(d->ctx, values, 1, &kept);
}

static bool draw_one(drawing *d, const char *kind, const tsr_tensor *x, const tsr_tensor *y, const tsr_tensor *color,
                     const char *label) {
  tsr_plot_style style = d->style;
  tsr_status st = TSR_OK;
  style.label = label;
  if (strcmp(kind, "scatter") == 0)
    st = tsr_plot_scatter(d->ctx, d->plot, x, y, color, &style);
  else if (strcmp(kind, "bars") == 0)
    st = tsr_plot_bars(d->ctx, d->plot, x, y, &style);
  else if (strcmp(kind, "hist") == 0)
    st = tsr_plot_hist(d->ctx, d->plot, y, &style);
  else
    st = tsr_plot_line(d->ctx, d->plot, x, y, &style);
  return st == TSR_OK || failed(d);
}

static bool draw_group(drawing *d, const char *kind, const chosen *c, int32_t k, tsr_index at) {
  tsr_tensor x = {0}, y = {0};
  tsr_status st = as_numbers(d, c, at, &y);
  if (st == TSR_OK) st = keep_group(d, c, k, &y);
  if (st == TSR_OK && c->x >= 0) st = as_numbers(d, c, c->x, &x);
  if (st == TSR_OK && c->x >= 0) st = keep_group(d, c, k, &x);
  const bool ok = (st == TSR_OK || failed(d)) &&
                  draw_one(d, kind, c->x >= 0 ? &x : NULL, &y, NULL, c->table.columns[c->color].strings[k]);
  tsr_release(&x);
  tsr_release(&y);
  return ok;
}

/* A series for each text of the column that colours. */
static bool draw_groups(drawing *d, const char *kind, const chosen *c, tsr_index at) {
  const tsr_column *names = &c->table.columns[c->color];
  bool ok = true;
  if (names->string_count > LINES)
    return report("--color: %lld different texts are more than %d", (long long)names->string_count, LINES), false;
  for (tsr_index k = 0; k < names->string_count && ok; k++) ok = draw_group(d, kind, c, (int32_t)k, at);
  return ok;
}

static bool draw_column(drawing *d, const char *kind, const chosen *c, const tsr_tensor *x, const tsr_tensor *color,
                        tsr_index at) {
  tsr_tensor y = {0};
  if (c->table.columns[at].kind == TSR_COLUMN_TEXT)
    return report("column %s is text, which has no height", c->table.values.tensors[at].name), false;
  if (c->color >= 0 && color == NULL) return draw_groups(d, kind, c, at);
  bool ok = as_numbers(d, c, at, &y) == TSR_OK || failed(d);
  ok = ok && draw_one(d, kind, x, &y, color,
                      c->count > 1 && strcmp(kind, "hist") != 0 ? c->table.values.tensors[at].name : NULL);
  tsr_release(&y);
  return ok;
}

/* A histogram each, side by side; all else in one panel. */
static bool draw_all(drawing *d, const char *kind, const chosen *c, const tsr_tensor *x, const tsr_tensor *color) {
  const bool each = strcmp(kind, "hist") == 0;
  if (!each && tsr_plot_panel(d->ctx, d->plot, &d->axes) != TSR_OK) return failed(d);
  for (int i = 0; i < c->count; i++) {
    tsr_plot_axes axes = d->axes;
    if (each && args_value(d->args, "x-label", NULL) == NULL) axes.x_label = c->table.values.tensors[c->y[i]].name;
    if (each && i > 0) axes.title = NULL;
    if (each && tsr_plot_panel(d->ctx, d->plot, &axes) != TSR_OK) return failed(d);
    if (!draw_column(d, kind, c, x, color, c->y[i])) return false;
  }
  return true;
}

/* What the axes are called, and what x is. */
static void describe(drawing *d, const char *kind, const chosen *c) {
  const tsr_table *t = &c->table;
  const bool hist = strcmp(kind, "hist") == 0;
  if (hist && d->axes.y_label == NULL) d->axes.y_label = "count";
  if (hist) return;
  if (d->axes.y_label == NULL && c->count == 1) d->axes.y_label = t->values.tensors[c->y[0]].name;
  if (d->axes.color_label == NULL && c->color >= 0) d->axes.color_label = t->values.tensors[c->color].name;
  if (c->x < 0) return;
  if (is_time(&t->columns[c->x])) d->axes.x_time = t->columns[c->x].unit;
  if (d->axes.x_label == NULL && d->axes.x_time == TSR_UNIT_NONE) d->axes.x_label = t->values.tensors[c->x].name;
}

/* The texts of x, row by row, for bars; NULL: there is no memory, which is reported. */
static const char **names_of(const chosen *c) {
  const tsr_column *what = &c->table.columns[c->x];
  const int32_t *codes = c->table.values.tensors[c->x].data;
  const char **names = malloc(((size_t)c->table.rows + 1) * sizeof *names);
  if (names == NULL) return report("out of memory"), NULL;
  for (tsr_index i = 0; i < c->table.rows; i++) names[i] = codes[i] >= 0 ? what->strings[codes[i]] : "";
  return names;
}

static bool draw(drawing *d, const char *kind, chosen *c) {
  tsr_tensor color = {0};
  const tsr_tensor *x = c->x >= 0 ? &c->table.values.tensors[c->x] : NULL;
  const char **names = NULL;
  const bool scatter = d->args != NULL && (c->color >= 0 || (args_has(d->args, "x") && c->x >= 0 && c->count == 1));
  if (kind == NULL) kind = c->color >= 0 || (scatter && !is_time(&c->table.columns[c->x])) ? "scatter" : "line";
  const bool text_x = c->x >= 0 && c->table.columns[c->x].kind == TSR_COLUMN_TEXT;
  const bool text_color = c->color >= 0 && c->table.columns[c->color].kind == TSR_COLUMN_TEXT;
  if (text_x && strcmp(kind, "bars") != 0)
    return report("column %s is text: --kind bars has a bar for each", x->name), false;
  if (c->color >= 0 && !text_color && strcmp(kind, "scatter") != 0)
    return report("--color: only the points of --kind scatter have colours by numbers"), false;
  describe(d, kind, c);
  if (text_x) {
    names = names_of(c);
    if (names == NULL) return false;
    d->axes.x_names = names;
    d->axes.names = c->table.rows > 1000 ? 1000 : (int)c->table.rows;
    d->axes.x_label = args_value(d->args, "x-label", NULL);
    x = NULL;
  }
  bool ok = c->color < 0 || text_color || as_numbers(d, c, c->color, &color) == TSR_OK || failed(d);
  ok = ok && draw_all(d, kind, c, x, color.dtype != TSR_NONE ? &color : NULL);
  free(names);
  tsr_release(&color);
  return ok;
}

bool plot_columns(drawing *d, const char *operand, const char *kind) {
  static const char *const shapes[] = {"heat", "grid", "image"};
  chosen c = {.x = -1};
  for (int i = 0; i < 3 && kind != NULL; i++)
    if (strcmp(kind, shapes[i]) == 0)
      return report("--kind %s is of a tensor, without --x, --y and --color", kind), false;
  if (!isnan(d->colors.least) && !isnan(d->colors.greatest)) {
    d->axes.y_min = d->colors.least;
    d->axes.y_max = d->colors.greatest;
  }
  const bool ok = load_columns(d->ctx, operand, &c.table) && choose(d, kind, &c) && draw(d, kind, &c);
  tsr_table_release(&c.table);
  return ok;
}

#endif
