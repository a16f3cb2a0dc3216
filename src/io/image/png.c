/* PNG images as tensors. */
#include "io/image/png.h"

#if TSR_HAVE_STDIO

#include "core/table.h"
#include "io/bytes/walk.h"
#include "io/file/file.h"

/* ---- reading ---- */

#define READER(options) TSR__IMAGE_READER(options, .decode = tsr__png_decode, .inflates = true)

tsr_status tsr_png_decode(tsr_ctx *ctx, const void *bytes, size_t n, const tsr_png_options *options, tsr_tensor *out) {
  return tsr__image_decode(ctx, "png_decode", READER(options), bytes, n, out);
}

tsr_status tsr_png_read(tsr_ctx *ctx, const tsr_source *source, const tsr_png_options *options, tsr_tensor *out) {
  return tsr__image_read(ctx, "png_read", READER(options), source, out);
}

tsr_status tsr_png_load(tsr_ctx *ctx, const char *path, const tsr_png_options *options, tsr_tensor *out) {
  return tsr__image_load(ctx, "png_load", READER(options), path, out);
}

/* ---- writing ---- */

/* The rows of any tensor, one after the other. */
typedef struct rows {
  tsr__element_walk walk;
  size_t count; /* elements of a row */
} rows;

static void next_row(void *user, void *row) {
  rows *r = user;
  tsr__element_gather(&r->walk, r->count, row);
}

tsr_status tsr_png_write(tsr_ctx *ctx, const tsr_tensor *image, const tsr_png_save_options *options,
                         const tsr_sink *sink) {
  enum { DEFAULT_LEVEL = 6 };
  static const char op[] = "png_write";
  tsr__pixels what;
  rows r;
  tsr_status st = tsr__check_sink(ctx, op, sink);
  if (st == TSR_OK) st = tsr__check_reserved(ctx, op, TSR__RESERVED_OF(options));
  if (st == TSR_OK) st = tsr__image_check(ctx, op, "PNG", image, &what);
  if (st != TSR_OK) return st;
  if (options != NULL && (options->level < -1 || options->level > 9))
    return TSR__FAIL(ctx, TSR_EARG, op, "options", "level %d is not -1 to 9", options->level);
  const tsr__image_call call = {.ctx = ctx, .op = op, .where = ""};
  const int level = options != NULL && options->level != 0 ? options->level : DEFAULT_LEVEL;
  tsr__element_walk_init(&r.walk, image, false);
  r.count = (size_t)what.width * (size_t)what.channels;
  return tsr__png_encode(&call, &what, level, next_row, &r, sink);
}

static tsr_status write_image(tsr_ctx *ctx, const tsr__saving *what, const tsr_sink *sink) {
  return tsr_png_write(ctx, what->tensor, what->options, sink);
}

tsr_status tsr_png_save(tsr_ctx *ctx, const char *path, const tsr_tensor *image, const tsr_png_save_options *options) {
  const tsr__saving what = {.op = "png_save", .path = path, .write = write_image, .tensor = image, .options = options};
  return tsr__file_save(ctx, &what);
}

#endif
