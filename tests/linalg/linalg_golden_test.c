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

TEST_MAIN(RUN(golden_values))
