/* A table from text. */
#include "io/csv/csv.h"

#if TSR_HAVE_STDIO

#include "core/storage.h"
#include "core/table.h"
#include "core/text.h"

#include <string.h>

/* ---- columns ---- */

static tsr_status make_tensor(const tsr__csv *csv, tsr_storage *storage, int dtype, tsr_index rows, tsr_tensor *out) {
  if (rows > 0) return tsr_from_storage(csv->ctx, storage, 0, dtype, 1, &rows, NULL, out);
  return tsr_desc_init(csv->ctx, dtype, 1, &rows, out);
}

tsr_status tsr__csv_make_column(tsr__csv *csv, tsr_index slot, tsr_index rows, tsr_tensor *values, tsr_column *column) {
  const tsr__csv_plan *plan = &tsr__csv_plans(csv)[tsr__csv_chosen(csv)[slot]];
  const tsr__csv_column_out *out = &tsr__csv_out(csv)[slot];
  *column = (tsr_column){.kind = plan->kind, .unit = plan->unit, .utc = plan->utc, .missing = out->missing};
  if (plan->way == TSR__CSV_TEXT) {
    column->strings = tsr__strings_list(&out->strings);
    column->string_count = out->strings.count;
  }
  tsr_status st = make_tensor(csv, out->values, plan->dtype, rows, values);
  if (st == TSR_OK && out->missing > 0) st = make_tensor(csv, out->present, TSR_BOOL, rows, &column->present);
  if (st != TSR_OK) tsr_release(values);
  return st;
}

/* One that is there already gets a number behind it; its own, where the first few are taken. */
void tsr__csv_column_name(const tsr__csv *csv, tsr_index slot, const tsr_table *table, tsr__room *room,
                          const char **name) {
  const tsr_index column = tsr__csv_chosen(csv)[slot];
  const char *own = csv->names.at != NULL ? tsr__csv_names(csv)[column] : "";
  static const int few = 8;
  tsr__text text;
  if (own[0] == '\0') {
    tsr__csv_key(column, room->at);
    own = room->at;
  }
  *name = own;
  for (int64_t i = 1; tsr_table_find(table, *name) >= 0; i = i < few    ? i + 1
                                                             : i == few ? (int64_t)column + few
                                                                        : i + 1) {
    char *const to = (char *)room->at + TSR__CSV_KEY;
    tsr__text_init(&text, to, room->bytes - TSR__CSV_KEY);
    tsr__text_format(&text, "%s.%l", own, i);
    *name = to;
  }
}

static tsr_status own_column(tsr__csv *csv, tsr_index slot, tsr__room *room, tsr_table *out) {
  tsr_column column = {.kind = 0};
  tsr_tensor values = {0};
  tsr__room strings = {0};
  const char *name = NULL;
  tsr_status st = tsr__csv_make_column(csv, slot, csv->rows, &values, &column);
  if (st == TSR_OK && column.string_count > 0)
    st = tsr__table_copy_strings(csv->ctx, csv->op, csv->allocator, column.string_count, column.strings, &strings);
  column.strings = strings.at;
  tsr__csv_column_name(csv, slot, out, room, &name);
  if (st == TSR_OK) st = tsr__table_own(csv->ctx, csv->op, out, name, &column, &values, &strings);
  tsr__room_free(csv->allocator, &strings);
  tsr_release(&values);
  tsr_release(&column.present);
  return st;
}

tsr_status tsr__csv_make_table(tsr__csv *csv, tsr_table *out) {
  tsr_table made = {.rows = 0};
  tsr__room room = {0};
  tsr_status st =
      tsr__room_get(csv->ctx, csv->op, csv->allocator, csv->name_text.bytes + 2 * (size_t)TSR__CSV_KEY + 64, &room);
  for (tsr_index i = 0; st == TSR_OK && i < csv->slots; i++) st = own_column(csv, i, &room, &made);
  tsr__room_free(csv->allocator, &room);
  made.rows = csv->rows;
  if (st != TSR_OK) {
    tsr_table_release(&made);
    return tsr__fail_as(csv->ctx, st, csv->op);
  }
  tsr_table_release(out);
  *out = made;
  return TSR_OK;
}

tsr_status tsr__csv_read_table(tsr__csv *csv, const tsr_csv_options *options, tsr_table *out, tsr_csv_form *form) {
  tsr_status st = tsr__table_check_empty(csv->ctx, csv->op, out);
  if (st != TSR_OK) return st;
  csv->keep = csv->rewind == NULL;
  st = tsr__csv_open(csv, options);
  if (st == TSR_OK) st = tsr__csv_read_all(csv);
  if (st == TSR_OK) st = tsr__csv_make_table(csv, out);
  if (st == TSR_OK && form != NULL) *form = csv->form;
  tsr__csv_close(csv);
  return st;
}

/* ---- bytes in memory ---- */

static bool rewind_memory(void *self) {
  tsr__csv_memory *memory = self;
  memory->bytes = memory->all;
  return true;
}

tsr_status tsr__csv_of_memory(tsr_ctx *ctx, const char *op, const void *bytes, size_t n, tsr__csv_memory *memory,
                              tsr__csv *csv) {
  if (bytes == NULL && n > 0) return TSR__FAIL(ctx, TSR_EARG, op, "bytes", "is NULL");
  memory->bytes = memory->all = (tsr__memory_bytes){.at = bytes, .left = n};
  memory->source = (tsr_source){.size = sizeof(tsr_source), .read = tsr__memory_bytes_read, .self = &memory->bytes};
  *csv = (tsr__csv){.ctx = ctx,
                    .op = op,
                    .where = "",
                    .source = &memory->source,
                    .rewind = rewind_memory,
                    .rewind_self = memory,
                    .known = n};
  return TSR_OK;
}

/* ---- public ---- */

tsr_status tsr_csv_table_read(tsr_ctx *ctx, const tsr_source *source, const tsr_csv_options *options, tsr_table *out,
                              tsr_csv_form *form) {
  static const char op[] = "csv_table_read";
  const tsr_status given = tsr__check_source(ctx, op, source);
  if (given != TSR_OK) return given;
  tsr__csv csv = {.ctx = ctx, .op = op, .where = "", .source = source};
  return tsr__csv_read_table(&csv, options, out, form);
}

tsr_status tsr_csv_table_decode(tsr_ctx *ctx, const void *bytes, size_t n, const tsr_csv_options *options,
                                tsr_table *out, tsr_csv_form *form) {
  tsr__csv_memory memory;
  tsr__csv csv;
  const tsr_status st = tsr__csv_of_memory(ctx, "csv_table_decode", bytes, n, &memory, &csv);
  return st == TSR_OK ? tsr__csv_read_table(&csv, options, out, form) : st;
}

#endif
