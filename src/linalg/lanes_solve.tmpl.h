/* Elimination, substitution and Cholesky of one compute type, lane by lane. */
#include "linalg/lanes.tmpl.h"

/* A matrix (n, n) and right sides (n, cols) on their way. */
typedef struct FN(system) {
  tsr_index n, cols;
  V *a, *b;
  bool keeps; /* the factors stay in a */
  V *pivots;  /* NULL: nobody asks */
  V sign, fault;
} FN(system);

/* at: the row of the largest element in column k; its size. */
TSR__INLINE V FN(largest)(const FN(system) * s, tsr_index k, V *at) {
  V most = SIZE(s->a[k * s->n + k]);
  *at = ALL((C)k);
  for (tsr_index i = k + 1; i < s->n; i++) {
    const V x = SIZE(s->a[i * s->n + k]);
    const I larger = (I)(x > most);
    most = PICK(larger, x, most);
    *at = PICK(larger, ALL((C)i), *at);
  }
  return most;
}

/* Columns from … to of rows (…, width): the pivot's row comes to row k, where each lane has its own. What was in row k is kept
 * in old, to be put in the pivot's place while that is eliminated. */
TSR__INLINE void FN(lift)(tsr_index n, tsr_index k, V *rows, tsr_index width, tsr_index from, tsr_index to,
                          const I *is_pivot, V *old) {
  for (tsr_index j = from; j < to; j++) {
    V x = rows[k * width + j];
    old[j] = x;
    for (tsr_index i = k + 1; i < n; i++) x = PICK(is_pivot[i], rows[i * width + j], x);
    rows[k * width + j] = x;
  }
}

TSR__INLINE void FN(lower)(V *row, const V *pivot, const V *old, I is_pivot, V f, tsr_index from, tsr_index to) {
  for (tsr_index j = from; j < to; j++) row[j] = MADD(-f, pivot[j], PICK(is_pivot, old[j], row[j]));
}

TSR__INLINE void FN(swap_factors)(const FN(system) * s, tsr_index k, const I *is_pivot) {
  for (tsr_index j = 0; j < k; j++) {
    const V old = s->a[k * s->n + j];
    for (tsr_index i = k + 1; i < s->n; i++) {
      V *const x = &s->a[i * s->n + j], *const top = &s->a[k * s->n + j];
      *top = PICK(is_pivot[i], *x, *top);
      *x = PICK(is_pivot[i], old, *x);
    }
  }
}

static void FN(eliminate_column)(FN(system) * s, tsr_index k) {
  const tsr_index n = s->n, cols = s->cols;
  V at, old_a[TSR__LANES_SIDE], old_b[TSR__LANES_SIDE];
  I is_pivot[TSR__LANES_SIDE];
  const V most = FN(largest)(s, k, &at);
  s->fault = PICK((I)(most == ALL(0)) & (I)(s->fault == ALL(0)), ALL((C)(k + 1)), s->fault);
  s->sign = PICK((I)(at != ALL((C)k)), -s->sign, s->sign);
  if (s->pivots != NULL) s->pivots[k] = at;
  for (tsr_index i = k + 1; i < n; i++) is_pivot[i] = (I)(at == ALL((C)i));
  FN(lift)(n, k, s->a, n, k, n, is_pivot, old_a);
  FN(lift)(n, k, s->b, cols, 0, cols, is_pivot, old_b);
  if (s->keeps) FN(swap_factors)(s, k, is_pivot);
  /* A column of zeros has nothing to be eliminated: its factors are 0. */
  const FN(divisor) pivot = FN(divisor_of)(PICK((I)(most == ALL(0)), ALL(1), s->a[k * n + k]));
  for (tsr_index i = k + 1; i < n; i++) {
    V *const row = s->a + i * n;
    const V f = FN(over)(PICK(is_pivot[i], old_a[k], row[k]), &pivot);
    row[k] = f;
    FN(lower)(row, s->a + k * n, old_a, is_pivot[i], f, k + 1, n);
    FN(lower)(s->b + i * cols, s->b + k * cols, old_b, is_pivot[i], f, 0, cols);
  }
}

static void FN(eliminate_all)(FN(system) * s) {
  s->sign = ALL(1);
  s->fault = ALL(0);
  for (tsr_index k = 0; k < s->n; k++) FN(eliminate_column)(s, k);
}

/* Element (i, k) of a triangle, k on the side that comes before i. */
typedef struct FN(side) {
  tsr_index n, row, col;
  bool unit, backwards;
  const V *t;
} FN(side);

static void FN(substitute_all)(const FN(side) * s, tsr_index cols, V *b) {
  for (tsr_index step = 0; step < s->n; step++) {
    const tsr_index i = s->backwards ? s->n - 1 - step : step;
    const FN(divisor) d = FN(divisor_of)(s->unit ? ALL(1) : s->t[i * (s->row + s->col)]);
    for (tsr_index j = 0; j < cols; j++) {
      V x = b[i * cols + j];
      for (tsr_index done = 0; done < step; done++) {
        const tsr_index k = s->backwards ? s->n - 1 - done : done;
        x = MADD(-s->t[i * s->row + k * s->col], b[k * cols + j], x);
      }
      b[i * cols + j] = s->unit ? x : FN(over)(x, &d);
    }
  }
}

static void FN(back_substitute)(const FN(system) * s) {
  const FN(side) upper = {s->n, s->n, 1, false, true, s->a};
  FN(substitute_all)(&upper, s->cols, s->b);
}

/* ---- the ops ---- */

static void FN(solve)(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  if (w->base == NULL) return;
  FN(system) system = {.n = s->in[0].rows, .cols = s->out[0].cols, .a = in[0], .b = out[0]};
  FN(eliminate_all)(&system);
  FN(back_substitute)(&system);
  FN(tell_fault)(system.fault, fault);
}

static void FN(inv)(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  if (w->base == NULL) return;
  const tsr_index n = s->in[0].rows;
  V *const b = out[0];
  for (tsr_index i = 0; i < n * n; i++) b[i] = ALL(i % (n + 1) == 0 ? 1 : 0);
  FN(solve)(s, in, out, w, fault);
}

static void FN(lu)(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  if (w->base == NULL) return;
  (void)in, (void)fault; /* a factor with a 0 on its diagonal is one all the same */
  FN(system) system = {.n = s->in[0].rows, .a = out[0], .keeps = true, .pivots = out[1]};
  FN(eliminate_all)(&system);
}

static void FN(det)(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  if (w->base == NULL) return;
  (void)fault;
  FN(system) system = {.n = s->in[0].rows, .a = in[0]};
  FN(eliminate_all)(&system);
  V det = system.sign;
  for (tsr_index i = 0; i < system.n; i++) det = det * system.a[i * (system.n + 1)];
  *(V *)out[0] = det;
}

static void FN(slogdet)(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  if (w->base == NULL) return;
  (void)fault;
  FN(system) system = {.n = s->in[0].rows, .a = in[0]};
  FN(eliminate_all)(&system);
  V log = ALL(0), sign = system.sign;
  for (tsr_index i = 0; i < system.n; i++) {
    const V d = system.a[i * (system.n + 1)];
    for (int l = 0; l < LANES; l++) log[l] += FN(tsr__log)(SIZE(d)[l]);
    sign = PICK((I)(d < ALL(0)), -sign, PICK((I)(d == ALL(0)), ALL(0), PICK((I)(d != d), d, sign)));
  }
  *(V *)out[0] = sign;
  *(V *)out[1] = log;
}

static void FN(lu_solve)(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  if (w->base == NULL) return;
  const tsr_index n = s->in[0].rows, cols = s->out[0].cols;
  const V *const pivots = in[1], *const a = in[0];
  V *const b = out[0], bad = ALL(0);
  for (tsr_index k = 0; k < n; k++)
    bad = PICK((I)(a[k * (n + 1)] == ALL(0)) & (I)(bad == ALL(0)), ALL((C)(k + 1)), bad);
  for (tsr_index k = 0; k < n; k++)
    for (tsr_index i = k + 1; i < n; i++) {
      const I swapped = (I)(pivots[k] == ALL((C)i));
      for (tsr_index j = 0; j < cols; j++) {
        const V x = b[k * cols + j], y = b[i * cols + j];
        b[k * cols + j] = PICK(swapped, y, x);
        b[i * cols + j] = PICK(swapped, x, y);
      }
    }
  const FN(side) lower = {n, n, 1, true, false, a}, upper = {n, n, 1, false, true, a};
  FN(substitute_all)(&lower, cols, b);
  FN(substitute_all)(&upper, cols, b);
  FN(tell_fault)(bad, fault);
}

static void FN(solve_triangular)(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w,
                                 tsr_index *fault) {
  if (w->base == NULL) return;
  const tsr_index n = s->in[0].rows;
  const bool upper = s->flags[0], transposed = s->flags[1], unit = s->flag;
  const V *const t = in[0];
  V bad = ALL(0);
  const FN(side) side = {n, transposed ? 1 : n, transposed ? n : 1, unit, upper != transposed, t};
  for (tsr_index k = 0; k < n && !unit; k++)
    bad = PICK((I)(t[k * (n + 1)] == ALL(0)) & (I)(bad == ALL(0)), ALL((C)(k + 1)), bad);
  FN(substitute_all)(&side, s->out[0].cols, out[0]);
  FN(tell_fault)(bad, fault);
}

static void FN(cholesky_column)(tsr_index n, V *a, tsr_index j, V *fault) {
  V left = a[j * n + j];
  for (tsr_index k = 0; k < j; k++) left = MADD(-a[j * n + k], a[j * n + k], left);
  *fault = PICK(~(I)(left > ALL(0)) & (I)(*fault == ALL(0)), ALL((C)(j + 1)), *fault);
  const V root = ROOT(left);
  const FN(divisor) by = FN(divisor_of)(root);
  a[j * n + j] = root;
  for (tsr_index i = j + 1; i < n; i++) {
    V x = a[i * n + j];
    for (tsr_index k = 0; k < j; k++) x = MADD(-a[i * n + k], a[j * n + k], x);
    a[i * n + j] = FN(over)(x, &by);
  }
}

static void FN(cholesky)(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  if (w->base == NULL) return;
  (void)in;
  const tsr_index n = s->in[0].rows;
  V *const a = out[0], bad = ALL(0);
  for (tsr_index j = 0; j < n; j++) FN(cholesky_column)(n, a, j, &bad);
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = i + 1; j < n; j++) {
      a[i * n + j] = s->flag ? a[j * n + i] : ALL(0);
      if (s->flag) a[j * n + i] = ALL(0);
    }
  FN(tell_fault)(bad, fault);
}
