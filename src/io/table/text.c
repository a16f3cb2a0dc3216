/* Fields of a table as text. */
#include "io/table/table.h"

#if TSR_HAVE_STDIO

#include "ops/print/element.h"

#include <string.h>

typedef struct kept {
  char *at;
  size_t room, length; /* length: of all that came */
} kept;

static tsr_status keep(void *self, const void *bytes, size_t n) {
  kept *k = self;
  const size_t room = k->length < k->room ? k->room - k->length : 0, some = n < room ? n : room;
  if (some > 0) memcpy(k->at + k->length, bytes, some);
  k->length += n;
  return TSR_OK;
}

int tsr__column_style(const tsr_column *column) {
  return column->kind == TSR_COLUMN_DATE   ? TSR_TIME_DATE
         : column->kind == TSR_COLUMN_TIME ? TSR_TIME_OF_DAY
         : column->utc                     ? TSR_TIME_DATETIME_UTC
                                           : TSR_TIME_DATETIME;
}

static void print_number(const tsr_tensor *t, const void *element, tsr__printer *printer) {
  tsr__float value;
  if (tsr_dtype_describe(t->dtype)->class_ != TSR_CLASS_FLOAT) {
    tsr__element_write_alone(t->dtype, element, printer);
    return;
  }
  tsr__float_load(t->dtype, 0, element, &value);
  tsr__float_write_alone(&value, false, false, printer);
}

size_t tsr__field_text(const tsr_table *table, tsr_index column, tsr_index row, char *text, size_t n) {
  const tsr_tensor *t = &table->values.tensors[column];
  const tsr_column *what = &table->columns[column];
  const char *element = (const char *)t->data + row * t->stride[0] * (tsr_index)tsr_dtype_size(t->dtype);
  kept k = {.at = text, .room = n};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = keep, .self = &k};
  tsr__printer printer;
  char time[TSR_TIME_TEXT];
  tsr__printer_init(&printer, &sink);
  if (what->kind == TSR_COLUMN_TEXT) {
    const char *string = what->strings[*(const int32_t *)(const void *)element];
    (void)keep(&k, string, strlen(string));
  } else if (what->kind == TSR_COLUMN_BOOL) {
    tsr__print_string(&printer, *element != 0 ? "true" : "false");
  } else if (what->kind == TSR_COLUMN_NUMBER) {
    print_number(t, element, &printer);
  } else if (tsr_time_format(*(const int64_t *)(const void *)element, what->unit, tsr__column_style(what), time) > 0) {
    tsr__print_string(&printer, time);
  }
  (void)tsr__printer_finish(&printer);
  return k.length;
}

tsr_status tsr_table_text(tsr_ctx *ctx, const tsr_table *table, tsr_index column, tsr_index row, char *text, size_t n,
                          size_t *length) {
  static const char op[] = "table_text";
  size_t whole = 0;
  if (table == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "table", "is NULL");
  if (text == NULL && n > 0) return TSR__FAIL(ctx, TSR_EARG, op, "text", "is NULL");
  if (column < 0 || column >= table->values.count)
    return TSR__FAIL(ctx, TSR_EINDEX, op, "column", "%l is not one of %l", (int64_t)column,
                     (int64_t)table->values.count);
  if (row < 0 || row >= table->rows)
    return TSR__FAIL(ctx, TSR_EINDEX, op, "row", "%l is not one of %l", (int64_t)row, (int64_t)table->rows);
  if (tsr_table_has(table, column, row)) whole = tsr__field_text(table, column, row, text, n);
  if (n > 0) text[whole < n ? whole : n - 1] = '\0';
  if (length != NULL) *length = whole;
  return TSR_OK;
}

#endif
