/* Linear algebra against NumPy's and SciPy's, within rounding. */
#include "linalg/matrices.h"

typedef struct side {
  int ndim;
  tsr_index shape[4];
  double values[48];
} side;

typedef struct golden {
  const char *op;
  side a, b, out;
} golden;

static const golden rows[] = {
#include "golden/linalg.inc"
};

static const char *const norms[] = {"fro", "nuclear", "one", "minus_one", "inf", "minus_inf", "two", "minus_two"};

static tsr_status call(tsr_ctx *ctx, const char *op, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  tsr_tensor sign = {0};
  tsr_status st = TSR_EARG;
  for (int kind = 0; kind < COUNT_OF(norms); kind++)
    if (strcmp(op, norms[kind]) == 0) return tsr_matrix_norm(ctx, a, (tsr_matrix_norm_kind)kind, out);
  if (strcmp(op, "solve") == 0) st = tsr_solve(ctx, a, b, out);
  if (strcmp(op, "inv") == 0) st = tsr_inv(ctx, a, out);
  if (strcmp(op, "det") == 0) st = tsr_det(ctx, a, out);
  if (strcmp(op, "slogdet") == 0) st = tsr_slogdet(ctx, a, &sign, out);
  if (strcmp(op, "cholesky") == 0) st = tsr_cholesky(ctx, a, false, out);
  if (strcmp(op, "eigvalsh") == 0) st = tsr_eigvalsh(ctx, a, false, out);
  if (strcmp(op, "svdvals") == 0) st = tsr_svdvals(ctx, a, out);
  if (strcmp(op, "cond") == 0) st = tsr_cond(ctx, a, out);
  if (strcmp(op, "matrix_rank") == 0) st = tsr_matrix_rank(ctx, a, -1, out);
  if (strcmp(op, "matrix_power") == 0) st = tsr_matrix_power(ctx, a, 3, out);
  if (strcmp(op, "expm") == 0) st = tsr_expm(ctx, a, out);
  if (strcmp(op, "pinv") == 0) st = tsr_pinv(ctx, a, -1, out);
  if (strcmp(op, "lstsq") == 0) st = tsr_lstsq(ctx, a, b, -1, out, NULL, NULL);
  tsr_release(&sign);
  return st;
}

static void check_row(const golden *g, int dtype) {
  static double got[48];
  tsr_ctx *const ctx = test_context();
  tsr_tensor a = tensor_from(ctx, dtype, g->a.ndim, g->a.shape, g->a.values), out = {0};
  tsr_tensor b = tensor_from(ctx, dtype, g->b.ndim, g->b.shape, g->b.values);
  double most = 1;
  OK(ctx, call(ctx, g->op, &a, &b, &out));
  CHECK(out.ndim == g->out.ndim);
  for (int i = 0; i < g->out.ndim && i < out.ndim; i++) CHECK(out.shape[i] == g->out.shape[i]);
  numbers_of(ctx, &out, got);
  for (tsr_index i = 0; i < tsr_size(&out); i++) most = fmax(most, fabs(g->out.values[i]));
  for (tsr_index i = 0; i < tsr_size(&out); i++) {
    const bool fine = fabs(got[i] - g->out.values[i]) <= 4000 * unit_of(dtype) * most;
    CHECK(fine);
    if (!fine) printf("  %s of %s: %.17g instead of %.17g\n", g->op, tsr_dtype_name(dtype), got[i], g->out.values[i]);
  }
  tsr_release(&a), tsr_release(&b), tsr_release(&out);
  CHECK(test_live() == 0);
}

TEST(golden_values) {
  for (int i = 0; i < COUNT_OF(rows); i++) {
    check_row(&rows[i], TSR_F64);
    check_row(&rows[i], TSR_F32);
  }
}

/* ---- complex ones ---- */

#if TSR_HAVE_COMPLEX && TSR_HAVE_F64

typedef struct complex_side {
  int ndim;
  tsr_index shape[4];
  double values[96]; /* real and imaginary parts in turn; of a real result as it is */
} complex_side;

typedef struct complex_golden {
  const char *op;
  bool is_complex; /* the result */
  complex_side a, b, out;
} complex_golden;

static const complex_golden complex_rows[] = {
#include "golden/complex_linalg.inc"
};

static tsr_status call_complex(tsr_ctx *ctx, const char *op, const tsr_tensor *a, const tsr_tensor *b,
                               tsr_tensor *out) {
  tsr_tensor other = {0};
  tsr_status st;
  if (strcmp(op, "matmul") == 0) return tsr_matmul(ctx, a, b, out);
  if (strcmp(op, "vdot") == 0) return tsr_vdot(ctx, a, b, out);
  if (strcmp(op, "dot") == 0) return tsr_dot(ctx, a, b, out);
  if (strcmp(op, "outer") == 0) return tsr_outer(ctx, a, b, out);
  if (strcmp(op, "kron") == 0) return tsr_kron(ctx, a, b, out);
  if (strcmp(op, "r") == 0) return tsr_qr(ctx, a, false, NULL, out);
  if (strcmp(op, "triangular") == 0) return tsr_solve_triangular(ctx, a, b, false, true, false, out);
  if (strcmp(op, "sign") == 0)
    st = tsr_slogdet(ctx, a, out, &other);
  else if (strcmp(op, "lu") == 0)
    st = tsr_lu_factor(ctx, a, out, &other);
  else
    st = call(ctx, op, a, b, out);
  tsr_release(&other);
  return st;
}

static tsr_tensor complex_tensor(tsr_ctx *ctx, int dtype, const complex_side *of) {
  tsr_tensor wide = {0}, t = {0};
  OK(ctx, tsr_from_const_memory(ctx, of->values, TSR_C128, of->ndim, of->shape, &wide));
  OK(ctx, tsr_cast(ctx, &wide, dtype, &t));
  return t;
}

static void check_complex(const complex_golden *g, int dtype) {
  static double got[96];
  tsr_ctx *const ctx = test_context();
  tsr_tensor a = complex_tensor(ctx, dtype, &g->a), b = complex_tensor(ctx, dtype, &g->b), out = {0}, wide = {0};
  const int part = dtype == TSR_C128 ? TSR_F64 : TSR_F32;
  double most = 1;
  OK(ctx, call_complex(ctx, g->op, &a, &b, &out));
  CHECK(out.dtype == (g->is_complex ? dtype : part) && out.ndim == g->out.ndim);
  for (int i = 0; i < g->out.ndim && i < out.ndim; i++) CHECK(out.shape[i] == g->out.shape[i]);
  OK(ctx, tsr_from_memory(ctx, got, g->is_complex ? TSR_C128 : TSR_F64, out.ndim, out.shape, &wide));
  OK(ctx, tsr_copy(ctx, &out, &wide));
  const tsr_index n = tsr_size(&out) * (g->is_complex ? 2 : 1);
  for (tsr_index i = 0; i < n; i++) most = fmax(most, fabs(g->out.values[i]));
  for (tsr_index i = 0; i < n; i++) {
    const bool fine = fabs(got[i] - g->out.values[i]) <= 4000 * unit_of(part) * most;
    CHECK(fine);
    if (!fine) printf("  %s of %s: %.17g instead of %.17g\n", g->op, tsr_dtype_name(dtype), got[i], g->out.values[i]);
  }
  tsr_release(&a), tsr_release(&b), tsr_release(&out);
  CHECK(test_live() == 0);
}

TEST(golden_values_of_complex_matrices) {
  for (int i = 0; i < COUNT_OF(complex_rows); i++) {
    check_complex(&complex_rows[i], TSR_C128);
    check_complex(&complex_rows[i], TSR_C64);
  }
}

#else

TEST(golden_values_of_complex_matrices) { SKIP("no complex numbers in this build"); }

#endif

TEST_MAIN(RUN(golden_values), RUN(golden_values_of_complex_matrices))
