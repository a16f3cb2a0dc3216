/* Complex matrices against OpenBLAS, in one process, calls in turn, the least of many rounds, process time: `bench_complex [row]`. One
 * thread each. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(tsr_ctx *ctx, tsr_status st) {
  if (st == TSR_OK) return;
  printf("%s\n", tsr_error(ctx));
  exit(1);
}

/* ---- the peer: c64 and c128 are its c and z ---- */

typedef void gemm_fn(int order, int ta, int tb, int m, int n, int k, const void *alpha, const void *a, int lda,
                     const void *b, int ldb, const void *beta, void *c, int ldc);
typedef void gemv_fn(int order, int ta, int m, int n, const void *alpha, const void *a, int lda, const void *x,
                     int incx, const void *beta, void *y, int incy);
typedef void getrf_fn(int *m, int *n, void *a, int *lda, int *pivots, int *info);
typedef void getri_fn(int *n, void *a, int *lda, int *pivots, void *work, int *lwork, int *info);
typedef void potrf_fn(const char *uplo, int *n, void *a, int *lda, int *info);
typedef void geqrf_fn(int *m, int *n, void *a, int *lda, void *tau, void *work, int *lwork, int *info);
typedef void heevd_fn(const char *jobz, const char *uplo, int *n, void *a, int *lda, void *w, void *work, int *lwork,
                      void *rwork, int *lrwork, int *iwork, int *liwork, int *info);
typedef void gesdd_fn(const char *jobz, int *m, int *n, void *a, int *lda, void *s, void *u, int *ldu, void *vt,
                      int *ldvt, void *work, int *lwork, void *rwork, int *iwork, int *info);
typedef void geev_fn(const char *left, const char *right, int *n, void *a, int *lda, void *w, void *vl, int *ldvl,
                     void *vr, int *ldvr, void *work, int *lwork, void *rwork, int *info);
typedef void threads_fn(int count);

static void *library;

/* The function of a type, say c or z for "%cgemm". */
static bool find(const char *pattern, bool wide, void *slot) {
  char name[32];
  (void)snprintf(name, sizeof name, pattern, wide ? 'z' : 'c');
  void *const at = library != NULL ? dlsym(library, name) : NULL;
  memcpy(slot, &at, sizeof at);
  return at != NULL;
}
#define PEER(type, pattern) \
  type *f;                  \
  if (!find(pattern, k->wide, &f)) return false

typedef struct task {
  const char *name;
  int n;
  bool wide;
  size_t bytes; /* of a matrix */
  void *from, *a, *b, *u, *v, *tau, *work, *rwork;
  int *pivots;
  tsr_ctx *ctx;
  tsr_tensor t, x, out[3];
} task;

static bool is(const task *k, const char *name) { return strcmp(k->name, name) == 0; }

static bool peer(const task *k) {
  static const float one32[2] = {1, 0}, zero32[2] = {0, 0};
  static const double one64[2] = {1, 0}, zero64[2] = {0, 0};
  const void *const one = k->wide ? (const void *)one64 : one32, *const zero = k->wide ? (const void *)zero64 : zero32;
  int n = k->n, info = 0, lwork = 8 * n * n + 64 * n + 1024, lrwork = lwork, liwork = 8 * n + 64;
  if (is(k, "matmul") || is(k, "matmul_bT")) {
    PEER(gemm_fn, "cblas_%cgemm");
    f(101, 111, is(k, "matmul") ? 111 : 112, n, n, n, one, k->from, n, k->from, n, zero, k->u, n);
    return true;
  }
  if (is(k, "matvec")) {
    PEER(gemv_fn, "cblas_%cgemv");
    f(101, 111, n, n, one, k->from, n, k->b, 1, zero, k->u, 1);
    return true;
  }
  memcpy(k->a, k->from, k->bytes);
  if (is(k, "lu") || is(k, "inv")) {
    PEER(getrf_fn, "%cgetrf_");
    f(&n, &n, k->a, &n, k->pivots, &info);
    if (is(k, "lu")) return true;
    getri_fn *g;
    if (!find("%cgetri_", k->wide, &g)) return false;
    g(&n, k->a, &n, k->pivots, k->work, &lwork, &info);
  } else if (is(k, "cholesky")) {
    PEER(potrf_fn, "%cpotrf_");
    f("L", &n, k->a, &n, &info);
  } else if (is(k, "qr")) {
    PEER(geqrf_fn, "%cgeqrf_");
    f(&n, &n, k->a, &n, k->tau, k->work, &lwork, &info);
  } else if (is(k, "eigh") || is(k, "eigvalsh")) {
    PEER(heevd_fn, "%cheevd_");
    f(is(k, "eigh") ? "V" : "N", "L", &n, k->a, &n, k->tau, k->work, &lwork, k->rwork, &lrwork, k->pivots, &liwork,
      &info);
  } else if (is(k, "eig") || is(k, "eigvals")) {
    PEER(geev_fn, "%cgeev_");
    f("N", is(k, "eig") ? "V" : "N", &n, k->a, &n, k->tau, NULL, &n, k->u, &n, k->work, &lwork, k->rwork, &info);
  } else {
    PEER(gesdd_fn, "%cgesdd_");
    f(is(k, "svd") ? "S" : "N", &n, &n, k->a, &n, k->tau, k->u, &n, k->v, &n, k->work, &lwork, k->rwork, k->pivots,
      &info);
  }
  return true;
}

static tsr_status ours(task *k) {
  tsr_tensor *const out = k->out;
  if (is(k, "matmul")) return tsr_matmul(k->ctx, &k->t, &k->t, &out[0]);
  if (is(k, "matmul_bT")) {
    tsr_tensor b = k->t;
    b.flags = 0;
    b.stride[0] = 1, b.stride[1] = k->n;
    return tsr_matmul(k->ctx, &k->t, &b, &out[0]);
  }
  if (is(k, "matvec")) return tsr_matvec(k->ctx, &k->t, &k->x, &out[0]);
  if (is(k, "lu")) return tsr_lu_factor(k->ctx, &k->t, &out[0], &out[1]);
  if (is(k, "inv")) return tsr_inv(k->ctx, &k->t, &out[0]);
  if (is(k, "cholesky")) return tsr_cholesky(k->ctx, &k->t, false, &out[0]);
  if (is(k, "qr")) return tsr_qr(k->ctx, &k->t, false, NULL, &out[0]);
  if (is(k, "eigh")) return tsr_eigh(k->ctx, &k->t, false, &out[0], &out[1]);
  if (is(k, "eigvalsh")) return tsr_eigvalsh(k->ctx, &k->t, false, &out[0]);
  if (is(k, "eig")) return tsr_eig(k->ctx, &k->t, &out[0], &out[1]);
  if (is(k, "eigvals")) return tsr_eigvals(k->ctx, &k->t, &out[0]);
  if (is(k, "svd")) return tsr_svd(k->ctx, &k->t, false, &out[0], &out[1], &out[2]);
  return tsr_svdvals(k->ctx, &k->t, &out[0]);
}

static void put(const task *k, size_t at, double x) {
  if (k->wide)
    ((double *)k->from)[at] = x;
  else
    ((float *)k->from)[at] = (float)x;
}

/* Hermitian, with n on its diagonal, where an op wants it so. */
static void fill(const task *k) {
  const size_t n = (size_t)k->n;
  const bool any = is(k, "eig") || is(k, "eigvals") || is(k, "svd") || is(k, "svdvals");
  srand(1);
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i || (any && j < n); j++) {
      const double re = (double)rand() / RAND_MAX - 0.5, im = (double)rand() / RAND_MAX - 0.5;
      put(k, 2 * (i * n + j), re + (i == j && !any ? (double)n : 0));
      put(k, 2 * (i * n + j) + 1, i == j && !any ? 0 : im);
      if (any || i == j) continue;
      put(k, 2 * (j * n + i), re);
      put(k, 2 * (j * n + i) + 1, -im);
    }
}

static void measure(tsr_ctx *ctx, const char *name, bool wide, int n) {
  const size_t item = wide ? 16 : 8, all = (size_t)n * (size_t)n, room = (8 * all + 64 * (size_t)n + 1024) * item;
  task k = {.name = name, .n = n, .wide = wide, .bytes = all * item, .ctx = ctx};
  k.from = calloc(all, item), k.a = malloc(k.bytes), k.b = calloc((size_t)n, item), k.u = malloc(k.bytes);
  k.v = malloc(k.bytes), k.tau = malloc((size_t)n * item), k.work = malloc(room), k.rwork = malloc(room);
  k.pivots = malloc((8 * (size_t)n + 64) * sizeof *k.pivots);
  fill(&k);
  const int dtype = wide ? TSR_C128 : TSR_C64;
  must(ctx, tsr_from_memory(ctx, k.from, dtype, 2, (const tsr_index[]){n, n}, &k.t));
  must(ctx, tsr_from_memory(ctx, k.b, dtype, 1, (const tsr_index[]){n}, &k.x));
  double best = 1e9, other = 1e9, spent = 0;
  bool there = true;
  for (int round = 0; round < 400 && (spent < 1 || round < 3); round++) {
    const double start = now();
    must(ctx, ours(&k));
    const double middle = now();
    there = peer(&k);
    const double end = now();
    for (int i = 0; i < 3; i++) tsr_release(&k.out[i]);
    spent += end - start;
    if (middle - start < best) best = middle - start;
    if (end - middle < other) other = end - middle;
  }
  printf("complex_%s_%s_%-5d %10.1f us", name, wide ? "c128" : "c64", n, best * 1e6);
  if (there) printf("   OpenBLAS %10.1f us   %.2f", other * 1e6, other / best);
  printf("\n");
  fflush(stdout);
  free(k.from), free(k.a), free(k.b), free(k.u), free(k.v), free(k.tau), free(k.work), free(k.rwork), free(k.pivots);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int most;
  } rows[] = {{"matmul", 1024},   {"matmul_bT", 1024}, {"matvec", 1024},  {"lu", 1024},  {"inv", 512},
              {"cholesky", 1024}, {"qr", 1024},        {"eigvalsh", 256}, {"eigh", 256}, {"eigvals", 256},
              {"eig", 256},       {"svdvals", 256},    {"svd", 256}};
  const char *const only = argc > 1 ? argv[1] : NULL;
  tsr_ctx ctx;
  if (tsr_context_init(&ctx, NULL) != TSR_OK) return 1;
  ctx.parallel = tsr_parallel_serial();
  must(&ctx, tsr_lapack_set(&ctx, TSR_LAPACK_NEVER));
  library = dlopen("libopenblas.so.0", RTLD_NOW);
  threads_fn *threads = NULL;
  if (find("openblas_set_num_threads", false, &threads)) threads(1);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (int wide = 0; wide < 2; wide++)
      for (int n = 32; n <= rows[i].most; n *= 2)
        if (only == NULL || strcmp(only, rows[i].name) == 0) measure(&ctx, rows[i].name, wide != 0, n);
  return 0;
}
