/* One type of parts of complex numbers: what reflect.tmpl.h has for real ones. */
#include "linalg/complex.tmpl.h"

/* Column k below the diagonal as a reflection; returns tau. */
static FN(complex) FN(complex_reflection)(tsr_index m, FN(complex) * a, tsr_index step) {
  C below = 0;
  FN(complex) tau, scale;
  for (tsr_index i = 1; i < m; i++) below += FN(square_of)(a[i * step]);
  const C beta = FN(reflector)(a[0], below, &tau, &scale);
  for (tsr_index i = 1; i < m && below != 0; i++) a[i * step] = FN(times)(a[i * step], scale);
  a[0] = (FN(complex)){beta, 0};
  return tau;
}

static void FN(complex_panel)(tsr_index m, tsr_index n, void *matrix, tsr_index step, void *taus) {
  FN(complex) *const a = matrix, *const tau = taus, w[TSR__REFLECTIONS];
  for (tsr_index k = 0; k < n && k < m; k++) {
    FN(complex) *const top = a + k * step;
    const tsr_index right = n - k - 1;
    tau[k] = FN(complex_reflection)(m - k, top + k, step);
    if ((tau[k].re == 0 && tau[k].im == 0) || right == 0) continue;
    for (tsr_index j = 0; j < right; j++) w[j] = top[k + 1 + j];
    for (tsr_index i = k + 1; i < m; i++)
      FN(add_complex)(right, FN(conjugate)(a[i * step + k]), a + i * step + k + 1, w);
    const FN(complex) by = FN(scaled)(-1, FN(conjugate)(tau[k]));
    for (tsr_index j = 0; j < right; j++) w[j] = FN(times)(by, w[j]);
    FN(add_complex)(right, (FN(complex)){1, 0}, w, top + k + 1);
    for (tsr_index i = k + 1; i < m; i++) FN(add_complex)(right, a[i * step + k], w, a + i * step + k + 1);
  }
}

static void FN(complex_triangle)(tsr_index n, void *matrix, const void *taus) {
  FN(complex) *const t = matrix, column[TSR__REFLECTIONS];
  const FN(complex) *const tau = taus;
  for (tsr_index k = 0; k < n; k++) {
    for (tsr_index i = 0; i < k; i++) {
      FN(complex) sum = {0, 0};
      for (tsr_index j = i; j < k; j++) sum = FN(plus)(sum, FN(times)(t[i * n + j], t[j * n + k]));
      column[i] = FN(scaled)(-1, FN(times)(tau[k], sum));
    }
    for (tsr_index i = 0; i < k; i++) t[i * n + k] = column[i];
    t[k * n + k] = tau[k];
    for (tsr_index i = k + 1; i < n; i++) t[i * n + k] = (FN(complex)){0, 0};
  }
}

#undef PAIRS
