/* One type: E, its vectors V, LANES, FN; elements of the matrix M, vectors of them LOAD_M(at), LOAD_M_PART(at, n). */

/* Products of one row and x, in the lanes they fall in: four sums side by side, then together. */
TSR__INLINE V FN(multiply_row)(tsr_index k, const M *m, const E *x) {
  V acc[4] = {{0}, {0}, {0}, {0}};
  tsr_index p = 0;
  for (; p + 4 * LANES <= k; p += 4 * LANES) {
    TSR__UNROLL(4)
    for (int j = 0; j < 4; j++)
      acc[j] = TSR__VEC(V, _madd)(LOAD_M(m + p + j * LANES), TSR__VEC(V, _load)(x + p + j * LANES), acc[j]);
  }
  for (; p + LANES <= k; p += LANES) acc[0] = TSR__VEC(V, _madd)(LOAD_M(m + p), TSR__VEC(V, _load)(x + p), acc[0]);
  if (p < k) {
    const int n = (int)(k - p);
    acc[0] = TSR__VEC(V, _madd)(LOAD_M_PART(m + p, n), TSR__VEC(V, _load_part)(x + p, n), acc[0]);
  }
  return (acc[0] + acc[1]) + (acc[2] + acc[3]);
}

TSR__INLINE void FN(put_dots)(const tsr__gemv *g, int rows, V sums, E *y) {
  if (g->y_step == 1) {
    if (g->add) sums += TSR__VEC(V, _load_part)(y, rows);
    TSR__VEC(V, _store_part)(y, sums, rows);
    return;
  }
  for (int i = 0; i < rows; i++) y[i * g->y_step] = g->add ? y[i * g->y_step] + sums[i] : sums[i];
}

/* A row after the other, as they lie: one stream is read more quickly than several. */
static void FN(dots)(const tsr__gemv *g) {
  const tsr_index step = g->matrix != NULL ? g->step : 0; /* a matrix without columns may have no memory */
  V v[LANES] = {{0}};
  for (tsr_index r = 0; r < g->rows; r += LANES) {
    const int here = (int)(g->rows - r < LANES ? g->rows - r : LANES);
    for (int i = 0; i < here; i++) v[i] = FN(multiply_row)(g->k, (const M *)g->matrix + (r + i) * step, g->x);
    FN(put_dots)(g, here, TSR__VEC(V, _sum_each)(v), (E *)g->y + r * g->y_step);
  }
}

/* steps of K at once, into sums that go on from y or begin. ahead: rows from here to those that are asked for
 * meanwhile, into the second cache: the first has no room for as many as are on their way. */
TSR__INLINE V FN(columns_of)(const int steps, const int ahead, const M *m, tsr_index step, const V *x, V acc) {
  TSR__UNROLL(8)
  for (int p = 0; p < steps; p++) {
    if (ahead > 0) __builtin_prefetch(m + (p + ahead) * step, 0, 2);
    acc = TSR__VEC(V, _madd)(LOAD_M(m + p * step), x[p], acc);
  }
  return acc;
}

TSR__INLINE void FN(add_steps)(const int steps, const int ahead, const tsr__gemv *g, tsr_index p, bool add) {
  const M *const m = (const M *)g->matrix + p * g->step;
  const tsr_index step = g->step;
  E *const y = g->y;
  V x[8];
  tsr_index j = 0;
  TSR__UNROLL(8)
  for (int i = 0; i < steps; i++) x[i] = TSR__VEC(V, _all)(((const E *)g->x)[p + i]);
  for (; j + LANES <= g->rows; j += LANES) {
    const V before = add ? TSR__VEC(V, _load)(y + j) : (V){0};
    TSR__VEC(V, _store)(y + j, FN(columns_of)(steps, ahead, m + j, step, x, before));
  }
  if (j == g->rows) return;
  const int n = (int)(g->rows - j);
  V acc = add ? TSR__VEC(V, _load_part)(y + j, n) : (V){0};
  TSR__UNROLL(8)
  for (int i = 0; i < steps; i++) acc = TSR__VEC(V, _madd)(LOAD_M_PART(m + i * step + j, n), x[i], acc);
  TSR__VEC(V, _store_part)(y + j, acc, n);
}

static void FN(sums)(const tsr__gemv *g) {
  const bool far = (double)g->rows * (double)g->k * sizeof(M) > NEAR;
  tsr_index p = 0;
  if (g->k == 0) FN(add_steps)(0, 0, g, 0, g->add);
  for (; p + 16 <= g->k && far; p += 8) FN(add_steps)(8, 8, g, p, g->add || p > 0);
  for (; p + 8 <= g->k; p += 8) FN(add_steps)(8, 0, g, p, g->add || p > 0);
  for (; p < g->k; p++) FN(add_steps)(1, 0, g, p, g->add || p > 0);
}
