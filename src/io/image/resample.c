/* Images of another size. Each pixel is a weighted sum of those that a filter covers, which is as wide as the step between
 * two pixels of the smaller image: first along the width, then along the height. */
#include "io/image/pixels.h"

#if TSR_HAVE_STDIO

#include "core/check.h"
#include "core/table.h"
#include "cpu/parallel.h"

#include <math.h>
#include <string.h>
#include <tessera/ops.h>

static const char op[] = "image_resize";

enum { ROWS_OF_A_THREAD = 16 };

/* The pixels that each pixel along an axis is made of. */
typedef struct weights {
  tsr_index in, out, most; /* lengths; the most pixels of one */
  tsr_index *first, *count;
  double *real;   /* most of each */
  int32_t *whole; /* the same in 22 bits; where they are wanted */
} weights;

/* ---- filters ---- */

static double triangle(double x) { return fabs(x) < 1 ? 1 - fabs(x) : 0; }

static double box(double x) { return x > -0.5 && x <= 0.5 ? 1 : 0; }

static double cubic(double x) {
  const double a = -0.5;
  x = fabs(x);
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

static double sinc(double x) {
  const double angle = x * 3.14159265358979323846;
  return x < 0 || x > 0 ? sin(angle) / angle : 1;
}

static double lanczos(double x) { return x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0; }

static const struct filter {
  double (*at)(double x);
  double reach;
} filters[] = {{triangle, 1}, {box, 0.5}, {cubic, 2}, {lanczos, 3}};

/* ---- weights ---- */

static tsr_index clipped(double x, tsr_index most) {
  if (x < 0) return 0;
  return x > (double)most ? most : (tsr_index)x;
}

static void find_weights(weights *w, const struct filter *f, tsr_index i) {
  const double scale = (double)w->in / (double)w->out, wide = scale < 1 ? 1 : scale, reach = f->reach * wide;
  const double center = ((double)i + 0.5) * scale;
  const tsr_index from = clipped(center - reach + 0.5, w->in), to = clipped(center + reach + 0.5, w->in);
  double *const real = w->real + i * w->most, sum;
  double all = 0;
  for (tsr_index k = 0; k < to - from; k++) {
    real[k] = f->at(((double)(k + from) - center + 0.5) * (1.0 / wide));
    all += real[k];
  }
  sum = all;
  for (tsr_index k = 0; k < to - from; k++)
    if (sum < 0 || sum > 0) real[k] /= sum;
  w->first[i] = from;
  w->count[i] = to - from;
  for (tsr_index k = 0; k < w->most && w->whole != NULL; k++) {
    const double scaled = (k < to - from ? real[k] : 0) * (double)(1 << TSR__WEIGHT_BITS);
    w->whole[i * w->most + k] = (int32_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
  }
}

/* How many pixels one is made of at the most; false where they cannot be counted. */
static bool measure(weights *w, const struct filter *f, tsr_index in, tsr_index out, bool whole, size_t *bytes) {
  const double scale = (double)in / (double)out, most = ceil(f->reach * (scale < 1 ? 1 : scale)) * 2 + 1;
  size_t each, all;
  *w = (weights){.in = in, .out = out, .most = (tsr_index)most};
  return most < 1e9 && tsr__mul_size((size_t)w->most, sizeof(double) + (whole ? sizeof(int32_t) : 0), &each) &&
         tsr__add_size(each, 2 * sizeof(tsr_index), &each) && tsr__mul_size(each, (size_t)out, &all) &&
         all < PTRDIFF_MAX / 4 && (*bytes = (all + 63) / 64 * 64) == (all + 63) / 64 * 64;
}

static void place(weights *w, void *memory, bool whole) {
  const size_t out = (size_t)w->out;
  w->real = memory;
  w->first = (tsr_index *)(void *)(w->real + out * (size_t)w->most);
  w->count = w->first + out;
  w->whole = whole ? (int32_t *)(void *)(w->count + out) : NULL;
}

/* ---- passes ---- */

typedef struct pass {
  const tsr__pixel_kernels *kernels;
  const weights *w;
  const void *from;
  void *to;
  tsr_index channels;
  size_t row_in, row_out; /* elements of a row */
  bool bytes;
} pass;

/* Red, green and blue at once: each weight is loaded once. */
static inline void mix_three(const uint8_t *at, const int32_t *weight, size_t count, uint8_t *to) {
  int32_t red = 1 << (TSR__WEIGHT_BITS - 1), green = red, blue = red;
  for (size_t k = 0; k < count; k++, at += 3) {
    red += at[0] * weight[k];
    green += at[1] * weight[k];
    blue += at[2] * weight[k];
  }
  to[0] = tsr__clip_byte(red);
  to[1] = tsr__clip_byte(green);
  to[2] = tsr__clip_byte(blue);
}

static void across_bytes(const pass *p, const uint8_t *from, uint8_t *to) {
  const size_t n = (size_t)p->channels;
  for (tsr_index x = 0; x < p->w->out; x++) {
    const int32_t *const weight = p->w->whole + x * p->w->most;
    const uint8_t *const at = from + (size_t)p->w->first[x] * n;
    if (n == 3) {
      mix_three(at, weight, (size_t)p->w->count[x], to + 3 * (size_t)x);
      continue;
    }
    for (size_t c = 0; c < n; c++) {
      int32_t sum = 1 << (TSR__WEIGHT_BITS - 1);
      for (tsr_index k = 0; k < p->w->count[x]; k++) sum += at[(size_t)k * n + c] * weight[k];
      to[(size_t)x * n + c] = tsr__clip_byte(sum);
    }
  }
}

static void across_floats(const pass *p, const float *from, float *to) {
  const size_t n = (size_t)p->channels;
  for (tsr_index x = 0; x < p->w->out; x++) {
    const double *const weight = p->w->real + x * p->w->most;
    const float *const at = from + (size_t)p->w->first[x] * n;
    for (size_t c = 0; c < n; c++) {
      double sum = 0;
      for (tsr_index k = 0; k < p->w->count[x]; k++) sum += (double)at[(size_t)k * n + c] * weight[k];
      to[(size_t)x * n + c] = (float)sum;
    }
  }
}

static void run_across(void *arg, tsr_index begin, tsr_index end, int worker) {
  const pass *p = arg;
  (void)worker;
  for (tsr_index y = begin; y < end; y++) {
    const size_t in = (size_t)y * p->row_in, out = (size_t)y * p->row_out;
    if (p->bytes)
      across_bytes(p, (const uint8_t *)p->from + in, (uint8_t *)p->to + out);
    else
      across_floats(p, (const float *)p->from + in, (float *)p->to + out);
  }
}

static void run_down(void *arg, tsr_index begin, tsr_index end, int worker) {
  const pass *p = arg;
  const size_t n = p->row_in;
  (void)worker;
  for (tsr_index y = begin; y < end; y++) {
    const size_t first = (size_t)p->w->first[y] * n;
    if (p->bytes) {
      p->kernels->mix_u8((const uint8_t *)p->from + first, n, (int)p->w->count[y], p->w->whole + y * p->w->most, n,
                         (uint8_t *)p->to + (size_t)y * n);
      continue;
    }
    const double *const weight = p->w->real + y * p->w->most;
    for (size_t i = 0; i < n; i++) {
      double sum = 0;
      for (tsr_index k = 0; k < p->w->count[y]; k++)
        sum += (double)((const float *)p->from)[first + (size_t)k * n + i] * weight[k];
      ((float *)p->to)[(size_t)y * n + i] = (float)sum;
    }
  }
}

/* ---- all of it ---- */

typedef struct sizes {
  tsr_index height, width, new_height, new_width, channels;
  size_t item;
} sizes;

/* Both passes; the one that changes nothing is left out, as the weights of one pixel would be 1. */
static tsr_status resample(tsr_ctx *ctx, const sizes *s, const struct filter *f, const void *from, void *to) {
  const bool bytes = s->item == 1;
  weights across, down;
  size_t across_bytes_, down_bytes, between, total;
  if (!measure(&across, f, s->width, s->new_width, bytes, &across_bytes_) ||
      !measure(&down, f, s->height, s->new_height, bytes, &down_bytes) ||
      !tsr__mul_size((size_t)s->height * s->item, (size_t)(s->new_width * s->channels), &between) ||
      !tsr__add_size(across_bytes_ + down_bytes, between, &total))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "image", "more bytes between than can be counted");
  tsr__scratch memory;
  tsr_status st = tsr__scratch_get(ctx, op, total, &memory);
  if (st != TSR_OK) return st;
  uint8_t *const base = memory.data;
  place(&across, base, bytes);
  place(&down, base + across_bytes_, bytes);
  for (tsr_index i = 0; i < across.out; i++) find_weights(&across, f, i);
  for (tsr_index i = 0; i < down.out; i++) find_weights(&down, f, i);
  const bool wide = s->width != s->new_width, high = s->height != s->new_height;
  const size_t row = (size_t)(s->width * s->channels), new_row = (size_t)(s->new_width * s->channels);
  void *const middle = high ? base + across_bytes_ + down_bytes : to;
  pass p = {.kernels = tsr__pixel_kernels_of(ctx),
            .w = &across,
            .from = from,
            .to = middle,
            .channels = s->channels,
            .row_in = row,
            .row_out = new_row,
            .bytes = bytes};
  if (wide) tsr__parallel_for(ctx, s->height, ROWS_OF_A_THREAD, run_across, &p);
  pass q = p;
  q.w = &down;
  q.from = wide ? middle : from;
  q.to = to;
  q.row_in = new_row;
  if (high) tsr__parallel_for(ctx, s->new_height, ROWS_OF_A_THREAD, run_down, &q);
  if (!wide && !high) memcpy(to, from, (size_t)s->height * row * s->item);
  tsr__scratch_put(&memory);
  return TSR_OK;
}

static tsr_status check(tsr_ctx *ctx, const tsr_tensor *image, tsr_index height, tsr_index width, int filter,
                        const tsr_tensor *out) {
  const tsr_status st = tsr__check_input(ctx, op, "image", image);
  if (st != TSR_OK) return st;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (image->dtype != TSR_U8 && image->dtype != TSR_F32)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "image", "%t: u8 or f32 is expected", image);
  if (image->ndim != 2 && image->ndim != 3)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "image", "%t: an image is [H,W] or [H,W,C]", image);
  if (tsr_size(image) == 0) return TSR__FAIL(ctx, TSR_ESHAPE, op, "image", "%t has no pixels", image);
  if (height < 1 || width < 1 || height > INT32_MAX || width > INT32_MAX)
    return TSR__FAIL(ctx, TSR_EARG, op, height < 1 || height > INT32_MAX ? "height" : "width",
                     "%l x %l is no size of an image", (int64_t)height, (int64_t)width);
  if (filter < 0 || filter >= (int)(sizeof filters / sizeof filters[0]))
    return TSR__FAIL(ctx, TSR_EARG, op, "filter", "%d is none", filter);
  return TSR_OK;
}

static tsr_status run(tsr_ctx *ctx, const tsr_tensor *image, const struct filter *f, const tsr__result *result,
                      tsr_tensor *out) {
  tsr_tensor in = {0}, made = {0}, filled = *out;
  tsr_status st = tsr__output_check(ctx, op, result, out);
  if (st == TSR_OK) st = tsr_desc_init(ctx, result->dtype, result->ndim, result->shape, &made);
  if (st == TSR_OK) st = tsr_allocate(ctx, NULL, TSR_HINT_DEFAULT, &made);
  if (st == TSR_OK && !tsr_is_contiguous(image, TSR_ROW_MAJOR)) {
    st = tsr_desc_init(ctx, image->dtype, image->ndim, image->shape, &in);
    if (st == TSR_OK) st = tsr_allocate(ctx, NULL, TSR_HINT_DEFAULT, &in);
    if (st == TSR_OK) st = tsr_copy(ctx, image, &in);
  }
  const sizes s = {.height = image->shape[0],
                   .width = image->shape[1],
                   .new_height = result->shape[0],
                   .new_width = result->shape[1],
                   .channels = image->ndim == 3 ? image->shape[2] : 1,
                   .item = tsr_dtype_size(image->dtype)};
  if (st == TSR_OK) st = resample(ctx, &s, f, in.data != NULL ? in.data : image->data, made.data);
  if (st == TSR_OK && tsr_is_none(out)) {
    *out = made;
    made = (tsr_tensor){0};
  } else if (st == TSR_OK) {
    const bool fresh = out->data == NULL;
    st = tsr__output(ctx, op, result, &filled);
    if (st == TSR_OK) st = tsr_copy(ctx, &made, &filled);
    if (st == TSR_OK) *out = filled;
    if (st != TSR_OK && fresh && filled.data != NULL) tsr_release(&filled);
  }
  tsr_release(&in);
  tsr_release(&made);
  return st;
}

tsr_status tsr_image_resize(tsr_ctx *ctx, const tsr_tensor *image, tsr_index height, tsr_index width,
                            tsr_image_filter filter, tsr_tensor *out) {
  const tsr_status st = check(ctx, image, height, width, (int)filter, out);
  if (st != TSR_OK) return st;
  const tsr_index shape[3] = {height, width, image->ndim == 3 ? image->shape[2] : 1};
  const tsr__result result = {
      .dtype = image->dtype, .layout = tsr_is_none(out) ? TSR_PLAIN : out->layout, .ndim = image->ndim, .shape = shape};
  return run(ctx, image, &filters[filter], &result, out);
}

#endif
