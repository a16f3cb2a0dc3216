/* One type: T in memory, SUM to add up in. Forgets FN, T and SUM. */

static SUM FN(output)(const tsr__conv_row *r, tsr_index x0) {
  const tsr__conv *const c = r->c;
  const tsr_index *const xs = r->t->xs, *const ws = r->t->ws;
  const tsr_index dw = c->dw, kw = c->kw, width = c->w, x_step = xs[3],
                  w_step = ws[3];                                                      /* registers of the inner loop */
  const tsr_index before = x0 < 0 ? -x0 : 0, first = before / dw + (before % dw != 0); /* the first tap inside */
  SUM sum = r->bias != NULL ? (SUM) * (const T *)r->bias : (SUM)0;
  for (tsr_index i = 0; i < c->i; i++)
    for (tsr_index ky = 0; ky < c->kh; ky++) {
      const tsr_index y = r->y + ky * c->dh;
      if (y < 0 || y >= c->h) continue;
      tsr_index x = x0 + first * dw;
      const T *const in = (const T *)r->x + i * xs[1] + y * xs[2], *const w = (const T *)r->w + i * ws[1] + ky * ws[2];
      for (tsr_index kx = first; kx < kw && x < width; kx++, x += dw)
        sum = (SUM)(sum + (SUM)in[x * x_step] * (SUM)w[kx * w_step]);
    }
  return sum;
}

static void FN(row)(const tsr__conv_row *r) {
  T *const out = r->out;
  for (tsr_index j = 0; j < r->c->ow; j++) out[j * r->t->os[3]] = (T)FN(output)(r, j * r->c->sw - r->c->left);
}
#undef FN
#undef T
#undef SUM
