/* One compute type: rows of few elements side by side, as columns whose elements lie step bytes apart. Every column's
 * sums come about in the order of its row kernel: the same bits. memory has TSR__NORM_COLUMN_BYTES for each of them, and
 * there are at least ACROSS. */
#define ACROSS TSR__NORM_ACROSS

static inline const C *FN(column_at)(const void *x, ptrdiff_t step, tsr_index i) {
  return (const C *)(const void *)((const char *)x + step * (ptrdiff_t)i);
}

/* One element of ACROSS columns. */
typedef C FN(across) __attribute__((vector_size(ACROSS * sizeof(C)), aligned(sizeof(C)), may_alias));

/* sums[0] = the sum of the first lanes rows of sums, joined by halves; the others have seen nothing, which is 0. */
static void FN(join_columns)(int lanes, C (*sums)[ACROSS]) {
  FN(across) *const v = (FN(across) *)(void *)sums;
  for (int half = LANES / 2; half > 0; half /= 2) {
    for (int l = 0; l < lanes - half; l++) v[l] += v[half + l];
    if (lanes > half) lanes = half;
  }
}

static void FN(column_pivots)(tsr_index n, const void *x, ptrdiff_t step, C (*room)[ACROSS], C *pivot) {
  const int first = n < NEAR ? 1 : NEAR;
  for (int l = 0; l < first; l++) memcpy(room[l], FN(column_at)(x, step, l), sizeof room[0]);
  if (first > 1) FN(join_columns)(NEAR, room);
  for (int c = 0; c < ACROSS; c++) pivot[c] = first > 1 ? room[0][c] / NEAR : room[0][c];
}

/* One element of each column: sums of x - pivot and of its square, from what they were to what they are then. */
static inline void FN(column_moment)(const C *row, const C *pivot, const C *sums, const C *squares, C *to,
                                     C *to_squares) {
  C a[ACROSS], b[ACROSS];
  for (int c = 0; c < ACROSS; c++) {
    const C d = row[c] - pivot[c];
    a[c] = sums[c] + d;
    b[c] = FMA(d, d, squares[c]);
  }
  memcpy(to, a, sizeof a);
  memcpy(to_squares, b, sizeof b);
}

static void FN(column_moments)(tsr_index n, const void *x, ptrdiff_t step, const C *pivot, C (*a)[ACROSS],
                               C (*b)[ACROSS]) {
  const C none[ACROSS] = {0};
  const int lanes = n < LANES ? (int)n : LANES;
  for (int i = 0; i < lanes; i++) FN(column_moment)(FN(column_at)(x, step, i), pivot, none, none, a[i], b[i]);
  for (tsr_index i = LANES; i < n; i++) {
    C *const sums = a[i % LANES], *const squares = b[i % LANES];
    FN(column_moment)(FN(column_at)(x, step, i), pivot, sums, squares, sums, squares);
  }
  FN(join_columns)(lanes, a);
  FN(join_columns)(lanes, b);
}

/* The statistics of one column by its row kernel. */
static FN(normal) FN(column_statistics)(tsr_index n, const void *x, ptrdiff_t step, int column, tsr_real eps) {
  C row[TSR__NORM_SHORT];
  for (tsr_index i = 0; i < n; i++) row[i] = FN(column_at)(x, step, i)[column];
  return FN(statistics)(n, row, eps);
}

/* The columns' statistics; those whose pivot is far from the mean, which are rare, go by themselves. */
static void FN(normals)(tsr_index n, const void *x, ptrdiff_t step, tsr_real eps, C (*room)[ACROSS], C *pivot,
                        C *factor, C *add) {
  C(*const squares)[ACROSS] = room + LANES;
  tsr_real rests[ACROSS], variances[ACROSS];
  FN(column_pivots)(n, x, step, room, pivot);
  FN(column_moments)(n, x, step, pivot, room, squares);
  for (int c = 0; c < ACROSS; c++) {
    const tsr_real rest = (tsr_real)room[0][c] / (tsr_real)n;
    const tsr_real variance = (tsr_real)squares[0][c] / (tsr_real)n - rest * rest;
    const tsr_real scale = 1 / root((variance < 0 ? 0 : variance) + eps);
    factor[c] = (C)scale;
    add[c] = (C)(-rest * scale);
    rests[c] = rest;
    variances[c] = variance;
  }
  for (int c = 0; c < ACROSS; c++) {
    if (rests[c] * rests[c] <= 4 * variances[c]) continue;
    const FN(normal) s = FN(column_statistics)(n, x, step, c, eps);
    pivot[c] = s.pivot, factor[c] = s.factor, add[c] = s.add;
  }
}

static void FN(mean_squares)(tsr_index n, const void *x, ptrdiff_t step, tsr_real eps, C (*a)[ACROSS], C *factor) {
  const int lanes = n < LANES ? (int)n : LANES;
  for (tsr_index i = 0; i < n; i++) {
    const C *const row = FN(column_at)(x, step, i);
    C sums[ACROSS] = {0};
    if (i >= LANES) memcpy(sums, a[i % LANES], sizeof sums);
    for (int c = 0; c < ACROSS; c++) sums[c] = FMA(row[c], row[c], sums[c]);
    memcpy(a[i % LANES], sums, sizeof sums);
  }
  FN(join_columns)(lanes, a);
  for (int c = 0; c < ACROSS; c++) factor[c] = (C)(1 / root((tsr_real)a[0][c] / (tsr_real)n + eps));
}

/* ---- results ---- */

/* Row by row; out may be x. */
#define EACH_ROW(value)                                                 \
  for (tsr_index i = 0; i < n; i++) {                                   \
    const C *const from = FN(column_at)(x, x_step, i);                  \
    C *const to = (C *)(void *)((char *)out + out_step * (ptrdiff_t)i); \
    C y[ACROSS];                                                        \
    for (int c = 0; c < ACROSS; c++) y[c] = (value);                    \
    memcpy(to, y, sizeof y);                                            \
  }
#define NORMAL FMA(from[c] - pivot[c], factor[c], add[c])

static void FN(layer_norm_across)(tsr_index n, const void *x, ptrdiff_t x_step, const C *scale, const C *bias,
                                  tsr_real eps, void *out, ptrdiff_t out_step, C (*room)[ACROSS]) {
  C pivot[ACROSS], factor[ACROSS], add[ACROSS];
  FN(normals)(n, x, x_step, eps, room, pivot, factor, add);
  if (scale != NULL && bias != NULL)
    EACH_ROW(FMA(NORMAL, scale[i], bias[i]))
  else if (scale != NULL)
    EACH_ROW(NORMAL * scale[i])
  else if (bias != NULL)
    EACH_ROW(NORMAL + bias[i])
  else
    EACH_ROW(NORMAL)
}

static void FN(rms_norm_across)(tsr_index n, const void *x, ptrdiff_t x_step, const C *scale, const C *bias,
                                tsr_real eps, void *out, ptrdiff_t out_step, C (*room)[ACROSS]) {
  C factor[ACROSS];
  (void)bias;
  FN(mean_squares)(n, x, x_step, eps, room, factor);
  if (scale != NULL)
    EACH_ROW(from[c] * factor[c] * scale[i])
  else
    EACH_ROW(from[c] * factor[c])
}
#undef EACH_ROW
#undef NORMAL

/* ACROSS columns at a time; the last ones by way of a copy, where they are fewer. */
#define COLUMNS(name)                                                                                              \
  static void FN(name##_columns)(tsr_index n, tsr_index width, const void *x, ptrdiff_t x_step, const void *scale, \
                                 const void *bias, tsr_real eps, void *out, ptrdiff_t out_step, void *memory) {    \
    C(*const room)[ACROSS] = memory;                                                                               \
    C(*const copy)[ACROSS] = room + 2 * LANES;                                                                     \
    const tsr_index whole = width / ACROSS * ACROSS, rest = width - whole;                                         \
    const char *const from = (const char *)x + (size_t)whole * sizeof(C);                                          \
    char *const to = (char *)out + (size_t)whole * sizeof(C);                                                      \
    for (tsr_index j = 0; j < whole; j += ACROSS) FN(name##_across)                                                \
    (n, (const char *)x + (size_t)j * sizeof(C), x_step, scale, bias, eps, (char *)out + (size_t)j * sizeof(C),    \
     out_step, room);                                                                                              \
    if (rest == 0) return;                                                                                         \
    memset(copy, 0, sizeof copy[0] * (size_t)n);                                                                   \
    for (tsr_index i = 0; i < n; i++) memcpy(copy[i], from + x_step * (ptrdiff_t)i, (size_t)rest * sizeof(C));     \
    FN(name##_across)(n, copy, sizeof copy[0], scale, bias, eps, copy, sizeof copy[0], room);                      \
    for (tsr_index i = 0; i < n; i++) memcpy(to + out_step * (ptrdiff_t)i, copy[i], (size_t)rest * sizeof(C));     \
  }

COLUMNS(layer_norm)
COLUMNS(rms_norm)
#undef COLUMNS
#undef ACROSS
