/* qr, eigh, eigvalsh, svd, svdvals, pinv, lstsq, matrix_rank, cond: what LAPACK's own tests measure, on matrices of every kind, size,
 * dtype and instruction set; NaN and infinities, which must end. */
#include "linalg/matrices.h"

enum { MOST = 256 };
static double a[MOST * MOST], b[MOST * MOST], x[MOST * MOST], y[MOST * MOST], z[MOST * MOST], u[MOST * MOST],
    v[MOST * MOST];

static const double BOUND = 30;

static void check_ratio(const char *what, matrix_kind kind, int dtype, tsr_index m, tsr_index n, double ratio) {
  const bool fine = ratio < BOUND;
  CHECK(fine);
  if (!fine && test_now.failures <= 20)
    printf("  %s: %s, %s, %d×%d: %g\n", what, kind_names[kind], tsr_dtype_name(dtype), (int)m, (int)n, ratio);
}

/* ‖QᵀQ - I‖ of the columns of q (m, n). */
static void check_orthonormal(const char *what, matrix_kind kind, int dtype, tsr_index m, tsr_index n,
                              const double *q) {
  transpose_of(m, n, q, y);
  product(n, n, m, y, q, z);
  for (tsr_index i = 0; i < n * n; i++) y[i] = i % (n + 1) == 0;
  check_ratio(what, kind, dtype, m, n, ratio_of(dtype, n, n, z, y, 1) * (double)n / (double)(m > n ? m : n));
}

static void check_qr(tsr_ctx *ctx, test_rng *rng, matrix_kind kind, int dtype, tsr_index m, tsr_index n,
                     bool complete) {
  const tsr_index k = complete || m < n ? m : n;
  make_matrix(rng, kind, dtype, m, n, a);
  tsr_tensor ta = tensor_from(ctx, dtype, 2, (const tsr_index[]){m, n}, a), q = {0}, r = {0}, alone = {0};
  OK(ctx, tsr_qr(ctx, &ta, complete, &q, &r));
  OK(ctx, tsr_qr(ctx, &ta, complete, NULL, &alone));
  CHECK(test_same_elements(&r, &alone));
  CHECK(q.shape[0] == m && q.shape[1] == k && r.shape[0] == k && r.shape[1] == n);
  numbers_of(ctx, &q, u);
  numbers_of(ctx, &r, v);
  for (tsr_index i = 0; i < k; i++)
    for (tsr_index j = 0; j < i && j < n; j++) CHECK(v[i * n + j] == 0);
  product(m, n, k, u, v, x);
  check_ratio("A - QR", kind, dtype, m, n, ratio_of(dtype, m, n, x, a, norm_of(m, n, a)));
  check_orthonormal("Q of qr", kind, dtype, m, k, u);
  tsr_release(&ta), tsr_release(&q), tsr_release(&r), tsr_release(&alone);
}

static void check_eigh(tsr_ctx *ctx, test_rng *rng, matrix_kind kind, int dtype, tsr_index n, bool upper) {
  make_matrix(rng, kind, dtype, n, n, a);
  for (tsr_index i = 0; i < n; i++) /* what is not to be read is something else */
    for (tsr_index j = 0; j < i; j++) a[i * n + j] = a[j * n + i];
  memcpy(b, a, (size_t)(n * n) * sizeof *a);
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = 0; j < i; j++) b[upper ? i * n + j : j * n + i] = as_dtype(dtype, 0.75);
  tsr_tensor ta = tensor_from(ctx, dtype, 2, (const tsr_index[]){n, n}, b), w = {0}, t = {0}, alone = {0};
  OK(ctx, tsr_eigh(ctx, &ta, upper, &w, &t));
  OK(ctx, tsr_eigvalsh(ctx, &ta, upper, &alone));
  numbers_of(ctx, &w, b);
  numbers_of(ctx, &t, v);
  numbers_of(ctx, &alone, u);
  const double size = norm_of(n, n, a);
  for (tsr_index i = 1; i < n; i++) CHECK(b[i] >= b[i - 1]);
  check_ratio("eigvalsh", kind, dtype, n, n, ratio_of(dtype, n, 1, u, b, size));
  product(n, n, n, a, v, x);
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = 0; j < n; j++) u[i * n + j] = v[i * n + j] * b[j];
  check_ratio("AV - VW", kind, dtype, n, n, ratio_of(dtype, n, n, x, u, size));
  check_orthonormal("V of eigh", kind, dtype, n, n, v);
  tsr_release(&ta), tsr_release(&w), tsr_release(&t), tsr_release(&alone);
}

static void check_svd(tsr_ctx *ctx, test_rng *rng, matrix_kind kind, int dtype, tsr_index m, tsr_index n, bool full) {
  const tsr_index k = m < n ? m : n, cols = full ? m : k, rows = full ? n : k;
  make_matrix(rng, kind, dtype, m, n, a);
  const double size = norm_of(m, n, a);
  tsr_tensor ta = tensor_from(ctx, dtype, 2, (const tsr_index[]){m, n}, a), tu = {0}, ts = {0}, tv = {0}, alone = {0};
  const int before = test_now.failures;
  OK(ctx, tsr_svd(ctx, &ta, full, &tu, &ts, &tv));
  if (test_now.failures > before) {
    printf("  svd: %s, %s, %d×%d\n", kind_names[kind], tsr_dtype_name(dtype), (int)m, (int)n);
    tsr_release(&ta);
    return;
  }
  OK(ctx, tsr_svdvals(ctx, &ta, &alone));
  CHECK(tu.shape[1] == cols && tv.shape[0] == rows && ts.shape[0] == k);
  numbers_of(ctx, &tu, u);
  numbers_of(ctx, &tv, v);
  numbers_of(ctx, &ts, b);
  numbers_of(ctx, &alone, x);
  for (tsr_index i = 0; i < k; i++)
    CHECK(b[i] >= 0 && (i == 0 || b[i] <= b[i - 1]) && x[i] >= 0 && (i == 0 || x[i] <= x[i - 1]));
  check_ratio("svdvals", kind, dtype, m, n, ratio_of(dtype, k, 1, x, b, size));
  check_orthonormal("U of svd", kind, dtype, m, cols, u);
  transpose_of(rows, n, v, x);
  check_orthonormal("V of svd", kind, dtype, n, rows, x);
  for (tsr_index i = 0; i < m; i++)
    for (tsr_index j = 0; j < k; j++) x[i * k + j] = u[i * cols + j] * b[j];
  product(m, n, k, x, v, y);
  check_ratio("A - USV", kind, dtype, m, n, ratio_of(dtype, m, n, y, a, size));
  tsr_release(&ta), tsr_release(&tu), tsr_release(&ts), tsr_release(&tv), tsr_release(&alone);
}

/* Penrose: A·A⁺·A = A; and the normal equations of least squares. */
static void check_pinv(tsr_ctx *ctx, test_rng *rng, int dtype, tsr_index m, tsr_index n, bool deficient) {
  make_matrix(rng, deficient ? DEFICIENT : RANDOM, dtype, m, n, a);
  make_matrix(rng, RANDOM, dtype, m, 2, b);
  tsr_tensor ta = tensor_from(ctx, dtype, 2, (const tsr_index[]){m, n}, a),
             tb = tensor_from(ctx, dtype, 2, (const tsr_index[]){m, 2}, b);
  tsr_tensor inverse = {0}, solution = {0}, rank = {0}, s = {0}, same = {0}, c = {0};
  OK(ctx, tsr_pinv(ctx, &ta, -1, &inverse));
  OK(ctx, tsr_lstsq(ctx, &ta, &tb, -1, &solution, &rank, &s));
  OK(ctx, tsr_matrix_rank(ctx, &ta, -1, &same));
  OK(ctx, tsr_cond(ctx, &ta, &c));
  CHECK(test_same_elements(&rank, &same));
  numbers_of(ctx, &rank, x);
  const tsr_index k = m < n ? m : n;
  CHECK(x[0] == (double)(deficient && m > 1 && m <= n ? k - 1 : k) || (deficient && m > n));
  numbers_of(ctx, &s, v);
  numbers_of(ctx, &c, x);
  const double most = v[0], least = v[(tsr_index)x[0] >= 0 ? k - 1 : 0];
  if (!deficient) CHECK(fabs(x[0] - most / least) <= 1e-2 * (most / least) * (1 + unit_of(dtype) * 1e3 * most / least));
  const double cond = deficient ? 1e3 : most / least;
  numbers_of(ctx, &inverse, u);
  product(m, m, n, a, u, x);
  product(m, n, m, x, a, y);
  check_ratio("pinv", RANDOM, dtype, m, n, ratio_of(dtype, m, n, y, a, norm_of(m, n, a) * (1 + cond)));
  numbers_of(ctx, &solution, v);
  product(n, 2, m, u, b, x);
  check_ratio("lstsq", RANDOM, dtype, m, n,
              ratio_of(dtype, n, 2, x, v, norm_of(n, m, u) * norm_of(m, 2, b) * (1 + cond)));
  tsr_release(&ta), tsr_release(&tb), tsr_release(&inverse), tsr_release(&solution), tsr_release(&rank),
      tsr_release(&s);
  tsr_release(&same), tsr_release(&c);
}

/* ---- the tests ---- */

static const int dtypes[] = {TSR_F32, TSR_F64};

static void each_kind(tsr_ctx *ctx, test_rng *rng, int dtype, tsr_index n) {
  const tsr_index other = n > 3 ? n - n % 3 - 1 : n + 2;
  for (int kind = 0; kind < KINDS; kind++) {
    if (n > 40 && kind != RANDOM && kind != GRADED) continue;
    check_qr(ctx, rng, (matrix_kind)kind, dtype, n, n, false);
    check_qr(ctx, rng, (matrix_kind)kind, dtype, n, other, kind % 2 == 0);
    check_qr(ctx, rng, (matrix_kind)kind, dtype, other, n, kind % 2 == 1);
    check_eigh(ctx, rng, (matrix_kind)kind, dtype, n, kind % 2 == 0);
    check_svd(ctx, rng, (matrix_kind)kind, dtype, n, n, false);
    check_svd(ctx, rng, (matrix_kind)kind, dtype, n, other, kind % 2 == 0);
    check_svd(ctx, rng, (matrix_kind)kind, dtype, other, n, kind % 2 == 1);
  }
  check_pinv(ctx, rng, dtype, n, other, false);
  check_pinv(ctx, rng, dtype, other, n, false);
  check_pinv(ctx, rng, dtype, n, n, true);
}

TEST(backward_errors) {
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int d = 0; d < 2; d++) {
      tsr_ctx *const ctx = own_context();
      test_rng rng = {(uint64_t)(5 + d)};
      const bool last = tsr_isa_name(isa + 1) == NULL;
      if (tsr_context_set_isa(ctx, tsr_isa_name(isa)) != TSR_OK) continue;
      for (tsr_index n = 1; n <= 40; n += last || n < 18 ? 1 : 7) each_kind(ctx, &rng, dtypes[d], n);
      if (last) each_kind(ctx, &rng, dtypes[d], 64);
      if (last) each_kind(ctx, &rng, dtypes[d], 100);
      if (last && d == 1) check_qr(ctx, &rng, RANDOM, TSR_F64, 256, 256, false);
      if (last && d == 1) check_eigh(ctx, &rng, RANDOM, TSR_F64, 256, false);
      if (last && d == 0) check_svd(ctx, &rng, RANDOM, TSR_F32, 256, 256, false);
      CHECK(test_live() == 0);
    }
}

/* What is not finite comes out as NaN, and soon. */
TEST(not_finite) {
  tsr_ctx *const ctx = own_context();
  for (tsr_index n = 1; n <= 40; n += 13)
    for (int infinite = 0; infinite < 2; infinite++) {
      test_rng rng = {3};
      make_matrix(&rng, RANDOM, TSR_F32, n, n, a);
      a[(n / 2) * n] = infinite ? (double)INFINITY : (double)NAN;
      tsr_tensor ta = tensor_from(ctx, TSR_F32, 2, (const tsr_index[]){n, n}, a), p = {0}, q = {0}, r = {0}, s = {0},
                 t = {0};
      OK(ctx, tsr_eigh(ctx, &ta, false, &p, &q));
      OK(ctx, tsr_svd(ctx, &ta, false, &r, &s, &t));
      numbers_of(ctx, &p, x), numbers_of(ctx, &s, y);
      for (tsr_index i = 0; i < n; i++) CHECK(isnan(x[i]) && isnan(y[i]));
      tsr_release(&p);
      OK(ctx, tsr_det(ctx, &ta, &p));
      OK(ctx, tsr_qr(ctx, &ta, false, NULL, &r));
      FAILS(ctx, infinite && n == 1 ? TSR_OK : TSR_ENOTPOSITIVE, tsr_cholesky(ctx, &ta, false, &q));
      tsr_release(&ta), tsr_release(&p), tsr_release(&q), tsr_release(&r), tsr_release(&s), tsr_release(&t);
    }
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(backward_errors), RUN(not_finite))
