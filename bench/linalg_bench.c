/* Linear algebra against OpenBLAS's LAPACK, in one process, calls in turn, the least of many rounds: `bench_linalg [name]`. One thread
 * each. Thousands of small matrices stand alone here; bench/peers/numpy_linalg.py measures the same with NumPy. */
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

/* ---- LAPACK, where it is ---- */

typedef void getrf_fn(int *m, int *n, double *a, int *lda, int *pivots, int *info);
typedef void potrf_fn(const char *uplo, int *n, double *a, int *lda, int *info);
typedef void geqrf_fn(int *m, int *n, double *a, int *lda, double *tau, double *work, int *lwork, int *info);
typedef void syevd_fn(const char *jobz, const char *uplo, int *n, double *a, int *lda, double *w, double *work,
                      int *lwork, int *iwork, int *liwork, int *info);
typedef void gesdd_fn(const char *jobz, int *m, int *n, double *a, int *lda, double *s, double *u, int *ldu, double *vt,
                      int *ldvt, double *work, int *lwork, int *iwork, int *info);

typedef void geev_fn(const char *jobvl, const char *jobvr, int *n, double *a, int *lda, double *wr, double *wi,
                     double *vl, int *ldvl, double *vr, int *ldvr, double *work, int *lwork, int *info);

typedef void threads_fn(int count);

static void *library;

/* A function by its name, without a warning about what ISO C lets one convert. */
static void *function(const char *name) { return library != NULL ? dlsym(library, name) : NULL; }
#define CALL(type, name)              \
  type *name;                         \
  {                                   \
    void *const at = function(#name); \
    memcpy(&name, &at, sizeof at);    \
  }

typedef struct task {
  const char *name;
  int n;
  double *from, *a, *tau, *u, *v, *work;
  int *pivots;
  tsr_ctx *ctx;
  tsr_tensor t, out[3];
} task;

static void copy(const task *k) { memcpy(k->a, k->from, (size_t)k->n * (size_t)k->n * sizeof(double)); }

static void peer(const task *k) {
  int n = k->n, info = 0, lwork = 8 * n * n + 64 * n + 1024, liwork = 8 * n + 64;
  copy(k);
  if (strcmp(k->name, "lu") == 0) {
    CALL(getrf_fn, dgetrf_)
    dgetrf_(&n, &n, k->a, &n, k->pivots, &info);
  } else if (strcmp(k->name, "cholesky") == 0) {
    CALL(potrf_fn, dpotrf_)
    dpotrf_("L", &n, k->a, &n, &info);
  } else if (strcmp(k->name, "qr") == 0) {
    CALL(geqrf_fn, dgeqrf_)
    dgeqrf_(&n, &n, k->a, &n, k->tau, k->work, &lwork, &info);
  } else if (strcmp(k->name, "eig") == 0 || strcmp(k->name, "eigvals") == 0) {
    CALL(geev_fn, dgeev_)
    dgeev_("N", strcmp(k->name, "eig") == 0 ? "V" : "N", &n, k->a, &n, k->tau, k->v, NULL, &n, k->u, &n, k->work,
           &lwork, &info);
  } else if (strncmp(k->name, "eig", 3) == 0) {
    CALL(syevd_fn, dsyevd_)
    dsyevd_(strcmp(k->name, "eigh") == 0 ? "V" : "N", "L", &n, k->a, &n, k->tau, k->work, &lwork, k->pivots, &liwork,
            &info);
  } else {
    CALL(gesdd_fn, dgesdd_)
    dgesdd_(strcmp(k->name, "svd") == 0 ? "S" : "N", &n, &n, k->a, &n, k->tau, k->u, &n, k->v, &n, k->work, &lwork,
            k->pivots, &info);
  }
}

static void ours(task *k) {
  if (strcmp(k->name, "lu") == 0)
    must(k->ctx, tsr_lu_factor(k->ctx, &k->t, &k->out[0], &k->out[1]));
  else if (strcmp(k->name, "cholesky") == 0)
    must(k->ctx, tsr_cholesky(k->ctx, &k->t, false, &k->out[0]));
  else if (strcmp(k->name, "qr") == 0)
    must(k->ctx, tsr_qr(k->ctx, &k->t, false, NULL, &k->out[0]));
  else if (strcmp(k->name, "eigh") == 0)
    must(k->ctx, tsr_eigh(k->ctx, &k->t, false, &k->out[0], &k->out[1]));
  else if (strcmp(k->name, "eigvalsh") == 0)
    must(k->ctx, tsr_eigvalsh(k->ctx, &k->t, false, &k->out[0]));
  else if (strcmp(k->name, "eig") == 0)
    must(k->ctx, tsr_eig(k->ctx, &k->t, &k->out[0], &k->out[1]));
  else if (strcmp(k->name, "eigvals") == 0)
    must(k->ctx, tsr_eigvals(k->ctx, &k->t, &k->out[0]));
  else if (strcmp(k->name, "svd") == 0)
    must(k->ctx, tsr_svd(k->ctx, &k->t, false, &k->out[0], &k->out[1], &k->out[2]));
  else
    must(k->ctx, tsr_svdvals(k->ctx, &k->t, &k->out[0]));
  for (int i = 0; i < 3; i++) tsr_release(&k->out[i]);
}

static double *numbers(size_t n) { return malloc((n + 1) * sizeof(double)); }

static void measure(tsr_ctx *ctx, const char *name, int n) {
  const size_t all = (size_t)n * (size_t)n;
  task k = {.name = name,
            .n = n,
            .ctx = ctx,
            .from = numbers(all),
            .a = numbers(all),
            .tau = numbers((size_t)n),
            .u = numbers(all)};
  k.v = numbers(all);
  k.work = numbers(8 * all + 64 * (size_t)n + 1024);
  k.pivots = malloc((8 * (size_t)n + 64) * sizeof *k.pivots);
  srand(1);
  for (size_t i = 0; i < all; i++) k.from[i] = (double)rand() / RAND_MAX - 0.5;
  if (strcmp(name, "eig") != 0 && strcmp(name, "eigvals") != 0) { /* symmetric, and positive definite */
    for (size_t i = 0; i < all; i++) k.from[i] = k.from[i % (size_t)n * (size_t)n + i / (size_t)n];
    for (int i = 0; i < n; i++) k.from[(size_t)i * (size_t)(n + 1)] += n;
  }
  must(ctx, tsr_from_memory(ctx, k.from, TSR_F64, 2, (const tsr_index[]){n, n}, &k.t));
  double best = 1e9, other = 1e9, spent = 0;
  for (int round = 0; round < 400 && (spent < 1.5 || round < 3); round++) {
    const double start = now();
    ours(&k);
    const double middle = now();
    if (library != NULL) peer(&k);
    const double end = now();
    spent += end - start;
    if (middle - start < best) best = middle - start;
    if (end - middle < other) other = end - middle;
  }
  printf("linalg_%s_%-5d %10.1f us", name, n, best * 1e6);
  if (library != NULL) printf("   OpenBLAS %10.1f us   %.2f", other * 1e6, other / best);
  printf("\n");
  fflush(stdout);
  free(k.from), free(k.a), free(k.tau), free(k.u), free(k.v), free(k.work), free(k.pivots);
}

/* ---- many small ones ---- */

static tsr_status small_call(tsr_ctx *ctx, const char *name, const tsr_tensor *a, const tsr_tensor *b,
                             tsr_tensor *out) {
  if (strcmp(name, "solve") == 0) return tsr_solve(ctx, a, b, &out[0]);
  if (strcmp(name, "inv") == 0) return tsr_inv(ctx, a, &out[0]);
  if (strcmp(name, "det") == 0) return tsr_det(ctx, a, &out[0]);
  if (strcmp(name, "cholesky") == 0) return tsr_cholesky(ctx, a, false, &out[0]);
  if (strcmp(name, "qr") == 0) return tsr_qr(ctx, a, false, &out[0], &out[1]);
  if (strcmp(name, "eig") == 0) return tsr_eig(ctx, a, &out[0], &out[1]);
  if (strcmp(name, "eigh") == 0) return tsr_eigh(ctx, a, false, &out[0], &out[1]);
  return tsr_svd(ctx, a, false, &out[0], &out[1], &out[2]);
}

static void measure_small(tsr_ctx *ctx, const char *name, tsr_index n) {
  enum { MANY = 4096 };
  tsr_tensor a = {0}, b = {0}, t = {0}, eye = {0}, out[3] = {{0}};

  tsr_rng rng = tsr_rng_seed(1);
  must(ctx, tsr_rand_uniform(ctx, &rng, TSR_F64, 3, (const tsr_index[]){MANY, n, n}, 0, 1, &a));
  must(ctx, tsr_rand_uniform(ctx, &rng, TSR_F64, 3, (const tsr_index[]){MANY, n, 1}, 0, 1, &b));
  must(ctx, tsr_transpose(ctx, &a, -2, -1, &t));
  must(ctx, tsr_add(ctx, &a, &t, &out[0]));
  must(ctx, tsr_eye(ctx, TSR_F64, n, n, 0, &eye));
  must(ctx, tsr_mul_scalar(ctx, &eye, (tsr_real)(2 * n), &eye));
  must(ctx, tsr_add(ctx, &out[0], &eye, &out[0]));
  tsr_tensor matrices = out[0];
  out[0] = (tsr_tensor){0};
  double best = 1e9;
  for (int round = 0; round < 30; round++) {
    const double start = now();
    must(ctx, small_call(ctx, name, &matrices, &b, out));
    const double spent = now() - start;
    if (spent < best) best = spent;
    for (int i = 0; i < 3; i++) tsr_release(&out[i]);
  }
  printf("linalg_small_%s_%-3d %9.3f us a matrix\n", name, (int)n, best / MANY * 1e6);
  fflush(stdout);
  tsr_release(&a), tsr_release(&b), tsr_release(&t), tsr_release(&eye), tsr_release(&matrices);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    int most;
  } large[] = {{"lu", 2048},     {"cholesky", 2048}, {"qr", 2048},     {"eigvalsh", 256}, {"eigh", 256},
               {"eigvals", 512}, {"eig", 512},       {"svdvals", 256}, {"svd", 256}};
  static const char *const small[] = {"solve", "inv", "det", "cholesky", "qr", "eigh", "eig", "svd"};
  const char *const only = argc > 1 ? argv[1] : NULL;
  tsr_ctx ctx;
  if (tsr_context_init(&ctx, NULL) != TSR_OK) return 1;
  ctx.parallel = tsr_parallel_serial();
  must(&ctx, tsr_lapack_set(&ctx, TSR_LAPACK_NEVER));
  library = dlopen("libopenblas.so.0", RTLD_NOW);
  if (library != NULL) {
    CALL(threads_fn, openblas_set_num_threads)
    if (openblas_set_num_threads != NULL) openblas_set_num_threads(1);
  }
  for (size_t i = 0; i < sizeof small / sizeof *small; i++)
    for (tsr_index n = 3; n <= 16; n = n == 3 ? 4 : 2 * n)
      if (only == NULL || strstr("small", only) != NULL) measure_small(&ctx, small[i], n);
  for (size_t i = 0; i < sizeof large / sizeof *large; i++)
    for (int n = 32; n <= large[i].most; n *= 2)
      if (only == NULL || strcmp(only, large[i].name) == 0) measure(&ctx, large[i].name, n);
  return 0;
}
