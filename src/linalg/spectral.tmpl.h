/* One compute type. */
#include "linalg/complete.tmpl.h"
#include "linalg/rows.tmpl.h"

/* The square of a length that counts as 0 beside a largest element near 1: below it squares lose digits. */
#define NOTHING (C_BITS == 32 ? (C)0x1p-100 : (C)0x1p-800)

/* ---- eigenvalues ---- */

/* x becomes the reflection that leaves beta, which is returned, and zeros of it: its first element is 1. */
static C FN(reflection)(tsr_index n, C *x, C *tau) {
  const C alpha = x[0], below = n > 1 ? FN(dot)(n - 1, x + 1, x + 1) : 0;
  *tau = 0;
  x[0] = 1;
  if (below == 0) return alpha;
  const C norm = TSR__TYPE_SQRT(alpha * alpha + below), beta = alpha > 0 ? -norm : norm, scale = 1 / (alpha - beta);
  for (tsr_index i = 1; i < n; i++) x[i] *= scale;
  *tau = (beta - alpha) / beta;
  return beta;
}

static void FN(tridiagonal)(tsr_index n, void *matrix, void *diagonal, void *beside, void *taus, void *room) {
  C *const a = matrix, *const d = diagonal, *const e = beside, *const tau = taus, *const p = room;
  for (tsr_index k = 0; k + 1 < n; k++) {
    C *const v = a + k * n + k + 1, *const rest = a + (k + 1) * n + k + 1;
    const tsr_index left = n - k - 1;
    d[k] = a[k * n + k];
    e[k] = FN(reflection)(left, v, &tau[k]);
    if (tau[k] == 0) continue;
    for (tsr_index i = 0; i < left; i++) p[i] = tau[k] * FN(dot)(left, rest + i * n, v);
    FN(add)(left, -tau[k] / 2 * FN(dot)(left, p, v), v, p);
    for (tsr_index i = 0; i < left; i++) FN(add_two)(left, -v[i], p, -p[i], v, rest + i * n);
  }
  if (n > 0) d[n - 1] = a[n * n - 1];
}

static void FN(form)(tsr_index n, const void *matrix, const void *taus, void *product) {
  const C *const a = matrix, *const tau = taus;
  C *const q = product;
  for (tsr_index i = 0; i < n * n; i++) q[i] = i % (n + 1) == 0;
  for (tsr_index k = n - 1; k-- > 0;) {
    const C *const v = a + k * n + k + 1;
    const tsr_index left = n - k - 1;
    for (tsr_index i = k + 1; i < n && tau[k] != 0; i++) {
      C *const row = q + i * n + k + 1;
      FN(add)(left, -tau[k] * FN(dot)(left, v, row), v, row);
    }
  }
}

static inline C FN(size)(C x) { return x < 0 ? -x : x; }

/* Where the part that begins with l ends: e is small against the diagonal there. */
static tsr_index FN(end_of)(tsr_index n, tsr_index l, const C *d, const C *e) {
  tsr_index m = l;
  while (m + 1 < n && !(FN(size)(e[m]) <= EPSILON / 2 * (FN(size)(d[m]) + FN(size)(d[m + 1])))) m++;
  return m;
}

/* One step of QL on l … m, with the shift of the first two. */
static void FN(ql_step)(tsr_index l, tsr_index m, C *d, C *e, C *q, tsr_index len) {
  C g = (d[l + 1] - d[l]) / (2 * e[l]);
  C r = TSR__TYPE_SQRT(g * g + 1), s = 1, c = 1, p = 0;
  if (!(r < (C)1e18)) r = FN(size)(g);
  g = d[m] - d[l] + e[l] / (g < 0 ? g - r : g + r);
  tsr_index i = m;
  while (i-- > l) {
    const C f = s * e[i], b = c * e[i];
    r = TSR__TYPE_SQRT(f * f + g * g);
    e[i + 1] = r;
    if (r == 0) { /* it falls into two parts */
      d[i + 1] -= p;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    g = d[i + 1] - p;
    r = (d[i] - g) * s + 2 * c * b;
    p = s * r;
    d[i + 1] = g + p;
    g = c * r - b;
    if (q != NULL) FN(rotate_rows)(len, c, s, q + i * len, q + (i + 1) * len);
  }
  d[l] -= p;
  e[l] = g;
  e[m] = 0;
}

static tsr_index FN(shifts)(tsr_index n, void *diagonal, void *beside, void *vectors, tsr_index len) {
  enum { TRIES = 60 };
  C *const d = diagonal, *const e = beside;
  if (n > 0) e[n - 1] = 0;
  for (tsr_index l = 0; l < n; l++) {
    int tries = 0;
    for (;;) {
      const tsr_index m = FN(end_of)(n, l, d, e);
      if (m == l) break;
      if (tries++ == TRIES) return l + 1;
      FN(ql_step)(l, m, d, e, vectors, len);
    }
  }
  return 0;
}

/* ---- singular values ---- */

/* Columns by rows and rows by columns in rotate. w: n numbers, for what columns are multiplied by. */
static void FN(bidiagonal)(tsr_index m, tsr_index n, void *matrix, void *diagonal, void *above, void *room) {
  C *const a = matrix, *const d = diagonal, *const e = above, *const v = room, *const w = v + m;
  for (tsr_index k = 0; k < n; k++) {
    const tsr_index below = m - k, right = n - k - 1;
    C tau;
    for (tsr_index i = 0; i < below; i++) v[i] = a[(k + i) * n + k];
    d[k] = FN(reflection)(below, v, &tau);
    if (right == 0) break;
    for (tsr_index j = 0; j < right; j++) w[j] = 0;
    for (tsr_index i = 0; i < below; i++) FN(add)(right, v[i], a + (k + i) * n + k + 1, w);
    for (tsr_index i = 0; i < below; i++) FN(add)(right, -tau * v[i], w, a + (k + i) * n + k + 1);
    C *const row = a + k * n + k + 1;
    e[k] = FN(reflection)(right, row, &tau);
    for (tsr_index i = 1; i < below; i++) {
      C *const other = a + (k + i) * n + k + 1;
      FN(add)(right, -tau * FN(dot)(right, row, other), row, other);
    }
  }
}

static bool FN(rotate_pair)(tsr_index count, tsr_index len, C *g, C *j, C *squares, tsr_index p, tsr_index q,
                            C tolerance) {
  C *const x = g + p * len, *const y = g + q * len;
  if (!(squares[p] > NOTHING && squares[q] > NOTHING)) return false;
  const C gamma = FN(dot)(len, x, y);
  if (!(FN(size)(gamma) > tolerance * TSR__TYPE_SQRT(squares[p]) * TSR__TYPE_SQRT(squares[q]))) return false;
  const C zeta = (squares[q] - squares[p]) / (2 * gamma), far = FN(size)(zeta);
  const C size =
      1 / (far + (far > (C)0x1p40 ? far : TSR__TYPE_SQRT(zeta * zeta + 1))); /* its square may not be in range */
  const C t = zeta < 0 ? -size : size, c = 1 / TSR__TYPE_SQRT(t * t + 1), s = t * c;
  FN(rotate_rows)(len, c, s, x, y);
  if (j != NULL) FN(rotate_rows)(count, c, s, j + p * count, j + q * count);
  /* By what moved, which is exact enough until the next sweep, unless most of a row is gone. */
  const C moved = t * gamma, less = squares[p] - moved, more = squares[q] + moved;
  squares[p] = less > squares[p] / 4 ? less : FN(dot)(len, x, x);
  squares[q] = more > squares[q] / 4 ? more : FN(dot)(len, y, y);
  return true;
}

static tsr_index FN(rotate)(tsr_index count, tsr_index len, void *rows, void *along, void *lengths) {
  enum { SWEEPS = 40 };
  C *const g = rows, *const sigma = lengths;
  const C tolerance = EPSILON * (2 + (C)len / 4);
  bool rotated = true;
  for (int sweep = 0; sweep < SWEEPS && rotated; sweep++) {
    rotated = false;
    for (tsr_index i = 0; i < count; i++) sigma[i] = FN(dot)(len, g + i * len, g + i * len);
    for (tsr_index p = 0; p < count; p++)
      for (tsr_index q = p + 1; q < count; q++)
        rotated |= FN(rotate_pair)(count, len, g, along, sigma, p, q, tolerance);
  }
  for (tsr_index i = 0; i < count; i++) sigma[i] = sigma[i] <= NOTHING ? 0 : TSR__TYPE_SQRT(sigma[i]);
  return rotated;
}

static void FN(normalise)(tsr_index count, tsr_index all, tsr_index len, void *rows, const void *lengths) {
  C *const g = rows;
  const C *const sigma = lengths;
  for (tsr_index i = 0; i < all; i++) {
    if (i >= count || sigma[i] == 0) {
      FN(complete_row)(len, i, g, 1);
      continue;
    }
    const C scale = 1 / sigma[i];
    for (tsr_index k = 0; k < len; k++) g[i * len + k] *= scale;
  }
}

#undef EPSILON
#undef NOTHING
