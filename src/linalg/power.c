/* tsr_matrix_power, tsr_expm: products, and a system of equations. */
#include "linalg/blocked.h"
#include "linalg/ops.h"
#include "linalg/stack.h"

#if TSR_HAVE_MALLOC

static tsr__submatrix take_square(tsr__work *w, tsr_index n) {
  return tsr__submatrix_of(w, tsr__work_take(w, (size_t)(n * n + 1) * (size_t)tsr__work_item(w)), n);
}

static void square_product(tsr__work *w, tsr_index n, tsr__submatrix a, tsr__submatrix b, tsr__submatrix to) {
  tsr__submatrix_multiply(w, TSR__SET, n, n, n, a, b, to);
}

static void swap_blocks(tsr__submatrix *x, tsr__submatrix *y) {
  const tsr__submatrix t = *x;
  *x = *y;
  *y = t;
}

/* ---- powers ---- */

/* By squaring: s->number is the exponent, 0 or more. */
static void power_rows(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  const tsr_index n = s->in[0].rows;
  const tsr__submatrix to = tsr__submatrix_of(w, out[0], n);
  tsr__submatrix base = tsr__submatrix_of(w, in[0], n), result = take_square(w, n), room = take_square(w, n);
  uint64_t left = (uint64_t)(s->exponent < 0 ? -(s->exponent + 1) : s->exponent) + (s->exponent < 0);
  if (s->exponent < 0) {
    const tsr__submatrix inverse = take_square(w, n);
    tsr__submatrix_diagonal(w, n, n, inverse, 1);
    tsr__solve_square(w, n, base, inverse, n, fault);
    base = inverse;
  }
  tsr__submatrix_diagonal(w, n, n, result, 1);
  for (bool first = true; left != 0; left >>= 1) {
    if ((left & 1) != 0 && first) tsr__submatrix_copy(w, n, n, base, result);
    if ((left & 1) != 0 && !first) {
      square_product(w, n, result, base, room);
      swap_blocks(&result, &room);
    }
    first = first && (left & 1) == 0;
    if (left == 1) break;
    square_product(w, n, base, base, room);
    swap_blocks(&base, &room);
  }
  tsr__submatrix_copy(w, n, n, result, to);
}

static tsr_status matrix_power(tsr__call *call) {
  tsr__stack s = {.ins = 1,
                  .in = {{.core = 2}},
                  .rows = power_rows,
                  .what = "is singular: no pivot but 0 is left at",
                  .exponent = ((const tsr__matrix_power_attrs *)call->attrs)->n};
  if (s.exponent < 0) s.fault = TSR_ESINGULAR;
  tsr_status st = tsr__stack_inputs(call, &s);
  if (st == TSR_OK) st = tsr__stack_square(call, &s, 0);
  if (st != TSR_OK) return st;
  tsr__stack_output(&s, 2, s.in[0].rows, s.in[0].rows);
  return tsr__stack_run(call, &s);
}

/* ---- the exponential: Padé's quotient of a matrix that was halved until it is small, then squared again ---- */

/* Degree m: c(k) = (2m - k)!·m! / ((2m)!·k!·(m - k)!), times what makes the last one 1. */
static double coefficient(int m, int k) {
  double c = 1;
  for (int i = m; i > k; i--) c *= (double)i * (double)(m + m - i + 1) / (double)(m - i + 1);
  return c;
}

/* The largest sum of a column. */
static double norm_of(const tsr__work *w, tsr_index n, tsr__submatrix a) {
  double most = 0;
  for (tsr_index j = 0; j < n; j++) {
    double sum = 0;
    for (tsr_index i = 0; i < n; i++) {
      sum += (double)tsr__submatrix_size(w, a, i, j);
    }
    if (!(sum <= most)) most = sum; /* NaN stays */
    if (sum != sum) return sum;
  }
  return most;
}

/* Real factors see complex numbers as real ones, in a row. */
typedef struct flat {
  tsr__work parts;
  tsr_index n;
} flat;
static flat flat_of(const tsr__work *w, tsr_index n) {
  return (flat){tsr__work_parts(w), tsr__work_is_complex(w) ? 2 * n * n : n * n};
}

static void scale(const tsr__work *w, tsr_index n, tsr__submatrix a, double factor) {
  const flat f = flat_of(w, n);
  const tsr__submatrix x = tsr__submatrix_of(&f.parts, a.at, f.n);
  for (tsr_index i = 0; i < f.n && w->base != NULL; i++)
    tsr__submatrix_put(&f.parts, x, 0, i, (tsr_real)((double)tsr__submatrix_get(&f.parts, x, 0, i) * factor));
}

/* to += f · a. */
static void add_to(const tsr__work *w, tsr_index n, double by, tsr__submatrix a, tsr__submatrix to) {
  const flat f = flat_of(w, n);
  const tsr__submatrix x = tsr__submatrix_of(&f.parts, a.at, f.n), y = tsr__submatrix_of(&f.parts, to.at, f.n);
  for (tsr_index i = 0; i < f.n && w->base != NULL; i++) {
    const double sum =
        (double)tsr__submatrix_get(&f.parts, y, 0, i) + by * (double)tsr__submatrix_get(&f.parts, x, 0, i);
    tsr__submatrix_put(&f.parts, y, 0, i, (tsr_real)sum);
  }
}

/* even and odd: the terms of even and of odd degree. They share powers of a². */
static void sum_terms(tsr__work *w, tsr_index n, int degree, tsr__submatrix a, tsr__submatrix even,
                      tsr__submatrix odd) {
  const tsr__submatrix square = take_square(w, n);
  tsr__submatrix power = take_square(w, n), next = take_square(w, n), sum = take_square(w, n);
  square_product(w, n, a, a, square);
  tsr__submatrix_diagonal(w, n, n, power, 1);
  tsr__submatrix_diagonal(w, n, n, even, 0);
  tsr__submatrix_diagonal(w, n, n, sum, 0);
  for (int k = 0; k <= degree; k += 2) {
    add_to(w, n, coefficient(degree, k), power, even);
    add_to(w, n, coefficient(degree, k + 1), power, sum);
    if (k + 2 > degree) break;
    square_product(w, n, power, square, next);
    swap_blocks(&power, &next);
  }
  square_product(w, n, a, sum, odd);
}

static void expm_rows(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  enum { HALVINGS = 1100 };
  const tsr_index n = s->in[0].rows;
  const int degree = tsr__work_type(w) % 2 == 1 ? 13 : 7;
  const double small = tsr__work_type(w) % 2 == 1 ? 5.37 : 3.92,
               norm = w->base != NULL ? norm_of(w, n, tsr__submatrix_of(w, in[0], n)) : 0;
  const tsr__submatrix a = tsr__submatrix_of(w, in[0], n), even = take_square(w, n), odd = take_square(w, n),
                       lower = take_square(w, n);
  tsr__submatrix to = tsr__submatrix_of(w, out[0], n), upper = take_square(w, n);
  int halvings = 0;
  for (double left = norm; left > small && halvings < HALVINGS; left /= 2) halvings++;
  scale(w, n, a, __builtin_ldexp(1, -halvings));
  sum_terms(w, n, degree, a, even, odd);
  tsr__submatrix_copy(w, n, n, even, lower);
  tsr__submatrix_copy(w, n, n, even, upper);
  add_to(w, n, -1, odd, lower);
  add_to(w, n, 1, odd, upper);
  tsr__solve_square(w, n, lower, upper, n, fault);
  if (w->base != NULL) *fault = 0; /* what is not finite comes out so */
  tsr__submatrix result = upper, room = even;
  for (int i = 0; i < (w->base != NULL ? halvings : 1); i++) {
    square_product(w, n, result, result, room);
    if (w->base != NULL) swap_blocks(&result, &room);
  }
  tsr__submatrix_copy(w, n, n, result, to);
}

static tsr_status expm(tsr__call *call) {
  tsr__stack s = {.ins = 1, .in = {{.core = 2}}, .rows = expm_rows};
  tsr_status st = tsr__stack_inputs(call, &s);
  if (st == TSR_OK) st = tsr__stack_square(call, &s, 0);
  if (st != TSR_OK) return st;
  tsr__stack_output(&s, 2, s.in[0].rows, s.in[0].rows);
  return tsr__stack_run(call, &s);
}

#else

static tsr_status matrix_power(tsr__call *call) { return tsr__stack_refuse_build(call); }
static tsr_status expm(tsr__call *call) { return tsr__stack_refuse_build(call); }

#endif

TSR__OP(matrix_power, matrix_power, 0)
tsr_status tsr_matrix_power(tsr_ctx *ctx, const tsr_tensor *a, int64_t n, tsr_tensor *out) {
  return TSR__CALL(matrix_power, ctx, TSR__INPUTS(a), TSR__OUTPUTS(out), .n = n);
}

TSR__OP(expm, expm, 0)
tsr_status tsr_expm(tsr_ctx *ctx, const tsr_tensor *a, tsr_tensor *out) {
  return TSR__CALL(expm, ctx, TSR__INPUTS(a), TSR__OUTPUTS(out), );
}
