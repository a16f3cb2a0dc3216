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

static const struct {
  const char *name;
  bool (*open)(const contest_workload *w);
} rows[] = {
    {"add_1k", open_flat_add},     {"add_100k", open_flat_add},        {"add_16M", open_flat_add},
    {"bcast_row", open_bcast_row}, {"bcast_col", open_bcast_col},      {"bcast_3d", open_bcast_3d},
    {"sigmoid_1M", open_sigmoid},  {"relu_1M", open_relu},             {"cast_f16", open_to_f16},
    {"cast_f16_to_f32", open_from_f16}, {"pad_1", open_pad},           {"add4_given", open_flat_add},
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
