/* Singular values by one-sided rotations of rows (Hestenes), of one compute type, lane by lane. The rows are those of A (m, n), or
 * of Aᵀ where A has more rows than columns: J·G has orthogonal rows, whose lengths are the singular values. */
#include "linalg/lanes.tmpl.h"
#include "linalg/lanes_scale.tmpl.h"
#include "linalg/complete.tmpl.h"

enum { FN(SVD_SWEEPS) = 30 };

/* The square of a length that counts as 0 beside a largest element near 1: below it squares lose digits. */
#define NOTHING (C_BITS == 32 ? (C)0x1p-100 : (C)0x1p-800)

typedef struct FN(rows) {
  tsr_index count, len, all; /* rows that rotate, their length, and rows with those that are completed */
  V *g, *j, *sigma;          /* (all, len), (count, count), (count); j NULL: not wanted */
} FN(rows);

static inline V FN(dot_of)(tsr_index n, const V *x, const V *y) {
  V sum = ALL(0);
  for (tsr_index k = 0; k < n; k++) sum = MADD(x[k], y[k], sum);
  return sum;
}

static inline void FN(rotate_rows)(tsr_index n, V c, V s, V *x, V *y) {
  for (tsr_index k = 0; k < n; k++) {
    const V p = x[k], q = y[k];
    x[k] = MADD(-s, q, c * p);
    y[k] = MADD(s, p, c * q);
  }
}

/* sigma holds squares of lengths meanwhile. */
static I FN(rotate_pair)(const FN(rows) * r, tsr_index p, tsr_index q, V tolerance) {
  V *const x = r->g + p * r->len, *const y = r->g + q * r->len, *const of = r->sigma;
  const V gamma = FN(dot_of)(r->len, x, y);
  const I wide =
      (I)(SIZE(gamma) > tolerance * ROOT(of[p]) * ROOT(of[q])) & (I)(of[p] > ALL(NOTHING)) & (I)(of[q] > ALL(NOTHING));
  if (!FN(any)(wide)) return wide;
  const V zeta = (of[q] - of[p]) / PICK(wide, gamma + gamma, ALL(1));
  const I far = (I)(SIZE(zeta) > ALL((C)0x1p40)); /* its square may not be in range, and needs no 1 */
  const V size = ALL(1) / (SIZE(zeta) + PICK(far, SIZE(zeta), ROOT(MADD(zeta, zeta, ALL(1)))));
  const V t = PICK(wide, PICK((I)(zeta < ALL(0)), -size, size), ALL(0));
  const V c = ALL(1) / ROOT(MADD(t, t, ALL(1))), s = t * c;
  FN(rotate_rows)(r->len, c, s, x, y);
  if (r->j != NULL) FN(rotate_rows)(r->count, c, s, r->j + p * r->count, r->j + q * r->count);
  of[p] = PICK(wide, FN(dot_of)(r->len, x, x), of[p]);
  of[q] = PICK(wide, FN(dot_of)(r->len, y, y), of[q]);
  return wide;
}

static I FN(rotate_all)(const FN(rows) * r) {
  const V tolerance = ALL((C_BITS == 32 ? (C)0x1p-23 : (C)0x1p-52) * ((C)2 + (C)r->len / 4));
  I left = ALL_I(-1);
  for (tsr_index i = 0; i < r->count; i++) r->sigma[i] = FN(dot_of)(r->len, r->g + i * r->len, r->g + i * r->len);
  for (int sweep = 0; sweep < FN(SVD_SWEEPS) && FN(any)(left); sweep++) {
    left = ALL_I(0);
    for (tsr_index p = 0; p < r->count; p++)
      for (tsr_index q = p + 1; q < r->count; q++) left |= FN(rotate_pair)(r, p, q, tolerance);
  }
  return left;
}

static inline void FN(exchange)(I lanes, tsr_index n, V *x, V *y) {
  for (tsr_index k = 0; k < n; k++) {
    const V p = x[k], q = y[k];
    x[k] = PICK(lanes, q, p);
    y[k] = PICK(lanes, p, q);
  }
}

/* The largest first. */
static void FN(order)(const FN(rows) * r) {
  for (tsr_index i = 0; i < r->count; i++)
    for (tsr_index k = i + 1; k < r->count; k++) {
      const I more = (I)(r->sigma[k] > r->sigma[i]);
      FN(exchange)(more, 1, r->sigma + i, r->sigma + k);
      if (r->j == NULL) continue;
      FN(exchange)(more, r->len, r->g + i * r->len, r->g + k * r->len);
      FN(exchange)(more, r->count, r->j + i * r->count, r->j + k * r->count);
    }
}

/* Rows of unit length. */
static void FN(normalise)(const FN(rows) * r) {
  for (tsr_index i = 0; i < r->all; i++) {
    const V length = i < r->count ? r->sigma[i] : ALL(0);
    const I none = (I)(length == ALL(0));
    const V scale = ALL(1) / PICK(none, ALL(1), length);
    for (tsr_index k = 0; k < r->len && i < r->count; k++) r->g[i * r->len + k] = r->g[i * r->len + k] * scale;
    for (int l = 0; l < LANES; l++)
      if (none[l] != 0) FN(complete_row)(r->len, i, (C *)r->g + l, LANES);
  }
}

/* ---- what ops make of it ---- */

typedef struct FN(parts) {
  FN(rows) r;
  bool tall;
  V back;
  I left;
} FN(parts);

/* Column i of U, element k; row i of Vᵀ, element k. */
static inline V FN(left_of)(const FN(parts) * p, tsr_index i, tsr_index k) {
  return p->tall ? p->r.g[i * p->r.len + k] : p->r.j[i * p->r.count + k];
}
static inline V FN(right_of)(const FN(parts) * p, tsr_index i, tsr_index k) {
  return p->tall ? p->r.j[i * p->r.count + k] : p->r.g[i * p->r.len + k];
}

/* 1/σ, 0 where σ is not above limit. */
static inline V FN(inverse_of)(V sigma, V limit) {
  const I above = (I)(sigma > limit);
  return PICK(above, ALL(1) / PICK(above, sigma, ALL(1)), ALL(0));
}

static void FN(put_svd)(const tsr__stack *s, const FN(parts) * p, void *const *out) {
  V *const u = out[0], *const sigma = out[1], *const vh = out[2];
  const tsr_index m = s->out[0].rows, cols = s->out[0].cols, rows = s->out[2].rows, n = s->out[2].cols;
  const V odd = p->back - p->back; /* 0, or NaN */
  for (tsr_index i = 0; i < p->r.count; i++) sigma[i] = p->r.sigma[i] * p->back;
  for (tsr_index i = 0; i < m && !s->out[0].none; i++)
    for (tsr_index j = 0; j < cols; j++) u[i * cols + j] = FN(left_of)(p, j, i) + odd;
  for (tsr_index i = 0; i < rows && !s->out[2].none; i++)
    for (tsr_index j = 0; j < n; j++) vh[i * n + j] = FN(right_of)(p, i, j) + odd;
}

/* The pseudo-inverse (n, m), σ not above limit left out. */
static void FN(put_pinv)(const tsr__stack *s, const FN(parts) * p, V limit, V *out) {
  const tsr_index n = s->out[0].rows, m = s->out[0].cols;
  for (tsr_index i = 0; i < n * m; i++) out[i] = p->back - p->back;
  for (tsr_index k = 0; k < p->r.count; k++) {
    const V scale = FN(inverse_of)(p->r.sigma[k], limit) / p->back;
    for (tsr_index i = 0; i < n; i++) {
      const V f = FN(right_of)(p, k, i) * scale;
      for (tsr_index j = 0; j < m; j++) out[i * m + j] = MADD(f, FN(left_of)(p, k, j), out[i * m + j]);
    }
  }
}

static V FN(rank_of)(const FN(parts) * p, V limit) {
  V rank = p->back - p->back;
  for (tsr_index i = 0; i < p->r.count; i++) rank = rank + PICK((I)(p->r.sigma[i] > limit), ALL(1), ALL(0));
  return rank;
}

/* x (n, cols) of least squares; b (m, cols). */
static void FN(put_lstsq)(const tsr__stack *s, const FN(parts) * p, V limit, const V *b, V *const *out) {
  const tsr_index m = s->in[0].rows, n = s->in[0].cols, cols = s->out[0].cols;
  V *const x = out[0];
  for (tsr_index i = 0; i < n * cols; i++) x[i] = p->back - p->back;
  for (tsr_index k = 0; k < p->r.count; k++) {
    const V scale = FN(inverse_of)(p->r.sigma[k], limit) / p->back;
    for (tsr_index j = 0; j < cols; j++) {
      V along = ALL(0);
      for (tsr_index i = 0; i < m; i++) along = MADD(FN(left_of)(p, k, i), b[i * cols + j], along);
      along = along * scale;
      for (tsr_index i = 0; i < n; i++) x[i * cols + j] = MADD(FN(right_of)(p, k, i), along, x[i * cols + j]);
    }
  }
  *out[1] = FN(rank_of)(p, limit);
  for (tsr_index i = 0; i < p->r.count; i++) out[2][i] = p->r.sigma[i] * p->back;
}

static V FN(number_of)(const tsr__stack *s, const FN(parts) * p, V limit) {
  const tsr_index count = p->r.count;
  V sum = p->back - p->back;
  if (s->kind == TSR__SVD_RANK) return FN(rank_of)(p, limit);
  if (count == 0) return ALL(0);
  const V most = p->r.sigma[0] + sum, least = p->r.sigma[count - 1] + sum;
  if (s->kind == TSR__SVD_COND) return s->flag ? least / most : most / least;
  if (s->kind == TSR__SVD_MOST) return most * p->back;
  if (s->kind == TSR__SVD_LEAST) return least * p->back;
  for (tsr_index i = 0; i < count; i++) sum = sum + p->r.sigma[i];
  return sum * p->back;
}

static void FN(svd)(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  const tsr_index m = s->in[0].rows, n = s->in[0].cols, count = m < n ? m : n, len = m < n ? n : m;
  const bool vectors = tsr__svd_vectors(s), full = s->kind == TSR__SVD_ALL && s->flag && vectors;
  FN(parts) p = {.r = {count, len, full ? len : count, in[0], NULL, NULL}, .tall = m > n};
  p.r.sigma = tsr__work_take(w, (size_t)(count + 1) * sizeof(V));
  V *const j = tsr__work_take(w, (size_t)(count * count + 1) * sizeof(V));
  V *const g = tsr__work_take(w, (size_t)(len * len + 1) * sizeof(V));
  if (w->base == NULL) return;
  const V *const a = in[0];
  for (tsr_index i = 0; i < count; i++)
    for (tsr_index k = 0; k < len; k++) g[i * len + k] = p.tall ? a[k * n + i] : a[i * n + k];
  p.r.g = g;
  p.r.j = vectors ? j : NULL;
  for (tsr_index i = 0; i < count * count; i++) j[i] = ALL(i % (count + 1) == 0 ? 1 : 0);
  p.back = FN(scale_down)(count * len, g);
  p.left = FN(rotate_all)(&p.r) & (I)(p.back == p.back);
  for (tsr_index i = 0; i < count; i++)
    p.r.sigma[i] = PICK((I)(p.r.sigma[i] <= ALL(NOTHING)), ALL(0), ROOT(p.r.sigma[i]));
  FN(order)(&p.r);
  if (vectors) FN(normalise)(&p.r);
  for (int l = 0; l < LANES; l++) fault[l] = p.left[l] != 0;
  const C rcond = s->number >= 0 ? (C)s->number : (C_BITS == 32 ? (C)0x1p-23 : (C)0x1p-52) * (C)len;
  const V limit = count > 0 ? p.r.sigma[0] * ALL(rcond) : ALL(0);
  if (s->kind == TSR__SVD_ALL)
    FN(put_svd)(s, &p, out);
  else if (s->kind == TSR__SVD_VALUES)
    for (tsr_index i = 0; i < count; i++) ((V *)out[0])[i] = p.r.sigma[i] * p.back;
  else if (s->kind == TSR__SVD_PINV)
    FN(put_pinv)(s, &p, limit, out[0]);
  else if (s->kind == TSR__SVD_LSTSQ)
    FN(put_lstsq)(s, &p, limit, in[1], (V *const[]){out[0], out[1], out[2]});
  else
    *(V *)out[0] = FN(number_of)(s, &p, limit);
}

#undef NOTHING
