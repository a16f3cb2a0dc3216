/* What moving elements costs: copies, transposes, casts, slices, concatenation and padding, on 1 and 2 threads. The
 * rate counts the bytes that must be read and written; beside it stands what a copy of as many bytes takes. */
#define _GNU_SOURCE /* clock_gettime */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>
#include <time.h>

static double now_us(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

static tsr_ctx context;
static tsr_tensor a, b, c; /* inputs: views or owners */
static tsr_tensor out;

static void must(tsr_status st) {
  if (st == TSR_OK) return;
  fprintf(stderr, "%s\n", tsr_error(&context));
  exit(1);
}

static void fresh(int dtype, int ndim, const tsr_index *shape, tsr_tensor *t) {
  tsr_release(t);
  must(tsr_ones(&context, dtype, ndim, shape, t));
}

/* ---- the workloads: set up once, run many times into a given output ---- */

static void copy_setup(void) {
  fresh(TSR_F32, TSR_SHAPE(4096, 4096), &a);
  fresh(TSR_F32, TSR_SHAPE(4096, 4096), &out);
}
static void copy_run(void) { must(tsr_copy(&context, &a, &out)); }

static void fill_run(void) { must(tsr_fill(&context, 1.5, &out)); }

static tsr_tensor view;

static void view_run(void) { must(tsr_copy(&context, &view, &out)); }

static void transpose_setup(void) {
  copy_setup();
  must(tsr_transpose(&context, &a, 0, 1, &view));
}

static void to_nhwc_setup(void) {
  fresh(TSR_F32, TSR_SHAPE(8, 64, 56, 56), &a);
  fresh(TSR_F32, TSR_SHAPE(8, 56, 56, 64), &out);
  must(tsr_permute(&context, &a, (const int[]){0, 2, 3, 1}, &view));
}

static void to_nchw_setup(void) {
  fresh(TSR_F32, TSR_SHAPE(8, 56, 56, 64), &a);
  fresh(TSR_F32, TSR_SHAPE(8, 64, 56, 56), &out);
  must(tsr_permute(&context, &a, (const int[]){0, 3, 1, 2}, &view));
}

static void transpose_u8_setup(void) {
  fresh(TSR_U8, TSR_SHAPE(4096, 4096), &a);
  fresh(TSR_U8, TSR_SHAPE(4096, 4096), &out);
  must(tsr_transpose(&context, &a, 0, 1, &view));
}

static void transpose_f16_setup(void) {
  fresh(TSR_F16, TSR_SHAPE(4096, 4096), &a);
  fresh(TSR_F16, TSR_SHAPE(4096, 4096), &out);
  must(tsr_transpose(&context, &a, 0, 1, &view));
}

static void transpose_f64_setup(void) {
  fresh(TSR_F64, TSR_SHAPE(2048, 2048), &a);
  fresh(TSR_F64, TSR_SHAPE(2048, 2048), &out);
  must(tsr_transpose(&context, &a, 0, 1, &view));
}

static void transpose_odd_setup(void) {
  fresh(TSR_F32, TSR_SHAPE(1001, 1003), &a);
  fresh(TSR_F32, TSR_SHAPE(1003, 1001), &out);
  must(tsr_transpose(&context, &a, 0, 1, &view));
}

static void transpose_large_odd_setup(void) {
  fresh(TSR_F32, TSR_SHAPE(4095, 4097), &a);
  fresh(TSR_F32, TSR_SHAPE(4097, 4095), &out);
  must(tsr_transpose(&context, &a, 0, 1, &view));
}

static void cast_transposed_setup(int from, int to) {
  fresh(from, TSR_SHAPE(4096, 4096), &a);
  fresh(to, TSR_SHAPE(4096, 4096), &out);
  must(tsr_transpose(&context, &a, 0, 1, &view));
}
static void transposed_f16_setup(void) { cast_transposed_setup(TSR_F32, TSR_F16); }
static void transposed_u8_setup(void) { cast_transposed_setup(TSR_U8, TSR_F32); }

/* Small ones, a thousand calls: microseconds here are nanoseconds a call. */
static void view_run_1000(void) {
  for (int i = 0; i < 1000; i++) must(tsr_copy(&context, &view, &out));
}
static void small_setup(tsr_index rows, tsr_index columns) {
  fresh(TSR_F32, TSR_SHAPE(rows, columns), &a);
  fresh(TSR_F32, TSR_SHAPE(columns, rows), &out);
  must(tsr_transpose(&context, &a, 0, 1, &view));
}
static void small_4_setup(void) { small_setup(4, 4); }
static void small_16_setup(void) { small_setup(16, 16); }
static void small_30_setup(void) { small_setup(30, 31); }
static void small_3d_setup(void) {
  fresh(TSR_F32, TSR_SHAPE(4, 8, 16), &a);
  fresh(TSR_F32, TSR_SHAPE(8, 4, 16), &out);
  must(tsr_permute(&context, &a, (const int[]){1, 0, 2}, &view));
}

static void rgb_setup(void) { /* [H,W,3] to [3,H,W] */
  fresh(TSR_F32, TSR_SHAPE(1024, 1024, 3), &a);
  fresh(TSR_F32, TSR_SHAPE(3, 1024, 1024), &out);
  must(tsr_permute(&context, &a, (const int[]){2, 0, 1}, &view));
}

static void planes_setup(void) { /* and back */
  fresh(TSR_F32, TSR_SHAPE(3, 1024, 1024), &a);
  fresh(TSR_F32, TSR_SHAPE(1024, 1024, 3), &out);
  must(tsr_permute(&context, &a, (const int[]){1, 2, 0}, &view));
}

static void heads_setup(void) { /* [B,T,H,D] to [B,H,T,D] */
  fresh(TSR_F32, TSR_SHAPE(4, 512, 8, 64), &a);
  fresh(TSR_F32, TSR_SHAPE(4, 8, 512, 64), &out);
  must(tsr_permute(&context, &a, (const int[]){0, 2, 1, 3}, &view));
}

static void slice_cols2_setup(void) {
  fresh(TSR_F32, TSR_SHAPE(4096, 4096), &a);
  fresh(TSR_F32, TSR_SHAPE(4096, 2048), &out);
  must(tsr_slice(&context, &a, 1, TSR_OMIT, TSR_OMIT, 2, &view));
}

static void slice_block_setup(void) {
  fresh(TSR_F32, TSR_SHAPE(4096, 4096), &a);
  fresh(TSR_F32, TSR_SHAPE(2000, 2000), &out);
  must(tsr_narrow(&context, &a, 0, 1000, 2000, &view));
  must(tsr_narrow(&context, &view, 1, 1000, 2000, &view));
}

static void concat_setup(tsr_index rows, tsr_index cols) {
  fresh(TSR_F32, TSR_SHAPE(2048, 2048), &a);
  fresh(TSR_F32, TSR_SHAPE(2048, 2048), &b);
  fresh(TSR_F32, TSR_SHAPE(rows, cols), &out);
}
static void concat0_setup(void) { concat_setup(4096, 2048); }
static void concat1_setup(void) { concat_setup(2048, 4096); }
static void concat0_run(void) { must(tsr_concat(&context, 2, (const tsr_tensor *[]){&a, &b}, 0, &out)); }
static void concat1_run(void) { must(tsr_concat(&context, 2, (const tsr_tensor *[]){&a, &b}, 1, &out)); }

static void pad_setup(void) {
  fresh(TSR_F32, TSR_SHAPE(8, 64, 56, 56), &a);
  fresh(TSR_F32, TSR_SHAPE(8, 64, 58, 58), &out);
}
static void pad_run(void) { must(tsr_pad_2d(&context, &a, 1, 1, 1, 1, 0, &out)); }
static void reflect_run(void) {
  static const tsr_index one[4] = {0, 0, 1, 1};
  must(tsr_pad(&context, &a, one, one, TSR_PAD_REFLECT, 0, &out));
}

static void cast_setup(int from, int to) {
  fresh(from, TSR_SHAPE(4096, 4096), &a);
  fresh(to, TSR_SHAPE(4096, 4096), &out);
}
static void cast_f16_setup(void) { cast_setup(TSR_F32, TSR_F16); }
static void cast_bf16_setup(void) { cast_setup(TSR_F32, TSR_BF16); }
static void cast_u8_setup(void) { cast_setup(TSR_F32, TSR_U8); }
static void from_f16_setup(void) { cast_setup(TSR_F16, TSR_F32); }
static void from_bf16_setup(void) { cast_setup(TSR_BF16, TSR_F32); }
static void from_u8_setup(void) { cast_setup(TSR_U8, TSR_F32); }

static void take_setup(void) { /* rows of a table, as embeddings are looked up */
  fresh(TSR_F32, TSR_SHAPE(32768, 256), &a);
  fresh(TSR_F32, TSR_SHAPE(8192, 256), &out);
  tsr_release(&c);
  must(tsr_empty(&context, TSR_I64, TSR_SHAPE(8192), &c));
  for (tsr_index i = 0; i < 8192; i++) TSR_AT(int64_t, &c, i) = (i * 7919) % 32768;
}
static void take_run(void) { must(tsr_take(&context, &a, &c, 0, &out)); }

static void tril_run(void) { must(tsr_tril(&context, &a, 0, &out)); }

typedef struct workload {
  const char *name;
  void (*setup)(void);
  void (*run)(void);
  double megabytes; /* that are read and written */
} workload;

#define MB(elements, in, to) ((double)(elements) * ((in) + (to)) / 1e6)

static const workload workloads[] = {
    {"copy_16M", copy_setup, copy_run, MB(1 << 24, 4, 4)},
    {"fill_16M", copy_setup, fill_run, MB(1 << 24, 0, 4)},
    {"transpose_4096", transpose_setup, view_run, MB(1 << 24, 4, 4)},
    {"perm_nchw2nhwc", to_nhwc_setup, view_run, MB(8 * 64 * 3136, 4, 4)},
    {"perm_nhwc2nchw", to_nchw_setup, view_run, MB(8 * 64 * 3136, 4, 4)},
    {"transpose_u8_4096", transpose_u8_setup, view_run, MB(1 << 24, 1, 1)},
    {"transpose_f16_4096", transpose_f16_setup, view_run, MB(1 << 24, 2, 2)},
    {"transpose_f64_2048", transpose_f64_setup, view_run, MB(1 << 22, 8, 8)},
    {"transpose_1001x1003", transpose_odd_setup, view_run, MB(1001 * 1003, 4, 4)},
    {"transpose_4095x4097", transpose_large_odd_setup, view_run, MB(4095 * 4097, 4, 4)},
    {"cast_f16_transposed", transposed_f16_setup, view_run, MB(1 << 24, 4, 2)},
    {"cast_u8_to_f32_trans", transposed_u8_setup, view_run, MB(1 << 24, 1, 4)},
    {"small_4x4, ns", small_4_setup, view_run_1000, MB(16000, 4, 4)},
    {"small_16x16, ns", small_16_setup, view_run_1000, MB(256000, 4, 4)},
    {"small_30x31, ns", small_30_setup, view_run_1000, MB(930000, 4, 4)},
    {"small_4x8x16, ns", small_3d_setup, view_run_1000, MB(512000, 4, 4)},
    {"rgb_to_planes", rgb_setup, view_run, MB(3 << 20, 4, 4)},
    {"planes_to_rgb", planes_setup, view_run, MB(3 << 20, 4, 4)},
    {"heads", heads_setup, view_run, MB(1 << 20, 4, 4)},
    {"cast_f16", cast_f16_setup, copy_run, MB(1 << 24, 4, 2)},
    {"cast_bf16", cast_bf16_setup, copy_run, MB(1 << 24, 4, 2)},
    {"cast_u8", cast_u8_setup, copy_run, MB(1 << 24, 4, 1)},
    {"cast_f16_to_f32", from_f16_setup, copy_run, MB(1 << 24, 2, 4)},
    {"cast_bf16_to_f32", from_bf16_setup, copy_run, MB(1 << 24, 2, 4)},
    {"cast_u8_to_f32", from_u8_setup, copy_run, MB(1 << 24, 1, 4)},
    {"slice_cols2", slice_cols2_setup, view_run, MB(1 << 23, 8, 4)},
    {"slice_block", slice_block_setup, view_run, MB(4000000, 4, 4)},
    {"concat_ax0", concat0_setup, concat0_run, MB(1 << 23, 4, 4)},
    {"concat_ax1", concat1_setup, concat1_run, MB(1 << 23, 4, 4)},
    {"pad_1", pad_setup, pad_run, MB(8 * 64 * 3136, 4, 4) + MB(8 * 64 * (58 * 58 - 3136), 0, 4)},
    {"pad_1_reflect", pad_setup, reflect_run, MB(8 * 64 * 3136, 4, 4) + MB(8 * 64 * (58 * 58 - 3136), 0, 4)},
    {"take_rows", take_setup, take_run, MB(8192 * 256, 4, 4)},
    {"tril_4096", copy_setup, tril_run, MB(1 << 24, 2, 4)},
};

static int by_time(const void *x, const void *y) {
  const double p = *(const double *)x, q = *(const double *)y;
  return (p > q) - (p < q);
}

/* The least and the median of many runs, for about a third of a second. */
static void measure(const workload *w, double *least, double *median) {
  enum { MOST = 2000 };
  static double times[MOST];
  int n = 0;
  w->run();
  for (const double start = now_us(); n < MOST && (n < 5 || now_us() - start < 3e5); n++) {
    const double from = now_us();
    w->run();
    times[n] = now_us() - from;
  }
  qsort(times, (size_t)n, sizeof times[0], by_time);
  *least = times[0];
  *median = times[n / 2];
}

int main(int argc, char **argv) {
  must(tsr_context_init(&context, NULL));
  tsr_threads *pool = NULL;
  must(tsr_threads_new(2, &pool));
  if (getenv("BENCH_ISA") != NULL) must(tsr_context_set_isa(&context, getenv("BENCH_ISA")));
  printf("%-20s %10s %10s %8s   %10s %10s %8s\n", "workload", "1T min us", "median", "GB/s", "2T min us", "median",
         "GB/s");
  for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++) {
    const workload *const w = &workloads[i];
    if (argc > 1 && strstr(w->name, argv[1]) == NULL) continue;
    w->setup();
    printf("%-20s", w->name);
    for (int threads = 1; threads <= 2; threads++) {
      double least, median;
      context.parallel = threads == 1 ? tsr_parallel_serial() : tsr_threads_parallel(pool);
      measure(w, &least, &median);
      printf(" %10.1f %10.1f %8.1f  ", least, median, w->megabytes * 1e3 / least);
    }
    printf("\n");
  }
  tsr_release(&a);
  tsr_release(&b);
  tsr_release(&c);
  tsr_release(&out);
  tsr_threads_release(pool);
  return 0;
}
