/* PNG images as tensors. */
#include "io/image/png.h"

#if TSR_HAVE_STDIO

#include "core/table.h"
#include "io/bytes/walk.h"

/* ---- reading ---- */

static tsr__image_reader reader_of(const tsr_png_options *options) {
  tsr__image_reader reader = {.decode = tsr__png_decode, .inflates = true};
  reader.describe = options != NULL && options->describe;
  reader.reserved = options != NULL ? options->reserved : NULL;
  reader.words = sizeof options->reserved / sizeof options->reserved[0];
  return reader;
}

tsr_status tsr_png_decode(tsr_ctx *ctx, const void *bytes, size_t n, const tsr_png_options *options, tsr_tensor *out) {
  const tsr__image_reader reader = reader_of(options);
  return tsr__image_decode(ctx, "png_decode", &reader, bytes, n, out);
}

tsr_status tsr_png_read(tsr_ctx *ctx, const tsr_source *source, const tsr_png_options *options, tsr_tensor *out) {
  const tsr__image_reader reader = reader_of(options);
  return tsr__image_read(ctx, "png_read", &reader, source, out);
}

tsr_status tsr_png_load(tsr_ctx *ctx, const char *path, const tsr_png_options *options, tsr_tensor *out) {
  const tsr__image_reader reader = reader_of(options);
  return tsr__image_load(ctx, "png_load", &reader, path, out);
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

#endif
