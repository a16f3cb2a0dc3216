/* Tables in files, by their path. */
#include "io/csv/csv.h"

#if TSR_HAVE_STDIO

#include "io/file/file.h"

tsr_status tsr_csv_load(tsr_ctx *ctx, const char *path, const tsr_csv_options *options, tsr_tensor *out,
                        tsr_metadata *columns) {
  static const char op[] = "csv_load";
  tsr__file_source f;
  const tsr_status st = tsr__file_source_open(ctx, op, path, &f);
  if (st != TSR_OK) return st;
  tsr__csv csv = {.ctx = ctx, .op = op, .where = f.where, .source = &f.source};
  return tsr__file_source_close(&f, tsr__csv_read_table(&csv, options, out, columns));
}

static tsr_status write_table(tsr_ctx *ctx, const tsr__saving *what, const tsr_sink *sink) {
  return tsr_csv_write(ctx, what->tensor, what->metadata, what->options, sink);
}

tsr_status tsr_csv_save(tsr_ctx *ctx, const char *path, const tsr_tensor *t, const tsr_metadata *columns,
                        const tsr_csv_options *options) {
  const tsr__saving what = {
      .op = "csv_save", .path = path, .write = write_table, .tensor = t, .metadata = columns, .options = options};
  return tsr__file_save(ctx, &what);
}

#endif
