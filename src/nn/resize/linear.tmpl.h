/* One float dtype. */
static inline WIDE FN(mix)(WIDE low, WIDE high, WIDE t) { return t == 0 ? low : (1 - t) * low + t * high; }

static inline void FN(pixel)(const rows *at, ptrdiff_t low, ptrdiff_t high, WIDE tx, WIDE ty, char *out) {
  const WIDE a = LOAD(*(const T *)(const void *)(at->top + low)), b = LOAD(*(const T *)(const void *)(at->top + high));
  const WIDE c = LOAD(*(const T *)(const void *)(at->bottom + low));
  const WIDE d = LOAD(*(const T *)(const void *)(at->bottom + high));
  *(T *)(void *)out = STORE(FN(mix)(FN(mix)(a, b, tx), FN(mix)(c, d, tx), ty));
}

static void FN(linear)(const tsr__resize *r, const tsr__resize_span *s) {
  const ptrdiff_t channels = (ptrdiff_t)r->image.shape[TSR__IMAGE_C], n = (ptrdiff_t)s->n;
  const ptrdiff_t x_step = r->xs[TSR__IMAGE_W], out_step = r->os[TSR__IMAGE_W];
  const bool last = r->image.last; /* what runs inside */
  for (ptrdiff_t i = 0; i < (last ? n : channels); i++)
    for (ptrdiff_t k = 0; k < (last ? channels : n); k++) {
      const ptrdiff_t c = last ? k : i, j = last ? i : k;
      const tsr__resize_place *const p = &s->column[j];
      const rows at = rows_of(r, s, c);
      const ptrdiff_t low = x_step * (ptrdiff_t)p->low, high = x_step * (ptrdiff_t)p->high;
      char *const out = s->out + r->os[TSR__IMAGE_C] * c + out_step * j;
      FN(pixel)(&at, low, high, (WIDE)p->weight, (WIDE)s->row.weight, out);
    }
}
