/* ---- Hessenberg's form, by reflections ---- */

/* n numbers, step apart, as a reflection v, whose first element is 1, and tau; returns what it leaves of them. */
static C FN(reflection_of)(tsr_index n, const C *x, tsr_index step, C *v, C *tau) {
  C most = 0;
  for (tsr_index i = 1; i < n; i++) most = FN(more)(most, FN(size)(x[i * step]));
  *tau = 0;
  if (most == 0) return x[0];
  const C scale = FN(power_below)(FN(more)(FN(more)(most, FN(size)(x[0])), LEAST));
  for (tsr_index i = 0; i < n; i++) v[i] = x[i * step] * scale;
  const C below = FN(dot)(n - 1, v + 1, v + 1), alpha = v[0];
  v[0] = 1;
  if (below == 0) return x[0];
  const C norm = TSR__TYPE_SQRT(alpha * alpha + below), beta = alpha > 0 ? -norm : norm, by = 1 / (alpha - beta);
  for (tsr_index i = 1; i < n; i++) v[i] *= by;
  *tau = (beta - alpha) / beta;
  return beta / scale;
}

/* A = H·A·H, H of rows k + 1 … high: first its right side, row by row, and on the way what the left one needs. */
static void FN(reflect_both)(tsr_index n, C *a, tsr_index step, tsr_index k, tsr_index high, const C *v, C tau, C *w) {
  const tsr_index m = high - k, right = n - k - 1;
  for (tsr_index j = 0; j < right; j++) w[j] = 0;
  for (tsr_index i = 0; i <= high; i++) {
    C *const row = a + i * step + k + 1;
    FN(add)(m, -tau * FN(dot)(m, row, v), v, row);
    if (i > k) FN(add)(right, v[i - k - 1], row, w);
  }
  for (tsr_index i = k + 1; i <= high; i++) FN(add)(right, -tau * v[i - k - 1], w, a + i * step + k + 1);
}

/* zt = zt·H, of which row and column k + 1 and later are no longer those of the identity. */
static void FN(form_along)(tsr_index n, C *zt, tsr_index k, tsr_index high, const C *v, C tau) {
  for (tsr_index i = k + 1; i <= high && tau != 0; i++) {
    C *const row = zt + i * n + k + 1;
    FN(add)(high - k, -tau * FN(dot)(high - k, row, v), v, row);
  }
}

static void FN(hessenberg)(tsr_index n, void *matrix, tsr_index step, const tsr__balance *b, void *product,
                           void *room) {
  C *const a = matrix, *const zt = product, *const v = room, *const w = v + n, *const tau = w + n;
  for (tsr_index k = b->low; k + 1 < b->high; k++) {
    C *const below = a + (k + 1) * step + k;
    const C left = FN(reflection_of)(b->high - k, below, step, v, &tau[k]);
    if (tau[k] != 0) FN(reflect_both)(n, a, step, k, b->high, v, tau[k], w);
    below[0] = left;
    for (tsr_index i = 1; i < b->high - k; i++) below[i * step] = tau[k] != 0 ? v[i] : 0;
  }
  if (zt != NULL) {
    for (tsr_index i = 0; i < n * n; i++) zt[i] = i % (n + 1) == 0;
    for (tsr_index k = b->high - 1; k-- > b->low;) {
      v[0] = 1;
      for (tsr_index i = 1; i < b->high - k; i++) v[i] = a[(k + 1 + i) * step + k];
      FN(form_along)(n, zt, k, b->high, v, tau[k]);
    }
  }
  for (tsr_index i = 2; i < n; i++)
    for (tsr_index j = 0; j + 1 < i; j++) a[i * step + j] = 0;
}
