/* Tables block by block. */
#include "io/csv/csv.h"

#if TSR_HAVE_STDIO

#include "core/table.h"
#include "io/call/lasting.h"
#include "io/csv/file.h"

#include <string.h>

struct tsr_csv_reader {
  tsr__csv csv;
  tsr__file_source file;
  tsr_source source;
  bool by_path;
  tsr_index rows; /* -1: not known */
  tsr_table block;
};

/* ---- the columns ---- */

/* Strings that are lent, tensors that look at the reader's memory. */
static tsr_status add_column(tsr_csv_reader *r, tsr_index slot, tsr__room *room) {
  tsr_column column = {.kind = 0};
  tsr_tensor values = {0};
  const char *name = NULL;
  tsr_status st = tsr__csv_make_column(&r->csv, slot, 0, &values, &column);
  column.missing = tsr__csv_plans(&r->csv)[tsr__csv_chosen(&r->csv)[slot]].missing;
  tsr__csv_column_name(&r->csv, slot, &r->block, room, &name);
  if (st == TSR_OK) st = tsr__table_own(r->csv.ctx, r->csv.op, &r->block, name, &column, &values, NULL);
  tsr_release(&values);
  return st;
}

static tsr_status add_columns(tsr_csv_reader *r) {
  tsr__csv *csv = &r->csv;
  tsr__room room = {0};
  tsr_status st =
      tsr__room_get(csv->ctx, csv->op, csv->allocator, csv->name_text.bytes + 2 * (size_t)TSR__CSV_KEY + 64, &room);
  for (tsr_index i = 0; st == TSR_OK && i < csv->slots; i++) st = add_column(r, i, &room);
  tsr__room_free(csv->allocator, &room);
  return st;
}

/* The columns of the block get what the last wave has put together. */
static tsr_status fill_block(tsr_csv_reader *r, tsr_index rows) {
  for (tsr_index i = 0; i < r->csv.slots; i++) {
    tsr_column *column = &r->block.columns[i];
    tsr_tensor *to = &r->block.values.tensors[i], values = {0};
    tsr_release(&column->present);
    const tsr_status st = tsr__csv_make_column(&r->csv, i, rows, &values, column);
    if (st != TSR_OK) return st;
    values.name = to->name;
    to->name = NULL;
    tsr_release(to);
    *to = values;
  }
  r->block.rows = rows;
  return TSR_OK;
}

/* ---- opening ---- */

static tsr_status look_at_all(tsr_csv_reader *r) {
  r->csv.dry = true;
  const tsr_status st = tsr__csv_read_all(&r->csv);
  if (st != TSR_OK) return st;
  r->rows = r->csv.rows;
  r->csv.dry = false;
  r->csv.rules.strict = true; /* the file may change meanwhile */
  return tsr__csv_again(&r->csv);
}

static tsr_status start(tsr_ctx *ctx, const tsr_csv_options *options, bool all, tsr_csv_reader *r) {
  tsr_ctx lasting = tsr__lasting_start(ctx);
  r->csv.ctx = &lasting;
  r->csv.strict = !all;
  tsr_status st = tsr__csv_open(&r->csv, options);
  r->csv.budget.call.ctx = &lasting;
  if (st == TSR_OK && all) st = look_at_all(r);
  r->csv.block = true;
  if (st == TSR_OK) st = add_columns(r);
  r->csv.ctx = NULL;
  return tsr__lasting_end(ctx, &lasting, st);
}

static tsr_status make(tsr_ctx *ctx, const char *op, tsr_csv_reader **out) {
  tsr__room block = {0};
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  const tsr_status st = tsr__room_get(ctx, op, tsr__allocator(ctx), sizeof(tsr_csv_reader), &block);
  if (st != TSR_OK) return st;
  *out = block.at;
  **out = (tsr_csv_reader){.rows = -1};
  (*out)->csv.allocator = tsr__allocator(ctx);
  return TSR_OK;
}

tsr_status tsr_csv_reader_new(tsr_ctx *ctx, const tsr_source *source, const tsr_csv_options *options,
                              tsr_csv_reader **out) {
  static const char op[] = "csv_reader_new";
  tsr_csv_reader *r = NULL;
  tsr_status st = tsr__check_source(ctx, op, source);
  if (st == TSR_OK && out == NULL) st = TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (st == TSR_OK) st = make(ctx, op, &r);
  if (st != TSR_OK) return st;
  r->source = *source;
  r->csv = (tsr__csv){.allocator = r->csv.allocator, .op = op, .where = "", .source = &r->source};
  st = start(ctx, options, false, r);
  if (st == TSR_OK)
    *out = r;
  else
    tsr_csv_reader_release(r);
  return st;
}

tsr_status tsr_csv_reader_open(tsr_ctx *ctx, const char *path, const tsr_csv_options *options, bool all,
                               tsr_csv_reader **out) {
  static const char op[] = "csv_reader_open";
  tsr_csv_reader *r = NULL;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  tsr_status st = make(ctx, op, &r);
  if (st != TSR_OK) return st;
  st = tsr__file_source_open(ctx, op, path, &r->file);
  if (st != TSR_OK) return tsr_csv_reader_release(r), st;
  r->by_path = true;
  tsr__csv_of_file(ctx, &r->file, &r->csv);
  r->csv.allocator = tsr__allocator(ctx);
  if (all && !r->file.bounded)
    st = TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, "path", "%sis no plain file: it can be read once only", r->file.where);
  if (st == TSR_OK) st = start(ctx, options, all, r);
  if (st != TSR_OK && r->file.file.error != 0) st = tsr__file_fail(ctx, op, path, "reading failed", r->file.file.error);
  r->file.file.ctx = NULL;
  if (st == TSR_OK)
    *out = r;
  else
    tsr_csv_reader_release(r);
  return st;
}

void tsr_csv_reader_release(tsr_csv_reader *reader) {
  if (reader == NULL) return;
  const tsr_allocator *allocator = reader->csv.allocator;
  tsr__room whole = {.at = reader, .bytes = sizeof *reader};
  if (reader->by_path) (void)fclose(reader->file.file.stream);
  tsr_table_release(&reader->block);
  tsr__csv_close(&reader->csv);
  tsr__room_free(allocator, &whole);
}

/* ---- what it is ---- */

const tsr_csv_form *tsr_csv_reader_form(const tsr_csv_reader *reader) {
  return reader != NULL ? &reader->csv.form : NULL;
}

tsr_index tsr_csv_reader_rows(const tsr_csv_reader *reader) { return reader != NULL ? reader->rows : -1; }

const tsr_table *tsr_csv_reader_columns(const tsr_csv_reader *reader) { return reader != NULL ? &reader->block : NULL; }

/* ---- blocks ---- */

tsr_status tsr_csv_reader_next(tsr_ctx *ctx, tsr_csv_reader *reader, const tsr_table **block) {
  static const char op[] = "csv_reader_next";
  if (reader == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "reader", "is NULL");
  if (block == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "block", "is NULL");
  tsr__csv *csv = &reader->csv;
  tsr_ctx lasting = tsr__lasting_start(ctx);
  bool more = true;
  csv->ctx = csv->budget.call.ctx = &lasting;
  csv->op = csv->budget.call.op = op;
  const tsr_index before = csv->rows;
  tsr_status st = TSR_OK;
  while (st == TSR_OK && more && csv->rows == before) st = tsr__csv_next(csv, &more);
  if (st == TSR_OK) st = fill_block(reader, csv->rows - before);
  csv->ctx = csv->budget.call.ctx = NULL;
  if (st != TSR_OK && reader->by_path && reader->file.file.error != 0)
    return tsr__file_fail(ctx, op, reader->csv.where, "reading failed", reader->file.file.error);
  if (st == TSR_OK) *block = &reader->block;
  return tsr__lasting_end(ctx, &lasting, st);
}

tsr_status tsr_csv_reader_rewind(tsr_ctx *ctx, tsr_csv_reader *reader) {
  static const char op[] = "csv_reader_rewind";
  if (reader == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "reader", "is NULL");
  if (reader->csv.rewind == NULL)
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, "reader", "reads what can be read once only");
  tsr__csv *csv = &reader->csv;
  tsr_ctx lasting = tsr__lasting_start(ctx);
  csv->ctx = csv->budget.call.ctx = &lasting;
  csv->op = csv->budget.call.op = op;
  tsr_status st = fill_block(reader, 0);
  if (st == TSR_OK) st = tsr__csv_again(csv);
  csv->ctx = csv->budget.call.ctx = NULL;
  return tsr__lasting_end(ctx, &lasting, st);
}

#endif
