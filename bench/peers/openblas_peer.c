/* OpenBLAS as a contestant: products, a sum and a transposing copy. */
#include <cblas.h>
#include <stdio.h>
#include <string.h>

#include "../compare/contest.h"

enum { SIDE = 4096 };
#define COUNT ((int64_t)SIDE * SIDE)

static const float *in, *weights;
static const double *in64, *weights64;
static float *out;
static double *out64;
static int rows, depth, columns;
static void (*chosen)(void);

static float *result(int64_t n) {
  float *p = (float *)contest_bytes(4 * n);
  contest_result(p, n, CONTEST_F32);
  return p;
}

/* ---- sums and copies ---- */

static void run_sum(void) { *out = cblas_ssum((blasint)COUNT, in, 1); }

static void run_transpose(void) { cblas_somatcopy(CblasRowMajor, CblasTrans, SIDE, SIDE, 1.0f, in, SIDE, out, SIDE); }

static void open_sum(void) {
  in = contest_floats(COUNT, 0);
  out = result(1);
  chosen = run_sum;
}

static void open_transpose(void) {
  in = contest_floats(COUNT, 0);
  out = result(COUNT);
  chosen = run_transpose;
}

/* ---- products: (rows, depth) x (depth, columns) ---- */

static void run_product(void) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, depth, 1.0f, in, depth, weights, columns, 0.0f,
              out, columns);
}

static void run_transposed(void) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, rows, columns, depth, 1.0f, in, depth, weights, depth, 0.0f, out,
              columns);
}

static void run_doubles(void) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, depth, 1.0, in64, depth, weights64, columns,
              0.0, out64, columns);
}

static void run_vector(void) {
  cblas_sgemv(CblasRowMajor, CblasTrans, depth, columns, 1.0f, weights, columns, in, 1, 0.0f, out, 1);
}

static void run_vector_transposed(void) {
  cblas_sgemv(CblasRowMajor, CblasNoTrans, columns, depth, 1.0f, weights, depth, in, 1, 0.0f, out, 1);
}

static void run_batch(void) {
  for (int i = 0; i < 64; i++)
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, depth, 1.0f, in + i * rows * depth, depth,
                weights + i * depth * columns, columns, 0.0f, out + i * rows * columns, columns);
}

static void open_product(int m, int k, int n, int batch, void (*run)(void)) {
  rows = m, depth = k, columns = n;
  in = contest_floats((int64_t)batch * m * k, 0);
  weights = contest_floats((int64_t)batch * k * n, 7);
  out = result((int64_t)batch * m * n);
  chosen = run;
}

static void open_64(void) { open_product(64, 64, 64, 1, run_product); }
static void open_256(void) { open_product(256, 256, 256, 1, run_product); }
static void open_1024(void) { open_product(1024, 1024, 1024, 1, run_product); }
static void open_2048(void) { open_product(2048, 2048, 2048, 1, run_product); }
static void open_32(void) { open_product(32, 4096, 4096, 1, run_product); }
static void open_32_transposed(void) { open_product(32, 4096, 4096, 1, run_transposed); }
static void open_vector(void) { open_product(1, 4096, 4096, 1, run_vector); }
static void open_vector_transposed(void) { open_product(1, 4096, 4096, 1, run_vector_transposed); }
static void open_batch(void) { open_product(128, 64, 128, 64, run_batch); }

static void open_doubles(void) {
  rows = depth = columns = 1024;
  in64 = contest_doubles(1024 * 1024, 0);
  weights64 = contest_doubles(1024 * 1024, 7);
  out64 = (double *)contest_bytes(INT64_C(8) * 1024 * 1024);
  contest_result(out64, 1024 * 1024, CONTEST_F64);
  chosen = run_doubles;
}

/* ---- the contestant ---- */

static const struct {
  const char *name;
  void (*open)(void);
} table[] = {
    {"sum_16M", open_sum},
    {"transpose_4096", open_transpose},
    {"sgemm_64", open_64},
    {"sgemm_256", open_256},
    {"sgemm_1024", open_1024},
    {"sgemm_2048", open_2048},
    {"dgemm_1024", open_doubles},
    {"gemv_4096", open_vector},
    {"gemv_4096_wT", open_vector_transposed},
    {"gemm_32x4096", open_32},
    {"gemm_32x4096_wT", open_32_transposed},
    {"bmm_64", open_batch},
};

static bool open_row(const char *spec) {
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (strcmp(table[i].name, spec) != 0) continue;
    table[i].open();
    return true;
  }
  return false;
}

static void run(long calls) {
  for (long i = 0; i < calls; i++) {
    chosen();
    contest_keep(out);
  }
}

int main(void) {
  static char version[32];
  (void)sscanf(openblas_get_config(), "%*s %31s", version); /* "OpenBLAS 0.3.21 and more" */
  const contestant self = {version, open_row, run, NULL};
  openblas_set_num_threads(contest_threads());
  return contest_main(&self);
}
