/* LAPACK in place of the library's own kernels, where it is installed: both give results within the bounds of LAPACK's own tests, and
 * the same eigenvalues and singular values within them. */
#include "linalg/matrices.h"

#include <stdlib.h>

enum { MOST = 96 };
static double a[4 * MOST * MOST], s[2][2 * MOST];

static bool is_complex(int dtype) { return tsr_dtype_describe(dtype)->class_ == TSR_CLASS_COMPLEX; }
static int part_of(int dtype) { return dtype == TSR_C128 ? TSR_F64 : dtype == TSR_C64 ? TSR_F32 : dtype; }

/* A stack of two matrices, of a complex dtype with imaginary parts of their own; symmetric ones are their own adjoints. */
static tsr_tensor make(tsr_ctx *ctx, test_rng *rng, int kind, int dtype, tsr_index m, tsr_index n, bool symmetric) {
  tsr_tensor t = {0};
  OK(ctx, tsr_zeros(ctx, dtype, 3, (const tsr_index[]){2, m, n}, &t));
  for (int part = 0; part < (is_complex(dtype) ? 2 : 1); part++) {
    tsr_tensor wide = {0}, view = {0};
    for (int k = 0; k < 2; k++) {
      double *const x = a + (tsr_index)k * m * n;
      make_matrix(rng, (matrix_kind)kind, part_of(dtype), m, n, x);
      for (tsr_index i = 0; i < m && symmetric; i++)
        for (tsr_index j = 0; j <= i; j++)
          x[j * n + i] = i == j && part == 1 ? 0 : part == 1 ? -x[i * n + j] : x[i * n + j];
    }
    OK(ctx, tsr_from_const_memory(ctx, a, TSR_F64, 3, (const tsr_index[]){2, m, n}, &wide));
    if (is_complex(dtype))
      OK(ctx, tsr_complex_part(ctx, &t, part, &view));
    else
      OK(ctx, tsr_view(ctx, &t, &view));
    OK(ctx, tsr_copy(ctx, &wide, &view));
    tsr_release(&view);
  }
  return t;
}

/* The largest element of |x|, of any dtype: by its parts. */
static double largest(tsr_ctx *ctx, const tsr_tensor *x) {
  double most = 0;
  for (int part = 0; part < (is_complex(x->dtype) ? 2 : 1); part++) {
    tsr_tensor view = {0}, copy = {0};
    if (is_complex(x->dtype))
      OK(ctx, tsr_complex_part(ctx, x, part, &view));
    else
      OK(ctx, tsr_view(ctx, x, &view));
    OK(ctx, tsr_cast(ctx, &view, TSR_F64, &copy));
    OK(ctx, tsr_contiguous(ctx, &copy, &copy));
    for (tsr_index i = 0; i < tsr_size(&copy); i++) {
      const double size = fabs(((const double *)copy.data)[i]);
      if (!(size <= most)) most = size;
    }
    tsr_release(&view), tsr_release(&copy);
  }
  return most;
}

static void say(const char *what, int kind, int dtype, tsr_index n, int use, double ratio) {
  const bool fine = ratio < 30;
  CHECK(fine);
  if (!fine && test_now.failures <= 20)
    printf("  %s: %s, %s, %d, %s: %g\n", what, kind_names[kind], tsr_dtype_name(dtype), (int)n,
           use == TSR_LAPACK_ALWAYS ? "LAPACK" : "own", ratio);
}

/* How far p is from q, against n·ε·size. */
static double apart(tsr_ctx *ctx, const tsr_tensor *p, const tsr_tensor *q, tsr_index n, double size) {
  tsr_tensor left = {0};
  OK(ctx, tsr_sub(ctx, p, q, &left));
  const double most = largest(ctx, &left);
  const int part = part_of(p->dtype);
  tsr_release(&left);
  return most / ((double)n * (unit_of(part) * size + 4 * least_of(part)));
}

/* x times its adjoint against the identity: rows of x (2, rows, n) are orthonormal. */
static double unitary(tsr_ctx *ctx, const tsr_tensor *x) {
  tsr_tensor turned = {0}, conjugate = {0}, all = {0}, one = {0};
  OK(ctx, tsr_transpose(ctx, x, -1, -2, &turned));
  OK(ctx, tsr_conj(ctx, &turned, &conjugate));
  OK(ctx, tsr_matmul(ctx, x, &conjugate, &all));
  OK(ctx, tsr_eye(ctx, x->dtype, x->shape[1], x->shape[1], 0, &one));
  const double ratio = apart(ctx, &all, &one, x->shape[2] > x->shape[1] ? x->shape[2] : x->shape[1], 1);
  tsr_release(&turned), tsr_release(&conjugate), tsr_release(&all), tsr_release(&one);
  return ratio;
}

static void check_eigh(tsr_ctx *ctx, test_rng *rng, int kind, int dtype, tsr_index n) {
  tsr_tensor t = make(ctx, rng, kind, dtype, n, n, true), w[2] = {{0}, {0}}, v = {0}, alone = {0};
  const double size = largest(ctx, &t) * (double)n;
  for (int use = TSR_LAPACK_ALWAYS; use <= TSR_LAPACK_NEVER; use++) {
    tsr_tensor left = {0}, right = {0}, row = {0}, turned = {0};
    OK(ctx, tsr_lapack_set(ctx, (tsr_lapack_use)use));
    OK(ctx, tsr_eigh(ctx, &t, kind % 2 == 0, &w[use - 1], &v));
    OK(ctx, tsr_eigvalsh(ctx, &t, kind % 2 == 0, &alone));
    say("eigvalsh", kind, dtype, n, use, apart(ctx, &alone, &w[use - 1], n, size));
    OK(ctx, tsr_matmul(ctx, &t, &v, &left));
    OK(ctx, tsr_unsqueeze(ctx, &w[use - 1], 1, &row));
    OK(ctx, tsr_mul(ctx, &v, &row, &right));
    say("AV - VW", kind, dtype, n, use, apart(ctx, &left, &right, n, size));
    OK(ctx, tsr_transpose(ctx, &v, -1, -2, &turned));
    say("V", kind, dtype, n, use, unitary(ctx, &turned));
    tsr_release(&left), tsr_release(&right), tsr_release(&row), tsr_release(&turned);
    tsr_release(&v), tsr_release(&alone);
  }
  say("both", kind, dtype, n, 0, apart(ctx, &w[0], &w[1], n, size));
  tsr_release(&t), tsr_release(&w[0]), tsr_release(&w[1]);
}

static void check_svd(tsr_ctx *ctx, test_rng *rng, int kind, int dtype, tsr_index m, tsr_index n, bool full) {
  tsr_tensor t = make(ctx, rng, kind, dtype, m, n, false), w[2] = {{0}, {0}}, u = {0}, vh = {0}, alone = {0};
  const tsr_index most = m > n ? m : n, k = m < n ? m : n;
  const double size = largest(ctx, &t) * (double)most;
  for (int use = TSR_LAPACK_ALWAYS; use <= TSR_LAPACK_NEVER; use++) {
    tsr_tensor left = {0}, row = {0}, some = {0}, rows = {0}, product = {0}, turned = {0};
    OK(ctx, tsr_lapack_set(ctx, (tsr_lapack_use)use));
    OK(ctx, tsr_svd(ctx, &t, full, &u, &w[use - 1], &vh));
    OK(ctx, tsr_svdvals(ctx, &t, &alone));
    say("svdvals", kind, dtype, most, use, apart(ctx, &alone, &w[use - 1], most, size));
    OK(ctx, tsr_unsqueeze(ctx, &w[use - 1], 1, &row));
    OK(ctx, tsr_slice(ctx, &u, 2, 0, k, 1, &some));
    OK(ctx, tsr_slice(ctx, &vh, 1, 0, k, 1, &rows));
    OK(ctx, tsr_mul(ctx, &some, &row, &left));
    OK(ctx, tsr_matmul(ctx, &left, &rows, &product));
    say("A - USV", kind, dtype, most, use, apart(ctx, &product, &t, most, size));
    OK(ctx, tsr_transpose(ctx, &u, -1, -2, &turned));
    say("U", kind, dtype, most, use, unitary(ctx, &turned));
    say("V", kind, dtype, most, use, unitary(ctx, &vh));
    tsr_release(&left), tsr_release(&row), tsr_release(&some), tsr_release(&rows), tsr_release(&product);
    tsr_release(&turned), tsr_release(&u), tsr_release(&vh), tsr_release(&alone);
  }
  say("both", kind, dtype, most, 0, apart(ctx, &w[0], &w[1], most, size));
  tsr_release(&t), tsr_release(&w[0]), tsr_release(&w[1]);
}

static void check_eig(tsr_ctx *ctx, test_rng *rng, int kind, int dtype, tsr_index n) {
  tsr_tensor t = make(ctx, rng, kind, dtype, n, n, false), w = {0}, v = {0}, alone = {0};
  const double size = largest(ctx, &t) * (double)n;
  for (int use = TSR_LAPACK_ALWAYS; use <= TSR_LAPACK_NEVER; use++) {
    tsr_tensor left = {0}, right = {0}, row = {0}, sum = {0}, trace = {0};
    OK(ctx, tsr_lapack_set(ctx, (tsr_lapack_use)use));
    OK(ctx, tsr_eig(ctx, &t, &w, &v));
    OK(ctx, tsr_eigvals(ctx, &t, &alone));
    OK(ctx, tsr_matmul(ctx, &t, &v, &left));
    OK(ctx, tsr_unsqueeze(ctx, &w, 1, &row));
    OK(ctx, tsr_mul(ctx, &v, &row, &right));
    say("Av - wv", kind, dtype, n, use, apart(ctx, &left, &right, n, size));
    OK(ctx, tsr_sum(ctx, &alone, 1, (const int[]){1}, false, &sum));
    OK(ctx, tsr_trace(ctx, &t, 0, 1, 2, &trace));
    say("trace", kind, dtype, n, use, apart(ctx, &sum, &trace, n, size));
    tsr_release(&left), tsr_release(&right), tsr_release(&row), tsr_release(&sum), tsr_release(&trace);
    tsr_release(&w), tsr_release(&v), tsr_release(&alone);
  }
  tsr_release(&t);
}

TEST(both_within_bounds) {
#if TSR_HAVE_COMPLEX
  static const int dtypes[] = {TSR_F32, TSR_F64, TSR_C64, TSR_C128};
  tsr_ctx *const ctx = test_context();
  if (tsr_lapack_name() == NULL) SKIP("no LAPACK is installed");
  for (int d = 0; d < COUNT_OF(dtypes); d++) {
    test_rng rng = {(uint64_t)(40 + d)};
    for (int kind = 0; kind < KINDS; kind++)
      for (tsr_index n = 17; n <= MOST; n += 44) {
        check_eigh(ctx, &rng, kind, dtypes[d], n);
        check_eig(ctx, &rng, kind, dtypes[d], n);
        check_svd(ctx, &rng, kind, dtypes[d], n, n, false);
        check_svd(ctx, &rng, kind, dtypes[d], n, n - n / 3 + 4, kind % 2 == 0);
        check_svd(ctx, &rng, kind, dtypes[d], n - n / 3 + 4, n, kind % 2 == 1);
      }
  }
  CHECK(test_live() == 0);
  CHECK(strstr(tsr_build_info(), tsr_lapack_name()) != NULL);
#else
  SKIP("the bounds are checked with products of complex numbers");
#endif
}

/* The same bits on threads and alone in a stack; NaN comes out. */
TEST(stacks_and_nan) {
  tsr_ctx *const ctx = test_context();
  test_rng rng = {4};
  if (tsr_lapack_name() == NULL) SKIP("no LAPACK is installed");
  OK(ctx, tsr_lapack_set(ctx, TSR_LAPACK_ALWAYS));
  tsr_tensor t = make(ctx, &rng, RANDOM, TSR_F64, 33, 33, true), w = {0}, v = {0}, again = {0}, one = {0}, u = {0},
             part = {0};
  OK(ctx, tsr_eigh(ctx, &t, false, &w, &v));
  tsr_threads *const threads = test_with_threads(ctx, 4);
  OK(ctx, tsr_eigh(ctx, &t, false, &again, &u));
  CHECK(test_same_elements(&w, &again) && test_same_elements(&v, &u));
  ctx->parallel = NULL;
  tsr_threads_release(threads);
  OK(ctx, tsr_select(ctx, &t, 0, 1, &one));
  tsr_release(&again);
  OK(ctx, tsr_eigvalsh(ctx, &one, false, &again));
  OK(ctx, tsr_select(ctx, &w, 0, 1, &part));
  numbers_of(ctx, &again, s[0]), numbers_of(ctx, &part, s[1]);
  for (int i = 0; i < 33; i++) CHECK(fabs(s[0][i] - s[1][i]) <= 1e-13);
  ((double *)t.data)[40] = (double)NAN;
  tsr_release(&w), tsr_release(&v), tsr_release(&again);
  OK(ctx, tsr_eigh(ctx, &t, true, &w, &v));
  OK(ctx, tsr_svdvals(ctx, &t, &again));
  numbers_of(ctx, &w, s[0]), numbers_of(ctx, &again, s[1]);
  for (int i = 0; i < 66; i++) CHECK(isnan(s[1][i]) == (i < 33));
  tsr_release(&t), tsr_release(&w), tsr_release(&v), tsr_release(&again), tsr_release(&one), tsr_release(&u);
  tsr_release(&part);
  CHECK(test_live() == 0);
}

/* A dry run says how much memory they take. */
TEST(scratch) {
  tsr_ctx *const ctx = test_context();
  test_rng rng = {4};
  if (tsr_lapack_name() == NULL) SKIP("no LAPACK is installed");
  for (int use = TSR_LAPACK_ALWAYS; use <= TSR_LAPACK_NEVER; use++) {
    tsr_ctx dry, tight;
    tsr_tensor t = make(ctx, &rng, RANDOM, TSR_F32, 40, 30, false), u = {0}, w = {0}, vh = {0};
    OK(ctx, tsr_lapack_set(ctx, (tsr_lapack_use)use));
    OK(ctx, tsr_context_init_dry(ctx, &dry));
    OK(&dry, tsr_svd(&dry, &t, true, &u, &w, &vh));
    void *const memory = malloc(dry.scratch_needed + 1);
    OK(ctx, tsr_context_init(&tight, NULL));
    OK(ctx, tsr_lapack_set(&tight, (tsr_lapack_use)use));
    OK(ctx, tsr_context_set_scratch(&tight, memory, dry.scratch_needed));
    tsr_tensor u2 = {0}, w2 = {0}, vh2 = {0};
    OK(&tight, tsr_svd(&tight, &t, true, &u2, &w2, &vh2));
    free(memory);
    tsr_release(&t), tsr_release(&u), tsr_release(&w), tsr_release(&vh);
    tsr_release(&u2), tsr_release(&w2), tsr_release(&vh2);
  }
  CHECK(test_live() == 0);
}

TEST(bad_calls) {
  tsr_ctx *const ctx = test_context();
  FAILS(NULL, TSR_EARG, tsr_lapack_set(NULL, TSR_LAPACK_NEVER));
  FAILS(ctx, TSR_EARG, tsr_lapack_set(ctx, (tsr_lapack_use)7));
  if (tsr_lapack_name() == NULL) FAILS(ctx, TSR_EUNSUPPORTED, tsr_lapack_set(ctx, TSR_LAPACK_ALWAYS));
  OK(ctx, tsr_lapack_set(ctx, TSR_LAPACK_QUICKER));
}

TEST_MAIN(RUN(both_within_bounds), RUN(stacks_and_nan), RUN(scratch), RUN(bad_calls))
