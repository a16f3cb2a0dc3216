/* eig and eigvals: residuals as LAPACK's own tests measure them, on matrices whose eigenvalues are hard, of every size, dtype and
 * instruction set. */
#include "linalg/matrices.h"

enum { MOST = 128 };
static double a[MOST * MOST], w[2 * MOST], alone[2 * MOST], v[2 * MOST * MOST], big[4 * MOST * MOST], s[2 * MOST];

static const double BOUND = 30;

typedef enum hard_kind {
  COMPANION = KINDS, /* of the polynomial with roots 1, 2, … over n */
  JORDAN,            /* one eigenvalue, one vector */
  ROTATION,          /* an orthogonal one: a cycle, whose eigenvalues are the roots of 1 */
  FRANK,             /* some of its eigenvalues are very sensitive */
  TRIANGULAR,
  TWO_BY_TWO, /* blocks with conjugated pairs, and some that are real */
  SKEW,       /* all eigenvalues are imaginary */
  NILPOTENT,
  UNBALANCED, /* D⁻¹·A·D with D over many orders of magnitude */
  PERMUTED,   /* a triangular one, rows and columns in another order */
  BEYOND
} hard_kind;

static const char *const hard_names[] = {"companion",  "Jordan", "rotation",  "Frank",      "triangular",
                                         "two by two", "skew",   "nilpotent", "unbalanced", "permuted"};

static double hard_number(hard_kind kind, tsr_index n, tsr_index i, tsr_index j, double random) {
  switch (kind) {
    case JORDAN: return i == j ? 0.75 : i + 1 == j ? 1 : 0;
    case ROTATION: return i == (j + 1) % n ? 1 : 0;
    case FRANK: return j + 1 < i ? 0 : (double)(n - (i > j ? i : j));
    case TRIANGULAR: return i <= j ? random : 0;
    case TWO_BY_TWO: return i / 2 == j / 2 ? (i == j ? 1 : i < j ? 2 : i % 4 < 2 ? -1 : 1) : i < j ? random : 0;
    case SKEW: return 0;
    case NILPOTENT: return i < j ? random : 0;
    case UNBALANCED: return ldexp(random, (int)(20 * (i - j) / n));
    case PERMUTED: return (i * 7 + 3) % 31 <= (j * 7 + 3) % 31 ? random : 0;
    default: return random;
  }
}

static void make_companion(int dtype, tsr_index n) {
  double c[MOST + 1] = {1};
  for (tsr_index k = 0; k < n; k++)
    for (tsr_index i = k + 1; i > 0; i--) c[i] -= c[i - 1] * (double)(k + 1) / (double)n;
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = 0; j < n; j++) a[i * n + j] = as_dtype(dtype, i == 0 ? -c[j + 1] : i == j + 1 ? 1 : 0);
}

static void make_hard(test_rng *rng, int kind, int dtype, tsr_index n) {
  if (kind < KINDS) {
    make_matrix(rng, (matrix_kind)kind, dtype, n, n, a);
    return;
  }
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = 0; j < n; j++)
      a[i * n + j] = as_dtype(dtype, hard_number((hard_kind)kind, n, i, j, any_number(rng)));
  if (kind == COMPANION) make_companion(dtype, n);
  for (tsr_index i = 0; i < n && kind == SKEW; i++)
    for (tsr_index j = 0; j < i; j++) a[j * n + i] = -(a[i * n + j] = as_dtype(dtype, any_number(rng)));
}

static void say(const char *what, int kind, int dtype, tsr_index n, double ratio) {
  const bool fine = ratio < BOUND;
  CHECK(fine);
  if (!fine && test_now.failures <= 20)
    printf("  %s: %s, %s, %d: %g\n", what, kind < KINDS ? kind_names[kind] : hard_names[kind - KINDS],
           tsr_dtype_name(dtype), (int)n, ratio);
}

/* Real and imaginary parts in turn. */
static void complex_numbers_of(tsr_ctx *ctx, const tsr_tensor *t, double *to) {
  tsr_tensor wide = {0};
  OK(ctx, tsr_from_memory(ctx, to, TSR_C128, t->ndim, t->shape, &wide));
  OK(ctx, tsr_copy(ctx, t, &wide));
}

/* ‖A·v - λ·v‖ of column j, by its largest part, and how far its length is from 1. */
static double residual(tsr_index n, tsr_index j, double *length) {
  double most = 0;
  long double square = 0;
  for (tsr_index i = 0; i < n; i++) {
    long double re = 0, im = 0;
    const double *const x = v + 2 * (i * n + j);
    for (tsr_index k = 0; k < n; k++) {
      re += (long double)a[i * n + k] * v[2 * (k * n + j)];
      im += (long double)a[i * n + k] * v[2 * (k * n + j) + 1];
    }
    re -= (long double)w[2 * j] * x[0] - (long double)w[2 * j + 1] * x[1];
    im -= (long double)w[2 * j] * x[1] + (long double)w[2 * j + 1] * x[0];
    most = fmax(most, fmax(fabs((double)re), fabs((double)im)));
    square += (long double)x[0] * x[0] + (long double)x[1] * x[1];
  }
  *length = sqrt((double)square);
  return most;
}

static void check_vectors(int kind, int dtype, tsr_index n) {
  const double unit = (double)n * (unit_of(dtype) * norm_of(n, n, a) + 4 * least_of(dtype));
  for (tsr_index j = 0; j < n; j++) {
    double length, most = 0;
    tsr_index largest = 0;
    say("Av - wv", kind, dtype, n, residual(n, j, &length) / unit);
    say("length", kind, dtype, n, fabs(length - 1) / ((double)n * unit_of(dtype)));
    for (tsr_index i = 0; i < n; i++) {
      const double size = hypot(v[2 * (i * n + j)], v[2 * (i * n + j) + 1]);
      if (size > most) most = size, largest = i;
    }
    bool real = v[2 * (largest * n + j) + 1] == 0;
    for (tsr_index i = 0; i < n && !real; i++) /* or another one that is as large */
      real = v[2 * (i * n + j) + 1] == 0 && fabs(v[2 * (i * n + j)]) >= most * (1 - 8 * unit_of(dtype));
    CHECK(real);
    if (w[2 * j + 1] == 0)
      for (tsr_index i = 0; i < n; i++) CHECK(v[2 * (i * n + j) + 1] == 0);
    if (!(w[2 * j + 1] > 0)) continue;
    CHECK(j + 1 < n && w[2 * j + 2] == w[2 * j] && w[2 * j + 3] == -w[2 * j + 1]);
    for (tsr_index i = 0; i < n; i++)
      CHECK(v[2 * (i * n + j)] == v[2 * (i * n + j + 1)] && v[2 * (i * n + j) + 1] == -v[2 * (i * n + j + 1) + 1]);
  }
}

/* How near a matrix with this eigenvalue is: the least singular value of A - λ, as a real matrix twice as large. */
static void check_alone(tsr_ctx *ctx, int kind, int dtype, tsr_index n) {
  const double size = norm_of(n, n, a), up = size > 0 && size < 1e-200 ? 0x1p900 : size > 1e200 ? 0x1p-900 : 1;
  for (tsr_index j = 0; j < n; j++) {
    for (tsr_index i = 0; i < n; i++)
      for (tsr_index k = 0; k < n; k++) {
        const double re = (a[i * n + k] - (i == k ? alone[2 * j] : 0)) * up, im = i == k ? alone[2 * j + 1] * up : 0;
        big[i * 2 * n + k] = big[(i + n) * 2 * n + k + n] = re;
        big[i * 2 * n + k + n] = im;
        big[(i + n) * 2 * n + k] = -im;
      }
    tsr_tensor t = tensor_from(ctx, TSR_F64, 2, (const tsr_index[]){2 * n, 2 * n}, big), values = {0};
    OK(ctx, tsr_svdvals(ctx, &t, &values));
    numbers_of(ctx, &values, s);
    say("an eigenvalue alone", kind, dtype, n,
        s[2 * n - 1] / up / ((double)n * (unit_of(dtype) * size + 4 * least_of(dtype))));
    tsr_release(&t), tsr_release(&values);
  }
}

static void check_eig(tsr_ctx *ctx, test_rng *rng, int kind, int dtype, tsr_index n, bool alone_too) {
  make_hard(rng, kind, dtype, n);
  tsr_tensor ta = tensor_from(ctx, dtype, 2, (const tsr_index[]){n, n}, a), tw = {0}, tv = {0}, values = {0};
  OK(ctx, tsr_eig(ctx, &ta, &tw, &tv));
  OK(ctx, tsr_eigvals(ctx, &ta, &values));
  CHECK(tw.dtype == (dtype == TSR_F64 ? TSR_C128 : TSR_C64) && tv.dtype == tw.dtype && values.dtype == tw.dtype);
  CHECK(tw.ndim == 1 && tw.shape[0] == n && tv.ndim == 2 && tv.shape[0] == n && tv.shape[1] == n);
  complex_numbers_of(ctx, &tw, w);
  complex_numbers_of(ctx, &tv, v);
  complex_numbers_of(ctx, &values, alone);
  check_vectors(kind, dtype, n);
  if (alone_too) check_alone(ctx, kind, dtype, n);
  tsr_release(&ta), tsr_release(&tw), tsr_release(&tv), tsr_release(&values);
}

static const int dtypes[] = {TSR_F32, TSR_F64};

TEST(backward_errors) {
  for (int isa = 0; tsr_isa_name(isa) != NULL; isa++)
    for (int d = 0; d < 2; d++) {
      tsr_ctx *const ctx = own_context();
      test_rng rng = {(uint64_t)(7 + d)};
      const bool last = tsr_isa_name(isa + 1) == NULL;
      if (tsr_context_set_isa(ctx, tsr_isa_name(isa)) != TSR_OK) continue;
      for (int kind = 0; kind < BEYOND; kind++)
        for (tsr_index n = 1; n <= 30; n += last || n < 9 ? 1 : 7)
          check_eig(ctx, &rng, kind, dtypes[d], n, last && n <= 12);
      for (int kind = 0; kind < BEYOND && last; kind++) check_eig(ctx, &rng, kind, dtypes[d], 64, false);
      check_eig(ctx, &rng, RANDOM, dtypes[d], 100, false);
      check_eig(ctx, &rng, UNBALANCED, dtypes[d], MOST, false);
      CHECK(test_live() == 0);
    }
}

/* Many random ones: none is without a result. */
TEST(converges) {
  tsr_ctx *const ctx = own_context();
  test_rng rng = {11};
  for (int round = 0; round < 400; round++)
    check_eig(ctx, &rng, round % 5 == 0 ? UNBALANCED : RANDOM, dtypes[round % 2], 2 + round % 11, false);
  CHECK(test_live() == 0);
}

TEST(known_results) {
  tsr_ctx *const ctx = own_context();
  const double turn[] = {0, -2, 2, 0}, triangle[] = {3, 5, 0, -1};
  tsr_tensor t = tensor_from(ctx, TSR_F64, 2, (const tsr_index[]){2, 2}, turn), values = {0}, vectors = {0};
  OK(ctx, tsr_eig(ctx, &t, &values, &vectors));
  const double *x = values.data, *y = vectors.data;
  CHECK(x[0] == 0 && x[1] == 2 && x[2] == 0 && x[3] == -2); /* ±2i */
  CHECK(fabs(fabs(y[0]) + fabs(y[1]) - sqrt(0.5)) < 1e-15 && fabs(fabs(y[4]) + fabs(y[5]) - sqrt(0.5)) < 1e-15);
  tsr_release(&t);
  t = tensor_from(ctx, TSR_F64, 2, (const tsr_index[]){2, 2}, triangle);
  OK(ctx, tsr_eig(ctx, &t, &values, &vectors));
  x = values.data, y = vectors.data;
  CHECK(x[0] == 3 && x[1] == 0 && x[2] == -1 && x[3] == 0);
  CHECK(fabs(y[0]) == 1 && y[4] == 0 && fabs(y[2] / y[6] + 1.25) < 1e-15);
  tsr_release(&t), tsr_release(&values), tsr_release(&vectors);
  CHECK(test_live() == 0);
}

/* A stack, its matrices transposed, over given outputs with strides: the bits of each matrix alone. */
TEST(stacks) {
  tsr_ctx *const ctx = own_context();
  for (tsr_index n = 2; n <= 20; n += 9) {
    tsr_rng rng = tsr_rng_seed(3);
    tsr_tensor all = {0}, across = {0}, wide_w = {0}, w_of = {0}, wide_v = {0}, v_of = {0};
    OK(ctx, tsr_rand_normal(ctx, &rng, TSR_F32, 4, (const tsr_index[]){2, 3, n, n}, &all));
    OK(ctx, tsr_transpose(ctx, &all, -2, -1, &across));
    OK(ctx, tsr_zeros(ctx, TSR_C64, 4, (const tsr_index[]){3, 2, n, 2}, &wide_w));
    OK(ctx, tsr_zeros(ctx, TSR_C64, 4, (const tsr_index[]){2, 3, n, n}, &wide_v));
    OK(ctx, tsr_select(ctx, &wide_w, -1, 1, &w_of));
    OK(ctx, tsr_transpose(ctx, &w_of, 0, 1, &w_of));
    OK(ctx, tsr_transpose(ctx, &wide_v, -2, -1, &v_of));
    OK(ctx, tsr_eig(ctx, &across, &w_of, &v_of));
    for (tsr_index i = 0; i < 6; i++) {
      tsr_tensor one = {0}, part = {0}, values = {0}, vectors = {0};
      OK(ctx, tsr_select(ctx, &across, 0, i / 3, &one));
      OK(ctx, tsr_select(ctx, &one, 0, i % 3, &one));
      OK(ctx, tsr_eig(ctx, &one, &values, &vectors));
      OK(ctx, tsr_select(ctx, &w_of, 0, i / 3, &part));
      OK(ctx, tsr_select(ctx, &part, 0, i % 3, &part));
      CHECK(test_same_elements(&part, &values));
      part = (tsr_tensor){0};
      OK(ctx, tsr_select(ctx, &v_of, 0, i / 3, &part));
      OK(ctx, tsr_select(ctx, &part, 0, i % 3, &part));
      CHECK(test_same_elements(&part, &vectors));
      tsr_release(&values), tsr_release(&vectors);
    }
    tsr_release(&all), tsr_release(&wide_w), tsr_release(&wide_v);
  }
  CHECK(test_live() == 0);
}

TEST(dtypes_and_odd_numbers) {
  tsr_ctx *const ctx = own_context();
  static const int of[][2] = {{TSR_F16, TSR_C64},  {TSR_BF16, TSR_C64}, {TSR_BOOL, TSR_C64},
                              {TSR_I32, TSR_C128}, {TSR_U8, TSR_C64},   {TSR_F64, TSR_C128}};
  for (int i = 0; i < COUNT_OF(of); i++) {
    tsr_tensor t = {0}, root = {0}, values = {0}, vectors = {0};
    OK(ctx, tsr_eye(ctx, of[i][0], 3, 3, 0, &t));
    OK(ctx, tsr_sqrt(ctx, &t, &root));
    OK(ctx, tsr_eig(ctx, &t, &values, &vectors));
    CHECK(values.dtype == (root.dtype == TSR_F64 ? TSR_C128 : TSR_C64));
    complex_numbers_of(ctx, &values, w);
    for (int k = 0; k < 3; k++) CHECK(w[2 * k] == 1 && w[2 * k + 1] == 0);
    tsr_release(&t), tsr_release(&root), tsr_release(&values), tsr_release(&vectors);
  }
  for (tsr_index n = 0; n <= 33; n += 11) {
    tsr_tensor t = {0}, values = {0}, vectors = {0};
    OK(ctx, tsr_ones(ctx, TSR_F32, 2, (const tsr_index[]){n, n}, &t));
    if (n > 0) TSR_AT(float, &t, 0, n - 1) = n == 22 ? INFINITY : NAN;
    OK(ctx, tsr_eig(ctx, &t, &values, &vectors));
    complex_numbers_of(ctx, &values, w);
    for (tsr_index i = 0; i < n; i++) CHECK(isnan(w[2 * i]));
    tsr_release(&t), tsr_release(&values), tsr_release(&vectors);
  }
  CHECK(test_live() == 0);
}

TEST(bad_calls) {
  tsr_ctx *const ctx = own_context();
  tsr_tensor oblong = {0}, z = {0}, square = {0}, real = {0}, out[2] = {{0}};
  OK(ctx, tsr_ones(ctx, TSR_F32, 2, (const tsr_index[]){3, 4}, &oblong));
  OK(ctx, tsr_ones(ctx, TSR_F32, 2, (const tsr_index[]){3, 3}, &square));
  OK(ctx, tsr_ones(ctx, TSR_F32, 1, (const tsr_index[]){3}, &real));
  FAILS(ctx, TSR_ESHAPE, tsr_eig(ctx, &oblong, &out[0], &out[1]));
  MESSAGE_HAS(ctx, "eig: a [3,4]: its matrices are not square");
  FAILS(ctx, TSR_ESHAPE, tsr_eigvals(ctx, &oblong, &out[0]));
  MESSAGE_HAS(ctx, "eigvals: a [3,4]: its matrices are not square");
  FAILS(ctx, TSR_EDTYPE, tsr_eigvals(ctx, &square, &real));
  FAILS(ctx, TSR_EARG, tsr_eig(ctx, NULL, &out[0], &out[1]));
  FAILS(ctx, TSR_EARG, tsr_eig(ctx, &square, NULL, &out[1]));
  tsr_release(&oblong), tsr_release(&z), tsr_release(&square), tsr_release(&real);
  CHECK(test_live() == 0);
}

TEST_MAIN(RUN(backward_errors), RUN(converges), RUN(known_results), RUN(stacks), RUN(dtypes_and_odd_numbers),
          RUN(bad_calls))
