/* One element of one float dtype: x is its sample and pixel, channel 0. */
static void FN(normalise)(const lrn *l, const char *x, tsr_index c, char *out) {
  const ptrdiff_t step = l->xs[TSR__IMAGE_C];
  const tsr_index before = (l->size - 1) / 2, after = l->size / 2;
  const tsr_index from = c > before ? c - before : 0, to = after < l->channels - 1 - c ? c + after : l->channels - 1;
  const WIDE own = LOAD(*(const T *)(const void *)(x + step * (ptrdiff_t)c));
  WIDE sum = 0;
  for (tsr_index k = from; k <= to; k++) {
    const WIDE value = LOAD(*(const T *)(const void *)(x + step * (ptrdiff_t)k));
    sum += value * value;
  }
  *(T *)(void *)out = STORE(own / MATH(tsr__power)((WIDE)l->bias + (WIDE)l->alpha * sum, (WIDE)l->beta));
}
