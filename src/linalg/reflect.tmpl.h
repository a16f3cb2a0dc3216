/* One compute type. */

/* y += f · x. */
static void FN(add)(tsr_index n, C f, const C *x, C *y) {
  tsr_index j = 0;
  for (; j + LANES <= n; j += LANES) STORE(y + j, MADD(ALL(f), LOAD(x + j), LOAD(y + j)));
  if (j < n)
    STORE_PART(y + j, MADD(ALL(f), LOAD_PART(x + j, (int)(n - j)), LOAD_PART(y + j, (int)(n - j))), (int)(n - j));
}

/* Column k below the diagonal as a reflection; returns tau. */
static C FN(reflection)(tsr_index m, C *a, tsr_index step) {
  C below = 0;
  for (tsr_index i = 1; i < m; i++) below += a[i * step] * a[i * step];
  if (below == 0) return 0;
  const C alpha = a[0], norm = TSR__TYPE_SQRT(alpha * alpha + below), beta = alpha > 0 ? -norm : norm;
  const C scale = 1 / (alpha - beta);
  for (tsr_index i = 1; i < m; i++) a[i * step] *= scale;
  a[0] = beta;
  return (beta - alpha) / beta;
}

static void FN(panel)(tsr_index m, tsr_index n, void *matrix, tsr_index step, void *taus) {
  C *const a = matrix, *const tau = taus, w[TSR__REFLECTIONS];
  for (tsr_index k = 0; k < n && k < m; k++) {
    C *const top = a + k * step;
    const tsr_index right = n - k - 1;
    tau[k] = FN(reflection)(m - k, top + k, step);
    if (tau[k] == 0 || right == 0) continue;
    for (tsr_index j = 0; j < right; j++) w[j] = top[k + 1 + j];
    for (tsr_index i = k + 1; i < m; i++) FN(add)(right, a[i * step + k], a + i * step + k + 1, w);
    for (tsr_index j = 0; j < right; j++) w[j] *= -tau[k];
    FN(add)(right, 1, w, top + k + 1);
    for (tsr_index i = k + 1; i < m; i++) FN(add)(right, a[i * step + k], w, a + i * step + k + 1);
  }
}

static void FN(triangle)(tsr_index n, void *matrix, const void *taus) {
  C *const t = matrix, column[TSR__REFLECTIONS];
  const C *const tau = taus;
  for (tsr_index k = 0; k < n; k++) {
    for (tsr_index i = 0; i < k; i++) {
      C sum = 0;
      for (tsr_index j = i; j < k; j++) sum += t[i * n + j] * t[j * n + k];
      column[i] = -tau[k] * sum;
    }
    for (tsr_index i = 0; i < k; i++) t[i * n + k] = column[i];
    t[k * n + k] = tau[k];
    for (tsr_index i = k + 1; i < n; i++) t[i * n + k] = 0;
  }
}

static double FN(largest)(tsr_index n, const void *numbers) {
  const C *const x = numbers;
  C most = 0;
  for (tsr_index i = 0; i < n; i++) {
    const C size = x[i] < 0 ? -x[i] : x[i];
    most = size > most || size != size ? size : most;
    if (size != size) break;
  }
  return (double)most;
}

static void FN(scale)(tsr_index n, void *numbers, double factor) {
  C *const x = numbers;
  for (tsr_index i = 0; i < n; i++) x[i] = (C)((double)x[i] * factor);
}
