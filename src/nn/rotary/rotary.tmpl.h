/* One row of one float dtype. Both of a pair are read before either is written: out may be x. */
static void FN(rotate)(const rotation *u, const char *x, const WIDE *cos, const WIDE *sin, char *out) {
  const ptrdiff_t a = u->form == TSR_ROTARY_HALVES ? 1 : 2, b = u->form == TSR_ROTARY_HALVES ? u->half : 1;
  for (ptrdiff_t i = 0; i < u->half; i++) {
    const WIDE first = LOAD(*(const T *)(const void *)(x + u->x_step * (a * i)));
    const WIDE second = LOAD(*(const T *)(const void *)(x + u->x_step * (a * i + b)));
    const WIDE c = cos[i * u->cos_step], s = sin[i * u->sin_step];
    *(T *)(void *)(out + u->out_step * (a * i)) = STORE(first * c - second * s);
    *(T *)(void *)(out + u->out_step * (a * i + b)) = STORE(second * c + first * s);
  }
}

static void FN(rotate_rows)(void *arg, tsr_index begin, tsr_index end, int worker) {
  const rotation *const u = arg;
  (void)worker;
  for (tsr_index i = begin; i < end; i++) {
    const char *const x = tsr__lines_at(&u->lines, 0, i);
    char *const out = tsr__lines_at(&u->lines, 1, i);
    const ptrdiff_t p = position_of(u, i);
    FN(rotate)(u, x, (const WIDE *)u->cos + p * u->cos_row, (const WIDE *)u->sin + p * u->sin_row, out);
    if (x != out) copy_rest(u, x, out);
  }
}
