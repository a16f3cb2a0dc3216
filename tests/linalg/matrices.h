/* Matrices that are hard for algorithms, and how far results are from what they should be: all in f64, whatever the dtype. */
#ifndef TSR_TEST_LINALG_MATRICES_H
#define TSR_TEST_LINALG_MATRICES_H

#include "support/test.h"

#include "support/helpers.h"

#include <math.h>

/* A context that leaves eigenvalues and singular values to the library's own kernels, whatever is installed. */
static inline tsr_ctx *own_context(void) {
  tsr_ctx *const ctx = test_context();
  OK(ctx, tsr_lapack_set(ctx, TSR_LAPACK_NEVER));
  return ctx;
}

typedef enum matrix_kind {
  RANDOM,
  GRADED,    /* rows and columns over many orders of magnitude */
  DEFICIENT, /* the last row is the first one */
  NEARLY,    /* the same but for rounding */
  HILBERT,
  WILKINSON, /* elimination lets it grow */
  TINY_ONES, /* among the subnormal numbers in part */
  LARGE_ONES,
  DIAGONAL,
  ZERO,
  KINDS
} matrix_kind;

static const char *const kind_names[KINDS] = {"random",    "graded", "deficient", "nearly singular", "Hilbert",
                                              "Wilkinson", "tiny",   "large",     "diagonal",        "zero"};

static inline double any_number(test_rng *rng) { return (double)(int32_t)test_random(rng) * 0x1p-31; }

static inline double unit_of(int dtype) { return dtype == TSR_F64 ? 0x1p-52 : 0x1p-23; }
static inline double least_of(int dtype) { return dtype == TSR_F64 ? 0x1p-1074 : 0x1p-149; }

/* Element (i, j) of a matrix (m, n). */
static inline double number_in(matrix_kind kind, int dtype, tsr_index m, tsr_index n, tsr_index i, tsr_index j,
                               double random) {
  const double last = (double)(m > n ? m : n);
  switch (kind) {
    case GRADED: return ldexp(random, (int)(-24.0 * (double)(i + j) / last));
    case HILBERT: return 1.0 / (double)(i + j + 1);
    case WILKINSON: return j == n - 1 ? 1 : i == j ? 1 : i > j ? -1 : 0;
    case TINY_ONES: return ldexp(random, dtype == TSR_F64 ? -1030 : -130);
    case LARGE_ONES: return ldexp(random, dtype == TSR_F64 ? 1000 : 120);
    case DIAGONAL: return i == j ? (double)(i % 7) - 3 : 0;
    case ZERO: return 0;
    default: return random;
  }
}

/* Rounded to the dtype. */
static inline double as_dtype(int dtype, double x) { return dtype == TSR_F64 ? x : (double)(float)x; }

static inline void make_matrix(test_rng *rng, matrix_kind kind, int dtype, tsr_index m, tsr_index n, double *a) {
  for (tsr_index i = 0; i < m; i++)
    for (tsr_index j = 0; j < n; j++)
      a[i * n + j] = as_dtype(dtype, number_in(kind, dtype, m, n, i, j, any_number(rng)));
  if ((kind == DEFICIENT || kind == NEARLY) && m > 1)
    for (tsr_index j = 0; j < n; j++)
      a[(m - 1) * n + j] = as_dtype(dtype, a[j] * (kind == NEARLY ? 1 + 4 * unit_of(dtype) * any_number(rng) : 1));
}

/* A·Aᵀ of such a matrix, and something on its diagonal: positive definite, but for rounding. */
static inline void make_positive(test_rng *rng, matrix_kind kind, int dtype, tsr_index n, double *a, double *room) {
  make_matrix(rng, kind == TINY_ONES || kind == LARGE_ONES || kind == ZERO ? RANDOM : kind, dtype, n, n, room);
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = 0; j <= i; j++) {
      double sum = i == j ? (double)n * 8 * unit_of(dtype) * 64 : 0;
      for (tsr_index k = 0; k < n; k++) sum += room[i * n + k] * room[j * n + k];
      a[i * n + j] = a[j * n + i] = as_dtype(dtype, sum);
    }
}

static inline double norm_of(tsr_index m, tsr_index n, const double *a) {
  double most = 0;
  for (tsr_index j = 0; j < n; j++) {
    double sum = 0;
    for (tsr_index i = 0; i < m; i++) sum += fabs(a[i * n + j]);
    if (!(sum <= most)) most = sum;
  }
  return most;
}

/* c = a (m, k) · b (k, n), in long double. */
static inline void product(tsr_index m, tsr_index n, tsr_index k, const double *a, const double *b, double *c) {
  for (tsr_index i = 0; i < m; i++)
    for (tsr_index j = 0; j < n; j++) {
      long double sum = 0;
      for (tsr_index p = 0; p < k; p++) sum += (long double)a[i * k + p] * (long double)b[p * n + j];
      c[i * n + j] = (double)sum;
    }
}

static inline void transpose_of(tsr_index m, tsr_index n, const double *a, double *to) {
  for (tsr_index i = 0; i < m; i++)
    for (tsr_index j = 0; j < n; j++) to[j * m + i] = a[i * n + j];
}

/* ‖x - y‖ against n·ε·size: what LAPACK's tests call a ratio, which they want below 30. Rounding among the subnormal numbers is
 * no error of an algorithm. */
static inline double ratio_of(int dtype, tsr_index m, tsr_index n, const double *x, const double *y, double size) {
  double most = 0;
  const tsr_index longest = m > n ? m : n;
  for (tsr_index j = 0; j < n; j++) {
    double sum = 0;
    for (tsr_index i = 0; i < m; i++) sum += fabs(x[i * n + j] - y[i * n + j]);
    if (!(sum <= most)) most = sum;
  }
  const double unit = (double)(longest > 0 ? longest : 1) * (unit_of(dtype) * size + 4 * least_of(dtype));
  return most / unit;
}

/* ---- tensors ---- */

/* A tensor of the dtype with numbers of f64; the other way round. */
static inline tsr_tensor tensor_from(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, const double *numbers) {
  tsr_tensor wide = {0}, t = {0};
  OK(ctx, tsr_from_const_memory(ctx, numbers, TSR_F64, ndim, shape, &wide));
  OK(ctx, tsr_cast(ctx, &wide, dtype, &t));
  return t;
}

static inline void numbers_of(tsr_ctx *ctx, const tsr_tensor *t, double *to) {
  tsr_tensor wide = {0};
  OK(ctx, tsr_from_memory(ctx, to, TSR_F64, t->ndim, t->shape, &wide));
  OK(ctx, tsr_copy(ctx, t, &wide));
}

#endif
