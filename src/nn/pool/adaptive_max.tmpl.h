/* One float dtype. The first NaN stays: nothing is greater, and only NaN is not itself. */
static void FN(window_max)(const tsr__windows *w, const char *x, tsr__window rows, tsr__window columns, char *out) {
  WIDE most = 0;
  for (tsr_index i = 0; i < rows.count; i++) {
    const char *const row = x + w->xs[TSR__IMAGE_H] * (ptrdiff_t)(rows.first + i);
    for (tsr_index k = 0; k < columns.count; k++) {
      const WIDE value = LOAD(*(const T *)(const void *)(row + w->xs[TSR__IMAGE_W] * (ptrdiff_t)(columns.first + k)));
      if ((i == 0 && k == 0) || value > most || value != value) most = value;
    }
  }
  *(T *)(void *)out = STORE(most);
}
