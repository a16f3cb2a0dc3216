/* Images as files have them, channels last, and as networks want them, channels first. */
#include "io/image/pixels.h"

#if TSR_HAVE_STDIO

#include "core/check.h"
#include "core/table.h"
#include "cpu/parallel.h"

#include <string.h>
#include <tessera/ops.h>
#include <tessera/view.h>

enum { GRAIN = 1 << 15 /* pixels that are worth a thread */, CHANNELS = 4, PART = 512 /* pixels of a row at a time */ };

const tsr__pixel_kernels *tsr__pixel_kernels_of(const tsr_ctx *ctx) {
  static const tsr__pixel_kernels *const all[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__pixels_by);
  return all[tsr__isa_of(ctx)];
}

/* One call: images in the order of their bytes, tensors in that of their planes. */
typedef struct job {
  const tsr__pixel_kernels *kernels;
  tsr_index images, height, width;
  int channels;
  bool wide; /* u16 */
  float scale[CHANNELS], shift[CHANNELS];
  const void *from;
  void *to;
} job;

/* ---- what is asked for ---- */

static bool is_finite(float x) { return x - x == 0; }

/* mean and std of each channel; std all 0 is 1. */
static tsr_status read_options(tsr_ctx *ctx, const char *op, const tsr_image_options *options, int channels,
                               float *mean, float *std) {
  static const tsr_image_options plain = {0};
  const tsr_image_options *const o = options != NULL ? options : &plain;
  bool any = false;
  for (int c = 0; c < CHANNELS; c++) any = any || o->std[c] < 0 || o->std[c] > 0;
  for (int c = 0; c < channels; c++) {
    mean[c] = o->mean[c];
    std[c] = any ? o->std[c] : 1.0f;
    if (!is_finite(mean[c])) return TSR__FAIL(ctx, TSR_EARG, op, "mean", "of channel %d is not finite", c);
    if (!is_finite(std[c]) || !(std[c] < 0 || std[c] > 0))
      return TSR__FAIL(ctx, TSR_EARG, op, "std", "of channel %d is 0 or not finite", c);
  }
  return TSR_OK;
}

static float most_of(const tsr_image_options *options, bool wide) {
  if (options != NULL && options->whole) return 1.0f;
  return wide ? 65535.0f : 255.0f;
}

static int dtype_of(const tsr_image_options *options, const tsr_tensor *out, int otherwise) {
  if (!tsr_is_none(out)) return out->dtype;
  return options != NULL && options->dtype != TSR_NONE ? options->dtype : otherwise;
}

static bool is_float(int dtype) {
  const tsr_dtype_info *info = tsr_dtype_describe(dtype);
  return info != NULL && info->class_ == TSR_CLASS_FLOAT;
}

/* t as it lies, or a copy that lies in order and is of dtype. *copy needs tsr_release. */
static tsr_status in_order(tsr_ctx *ctx, const tsr_tensor *t, int dtype, tsr_tensor *copy, const void **data) {
  tsr_tensor plain = *t;
  *data = t->data;
  if (t->dtype == dtype && tsr_is_contiguous(t, TSR_ROW_MAJOR)) return TSR_OK;
  plain.flags &= (uint8_t)~TSR_OWNS;
  plain.layout = TSR_PLAIN;
  tsr_status st = tsr_desc_init(ctx, dtype, t->ndim, t->shape, copy);
  if (st == TSR_OK) st = tsr_allocate(ctx, NULL, TSR_HINT_DEFAULT, copy);
  if (st == TSR_OK) st = tsr_cast(ctx, &plain, dtype, copy);
  *data = copy->data;
  return st;
}

/* The result is made in *made, which lies in order and is of dtype: out itself, or memory beside it. */
static tsr_status make_result(tsr_ctx *ctx, int dtype, const tsr__result *result, const tsr_tensor *in, tsr_tensor *out,
                              tsr_tensor *made) {
  const bool as_it_is = tsr_is_none(out) || (out->data != NULL && out->dtype == dtype &&
                                             tsr_is_contiguous(out, TSR_ROW_MAJOR) && !tsr__overlap(in, out));
  if (as_it_is && !tsr_is_none(out)) {
    *made = *out;
    made->flags &= (uint8_t)~TSR_OWNS;
    return TSR_OK;
  }
  tsr_status st = tsr_desc_init(ctx, dtype, result->ndim, result->shape, made);
  return st == TSR_OK ? tsr_allocate(ctx, NULL, TSR_HINT_DEFAULT, made) : st;
}

/* Hands it over; *made is empty then. */
static tsr_status end_result(tsr_ctx *ctx, const char *op, const tsr__result *result, tsr_tensor *made,
                             tsr_tensor *out) {
  if ((made->flags & TSR_OWNS) == 0) return TSR_OK; /* it is out's */
  if (tsr_is_none(out) && made->dtype == result->dtype) {
    *out = *made;
    *made = (tsr_tensor){0};
    return TSR_OK;
  }
  tsr_tensor filled = *out;
  tsr_status st = tsr__output(ctx, op, result, &filled);
  tsr_tensor view = filled;
  view.flags &= (uint8_t)~TSR_OWNS;
  view.layout = TSR_PLAIN;
  if (st == TSR_OK) st = tsr_cast(ctx, made, result->dtype, &view);
  if (st == TSR_OK) {
    *out = filled;
  } else if (out->data == NULL && filled.data != NULL) {
    tsr_release(&filled);
  }
  return st;
}

/* ---- to tensors ---- */

static void spread_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const job *j = arg;
  const size_t width = (size_t)j->width, plane = (size_t)j->height * width, n = (size_t)j->channels;
  (void)worker;
  for (tsr_index row = begin; row < end; row++) {
    const size_t image = (size_t)(row / j->height), y = (size_t)(row % j->height), at = (size_t)row * width * n;
    float *planes[CHANNELS];
    for (size_t c = 0; c < n; c++) planes[c] = (float *)j->to + (image * n + c) * plane + y * width;
    if (j->wide)
      j->kernels->spread_u16((const uint16_t *)j->from + at, width, j->channels, planes, j->scale, j->shift);
    else
      j->kernels->spread_u8((const uint8_t *)j->from + at, width, j->channels, planes, j->scale, j->shift);
  }
}

static tsr_index grain_of(const job *j) { return GRAIN / (j->width > 0 ? j->width : 1) + 1; }

static tsr_status check_image(tsr_ctx *ctx, const char *op, const tsr_tensor *image, job *j) {
  const tsr_status st = tsr__check_input(ctx, op, "image", image);
  if (st != TSR_OK) return st;
  if (image->dtype != TSR_U8 && image->dtype != TSR_U16)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "image", "%t: images are u8 or u16", image);
  const int first = image->ndim == 4;
  const tsr_index channels = image->ndim > 2 ? image->shape[image->ndim - 1] : 1;
  if (image->ndim < 2 || image->ndim > 4 || channels < 1 || channels > CHANNELS)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "image", "%t: it is [H,W], [H,W,C] or [N,H,W,C] with 1 to 4 channels", image);
  j->images = first ? image->shape[0] : 1;
  j->height = image->shape[first];
  j->width = image->shape[first + 1];
  j->channels = (int)channels;
  j->wide = image->dtype == TSR_U16;
  return TSR_OK;
}

static tsr_status spread(tsr_ctx *ctx, const char *op, const tsr_tensor *image, const tsr__result *result, job *j,
                         tsr_tensor *out) {
  tsr_tensor copy = {0}, made = {0};
  tsr_status st = tsr__output_check(ctx, op, result, out);
  if (st == TSR_OK) st = in_order(ctx, image, image->dtype, &copy, &j->from);
  if (st == TSR_OK) st = make_result(ctx, TSR_F32, result, image, out, &made);
  if (st == TSR_OK) {
    j->to = made.data;
    if (tsr_size(image) > 0) tsr__parallel_for(ctx, j->images * j->height, grain_of(j), spread_rows, j);
    st = end_result(ctx, op, result, &made, out);
  }
  tsr_release(&copy);
  tsr_release(&made);
  return st;
}

tsr_status tsr_image_to_tensor(tsr_ctx *ctx, const tsr_tensor *image, const tsr_image_options *options,
                               tsr_tensor *out) {
  static const char op[] = "image_to_tensor";
  float mean[CHANNELS], std[CHANNELS];
  job j = {.kernels = tsr__pixel_kernels_of(ctx)};
  tsr_status st = tsr__check_reserved(ctx, op, TSR__RESERVED_OF(options));
  if (st == TSR_OK) st = check_image(ctx, op, image, &j);
  if (st == TSR_OK) st = read_options(ctx, op, options, j.channels, mean, std);
  if (st != TSR_OK) return st;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  const int dtype = dtype_of(options, out, TSR_F32);
  if (!is_float(dtype)) return TSR__FAIL(ctx, TSR_EDTYPE, op, "out", "is %y; it is of floats", dtype);
  for (int c = 0; c < j.channels; c++) {
    j.scale[c] = 1.0f / (most_of(options, j.wide) * std[c]);
    j.shift[c] = -mean[c] / std[c];
  }
  const tsr_index shape[4] = {j.images, j.channels, j.height, j.width};
  const bool several = image->ndim == 4;
  const tsr__result result = {.dtype = (uint8_t)dtype,
                              .layout = tsr_is_none(out) ? TSR_PLAIN : out->layout,
                              .ndim = several ? 4 : 3,
                              .shape = several ? shape : shape + 1};
  return spread(ctx, op, image, &result, &j, out);
}

/* ---- to images ---- */

static void gather_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const job *j = arg;
  const size_t width = (size_t)j->width, plane = (size_t)j->height * width, n = (size_t)j->channels;
  (void)worker;
  for (tsr_index row = begin; row < end; row++) {
    const size_t image = (size_t)(row / j->height), y = (size_t)(row % j->height), at = (size_t)row * width * n;
    const float *planes[CHANNELS];
    for (size_t c = 0; c < n; c++) planes[c] = (const float *)j->from + (image * n + c) * plane + y * width;
    if (j->wide)
      j->kernels->gather_u16(planes, width, j->channels, j->scale, j->shift, (uint16_t *)j->to + at);
    else
      j->kernels->gather_u8(planes, width, j->channels, j->scale, j->shift, (uint8_t *)j->to + at);
  }
}

static tsr_status check_tensor(tsr_ctx *ctx, const char *op, const tsr_tensor *x, job *j) {
  const tsr_status st = tsr__check_input(ctx, op, "x", x);
  if (st != TSR_OK) return st;
  if (!is_float(x->dtype)) return TSR__FAIL(ctx, TSR_EDTYPE, op, "x", "%t is not of floats", x);
  const tsr_index channels = x->ndim > 2 && x->ndim <= 4 ? x->shape[x->ndim - 3] : 1;
  if (x->ndim < 2 || x->ndim > 4 || channels < 1 || channels > CHANNELS)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "x", "%t: it is [H,W], [C,H,W] or [N,C,H,W] with 1 to 4 channels", x);
  j->images = x->ndim == 4 ? x->shape[0] : 1;
  j->channels = (int)channels;
  j->height = x->shape[x->ndim - 2];
  j->width = x->shape[x->ndim - 1];
  return TSR_OK;
}

static tsr_status gather(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr__result *result, job *j,
                         tsr_tensor *out) {
  tsr_tensor copy = {0}, made = {0};
  tsr_status st = tsr__output_check(ctx, op, result, out);
  if (st == TSR_OK) st = in_order(ctx, x, TSR_F32, &copy, &j->from);
  if (st == TSR_OK) st = make_result(ctx, result->dtype, result, x, out, &made);
  if (st == TSR_OK) {
    j->to = made.data;
    if (tsr_size(x) > 0) tsr__parallel_for(ctx, j->images * j->height, grain_of(j), gather_rows, j);
    st = end_result(ctx, op, result, &made, out);
  }
  tsr_release(&copy);
  tsr_release(&made);
  return st;
}

tsr_status tsr_tensor_to_image(tsr_ctx *ctx, const tsr_tensor *x, const tsr_image_options *options, tsr_tensor *out) {
  static const char op[] = "tensor_to_image";
  float mean[CHANNELS], std[CHANNELS];
  job j = {.kernels = tsr__pixel_kernels_of(ctx)};
  tsr_status st = tsr__check_reserved(ctx, op, TSR__RESERVED_OF(options));
  if (st == TSR_OK) st = check_tensor(ctx, op, x, &j);
  if (st == TSR_OK) st = read_options(ctx, op, options, j.channels, mean, std);
  if (st != TSR_OK) return st;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  const int dtype = dtype_of(options, out, TSR_U8);
  if (dtype != TSR_U8 && dtype != TSR_U16)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "out", "is %y; images are u8 or u16", dtype);
  j.wide = dtype == TSR_U16;
  for (int c = 0; c < j.channels; c++) {
    j.scale[c] = most_of(options, j.wide) * std[c];
    j.shift[c] = most_of(options, j.wide) * mean[c];
  }
  const tsr_index shape[4] = {j.images, j.height, j.width, j.channels};
  const bool several = x->ndim == 4;
  const tsr__result result = {.dtype = (uint8_t)dtype,
                              .layout = tsr_is_none(out) ? TSR_PLAIN : out->layout,
                              .ndim = several          ? 4
                                      : j.channels > 1 ? 3
                                                       : 2,
                              .shape = several ? shape : shape + 1};
  return gather(ctx, op, x, &result, &j, out);
}

#endif
