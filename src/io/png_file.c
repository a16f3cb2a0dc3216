/* PNG files by their path. */
#include "io/file.h"

#if TSR_HAVE_STDIO

#include "io/png.h"
#include "io/slurp.h"

#include <errno.h>

tsr_status tsr_png_load(tsr_ctx *ctx, const char *path, const tsr_png_options *options, tsr_tensor *out) {
  static const char op[] = "png_load";
  char where[TSR_TEXT_BYTES];
  tsr__slurped all;
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  tsr__file f = {.stream = fopen(path, "rb"), .ctx = ctx};
  if (f.stream == NULL) return tsr__file_fail(ctx, op, path, "cannot be opened", errno);
  const tsr_source source = {.read = tsr__file_read, .self = &f};
  tsr__file_where(path, where);
  tsr_status st = tsr__slurp(ctx, op, where, &source, options != NULL ? options->max_bytes : 0, &all);
  (void)fclose(f.stream);
  if (f.error != 0) return tsr__file_fail(ctx, op, path, "reading failed", f.error);
  if (st != TSR_OK) return st;
  st = tsr__png_into(ctx, op, path, all.bytes, all.n, options, out);
  tsr__slurp_release(&all);
  return st;
}

/* ---- saving ---- */

typedef struct contents {
  const tsr_tensor *image;
  const tsr_png_save_options *options;
} contents;

static tsr_status write_contents(tsr_ctx *ctx, void *user, const tsr_sink *sink) {
  const contents *c = user;
  return tsr_png_write(ctx, c->image, c->options, sink);
}

tsr_status tsr_png_save(tsr_ctx *ctx, const char *path, const tsr_tensor *image, const tsr_png_save_options *options) {
  static const char op[] = "png_save";
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  contents c = {.image = image, .options = options};
  return tsr__file_save(ctx, op, path, 1, image, write_contents, &c);
}

#endif
