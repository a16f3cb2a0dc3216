/* One compute type: columns side by side, whose elements lie step bytes apart. Rows are streamed, and every column's
 * sum comes about in the order of its row kernel: the same bits. memory has TSR__SOFTMAX_COLUMN_BYTES for a column. */

static inline const C *FN(row_at)(const void *x, ptrdiff_t step, tsr_index i) {
  return (const C *)(const void *)((const char *)x + step * (ptrdiff_t)i);
}

/* top = the greatest of each column; NaN where there is one. */
static void FN(column_peaks)(tsr_index n, tsr_index width, const void *x, ptrdiff_t step, C *top) {
  memcpy(top, x, (size_t)width * sizeof(C));
  for (tsr_index i = 1; i < n; i++) {
    const C *const row = FN(row_at)(x, step, i);
    tsr_index c = 0;
    for (; c + WIDTH <= width; c += WIDTH) VF(_store)(top + c, MAX(LOAD(top + c), LOAD(row + c)));
    for (; c < width; c++) top[c] = (row[c] > top[c]) | (row[c] != row[c]) ? row[c] : top[c];
  }
}

/* out = e^(x - top), where there is an out, and sums grows by it: one row. All of a step is read before any is
 * written. */
static void FN(column_row)(tsr_index width, const C *x, const C *top, C *sums, C *out) {
  C e[LANES];
  tsr_index c = 0;
  for (; c + LANES <= width; c += LANES) {
    for (int l = 0; l < LANES; l++) e[l] = FN(part)(x[c + l] - top[c + l]);
    for (int k = 0; k < PARTS; k++) {
      const V add = LOAD(e + k * WIDTH);
      if (out != NULL) VF(_store)(out + c + k * WIDTH, add);
      VF(_store)(sums + c + k * WIDTH, LOAD(sums + c + k * WIDTH) + add);
    }
  }
  for (; c < width; c++) {
    e[0] = FN(part)(x[c] - top[c]);
    if (out != NULL) out[c] = e[0];
    sums[c] += e[0];
  }
}

/* sums[0] = the sum of the first lanes, joined by halves; the others have seen nothing, which is 0. */
static void FN(join_columns)(tsr_index lanes, tsr_index width, C *sums) {
  for (tsr_index half = LANES / 2; half > 0; half /= 2) {
    if (lanes <= half) continue;
    for (tsr_index c = 0; c < (lanes - half) * width; c++) sums[c] += sums[half * width + c];
    lanes = half;
  }
}

static void FN(column_sums)(tsr_index n, tsr_index width, const void *x, ptrdiff_t x_step, const C *top, C *sums,
                            widest *total, void *out, ptrdiff_t out_step) {
  for (tsr_index c = 0; c < width; c++) total[c] = 0;
  for (tsr_index i = 0, end; i < n; i = end) {
    end = FN(block_end)(i, n);
    const tsr_index lanes = end - i < LANES ? end - i : LANES;
    memset(sums, 0, (size_t)(lanes * width) * sizeof(C));
    for (tsr_index r = i; r < end; r++) {
      C *const to = out != NULL ? (C *)(void *)((char *)out + out_step * (ptrdiff_t)r) : NULL;
      FN(column_row)(width, FN(row_at)(x, x_step, r), top, sums + (r - i) % LANES * width, to);
    }
    FN(join_columns)(lanes, width, sums);
    for (tsr_index c = 0; c < width; c++) total[c] += (widest)sums[c];
  }
}

/* What a column with a NaN or an infinity is, as in the row kernel. */
static void FN(fill_columns)(tsr_index n, tsr_index width, const C *top, void *out, ptrdiff_t step) {
  for (tsr_index c = 0; c < width; c++)
    for (tsr_index i = 0; top[c] - top[c] != 0 && i < n; i++)
      ((C *)(void *)((char *)out + step * (ptrdiff_t)i))[c] = top[c] - top[c];
}

static void FN(softmax_columns)(tsr_index n, tsr_index width, const void *x, ptrdiff_t x_step, void *out,
                                ptrdiff_t out_step, void *memory) {
  widest *const total = memory;
  C *const top = (C *)(void *)(total + width), *const sums = top + width;
  FN(column_peaks)(n, width, x, x_step, top);
  FN(column_sums)(n, width, x, x_step, top, sums, total, out, out_step);
  for (tsr_index c = 0; c < width; c++) sums[c] = (C)(1 / total[c]);
  for (tsr_index i = 0; i < n; i++) {
    C *const row = (C *)(void *)((char *)out + out_step * (ptrdiff_t)i);
    for (tsr_index c = 0; c < width; c++) row[c] *= sums[c];
  }
  FN(fill_columns)(n, width, top, out, out_step);
}

static void FN(log_softmax_columns)(tsr_index n, tsr_index width, const void *x, ptrdiff_t x_step, void *out,
                                    ptrdiff_t out_step, void *memory) {
  widest *const total = memory;
  C *const top = (C *)(void *)(total + width), *const sums = top + width;
  FN(column_peaks)(n, width, x, x_step, top);
  FN(column_sums)(n, width, x, x_step, top, sums, total, NULL, 0);
  for (tsr_index c = 0; c < width; c++) sums[c] = FN(tsr__log)((C)total[c]);
  for (tsr_index i = 0; i < n; i++) {
    const C *const from = FN(row_at)(x, x_step, i);
    C *const row = (C *)(void *)((char *)out + out_step * (ptrdiff_t)i);
    for (tsr_index c = 0; c < width; c++) row[c] = (from[c] - top[c]) - sums[c];
  }
  FN(fill_columns)(n, width, top, out, out_step);
}
