/* One type of parts of complex numbers: what leaf.tmpl.h has for real ones. */
#include "linalg/complex.tmpl.h"

/* ---- substitution ---- */

/* What divides by d: a number near 1, and two powers of two that are in range. */
typedef struct FN(divisor) {
  FN(complex) inverse;
  C first, second;
} FN(divisor);

static FN(divisor) FN(divisor_of)(FN(complex) d) {
  const C most = FN(magnitude)(d.re) > FN(magnitude)(d.im) ? FN(magnitude)(d.re) : FN(magnitude)(d.im);
  int exponent = 0;
  if (!(most > 0) || most - most != 0) return (FN(divisor)){FN(over)((FN(complex)){1, 0}, d), 1, 1};
  (void)__builtin_frexp((double)most, &exponent);
  const int half = exponent / 2;
  const C first = (C)__builtin_ldexp(1, -half), second = (C)__builtin_ldexp(1, half - exponent);
  const FN(complex) near = {d.re * first * second, d.im * first * second};
  return (FN(divisor)){FN(over)((FN(complex)){1, 0}, near), first, second};
}

static inline FN(complex) FN(divided)(const FN(divisor) * d, FN(complex) x) {
  return FN(scaled)(d->second, FN(scaled)(d->first, FN(times)(x, d->inverse)));
}

static inline FN(complex) FN(element)(const tsr__triangle *t, tsr_index i, tsr_index k) {
  const FN(complex) x = ((const FN(complex) *)t->t)[i * t->row + k * t->col];
  return t->conj ? FN(conjugate)(x) : x;
}

enum { FN(SIDE) = 4 }; /* vectors side by side */

/* Real numbers of columns of b in vectors, wide of them; the last has left lanes. step counts real numbers. */
TSR__INLINE void FN(complex_forward)(const tsr__triangle *t, const int wide, int left, C *b, tsr_index step) {
  for (tsr_index i = 0; i < t->n; i++) {
    C *const to = b + i * step;
    V x[FN(SIDE)];
    TSR__UNROLL(4)
    for (int v = 0; v < wide; v++)
      x[v] = v + 1 < wide || left == LANES ? LOAD(to + v * LANES) : LOAD_PART(to + v * LANES, left);
    for (tsr_index k = 0; k < i; k++) {
      const FN(complex) f = FN(element)(t, i, k);
      const V as_is = ALL(-f.re), rotated = FN(alternating)(f.im, -f.im);
      const C *const from = b + k * step;
      TSR__UNROLL(4)
      for (int v = 0; v < wide; v++) {
        const V y = v + 1 < wide || left == LANES ? LOAD(from + v * LANES) : LOAD_PART(from + v * LANES, left);
        x[v] = MADD(rotated, PAIRS(y), MADD(as_is, y, x[v]));
      }
    }
    if (!t->unit) {
      const FN(divisor) d = FN(divisor_of)(FN(element)(t, i, i));
      const V re = ALL(d.inverse.re), rotated = FN(alternating)(-d.inverse.im, d.inverse.im), first = ALL(d.first),
              second = ALL(d.second);
      TSR__UNROLL(4)
      for (int v = 0; v < wide; v++) x[v] = MADD(rotated, PAIRS(x[v]), re * x[v]) * first * second;
    }
    TSR__UNROLL(4)
    for (int v = 0; v < wide; v++) {
      if (v + 1 < wide || left == LANES)
        STORE(to + v * LANES, x[v]);
      else
        STORE_PART(to + v * LANES, x[v], left);
    }
  }
}

static void FN(complex_substitute)(const tsr__triangle *t, void *b, tsr_index step, tsr_index cols) {
  C *const at = b;
  tsr_index j = 0;
  for (; j + FN(SIDE) * LANES <= 2 * cols; j += FN(SIDE) * LANES)
    FN(complex_forward)(t, FN(SIDE), LANES, at + j, 2 * step);
  for (; j + LANES <= 2 * cols; j += LANES) FN(complex_forward)(t, 1, LANES, at + j, 2 * step);
  if (j < 2 * cols) FN(complex_forward)(t, 1, (int)(2 * cols - j), at + j, 2 * step);
}

static void FN(complex_substitute_right)(const tsr__triangle *t, void *b, tsr_index step, tsr_index rows) {
  enum { SOME = C_BITS == 32 ? 32 : 16 };
  FN(complex) transposed[TSR__LEAF * SOME];
  for (tsr_index r = 0; r < rows; r += SOME) {
    const tsr_index here = rows - r < SOME ? rows - r : SOME;
    FN(complex) *const at = (FN(complex) *)b + r * step;
    for (tsr_index i = 0; i < here; i++)
      for (tsr_index j = 0; j < t->n; j++) transposed[j * SOME + i] = at[i * step + j];
    FN(complex_substitute)(t, transposed, SOME, here);
    for (tsr_index i = 0; i < here; i++)
      for (tsr_index j = 0; j < t->n; j++) at[i * step + j] = transposed[j * SOME + i];
  }
}

/* ---- LU ---- */

static tsr_index FN(complex_find_pivot)(tsr_index m, tsr_index k, const FN(complex) * a, tsr_index step) {
  tsr_index best = k;
  C most = FN(sum_of_sizes)(a[k * step + k]);
  for (tsr_index i = k + 1; i < m; i++) {
    const C x = FN(sum_of_sizes)(a[i * step + k]);
    if (x > most) most = x, best = i;
  }
  return best;
}

static void FN(complex_lu_panel)(tsr_index m, tsr_index n, void *matrix, tsr_index step, void *pivots,
                                 tsr_index *fault) {
  FN(complex) *const a = matrix;
  C *const places = pivots;
  for (tsr_index k = 0; k < n && k < m; k++) {
    const tsr_index at = FN(complex_find_pivot)(m, k, a, step);
    places[k] = (C)at;
    for (tsr_index j = 0; j < n && at != k; j++) {
      const FN(complex) t = a[k * step + j];
      a[k * step + j] = a[at * step + j];
      a[at * step + j] = t;
    }
    const FN(complex) pivot = a[k * step + k];
    if (pivot.re == 0 && pivot.im == 0) { /* so is all below it */
      if (*fault == 0) *fault = k + 1;
      continue;
    }
    const FN(divisor) d = FN(divisor_of)(pivot);
    for (tsr_index i = k + 1; i < m; i++) {
      FN(complex) *const row = a + i * step;
      row[k] = FN(divided)(&d, row[k]);
      FN(add_complex)(n - k - 1, FN(scaled)(-1, row[k]), a + k * step + k + 1, row + k + 1);
    }
  }
}

/* ---- Cholesky ---- */

/* Row k of U, where A = Uᴴ·U, from column k on, vectors side by side. */
static void FN(complex_upper_row)(tsr_index n, tsr_index k, FN(complex) * u) {
  C *const row = (C *)(u + k * TSR__LEAF);
  for (tsr_index j = 2 * k / LANES * LANES; j < 2 * n; j += FN(SIDE) * LANES) {
    const int left = (int)((2 * n - j + LANES - 1) / LANES), wide = left < FN(SIDE) ? left : FN(SIDE);
    V x[FN(SIDE)];
    for (int v = 0; v < wide; v++) x[v] = LOAD(row + j + v * LANES);
    for (tsr_index p = 0; p < k; p++) {
      const C *const above = (const C *)(u + p * TSR__LEAF);
      const C re = above[2 * k], im = above[2 * k + 1];
      const V as_is = ALL(-re), rotated = FN(alternating)(-im, im); /* minus its conjugate */
      for (int v = 0; v < wide; v++) {
        const V y = LOAD(above + j + v * LANES);
        x[v] = MADD(rotated, PAIRS(y), MADD(as_is, y, x[v]));
      }
    }
    for (int v = 0; v < wide; v++) STORE(row + j + v * LANES, x[v]);
  }
}

/* n ≤ TSR__LEAF: as the upper factor of a copy, so that rows are vectors. */
static void FN(complex_cholesky_leaf)(tsr_index n, void *matrix, tsr_index step, tsr_index *fault) {
  FN(complex) *const a = matrix, u[(TSR__LEAF + 2) * TSR__LEAF];
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = 0; j < TSR__LEAF; j++)
      u[i * TSR__LEAF + j] = j < i || j >= n ? (FN(complex)){0, 0} : FN(conjugate)(a[j * step + i]);
  for (tsr_index k = 0; k < n; k++) {
    FN(complex) *const row = u + k * TSR__LEAF;
    FN(complex_upper_row)(n, k, u);
    const C left = row[k].re;
    if (!(left > 0) && *fault == 0) *fault = k + 1;
    const C root = TSR__TYPE_SQRT(left);
    for (tsr_index j = k; j < n; j++) row[j] = (FN(complex)){row[j].re / root, row[j].im / root};
    row[k] = (FN(complex)){root, 0};
  }
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = 0; j <= i; j++) a[i * step + j] = FN(conjugate)(u[j * TSR__LEAF + i]);
}

#undef PAIRS
