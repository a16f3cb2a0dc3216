/* One compute type. */

/* ---- substitution ---- */

enum { FN(WIDE) = 4 }; /* vectors side by side */

/* Columns in vectors of b, wide of them; the last has left lanes. */
TSR__INLINE void FN(forward)(const tsr__triangle *t, const int wide, int left, C *b, tsr_index step) {
  const C *const m = t->t;
  for (tsr_index i = 0; i < t->n; i++) {
    C *const to = b + i * step;
    V x[FN(WIDE)];
    TSR__UNROLL(4)
    for (int v = 0; v < wide; v++)
      x[v] = v + 1 < wide || left == LANES ? LOAD(to + v * LANES) : LOAD_PART(to + v * LANES, left);
    for (tsr_index k = 0; k < i; k++) {
      const V f = ALL(-m[i * t->row + k * t->col]);
      const C *const from = b + k * step;
      TSR__UNROLL(4)
      for (int v = 0; v < wide; v++)
        x[v] =
            MADD(f, v + 1 < wide || left == LANES ? LOAD(from + v * LANES) : LOAD_PART(from + v * LANES, left), x[v]);
    }
    const V d = ALL(t->unit ? 1 : m[i * (t->row + t->col)]);
    TSR__UNROLL(4)
    for (int v = 0; v < wide; v++) {
      if (!t->unit) x[v] = x[v] / d;
      if (v + 1 < wide || left == LANES)
        STORE(to + v * LANES, x[v]);
      else
        STORE_PART(to + v * LANES, x[v], left);
    }
  }
}

static void FN(substitute)(const tsr__triangle *t, void *b, tsr_index step, tsr_index cols) {
  C *at = b;
  tsr_index j = 0;
  for (; j + FN(WIDE) * LANES <= cols; j += FN(WIDE) * LANES) FN(forward)(t, FN(WIDE), LANES, at + j, step);
  for (; j + LANES <= cols; j += LANES) FN(forward)(t, 1, LANES, at + j, step);
  if (j < cols) FN(forward)(t, 1, (int)(cols - j), at + j, step);
}

/* Rows are transposed into columns, some at a time. */
static void FN(substitute_right)(const tsr__triangle *t, void *b, tsr_index step, tsr_index rows) {
  enum { SOME = 32 };
  C transposed[TSR__LEAF * SOME];
  for (tsr_index r = 0; r < rows; r += SOME) {
    const tsr_index here = rows - r < SOME ? rows - r : SOME;
    C *const at = (C *)b + r * step;
    for (tsr_index i = 0; i < here; i++)
      for (tsr_index j = 0; j < t->n; j++) transposed[j * SOME + i] = at[i * step + j];
    FN(substitute)(t, transposed, SOME, here);
    for (tsr_index i = 0; i < here; i++)
      for (tsr_index j = 0; j < t->n; j++) at[i * step + j] = transposed[j * SOME + i];
  }
}

/* ---- LU ---- */

static inline C FN(size_of)(C x) { return x < 0 ? -x : x; }

static tsr_index FN(find_pivot)(tsr_index m, tsr_index k, const C *a, tsr_index step) {
  tsr_index best = k;
  C most = FN(size_of)(a[k * step + k]);
  for (tsr_index i = k + 1; i < m; i++) {
    const C x = FN(size_of)(a[i * step + k]);
    if (x > most) most = x, best = i;
  }
  return best;
}

static void FN(swap_rows)(tsr_index n, C *x, C *y) {
  for (tsr_index j = 0; j < n; j++) {
    const C t = x[j];
    x[j] = y[j];
    y[j] = t;
  }
}

/* row -= f · pivot row, from column k + 1 on. */
static inline void FN(eliminate)(tsr_index n, tsr_index k, C *row, const C *by, C f) {
  row[k] = f;
  tsr_index j = k + 1;
  for (; j + LANES <= n; j += LANES) STORE(row + j, MADD(ALL(-f), LOAD(by + j), LOAD(row + j)));
  if (j < n)
    STORE_PART(row + j, MADD(ALL(-f), LOAD_PART(by + j, (int)(n - j)), LOAD_PART(row + j, (int)(n - j))), (int)(n - j));
}

static void FN(lu_panel)(tsr_index m, tsr_index n, void *matrix, tsr_index step, void *pivots, tsr_index *fault) {
  C *const a = matrix, *const places = pivots;
  for (tsr_index k = 0; k < n && k < m; k++) {
    const tsr_index at = FN(find_pivot)(m, k, a, step);
    places[k] = (C)at;
    if (at != k) FN(swap_rows)(n, a + k * step, a + at * step);
    const C pivot = a[k * step + k];
    if (pivot == 0) { /* so is all below it */
      if (*fault == 0) *fault = k + 1;
      continue;
    }
    for (tsr_index i = k + 1; i < m; i++) FN(eliminate)(n, k, a + i * step, a + k * step, a[i * step + k] / pivot);
  }
}

/* ---- Cholesky ---- */

#if !TSR_HAVE_MALLOC
static C FN(dot)(tsr_index n, const C *x, const C *y) {
  V sum = ALL(0);
  tsr_index k = 0;
  for (; k + LANES <= n; k += LANES) sum = MADD(LOAD(x + k), LOAD(y + k), sum);
  return sum;
}

static void FN(cholesky_leaf)(tsr_index n, void *matrix, tsr_index step, tsr_index *fault) {
  C *const a = matrix;
  for (tsr_index i = 0; i < n; i++) {
    C *const row = a + i * step;
    for (tsr_index j = 0; j < i; j++) {
      const C *const other = a + j * step;
      row[j] = (row[j] - FN(dot)(j, row, other)) / other[j];
    }
    const C left = row[i] - FN(dot)(i, row, row);
    if (!(left > 0) && *fault == 0) *fault = i + 1;
    row[i] = TSR__TYPE_SQRT(left);
  }
}

#else

/* Row k of U, where A = Uᵀ·U, from column k on: what the rows above it have of it is taken away, vectors side by side. */
static void FN(upper_row)(tsr_index n, tsr_index k, C *u) {
  enum { WIDE = 4 };
  C *const row = u + k * TSR__LEAF;
  for (tsr_index j = k / LANES * LANES; j < n; j += WIDE * LANES) {
    const int wide = (int)((n - j + LANES - 1) / LANES) < WIDE ? (int)((n - j + LANES - 1) / LANES) : WIDE;
    V x[WIDE];
    for (int v = 0; v < wide; v++) x[v] = LOAD(row + j + v * LANES);
    for (tsr_index p = 0; p < k; p++) {
      const C *const above = u + p * TSR__LEAF;
      const V f = ALL(-above[k]);
      for (int v = 0; v < wide; v++) x[v] = MADD(f, LOAD(above + j + v * LANES), x[v]);
    }
    for (int v = 0; v < wide; v++) STORE(row + j + v * LANES, x[v]);
  }
}

/* n ≤ TSR__LEAF: as the upper factor of a copy, so that rows are vectors. */
static void FN(cholesky_leaf)(tsr_index n, void *matrix, tsr_index step, tsr_index *fault) {
  C *const a = matrix, u[(TSR__LEAF + 4) * TSR__LEAF];
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = 0; j < TSR__LEAF; j++) u[i * TSR__LEAF + j] = j < i || j >= n ? 0 : a[j * step + i];
  for (tsr_index k = 0; k < n; k++) {
    C *const row = u + k * TSR__LEAF;
    FN(upper_row)(n, k, u);
    const C left = row[k];
    if (!(left > 0) && *fault == 0) *fault = k + 1;
    const C root = TSR__TYPE_SQRT(left);
    for (tsr_index j = k; j < n; j++) row[j] = row[j] / root;
    row[k] = root;
  }
  for (tsr_index i = 0; i < n; i++)
    for (tsr_index j = 0; j <= i; j++) a[i * step + j] = u[j * TSR__LEAF + i];
}

#endif
