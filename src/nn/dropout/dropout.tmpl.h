/* n elements of one float dtype, and their random words. */
static void FN(drop)(const dropping *d, tsr_index n, const uint32_t *words, const char *x, char *out) {
  const WIDE scale = (WIDE)d->scale;
  const ptrdiff_t x_step = d->lines.step[0][d->lines.ndim - 1], out_step = d->lines.step[1][d->lines.ndim - 1];
  for (ptrdiff_t i = 0; i < (ptrdiff_t)n; i++) {
    const WIDE value = LOAD(*(const T *)(const void *)(x + x_step * i));
    *(T *)(void *)(out + out_step * i) = STORE(words[i] < d->threshold ? value * scale : (WIDE)0);
  }
}
