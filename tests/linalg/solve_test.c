/* cholesky, lu_factor, lu_solve, solve, solve_triangular, inv, det, slogdet: residuals on matrices of every kind, size, dtype and
 * instruction set; stacks that broadcast, however they lie; threads; failures, which change nothing. */
#include "linalg/matrices.h"

enum { MOST = 256 };
static double a[MOST * MOST], b[MOST * MOST], x[MOST * MOST], y[MOST * MOST], z[MOST * MOST];

static const double BOUND = 30;

static void check_ratio(const char *what, matrix_kind kind, int dtype, tsr_index n, double ratio) {
  const bool fine = ratio < BOUND;
  CHECK(fine);
  if (!fine && test_now.failures <= 20)
    printf("  %s: %s, %s, n = %d: %g\n", what, kind_names[kind], tsr_dtype_name(dtype), (int)n, ratio);
}

static bool is_singular(matrix_kind kind, tsr_index n) {
  return kind == ZERO || (kind == DEFICIENT && n > 1) || (kind == DIAGONAL && n > 3);
}

/* ---- solve, inv, lu ---- */

static void check_residual(const char *what, matrix_kind kind, int dtype, tsr_index n, tsr_index cols) {
  product(n, cols, n, a, x, y);
  check_ratio(what, kind, dtype, n, ratio_of(dtype, n, cols, y, b, norm_of(n, n, a) * norm_of(n, cols, x)));
}

/* Whether numbers are in the dtype's range: of nearly singular matrices they may not be. */
static bool is_finite(tsr_index n, const double *v) {
  for (tsr_index i = 0; i < n; i++)
    if (!isfinite(v[i])) return false;
  return true;
}

static void check_solve(tsr_ctx *ctx, test_rng *rng, matrix_kind kind, int dtype, tsr_index n) {
  const tsr_index cols = n % 3 + 1, square[] = {n, n}, right[] = {n, cols};
  make_matrix(rng, kind, dtype, n, n, a);
  make_matrix(rng, RANDOM, dtype, n, cols, b);
  tsr_tensor ta = tensor_from(ctx, dtype, 2, square, a), tb = tensor_from(ctx, dtype, 2, right, b), out = {0},
             inverse = {0};
  tsr_tensor lu = {0}, pivots = {0};
  if (is_singular(kind, n)) { /* rounding may leave something of what is deficient */
    const tsr_status st = tsr_solve(ctx, &ta, &tb, &out);
    CHECK(st == TSR_ESINGULAR || (kind == DEFICIENT && st == TSR_OK));
    CHECK((out.data == NULL) == (st != TSR_OK));
  } else if (kind == NEARLY && tsr_solve(ctx, &ta, &tb, &out) == TSR_ESINGULAR) { /* where products are fused */
    CHECK(out.data == NULL && tsr_inv(ctx, &ta, &inverse) == TSR_ESINGULAR && inverse.data == NULL);
  } else {
    if (out.data == NULL) OK(ctx, tsr_solve(ctx, &ta, &tb, &out));
    numbers_of(ctx, &out, x);
    if (is_finite(n * cols, x)) check_residual("solve", kind, dtype, n, cols);
    tsr_release(&out);
    OK(ctx, tsr_lu_factor(ctx, &ta, &lu, &pivots));
    OK(ctx, tsr_lu_solve(ctx, &lu, &pivots, &tb, &out));
    numbers_of(ctx, &out, x);
    if (is_finite(n * cols, x)) check_residual("lu_solve", kind, dtype, n, cols);
    OK(ctx, tsr_inv(ctx, &ta, &inverse));
    numbers_of(ctx, &inverse, x);
    for (tsr_index i = 0; i < n * n; i++) b[i] = i % (n + 1) == 0;
    if (is_finite(n * n, x)) check_residual("inv", kind, dtype, n, n);
  }
  tsr_release(&ta), tsr_release(&tb), tsr_release(&out), tsr_release(&inverse), tsr_release(&lu), tsr_release(&pivots);
}

/* P·A against L·U. */
static void check_factors(tsr_ctx *ctx, test_rng *rng, matrix_kind kind, int dtype, tsr_index n) {
  make_matrix(rng, kind, dtype, n, n, a);
  tsr_tensor ta = tensor_from(ctx, dtype, 2, (const tsr_index[]){n, n}, a), lu = {0}, pivots = {0};
  OK(ctx, tsr_lu_factor(ctx, &ta, &lu, &pivots));
  numbers_of(ctx, &lu, z);
  numbers_of(ctx, &pivots, b);
  memcpy(y, a, (size_t)(n * n) * sizeof *a);
  for (tsr_index k = 0; k < n; k++) {
    const tsr_index other = (tsr_index)b[k];
    CHECK(other >= k && other < n);
    for (tsr_index j = 0; j < n; j++) {
      const double t = y[k * n + j];
      y[k * n + j] = y[other * n + j];
      y[other * n + j] = t;
    }
  }
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = 0; j < n; j++) {
      long double sum = 0;
      CHECK(i <= j || fabs(z[i * n + j]) <= 1 + 1e-6); /* partial pivoting */
      for (tsr_index k = 0; k <= i && k <= j; k++)
        sum += (long double)(k == i ? 1 : z[i * n + k]) * (long double)z[k * n + j];
      x[i * n + j] = (double)sum;
    }
  double size = norm_of(n, n, a);
  for (tsr_index i = 0; i < n * n && kind == WILKINSON; i++)
    size = fabs(z[i]) > size ? fabs(z[i]) : size; /* it grows */
  check_ratio("lu_factor", kind, dtype, n, ratio_of(dtype, n, n, x, y, size));
  tsr_release(&ta), tsr_release(&lu), tsr_release(&pivots);
}

static void check_cholesky(tsr_ctx *ctx, test_rng *rng, matrix_kind kind, int dtype, tsr_index n, bool upper) {
  make_positive(rng, kind, dtype, n, a, x);
  tsr_tensor ta = tensor_from(ctx, dtype, 2, (const tsr_index[]){n, n}, a), out = {0};
  const tsr_status st = tsr_cholesky(ctx, &ta, upper, &out);
  CHECK(st == TSR_OK || (st == TSR_ENOTPOSITIVE && kind != RANDOM)); /* of the others rounding may leave nothing */
  if (st == TSR_OK) {
    numbers_of(ctx, &out, x);
    transpose_of(n, n, x, y);
    for (tsr_index i = 0; i < n; i++)
      for (tsr_index j = i + 1; j < n; j++) CHECK((upper ? y : x)[i * n + j] == 0);
    product(n, n, n, upper ? y : x, upper ? x : y, z);
    check_ratio("cholesky", kind, dtype, n, ratio_of(dtype, n, n, z, a, norm_of(n, n, a)));
  }
  tsr_release(&ta), tsr_release(&out);
}

static void check_triangular(tsr_ctx *ctx, test_rng *rng, int dtype, tsr_index n, int way) {
  const bool upper = way & 1, transposed = (way & 2) != 0, unit = (way & 4) != 0;
  const tsr_index cols = n % 5 + 1;
  make_matrix(rng, RANDOM, dtype, n, n, a);
  for (tsr_index i = 0; i < n * n; i++) a[i] = as_dtype(dtype, i % (n + 1) == 0 ? a[i] + 2 : a[i] / (double)n);
  make_matrix(rng, RANDOM, dtype, n, cols, b);
  tsr_tensor ta = tensor_from(ctx, dtype, 2, (const tsr_index[]){n, n}, a), out = {0};
  tsr_tensor tb = tensor_from(ctx, dtype, 2, (const tsr_index[]){n, cols}, b);
  OK(ctx, tsr_solve_triangular(ctx, &ta, &tb, upper, transposed, unit, &out));
  numbers_of(ctx, &out, x);
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = 0; j < n; j++)
      z[transposed ? j * n + i : i * n + j] = i == j && unit ? 1 : (upper ? j >= i : j <= i) ? a[i * n + j] : 0;
  memcpy(a, z, (size_t)(n * n) * sizeof *a);
  check_residual("solve_triangular", RANDOM, dtype, n, cols);
  tsr_release(&ta), tsr_release(&tb), tsr_release(&out);
}

/* ---- determinants ---- */

static long double determinant(tsr_index n, const double *from, long double *log, int *sign) {
  static long double m[40 * 40];
  long double det = 1;
  *log = 0;
  *sign = 1;
  for (tsr_index i = 0; i < n * n; i++) m[i] = (long double)from[i];
  for (tsr_index k = 0; k < n; k++) {
    tsr_index best = k;
    for (tsr_index i = k + 1; i < n; i++)
      if (fabsl(m[i * n + k]) > fabsl(m[best * n + k])) best = i;
    for (tsr_index j = 0; j < n && best != k; j++) {
      const long double t = m[k * n + j];
      m[k * n + j] = m[best * n + j];
      m[best * n + j] = t;
    }
    const long double pivot = m[k * n + k];
    det *= best != k ? -pivot : pivot;
    *log += logl(fabsl(pivot));
    *sign *= ((best != k) != (pivot < 0)) ? -1 : 1;
    for (tsr_index i = k + 1; i < n && pivot != 0; i++) {
      const long double f = m[i * n + k] / pivot;
      for (tsr_index j = k; j < n; j++) m[i * n + j] -= f * m[k * n + j];
    }
  }
  return det;
}

static void check_det(tsr_ctx *ctx, test_rng *rng, int dtype, tsr_index n) {
  long double log;
  int sign;
  make_matrix(rng, RANDOM, dtype, n, n, a);
  for (tsr_index i = 0; i < n; i++)
    a[i * (n + 1)] = as_dtype(dtype, a[i * (n + 1)] + 2 + (double)n / 4); /* well conditioned */
  const double want = (double)determinant(n, a, &log, &sign);
  tsr_tensor ta = tensor_from(ctx, dtype, 2, (const tsr_index[]){n, n}, a), out = {0}, s = {0}, l = {0};
  OK(ctx, tsr_det(ctx, &ta, &out));
  OK(ctx, tsr_slogdet(ctx, &ta, &s, &l));
  CHECK(out.ndim == 0 && s.ndim == 0 && l.ndim == 0);
  numbers_of(ctx, &out, x);
  CHECK((dtype == TSR_F32 && fabs(want) > 1e37) ||
        fabs(x[0] - want) <= BOUND * (double)n * unit_of(dtype) * fabs(want));
  numbers_of(ctx, &s, x);
  CHECK(x[0] == sign);
  numbers_of(ctx, &l, x);
  CHECK(fabs(x[0] - (double)log) <= BOUND * (double)n * unit_of(dtype) * (1 + fabs((double)log)));
  tsr_release(&ta), tsr_release(&out), tsr_release(&s), tsr_release(&l);
}

/* ---- the tests ---- */

static const int dtypes[] = {TSR_F32, TSR_F64};

static void each_size(tsr_ctx *ctx, test_rng *rng, int dtype, tsr_index n) {
  for (int kind = 0; kind < KINDS; kind++) {
    if (kind == WILKINSON && n > 16) continue; /* partial pivoting lets it grow by 2^n */
    if (n > 40 && kind != RANDOM && kind != GRADED && kind != NEARLY) continue;
    check_solve(ctx, rng, (matrix_kind)kind, dtype, n);
    check_factors(ctx, rng, (matrix_kind)kind, dtype, n);
    check_cholesky(ctx, rng, (matrix_kind)kind, dtype, n, n % 2 == 0);
  }
  for (int way = 0; way < 8; way++) check_triangular(ctx, rng, dtype, n, way);
}

TEST(residuals) {
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int d = 0; d < 2; d++) {
      tsr_ctx *const ctx = test_context();
      test_rng rng = {(uint64_t)(7 + d)};
      if (tsr_context_set_isa(ctx, tsr_isa_name(isa)) != TSR_OK) continue;
      for (tsr_index n = 1; n <= 40; n++) each_size(ctx, &rng, dtypes[d], n);
      each_size(ctx, &rng, dtypes[d], 64);
      each_size(ctx, &rng, dtypes[d], 100);
      for (tsr_index n = 1; n <= 40; n++) check_det(ctx, &rng, dtypes[d], n);
      if (tsr_isa_name(isa + 1) == NULL) check_factors(ctx, &rng, RANDOM, dtypes[d], 256);
      CHECK(test_live() == 0);
    }
}

TEST_MAIN(RUN(residuals))
