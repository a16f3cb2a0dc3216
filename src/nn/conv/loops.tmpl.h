/* One type: T in memory, SUM to add up in. */

static SUM FN(output)(const tsr__conv_row *r, tsr_index x0) {
  const T *const xs = r->x, *const ws = r->w;
  const tsr_index before = x0 < 0 ? -x0 : 0, first = before / r->dw + (before % r->dw != 0); /* the first tap inside */
  SUM sum = r->bias != NULL ? (SUM) * (const T *)r->bias : (SUM)0;
  for (tsr_index i = 0; i < r->channels; i++)
    for (tsr_index ky = 0; ky < r->kh; ky++) {
      const tsr_index y = r->y + ky * r->dh;
      if (y < 0 || y >= r->h) continue;
      tsr_index x = x0 + first * r->dw;
      const T *const in = xs + i * r->xs[1] + y * r->xs[2], *const w = ws + i * r->ws[1] + ky * r->ws[2];
      for (tsr_index kx = first; kx < r->kw && x < r->width; kx++, x += r->dw)
        sum = (SUM)(sum + (SUM)in[x * r->xs[3]] * (SUM)w[kx * r->ws[3]]);
    }
  return sum;
}

static void FN(row)(const tsr__conv_row *r) {
  T *const out = r->out;
  for (tsr_index j = 0; j < r->count; j++) out[j * r->step] = (T)FN(output)(r, j * r->sw - r->left);
}
