/* Reductions and cumulative sums of 16 M floats: all at once, along axis 0 and along axis 1 of [4096,4096], on 1 and 2
 * threads; ms and GB/s read, the least and the median of interleaved rounds. Beside them a plain read of the same
 * bytes. Then random numbers, and calls so small that checks are all they cost. An argument names the instruction
 * set. */
#define _GNU_SOURCE /* clock_gettime */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>
#include <time.h>

enum { SIDE = 4096, ROUNDS = 21 };

static tsr_ctx contexts[2]; /* on 1 and on 2 threads */
static tsr_tensor x;        /* [SIDE,SIDE] f32 */
static tsr_tensor out[3];   /* floats: of all, and along an axis */
static tsr_tensor index_out[3];
static tsr_tensor flat, running, flat_running; /* for cumsum: x and its output, both ways */
static volatile int statuses;
static volatile uint64_t seen;

static double now_ms(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

typedef tsr_status reduce_fn(tsr_ctx *, const tsr_tensor *, int, const int *, bool, tsr_tensor *);
typedef tsr_status arg_fn(tsr_ctx *, const tsr_tensor *, int, bool, tsr_tensor *);

typedef struct row {
  const char *name;
  reduce_fn *reduce; /* or */
  arg_fn *arg;
  int axis; /* -1: all; of cumsum: 0 flat, 1 and 2 an axis */
} row;

static const row rows[] = {
    {"read", NULL, NULL, -1},
    {"sum_16M", tsr_sum, NULL, -1},
    {"sum_ax0", tsr_sum, NULL, 0},
    {"sum_ax1", tsr_sum, NULL, 1},
    {"max_16M", tsr_max, NULL, -1},
    {"max_ax0", tsr_max, NULL, 0},
    {"max_ax1", tsr_max, NULL, 1},
    {"argmax_16M", NULL, tsr_argmax, -1},
    {"argmax_ax0", NULL, tsr_argmax, 0},
    {"argmax_ax1", NULL, tsr_argmax, 1},
    {"mean_16M", tsr_mean, NULL, -1},
    {"mean_ax0", tsr_mean, NULL, 0},
    {"mean_ax1", tsr_mean, NULL, 1},
    {"norm2_16M", tsr_norm2, NULL, -1},
    {"logsumexp_ax1", tsr_logsumexp, NULL, 1},
    {"cumsum_16M", NULL, NULL, 0},
    {"cumsum_ax0", NULL, NULL, 1},
    {"cumsum_ax1", NULL, NULL, 2},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static void read_all(void) {
  const uint64_t *const words = x.data;
  uint64_t sums[16] = {0};
  for (size_t i = 0; i < tsr_nbytes(&x) / 8; i += 16)
    for (int l = 0; l < 16; l++) sums[l] |= words[i + (size_t)l];
  for (int l = 0; l < 16; l++) seen = sums[l];
}

static void run(const row *r, tsr_ctx *ctx) {
  const int axes[1] = {r->axis};
  if (r->reduce != NULL)
    statuses = r->reduce(ctx, &x, r->axis < 0 ? 0 : 1, r->axis < 0 ? NULL : axes, false, &out[r->axis + 1]);
  else if (r->arg != NULL)
    statuses = r->arg(ctx, &x, r->axis < 0 ? TSR_ALL_AXES : r->axis, false, &index_out[r->axis + 1]);
  else if (r->axis >= 0)
    statuses =
        tsr_cumsum(ctx, r->axis == 0 ? &flat : &x, r->axis == 2 ? 1 : 0, r->axis == 0 ? &flat_running : &running);
  else
    read_all();
  if (statuses != TSR_OK) fprintf(stderr, "%s: %s\n", r->name, tsr_error(ctx));
}

static int by_size(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

static void measure(double ms[ROWS][2][ROUNDS]) {
  for (int round = 0; round < ROUNDS; round++)
    for (int i = 0; i < ROWS; i++)
      for (int t = 0; t < 2; t++) {
        const double start = now_ms();
        run(&rows[i], &contexts[t]);
        ms[i][t][round] = now_ms() - start;
      }
}

static void print_table(double ms[ROWS][2][ROUNDS]) {
  const double gigabytes = (double)tsr_nbytes(&x) / 1e9;
  printf("%-14s %30s %30s\n", "", "1 thread", "2 threads");
  printf("%-14s %10s %10s %8s %10s %10s %8s\n", "ms", "min", "median", "GB/s", "min", "median", "GB/s");
  for (int i = 0; i < ROWS; i++) {
    printf("%-14s", rows[i].name);
    for (int t = 0; t < 2; t++) {
      qsort(ms[i][t], ROUNDS, sizeof ms[i][t][0], by_size);
      printf(" %10.3f %10.3f %8.1f", ms[i][t][0], ms[i][t][ROUNDS / 2], gigabytes / ms[i][t][0] * 1e3);
    }
    printf("\n");
  }
}

/* ---- random numbers ---- */

enum { DRAWN = 1 << 20 };

static void print_random(void) {
  static const char *const names[] = {"uniform f32", "normal f32", "uniform f64", "normal f64"};
  printf("\n%-14s %14s %14s\n", "1 M, GB/s", "1 thread", "2 threads");
  for (int i = 0; i < 4; i++) {
    printf("%-14s", names[i]);
    for (int t = 0; t < 2; t++) {
      tsr_rng rng = tsr_rng_seed(1);
      tsr_tensor drawn = {0};
      double best = 1e9;
      for (int round = 0; round < ROUNDS; round++) {
        const double start = now_ms();
        const int dtype = i < 2 ? TSR_F32 : TSR_F64;
        statuses = i % 2 == 0 ? tsr_rand_uniform(&contexts[t], &rng, dtype, TSR_SHAPE(DRAWN), 0, 1, &drawn)
                              : tsr_rand_normal(&contexts[t], &rng, dtype, TSR_SHAPE(DRAWN), &drawn);
        const double ms = now_ms() - start;
        best = ms < best ? ms : best;
      }
      printf(" %14.2f", (double)tsr_nbytes(&drawn) / best * 1e-6);
      tsr_release(&drawn);
    }
    printf("\n");
  }
}

/* ---- small calls ---- */

enum { CALLS = 200000 };

static void print_small(void) {
  static const struct {
    const char *name;
    int ndim;
    tsr_index shape[2];
    int axis; /* -1: all */
  } small[] = {{"sum [4]", 1, {4}, -1}, {"sum [8,8] ax0", 2, {8, 8}, 0}, {"sum [8,8] ax1", 2, {8, 8}, 1}};
  printf("\n%-14s %14s\n", "", "ns a call");
  for (int i = 0; i < (int)(sizeof small / sizeof small[0]); i++) {
    tsr_tensor in = {0}, result = {0};
    double best = 1e9;
    statuses = tsr_zeros(&contexts[0], TSR_F32, small[i].ndim, small[i].shape, &in);
    for (int round = 0; round < 5; round++) {
      const double start = now_ms();
      for (int k = 0; k < CALLS; k++)
        statuses = tsr_sum(&contexts[0], &in, small[i].axis < 0 ? 0 : 1, small[i].axis < 0 ? NULL : &small[i].axis,
                           false, &result);
      const double ns = (now_ms() - start) / CALLS * 1e6;
      best = ns < best ? ns : best;
    }
    printf("%-14s %14.1f\n", small[i].name, best);
    tsr_release(&in);
    tsr_release(&result);
  }
}

static tsr_status prepare(const char *isa) {
  tsr_status st = TSR_OK;
  tsr_rng rng = tsr_rng_seed(1);
  tsr_threads *pool;
  for (int t = 0; t < 2; t++) {
    TSR_TRY(st, tsr_context_init(&contexts[t], NULL), done);
    TSR_TRY(st, tsr_threads_new(t + 1, &pool), done);
    contexts[t].parallel = tsr_threads_parallel(pool);
    if (isa != NULL) TSR_TRY(st, tsr_context_set_isa(&contexts[t], isa), done);
  }
  TSR_TRY(st, tsr_rand_uniform(&contexts[0], &rng, TSR_F32, TSR_SHAPE(SIDE, SIDE), 0, 1, &x), done);
  TSR_TRY(st, tsr_zeros(&contexts[0], TSR_F32, TSR_SHAPE(SIDE, SIDE), &running), done);
  TSR_TRY(st, tsr_reshape(&contexts[0], &x, TSR_SHAPE(SIDE * SIDE), &flat), done);
  TSR_TRY(st, tsr_reshape(&contexts[0], &running, TSR_SHAPE(SIDE * SIDE), &flat_running), done);
done:
  return st;
}

int main(int argc, char **argv) {
  static double ms[ROWS][2][ROUNDS];
  if (prepare(argc > 1 ? argv[1] : NULL) != TSR_OK) {
    fprintf(stderr, "%s\n", tsr_error(&contexts[0]));
    return 1;
  }
  printf("%s\n\n", tsr_build_info());
  measure(ms);
  print_table(ms);
  print_random();
  print_small();
  return 0;
}
