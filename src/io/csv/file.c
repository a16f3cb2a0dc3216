/* Tables in files, by their path. */
#include "io/csv/csv.h"

#if TSR_HAVE_STDIO

#include "io/file/file.h"

#include <errno.h>

tsr_status tsr_csv_load(tsr_ctx *ctx, const char *path, const tsr_csv_options *options, tsr_tensor *out,
                        tsr_metadata *columns) {
  static const char op[] = "csv_load";
  char where[TSR_TEXT_BYTES];
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  tsr__file f = {.stream = fopen(path, "rb"), .ctx = ctx};
  if (f.stream == NULL) return tsr__file_fail(ctx, op, path, "cannot be opened", errno);
  const tsr_source source = {.size = sizeof(tsr_source), .read = tsr__file_read, .self = &f};
  tsr__csv csv = {.ctx = ctx, .op = op, .where = where, .source = &source};
  tsr__file_where(path, where);
  const tsr_status st = tsr__csv_read_table(&csv, options, out, columns);
  (void)fclose(f.stream);
  return f.error != 0 ? tsr__file_fail(ctx, op, path, "reading failed", f.error) : st;
}

/* ---- saving ---- */

typedef struct contents {
  const tsr_tensor *t;
  const tsr_metadata *columns;
  const tsr_csv_options *options;
} contents;

static tsr_status write_contents(tsr_ctx *ctx, void *user, const tsr_sink *sink) {
  const contents *c = user;
  return tsr_csv_write(ctx, c->t, c->columns, c->options, sink);
}

tsr_status tsr_csv_save(tsr_ctx *ctx, const char *path, const tsr_tensor *t, const tsr_metadata *columns,
                        const tsr_csv_options *options) {
  static const char op[] = "csv_save";
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  contents c = {.t = t, .columns = columns, .options = options};
  return tsr__file_save(ctx, op, path, 1, t, write_contents, &c);
}

#endif
