/* Softmax, norms and pooling on the shapes of the comparison and some others, on 1 and 2 threads: µs, the least and the
 * median of interleaved rounds, and how far from the limit: the bytes in and out at the speed of the third cache.
 * Arguments: the instruction set ("" for the best), and a row's name to run alone. */
#define _GNU_SOURCE /* clock_gettime */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>
#include <time.h>

enum { ROUNDS = 41 };
static const double bytes_a_us = 96e3; /* one thread, read and written */

static tsr_ctx contexts[2];
static volatile int statuses;

typedef struct tensors {
  tsr_tensor x, out, scale, bias;
} tensors;

typedef struct row {
  const char *name;
  int dtype, ndim;
  tsr_index shape[4];
  int layout;
  tsr_status (*run)(tsr_ctx *ctx, tensors *t, int axis);
  int axis;
} row;

static double now_us(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static tsr_status softmax(tsr_ctx *ctx, tensors *t, int axis) { return tsr_softmax(ctx, &t->x, axis, &t->out); }
static tsr_status log_softmax(tsr_ctx *ctx, tensors *t, int axis) { return tsr_log_softmax(ctx, &t->x, axis, &t->out); }
static tsr_status layer_norm(tsr_ctx *ctx, tensors *t, int axis) {
  return tsr_layer_norm(ctx, &t->x, &t->scale, &t->bias, axis, 1e-5, &t->out);
}
static tsr_status rms_norm(tsr_ctx *ctx, tensors *t, int axis) {
  return tsr_rms_norm(ctx, &t->x, &t->scale, axis, 1e-5, &t->out);
}
static tsr_status batch_norm(tsr_ctx *ctx, tensors *t, int axis) {
  (void)axis;
  return tsr_batch_norm(ctx, &t->x, &t->scale, &t->bias, &t->bias, &t->scale, 1e-5, &t->out);
}
static tsr_status instance_norm(tsr_ctx *ctx, tensors *t, int axis) {
  (void)axis;
  return tsr_instance_norm(ctx, &t->x, &t->scale, &t->bias, 1e-5, &t->out);
}
static tsr_status group_norm(tsr_ctx *ctx, tensors *t, int axis) {
  (void)axis;
  return tsr_group_norm(ctx, &t->x, &t->scale, &t->bias, 8, 1e-5, &t->out);
}

static const tsr_pool_options by_two = {.stride = {2, 2}},
                              padded = {.stride = {1, 1}, .pad_before = {1, 1}, .pad_after = {1, 1}};
static tsr_status max_pool(tsr_ctx *ctx, tensors *t, int axis) {
  return tsr_max_pool(ctx, &t->x, TSR_SHAPE(3, 3), axis == 1 ? &padded : &by_two, &t->out);
}
static tsr_status avg_pool(tsr_ctx *ctx, tensors *t, int axis) {
  return tsr_avg_pool(ctx, &t->x, TSR_SHAPE(3, 3), axis == 1 ? &padded : &by_two, &t->out);
}
static tsr_status max_pool2(tsr_ctx *ctx, tensors *t, int axis) {
  (void)axis;
  return tsr_max_pool(ctx, &t->x, TSR_SHAPE(2, 2), NULL, &t->out);
}
static tsr_status global(tsr_ctx *ctx, tensors *t, int axis) {
  (void)axis;
  return tsr_global_avg_pool(ctx, &t->x, false, &t->out);
}

static const row rows[] = {
    {"softmax_1024", TSR_F32, 2, {1024, 1024}, TSR_PLAIN, softmax, 1},
    {"softmax_64x50257", TSR_F32, 2, {64, 50257}, TSR_PLAIN, softmax, 1},
    {"softmax_1024_ax0", TSR_F32, 2, {1024, 1024}, TSR_PLAIN, softmax, 0},
    {"softmax_1024_bf16", TSR_BF16, 2, {1024, 1024}, TSR_PLAIN, softmax, 1},
    {"softmax_1024_f64", TSR_F64, 2, {1024, 1024}, TSR_PLAIN, softmax, 1},
    {"softmax_8x21x56x56_c", TSR_F32, 4, {8, 21, 56, 56}, TSR_NCHW, softmax, 1},
    {"log_softmax_1024", TSR_F32, 2, {1024, 1024}, TSR_PLAIN, log_softmax, 1},
    {"layernorm_1024", TSR_F32, 2, {1024, 1024}, TSR_PLAIN, layer_norm, 1},
    {"layernorm_1024_f16", TSR_F16, 2, {1024, 1024}, TSR_PLAIN, layer_norm, 1},
    {"layernorm_4096x768", TSR_F32, 2, {4096, 768}, TSR_PLAIN, layer_norm, 1},
    {"rmsnorm_1024", TSR_F32, 2, {1024, 1024}, TSR_PLAIN, rms_norm, 1},
    {"batchnorm_nchw", TSR_F32, 4, {8, 64, 56, 56}, TSR_NCHW, batch_norm, 1},
    {"batchnorm_nhwc", TSR_F32, 4, {8, 56, 56, 64}, TSR_NHWC, batch_norm, 3},
    {"instancenorm_nchw", TSR_F32, 4, {8, 64, 56, 56}, TSR_NCHW, instance_norm, 1},
    {"instancenorm_nhwc", TSR_F32, 4, {8, 56, 56, 64}, TSR_NHWC, instance_norm, 3},
    {"groupnorm8_nchw", TSR_F32, 4, {8, 64, 56, 56}, TSR_NCHW, group_norm, 1},
    {"groupnorm8_nhwc", TSR_F32, 4, {8, 56, 56, 64}, TSR_NHWC, group_norm, 3},
    {"maxpool_nchw", TSR_F32, 4, {1, 64, 112, 112}, TSR_NCHW, max_pool, 0},
    {"maxpool_nhwc", TSR_F32, 4, {1, 112, 112, 64}, TSR_NHWC, max_pool, 0},
    {"maxpool_nchw_bf16", TSR_BF16, 4, {1, 64, 112, 112}, TSR_NCHW, max_pool, 0},
    {"maxpool_s1p1_nchw", TSR_F32, 4, {1, 64, 56, 56}, TSR_NCHW, max_pool, 1},
    {"maxpool_s1p1_nhwc", TSR_F32, 4, {1, 56, 56, 64}, TSR_NHWC, max_pool, 1},
    {"maxpool2_nchw", TSR_F32, 4, {1, 64, 112, 112}, TSR_NCHW, max_pool2, 0},
    {"maxpool2_nhwc", TSR_F32, 4, {1, 112, 112, 64}, TSR_NHWC, max_pool2, 0},
    {"avgpool_nchw", TSR_F32, 4, {1, 64, 112, 112}, TSR_NCHW, avg_pool, 0},
    {"avgpool_nhwc", TSR_F32, 4, {1, 112, 112, 64}, TSR_NHWC, avg_pool, 0},
    {"global_avg_nchw", TSR_F32, 4, {8, 64, 56, 56}, TSR_NCHW, global, 0},
    {"global_avg_nhwc", TSR_F32, 4, {8, 56, 56, 64}, TSR_NHWC, global, 0},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static tensors all[ROWS];

static int by_size(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

static bool is_wanted(const row *r, const char *only) { return only == NULL || strcmp(only, r->name) == 0; }

static void measure(const char *only, double us[ROWS][2][ROUNDS]) {
  for (int i = 0; i < ROWS; i++)
    for (int round = -2; round < ROUNDS && is_wanted(&rows[i], only); round++)
      for (int t = 0; t < 2; t++) {
        const double start = now_us();
        statuses = rows[i].run(&contexts[t], &all[i], rows[i].axis);
        if (round >= 0) us[i][t][round] = now_us() - start;
        if (statuses != TSR_OK) fprintf(stderr, "%s: %s\n", rows[i].name, tsr_error(&contexts[t]));
      }
}

static void print_table(const char *only, double us[ROWS][2][ROUNDS]) {
  printf("%-22s %8s %28s %20s\n", "", "", "1 thread", "2 threads");
  printf("%-22s %8s %9s %9s %8s %10s %9s\n", "us", "limit", "min", "median", "x limit", "min", "median");
  for (int i = 0; i < ROWS; i++) {
    if (!is_wanted(&rows[i], only)) continue;
    const double limit = (double)(tsr_nbytes(&all[i].x) + tsr_nbytes(&all[i].out)) / bytes_a_us;
    for (int t = 0; t < 2; t++) qsort(us[i][t], ROUNDS, sizeof us[i][t][0], by_size);
    printf("%-22s %8.1f %9.1f %9.1f %8.2f %10.1f %9.1f\n", rows[i].name, limit, us[i][0][0], us[i][0][ROUNDS / 2],
           us[i][0][0] / limit, us[i][1][0], us[i][1][ROUNDS / 2]);
  }
}

static tsr_status prepare_row(const row *r, tensors *t) {
  tsr_status st;
  tsr_rng rng = tsr_rng_seed(1);
  tsr_tensor x = {0};
  TSR_TRY(st, tsr_rand_normal(&contexts[0], &rng, TSR_F32, r->ndim, r->shape, &x), done);
  TSR_TRY(st, tsr_cast(&contexts[0], &x, r->dtype, &t->x), done);
  t->x.layout = (uint8_t)r->layout;
  TSR_TRY(st, tsr_rand_uniform(&contexts[0], &rng, r->dtype, TSR_SHAPE(r->shape[r->axis]), 0.5, 1, &t->scale), done);
  TSR_TRY(st, tsr_rand_uniform(&contexts[0], &rng, r->dtype, TSR_SHAPE(r->shape[r->axis]), 0.5, 1, &t->bias), done);
  st = r->run(&contexts[0], t, r->axis);
done:
  tsr_release(&x);
  return st;
}

static tsr_status prepare(const char *isa, const char *only) {
  tsr_status st = TSR_OK;
  tsr_threads *pool;
  for (int t = 0; t < 2; t++) {
    TSR_TRY(st, tsr_context_init(&contexts[t], NULL), done);
    TSR_TRY(st, tsr_threads_new(t + 1, &pool), done);
    contexts[t].parallel = tsr_threads_parallel(pool);
    if (isa != NULL && isa[0] != '\0') TSR_TRY(st, tsr_context_set_isa(&contexts[t], isa), done);
  }
  for (int i = 0; i < ROWS; i++)
    if (is_wanted(&rows[i], only)) TSR_TRY(st, prepare_row(&rows[i], &all[i]), done);
done:
  return st;
}

int main(int argc, char **argv) {
  static double us[ROWS][2][ROUNDS];
  const char *const only = argc > 2 ? argv[2] : NULL;
  if (prepare(argc > 1 ? argv[1] : NULL, only) != TSR_OK) {
    fprintf(stderr, "%s\n", tsr_error(&contexts[0]));
    return 1;
  }
  printf("%s\n\n", tsr_build_info());
  measure(only, us);
  print_table(only, us);
  return 0;
}
