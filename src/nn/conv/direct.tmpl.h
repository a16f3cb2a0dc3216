/* One float dtype. */
static void FN(add)(const tsr__conv_direct_line *l, WIDE weight, const char *x, ptrdiff_t x_step, WIDE *sums) {
  if (l->count <= 0) return;
  const char *const from = x + x_step * (ptrdiff_t)l->from;
  const ptrdiff_t step = x_step * (ptrdiff_t)l->step;
  if (step == (ptrdiff_t)sizeof(T) && l->to_step == 1) { /* vectors */
    const T *const in = (const T *)(const void *)from;
    for (tsr_index i = 0; i < l->count; i++) sums[l->to + i] += weight * LOAD(in[i]);
    return;
  }
  for (tsr_index i = 0; i < l->count; i++)
    sums[l->to + i * l->to_step] += weight * LOAD(*(const T *)(const void *)(from + step * (ptrdiff_t)i));
}

/* One channel: x and w are it. */
static void FN(channel)(const tsr__conv_direct *t, const tsr__conv_direct_row *r, const char *x, const char *w,
                        tsr_index first, tsr_index n, WIDE *sums) {
  for (tsr_index kd = 0; kd < t->axis[0].kernel; kd++) {
    const ptrdiff_t d = (ptrdiff_t)tsr__conv_direct_source(t, &t->axis[0], r->d, kd);
    for (tsr_index kh = 0; kh < t->axis[1].kernel && d >= 0; kh++) {
      const ptrdiff_t h = (ptrdiff_t)tsr__conv_direct_source(t, &t->axis[1], r->h, kh);
      for (tsr_index kw = 0; kw < t->axis[2].kernel && h >= 0; kw++) {
        const tsr__conv_direct_line line = tsr__conv_direct_line_of(t, first, n, kw);
        const char *const at = w + t->ws[TSR__IMAGE_D] * (ptrdiff_t)kd + t->ws[TSR__IMAGE_H] * (ptrdiff_t)kh +
                               t->ws[TSR__IMAGE_W] * (ptrdiff_t)kw;
        const char *const from = x + t->xs[TSR__IMAGE_D] * d + t->xs[TSR__IMAGE_H] * h;
        FN(add)(&line, LOAD(*(const T *)(const void *)at), from, t->xs[TSR__IMAGE_W], sums);
      }
    }
  }
}

static void FN(row)(const tsr__conv_direct *t, const tsr__conv_direct_row *r) {
  const WIDE bias = r->bias != NULL ? LOAD(*(const T *)(const void *)r->bias) : (WIDE)0;
  WIDE sums[CHUNK];
  for (tsr_index first = 0; first < t->axis[2].out; first += CHUNK) {
    const tsr_index left = t->axis[2].out - first, n = left < CHUNK ? left : CHUNK;
    for (tsr_index i = 0; i < n; i++) sums[i] = bias;
    for (ptrdiff_t c = 0; c < (ptrdiff_t)t->each; c++)
      FN(channel)(t, r, r->x + t->xs[TSR__IMAGE_C] * c, r->w + t->ws[TSR__IMAGE_C] * c, first, n, sums);
    for (tsr_index i = 0; i < n; i++)
      *(T *)(void *)(r->out + t->os[TSR__IMAGE_W] * (ptrdiff_t)(first + i)) = STORE(sums[i]);
  }
}
