/* Passes of Stockham's algorithm, and how elements come into blocks and out of them. */

/* ---- an element: of a block, or of complex numbers side by side ---- */

TSR__INLINE C FT(get)(const T *from, tsr_index i, tsr_index step, int form) {
  const T *const at = from + 2 * i * (form == IN_BLOCKS ? LANES : step);
  const VEC a = TSR__VEC(VEC, _load)(at), b = TSR__VEC(VEC, _load)(at + LANES);
  if (form == IN_BLOCKS) return (C){a, b};
  return form == FORWARD ? (C){EVEN(a, b), ODD(a, b)} : (C){ODD(a, b), EVEN(a, b)};
}

TSR__INLINE void FT(put)(T *to, tsr_index i, tsr_index step, int form, VEC scale, C x) {
  T *const at = to + 2 * i * (form == IN_BLOCKS ? LANES : step);
  if (form != IN_BLOCKS) {
    const C scaled = {x.re * scale, x.im * scale}, kept = form == FORWARD ? scaled : (C){scaled.im, scaled.re};
    x = (C){ZIP_LOW(kept.re, kept.im), ZIP_HIGH(kept.re, kept.im)};
  }
  TSR__VEC(VEC, _store)(at, x.re);
  TSR__VEC(VEC, _store)(at + LANES, x.im);
}

/* ---- passes ---- */

TSR__INLINE void FT(pass)(const tsr__fft_pass *pass, int r, int from, int to, bool twiddled) {
  const tsr_index m = twiddled ? pass->m : 1, s = from == IN_BLOCKS ? pass->s : 1;
  const T *w = pass->twiddles;
  const VEC scale = TSR__VEC(VEC, _all)((T)pass->scale);
  for (tsr_index p = 0; p < m; p++, w += twiddled ? 2 * (r - 1) : 0) {
    for (tsr_index q = 0; q < s; q++) {
      C x[16];
      TSR__UNROLL(16)
      for (int k = 0; k < r; k++) x[k] = FT(get)(pass->from, q + s * (p + m * k), pass->step, from);
      FT(dft)(x, r);
      if (twiddled) {
        TSR__UNROLL(16)
        for (int k = 1; k < r; k++) x[k] = FT(mul)(x[k], FT(all)(w[2 * k - 2], w[2 * k - 1]));
      }
      TSR__UNROLL(16)
      for (int k = 0; k < r; k++) FT(put)(pass->to, q + s * (r * p + k), pass->step, to, scale, x[k]);
    }
  }
}

#define INNER(r)                                                                                           \
  static void FT(inner_##r)(const tsr__fft_pass *pass) { FT(pass)(pass, r, IN_BLOCKS, IN_BLOCKS, false); } \
  static void FT(inner_##r##_times)(const tsr__fft_pass *pass) { FT(pass)(pass, r, IN_BLOCKS, IN_BLOCKS, true); }
TSR__FFT_RADIX_LIST(INNER)
#undef INNER

#define ENDS(r)                                                                                                       \
  static void FT(first_##r)(const tsr__fft_pass *pass) { FT(pass)(pass, r, FORWARD, IN_BLOCKS, false); }              \
  static void FT(first_##r##_times)(const tsr__fft_pass *pass) { FT(pass)(pass, r, FORWARD, IN_BLOCKS, true); }       \
  static void FT(first_##r##_back)(const tsr__fft_pass *pass) { FT(pass)(pass, r, BACKWARD, IN_BLOCKS, false); }      \
  static void FT(first_##r##_times_back)(const tsr__fft_pass *pass) { FT(pass)(pass, r, BACKWARD, IN_BLOCKS, true); } \
  static void FT(last_##r)(const tsr__fft_pass *pass) { FT(pass)(pass, r, IN_BLOCKS, FORWARD, false); }               \
  static void FT(last_##r##_back)(const tsr__fft_pass *pass) { FT(pass)(pass, r, IN_BLOCKS, BACKWARD, false); }
TSR__FFT_ENDS_LIST(ENDS)
#undef ENDS

/* An odd radix without a kernel: as FT(dft_odd), with roots from memory. */
TSR__INLINE void FT(odd_sums)(const C *sum, const C *rest, tsr_index h, const T *roots, C *a, C *b) {
  for (tsr_index k = 0; k < h; k++) {
    const C w = FT(all)(roots[2 * k], roots[2 * k + 1]);
    *a = (C){FT(madd)(sum[k].re, w.re, a->re), FT(madd)(sum[k].im, w.re, a->im)};
    *b = (C){FT(madd)(rest[k].re, w.im, b->re), FT(madd)(rest[k].im, w.im, b->im)};
  }
}

static void FT(odd)(const tsr__fft_pass *pass) {
  const tsr_index r = pass->radix, h = r / 2, m = pass->m, s = pass->s;
  const T *const roots = pass->roots, *const twiddles = pass->twiddles;
  const VEC one = TSR__VEC(VEC, _all)(1);
  C sum[TSR__FFT_ODD_MAX / 2], rest[TSR__FFT_ODD_MAX / 2];
  for (tsr_index i = 0; i < m * s; i++) {
    const tsr_index p = i / s, q = i % s;
    const T *const w = twiddles + 2 * (r - 1) * p - 2;
    const C first = FT(get)(pass->from, i, 0, IN_BLOCKS);
    C zero = first;
    for (tsr_index k = 0; k < h; k++) {
      const C low = FT(get)(pass->from, i + (k + 1) * m * s, 0, IN_BLOCKS);
      const C high = FT(get)(pass->from, i + (r - 1 - k) * m * s, 0, IN_BLOCKS);
      sum[k] = FT(add)(low, high), rest[k] = FT(sub)(low, high);
      zero = FT(add)(zero, sum[k]);
    }
    FT(put)(pass->to, q + s * r * p, 0, IN_BLOCKS, one, zero);
    for (tsr_index j = 1; j <= h; j++) {
      C a = first, b = {{0}, {0}};
      FT(odd_sums)(sum, rest, h, roots + 2 * h * (j - 1), &a, &b);
      C low = {a.re + b.im, a.im - b.re}, high = {a.re - b.im, a.im + b.re};
      if (m > 1) {
        low = FT(mul)(low, FT(all)(w[2 * j], w[2 * j + 1]));
        high = FT(mul)(high, FT(all)(w[2 * (r - j)], w[2 * (r - j) + 1]));
      }
      FT(put)(pass->to, q + s * (r * p + j), 0, IN_BLOCKS, one, low);
      FT(put)(pass->to, q + s * (r * p + r - j), 0, IN_BLOCKS, one, high);
    }
  }
}
