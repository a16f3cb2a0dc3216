/* Lines of complex numbers side by side: products, and the halves of real transforms. */

static void FT(multiply)(tsr_index n, const void *a, const void *b, void *out, bool swap_in, bool swap_out,
                         double scale) {
  const T *const x = a, *const y = b;
  T *const to = out;
  for (tsr_index i = 0; i < n; i += LANES) {
    const tsr_index count = n - i < LANES ? n - i : LANES;
    const C left = FT(load_some)(x + 2 * i, count, swap_in), right = FT(load_some)(y + 2 * i, count, false);
    FT(store_some)(to + 2 * i, count, swap_out, (T)scale, FT(mul)(left, right));
  }
}

/* ---- real transforms ---- */

/* Of a = z[k], b = z[h-k]: s = a + conj(b), d = (a - conj(b))·w; s + d at k, conj(s - d) at h - k. */
TSR__INLINE void FT(pair)(C *a, C *b, C w, VEC scale) {
  const C sum = {a->re + b->re, a->im - b->im}, rest = FT(mul)((C){a->re - b->re, a->im + b->im}, w);
  *a = (C){(sum.re + rest.re) * scale, (sum.im + rest.im) * scale};
  *b = (C){(sum.re - rest.re) * scale, (rest.im - sum.im) * scale};
}

TSR__INLINE C FT(reversed)(C x) { return (C){REVERSE(x.re), REVERSE(x.im)}; }

/* One pair, in the first lane. */
TSR__INLINE void FT(lone_pair)(const tsr__fft_real *r, tsr_index k, T sign, VEC scale) {
  const T *const low = (const T *)r->from + 2 * k, *const high = (const T *)r->from + 2 * (r->h - k),
                 *const w = (const T *)r->twiddles + 2 * k;
  C a = FT(all)(low[0], low[1]), b = FT(all)(high[0], high[1]);
  FT(pair)(&a, &b, FT(all)(w[0], w[1] * sign), scale);
  T *const to = (T *)r->to + 2 * k, *const to_high = (T *)r->to + 2 * (r->h - k);
  to_high[0] = b.re[0], to_high[1] = b.im[0];
  to[0] = a.re[0], to[1] = a.im[0];
}

TSR__INLINE void FT(pairs)(const tsr__fft_real *r, T sign, T half) {
  const T *const from = r->from, *const twiddles = r->twiddles;
  T *const to = r->to;
  const tsr_index h = r->h;
  const VEC scale = TSR__VEC(VEC, _all)(half), signs = TSR__VEC(VEC, _all)(sign);
  tsr_index k = 1;
  for (; 2 * (k + LANES - 1) < h; k += LANES) {
    const tsr_index high = h - k - LANES + 1;
    C a = FT(get)(from + 2 * k, 0, 0, FORWARD), b = FT(reversed)(FT(get)(from + 2 * high, 0, 0, FORWARD));
    C w = FT(get)(twiddles + 2 * k, 0, 0, FORWARD);
    w.im *= signs;
    FT(pair)(&a, &b, w, scale);
    FT(put)(to + 2 * high, 0, 0, FORWARD, TSR__VEC(VEC, _all)(1), FT(reversed)(b));
    FT(put)(to + 2 * k, 0, 0, FORWARD, TSR__VEC(VEC, _all)(1), a);
  }
  for (; 2 * k <= h; k++) FT(lone_pair)(r, k, sign, scale);
}

static void FT(unfold)(const tsr__fft_real *r) {
  const T *const from = r->from;
  const T re = from[0], im = from[1], scale = (T)r->scale;
  T *const to = r->to;
  FT(pairs)(r, 1, (T)0.5 * scale);
  to[0] = (re + im) * scale, to[1] = 0;
  to[2 * r->h] = (re - im) * scale, to[2 * r->h + 1] = 0;
}

static void FT(fold)(const tsr__fft_real *r) {
  const T *const from = r->from;
  const T first = from[0], last = from[2 * r->h];
  T *const to = r->to;
  FT(pairs)(r, -1, 1);
  to[0] = first + last, to[1] = first - last;
}
