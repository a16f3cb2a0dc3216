/* Matrix products against the machine's own limit, measured here: multiplications and additions on registers, and
 * reading memory. `bench_matmul [name]`; OpenBLAS and oneDNN (their own packing each time) stand beside where they are
 * installed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>
#include <time.h>

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

/* ---- the limits ---- */

typedef struct limits {
  double f32, f64, bf16, i8; /* operations a second */
  double read;               /* bytes a second */
} limits;

#if defined(__x86_64__)
#include <immintrin.h>

enum { SPINS = 200000 };
#define SPIN(name, features, type, zero, step, operations)                                                           \
  __attribute__((target(features))) static double name(void) {                                                       \
    double best = 0;                                                                                                 \
    for (int round = 0; round < 30; round++) {                                                                       \
      type v0 = zero, v1 = zero, v2 = zero, v3 = zero, v4 = zero, v5 = zero, v6 = zero, v7 = zero, v8 = zero,        \
           v9 = zero;                                                                                                \
      type x = zero, y = zero;                                                                                       \
      __asm__ volatile("" : "+v"(x), "+v"(y));                                                                       \
      const double start = now();                                                                                    \
      for (int i = 0; i < SPINS; i++) {                                                                              \
        v0 = step(v0, x, y), v1 = step(v1, x, y), v2 = step(v2, x, y), v3 = step(v3, x, y), v4 = step(v4, x, y);     \
        v5 = step(v5, x, y), v6 = step(v6, x, y), v7 = step(v7, x, y), v8 = step(v8, x, y), v9 = step(v9, x, y);     \
        __asm__ volatile(""                                                                                          \
                         : "+v"(v0), "+v"(v1), "+v"(v2), "+v"(v3), "+v"(v4), "+v"(v5), "+v"(v6), "+v"(v7), "+v"(v8), \
                           "+v"(v9));                                                                                \
      }                                                                                                              \
      const double rate = 10.0 * (operations)*SPINS / (now() - start);                                               \
      if (rate > best) best = rate;                                                                                  \
    }                                                                                                                \
    return best;                                                                                                     \
  }
#define FMA_PS(v, x, y) _mm512_fmadd_ps(x, y, v)
#define FMA_PD(v, x, y) _mm512_fmadd_pd(x, y, v)
#define DOT_BF16(v, x, y) _mm512_dpbf16_ps(v, (__m512bh)x, (__m512bh)y)
SPIN(spin_f32, "avx512f", __m512, _mm512_setzero_ps(), FMA_PS, 32)
SPIN(spin_f64, "avx512f", __m512d, _mm512_setzero_pd(), FMA_PD, 16)
SPIN(spin_bf16, "avx512f,avx512bf16", __m512, _mm512_setzero_ps(), DOT_BF16, 64)
SPIN(spin_i8, "avx512f,avx512vnni", __m512i, _mm512_setzero_si512(), _mm512_dpbusd_epi32, 128)

static limits measure_limits(void) {
  limits l = {0};
  if (!__builtin_cpu_supports("avx512f")) return l;
  l.f32 = spin_f32();
  l.f64 = spin_f64();
  if (__builtin_cpu_supports("avx512bf16")) l.bf16 = spin_bf16();
  if (__builtin_cpu_supports("avx512vnni")) l.i8 = spin_i8();
  return l;
}
#else
static limits measure_limits(void) { return (limits){0}; }
#endif

/* ---- peers ---- */

typedef void cblas_sgemm_fn(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *,
                            int);
typedef int dnnl_sgemm_fn(char, char, int64_t, int64_t, int64_t, float, const float *, int64_t, const float *, int64_t,
                          float, float *, int64_t);
static cblas_sgemm_fn *openblas;
static dnnl_sgemm_fn *onednn;

static void find_peers(int threads) {
  char text[16];
  (void)snprintf(text, sizeof text, "%d", threads);
  (void)setenv("OMP_NUM_THREADS", text, 1);
  (void)setenv("OPENBLAS_NUM_THREADS", text, 1);
  (void)setenv("OMP_WAIT_POLICY", "passive", 1); /* threads that spin after their call would slow the next one's */
  (void)setenv("OPENBLAS_THREAD_TIMEOUT", "4", 1);
  if (getenv("TSR_NO_PEERS") != NULL) return;
  void *blas = dlopen("libopenblas.so.0", RTLD_NOW), *dnnl = dlopen("libdnnl.so.2", RTLD_NOW);
  if (blas != NULL) *(void **)&openblas = dlsym(blas, "cblas_sgemm");
  if (dnnl != NULL) *(void **)&onednn = dlsym(dnnl, "dnnl_sgemm");
}

/* ---- rows ---- */

typedef struct row {
  const char *name;
  int dtype, with; /* of b and of a */
  tsr_index batch, m, k, n;
  bool transposed; /* b is a transposed view */
  bool packed;
} row;

/* f32 by f32 and by narrower weights: as they lie, transposed as in dense layers, packed. */
#define NARROW_OF(m, dtype, of)                                                           \
  {"narrow_" #m "x4096_" #of, dtype, TSR_F32, 1, m, 4096, 4096, false, false},            \
      {"narrow_" #m "x4096_" #of "_wT", dtype, TSR_F32, 1, m, 4096, 4096, true, false}, { \
    "narrow_" #m "x4096_" #of "_packed", dtype, TSR_F32, 1, m, 4096, 4096, false, true    \
  }
#define NARROW(m) \
  NARROW_OF(m, TSR_F32, f32), NARROW_OF(m, TSR_BF16, bf16), NARROW_OF(m, TSR_F16, f16), NARROW_OF(m, TSR_I8, i8)

static const row rows[] = {
    {"sgemm_64", TSR_F32, TSR_F32, 1, 64, 64, 64, false, false},
    {"sgemm_256", TSR_F32, TSR_F32, 1, 256, 256, 256, false, false},
    {"sgemm_1024", TSR_F32, TSR_F32, 1, 1024, 1024, 1024, false, false},
    {"sgemm_1024_packed", TSR_F32, TSR_F32, 1, 1024, 1024, 1024, false, true},
    {"sgemm_1024_wT", TSR_F32, TSR_F32, 1, 1024, 1024, 1024, true, false},
    {"sgemm_2048", TSR_F32, TSR_F32, 1, 2048, 2048, 2048, false, false},
    {"sgemm_2048_packed", TSR_F32, TSR_F32, 1, 2048, 2048, 2048, false, true},
    {"dgemm_1024", TSR_F64, TSR_F64, 1, 1024, 1024, 1024, false, false},
    {"gemv_4096", TSR_F32, TSR_F32, 1, 1, 4096, 4096, false, false},
    {"gemv_4096_wT", TSR_F32, TSR_F32, 1, 1, 4096, 4096, true, false},
    {"gemv_4096_packed", TSR_F32, TSR_F32, 1, 1, 4096, 4096, false, true},
    {"gemm_32x4096", TSR_F32, TSR_F32, 1, 32, 4096, 4096, false, false},
    {"gemm_32x4096_wT", TSR_F32, TSR_F32, 1, 32, 4096, 4096, true, false},
    {"gemm_32x4096_packed", TSR_F32, TSR_F32, 1, 32, 4096, 4096, false, true},
    {"bmm_64", TSR_F32, TSR_F32, 64, 128, 64, 128, false, false},
    {"bf16gemm_1024", TSR_BF16, TSR_BF16, 1, 1024, 1024, 1024, false, false},
    {"bf16gemm_1024_packed", TSR_BF16, TSR_BF16, 1, 1024, 1024, 1024, false, true},
    {"f16gemm_1024_packed", TSR_F16, TSR_F16, 1, 1024, 1024, 1024, false, true},
    {"int8gemm_1024", TSR_I8, TSR_I8, 1, 1024, 1024, 1024, false, false},
    {"int8gemm_1024_packed", TSR_I8, TSR_I8, 1, 1024, 1024, 1024, false, true},
    {"u8i8gemm_1024_packed", TSR_I8, TSR_U8, 1, 1024, 1024, 1024, false, true},
    {"sgemm_4", TSR_F32, TSR_F32, 1, 4, 4, 4, false, false},
    {"sgemm_8", TSR_F32, TSR_F32, 1, 8, 8, 8, false, false},
    {"sgemm_16", TSR_F32, TSR_F32, 1, 16, 16, 16, false, false},
    {"sgemm_32", TSR_F32, TSR_F32, 1, 32, 32, 32, false, false},
    {"sgemm_8x512x512", TSR_F32, TSR_F32, 1, 8, 512, 512, false, false},
    {"sgemm_100x100", TSR_F32, TSR_F32, 1, 100, 100, 100, false, false},
    {"sgemm_10000x64x32", TSR_F32, TSR_F32, 1, 10000, 64, 32, false, false},
    NARROW(1),
    NARROW(4),
    NARROW(16),
    NARROW(256),
};
#undef NARROW

typedef struct job {
  const row *r;
  tsr_tensor a, b, out, store;
  tsr_packed packed;
  tsr_gemm_options options;
} job;

static void fill(tsr_tensor *t) {
  unsigned state = 1;
  const size_t bytes = tsr_nbytes(t);
  if (t->dtype == TSR_F32) {
    for (tsr_index i = 0; i < tsr_size(t); i++)
      ((float *)t->data)[i] = (float)((state = state * 1664525u + 1013904223u) >> 8) / 16777216.0f;
  } else {
    memset(t->data, t->dtype == TSR_F64 ? 0 : 0x3c, bytes);
  }
}

static void set_up(tsr_ctx *ctx, job *j) {
  const row *const r = j->r;
  const tsr_index batch = r->batch;
  const bool bytes = r->dtype == TSR_I8 && r->with != TSR_F32;
  j->options = (tsr_gemm_options){.dtype = (uint8_t)(bytes ? TSR_I32 : r->dtype == TSR_BF16 ? TSR_F32 : TSR_NONE)};
  must(ctx, tsr_zeros(ctx, r->with, TSR_SHAPE(batch, r->m, r->k), &j->a));
  must(ctx,
       tsr_zeros(ctx, r->dtype, TSR_SHAPE(batch, r->transposed ? r->n : r->k, r->transposed ? r->k : r->n), &j->store));
  fill(&j->a);
  fill(&j->store);
  must(ctx, tsr_view(ctx, &j->store, &j->b));
  if (r->transposed) must(ctx, tsr_transpose(ctx, &j->store, 1, 2, &j->b));
  if (batch == 1) {
    must(ctx, tsr_select(ctx, &j->a, 0, 0, &j->a));
    must(ctx, tsr_select(ctx, &j->b, 0, 0, &j->b));
  }
  if (r->packed) must(ctx, tsr_pack(ctx, &j->b, r->with, &j->packed));
}

static void run_ours(tsr_ctx *ctx, job *j) {
  if (j->r->packed)
    must(ctx, tsr_matmul_packed(ctx, &j->a, &j->packed, &j->options, &j->out));
  else if (j->options.dtype != TSR_NONE)
    must(ctx, tsr_gemm(ctx, 1, &j->a, &j->b, 0, NULL, &j->options, &j->out));
  else
    must(ctx, tsr_matmul(ctx, &j->a, &j->b, &j->out));
}

static void run_openblas(job *j) {
  const row *const r = j->r;
  const int ldb = (int)(r->transposed ? r->k : r->n);
  for (tsr_index i = 0; i < r->batch; i++)
    openblas(101, 111, r->transposed ? 112 : 111, (int)r->m, (int)r->n, (int)r->k, 1,
             (const float *)j->a.data + i * r->m * r->k, (int)r->k, (const float *)j->store.data + i * r->k * r->n, ldb,
             0, (float *)j->out.data + i * r->m * r->n, (int)r->n);
}

static void run_onednn(job *j) {
  const row *const r = j->r;
  for (tsr_index i = 0; i < r->batch; i++)
    (void)onednn('N', r->transposed ? 'T' : 'N', r->m, r->n, r->k, 1, (const float *)j->a.data + i * r->m * r->k, r->k,
                 (const float *)j->store.data + i * r->k * r->n, r->transposed ? r->k : r->n, 0,
                 (float *)j->out.data + i * r->m * r->n, r->n);
}

static double time_of(tsr_ctx *ctx, job *j, int who, int calls) {
  const double start = now();
  for (int i = 0; i < calls; i++) {
    if (who == 0) run_ours(ctx, j);
    if (who == 1) run_openblas(j);
    if (who == 2) run_onednn(j);
  }
  return (now() - start) / calls;
}

static double peak_of(const limits *l, int dtype) {
  return dtype == TSR_F64 ? l->f64 : dtype == TSR_BF16 ? l->bf16 : dtype == TSR_I8 || dtype == TSR_U8 ? l->i8 : l->f32;
}

static void run_row(tsr_ctx *ctx, const row *r, const limits *l, int threads) {
  job j = {.r = r};
  double best[3] = {1e30, 1e30, 1e30};
  const double operations = 2.0 * (double)r->batch * (double)r->m * (double)r->k * (double)r->n;
  set_up(ctx, &j);
  run_ours(ctx, &j);
  const double once = time_of(ctx, &j, 0, 1);
  const int calls = once < 2e-5 ? (int)(2e-4 / once) + 1 : 1;
  const int rounds = once > 0.05 ? 6 : 20;
  const bool peers = r->dtype == TSR_F32 && !r->packed;
  for (int i = 0; i < rounds; i++)
    for (int who = 0; who < 3; who++) {
      if ((who == 1 && (openblas == NULL || !peers)) || (who == 2 && (onednn == NULL || !peers))) continue;
      const double t = time_of(ctx, &j, who, calls);
      if (t < best[who]) best[who] = t;
    }
  const double peak = peak_of(l, r->with) * threads;
  printf("%-22s %12.2f us %8.1f G/s", r->name, best[0] * 1e6, operations / best[0] / 1e9);
  if (peak > 0) printf(" %6.1f %%", 100 * operations / best[0] / peak);
  if (r->m <= 16) printf("  %5.1f GB/s", (double)(r->k * r->n) * (double)tsr_dtype_size(r->dtype) / best[0] / 1e9);
  if (best[1] < 1e30) printf("  openblas %12.2f us (%.2f)", best[1] * 1e6, best[1] / best[0]);
  if (best[2] < 1e30) printf("  onednn %12.2f us (%.2f)", best[2] * 1e6, best[2] / best[0]);
  printf("\n");
  fflush(stdout);
  tsr_packed_release(&j.packed);
  tsr_release(&j.a);
  tsr_release(&j.store);
  tsr_release(&j.out);
}

int main(int argc, char **argv) {
  const char *const asked = getenv("TSR_THREADS");
  const int threads = asked != NULL ? atoi(asked) : 1;
  tsr_threads *pool = NULL;
  tsr_ctx ctx;
  const limits l = measure_limits();
  find_peers(threads);
  if (tsr_threads_new(threads, &pool) != TSR_OK || tsr_context_init(&ctx, NULL) != TSR_OK) return 1;
  ctx.parallel = tsr_threads_parallel(pool);
  printf("%d threads; peak of one, G/s: f32 %.1f, f64 %.1f, bf16 %.1f, int8 %.1f\n", threads, l.f32 / 1e9, l.f64 / 1e9,
         l.bf16 / 1e9, l.i8 / 1e9);
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (argc < 2 || strstr(rows[i].name, argv[1]) != NULL) run_row(&ctx, &rows[i], &l, threads);
  tsr_threads_release(pool);
  return 0;
}
