/* One type: E, its vectors V, LANES, FN. */

/* rows rows at once; each one's sums run in four vectors, whatever the number of rows. */
TSR__INLINE void FN(dot_rows)(const int rows, const tsr__gemv *g, const E *m, E *y) {
  const E *const x = g->x;
  const tsr_index k = g->k, step = g->step;
  V acc[4][4];
  tsr_index p = 0;
  TSR__UNROLL(4)
  for (int r = 0; r < rows; r++) acc[r][0] = acc[r][1] = acc[r][2] = acc[r][3] = (V){0};
  for (; p + 4 * LANES <= k; p += 4 * LANES) {
    TSR__UNROLL(4)
    for (int j = 0; j < 4; j++) {
      const V v = TSR__VEC(V, _load)(x + p + j * LANES);
      TSR__UNROLL(4)
      for (int r = 0; r < rows; r++)
        acc[r][j] = TSR__VEC(V, _madd)(TSR__VEC(V, _load)(m + r * step + p + j * LANES), v, acc[r][j]);
    }
  }
  for (; p < k; p += LANES) {
    const int n = (int)(k - p < LANES ? k - p : LANES);
    const V v = TSR__VEC(V, _load_part)(x + p, n);
    TSR__UNROLL(4)
    for (int r = 0; r < rows; r++)
      acc[r][0] = TSR__VEC(V, _madd)(TSR__VEC(V, _load_part)(m + r * step + p, n), v, acc[r][0]);
  }
  TSR__UNROLL(4)
  for (int r = 0; r < rows; r++) {
    const V all = (acc[r][0] + acc[r][1]) + (acc[r][2] + acc[r][3]);
    E sum[LANES];
    memcpy(sum, &all, sizeof all);
    for (int n = LANES / 2; n > 0; n /= 2)
      for (int i = 0; i < n; i++) sum[i] += sum[i + n];
    E *const at = y + r * g->y_step;
    *at = g->add ? *at + sum[0] : sum[0];
  }
}

static void FN(dots)(const tsr__gemv *g) {
  const E *m = g->matrix;
  E *y = g->y;
  const tsr_index step = m != NULL ? g->step : 0; /* a matrix without columns may have no memory */
  tsr_index r = 0;
  for (; r + 4 <= g->rows; r += 4) FN(dot_rows)(4, g, m + r * step, y + r * g->y_step);
  for (; r < g->rows; r++) FN(dot_rows)(1, g, m + r * step, y + r * g->y_step);
}

/* steps of K at once, into sums that go on from y or begin. */
TSR__INLINE V FN(columns_of)(const int steps, const E *m, tsr_index step, const V *x, V acc) {
  TSR__UNROLL(8)
  for (int p = 0; p < steps; p++) acc = TSR__VEC(V, _madd)(TSR__VEC(V, _load)(m + p * step), x[p], acc);
  return acc;
}

TSR__INLINE void FN(add_steps)(const int steps, const tsr__gemv *g, tsr_index p, bool add) {
  const E *const m = (const E *)g->matrix + p * g->step;
  const tsr_index step = g->step;
  E *const y = g->y;
  V x[8];
  tsr_index j = 0;
  TSR__UNROLL(8)
  for (int i = 0; i < steps; i++) x[i] = TSR__VEC(V, _all)(((const E *)g->x)[p + i]);
  for (; j + LANES <= g->rows; j += LANES) {
    const V before = add ? TSR__VEC(V, _load)(y + j) : (V){0};
    TSR__VEC(V, _store)(y + j, FN(columns_of)(steps, m + j, step, x, before));
  }
  if (j == g->rows) return;
  const int n = (int)(g->rows - j);
  V acc = add ? TSR__VEC(V, _load_part)(y + j, n) : (V){0};
  TSR__UNROLL(8)
  for (int i = 0; i < steps; i++) acc = TSR__VEC(V, _madd)(TSR__VEC(V, _load_part)(m + i * step + j, n), x[i], acc);
  TSR__VEC(V, _store_part)(y + j, acc, n);
}

static void FN(sums)(const tsr__gemv *g) {
  tsr_index p = 0;
  if (g->k == 0) FN(add_steps)(0, g, 0, g->add);
  for (; p + 8 <= g->k; p += 8) FN(add_steps)(8, g, p, g->add || p > 0);
  for (; p < g->k; p++) FN(add_steps)(1, g, p, g->add || p > 0);
}
