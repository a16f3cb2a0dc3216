/* Images into tensors, and out of them. */
#include "io/image.h"

#if TSR_HAVE_STDIO

#include "io/file.h"
#include "io/npy.h"
#include "io/slurp.h"

#include <errno.h>

#define DEFAULT_MAX_PIXELS ((uint64_t)1 << 28)

/* ---- reading ---- */

/* Where the pixels of one image go. */
typedef struct target {
  tsr__image_call call;
  tsr_tensor *out;
  tsr_tensor image;    /* what is decoded into: *out, or memory that takes its place until the image is whole */
  tsr__scratch pixels; /* for an output whose elements lie otherwise */
  bool copied;
} target;

static tsr_status place_image(void *user, const tsr__image *image, void **pixels) {
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

static tsr_status decode(tsr_ctx *ctx, const char *op, const char *where, const tsr__image_reader *reader,
                         const uint8_t *bytes, size_t n, tsr_tensor *out) {
  target t = {.call = {.ctx = ctx, .op = op, .where = where}, .out = out};
  const uint64_t most = reader->max_pixels > 0 ? reader->max_pixels : DEFAULT_MAX_PIXELS;
  const tsr_status st = reader->decode(&t.call, bytes, n, most, place_image, &t);
  if (st == TSR_OK) {
    if (t.copied) scatter(&t);
    *out = t.image;
  } else if (out->data == NULL) {
    tsr_release(&t.image);
  }
  tsr__scratch_put(&t.pixels);
  return st;
}

tsr_status tsr__image_decode(tsr_ctx *ctx, const char *op, const tsr__image_reader *reader, const void *bytes, size_t n,
                             tsr_tensor *out) {
  if (bytes == NULL && n > 0) return TSR__FAIL(ctx, TSR_EARG, op, "bytes", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  return decode(ctx, op, "", reader, bytes, n, out);
}

tsr_status tsr__image_read(tsr_ctx *ctx, const char *op, const tsr__image_reader *reader, const tsr_source *source,
                           tsr_tensor *out) {
  tsr__slurped all;
  if (source == NULL || source->read == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "source", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  tsr_status st = tsr__slurp(ctx, op, "", source, reader->max_bytes, &all);
  if (st != TSR_OK) return st;
  st = decode(ctx, op, "", reader, all.bytes, all.n, out);
  tsr__slurp_release(&all);
  return st;
}

tsr_status tsr__image_load(tsr_ctx *ctx, const char *op, const tsr__image_reader *reader, const char *path,
                           tsr_tensor *out) {
  char where[TSR_TEXT_BYTES];
  tsr__slurped all;
  if (path == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "path", "is NULL");
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  tsr__file f = {.stream = fopen(path, "rb"), .ctx = ctx};
  if (f.stream == NULL) return tsr__file_fail(ctx, op, path, "cannot be opened", errno);
  const tsr_source source = {.read = tsr__file_read, .self = &f};
  tsr__file_where(path, where);
  tsr_status st = tsr__slurp(ctx, op, where, &source, reader->max_bytes, &all);
  (void)fclose(f.stream);
  if (f.error != 0) return tsr__file_fail(ctx, op, path, "reading failed", f.error);
  if (st != TSR_OK) return st;
  st = decode(ctx, op, where, reader, all.bytes, all.n, out);
  tsr__slurp_release(&all);
  return st;
}

/* ---- writing ---- */

tsr_status tsr__image_check(tsr_ctx *ctx, const char *op, const char *format, const tsr_tensor *image,
                            tsr__image *out) {
  const tsr_status st = tsr__check_input(ctx, op, "image", image);
  if (st != TSR_OK) return st;
  if (image->dtype != TSR_U8 && image->dtype != TSR_U16)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "image", "%t: only u8 and u16 are images", image);
  const tsr_index channels = image->ndim == 3 ? image->shape[2] : 1;
  if ((image->ndim != 2 && image->ndim != 3) || channels < 1 || channels > 4)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "image", "%t: an image is [H,W] or [H,W,C] with 1 to 4 channels", image);
  if (tsr_size(image) == 0) return TSR__FAIL(ctx, TSR_ESHAPE, op, "image", "%t: %s has no empty images", image, format);
  if (image->shape[0] > INT32_MAX || image->shape[1] > INT32_MAX)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "image", "%t: more than 2147483647 pixels along an axis", image);
  *out = (tsr__image){.width = (uint32_t)image->shape[1],
                      .height = (uint32_t)image->shape[0],
                      .channels = (int)channels,
                      .bits = image->dtype == TSR_U16 ? 16 : 8};
  return TSR_OK;
}

#endif
