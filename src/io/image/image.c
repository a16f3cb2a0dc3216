/* Images into tensors, and out of them. */
#include "io/image/image.h"

#if TSR_HAVE_STDIO

#include "core/table.h"
#include "core/tensor.h"
#include "io/bytes/walk.h"
#include "io/file/file.h"
#include "io/bytes/slurp.h"

/* ---- reading ---- */

/* Where the pixels of one image go. */
typedef struct target {
  tsr__image_call call;
  const tsr__image_reader *reader;
  uint64_t size; /* of the file */
  tsr__budget budget;
  tsr_tensor *out;
  tsr_tensor image;    /* what is decoded into: *out, or memory that takes its place until the image is whole */
  tsr__scratch pixels; /* for an output whose elements lie otherwise */
  bool copied;
} target;

static tsr_status allow_image(void *user, const tsr__pixels *image) {
  target *t = user;
  const tsr__limit_call call = {.ctx = t->call.ctx, .op = t->call.op, .where = t->call.where};
  if (t->reader->describe) return TSR_OK;
  const uint64_t pixels = (uint64_t)image->width * image->height;
  const uint64_t each = (uint64_t)image->channels * (uint64_t)(image->bits / 8);
  const uint64_t bytes = pixels < UINT64_MAX / each ? pixels * each : UINT64_MAX;
  tsr_status st = tsr__limit_check(&call, TSR__LIMIT_PIXELS, "it has", "pixels", pixels,
                                   tsr__limit(call.ctx, TSR__LIMIT_PIXELS, TSR__DEFAULT_PIXELS));
  if (st == TSR_OK && t->reader->inflates)
    st = tsr__limit_check(&call, TSR__LIMIT_INFLATED, "it inflates to", "bytes", bytes,
                          tsr__limit(call.ctx, TSR__LIMIT_INFLATED, tsr__default_bytes(t->size)));
  return st == TSR_OK && t->out->data == NULL ? tsr__budget_take(&t->budget, bytes) : st;
}

static tsr_status place_image(void *user, const tsr__pixels *image, void **pixels) {
  target *t = user;
  const tsr_index shape[3] = {(tsr_index)image->height, (tsr_index)image->width, image->channels};
  const tsr__result result = {.dtype = image->bits == 16 ? TSR_U16 : TSR_U8,
                              .layout = tsr_is_none(t->out) ? TSR_PLAIN : t->out->layout,
                              .ndim = image->channels == 1 ? 2 : 3,
                              .shape = shape};
  tsr_tensor filled = *t->out;
  *pixels = NULL;
  if (t->reader->describe) {
    tsr__describe(result.dtype, result.ndim, shape, &t->image);
    tsr__strides_for(result.ndim, shape, TSR_ROW_MAJOR, t->image.stride);
    return TSR_OK;
  }
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
  tsr__element_walk walk;
  tsr__element_walk_init(&walk, &t->image, false);
  tsr__element_scatter(&walk, (size_t)tsr_size(&t->image), t->pixels.data);
}

/* n bytes of a file of size; taken of them are memory of this call. */
static tsr_status decode(const tsr__image_call *call, const tsr__image_reader *reader, const tsr__slurped *file,
                         uint64_t size, size_t taken, tsr_tensor *out) {
  target t = {.call = *call, .reader = reader, .size = size, .out = out};
  t.budget = tsr__budget_start(call->ctx, call->op, call->where, size);
  t.budget.taken = taken;
  const tsr__image_file what = {
      .bytes = file->bytes, .n = file->n, .size = size, .allow = allow_image, .place = place_image, .user = &t};
  const tsr_status st = reader->decode(&t.call, &what);
  if (st == TSR_OK) {
    if (t.copied) scatter(&t);
    *out = t.image;
  } else if (out->data == NULL) {
    tsr_release(&t.image);
  }
  tsr__scratch_put(&t.pixels);
  return st;
}

static tsr_status check_output(tsr_ctx *ctx, const char *op, const tsr__image_reader *reader, const tsr_tensor *out) {
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (reader->describe && !tsr_is_none(out))
    return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "%t is not empty: it is described", out);
  return tsr__check_reserved(ctx, op, reader->reserved, reader->words);
}

tsr_status tsr__image_decode(tsr_ctx *ctx, const char *op, const tsr__image_reader *reader, const void *bytes, size_t n,
                             tsr_tensor *out) {
  const tsr__image_call call = {.ctx = ctx, .op = op, .where = ""};
  if (bytes == NULL && n > 0) return TSR__FAIL(ctx, TSR_EARG, op, "bytes", "is NULL");
  const tsr_status st = check_output(ctx, op, reader, out);
  if (st != TSR_OK) return st;
  const tsr__slurped all = {.bytes = (uint8_t *)(uintptr_t)bytes, .n = n};
  return decode(&call, reader, &all, n, 0, out);
}

/* known: how many bytes the file says to have, or 0. */
static tsr_status read_all(const tsr__image_call *call, const tsr__image_reader *reader, const tsr_source *source,
                           uint64_t known, tsr_tensor *out) {
  tsr__slurped all;
  tsr_status st = tsr__slurp(call->ctx, call->op, call->where, source, SIZE_MAX, known, &all);
  if (st != TSR_OK) return st;
  st = decode(call, reader, &all, all.n, all.n, out);
  tsr__slurp_release(&all);
  return st;
}

tsr_status tsr__image_read(tsr_ctx *ctx, const char *op, const tsr__image_reader *reader, const tsr_source *source,
                           tsr_tensor *out) {
  const tsr__image_call call = {.ctx = ctx, .op = op, .where = ""};
  tsr_status st = tsr__check_source(ctx, op, source);
  if (st == TSR_OK) st = check_output(ctx, op, reader, out);
  return st == TSR_OK ? read_all(&call, reader, source, 0, out) : st;
}

/* The header of a file, from its start: *done stays false where that is longer. */
static tsr_status read_start(const tsr__image_call *call, const tsr__image_reader *reader, const tsr__file_source *f,
                             tsr_tensor *out, bool *done) {
  enum { START = 1 << 16 };
  tsr__slurped start;
  if (f->size <= START) return TSR_OK;
  tsr_status st = tsr__slurp(call->ctx, call->op, call->where, &f->source, START, f->size, &start);
  if (st != TSR_OK) return st;
  st = decode(call, reader, &start, f->size, start.n, out);
  tsr__slurp_release(&start);
  *done = st == TSR_OK;
  rewind(f->file.stream);
  return st == TSR_EFORMAT ? TSR_OK : st; /* the rest may make it whole */
}

tsr_status tsr__image_load(tsr_ctx *ctx, const char *op, const tsr__image_reader *reader, const char *path,
                           tsr_tensor *out) {
  tsr__file_source f;
  bool done = false;
  tsr_status st = path != NULL ? check_output(ctx, op, reader, out) : TSR_OK;
  if (st == TSR_OK) st = tsr__file_source_open(ctx, op, path, &f);
  if (st != TSR_OK) return st;
  const tsr__image_call call = {.ctx = ctx, .op = op, .where = f.where};
  if (reader->describe) st = read_start(&call, reader, &f, out, &done);
  if (st == TSR_OK && !done) st = read_all(&call, reader, &f.source, f.size, out);
  return tsr__file_source_close(&f, st);
}

/* ---- writing ---- */

tsr_status tsr__image_check(tsr_ctx *ctx, const char *op, const char *format, const tsr_tensor *image,
                            tsr__pixels *out) {
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
  *out = (tsr__pixels){.width = (uint32_t)image->shape[1],
                       .height = (uint32_t)image->shape[0],
                       .channels = (int)channels,
                       .bits = image->dtype == TSR_U16 ? 16 : 8};
  return TSR_OK;
}

#endif
