/* Tables in files, by their path. */
#include "io/csv/csv.h"

#if TSR_HAVE_STDIO

#include "io/csv/file.h"

bool tsr__csv_rewind_file(void *self) {
  tsr__file_source *f = self;
  return tsr__system_seek(f->file.stream, 0);
}

void tsr__csv_of_file(tsr_ctx *ctx, tsr__file_source *f, tsr__csv *csv) {
  *csv = (tsr__csv){.ctx = ctx,
                    .op = f->op,
                    .where = f->where,
                    .source = &f->source,
                    .rewind = f->bounded ? tsr__csv_rewind_file : NULL,
                    .rewind_self = f,
                    .known = f->bounded ? f->size : 0};
}

tsr_status tsr_csv_load(tsr_ctx *ctx, const char *path, const tsr_csv_options *options, tsr_tensor *out,
                        tsr_metadata *columns) {
  tsr__file_source f;
  tsr__csv csv;
  const tsr_status st = tsr__file_source_open(ctx, "csv_load", path, &f);
  if (st != TSR_OK) return st;
  tsr__csv_of_file(ctx, &f, &csv);
  return tsr__file_source_close(&f, tsr__csv_read_matrix(&csv, options, out, columns));
}

tsr_status tsr_csv_table_load(tsr_ctx *ctx, const char *path, const tsr_csv_options *options, tsr_table *out,
                              tsr_csv_form *form) {
  tsr__file_source f;
  tsr__csv csv;
  const tsr_status st = tsr__file_source_open(ctx, "csv_table_load", path, &f);
  if (st != TSR_OK) return st;
  tsr__csv_of_file(ctx, &f, &csv);
  return tsr__file_source_close(&f, tsr__csv_read_table(&csv, options, out, form));
}

static tsr_status write_matrix(tsr_ctx *ctx, const tsr__saving *what, const tsr_sink *sink) {
  return tsr_csv_write(ctx, what->tensor, what->metadata, what->options, sink);
}

tsr_status tsr_csv_save(tsr_ctx *ctx, const char *path, const tsr_tensor *t, const tsr_metadata *columns,
                        const tsr_csv_options *options) {
  const tsr__saving what = {
      .op = "csv_save", .path = path, .write = write_matrix, .tensor = t, .metadata = columns, .options = options};
  return tsr__file_save(ctx, &what);
}

static tsr_status write_table(tsr_ctx *ctx, const tsr__saving *what, const tsr_sink *sink) {
  return tsr_csv_table_write(ctx, what->old, what->options, sink);
}

tsr_status tsr_csv_table_save(tsr_ctx *ctx, const char *path, const tsr_table *table, const tsr_csv_options *options) {
  static const char op[] = "csv_table_save";
  if (table == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "table", "is NULL");
  const tsr__saving what = {
      .op = op, .path = path, .write = write_table, .bundle = &table->values, .options = options, .old = table};
  return tsr__file_save_bundle(ctx, &what);
}

#endif
