/* What convolutions cost: filters packed ahead, an output given, scratch in the context; 1 thread and all of them,
 * interleaved, the least of many rounds. The limit is the multiplications of the plain sum over the peak of fused
 * multiply-adds, measured in the same program; "of limit" below 1 means fewer multiplications (Winograd). The error is
 * the largest difference from sums in double, over the largest output.
 *
 *   bench_conv            the rows of the comparison
 *   bench_conv sweep      random shapes, one seed
 *   bench_conv NAME       one row */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>
#include <time.h>

enum { ROUNDS = 60, SWEEP = 24 };

typedef struct row {
  const char *name;
  tsr_index n, c, h, w, o, kh, kw, stride, pad, groups; /* h 0: one axis */
} row;

static const row rows[] = {
    {"conv7s2", 1, 3, 224, 224, 64, 7, 7, 2, 3, 1},    {"conv3_64", 1, 64, 56, 56, 64, 3, 3, 1, 1, 1},
    {"conv3_256", 1, 256, 14, 14, 256, 3, 3, 1, 1, 1}, {"conv1x1", 1, 128, 28, 28, 512, 1, 1, 1, 0, 1},
    {"convdw3", 1, 32, 112, 112, 32, 3, 3, 1, 1, 32},  {"conv1d", 8, 64, 0, 1024, 64, 1, 5, 1, 2, 1},
};

static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(tsr_ctx *ctx, tsr_status st) {
  if (st == TSR_OK) return;
  printf("%s\n", tsr_error(ctx));
  exit(1);
}

/* ---- the peak: twelve sums in registers ---- */

#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("avx2,fma"))) static double multiply_adds(long count, float half) {
  const __m256 x = _mm256_set1_ps(half);
  __m256 sum[12];
  float total[8];
  for (int k = 0; k < 12; k++) sum[k] = _mm256_set1_ps(half * (float)k); /* different, or they would be one */
  for (long i = 0; i < count; i++) {
    _Pragma("GCC unroll 12") for (int k = 0; k < 12; k++) sum[k] = _mm256_fmadd_ps(sum[k], x, x);
  }
  for (int k = 1; k < 12; k++) sum[0] = _mm256_add_ps(sum[0], sum[k]);
  _mm256_storeu_ps(total, sum[0]);
  return (double)(total[0] + total[5]);
}
#else
static double multiply_adds(long count, float half) { /* whatever the compiler makes of it */
  float sum[96];
  for (int k = 0; k < 96; k++) sum[k] = half * (float)k;
  for (long i = 0; i < count; i++)
    for (int k = 0; k < 96; k++) sum[k] = fmaf(sum[k], half, half);
  return (double)(sum[0] + sum[95]);
}
#endif

/* Multiply-adds a second on one thread. */
static double peak(void) {
  const long count = 200000;
  double best = 1e30;
  for (int round = 0; round < 20; round++) {
    const double start = now();
    volatile float half = 0.5f;                   /* the compiler must not know */
    if (multiply_adds(count, half) < 0) return 0; /* it never is; the compiler does not know */
    const double took = now() - start;
    if (took < best) best = took;
  }
  return 12.0 * 8.0 * (double)count / best;
}

/* ---- one row ---- */

typedef struct bench {
  tsr_ctx ctx;
  tsr_tensor x, w, b, out;
  tsr_conv_options options;
  tsr_conv_packed packed;
  void *scratch[2];
  tsr_parallel parallel[2];
} bench;

static void fill(tsr_tensor *t, unsigned seed) {
  float *const at = t->data;
  for (tsr_index i = 0; i < tsr_size(t); i++) {
    seed = seed * 1664525u + 1013904223u;
    at[i] = (float)(seed >> 8) / 8388608.0f - 1.0f;
  }
}

static void setup(bench *b, const row *r, int last, int algorithm) {
  const tsr_index four[2][4] = {{r->n, r->c, r->h, r->w}, {r->n, r->h, r->w, r->c}};
  const tsr_index three[2][3] = {{r->n, r->c, r->w}, {r->n, r->w, r->c}};
  const tsr_index filter[4] = {r->o, r->c / r->groups, r->kh, r->kw}, filter1[3] = {r->o, r->c / r->groups, r->kw};
  const int one = r->h == 0;
  memset(b, 0, sizeof *b);
  must(NULL, tsr_context_init(&b->ctx, NULL));
  must(&b->ctx, tsr_empty(&b->ctx, TSR_F32, one ? 3 : 4, one ? three[last] : four[last], &b->x));
  must(&b->ctx, tsr_empty(&b->ctx, TSR_F32, one ? 3 : 4, one ? filter1 : filter, &b->w));
  must(&b->ctx, tsr_empty(&b->ctx, TSR_F32, 1, &r->o, &b->b));
  b->x.layout = one ? (last ? TSR_NLC : TSR_NCL) : last ? TSR_NHWC : TSR_NCHW;
  fill(&b->x, 1);
  fill(&b->w, 2);
  fill(&b->b, 3);
  b->options = (tsr_conv_options){.stride = {r->stride, one ? 0 : r->stride},
                                  .pad_before = {r->pad, one ? 0 : r->pad},
                                  .pad_after = {r->pad, one ? 0 : r->pad},
                                  .groups = r->groups,
                                  .algorithm = (uint8_t)algorithm};
  must(&b->ctx, tsr_conv_pack(&b->ctx, &b->w, &b->b, &b->options, &b->x, &b->packed));
}

static tsr_status run(bench *b, tsr_ctx *ctx, tsr_tensor *out) {
  return b->x.ndim == 3 ? tsr_conv1d_packed(ctx, &b->x, &b->packed, out)
                        : tsr_conv2d_packed(ctx, &b->x, &b->packed, out);
}

static double time_once(bench *b, int threads) {
  tsr_ctx dry;
  tsr_tensor out = {0};
  b->ctx.parallel = threads == 1 ? tsr_parallel_serial() : NULL;
  must(&b->ctx, tsr_context_init_dry(&b->ctx, &dry));
  must(&dry, run(b, &dry, &out));
  tsr_release(&out);
  const size_t bytes = dry.scratch_needed;
  void **const room = &b->scratch[threads > 1];
  if (*room == NULL) *room = malloc(bytes + 1);
  must(&b->ctx, tsr_context_set_scratch(&b->ctx, bytes > 0 ? *room : NULL, bytes));
  const double start = now();
  must(&b->ctx, run(b, &b->ctx, &b->out));
  return now() - start;
}

static double reference(const bench *b, const row *r, tsr_index n, tsr_index o, tsr_index y, tsr_index x) {
  const tsr_index h = r->h == 0 ? 1 : r->h, c = r->c / r->groups, g = o / (r->o / r->groups),
                  pad = r->h == 0 ? 0 : r->pad;
  const int last = b->x.layout == TSR_NHWC || b->x.layout == TSR_NLC;
  const float *xs = b->x.data, *ws = b->w.data, *bs = b->b.data;
  double sum = bs[o];
  for (tsr_index i = 0; i < c; i++)
    for (tsr_index ky = 0; ky < r->kh; ky++)
      for (tsr_index kx = 0; kx < r->kw; kx++) {
        const tsr_index iy = y * r->stride + ky - pad, ix = x * r->stride + kx - r->pad, ch = g * c + i;
        if (iy < 0 || iy >= h || ix < 0 || ix >= r->w) continue;
        const tsr_index at = last ? ((n * h + iy) * r->w + ix) * r->c + ch : ((n * r->c + ch) * h + iy) * r->w + ix;
        sum += (double)xs[at] * (double)ws[((o * c + i) * r->kh + ky) * r->kw + kx];
      }
  return sum;
}

/* Over some of the outputs. */
static double error_of(const bench *b, const row *r) {
  const int last = b->x.layout == TSR_NHWC || b->x.layout == TSR_NLC, one = r->h == 0;
  const tsr_index oh = one ? 1 : b->out.shape[last ? 1 : 2], ow = b->out.shape[(one ? 2 : 3) - last];
  const float *out = b->out.data;
  double most = 0, largest = 0;
  unsigned seed = 5;
  for (int k = 0; k < 3000; k++) {
    seed = seed * 1664525u + 1013904223u;
    tsr_index at = (tsr_index)(seed >> 4) % tsr_size(&b->out);
    const tsr_index x = at % ow, y = at / ow % oh, o = at / ow / oh % r->o, n = at / ow / oh / r->o;
    if (last) at = ((n * oh + y) * ow + x) * r->o + o;
    const double want = reference(b, r, n, o, y, x);
    if (fabs((double)out[at] - want) > most) most = fabs((double)out[at] - want);
    if (fabs(want) > largest) largest = fabs(want);
  }
  return largest > 0 ? most / largest : most;
}

static void print_row(bench *b, const row *r, int last, const double *best, double limit) {
  static const char *const kernels[] = {"loops", "pixels", "filters", "winograd", "depthwise"};
  printf("%-24s %-5s %-9s %9.1f %9.1f %9.1f  %5.3f %5.3f  %.1e\n", r->name, last ? "last" : "first",
         kernels[b->packed.kernel], 1e6 * limit, 1e6 * best[0], 1e6 * best[1], best[0] / limit, 2 * best[1] / limit,
         error_of(b, r));
}

static void run_row(const row *r, double rate, int rounds, int algorithm) {
  for (int last = 0; last < 2; last++) {
    bench b;
    double best[2] = {1e30, 1e30};
    setup(&b, r, last, algorithm);
    for (int k = 0; k < rounds; k++)
      for (int t = 0; t < 2; t++) {
        const double took = time_once(&b, t + 1);
        if (took < best[t]) best[t] = took;
      }
    const double products = (double)tsr_size(&b.out) * (double)(r->c / r->groups * r->kh * r->kw);
    print_row(&b, r, last, best, products / rate);
    free(b.scratch[0]);
    free(b.scratch[1]);
    tsr_release(&b.x);
    tsr_release(&b.w);
    tsr_release(&b.b);
    tsr_release(&b.out);
    tsr_conv_packed_release(&b.packed);
  }
}

static tsr_index pick(unsigned *seed, const tsr_index *from, int count) {
  *seed = *seed * 1664525u + 1013904223u;
  return from[(*seed >> 8) % (unsigned)count];
}

static void sweep(double rate) {
  static const tsr_index sizes[] = {7, 10, 14, 19, 28, 40, 56, 75},
                         channels[] = {3, 12, 24, 32, 48, 64, 96, 130, 192, 256};
  static const tsr_index filters[] = {1, 3, 3, 5, 7}, strides[] = {1, 1, 2};
  unsigned seed = 7;
  for (int k = 0; k < SWEEP; k++) {
    char name[40];
    row r = {.name = name, .n = 1, .groups = 1};
    r.h = r.w = pick(&seed, sizes, 8);
    r.c = pick(&seed, channels, 10);
    r.o = pick(&seed, channels, 10);
    r.kh = r.kw = pick(&seed, filters, 5);
    r.stride = pick(&seed, strides, 3);
    r.pad = r.kh / 2;
    if (k % 6 == 5) r.groups = r.o = r.c;
    (void)snprintf(name, sizeof name, "%dx%d %d>%d k%d s%d%s", (int)r.h, (int)r.w, (int)r.c, (int)r.o, (int)r.kh,
                   (int)r.stride, r.groups > 1 ? " dw" : "");
    run_row(&r, rate, 15, TSR_CONV_AUTO);
  }
}

int main(int argc, char **argv) {
  const double rate = peak();
  printf("peak %.1f GFLOP/s on one thread\n", 2e-9 * rate);
  printf("%-24s %-5s %-9s %9s %9s %9s  %5s %5s  %s\n", "us", "chan", "kernel", "limit 1", "1 thread", "2 threads",
         "x lim", "x lim", "error");
  if (argc > 1 && strcmp(argv[1], "sweep") == 0) {
    sweep(rate);
    return 0;
  }
  const int algorithm = argc > 2 ? atoi(argv[2]) : TSR_CONV_AUTO;
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (argc < 2 || strcmp(argv[1], rows[i].name) == 0) run_row(&rows[i], rate, ROUNDS, algorithm);
  return 0;
}
