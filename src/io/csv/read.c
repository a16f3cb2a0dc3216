/* A table from text: the first row tells how many columns there are, and whether it names them. */
#include "io/csv/csv.h"

#if TSR_HAVE_STDIO

#include "core/storage.h"
#include "core/table.h"
#include "core/text.h"
#include "io/bytes/memory.h"
#include "io/bytes/text.h"
#include "io/bytes/walk.h"
#include "io/call/metadata.h"

#include <string.h>

enum { FIRST_STEP = 4096, LONGEST_ELEMENT = 16 };

/* ---- memory that grows with what comes ---- */

typedef struct grown {
  tsr_storage *storage;
  size_t used;
} grown;

static char *bytes_of(const grown *g) { return g->storage != NULL ? tsr_storage_data(g->storage) : NULL; }

static tsr_status append(const tsr__csv *csv, grown *g, const void *bytes, size_t n) {
  const size_t capacity = g->storage != NULL ? tsr_storage_bytes(g->storage) : 0;
  if (n > capacity - g->used) {
    tsr_storage *larger = NULL;
    size_t wanted = capacity > 0 ? 2 * capacity : FIRST_STEP;
    while (wanted - g->used < n) wanted *= 2;
    const tsr_status st = tsr__storage_make(csv->ctx, csv->op, NULL, wanted, TSR_HINT_DEFAULT, &larger);
    if (st != TSR_OK) return st;
    if (g->used > 0) memcpy(tsr_storage_data(larger), bytes_of(g), g->used);
    tsr_storage_release(g->storage);
    g->storage = larger;
  }
  memcpy(bytes_of(g) + g->used, bytes, n);
  g->used += n;
  return TSR_OK;
}

/* ---- a table on its way ---- */

typedef struct table {
  tsr__csv *csv;
  grown first; /* the fields of the first row, each closed by a zero */
  bool header;
  grown elements;
  tsr_index rows, columns;
  tsr_metadata names;
  tsr__budget budget;
} table;

void tsr__csv_key(tsr_index column, char key[TSR__CSV_KEY]) {
  tsr__text text;
  tsr__text_init(&text, key, TSR__CSV_KEY);
  tsr__text_format(&text, "column.%l", (int64_t)column);
}

static tsr_status add_element(table *t) {
  char element[LONGEST_ELEMENT];
  const size_t item = tsr_dtype_size(t->csv->options.dtype);
  tsr_status st = tsr__budget_take(&t->budget, item);
  if (st == TSR_OK) st = tsr__csv_element(t->csv, element);
  return st == TSR_OK ? append(t->csv, &t->elements, element, item) : st;
}

/* ---- the first row ---- */

/* A first row is not taken for names in silence where it is something else. */
static tsr_status check_name(const tsr__csv *csv) {
  char shown[TSR__SHOWN];
  if (csv->options.header != TSR_CSV_HEADER_AUTO || csv->quoted) return TSR_OK;
  if (tsr__csv_looks_like_comment(csv->field, csv->length)) {
    tsr__show_text(csv->field, shown);
    return TSR__CSV_REFUSE(csv, TSR_EFORMAT, "'%s' begins as a comment does; quoted it would name a column", shown);
  }
  if (!tsr__csv_looks_like_data(csv->field, csv->length)) return TSR_OK;
  tsr__show_text(csv->field, shown);
  return TSR__CSV_REFUSE(csv, TSR_EFORMAT, "'%s' is neither a number nor a name; fields end at '%c'", shown,
                         (int)csv->options.separator);
}

/* What the fields of the first row are. */
typedef struct first_row {
  bool words, numbers;
  int64_t spoiled; /* the first column that begins as a number and is none; 0: there is none */
  char shown[TSR__SHOWN];
} first_row;

static tsr_status look_at_first(const tsr__csv *csv, first_row *row) {
  const tsr__csv_kind kind = tsr__csv_kind_of(csv->field, csv->length, csv->quoted);
  row->numbers = row->numbers || kind == TSR__CSV_NUMBER;
  if (kind != TSR__CSV_TEXT) return TSR_OK;
  row->words = true;
  if (row->spoiled == 0 && !csv->quoted && tsr__csv_begins_as_number(csv->field, csv->length)) {
    row->spoiled = csv->column;
    tsr__show_text(csv->field, row->shown);
  }
  return check_name(csv);
}

/* One spoiled field does not make names of a row of numbers. */
static tsr_status check_first(tsr__csv *csv, const first_row *row) {
  if (csv->options.header != TSR_CSV_HEADER_AUTO || !row->numbers || row->spoiled == 0) return TSR_OK;
  tsr__csv at = *csv;
  at.column = row->spoiled;
  return TSR__CSV_REFUSE(&at, TSR_EFORMAT, "'%s' begins as a number and is none, in a row of numbers", row->shown);
}

static tsr_status read_first(table *t, bool *more) {
  tsr__csv *csv = t->csv;
  tsr__csv_end end = TSR__CSV_MORE;
  first_row row = {.spoiled = 0};
  tsr_status st = tsr__csv_next_row(csv, more);
  if (st != TSR_OK || !*more) return st;
  while (end == TSR__CSV_MORE) {
    st = tsr__csv_next_field(csv, &end);
    if (st == TSR_OK)
      st = tsr__limit_check(&t->budget.call, TSR__LIMIT_TENSORS, "it has at least", "columns", (uint64_t)t->columns + 1,
                            tsr__limit(csv->ctx, TSR__LIMIT_TENSORS, TSR__DEFAULT_TENSORS));
    if (st == TSR_OK) st = append(csv, &t->first, csv->field, csv->length + 1);
    if (st == TSR_OK) st = look_at_first(csv, &row);
    if (st != TSR_OK) return st;
    t->columns++;
  }
  st = check_first(csv, &row);
  if (st != TSR_OK) return st;
  const int header = csv->options.header;
  t->header = header == TSR_CSV_HEADER_FIRST || (header == TSR_CSV_HEADER_AUTO && row.words);
  *more = end != TSR__CSV_FILE_END;
  return TSR_OK;
}

static tsr_status add_name(table *t, const char *name) {
  char key[TSR__CSV_KEY];
  const uint8_t *at = (const uint8_t *)name;
  for (size_t left = strlen(name), step; left > 0; left -= step, at += step) {
    step = tsr__utf8(at, left);
    if (step == 0) return TSR__CSV_REFUSE(t->csv, TSR_EFORMAT, "a column's name is not UTF-8");
  }
  tsr__csv_key((tsr_index)(t->csv->column - 1), key);
  if (tsr__metadata_append(t->csv->ctx, &t->names, key, name)) return TSR_OK;
  return TSR__FAIL(t->csv->ctx, TSR_ENOMEM, t->csv->op, "columns", "no memory for %l names", (int64_t)t->columns);
}

/* Names, or numbers: which of them is known only behind the last field. */
static tsr_status use_first(table *t) {
  tsr__csv *csv = t->csv;
  const char *field = bytes_of(&t->first);
  tsr_status st = TSR_OK;
  for (csv->column = 1; st == TSR_OK && csv->column <= t->columns; csv->column++) {
    csv->length = strlen(field);
    memcpy(csv->field, field, csv->length + 1);
    st = t->header ? add_name(t, field) : add_element(t);
    field += csv->length + 1;
    if (st != TSR_OK) return st;
  }
  t->rows = t->header ? 0 : 1;
  return TSR_OK;
}

/* ---- the others ---- */

static tsr_status read_row(table *t, tsr__csv_end *end) {
  tsr__csv *csv = t->csv;
  *end = TSR__CSV_MORE;
  while (*end == TSR__CSV_MORE) {
    tsr_status st = tsr__csv_next_field(csv, end);
    if (st == TSR_OK && csv->column > t->columns)
      st = TSR__CSV_REFUSE(csv, TSR_EFORMAT, "more fields than the %l of the first row", (int64_t)t->columns);
    if (st == TSR_OK) st = add_element(t);
    if (st != TSR_OK) return st;
  }
  if (csv->column < t->columns)
    return TSR__CSV_REFUSE(csv, TSR_EFORMAT, "the row ends after %l fields, the first has %l", csv->column,
                           (int64_t)t->columns);
  if (!tsr__add_index(t->rows, 1, &t->rows))
    return TSR__CSV_REFUSE(csv, TSR_EOVERFLOW, "more rows than an index counts");
  return TSR_OK;
}

static tsr_status read_rows(table *t) {
  bool more = false;
  tsr__csv_end end = TSR__CSV_ROW_END;
  tsr_status st = read_first(t, &more);
  if (st == TSR_OK && t->columns == 0)
    return TSR__FAIL(t->csv->ctx, TSR_EFORMAT, t->csv->op, NULL, "%sline %l: no rows", t->csv->where, t->csv->line);
  if (st == TSR_OK) st = use_first(t);
  while (st == TSR_OK && more && end != TSR__CSV_FILE_END) {
    st = tsr__csv_next_row(t->csv, &more);
    if (st == TSR_OK && more) st = read_row(t, &end);
  }
  return st;
}

/* ---- the result ---- */

static tsr_status finish(table *t, tsr_tensor *out) {
  const tsr__csv *csv = t->csv;
  const tsr_index shape[2] = {t->rows, t->columns};
  const tsr__result result = {
      .dtype = csv->options.dtype, .layout = tsr_is_none(out) ? TSR_PLAIN : out->layout, .ndim = 2, .shape = shape};
  if (tsr_is_none(out) && t->rows > 0)
    return tsr_from_storage(csv->ctx, t->elements.storage, 0, csv->options.dtype, 2, shape, NULL, out);
  const tsr_status st = tsr__output(csv->ctx, csv->op, &result, out);
  if (st != TSR_OK || t->rows == 0) return st;
  tsr__element_walk walk;
  tsr__element_walk_init(&walk, out, false);
  tsr__element_scatter(&walk, (size_t)tsr_size(out), bytes_of(&t->elements));
  return TSR_OK;
}

static tsr_status check_outputs(const tsr__csv *csv, const tsr_tensor *out, const tsr_metadata *columns) {
  if (out == NULL) return TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "out", "is NULL");
  if (columns != NULL && columns->count > 0)
    return TSR__FAIL(csv->ctx, TSR_ESTATE, csv->op, "columns", "is not empty: release it first");
  return TSR_OK;
}

tsr_status tsr__csv_read_table(tsr__csv *csv, const tsr_csv_options *options, tsr_tensor *out, tsr_metadata *columns) {
  table t = {.csv = csv,
             .names = {.allocator = columns != NULL ? columns->allocator : NULL},
             .budget = tsr__budget_start(csv->ctx, csv->op, csv->where, UINT64_MAX)};
  tsr_status st = check_outputs(csv, out, columns);
  if (st == TSR_OK) st = tsr__csv_open(csv, options);
  if (st != TSR_OK) return st;
  st = read_rows(&t);
  if (st == TSR_OK) st = finish(&t, out);
  if (st == TSR_OK && columns != NULL && t.names.count > 0) {
    tsr_metadata_release(columns);
    *columns = t.names;
  } else {
    tsr_metadata_release(&t.names);
  }
  tsr_storage_release(t.elements.storage);
  tsr_storage_release(t.first.storage);
  tsr__csv_close(csv);
  return st;
}

/* ---- public ---- */

tsr_status tsr_csv_read(tsr_ctx *ctx, const tsr_source *source, const tsr_csv_options *options, tsr_tensor *out,
                        tsr_metadata *columns) {
  static const char op[] = "csv_read";
  const tsr_status given = tsr__check_source(ctx, op, source);
  if (given != TSR_OK) return given;
  tsr__csv csv = {.ctx = ctx, .op = op, .where = "", .source = source};
  return tsr__csv_read_table(&csv, options, out, columns);
}

tsr_status tsr_csv_decode(tsr_ctx *ctx, const void *bytes, size_t n, const tsr_csv_options *options, tsr_tensor *out,
                          tsr_metadata *columns) {
  static const char op[] = "csv_decode";
  if (bytes == NULL && n > 0) return TSR__FAIL(ctx, TSR_EARG, op, "bytes", "is NULL");
  tsr__memory_bytes memory = {.at = bytes, .left = n};
  const tsr_source source = {.size = sizeof(tsr_source), .read = tsr__memory_bytes_read, .self = &memory};
  tsr__csv csv = {.ctx = ctx, .op = op, .where = "", .source = &source};
  return tsr__csv_read_table(&csv, options, out, columns);
}

#endif
