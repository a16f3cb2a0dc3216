/* XNNPACK as a contestant: operators set up once, then run. */
#include <math.h>
#include <pthreadpool.h>
#include <string.h>
#include <xnnpack.h>

#include "../compare/contest.h"

enum { M = 1048576 };

static pthreadpool_t pool; /* NULL with one thread */
static xnn_operator_t op;

static float *result(int64_t n) {
  float *p = (float *)contest_bytes(4 * n + 64); /* it may read past the end */
  contest_result(p, n, CONTEST_F32);
  return p;
}

static bool open_add(size_t na, const size_t *a, size_t nb, const size_t *b, int64_t n) {
  int64_t a_count = 1, b_count = 1;
  for (size_t i = 0; i < na; i++) a_count *= (int64_t)a[i];
  for (size_t i = 0; i < nb; i++) b_count *= (int64_t)b[i];
  const float *x = contest_floats(a_count, 0), *y = contest_floats(b_count, 7);
  return xnn_create_add_nd_f32(-INFINITY, INFINITY, 0, &op) == xnn_status_success &&
         xnn_setup_add_nd_f32(op, na, a, nb, b, x, y, result(n), pool) == xnn_status_success;
}

static bool open_flat_add(const contest_workload *w) {
  const size_t n = (size_t)w->elements;
  return open_add(1, &n, 1, &n, w->elements);
}

static bool open_bcast_row(const contest_workload *w) {
  return open_add(2, (const size_t[]){1024, 1024}, 1, (const size_t[]){1024}, w->elements);
}

static bool open_bcast_col(const contest_workload *w) {
  return open_add(2, (const size_t[]){1024, 1024}, 2, (const size_t[]){1024, 1}, w->elements);
}

static bool open_bcast_3d(const contest_workload *w) {
  return open_add(3, (const size_t[]){64, 1, 256}, 3, (const size_t[]){1, 128, 256}, w->elements);
}

static bool open_sigmoid(const contest_workload *w) {
  const float *x = contest_floats(w->elements, 0);
  return xnn_create_sigmoid_nc_f32(1024, 1024, 1024, 0, &op) == xnn_status_success &&
         xnn_setup_sigmoid_nc_f32(op, 1024, x, result(w->elements), pool) == xnn_status_success;
}

static bool open_relu(const contest_workload *w) {
  const float *x = contest_floats(w->elements, 0);
  return xnn_create_clamp_nc_f32(1024, 1024, 1024, 0, INFINITY, 0, &op) == xnn_status_success &&
         xnn_setup_clamp_nc_f32(op, 1024, x, result(w->elements), pool) == xnn_status_success;
}

static bool open_to_f16(const contest_workload *w) {
  const float *x = contest_floats(w->elements, 0);
  void *out = contest_bytes(2 * w->elements);
  contest_result(out, w->elements, CONTEST_F16);
  return xnn_create_convert_nc_f32_f16(4096, 4096, 4096, 0, &op) == xnn_status_success &&
         xnn_setup_convert_nc_f32_f16(op, 4096, x, out, pool) == xnn_status_success;
}

static bool open_from_f16(const contest_workload *w) {
  const void *x = contest_halves(w->elements, CONTEST_F16);
  return xnn_create_convert_nc_f16_f32(4096, 4096, 4096, 0, &op) == xnn_status_success &&
         xnn_setup_convert_nc_f16_f32(op, 4096, x, result(w->elements), pool) == xnn_status_success;
}

static bool open_pad(const contest_workload *w) {
  static const uint32_t zero = 0;
  const size_t shape[] = {8, 64, 56, 56}, around[] = {0, 0, 1, 1};
  const float *x = contest_floats(INT64_C(8) * 64 * 56 * 56, 0);
  float *out = result(w->elements);
  return xnn_create_constant_pad_nd_x32(&zero, 0, &op) == xnn_status_success &&
         xnn_setup_constant_pad_nd_x32(op, 4, shape, around, around, x, out, pool) == xnn_status_success;
}

/* ---- products, the weights packed when the operator is made ---- */

static bool open_product(size_t m, size_t k, size_t n, uint32_t flags) {
  const float *x = contest_floats((int64_t)(m * k), 0), *w = contest_floats((int64_t)(k * n), 7);
  return xnn_create_fully_connected_nc_f32(k, n, k, n, w, NULL, -INFINITY, INFINITY, flags, &op) ==
             xnn_status_success &&
         xnn_setup_fully_connected_nc_f32(op, m, x, result((int64_t)(m * n)), pool) == xnn_status_success;
}

static bool open_256(const contest_workload *w) {
  (void)w;
  return open_product(256, 256, 256, XNN_FLAG_TRANSPOSE_WEIGHTS);
}
static bool open_1024(const contest_workload *w) {
  (void)w;
  return open_product(1024, 1024, 1024, XNN_FLAG_TRANSPOSE_WEIGHTS);
}
static bool open_2048(const contest_workload *w) {
  (void)w;
  return open_product(2048, 2048, 2048, XNN_FLAG_TRANSPOSE_WEIGHTS);
}
static bool open_32(const contest_workload *w) {
  (void)w;
  return open_product(32, 4096, 4096, XNN_FLAG_TRANSPOSE_WEIGHTS);
}

/* ---- images, channels last ---- */

typedef struct image_op {
  size_t n, channels, height, width; /* of the input */
  uint32_t kernel_h, kernel_w, stride, pad_h, pad_w, groups;
  size_t outputs;
} image_op;

static size_t out_height(const image_op *i) { return (i->height + 2 * i->pad_h - i->kernel_h) / i->stride + 1; }
static size_t out_width(const image_op *i) { return (i->width + 2 * i->pad_w - i->kernel_w) / i->stride + 1; }

/* The numbers of everyone's channels-first images and filters, moved. */
static float *channels_last(size_t n, size_t channels, size_t places, int64_t start) {
  const float *from = contest_floats((int64_t)(n * channels * places), start);
  float *to = (float *)contest_bytes((int64_t)(4 * n * channels * places) + 64);
  for (size_t i = 0; i < n; i++)
    for (size_t c = 0; c < channels; c++)
      for (size_t p = 0; p < places; p++) to[(i * places + p) * channels + c] = from[(i * channels + c) * places + p];
  return to;
}

static float *image_result(const image_op *i) {
  const size_t places = out_height(i) * out_width(i);
  float *p = (float *)contest_bytes((int64_t)(4 * i->n * places * i->outputs) + 64);
  contest_result_nhwc(p, (int64_t)i->n, (int64_t)places, (int64_t)i->outputs);
  return p;
}

static bool open_conv(const image_op *i) {
  const float *x = channels_last(i->n, i->channels, i->height * i->width, 0);
  /* Filters with one input channel each are in the same order for both. */
  const float *w = channels_last(i->outputs, i->channels / i->groups, i->kernel_h * i->kernel_w, 7);
  return xnn_create_convolution2d_nhwc_f32(i->pad_h, i->pad_w, i->pad_h, i->pad_w, i->kernel_h, i->kernel_w, i->stride,
                                           i->stride, 1, 1, i->groups, i->channels / i->groups, i->outputs / i->groups,
                                           i->channels, i->outputs, w, NULL, -INFINITY, INFINITY, 0,
                                           &op) == xnn_status_success &&
         xnn_setup_convolution2d_nhwc_f32(op, i->n, i->height, i->width, x, image_result(i), pool) ==
             xnn_status_success;
}

static bool open_conv7s2(const contest_workload *w) {
  (void)w;
  return open_conv(&(image_op){1, 3, 224, 224, 7, 7, 2, 3, 3, 1, 64});
}
static bool open_conv3_64(const contest_workload *w) {
  (void)w;
  return open_conv(&(image_op){1, 64, 56, 56, 3, 3, 1, 1, 1, 1, 64});
}
static bool open_conv3_256(const contest_workload *w) {
  (void)w;
  return open_conv(&(image_op){1, 256, 14, 14, 3, 3, 1, 1, 1, 1, 256});
}
static bool open_conv1x1(const contest_workload *w) {
  (void)w;
  return open_conv(&(image_op){1, 128, 28, 28, 1, 1, 1, 0, 0, 1, 512});
}
static bool open_convdw3(const contest_workload *w) {
  (void)w;
  return open_conv(&(image_op){1, 32, 112, 112, 3, 3, 1, 1, 1, 32, 32});
}
static bool open_conv1d(const contest_workload *w) {
  (void)w;
  return open_conv(&(image_op){8, 64, 1, 1024, 1, 5, 1, 0, 2, 1, 64});
}

static bool open_maxpool(const contest_workload *w) {
  (void)w;
  const image_op i = {1, 64, 112, 112, 3, 3, 2, 1, 1, 1, 64};
  const float *x = channels_last(i.n, i.channels, i.height * i.width, 0);
  return xnn_create_max_pooling2d_nhwc_f32(1, 1, 1, 1, 3, 3, 2, 2, 1, 1, 64, 64, 64, -INFINITY, INFINITY, 0, &op) ==
             xnn_status_success &&
         xnn_setup_max_pooling2d_nhwc_f32(op, i.n, i.height, i.width, x, image_result(&i), pool) == xnn_status_success;
}

static bool open_softmax(size_t rows, size_t columns) {
  const float *x = contest_floats((int64_t)(rows * columns), 0);
  return xnn_create_softmax_nc_f32(columns, columns, columns, 0, &op) == xnn_status_success &&
         xnn_setup_softmax_nc_f32(op, rows, x, result((int64_t)(rows * columns)), pool) == xnn_status_success;
}

static bool open_softmax_1024(const contest_workload *w) {
  (void)w;
  return open_softmax(1024, 1024);
}
static bool open_softmax_words(const contest_workload *w) {
  (void)w;
  return open_softmax(64, 50257);
}

static const struct {
  const char *name;
  bool (*open)(const contest_workload *w);
} rows[] = {
    {"add_1k", open_flat_add},
    {"add_100k", open_flat_add},
    {"add_16M", open_flat_add},
    {"bcast_row", open_bcast_row},
    {"bcast_col", open_bcast_col},
    {"bcast_3d", open_bcast_3d},
    {"sigmoid_1M", open_sigmoid},
    {"relu_1M", open_relu},
    {"cast_f16", open_to_f16},
    {"cast_f16_to_f32", open_from_f16},
    {"pad_1", open_pad},
    {"add4_given", open_flat_add},
    {"sgemm_256_packed", open_256},
    {"sgemm_1024_packed", open_1024},
    {"sgemm_2048_packed", open_2048},
    {"gemm_32x4096_packed", open_32},
    {"conv7s2", open_conv7s2},
    {"conv3_64", open_conv3_64},
    {"conv3_64_nhwc", open_conv3_64},
    {"conv3_256", open_conv3_256},
    {"conv1x1", open_conv1x1},
    {"convdw3", open_convdw3},
    {"conv1d", open_conv1d},
    {"maxpool", open_maxpool},
    {"maxpool_nhwc", open_maxpool},
    {"softmax_1024", open_softmax_1024},
    {"softmax_64x50257", open_softmax_words},
};

static bool open_row(const char *spec) {
  const contest_workload *w = contest_find(spec);
  for (size_t i = 0; w != NULL && i < sizeof rows / sizeof rows[0]; i++)
    if (strcmp(rows[i].name, spec) == 0) return rows[i].open(w);
  return false;
}

static void run(long calls) {
  for (long i = 0; i < calls; i++) (void)xnn_run_operator(op, pool);
}

static void close_row(void) {
  (void)xnn_delete_operator(op);
  op = NULL;
}

int main(void) {
  const contestant self = {"(no version)", open_row, run, close_row};
  if (xnn_initialize(NULL) != xnn_status_success) return 1;
  if (contest_threads() > 1) pool = pthreadpool_create((size_t)contest_threads());
  return contest_main(&self);
}
