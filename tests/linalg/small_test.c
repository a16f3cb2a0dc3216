/* Matrices of a few rows, on every profile: what a robot solves, without a heap where there is none. */
#include "support/test.h"

#include "support/helpers.h"

enum { N = 4 };
static float a[N * N] = {4, 1, 0, 2, 1, 5, 1, 0, 0, 1, 6, 1, 2, 0, 1, 7}, b[N] = {1, 2, 3, 4};

static float size_of(float x) { return x < 0 ? -x : x; }

static float dot(const float *x, int x_step, const float *y, int y_step) {
  float sum = 0;
  for (int i = 0; i < N; i++) sum += x[i * x_step] * y[i * y_step];
  return sum;
}

TEST(systems) {
  tsr_ctx *const ctx = test_context();
  float x[N], inverse[N * N];
  tsr_tensor ta = {0}, tb = {0}, tx = {0}, ti = {0};
  OK(ctx, tsr_from_memory(ctx, a, TSR_F32, TSR_SHAPE(N, N), &ta));
  OK(ctx, tsr_from_memory(ctx, b, TSR_F32, TSR_SHAPE(N), &tb));
  OK(ctx, tsr_from_memory(ctx, x, TSR_F32, TSR_SHAPE(N), &tx));
  OK(ctx, tsr_from_memory(ctx, inverse, TSR_F32, TSR_SHAPE(N, N), &ti));
  OK(ctx, tsr_solve(ctx, &ta, &tb, &tx));
  for (int i = 0; i < N; i++) CHECK(size_of(dot(a + i * N, 1, x, 1) - b[i]) < 1e-5f);
  OK(ctx, tsr_inv(ctx, &ta, &ti));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) CHECK(size_of(dot(a + i * N, 1, inverse + j, N) - (i == j ? 1 : 0)) < 1e-5f);
}

TEST(factors) {
  tsr_ctx *const ctx = test_context();
  float l[N * N], x[N], det;
  tsr_tensor ta = {0}, tb = {0}, tl = {0}, tx = {0}, td = {.dtype = TSR_F32, .data = &det};
  OK(ctx, tsr_from_memory(ctx, a, TSR_F32, TSR_SHAPE(N, N), &ta));
  OK(ctx, tsr_from_memory(ctx, b, TSR_F32, TSR_SHAPE(N), &tb));
  OK(ctx, tsr_from_memory(ctx, l, TSR_F32, TSR_SHAPE(N, N), &tl));
  OK(ctx, tsr_from_memory(ctx, x, TSR_F32, TSR_SHAPE(N), &tx));
  OK(ctx, tsr_cholesky(ctx, &ta, false, &tl));
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) CHECK(size_of(dot(l + i * N, 1, l + j * N, 1) - a[i * N + j]) < 1e-5f);
  OK(ctx, tsr_solve_triangular(ctx, &tl, &tb, false, true, false, &tx)); /* Lᵀ·x = b */
  for (int i = 0; i < N; i++) CHECK(size_of(dot(l + i, N, x, 1) - b[i]) < 1e-5f);
  OK(ctx, tsr_det(ctx, &ta, &td));
  CHECK(size_of(det - 631) < 1e-2f);
  a[0] = -1;
  FAILS(ctx, TSR_ENOTPOSITIVE, tsr_cholesky(ctx, &ta, false, &tl));
  MESSAGE_HAS(ctx, "cholesky: a is not positive definite");
  a[0] = 4;
}

TEST_MAIN(RUN(systems), RUN(factors))
