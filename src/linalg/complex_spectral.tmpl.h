/* One type of parts of complex numbers: what spectral.tmpl.h has for real ones, after it in the same file. */
#include "linalg/complex.tmpl.h"

#define EPSILON (C_BITS == 32 ? (C)0x1p-23 : (C)0x1p-52)
#define NOTHING (C_BITS == 32 ? (C)0x1p-100 : (C)0x1p-800) /* as for real numbers */

/* ---- eigenvalues ---- */

/* x becomes v, whose first element is 1, with Hᴴ·x = beta, which is returned. */
static C FN(complex_reflection)(tsr_index n, FN(complex) * x, FN(complex) * tau) {
  FN(complex) scale;
  const C below = n > 1 ? FN(dot_conjugate)(n - 1, x + 1, x + 1).re : 0;
  const C beta = FN(reflector)(x[0], below, tau, &scale);
  x[0] = (FN(complex)){1, 0};
  for (tsr_index i = 1; i < n && below != 0; i++) x[i] = FN(times)(x[i], scale);
  return beta;
}

static void FN(conjugate_row)(tsr_index n, FN(complex) * x) {
  for (tsr_index i = 0; i < n; i++) x[i].im = -x[i].im;
}

/* Row k is the conjugate of column k, which is what reflects. */
static void FN(complex_tridiagonal)(tsr_index n, void *matrix, void *diagonal, void *beside, void *taus, void *room) {
  FN(complex) *const a = matrix, *const tau = taus, *const p = room;
  C *const d = diagonal, *const e = beside;
  for (tsr_index k = 0; k + 1 < n; k++) {
    FN(complex) *const v = a + k * n + k + 1, *const rest = a + (k + 1) * n + k + 1;
    const tsr_index left = n - k - 1;
    d[k] = a[k * n + k].re;
    FN(conjugate_row)(left, v);
    e[k] = FN(complex_reflection)(left, v, &tau[k]);
    if (tau[k].re == 0 && tau[k].im == 0) continue;
    for (tsr_index i = 0; i < left; i++) p[i] = FN(times)(tau[k], FN(dot_complex)(left, rest + i * n, v));
    const FN(complex) half = FN(scaled)((C)-0.5, FN(times)(tau[k], FN(dot_conjugate)(left, p, v)));
    FN(add_complex)(left, half, v, p);
    for (tsr_index i = 0; i < left; i++) { /* - v·pᴴ - p·vᴴ */
      FN(add_conjugate)(left, FN(scaled)(-1, v[i]), p, rest + i * n);
      FN(add_conjugate)(left, FN(scaled)(-1, p[i]), v, rest + i * n);
    }
  }
  if (n > 0) d[n - 1] = a[n * n - 1].re;
}

static void FN(complex_form)(tsr_index n, const void *matrix, const void *taus, void *product) {
  const FN(complex) *const a = matrix, *const tau = taus;
  FN(complex) *const q = product;
  for (tsr_index i = 0; i < n * n; i++) q[i] = (FN(complex)){i % (n + 1) == 0, 0};
  for (tsr_index k = n - 1; k-- > 0;) {
    const FN(complex) *const v = a + k * n + k + 1;
    const tsr_index left = n - k - 1;
    if (tau[k].re == 0 && tau[k].im == 0) continue;
    for (tsr_index i = k + 1; i < n; i++) { /* row by I - tau·conj(v)·vᵀ */
      FN(complex) *const row = q + i * n + k + 1;
      const FN(complex) along = FN(times)(tau[k], FN(dot_conjugate)(left, v, row));
      FN(add_complex)(left, FN(scaled)(-1, along), v, row);
    }
  }
}

/* ---- singular values ---- */

static void FN(complex_bidiagonal)(tsr_index m, tsr_index n, void *matrix, void *diagonal, void *above, void *room) {
  FN(complex) *const a = matrix, *const v = room, *const w = v + m;
  C *const d = diagonal, *const e = above;
  for (tsr_index k = 0; k < n; k++) {
    const tsr_index below = m - k, right = n - k - 1;
    FN(complex) tau;
    for (tsr_index i = 0; i < below; i++) v[i] = a[(k + i) * n + k];
    d[k] = FN(complex_reflection)(below, v, &tau);
    if (right == 0) break;
    for (tsr_index j = 0; j < right; j++) w[j] = (FN(complex)){0, 0};
    for (tsr_index i = 0; i < below; i++) FN(add_complex)(right, FN(conjugate)(v[i]), a + (k + i) * n + k + 1, w);
    const FN(complex) by = FN(scaled)(-1, FN(conjugate)(tau));
    for (tsr_index i = 0; i < below; i++) FN(add_complex)(right, FN(times)(by, v[i]), w, a + (k + i) * n + k + 1);
    FN(complex) *const row = a + k * n + k + 1;
    FN(conjugate_row)(right, row);
    e[k] = FN(complex_reflection)(right, row, &tau);
    for (tsr_index i = 1; i < below; i++) { /* A·(I - tau·u·uᴴ) */
      FN(complex) *const other = a + (k + i) * n + k + 1;
      const FN(complex) along = FN(times)(tau, FN(dot_complex)(right, row, other));
      FN(add_conjugate)(right, FN(scaled)(-1, along), row, other);
    }
  }
}

/* Row y rotated by a phase, so that its product with x is real, and both rotated. */
static void FN(rotate_complex_rows)(tsr_index n, C c, C s, FN(complex) phase, FN(complex) * x, FN(complex) * y) {
  const V vc = ALL(c), vs = ALL(s), as_is = ALL(phase.re), rotated = FN(alternating)(-phase.im, phase.im);
  C *const p = (C *)x, *const q = (C *)y;
  tsr_index k = 0;
  for (; k + LANES <= 2 * n; k += LANES) {
    const V a = LOAD(p + k), b = LOAD(q + k), by = MADD(rotated, PAIRS(b), as_is * b);
    STORE(p + k, MADD(-vs, by, vc * a));
    STORE(q + k, MADD(vs, a, vc * by));
  }
  if (k == 2 * n) return;
  const int left = (int)(2 * n - k);
  const V a = LOAD_PART(p + k, left), b = LOAD_PART(q + k, left), by = MADD(rotated, PAIRS(b), as_is * b);
  STORE_PART(p + k, MADD(-vs, by, vc * a), left);
  STORE_PART(q + k, MADD(vs, a, vc * by), left);
}

static C FN(length_of)(tsr_index n, const FN(complex) * x) { return FN(dot_conjugate)(n, x, x).re; }

static bool FN(complex_rotate_pair)(tsr_index count, tsr_index len, FN(complex) * g, FN(complex) * j, C *squares,
                                    tsr_index p, tsr_index q, C tolerance) {
  FN(complex) *const x = g + p * len, *const y = g + q * len;
  if (!(squares[p] > NOTHING && squares[q] > NOTHING)) return false;
  const FN(complex) product = FN(dot_conjugate)(len, y, x);
  const C gamma = FN(absolute)(product);
  if (!(gamma > tolerance * TSR__TYPE_SQRT(squares[p]) * TSR__TYPE_SQRT(squares[q]))) return false;
  const FN(complex) phase = {product.re / gamma, product.im / gamma};
  const C zeta = (squares[q] - squares[p]) / (2 * gamma), far = FN(magnitude)(zeta);
  const C size = 1 / (far + (far > (C)0x1p40 ? far : TSR__TYPE_SQRT(zeta * zeta + 1)));
  const C t = zeta < 0 ? -size : size, c = 1 / TSR__TYPE_SQRT(t * t + 1), s = t * c;
  FN(rotate_complex_rows)(len, c, s, phase, x, y);
  if (j != NULL) FN(rotate_complex_rows)(count, c, s, phase, j + p * count, j + q * count);
  const C moved = t * gamma, less = squares[p] - moved, more = squares[q] + moved;
  squares[p] = less > squares[p] / 4 ? less : FN(length_of)(len, x);
  squares[q] = more > squares[q] / 4 ? more : FN(length_of)(len, y);
  return true;
}

static tsr_index FN(complex_rotate)(tsr_index count, tsr_index len, void *rows, void *along, void *lengths) {
  enum { SWEEPS = 40 };
  FN(complex) *const g = rows;
  C *const sigma = lengths;
  const C tolerance = EPSILON * (2 + (C)len / 4);
  bool rotated = true;
  for (int sweep = 0; sweep < SWEEPS && rotated; sweep++) {
    rotated = false;
    for (tsr_index i = 0; i < count; i++) sigma[i] = FN(length_of)(len, g + i * len);
    for (tsr_index p = 0; p < count; p++)
      for (tsr_index q = p + 1; q < count; q++)
        rotated |= FN(complex_rotate_pair)(count, len, g, along, sigma, p, q, tolerance);
  }
  for (tsr_index i = 0; i < count; i++) sigma[i] = sigma[i] <= NOTHING ? 0 : TSR__TYPE_SQRT(sigma[i]);
  return rotated;
}

/* A row of unit length, orthogonal to those before it: of the direction of which they have least. */
static void FN(complex_complete_row)(tsr_index len, tsr_index row, FN(complex) * g) {
  FN(complex) *const to = g + row * len;
  tsr_index best = 0;
  C least = 2;
  for (tsr_index k = 0; k < len; k++) {
    C had = 0;
    for (tsr_index i = 0; i < row; i++) had += FN(square_of)(g[i * len + k]);
    if (had < least) least = had, best = k;
  }
  for (tsr_index k = 0; k < len; k++) to[k] = (FN(complex)){k == best, 0};
  for (int again = 0; again < 2; again++) {
    for (tsr_index i = 0; i < row; i++)
      FN(add_complex)(len, FN(scaled)(-1, FN(dot_conjugate)(len, g + i * len, to)), g + i * len, to);
    const C scale = 1 / TSR__TYPE_SQRT(FN(length_of)(len, to));
    for (tsr_index k = 0; k < len; k++) to[k] = FN(scaled)(scale, to[k]);
  }
}

static void FN(complex_normalise)(tsr_index count, tsr_index all, tsr_index len, void *rows, const void *lengths) {
  FN(complex) *const g = rows;
  const C *const sigma = lengths;
  for (tsr_index i = 0; i < all; i++) {
    if (i >= count || sigma[i] == 0) {
      FN(complex_complete_row)(len, i, g);
      continue;
    }
    const C scale = 1 / sigma[i];
    for (tsr_index k = 0; k < len; k++) g[i * len + k] = FN(scaled)(scale, g[i * len + k]);
  }
}

#undef PAIRS
#undef EPSILON
#undef NOTHING
