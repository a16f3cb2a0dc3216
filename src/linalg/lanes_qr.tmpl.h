/* QR by reflections of one compute type, lane by lane. */
#include "linalg/lanes.tmpl.h"
#include "linalg/lanes_scale.tmpl.h"

/* Column k below the diagonal becomes the reflection that leaves nothing there: a (m, n) has its v, tau its length. */
static V FN(reflection)(tsr_index m, tsr_index n, V *a, tsr_index k) {
  V below = ALL(0);
  for (tsr_index i = k + 1; i < m; i++) below = MADD(a[i * n + k], a[i * n + k], below);
  const V alpha = a[k * n + k], norm = ROOT(MADD(alpha, alpha, below));
  const I nothing = (I)(below == ALL(0));
  const V beta = PICK((I)(alpha > ALL(0)), -norm, norm);
  const V tau = PICK(nothing, ALL(0), (beta - alpha) / PICK(nothing, ALL(1), beta));
  const V scale = ALL(1) / PICK(nothing, ALL(1), alpha - beta);
  for (tsr_index i = k + 1; i < m; i++) a[i * n + k] = a[i * n + k] * scale;
  a[k * n + k] = PICK(nothing, alpha, beta);
  return tau;
}

/* c (m, cols), from column from on, is reflected: v is column k of a, below its diagonal. */
static void FN(reflect)(tsr_index m, tsr_index n, const V *a, tsr_index k, V tau, V *c, tsr_index cols,
                        tsr_index from) {
  for (tsr_index j = from; j < cols; j++) {
    V w = c[k * cols + j];
    for (tsr_index i = k + 1; i < m; i++) w = MADD(a[i * n + k], c[i * cols + j], w);
    w = w * tau;
    c[k * cols + j] = c[k * cols + j] - w;
    for (tsr_index i = k + 1; i < m; i++) c[i * cols + j] = MADD(-w, a[i * n + k], c[i * cols + j]);
  }
}

static void FN(qr)(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  if (w->base == NULL) return;
  (void)fault;
  const tsr_index m = s->in[0].rows, n = s->in[0].cols, cols = s->out[0].cols, rows = s->out[1].rows;
  V *const a = in[0], *const q = out[0], *const r = out[1], tau[TSR__LANES_SIDE];
  const tsr_index steps = m < n ? m : n;
  const V back = FN(scale_down)(m * n, a);
  for (tsr_index k = 0; k < steps; k++) {
    tau[k] = FN(reflection)(m, n, a, k);
    FN(reflect)(m, n, a, k, tau[k], a, n, k + 1);
  }
  for (tsr_index i = 0; i < rows; i++)
    for (tsr_index j = 0; j < n; j++) r[i * n + j] = j >= i ? a[i * n + j] * back : ALL(0);
  for (tsr_index i = 0; i < m * cols; i++) q[i] = ALL(i / cols == i % cols ? 1 : 0);
  for (tsr_index k = steps; k-- > 0;) FN(reflect)(m, n, a, k, tau[k], q, cols, k);
}
