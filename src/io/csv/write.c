/* Tables to text. */
#include "io/csv/write.h"

#if TSR_HAVE_STDIO

#include "core/table.h"
#include "io/bytes/text.h"
#include "io/bytes/walk.h"
#include "ops/print/element.h"

#include <string.h>

static const char op[] = "csv_write";

/* ---- the names of columns ---- */

/* The name of a column; NULL when it has none. Names in order, as a reader leaves them, are found at once. */
static const char *name_of(const tsr_metadata *columns, tsr_index column) {
  char key[TSR__CSV_KEY];
  tsr__csv_key(column, key);
  if (column < columns->count && strcmp(columns->pairs[column].key, key) == 0) return columns->pairs[column].value;
  return tsr_metadata_find(columns, key);
}

/* alone: there is no other column, and a line without anything would be blank. */
static bool needs_quotes(const char *name, bool alone, char separator) {
  const size_t length = strlen(name);
  if (length == 0) return alone;
  if (name[0] == ' ' || name[length - 1] == ' ') return true;
  if ((uint8_t)name[0] == 0xef) return true; /* not to be taken for a byte order mark */
  if (tsr__csv_looks_like_data(name, length) || tsr__csv_looks_like_comment(name, length)) return true;
  return strpbrk(name, "\"\r\n\t") != NULL || strchr(name, separator) != NULL;
}

static void put_name(tsr__printer *printer, const char *name, bool alone, char separator) {
  const bool quotes = needs_quotes(name, alone, separator);
  if (quotes) tsr__print_char(printer, '"');
  for (; *name != '\0'; name++) {
    if (*name == '"') tsr__print_char(printer, '"');
    tsr__print_char(printer, *name);
  }
  if (quotes) tsr__print_char(printer, '"');
}

static void put_header(tsr__printer *printer, const tsr_metadata *columns, tsr_index count, char separator) {
  for (tsr_index i = 0; i < count; i++) {
    const char *name = name_of(columns, i);
    if (i > 0) tsr__print_char(printer, separator);
    if (name != NULL) put_name(printer, name, count == 1, separator);
  }
  tsr__print_char(printer, '\n');
}

static bool has_names(const tsr_metadata *columns, tsr_index count) {
  if (columns == NULL || columns->count == 0) return false;
  for (tsr_index i = 0; i < count; i++)
    if (name_of(columns, i) != NULL) return true;
  return false;
}

static bool is_utf8(const char *name) {
  const uint8_t *at = (const uint8_t *)name;
  size_t step = 1;
  for (size_t left = strlen(name); left > 0 && step > 0; at += step, left -= step) step = tsr__utf8(at, left);
  return step > 0;
}

tsr_status tsr__csv_check_name(tsr_ctx *ctx, const char *what, const char *name, tsr_index column) {
  char shown[TSR__SHOWN];
  if (name == NULL || is_utf8(name)) return TSR_OK;
  tsr__show_text(name, shown);
  return TSR__FAIL(ctx, TSR_ENAME, what, "columns", "name '%s' of column %l is not UTF-8", shown, (int64_t)column);
}

static tsr_status check_names(tsr_ctx *ctx, const tsr_metadata *columns, tsr_index count) {
  tsr_status st = TSR_OK;
  for (tsr_index i = 0; i < count && st == TSR_OK; i++) st = tsr__csv_check_name(ctx, op, name_of(columns, i), i);
  return st;
}

/* ---- numbers ---- */

static void put_element(tsr__printer *printer, int dtype, const void *element) {
  tsr__float value;
  if (dtype == TSR_BOOL) {
    tsr__print_char(printer, *(const uint8_t *)element != 0 ? '1' : '0');
  } else if (tsr_dtype_describe(dtype)->class_ == TSR_CLASS_FLOAT) {
    tsr__float_load(dtype, 0, element, &value);
    tsr__float_write_alone(&value, false, false, printer);
  } else {
    tsr__element_write_alone(dtype, element, printer);
  }
}

static void put_rows(tsr__printer *printer, const tsr_tensor *t, tsr_index rows, tsr_index count, char separator) {
  _Alignas(16) char element[16];
  tsr__element_walk walk;
  if (rows == 0 || count == 0) return;
  tsr__element_walk_init(&walk, t, false);
  for (tsr_index y = 0; y < rows && printer->status == TSR_OK; y++) {
    for (tsr_index x = 0; x < count; x++) {
      tsr__element_gather(&walk, 1, element);
      if (x > 0) tsr__print_char(printer, separator);
      put_element(printer, t->dtype, element);
    }
    tsr__print_char(printer, '\n');
  }
}

/* ---- public ---- */

static tsr_status check_csv(tsr_ctx *ctx, const tsr_tensor *t, const tsr_sink *sink) {
  tsr_status st = tsr__check_sink(ctx, op, sink);
  if (st == TSR_OK) st = tsr__check_input(ctx, op, "t", t);
  if (st != TSR_OK) return st;
  if (t->ndim > 2) return TSR__FAIL(ctx, TSR_ESHAPE, op, "t", "%t: a table has rank 0, 1 or 2", t);
  if (!tsr_dtype_supported(t->dtype) || tsr_dtype_describe(t->dtype)->class_ == TSR_CLASS_COMPLEX)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "t", "%t is not written as a table", t);
  return TSR_OK;
}

tsr_status tsr_csv_write(tsr_ctx *ctx, const tsr_tensor *t, const tsr_metadata *columns, const tsr_csv_options *options,
                         const tsr_sink *sink) {
  tsr_status st = tsr__check_reserved(ctx, op, TSR__RESERVED_OF(options));
  if (st == TSR_OK) st = check_csv(ctx, t, sink);
  const char separator = options != NULL && options->separator != 0 ? options->separator : ',';
  if (st == TSR_OK && !tsr__csv_can_separate(separator))
    st = TSR__FAIL(ctx, TSR_EARG, op, "options", "separator %d cannot stand between numbers", (int)separator);
  if (st != TSR_OK) return st;
  const tsr_index rows = t->ndim > 0 ? t->shape[0] : 1, count = t->ndim > 1 ? t->shape[1] : 1;
  const bool names = has_names(columns, count);
  st = names ? check_names(ctx, columns, count) : TSR_OK;
  if (st != TSR_OK) return st;
  tsr__printer printer;
  tsr__printer_init(&printer, sink);
  if (names) put_header(&printer, columns, count, separator);
  put_rows(&printer, t, rows, count, separator);
  st = tsr__printer_finish(&printer);
  return st == TSR_OK ? TSR_OK : TSR__FAIL(ctx, st, op, NULL, "the sink failed");
}

#endif
