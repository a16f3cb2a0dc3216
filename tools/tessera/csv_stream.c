#include "csv_stream.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "address.h"
#include "output.h"
#include "progress.h"
#include "report.h"
#include "rows.h"

enum { LARGE = 16 << 20, LARGE_PACKED = 4 << 20, MOST_COLUMNS = 256 };

/* ---- which ---- */

static bool ends_in(const char *path, const char *end) {
  const size_t length = strlen(path), tail = strlen(end);
  return length > tail && strcasecmp(path + length - tail, end) == 0;
}

static bool is_large(const char *file) {
  struct stat info;
  const bool packed = ends_in(file, ".csv.gz") || ends_in(file, ".tsv.gz");
  if (!packed && !ends_in(file, ".csv") && !ends_in(file, ".tsv") && !rows_asked()) return false;
  return stat(file, &info) == 0 && S_ISREG(info.st_mode) && info.st_size >= (packed ? LARGE_PACKED : LARGE);
}

static bool is_streamed(const char *path, int format) {
  static const struct {
    const char *end;
    int format;
  } all[] = {{".npy", TSR_FORMAT_NPY},
             {".npz", TSR_FORMAT_NPZ},
             {".safetensors", TSR_FORMAT_SAFETENSORS},
             {".raw", TSR_FORMAT_RAW}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (format == all[i].format || (format == TSR_FORMAT_AUTO && ends_in(path, all[i].end))) return true;
  return false;
}

bool csv_stream_takes(tsr_ctx *ctx, const arguments *args, int format) {
  static const char *const others[] = {"dtype", "layout", "rename", "append", "select"};
  address where;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (args_has(args, others[i])) return false;
  struct stat info;
  if (stat(args->operands[0], &info) == 0) return is_large(args->operands[0]) && is_streamed(args->operands[1], format);
  if (!address_split(args->operands[0], &where)) return false;
  const bool takes = where.raw.dtype == TSR_NONE && strpbrk(where.rest, "[]*?") == NULL && is_large(where.file) &&
                     is_streamed(args->operands[1], format);
  address_release(&where);
  (void)ctx;
  return takes;
}

/* ---- what is read ---- */

typedef enum part_kind { VALUES, PRESENT, STRINGS, MATRIX } part_kind;

/* A tensor of OUT. */
typedef struct part {
  part_kind kind;
  tsr_index column; /* of the columns that are converted */
} part;

typedef struct csv_stream {
  tsr_ctx *ctx;
  const char *file;
  tsr_csv_options options; /* with what was found */
  tsr_csv_column *columns; /* what is converted, with kinds */
  bool *wide;              /* numbers that are missing somewhere: f64, for NaN */
  tsr_index count, rows;
  tsr_bundle bundle;
  tsr_metadata metadata;
  part *parts;
  const tsr_tensor *now; /* whose elements are made */
  tsr_csv_reader *reader;
  const tsr_table *block;
  tsr_index at; /* in the block */
  bool reported;
} csv_stream;

/* The reader of one column, or of all, from the first row on. */
static tsr_status begin(csv_stream *s, const tsr_csv_column *columns, tsr_index count) {
  tsr_csv_reader_release(s->reader);
  s->reader = NULL;
  s->at = 0;
  tsr_csv_options options = s->options;
  options.columns = columns;
  options.column_count = count;
  tsr_status st = tsr_csv_reader_open(s->ctx, s->file, &options, false, &s->reader);
  if (st == TSR_OK) st = tsr_csv_reader_next(s->ctx, s->reader, &s->block);
  return st;
}

static double number_at(const tsr_table *block, tsr_index column, tsr_index row) {
  const tsr_tensor *t = &block->values.tensors[column];
  if (!tsr_table_has(block, column, row)) return (double)NAN;
  if (t->dtype == TSR_F64) return ((const double *)t->data)[row];
  return t->dtype == TSR_BOOL ? (double)((const uint8_t *)t->data)[row] : (double)((const int64_t *)t->data)[row];
}

/* n rows of the block from s->at on. */
static void copy_rows(const csv_stream *s, const part *p, tsr_index n, char *to) {
  const tsr_tensor *t = &s->block->values.tensors[0];
  const size_t item = tsr_dtype_size(t->dtype);
  if (p->kind == PRESENT) {
    for (tsr_index i = 0; i < n; i++) to[i] = (char)tsr_table_has(s->block, 0, s->at + i);
  } else if (p->kind == MATRIX || s->wide[p->column]) {
    const tsr_index count = p->kind == MATRIX ? s->count : 1;
    double *out = (double *)(void *)to;
    for (tsr_index k = 0; k < count; k++)
      for (tsr_index i = 0; i < n; i++) out[i * count + k] = number_at(s->block, k, s->at + i);
  } else {
    memcpy(to, (const char *)t->data + (size_t)s->at * item, (size_t)n * item);
  }
}

/* The strings follow each other, and none is asked for twice: the first byte begins anew. */
static tsr_status produce_strings(csv_stream *s, tsr_index first, tsr_index n, char *to) {
  const tsr_column *column = &s->block->columns[0];
  tsr_index at = 0;
  for (tsr_index i = 0; i < column->string_count && at < first + n; i++) {
    const tsr_index length = (tsr_index)strlen(column->strings[i]) + 1;
    const tsr_index from = at < first ? first - at : 0, end = at + length < first + n ? length : first + n - at;
    if (from < end) memcpy(to + (at + from - first), column->strings[i] + from, (size_t)(end - from));
    at += length;
  }
  return TSR_OK;
}

static tsr_status to_the_end(csv_stream *s) {
  tsr_status st = TSR_OK;
  while (st == TSR_OK && s->block->rows > 0) st = tsr_csv_reader_next(s->ctx, s->reader, &s->block);
  return st;
}

static tsr_status produce_rows(csv_stream *s, const part *p, tsr_index n, char *to, size_t row) {
  tsr_status st = TSR_OK;
  while (n > 0 && st == TSR_OK) {
    if (s->at == s->block->rows) {
      st = tsr_csv_reader_next(s->ctx, s->reader, &s->block);
      s->at = 0;
      if (st == TSR_OK && s->block->rows == 0) {
        report("%s has changed while it was read", s->file);
        s->reported = true;
        return TSR_EIO;
      }
      continue;
    }
    const tsr_index left = s->block->rows - s->at, some = n < left ? n : left;
    copy_rows(s, p, some, to);
    to += (size_t)some * row;
    s->at += some;
    n -= some;
  }
  return st;
}

/* Of a matrix, parts of rows are asked for as well: they go by way of whole rows. */
static tsr_status produce_matrix(csv_stream *s, const part *p, tsr_index first, tsr_index n, char *to) {
  const tsr_index count = s->count;
  double *row = malloc((size_t)count * sizeof *row);
  tsr_status st = row != NULL ? TSR_OK : TSR_ENOMEM;
  while (n > 0 && st == TSR_OK) {
    const tsr_index column = first % count;
    if (column == 0 && n >= count) {
      const tsr_index rows = n / count;
      st = produce_rows(s, p, rows, to, (size_t)count * 8);
      first += rows * count, n -= rows * count, to += (size_t)(rows * count) * 8;
      continue;
    }
    const tsr_index some = n < count - column ? n : count - column;
    st = produce_rows(s, p, 1, (char *)row, (size_t)count * 8);
    if (st != TSR_OK) break;
    memcpy(to, row + column, (size_t)some * 8);
    if (column + some < count) s->at--; /* the rest of it comes next */
    first += some, n -= some, to += (size_t)some * 8;
  }
  free(row);
  return st;
}

static tsr_status produce(void *self, const tsr_tensor *t, tsr_index first, tsr_index n, void *elements) {
  csv_stream *s = self;
  const part *p = &s->parts[t - s->bundle.tensors];
  tsr_status st = TSR_OK;
  if (first == 0 || s->now != t) {
    st = p->kind == MATRIX ? begin(s, s->columns, s->count) : begin(s, &s->columns[p->column], 1);
    if (st == TSR_OK && p->kind == STRINGS) st = to_the_end(s);
    s->now = t;
  }
  if (st == TSR_OK && p->kind == STRINGS) {
    st = produce_strings(s, first, n, elements);
  } else if (st == TSR_OK && p->kind == MATRIX) {
    st = produce_matrix(s, p, first, n, elements);
  } else if (st == TSR_OK) {
    st = produce_rows(s, p, n, elements, tsr_dtype_size(t->dtype));
  }
  if (st != TSR_OK && !s->reported) {
    report_failure(s->ctx, s->file);
    s->reported = true;
  }
  progress_add((uint64_t)n * tsr_dtype_size(t->dtype));
  return st;
}

/* ---- what is written ---- */

static tsr_status describe(csv_stream *s, const char *name, const char *end, int dtype, int ndim,
                           const tsr_index *shape, part what) {
  const size_t length = strlen(name), tail = strlen(end);
  tsr_tensor t = {0};
  char *whole = malloc(length + tail + 1);
  part *parts = realloc(s->parts, (size_t)(s->bundle.count + 1) * sizeof *parts);
  if (parts != NULL) s->parts = parts;
  tsr_status st = whole != NULL && parts != NULL ? TSR_OK : TSR_ENOMEM;
  if (st == TSR_OK) {
    memcpy(whole, name, length);
    memcpy(whole + length, end, tail + 1);
    parts[s->bundle.count] = what;
    st = tsr_desc_init(s->ctx, dtype, ndim, shape, &t);
  }
  if (st == TSR_OK) st = tsr_bundle_add(s->ctx, &s->bundle, whole, &t);
  free(whole);
  return st;
}

/* The bytes of a column's strings: it is gone through for them. */
static tsr_status measure(csv_stream *s, tsr_index column, tsr_index *bytes) {
  tsr_status st = begin(s, &s->columns[column], 1);
  if (st == TSR_OK) st = to_the_end(s);
  *bytes = 0;
  for (tsr_index i = 0; st == TSR_OK && i < s->block->columns[0].string_count; i++)
    *bytes += (tsr_index)strlen(s->block->columns[0].strings[i]) + 1;
  return st;
}

static tsr_status describe_column(csv_stream *s, const char *name, const tsr_column *what, tsr_index i) {
  const int dtype = s->wide[i] ? TSR_F64 : what->kind == TSR_COLUMN_TEXT ? TSR_I32 : s->columns[i].dtype;
  tsr_status st = describe(s, name, "", dtype, 1, &s->rows, (part){.kind = VALUES, .column = i});
  if (st == TSR_OK && what->missing > 0)
    st = describe(s, name, ".present", TSR_BOOL, 1, &s->rows, (part){.kind = PRESENT, .column = i});
  if (st != TSR_OK || what->kind != TSR_COLUMN_TEXT) return st;
  tsr_index bytes = 0;
  st = measure(s, i, &bytes);
  return st == TSR_OK ? describe(s, name, ".strings", TSR_U8, 1, &bytes, (part){.kind = STRINGS, .column = i}) : st;
}

/* Numbers alone are a matrix, or one column of itself; other columns are tensors of their own. */
static tsr_status describe_all(csv_stream *s, const tsr_table *columns, bool named) {
  bool numbers = true;
  for (tsr_index i = 0; i < s->count; i++) numbers = numbers && columns->columns[i].kind <= TSR_COLUMN_BOOL;
  if (numbers && !(named && s->count == 1)) {
    const tsr_index shape[2] = {s->rows, s->count};
    const char *slash = strrchr(s->file, '/');
    return describe(s, slash != NULL ? slash + 1 : s->file, "", TSR_F64, 2, shape, (part){.kind = MATRIX});
  }
  tsr_status st = TSR_OK;
  if (named && s->count == 1 && columns->columns[0].kind != TSR_COLUMN_TEXT) /* one tensor, as other names are */
    return describe(s, columns->values.tensors[0].name, "", s->wide[0] ? TSR_F64 : s->columns[0].dtype, 1, &s->rows,
                    (part){.kind = VALUES});
  for (tsr_index i = 0; i < s->count && st == TSR_OK; i++)
    st = describe_column(s, columns->values.tensors[i].name, &columns->columns[i], i);
  return st;
}

/* The kinds of all rows, and the names that to_bundle gives metadata for. */
static tsr_status keep_kinds(csv_stream *s, const tsr_table *columns) {
  tsr_bundle names = {0};
  for (tsr_index i = 0; i < s->count; i++) {
    const tsr_column *what = &columns->columns[i];
    const int dtype = columns->values.tensors[i].dtype;
    s->columns[i].kind = what->kind;
    s->columns[i].dtype = what->kind == TSR_COLUMN_TEXT ? 0 : dtype;
    s->columns[i].unit = what->unit;
    s->wide[i] = what->missing > 0 && what->kind <= TSR_COLUMN_BOOL && dtype != TSR_F64;
  }
  const tsr_status st = tsr_table_to_bundle(s->ctx, columns, &names, &s->metadata);
  tsr_bundle_release(&names);
  return st;
}

/* The names behind the colon, as columns; NULL: all. */
static tsr_index list_names(char *rest, tsr_csv_column *out) {
  tsr_index n = 0;
  for (char *name = strtok(rest, ","); name != NULL && n < MOST_COLUMNS; name = strtok(NULL, ","))
    out[n++] = (tsr_csv_column){.name = name};
  return n;
}

/* Looks at all rows, and makes the list of columns: by number, because names may come twice. */
static tsr_status look(csv_stream *s, const tsr_csv_column *named, tsr_index n) {
  tsr_csv_reader *all = NULL;
  s->options.columns = n > 0 ? named : NULL;
  s->options.column_count = n;
  tsr_status st = tsr_csv_reader_open(s->ctx, s->file, &s->options, true, &all);
  if (st != TSR_OK) return st;
  const tsr_csv_form *form = tsr_csv_reader_form(all);
  const tsr_table *columns = tsr_csv_reader_columns(all);
  s->options.separator = form->separator;
  s->options.decimal = form->decimal;
  s->options.header = form->header ? TSR_CSV_HEADER_FIRST : TSR_CSV_HEADER_NONE;
  s->rows = tsr_csv_reader_rows(all);
  s->count = columns->values.count;
  s->columns = calloc((size_t)s->count + 1, sizeof *s->columns);
  s->wide = calloc((size_t)s->count + 1, sizeof *s->wide);
  if (s->columns == NULL || s->wide == NULL) st = TSR_ENOMEM;
  for (tsr_index i = 0; i < s->count && st == TSR_OK; i++)
    s->columns[i] = n > 0 ? named[i] : (tsr_csv_column){.number = i};
  if (st == TSR_OK) st = keep_kinds(s, columns);
  if (st == TSR_OK) st = describe_all(s, columns, n > 0);
  tsr_csv_reader_release(all);
  return st;
}

static void release(csv_stream *s) {
  tsr_csv_reader_release(s->reader);
  tsr_bundle_release(&s->bundle);
  tsr_metadata_release(&s->metadata);
  free(s->columns);
  free(s->wide);
  free(s->parts);
}

bool csv_stream_convert(tsr_ctx *ctx, const arguments *args, int format) {
  csv_stream s = {.ctx = ctx, .options = rows_options()};
  tsr_csv_column named[MOST_COLUMNS];
  address where = {.file = NULL};
  struct stat info;
  tsr_index n = 0;
  char *names = NULL;
  const bool whole = stat(args->operands[0], &info) == 0;
  if (!whole) {
    if (!address_split(args->operands[0], &where)) return false;
    names = strdup(where.rest);
    if (names == NULL) return address_release(&where), report("out of memory"), false;
    n = list_names(names, named);
  }
  s.file = whole ? args->operands[0] : where.file;
  const tsr_status st = look(&s, named, n);
  bool ok = st == TSR_OK;
  if (!ok) report_failure(ctx, NULL);
  const tsr_producer producer = {.size = sizeof(tsr_producer), .produce = produce, .self = &s};
  const output what = {.bundle = &s.bundle, .metadata = &s.metadata, .producer = &producer, .reported = &s.reported};
  uint64_t bytes = 0;
  for (tsr_index i = 0; i < s.bundle.count; i++) bytes += tsr_nbytes(&s.bundle.tensors[i]);
  progress_start(bytes);
  ok = ok && output_save(ctx, args->operands[1], format, &what);
  progress_end();
  release(&s);
  free(names);
  if (!whole) address_release(&where);
  return ok;
}
