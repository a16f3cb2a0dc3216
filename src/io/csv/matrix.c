/* A table of numbers as one tensor. */
#include "io/csv/csv.h"

#if TSR_HAVE_STDIO

#include "core/storage.h"
#include "core/table.h"
#include "io/bytes/walk.h"
#include "io/call/metadata.h"

#include <string.h>
#include <tessera/ops.h>

static tsr_status check_outputs(const tsr__csv *csv, const tsr_tensor *out, const tsr_metadata *columns) {
  if (out == NULL) return TSR__FAIL(csv->ctx, TSR_EARG, csv->op, "out", "is NULL");
  if (columns != NULL && columns->count > 0)
    return TSR__FAIL(csv->ctx, TSR_ESTATE, csv->op, "columns", "is not empty: release it first");
  return TSR_OK;
}

static tsr_status finish(const tsr__csv *csv, tsr_tensor *out) {
  const tsr_index shape[2] = {csv->rows, csv->slots};
  const int dtype = csv->options.dtype;
  const tsr__result result = {
      .dtype = dtype, .layout = tsr_is_none(out) ? TSR_PLAIN : out->layout, .ndim = 2, .shape = shape};
  if (tsr_is_none(out) && csv->rows > 0)
    return tsr_from_storage(csv->ctx, csv->matrix_out, 0, dtype, 2, shape, NULL, out);
  const tsr_status st = tsr__output(csv->ctx, csv->op, &result, out);
  if (st != TSR_OK || csv->rows == 0) return st;
  tsr__element_walk walk;
  tsr__element_walk_init(&walk, out, false);
  tsr__element_scatter(&walk, (size_t)tsr_size(out), tsr_storage_data(csv->matrix_out));
  return TSR_OK;
}

static tsr_status add_names(const tsr__csv *csv, tsr_metadata *names) {
  char key[TSR__CSV_KEY];
  for (tsr_index i = 0; csv->names.at != NULL && i < csv->slots; i++) {
    tsr__csv_key(i, key);
    if (!tsr__metadata_append(csv->ctx, names, key, tsr__csv_names(csv)[tsr__csv_chosen(csv)[i]]))
      return TSR__FAIL(csv->ctx, TSR_ENOMEM, csv->op, "columns", "no memory for %l names", (int64_t)csv->slots);
  }
  return TSR_OK;
}

static tsr_status read_matrix(tsr__csv *csv, const tsr_csv_options *options, tsr_tensor *out, tsr_metadata *columns) {
  tsr_metadata names = {.allocator = columns != NULL ? columns->allocator : NULL};
  csv->matrix = true;
  tsr_status st = tsr__csv_open(csv, options);
  if (st == TSR_OK) st = tsr__csv_read_all(csv);
  if (st == TSR_OK && columns != NULL) st = add_names(csv, &names);
  if (st == TSR_OK) st = finish(csv, out);
  if (st == TSR_OK && columns != NULL && names.count > 0) {
    tsr_metadata_release(columns);
    *columns = names;
  } else {
    tsr_metadata_release(&names);
  }
  return st;
}

/* ---- numbers alone ---- */

/* The columns that were found to hold numbers or booleans, as a list. */
static tsr_status list_numbers(const tsr__csv *csv, tsr__room *list, tsr_index *count) {
  const tsr_status st =
      tsr__room_get(csv->ctx, csv->op, csv->allocator, (size_t)csv->slots * sizeof(tsr_csv_column), list);
  tsr_csv_column *to = list->at;
  *count = 0;
  for (tsr_index i = 0; i < csv->slots && st == TSR_OK; i++) {
    const tsr_index column = tsr__csv_chosen(csv)[i];
    if (tsr__csv_plans(csv)[column].kind != TSR_COLUMN_NUMBER) continue;
    to[*count] = (tsr_csv_column){.number = column};
    ++*count;
  }
  if (st == TSR_OK && *count == 0)
    return TSR__FAIL(csv->ctx, TSR_EFORMAT, csv->op, NULL, "%snone of its %l columns holds numbers", csv->where,
                     (int64_t)csv->slots);
  return st;
}

/* First the kinds of all columns, then the numbers. */
static tsr_status read_numbers(tsr__csv *csv, const tsr_csv_options *options, tsr_tensor *out, tsr_metadata *columns) {
  tsr__csv look = *csv;
  tsr__room list = {0};
  tsr_csv_options narrow = *options;
  look.dry = true;
  look.keep = look.rewind == NULL;
  tsr_status st = tsr__csv_open(&look, options);
  if (st == TSR_OK) st = tsr__csv_read_all(&look);
  if (st == TSR_OK) st = list_numbers(&look, &list, &narrow.column_count);
  narrow.columns = list.at;
  narrow.others = narrow.numbers = false;
  narrow.header = look.form.header ? TSR_CSV_HEADER_FIRST : TSR_CSV_HEADER_NONE;
  narrow.separator = look.form.separator;
  narrow.decimal = look.form.decimal;
  tsr__memory_bytes kept = {.at = look.kept.at, .left = look.kept_bytes};
  const tsr_source again = {.size = sizeof(tsr_source), .read = tsr__memory_bytes_read, .self = &kept};
  if (look.keep) csv->source = &again;
  if (st == TSR_OK && !look.keep && !csv->rewind(csv->rewind_self))
    st = TSR__FAIL(csv->ctx, TSR_EIO, csv->op, NULL, "%sit cannot be read a second time", csv->where);
  if (st == TSR_OK) st = read_matrix(csv, &narrow, out, columns);
  tsr__csv_close(csv);
  if (list.at != NULL) tsr__room_free(look.allocator, &list);
  tsr__csv_close(&look);
  return st;
}

tsr_status tsr__csv_read_matrix(tsr__csv *csv, const tsr_csv_options *options, tsr_tensor *out, tsr_metadata *columns) {
  tsr_status st = check_outputs(csv, out, columns);
  if (st != TSR_OK) return st;
  if (options != NULL && options->numbers) return read_numbers(csv, options, out, columns);
  st = read_matrix(csv, options, out, columns);
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
  return tsr__csv_read_matrix(&csv, options, out, columns);
}

tsr_status tsr_csv_decode(tsr_ctx *ctx, const void *bytes, size_t n, const tsr_csv_options *options, tsr_tensor *out,
                          tsr_metadata *columns) {
  tsr__csv_memory memory;
  tsr__csv csv;
  const tsr_status st = tsr__csv_of_memory(ctx, "csv_decode", bytes, n, &memory, &csv);
  return st == TSR_OK ? tsr__csv_read_matrix(&csv, options, out, columns) : st;
}

#endif
