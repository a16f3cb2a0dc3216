/* Tables of columns to text. */
#include "io/csv/csv.h"
#include "io/csv/write.h"

#if TSR_HAVE_STDIO

#include "core/table.h"

#include <string.h>

static const char op[] = "csv_table_write";

/* What a text of a table must not be taken for when it is read again. */
static bool needs_quotes(const char *text, bool alone, char separator) {
  static const tsr__csv_rules rules = {.table = true, .decimal = '.'};
  const tsr__csv_field field = {.at = text, .length = strlen(text)};
  if (field.length == 0) return true; /* a missing one is empty */
  if (text[0] == ' ' || text[0] == '\t' || text[field.length - 1] == ' ' || text[field.length - 1] == '\t') return true;
  if (text[0] == '#' || (uint8_t)text[0] >= 0xef) return true; /* no comment, no byte order mark */
  (void)alone;
  if (strpbrk(text, "\"\r\n\t;|,") != NULL || strchr(text, separator) != NULL) return true;
  return tsr__csv_classify(&rules, &field) != TSR__CSV_IS_TEXT;
}

static tsr_status put(tsr__printer *printer, const char *text, bool alone, char separator) {
  const bool quotes = needs_quotes(text, alone, separator);
  if (quotes) tsr__print_char(printer, '"');
  for (; *text != '\0'; text++) {
    if (*text == '"') tsr__print_char(printer, '"');
    tsr__print_char(printer, *text);
  }
  if (quotes) tsr__print_char(printer, '"');
  return printer->status;
}

static void put_field(tsr__printer *printer, const tsr_table *table, tsr_index column, tsr_index row,
                      const tsr_csv_options *o) {
  char text[128];
  const tsr_tensor *t = &table->values.tensors[column];
  const bool alone = table->values.count == 1;
  if (!tsr_table_has(table, column, row)) {
    if (alone) tsr__print_string(printer, "NA"); /* a blank line would be none */
    return;
  }
  if (table->columns[column].kind == TSR_COLUMN_TEXT) {
    const int32_t number = ((const int32_t *)t->data)[row * t->stride[0]];
    (void)put(printer, table->columns[column].strings[number], alone, o->separator);
    return;
  }
  const size_t n = tsr__field_text(table, column, row, text, sizeof text - 1);
  text[n < sizeof text ? n : sizeof text - 1] = '\0';
  for (char *p = text; o->decimal == ',' && *p != '\0'; p++)
    if (*p == '.' && table->columns[column].kind == TSR_COLUMN_NUMBER) *p = ',';
  const bool quotes = strchr(text, o->separator) != NULL;
  if (quotes) tsr__print_char(printer, '"');
  tsr__print_string(printer, text);
  if (quotes) tsr__print_char(printer, '"');
}

static tsr_status check(tsr_ctx *ctx, const tsr_table *table, tsr_csv_options *o, const tsr_sink *sink) {
  tsr_status st = tsr__check_sink(ctx, op, sink);
  if (st != TSR_OK) return st;
  if (table == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "table", "is NULL");
  if (o->separator == 0) o->separator = ',';
  if (!tsr__csv_can_separate(o->separator))
    return TSR__FAIL(ctx, TSR_EARG, op, "options", "separator %d cannot stand between numbers", (int)o->separator);
  if (o->decimal != 0 && o->decimal != '.' && o->decimal != ',')
    return TSR__FAIL(ctx, TSR_EARG, op, "options", "decimal %d is neither a point nor a comma", (int)o->decimal);
  for (tsr_index i = 0; i < table->values.count && st == TSR_OK; i++) {
    st = tsr__check_input(ctx, op, "table", &table->values.tensors[i]);
    if (st == TSR_OK) st = tsr__csv_check_name(ctx, op, table->values.tensors[i].name, i);
  }
  return st;
}

tsr_status tsr_csv_table_write(tsr_ctx *ctx, const tsr_table *table, const tsr_csv_options *options,
                               const tsr_sink *sink) {
  tsr_csv_options o = {.separator = 0};
  tsr_status st = tsr__check_reserved(ctx, op, TSR__RESERVED_OF(options));
  if (options != NULL) o = *options;
  if (st == TSR_OK) st = check(ctx, table, &o, sink);
  if (st != TSR_OK) return st;
  const tsr_index columns = table->values.count;
  tsr__printer printer;
  tsr__printer_init(&printer, sink);
  for (tsr_index i = 0; i < columns && o.header != TSR_CSV_HEADER_NONE; i++) {
    if (i > 0) tsr__print_char(&printer, o.separator);
    (void)put(&printer, table->values.tensors[i].name, columns == 1, o.separator);
    if (i + 1 == columns) tsr__print_char(&printer, '\n');
  }
  for (tsr_index row = 0; row < table->rows && printer.status == TSR_OK; row++) {
    for (tsr_index i = 0; i < columns; i++) {
      if (i > 0) tsr__print_char(&printer, o.separator);
      put_field(&printer, table, i, row, &o);
    }
    tsr__print_char(&printer, '\n');
  }
  st = tsr__printer_finish(&printer);
  return st == TSR_OK ? TSR_OK : TSR__FAIL(ctx, st, op, NULL, "the sink failed");
}

#endif
