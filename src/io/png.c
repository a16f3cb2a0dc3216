/* Images as tensors. */
#include "io/png.h"

#if TSR_HAVE_STDIO

#include "core/storage.h"
#include "io/file.h"
#include "io/npy.h"
#include "io/slurp.h"

#define DEFAULT_MAX_PIXELS ((uint64_t)1 << 28)

/* ---- reading ---- */

/* Where the pixels of one image go. */
typedef struct target {
  tsr__png_call call;
  tsr_tensor *out;
  tsr_tensor image;    /* what is decoded into: *out, or memory that takes its place until the image is whole */
  tsr__scratch pixels; /* for an output whose elements lie otherwise */
  bool copied;
} target;

static tsr_status place_image(void *user, const tsr__png_image *image, void **pixels) {
  target *t = user;
  const tsr_index shape[3] = {(tsr_index)image->height, (tsr_index)image->width, image->channels};
  const tsr__result result = {.dtype = image->bits == 16 ? TSR_U16 : TSR_U8,
                              .layout = tsr_is_empty(t->out) ? TSR_PLAIN : t->out->layout,
                              .ndim = image->channels == 1 ? 2 : 3,
                              .shape = shape};
  tsr_tensor filled = *t->out;
  tsr_status st = tsr__output(t->call.ctx, t->call.op, &result, &filled);
  if (st != TSR_OK) return st;
  t->image = filled;
  t->copied = !tsr_is_contiguous(&filled, TSR_ROW_MAJOR);
  if (t->copied) {
    st = tsr__scratch_get(t->call.ctx, t->call.op, tsr_nbytes(&filled), &t->pixels);
    if (st != TSR_OK && t->out->data == NULL) tsr_release(&t->image);
  }
  *pixels = t->copied ? t->pixels.data : filled.data;
  return st;
}

static void scatter(const target *t) {
  tsr__npy_walk walk;
  tsr__npy_walk_init(&walk, &t->image, false);
  tsr__npy_scatter(&walk, (size_t)tsr_size(&t->image), t->pixels.data);
}

tsr_status tsr__png_into(tsr_ctx *ctx, const char *op, const char *path, const uint8_t *bytes, size_t n,
                         const tsr_png_options *options, tsr_tensor *out) {
  char where[TSR_TEXT_BYTES] = "";
  const uint64_t asked = options != NULL ? options->max_pixels : 0;
  target t = {.call = {.ctx = ctx, .op = op, .where = where}, .out = out};
  if (path != NULL) tsr__file_where(path, where);
  const tsr_status st = tsr__png_decode(&t.call, bytes, n, asked > 0 ? asked : DEFAULT_MAX_PIXELS, place_image, &t);
  if (st == TSR_OK) {
    if (t.copied) scatter(&t);
    *out = t.image;
  } else if (out->data == NULL) {
    tsr_release(&t.image);
  }
  tsr__scratch_put(&t.pixels);
  return st;
}

tsr_status tsr_png_decode(tsr_ctx *ctx, const void *bytes, size_t n, const tsr_png_options *options, tsr_tensor *out) {
  static const char op[] = "png_decode";
  if (bytes == NULL && n > 0) return TSR__FAIL(ctx, TSR_EARG, op, "bytes", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  return tsr__png_into(ctx, op, NULL, bytes, n, options, out);
}

tsr_status tsr_png_read(tsr_ctx *ctx, const tsr_source *source, const tsr_png_options *options, tsr_tensor *out) {
  static const char op[] = "png_read";
  tsr__slurped all;
  if (source == NULL || source->read == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "source", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  tsr_status st = tsr__slurp(ctx, op, "", source, options != NULL ? options->max_bytes : 0, &all);
  if (st != TSR_OK) return st;
  st = tsr__png_into(ctx, op, NULL, all.bytes, all.n, options, out);
  tsr__slurp_release(&all);
  return st;
}

/* ---- writing ---- */

static tsr_status check_image(tsr_ctx *ctx, const char *op, const tsr_tensor *image,
                              const tsr_png_save_options *options, tsr__png_image *out) {
  const tsr_status st = tsr__check_input(ctx, op, "image", image);
  if (st != TSR_OK) return st;
  if (image->dtype != TSR_U8 && image->dtype != TSR_U16)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "image", "%t: only u8 and u16 are images", image);
  const tsr_index channels = image->ndim == 3 ? image->shape[2] : 1;
  if ((image->ndim != 2 && image->ndim != 3) || channels < 1 || channels > 4)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "image", "%t: an image is [H,W] or [H,W,C] with 1 to 4 channels", image);
  if (tsr_size(image) == 0) return TSR__FAIL(ctx, TSR_ESHAPE, op, "image", "%t: PNG has no empty images", image);
  if (image->shape[0] > INT32_MAX || image->shape[1] > INT32_MAX)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "image", "%t: more than 2147483647 pixels along an axis", image);
  if (options != NULL && (options->level < -1 || options->level > 9))
    return TSR__FAIL(ctx, TSR_EARG, op, "options", "level %d is not -1 to 9", options->level);
  *out = (tsr__png_image){.width = (uint32_t)image->shape[1],
                          .height = (uint32_t)image->shape[0],
                          .channels = (int)channels,
                          .bits = image->dtype == TSR_U16 ? 16 : 8};
  return TSR_OK;
}

/* The rows of any tensor, one after the other. */
typedef struct rows {
  tsr__npy_walk walk;
  size_t count; /* elements of a row */
} rows;

static void next_row(void *user, void *row) {
  rows *r = user;
  tsr__npy_gather(&r->walk, r->count, row);
}

tsr_status tsr_png_write(tsr_ctx *ctx, const tsr_tensor *image, const tsr_png_save_options *options,
                         const tsr_sink *sink) {
  enum { DEFAULT_LEVEL = 6 };
  static const char op[] = "png_write";
  tsr__png_image what;
  rows r;
  if (sink == NULL || sink->write == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "sink", "is NULL");
  const tsr_status st = check_image(ctx, op, image, options, &what);
  if (st != TSR_OK) return st;
  const tsr__png_call call = {.ctx = ctx, .op = op, .where = ""};
  const int level = options != NULL && options->level != 0 ? options->level : DEFAULT_LEVEL;
  tsr__npy_walk_init(&r.walk, image, false);
  r.count = (size_t)what.width * (size_t)what.channels;
  return tsr__png_encode(&call, &what, level, next_row, &r, sink);
}

#endif
