/* One float dtype, and one way to add |x|^p up: TERM of value, ROOT of the sum. */
static void LP(fold)(const tsr__windows *w, const char *x, tsr__window rows, tsr__window columns, char *out) {
  const WIDE p = (WIDE)w->p;
  WIDE sum = 0;
  (void)p;
  for (tsr_index i = 0; i < rows.count; i++) {
    const char *const row = x + w->xs[TSR__IMAGE_H] * (ptrdiff_t)(rows.first + i * rows.step);
    for (tsr_index k = 0; k < columns.count; k++) {
      const ptrdiff_t at = w->xs[TSR__IMAGE_W] * (ptrdiff_t)(columns.first + k * columns.step);
      const WIDE value = LOAD(*(const T *)(const void *)(row + at)), size = value < 0 ? -value : value;
      sum += TERM(size);
    }
  }
  *(T *)(void *)out = STORE(ROOT(sum));
}
