/* Eigenvalues of symmetric matrices by Jacobi's rotations, of one compute type, lane by lane. */
#include "linalg/lanes.tmpl.h"
#include "linalg/lanes_scale.tmpl.h"

enum { FN(EIGH_SWEEPS) = 30 };

typedef struct FN(rotate) {
  V c, s, t;
} FN(rotate);

/* The rotation that makes off, between elements x and y of the diagonal, 0; none in lanes where off is small already. */
static inline FN(rotate) FN(rotate_of)(V x, V y, V off, I small) {
  const V theta = (y - x) / PICK(small, ALL(1), off + off);
  const V root = ROOT(MADD(theta, theta, ALL(1)));
  const V size = ALL(1) / (SIZE(theta) + root);
  const V t = PICK(small, ALL(0), PICK((I)(theta < ALL(0)), -size, size));
  const V c = ALL(1) / ROOT(MADD(t, t, ALL(1)));
  return (FN(rotate)){c, t * c, t};
}

static inline void FN(rotate_two)(const FN(rotate) * r, V *x, V *y) {
  const V p = *x, q = *y;
  *x = MADD(-r->s, q, r->c * p);
  *y = MADD(r->s, p, r->c * q);
}

/* Makes (p, q) 0; whether a lane had something there. */
static bool FN(rotate_pair)(tsr_index n, V *a, V *v, tsr_index p, tsr_index q, V least) {
  const V off = a[p * n + q];
  const I small = ~(I)(SIZE(off) > least);
  if (!FN(any)(~small)) return false;
  const FN(rotate) r = FN(rotate_of)(a[p * n + p], a[q * n + q], off, small);
  const V moved = r.t * off;
  a[p * n + p] = a[p * n + p] - moved;
  a[q * n + q] = a[q * n + q] + moved;
  a[p * n + q] = a[q * n + p] = PICK(small, off, ALL(0));
  for (tsr_index k = 0; k < n; k++) {
    if (k == p || k == q) continue;
    FN(rotate_two)(&r, &a[p * n + k], &a[q * n + k]);
    a[k * n + p] = a[p * n + k];
    a[k * n + q] = a[q * n + k];
  }
  for (tsr_index k = 0; k < n && v != NULL; k++) FN(rotate_two)(&r, &v[k * n + p], &v[k * n + q]);
  return true;
}

/* Which lanes have not settled after all sweeps. */
static I FN(rotate_all)(tsr_index n, V *a, V *v) {
  const V least = ALL((C_BITS == 32 ? (C)0x1p-24 : (C)0x1p-53) / 4);
  I left = ALL_I(0);
  bool rotated = true;
  for (int sweep = 0; sweep < FN(EIGH_SWEEPS) && rotated; sweep++) {
    rotated = false;
    for (tsr_index p = 0; p < n; p++)
      for (tsr_index q = p + 1; q < n; q++) rotated |= FN(rotate_pair)(n, a, v, p, q, least);
  }
  for (tsr_index p = 0; p < n && rotated; p++)
    for (tsr_index q = p + 1; q < n; q++) left |= (I)(SIZE(a[p * n + q]) > least);
  return left;
}

static void FN(order)(tsr_index n, V *w, V *v) {
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = i + 1; j < n; j++) {
      const I less = (I)(w[j] < w[i]);
      const V x = w[i], y = w[j];
      w[i] = PICK(less, y, x);
      w[j] = PICK(less, x, y);
      for (tsr_index k = 0; k < n && v != NULL; k++) {
        const V p = v[k * n + i], q = v[k * n + j];
        v[k * n + i] = PICK(less, q, p);
        v[k * n + j] = PICK(less, p, q);
      }
    }
}

static void FN(eigh)(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  if (w->base == NULL) return;
  const tsr_index n = s->in[0].rows;
  V *const a = in[0], *const values = out[0], *const v = s->outs > 1 && !s->out[1].none ? out[1] : NULL;
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = 0; j < i; j++) a[s->flag ? i * n + j : j * n + i] = a[s->flag ? j * n + i : i * n + j];
  const V back = FN(scale_down)(n * n, a);
  for (tsr_index i = 0; i < n * n && v != NULL; i++) v[i] = ALL(i % (n + 1) == 0 ? 1 : 0);
  const I left = FN(rotate_all)(n, a, v);
  for (tsr_index i = 0; i < n; i++) values[i] = a[i * (n + 1)] * back;
  FN(order)(n, values, v);
  for (tsr_index i = 0; i < n * n && v != NULL; i++) v[i] = PICK((I)(back == back), v[i], back);
  for (int l = 0; l < LANES; l++) fault[l] = left[l] != 0 && back[l] == back[l];
}
