/* Every op of the family on complex matrices: what LAPACK's own tests measure, on matrices of every kind, size, dtype and instruction
 * set; results that are known; real matrices give what they give as complex ones. */
#include "linalg/matrices.h"

#if TSR_HAVE_COMPLEX && TSR_HAVE_F64 && TSR_HAVE_MALLOC

#include <complex.h>
#include <stdlib.h>
#include <string.h>

typedef double complex number;

/* As CMPLX, which not every C library has. */
static number complex_of(double re, double im) {
  const double parts[2] = {re, im};
  number z;
  memcpy(&z, parts, sizeof z);
  return z;
}

enum { MOST = 128 };
static number a[MOST * MOST], b[MOST * MOST], x[MOST * MOST], y[MOST * MOST], z[MOST * MOST], u[MOST * MOST],
    v[MOST * MOST];
static double s[MOST], t[MOST];

static const double BOUND = 30;

static int part_of(int dtype) { return dtype == TSR_C128 ? TSR_F64 : TSR_F32; }

static void say(const char *what, int kind, int dtype, tsr_index m, tsr_index n, double ratio) {
  const bool fine = ratio < BOUND;
  CHECK(fine);
  if (!fine && test_now.failures <= 20)
    printf("  %s: %s, %s, %d×%d: %g\n", what, kind_names[kind], tsr_dtype_name(dtype), (int)m, (int)n, ratio);
}

/* ---- matrices ---- */

static number as_part(int dtype, number c) {
  return complex_of(as_dtype(part_of(dtype), creal(c)), as_dtype(part_of(dtype), cimag(c)));
}

/* Kinds without random numbers are turned, row by row and column by column, which changes no singular value. */
static void make(test_rng *rng, int kind, int dtype, tsr_index m, tsr_index n, number *to) {
  static double re[MOST * MOST], im[MOST * MOST];
  const bool fixed = kind == HILBERT || kind == WILKINSON || kind == DIAGONAL;
  make_matrix(rng, (matrix_kind)kind, part_of(dtype), m, n, re);
  make_matrix(rng, (matrix_kind)kind, part_of(dtype), m, n, im);
  for (tsr_index i = 0; i < m; i++)
    for (tsr_index j = 0; j < n; j++) {
      const number turn = cexp(complex_of(0, kind == DIAGONAL ? 1 + (double)j : (double)i * 0.7 - (double)j * 1.3));
      to[i * n + j] = fixed ? as_part(dtype, re[i * n + j] * turn) : complex_of(re[i * n + j], im[i * n + j]);
    }
}

static double size_of(tsr_index m, tsr_index n, const number *p) {
  double most = 0;
  for (tsr_index j = 0; j < n; j++) {
    double sum = 0;
    for (tsr_index i = 0; i < m; i++) sum += cabs(p[i * n + j]);
    if (!(sum <= most)) most = sum;
  }
  return most;
}

static void multiply(tsr_index m, tsr_index n, tsr_index k, const number *p, const number *q, number *to) {
  for (tsr_index i = 0; i < m; i++)
    for (tsr_index j = 0; j < n; j++) {
      long double re = 0, im = 0;
      for (tsr_index l = 0; l < k; l++) {
        const long double pr = creal(p[i * k + l]), pi = cimag(p[i * k + l]), qr = creal(q[l * n + j]),
                          qi = cimag(q[l * n + j]);
        re += pr * qr - pi * qi;
        im += pr * qi + pi * qr;
      }
      to[i * n + j] = complex_of((double)re, (double)im);
    }
}

static void adjoint_of(tsr_index m, tsr_index n, const number *p, number *to) {
  for (tsr_index i = 0; i < m; i++)
    for (tsr_index j = 0; j < n; j++) to[j * m + i] = conj(p[i * n + j]);
}

static double apart(int dtype, tsr_index m, tsr_index n, const number *p, const number *q, double size) {
  double most = 0;
  const tsr_index longest = m > n ? m : n;
  for (tsr_index j = 0; j < n; j++) {
    double sum = 0;
    for (tsr_index i = 0; i < m; i++) sum += cabs(p[i * n + j] - q[i * n + j]);
    if (!(sum <= most)) most = sum;
  }
  const int part = part_of(dtype);
  return most / ((double)(longest > 0 ? longest : 1) * (unit_of(part) * size + 4 * least_of(part)));
}

static void identity(tsr_index n, number *to) {
  for (tsr_index i = 0; i < n * n; i++) to[i] = i % (n + 1) == 0;
}

/* ‖QᴴQ - I‖ of the columns of q (m, n). */
static void check_unitary(const char *what, int kind, int dtype, tsr_index m, tsr_index n, const number *q) {
  adjoint_of(m, n, q, y);
  multiply(n, n, m, y, q, z);
  identity(n, y);
  say(what, kind, dtype, m, n, apart(dtype, n, n, z, y, 1) * (double)n / (double)(m > n ? m : n));
}

/* ---- tensors ---- */

static tsr_tensor tensor_of(tsr_ctx *ctx, int dtype, tsr_index m, tsr_index n, const number *numbers) {
  tsr_tensor wide = {0}, to = {0};
  OK(ctx, tsr_from_const_memory(ctx, numbers, TSR_C128, 2, (const tsr_index[]){m, n}, &wide));
  OK(ctx, tsr_cast(ctx, &wide, dtype, &to));
  return to;
}

static void read_complex(tsr_ctx *ctx, const tsr_tensor *from, number *to) {
  tsr_tensor wide = {0};
  OK(ctx, tsr_from_memory(ctx, to, TSR_C128, from->ndim, from->shape, &wide));
  OK(ctx, tsr_copy(ctx, from, &wide));
}

static void read_real(tsr_ctx *ctx, const tsr_tensor *from, double *to) { numbers_of(ctx, from, to); }

/* ---- factors ---- */

static void check_qr(tsr_ctx *ctx, test_rng *rng, int kind, int dtype, tsr_index m, tsr_index n, bool complete) {
  const tsr_index k = complete || m < n ? m : n;
  make(rng, kind, dtype, m, n, a);
  tsr_tensor ta = tensor_of(ctx, dtype, m, n, a), q = {0}, r = {0}, alone = {0};
  OK(ctx, tsr_qr(ctx, &ta, complete, &q, &r));
  OK(ctx, tsr_qr(ctx, &ta, complete, NULL, &alone));
  CHECK(q.dtype == dtype && r.dtype == dtype && test_same_elements(&r, &alone));
  read_complex(ctx, &q, u);
  read_complex(ctx, &r, v);
  for (tsr_index i = 0; i < k; i++)
    for (tsr_index j = 0; j < i && j < n; j++) CHECK(v[i * n + j] == 0);
  for (tsr_index i = 0; i < k && i < n; i++) CHECK(cimag(v[i * n + i]) == 0); /* as LAPACK leaves it */
  multiply(m, n, k, u, v, x);
  say("A - QR", kind, dtype, m, n, apart(dtype, m, n, x, a, size_of(m, n, a)));
  check_unitary("Q of qr", kind, dtype, m, k, u);
  tsr_release(&ta), tsr_release(&q), tsr_release(&r), tsr_release(&alone);
}

static bool is_singular(int kind, tsr_index n) {
  return kind == ZERO || (kind == DEFICIENT && n > 1) || (kind == DIAGONAL && n > 3);
}

static void check_residual(const char *what, int kind, int dtype, tsr_index n, tsr_index cols) {
  for (tsr_index i = 0; i < n * cols; i++)
    if (!isfinite(creal(x[i])) || !isfinite(cimag(x[i]))) return; /* of what is nearly singular */
  multiply(n, cols, n, a, x, y);
  say(what, kind, dtype, n, cols, apart(dtype, n, cols, y, b, size_of(n, n, a) * size_of(n, cols, x)));
}

static void check_solve(tsr_ctx *ctx, test_rng *rng, int kind, int dtype, tsr_index n) {
  const tsr_index cols = n % 3 + 1;
  make(rng, kind, dtype, n, n, a);
  make(rng, RANDOM, dtype, n, cols, b);
  tsr_tensor ta = tensor_of(ctx, dtype, n, n, a), tb = tensor_of(ctx, dtype, n, cols, b), out = {0}, lu = {0},
             pivots = {0};
  const tsr_status st = tsr_solve(ctx, &ta, &tb, &out);
  CHECK(st == TSR_OK || (st == TSR_ESINGULAR && (is_singular(kind, n) || kind == NEARLY)));
  CHECK(st != TSR_OK || !is_singular(kind, n) || kind == DEFICIENT);
  if (st != TSR_OK) {
    CHECK(out.data == NULL && tsr_inv(ctx, &ta, &out) == TSR_ESINGULAR && out.data == NULL);
  } else {
    read_complex(ctx, &out, x);
    check_residual("solve", kind, dtype, n, cols);
    tsr_release(&out);
    OK(ctx, tsr_lu_factor(ctx, &ta, &lu, &pivots));
    CHECK(lu.dtype == dtype && (pivots.dtype == TSR_I64 || pivots.dtype == TSR_I32));
    OK(ctx, tsr_lu_solve(ctx, &lu, &pivots, &tb, &out));
    read_complex(ctx, &out, x);
    check_residual("lu_solve", kind, dtype, n, cols);
    tsr_release(&out);
    OK(ctx, tsr_inv(ctx, &ta, &out));
    read_complex(ctx, &out, x);
    identity(n, b);
    check_residual("inv", kind, dtype, n, n);
  }
  tsr_release(&ta), tsr_release(&tb), tsr_release(&out), tsr_release(&lu), tsr_release(&pivots);
}

static void check_factors(tsr_ctx *ctx, test_rng *rng, int kind, int dtype, tsr_index n) {
  make(rng, kind, dtype, n, n, a);
  tsr_tensor ta = tensor_of(ctx, dtype, n, n, a), lu = {0}, pivots = {0};
  OK(ctx, tsr_lu_factor(ctx, &ta, &lu, &pivots));
  read_complex(ctx, &lu, z);
  read_real(ctx, &pivots, s);
  memcpy(y, a, (size_t)(n * n) * sizeof *a);
  for (tsr_index k = 0; k < n; k++) {
    const tsr_index other = (tsr_index)s[k];
    CHECK(other >= k && other < n);
    for (tsr_index j = 0; j < n; j++) {
      const number swap = y[k * n + j];
      y[k * n + j] = y[other * n + j];
      y[other * n + j] = swap;
    }
  }
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = 0; j < n; j++) {
      CHECK(i <= j || cabs(z[i * n + j]) <= 1.5); /* √2 by |re| + |im| */
      u[i * n + j] = i == j ? 1 : i > j ? z[i * n + j] : 0;
      v[i * n + j] = i <= j ? z[i * n + j] : 0;
    }
  multiply(n, n, n, u, v, x);
  double size = size_of(n, n, a);
  for (tsr_index i = 0; i < n * n && kind == WILKINSON; i++) size = cabs(z[i]) > size ? cabs(z[i]) : size;
  say("lu_factor", kind, dtype, n, n, apart(dtype, n, n, x, y, size));
  tsr_release(&ta), tsr_release(&lu), tsr_release(&pivots);
}

/* A·Aᴴ and something on its diagonal. */
static void make_definite(test_rng *rng, int kind, int dtype, tsr_index n, number *to) {
  make(rng, kind == TINY_ONES || kind == LARGE_ONES || kind == ZERO ? RANDOM : kind, dtype, n, n, x);
  adjoint_of(n, n, x, y);
  multiply(n, n, n, x, y, to);
  for (tsr_index i = 0; i < n; i++) {
    to[i * (n + 1)] += (double)n * 512 * unit_of(part_of(dtype));
    for (tsr_index j = 0; j <= i; j++) {
      to[i * n + j] = as_part(dtype, i == j ? creal(to[i * n + j]) : to[i * n + j]);
      to[j * n + i] = conj(to[i * n + j]);
    }
  }
}

static void check_cholesky(tsr_ctx *ctx, test_rng *rng, int kind, int dtype, tsr_index n, bool upper) {
  make_definite(rng, kind, dtype, n, a);
  memcpy(b, a, (size_t)(n * n) * sizeof *a);
  for (tsr_index i = 0; i < n; i++) /* what is not read: the other triangle, and that the diagonal is real */
    for (tsr_index j = i; j < n; j++) b[i * n + j] = i == j ? b[i * n + j] + 3 * I : 0.75;
  tsr_tensor ta = tensor_of(ctx, dtype, n, n, b), out = {0};
  const tsr_status st = tsr_cholesky(ctx, &ta, upper, &out);
  CHECK(st == TSR_OK || (st == TSR_ENOTPOSITIVE && kind != RANDOM));
  if (st == TSR_OK) {
    read_complex(ctx, &out, x);
    adjoint_of(n, n, x, y);
    for (tsr_index i = 0; i < n; i++) {
      CHECK(cimag(x[i * (n + 1)]) == 0 && creal(x[i * (n + 1)]) > 0);
      for (tsr_index j = i + 1; j < n; j++) CHECK((upper ? y : x)[i * n + j] == 0);
    }
    multiply(n, n, n, upper ? y : x, upper ? x : y, z);
    say("cholesky", kind, dtype, n, n, apart(dtype, n, n, z, a, size_of(n, n, a)));
  }
  tsr_release(&ta), tsr_release(&out);
}

static void check_triangular(tsr_ctx *ctx, test_rng *rng, int dtype, tsr_index n, int way) {
  const bool upper = way & 1, transposed = (way & 2) != 0, unit = (way & 4) != 0;
  const tsr_index cols = n % 5 + 1;
  make(rng, RANDOM, dtype, n, n, a);
  for (tsr_index i = 0; i < n * n; i++) a[i] = as_part(dtype, i % (n + 1) == 0 ? a[i] + 2 : a[i] / (double)n);
  make(rng, RANDOM, dtype, n, cols, b);
  tsr_tensor ta = tensor_of(ctx, dtype, n, n, a), tb = tensor_of(ctx, dtype, n, cols, b), out = {0};
  OK(ctx, tsr_solve_triangular(ctx, &ta, &tb, upper, transposed, unit, &out));
  read_complex(ctx, &out, x);
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = 0; j < n; j++)
      z[transposed ? j * n + i : i * n + j] = i == j && unit ? 1 : (upper ? j >= i : j <= i) ? a[i * n + j] : 0;
  memcpy(a, z, (size_t)(n * n) * sizeof *a);
  check_residual("solve_triangular", RANDOM, dtype, n, cols);
  tsr_release(&ta), tsr_release(&tb), tsr_release(&out);
}

/* ---- eigenvalues and singular values ---- */

static void check_eigh(tsr_ctx *ctx, test_rng *rng, int kind, int dtype, tsr_index n, bool upper) {
  make(rng, kind, dtype, n, n, a);
  for (tsr_index i = 0; i < n; i++) {
    a[i * (n + 1)] = creal(a[i * (n + 1)]);
    for (tsr_index j = 0; j < i; j++) a[i * n + j] = conj(a[j * n + i]);
  }
  memcpy(b, a, (size_t)(n * n) * sizeof *a);
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = 0; j < i; j++) b[upper ? i * n + j : j * n + i] = 0.75;
  for (tsr_index i = 0; i < n; i++) b[i * (n + 1)] += kind == RANDOM ? 2 * I : 0; /* it counts as real */
  tsr_tensor ta = tensor_of(ctx, dtype, n, n, b), w = {0}, vectors = {0}, alone = {0};
  OK(ctx, tsr_eigh(ctx, &ta, upper, &w, &vectors));
  OK(ctx, tsr_eigvalsh(ctx, &ta, upper, &alone));
  CHECK(w.dtype == part_of(dtype) && alone.dtype == w.dtype && vectors.dtype == dtype);
  read_real(ctx, &w, s);
  read_real(ctx, &alone, t);
  read_complex(ctx, &vectors, v);
  const double size = size_of(n, n, a);
  for (tsr_index i = 1; i < n; i++) CHECK(s[i] >= s[i - 1]);
  say("eigvalsh", kind, dtype, n, n, ratio_of(part_of(dtype), n, 1, t, s, size));
  multiply(n, n, n, a, v, x);
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = 0; j < n; j++) u[i * n + j] = v[i * n + j] * s[j];
  say("AV - VW", kind, dtype, n, n, apart(dtype, n, n, x, u, size));
  check_unitary("V of eigh", kind, dtype, n, n, v);
  tsr_release(&ta), tsr_release(&w), tsr_release(&vectors), tsr_release(&alone);
}

static void check_svd(tsr_ctx *ctx, test_rng *rng, int kind, int dtype, tsr_index m, tsr_index n, bool full) {
  const tsr_index k = m < n ? m : n, cols = full ? m : k, rows = full ? n : k;
  make(rng, kind, dtype, m, n, a);
  const double size = size_of(m, n, a);
  tsr_tensor ta = tensor_of(ctx, dtype, m, n, a), tu = {0}, ts = {0}, tv = {0}, alone = {0};
  OK(ctx, tsr_svd(ctx, &ta, full, &tu, &ts, &tv));
  OK(ctx, tsr_svdvals(ctx, &ta, &alone));
  CHECK(tu.dtype == dtype && tv.dtype == dtype && ts.dtype == part_of(dtype) && alone.dtype == ts.dtype);
  read_complex(ctx, &tu, u);
  read_complex(ctx, &tv, v);
  read_real(ctx, &ts, s);
  read_real(ctx, &alone, t);
  for (tsr_index i = 0; i < k; i++) CHECK(s[i] >= 0 && (i == 0 || s[i] <= s[i - 1]) && t[i] >= 0);
  say("svdvals", kind, dtype, m, n, ratio_of(part_of(dtype), k, 1, t, s, size));
  check_unitary("U of svd", kind, dtype, m, cols, u);
  adjoint_of(rows, n, v, x);
  check_unitary("V of svd", kind, dtype, n, rows, x);
  for (tsr_index i = 0; i < m; i++)
    for (tsr_index j = 0; j < k; j++) x[i * k + j] = u[i * cols + j] * s[j];
  multiply(m, n, k, x, v, y);
  say("A - USV", kind, dtype, m, n, apart(dtype, m, n, y, a, size));
  tsr_release(&ta), tsr_release(&tu), tsr_release(&ts), tsr_release(&tv), tsr_release(&alone);
}

static void check_pinv(tsr_ctx *ctx, test_rng *rng, int dtype, tsr_index m, tsr_index n) {
  const tsr_index k = m < n ? m : n;
  make(rng, RANDOM, dtype, m, n, a);
  make(rng, RANDOM, dtype, m, 2, b);
  tsr_tensor ta = tensor_of(ctx, dtype, m, n, a), tb = tensor_of(ctx, dtype, m, 2, b), inverse = {0}, solution = {0};
  tsr_tensor rank = {0}, values = {0}, same = {0}, c = {0}, least = {0}, most = {0}, sum = {0};
  OK(ctx, tsr_pinv(ctx, &ta, -1, &inverse));
  OK(ctx, tsr_lstsq(ctx, &ta, &tb, -1, &solution, &rank, &values));
  OK(ctx, tsr_matrix_rank(ctx, &ta, -1, &same));
  OK(ctx, tsr_cond(ctx, &ta, &c));
  OK(ctx, tsr_matrix_norm(ctx, &ta, TSR_MATRIX_NORM_2, &most));
  OK(ctx, tsr_matrix_norm(ctx, &ta, TSR_MATRIX_NORM_MINUS_2, &least));
  OK(ctx, tsr_matrix_norm(ctx, &ta, TSR_MATRIX_NORM_NUCLEAR, &sum));
  CHECK(test_same_elements(&rank, &same) && c.dtype == part_of(dtype) && values.dtype == c.dtype);
  read_real(ctx, &rank, t);
  CHECK(t[0] == (double)k);
  read_real(ctx, &values, s);
  const double cond = s[0] / s[k - 1], unit = unit_of(part_of(dtype)) * 1e3;
  double all = 0;
  for (tsr_index i = 0; i < k; i++) all += s[i];
  read_real(ctx, &c, t);
  CHECK(fabs(t[0] - cond) <= unit * cond * (1 + cond));
  read_real(ctx, &most, t);
  CHECK(fabs(t[0] - s[0]) <= unit * s[0]);
  read_real(ctx, &least, t);
  CHECK(fabs(t[0] - s[k - 1]) <= unit * s[0]);
  read_real(ctx, &sum, t);
  CHECK(fabs(t[0] - all) <= unit * all);
  read_complex(ctx, &inverse, u);
  multiply(m, m, n, a, u, x);
  multiply(m, n, m, x, a, y);
  say("pinv", RANDOM, dtype, m, n, apart(dtype, m, n, y, a, size_of(m, n, a) * (1 + cond)));
  read_complex(ctx, &solution, v);
  multiply(n, 2, m, u, b, x);
  say("lstsq", RANDOM, dtype, m, n, apart(dtype, n, 2, x, v, size_of(n, m, u) * size_of(m, 2, b) * (1 + cond)));
  tsr_release(&ta), tsr_release(&tb), tsr_release(&inverse), tsr_release(&solution), tsr_release(&rank);
  tsr_release(&values), tsr_release(&same), tsr_release(&c), tsr_release(&least), tsr_release(&most), tsr_release(&sum);
}

/* As eig_test has them for real ones: a normal one, defective ones, unbalanced and permuted ones. */
static void make_hard(test_rng *rng, int hard, int dtype, tsr_index n) {
  make(rng, RANDOM, dtype, n, n, a);
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = 0; j < n; j++) {
      number *const at = &a[i * n + j];
      switch (hard) {
        case 0: *at = i == j ? 0.75 + 0.25 * I : i + 1 == j ? I : 0; break;                  /* Jordan's */
        case 1: *at = i == (j + 1) % n ? I : 0; break;                                       /* roots of iⁿ */
        case 2: *at = i <= j ? *at : 0; break;                                               /* triangular */
        case 3: *at = i < j ? *at : 0; break;                                                /* nilpotent */
        case 4: *at = *at * ldexp(1, (int)(20 * (i - j) / n)); break;                        /* unbalanced */
        case 5: *at = (i * 7 + 3) % 31 <= (j * 7 + 3) % 31 ? *at : 0; break;                 /* permuted */
        case 6: *at = i == j ? (double)i : (i == j + 1 ? 1e-12 : j == i + 1 ? 1e-9 * I : 0); /* nearly diagonal */
        default: break;
      }
    }
}

static void check_eig_of(tsr_ctx *ctx, int kind, int dtype, tsr_index n) {
  tsr_tensor ta = tensor_of(ctx, dtype, n, n, a), w = {0}, vectors = {0}, alone = {0};
  OK(ctx, tsr_eig(ctx, &ta, &w, &vectors));
  OK(ctx, tsr_eigvals(ctx, &ta, &alone));
  CHECK(w.dtype == dtype && vectors.dtype == dtype && alone.dtype == dtype);
  read_complex(ctx, &w, b);
  read_complex(ctx, &vectors, v);
  const double size = size_of(n, n, a);
  multiply(n, n, n, a, v, x);
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = 0; j < n; j++) u[i * n + j] = v[i * n + j] * b[j];
  say("Av - wv", kind, dtype, n, n, apart(dtype, n, n, x, u, size));
  number sum = 0;
  for (tsr_index j = 0; j < n; j++) {
    double length = 0, most = 0;
    tsr_index largest = 0;
    for (tsr_index i = 0; i < n; i++) {
      length = hypot(length, cabs(v[i * n + j]));
      if (cabs(v[i * n + j]) > most) most = cabs(v[i * n + j]), largest = i;
    }
    CHECK(fabs(length - 1) <= 8 * (double)n * unit_of(part_of(dtype)));
    bool real = cimag(v[largest * n + j]) == 0;
    for (tsr_index i = 0; i < n && !real; i++) /* or another one that is as large */
      real = cimag(v[i * n + j]) == 0 && fabs(creal(v[i * n + j])) >= most * (1 - 8 * unit_of(part_of(dtype)));
    CHECK(real);
    sum += a[j * (n + 1)];
  }
  read_complex(ctx, &alone, z);
  for (tsr_index j = 0; j < n; j++) sum -= z[j]; /* the trace */
  CHECK(cabs(sum) <= BOUND * (double)n * (unit_of(part_of(dtype)) * size + 4 * least_of(part_of(dtype))));
  tsr_release(&ta), tsr_release(&w), tsr_release(&vectors), tsr_release(&alone);
}

static void check_eig(tsr_ctx *ctx, test_rng *rng, int kind, int dtype, tsr_index n) {
  make(rng, kind, dtype, n, n, a);
  check_eig_of(ctx, kind, dtype, n);
  make_hard(rng, kind % 8, dtype, n);
  for (tsr_index i = 0; i < n * n; i++) a[i] = as_part(dtype, a[i]);
  check_eig_of(ctx, RANDOM, dtype, n);
}

/* ---- determinants, norms, powers ---- */

static void check_det(tsr_ctx *ctx, test_rng *rng, int dtype, tsr_index n) {
  make(rng, RANDOM, dtype, n, n, a);
  for (tsr_index i = 0; i < n; i++) a[i * (n + 1)] = as_part(dtype, a[i * (n + 1)] + complex_of(2, (double)n / 4));
  memcpy(z, a, (size_t)(n * n) * sizeof *a);
  number want = 1;
  for (tsr_index k = 0; k < n; k++) { /* no pivot is needed */
    want *= z[k * n + k];
    for (tsr_index i = k + 1; i < n; i++) {
      const number f = z[i * n + k] / z[k * n + k];
      for (tsr_index j = k; j < n; j++) z[i * n + j] -= f * z[k * n + j];
    }
  }
  tsr_tensor ta = tensor_of(ctx, dtype, n, n, a), out = {0}, sign = {0}, log_of = {0};
  OK(ctx, tsr_det(ctx, &ta, &out));
  OK(ctx, tsr_slogdet(ctx, &ta, &sign, &log_of));
  CHECK(out.dtype == dtype && sign.dtype == dtype && log_of.dtype == part_of(dtype));
  const double bound = BOUND * (double)n * unit_of(part_of(dtype));
  read_complex(ctx, &out, x);
  CHECK((dtype == TSR_C64 && cabs(want) > 1e37) || cabs(x[0] - want) <= bound * cabs(want));
  read_complex(ctx, &sign, x);
  CHECK(cabs(x[0] - want / cabs(want)) <= bound);
  read_real(ctx, &log_of, s);
  CHECK(fabs(s[0] - log(cabs(want))) <= bound * (1 + fabs(log(cabs(want)))));
  tsr_release(&ta), tsr_release(&out), tsr_release(&sign), tsr_release(&log_of);
}

static void check_norm(tsr_ctx *ctx, const tsr_tensor *ta, tsr_matrix_norm_kind kind, double want) {
  tsr_tensor out = {0};
  OK(ctx, tsr_matrix_norm(ctx, ta, kind, &out));
  CHECK(out.dtype == part_of(ta->dtype));
  read_real(ctx, &out, s);
  CHECK(fabs(s[0] - want) <= 64 * unit_of(part_of(ta->dtype)) * want);
  tsr_release(&out);
}

static void check_norms(tsr_ctx *ctx, test_rng *rng, int dtype, tsr_index m, tsr_index n) {
  double square = 0, one = 0, inf = 0, least_one = INFINITY, least_inf = INFINITY;
  make(rng, RANDOM, dtype, m, n, a);
  for (tsr_index j = 0; j < n; j++) {
    double sum = 0;
    for (tsr_index i = 0; i < m; i++) sum += cabs(a[i * n + j]), square = hypot(square, cabs(a[i * n + j]));
    one = fmax(one, sum), least_one = fmin(least_one, sum);
  }
  for (tsr_index i = 0; i < m; i++) {
    double sum = 0;
    for (tsr_index j = 0; j < n; j++) sum += cabs(a[i * n + j]);
    inf = fmax(inf, sum), least_inf = fmin(least_inf, sum);
  }
  tsr_tensor ta = tensor_of(ctx, dtype, m, n, a);
  check_norm(ctx, &ta, TSR_MATRIX_NORM_FRO, square);
  check_norm(ctx, &ta, TSR_MATRIX_NORM_1, one);
  check_norm(ctx, &ta, TSR_MATRIX_NORM_MINUS_1, least_one);
  check_norm(ctx, &ta, TSR_MATRIX_NORM_INF, inf);
  check_norm(ctx, &ta, TSR_MATRIX_NORM_MINUS_INF, least_inf);
  tsr_release(&ta);
}

/* A⁵ by products, A⁻² times A², and e^A times e^-A; of a diagonal one exp of its numbers. */
static void check_powers(tsr_ctx *ctx, test_rng *rng, int dtype, tsr_index n) {
  make(rng, RANDOM, dtype, n, n, a);
  for (tsr_index i = 0; i < n * n; i++) a[i] = as_part(dtype, a[i] / (double)n + (i % (n + 1) == 0));
  tsr_tensor ta = tensor_of(ctx, dtype, n, n, a), out = {0}, other = {0};
  OK(ctx, tsr_matrix_power(ctx, &ta, 5, &out));
  read_complex(ctx, &out, x);
  multiply(n, n, n, a, a, y);
  multiply(n, n, n, y, y, z);
  multiply(n, n, n, z, a, u);
  const double size = size_of(n, n, a), unit = unit_of(part_of(dtype));
  CHECK(apart(dtype, n, n, x, u, pow(size, 5)) < BOUND);
  tsr_release(&out);
  OK(ctx, tsr_matrix_power(ctx, &ta, -2, &out));
  read_complex(ctx, &out, x);
  multiply(n, n, n, x, y, z);
  identity(n, u);
  CHECK(apart(dtype, n, n, z, u, pow(size_of(n, n, x) * size_of(n, n, y), 2)) < BOUND);
  OK(ctx, tsr_expm(ctx, &ta, &other));
  for (tsr_index i = 0; i < n * n; i++) a[i] = -a[i];
  tsr_release(&ta), tsr_release(&out);
  ta = tensor_of(ctx, dtype, n, n, a);
  OK(ctx, tsr_expm(ctx, &ta, &out));
  read_complex(ctx, &out, x);
  read_complex(ctx, &other, y);
  multiply(n, n, n, x, y, z);
  CHECK(apart(dtype, n, n, z, u, size_of(n, n, x) * size_of(n, n, y)) < BOUND);
  tsr_release(&ta), tsr_release(&out), tsr_release(&other);
  for (tsr_index i = 0; i < n * n; i++) a[i] = i % (n + 1) == 0 ? as_part(dtype, complex_of(0.5, (double)(i % 11))) : 0;
  ta = tensor_of(ctx, dtype, n, n, a);
  OK(ctx, tsr_expm(ctx, &ta, &out));
  read_complex(ctx, &out, x);
  for (tsr_index i = 0; i < n; i++)
    CHECK(cabs(x[i * (n + 1)] - cexp(a[i * (n + 1)])) <= 300 * unit * cabs(cexp(a[i * (n + 1)])));
  tsr_release(&ta), tsr_release(&out);
}

/* ---- the tests ---- */

static const int dtypes[] = {TSR_C64, TSR_C128};

static void each_kind(tsr_ctx *ctx, test_rng *rng, int dtype, tsr_index n) {
  const tsr_index other = n > 3 ? n - n % 3 - 1 : n + 2;
  for (int kind = 0; kind < KINDS; kind++) {
    if (n > 40 && kind != RANDOM && kind != GRADED) continue;
    check_qr(ctx, rng, kind, dtype, n, n, false);
    check_qr(ctx, rng, kind, dtype, n, other, kind % 2 == 0);
    check_qr(ctx, rng, kind, dtype, other, n, kind % 2 == 1);
    check_eigh(ctx, rng, kind, dtype, n, kind % 2 == 0);
    check_svd(ctx, rng, kind, dtype, n, n, false);
    check_svd(ctx, rng, kind, dtype, n, other, kind % 2 == 0);
    check_svd(ctx, rng, kind, dtype, other, n, kind % 2 == 1);
    check_eig(ctx, rng, kind, dtype, n);
    check_cholesky(ctx, rng, kind, dtype, n, n % 2 == 0);
    if (kind == WILKINSON && n > 16) continue; /* partial pivoting lets it grow by 2^n */
    check_solve(ctx, rng, kind, dtype, n);
    check_factors(ctx, rng, kind, dtype, n);
  }
  for (int way = 0; way < 8; way++) check_triangular(ctx, rng, dtype, n, way);
  check_pinv(ctx, rng, dtype, n, other);
  check_pinv(ctx, rng, dtype, other, n);
  check_norms(ctx, rng, dtype, n, other);
  if (n <= 24) check_powers(ctx, rng, dtype, n);
  if (n <= 40) check_det(ctx, rng, dtype, n);
}

TEST(backward_errors) {
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int d = 0; d < 2; d++) {
      tsr_ctx *const ctx = own_context();
      test_rng rng = {(uint64_t)(5 + d)};
      const bool last = tsr_isa_name(isa + 1) == NULL;
      if (tsr_context_set_isa(ctx, tsr_isa_name(isa)) != TSR_OK) continue;
      for (tsr_index n = 1; n <= 40; n += last && n < 24 ? 1 : 5) each_kind(ctx, &rng, dtypes[d], n);
      if (last) each_kind(ctx, &rng, dtypes[d], 70);
      if (last) each_kind(ctx, &rng, dtypes[d], MOST);
      CHECK(test_live() == 0);
    }
}

/* Not finite in one part: NaN comes out, and soon. */
TEST(not_finite) {
  tsr_ctx *const ctx = own_context();
  for (tsr_index n = 1; n <= 40; n += 13)
    for (int way = 0; way < 4; way++) {
      test_rng rng = {3};
      make(&rng, RANDOM, TSR_C64, n, n, a);
      const double odd = way % 2 != 0 ? (double)INFINITY : (double)NAN;
      a[(n / 2) * n] = way < 2 ? complex_of(odd, 1) : complex_of(1, odd);
      tsr_tensor ta = tensor_of(ctx, TSR_C64, n, n, a), p = {0}, q = {0}, r = {0}, w = {0}, h = {0};
      OK(ctx, tsr_svd(ctx, &ta, false, &r, &w, &h));
      read_real(ctx, &w, s);
      for (tsr_index i = 0; i < n; i++) CHECK(isnan(s[i]));
      OK(ctx, tsr_eig(ctx, &ta, &p, &q));
      read_complex(ctx, &p, x);
      for (tsr_index i = 0; i < n; i++) CHECK(isnan(creal(x[i])));
      tsr_release(&p), tsr_release(&q), tsr_release(&w);
      OK(ctx, tsr_eigvalsh(ctx, &ta, false, &w));
      OK(ctx, tsr_det(ctx, &ta, &p));
      OK(ctx, tsr_qr(ctx, &ta, false, NULL, &r));
      tsr_release(&ta), tsr_release(&p), tsr_release(&q), tsr_release(&r), tsr_release(&w), tsr_release(&h);
    }
  CHECK(test_live() == 0);
}

/* The matrix of the stack and its pivot; given outputs stay what they were. */
TEST(singular) {
  tsr_ctx *const ctx = own_context();
  const float numbers[] = {1, 0, 0, 0, 0, 0, 0, 1, /* diag(1, i) */ 1, 1, 2, 2, 0, 2, 0, 4 /* rank 1 */};
  tsr_tensor t3 = {0}, out = {0};
  OK(ctx, tsr_from_const_memory(ctx, numbers, TSR_C64, 3, (const tsr_index[]){2, 2, 2}, &t3));
  FAILS(ctx, TSR_ESINGULAR, tsr_inv(ctx, &t3, &out));
  CHECK(strstr(tsr_error(ctx), "[1]") != NULL && out.data == NULL);
  FAILS(ctx, TSR_ENOTPOSITIVE, tsr_cholesky(ctx, &t3, false, &out));
  CHECK(strstr(tsr_error(ctx), "[0]") != NULL); /* i is not above 0 */
  OK(ctx, tsr_ones(ctx, TSR_C64, 3, (const tsr_index[]){2, 2, 2}, &out));
  FAILS(ctx, TSR_ESINGULAR, tsr_inv(ctx, &t3, &out));
  for (int i = 0; i < 16; i++) CHECK(((float *)out.data)[i] == (i % 2 == 0));
  tsr_release(&out);
  OK(ctx, tsr_det(ctx, &t3, &out));
  CHECK(((float *)out.data)[0] == 0 && ((float *)out.data)[1] == 1 && fabsf(((float *)out.data)[2]) < 1e-6F);
  tsr_release(&out);
  CHECK(test_live() == 0);
}

/* A real b beside a complex a, and the other way round. */
TEST(dtypes_promote) {
  tsr_ctx *const ctx = own_context();
  const double real[] = {2, 1, 1, 3}, right[] = {1, 1, 0, 2}; /* 1 + i, 2i */
  tsr_tensor ta = {0}, tb = {0}, out = {0};
  OK(ctx, tsr_from_const_memory(ctx, real, TSR_F64, 2, (const tsr_index[]){2, 2}, &ta));
  OK(ctx, tsr_from_const_memory(ctx, right, TSR_C128, 1, (const tsr_index[]){2}, &tb));
  OK(ctx, tsr_solve(ctx, &ta, &tb, &out));
  const double *const got = out.data;
  CHECK(out.dtype == TSR_C128 && fabs(got[0] - 0.6) < 1e-15 && fabs(got[1] - 0.2) < 1e-15);
  CHECK(fabs(got[2] + 0.2) < 1e-15 && fabs(got[3] - 0.6) < 1e-15);
  tsr_release(&out);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(backward_errors), RUN(not_finite), RUN(singular), RUN(dtypes_promote))

#else

TEST(complex_numbers) { SKIP("no complex linear algebra in this build"); }
TEST_MAIN(RUN(complex_numbers))

#endif
