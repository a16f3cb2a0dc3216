/* JPEG images as tensors. */
#include "io/image/jpeg.h"

#if TSR_HAVE_STDIO

#include "core/table.h"
#include "io/bytes/walk.h"
#include "io/file/file.h"

/* ---- reading ---- */

#define READER(options) \
  TSR__IMAGE_READER(    \
      options, .decode = (options) != NULL && (options)->as_stored ? tsr__jpeg_decode_as_stored : tsr__jpeg_decode)

tsr_status tsr_jpeg_decode(tsr_ctx *ctx, const void *bytes, size_t n, const tsr_jpeg_options *options,
                           tsr_tensor *out) {
  return tsr__image_decode(ctx, "jpeg_decode", READER(options), bytes, n, out);
}

tsr_status tsr_jpeg_read(tsr_ctx *ctx, const tsr_source *source, const tsr_jpeg_options *options, tsr_tensor *out) {
  return tsr__image_read(ctx, "jpeg_read", READER(options), source, out);
}

tsr_status tsr_jpeg_load(tsr_ctx *ctx, const char *path, const tsr_jpeg_options *options, tsr_tensor *out) {
  return tsr__image_load(ctx, "jpeg_load", READER(options), path, out);
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

static tsr_status check(tsr_ctx *ctx, const char *op, const tsr_tensor *image, const tsr_jpeg_save_options *options,
                        tsr__pixels *what) {
  enum { MOST = 65500 };
  const tsr_status st = tsr__image_check(ctx, op, "JPEG", image, what);
  if (st != TSR_OK) return st;
  if (what->bits != 8) return TSR__FAIL(ctx, TSR_EDTYPE, op, "image", "%t: only u8 is written as JPEG", image);
  if (what->channels != 1 && what->channels != 3)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "image", "%t: JPEG has 1 or 3 channels, no alpha", image);
  if (what->width > MOST || what->height > MOST)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "image", "%t: JPEG has at most %d pixels along an axis", image, (int)MOST);
  if (options != NULL && (options->quality < 0 || options->quality > 100))
    return TSR__FAIL(ctx, TSR_EARG, op, "options", "quality %d is not 1 to 100", options->quality);
  return TSR_OK;
}

tsr_status tsr_jpeg_write(tsr_ctx *ctx, const tsr_tensor *image, const tsr_jpeg_save_options *options,
                          const tsr_sink *sink) {
  static const char op[] = "jpeg_write";
  static const tsr_jpeg_save_options plain = {0};
  tsr__pixels what;
  rows r;
  tsr_status st = tsr__check_sink(ctx, op, sink);
  if (st == TSR_OK) st = tsr__check_reserved(ctx, op, TSR__RESERVED_OF(options));
  if (st == TSR_OK) st = check(ctx, op, image, options, &what);
  if (st != TSR_OK) return st;
  const tsr__image_call call = {.ctx = ctx, .op = op, .where = ""};
  tsr__element_walk_init(&r.walk, image, false);
  r.count = (size_t)what.width * (size_t)what.channels;
  return tsr__jpeg_encode(&call, &what, options != NULL ? options : &plain, next_row, &r, sink);
}

static tsr_status write_image(tsr_ctx *ctx, const tsr__saving *what, const tsr_sink *sink) {
  return tsr_jpeg_write(ctx, what->tensor, what->options, sink);
}

tsr_status tsr_jpeg_save(tsr_ctx *ctx, const char *path, const tsr_tensor *image,
                         const tsr_jpeg_save_options *options) {
  const tsr__saving what = {.op = "jpeg_save", .path = path, .write = write_image, .tensor = image, .options = options};
  return tsr__file_save(ctx, &what);
}

#endif
