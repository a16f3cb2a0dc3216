/* One float dtype: rows, then columns. */
static void FN(mean)(const tsr__windows *w, const char *x, tsr__window rows, tsr__window columns, char *out) {
  WIDE sum = 0;
  for (tsr_index i = 0; i < rows.count; i++) {
    const char *const row = x + w->xs[TSR__IMAGE_H] * (ptrdiff_t)(rows.first + i);
    for (tsr_index k = 0; k < columns.count; k++)
      sum += LOAD(*(const T *)(const void *)(row + w->xs[TSR__IMAGE_W] * (ptrdiff_t)(columns.first + k)));
  }
  *(T *)(void *)out = STORE(sum / (WIDE)(rows.count * columns.count));
}
