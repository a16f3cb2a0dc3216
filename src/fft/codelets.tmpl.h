/* Discrete Fourier transforms of a few elements, in registers: VEC, T, C and FT(name) are the type's. x is in order before and after. */

typedef struct C {
  VEC re, im;
} C;

TSR__INLINE C FT(add)(C a, C b) { return (C){a.re + b.re, a.im + b.im}; }
TSR__INLINE C FT(sub)(C a, C b) { return (C){a.re - b.re, a.im - b.im}; }
TSR__INLINE VEC FT(madd)(VEC a, VEC b, VEC c) { return TSR__VEC(VEC, _madd)(a, b, c); }

/* x·w, one rounding less where products are fused. */
TSR__INLINE C FT(mul)(C x, C w) { return (C){FT(madd)(x.re, w.re, -(x.im * w.im)), FT(madd)(x.re, w.im, x.im * w.re)}; }
TSR__INLINE C FT(all)(T re, T im) { return (C){TSR__VEC(VEC, _all)(re), TSR__VEC(VEC, _all)(im)}; }

TSR__INLINE void FT(dft2)(C *a, C *b) {
  const C sum = FT(add)(*a, *b), rest = FT(sub)(*a, *b);
  *a = sum, *b = rest;
}

TSR__INLINE void FT(dft4)(C *a, C *b, C *c, C *d) {
  const C p = FT(add)(*a, *c), q = FT(sub)(*a, *c), r = FT(add)(*b, *d), s = FT(sub)(*b, *d);
  *a = FT(add)(p, r);
  *b = (C){q.re + s.im, q.im - s.re};
  *c = FT(sub)(p, r);
  *d = (C){q.re - s.im, q.im + s.re};
}

/* a ± c·b: the products are fused with the sums. */
TSR__INLINE void FT(fused2)(C *a, C *b, C to, C x, VEC c) {
  *a = (C){FT(madd)(x.re, c, to.re), FT(madd)(x.im, c, to.im)};
  *b = (C){FT(madd)(x.re, -c, to.re), FT(madd)(x.im, -c, to.im)};
}

TSR__INLINE void FT(dft8)(C *x) {
  const VEC half = TSR__VEC(VEC, _all)((T)0.70710678118654752440);
  FT(dft4)(&x[0], &x[2], &x[4], &x[6]);
  FT(dft4)(&x[1], &x[3], &x[5], &x[7]);
  const C e0 = x[0], e1 = x[2], e2 = x[4], e3 = x[6], o0 = x[1], o1 = x[3], o2 = x[5], o3 = x[7];
  const C u1 = {o1.re + o1.im, o1.im - o1.re}, u2 = {o2.im, -o2.re}, u3 = {o3.im - o3.re, -(o3.im + o3.re)};
  x[0] = FT(add)(e0, o0), x[4] = FT(sub)(e0, o0);
  FT(fused2)(&x[1], &x[5], e1, u1, half);
  x[2] = FT(add)(e2, u2), x[6] = FT(sub)(e2, u2);
  FT(fused2)(&x[3], &x[7], e3, u3, half);
}

/* Four of four, with the sixteenth roots between them. */
TSR__INLINE void FT(dft16)(C *x) {
  const VEC half = TSR__VEC(VEC, _all)((T)0.70710678118654752440);
  const C w1 = FT(all)((T)0.92387953251128675613, (T)-0.38268343236508977173);
  const C w3 = FT(all)((T)0.38268343236508977173, (T)-0.92387953251128675613);
  TSR__UNROLL(4)
  for (int k = 0; k < 4; k++) FT(dft4)(&x[k], &x[k + 4], &x[k + 8], &x[k + 12]);
  const C a = x[6], b = x[10], c = x[14], d = x[11];
  x[5] = FT(mul)(x[5], w1);
  x[6] = (C){(a.re + a.im) * half, (a.im - a.re) * half};
  x[7] = FT(mul)(x[7], w3);
  x[9] = (C){(x[9].re + x[9].im) * half, (x[9].im - x[9].re) * half};
  x[10] = (C){b.im, -b.re};
  x[11] = (C){(d.im - d.re) * half, -(d.im + d.re) * half};
  x[13] = FT(mul)(x[13], w3);
  x[14] = (C){(c.im - c.re) * half, -(c.im + c.re) * half};
  x[15] = FT(mul)(x[15], (C){-w1.re, -w1.im});
  TSR__UNROLL(4)
  for (int k = 0; k < 4; k++) FT(dft4)(&x[4 * k], &x[4 * k + 1], &x[4 * k + 2], &x[4 * k + 3]);
  TSR__UNROLL(4)
  for (int k = 0; k < 4; k++) {
    TSR__UNROLL(4)
    for (int j = k + 1; j < 4; j++) {
      const C kept = x[4 * k + j];
      x[4 * k + j] = x[4 * j + k], x[4 * j + k] = kept;
    }
  }
}

/* An odd number of elements: sums and differences of those that lie opposite, times cosines and sines. */
TSR__INLINE void FT(dft_odd)(C *x, int n, const T *cosines, const T *sines) {
  const int h = n / 2;
  C sum[TSR__FFT_ODD_CODELET / 2], rest[TSR__FFT_ODD_CODELET / 2], zero = x[0];
  TSR__UNROLL(8)
  for (int k = 0; k < h; k++) sum[k] = FT(add)(x[k + 1], x[n - 1 - k]), rest[k] = FT(sub)(x[k + 1], x[n - 1 - k]);
  const C first = x[0];
  TSR__UNROLL(8)
  for (int k = 0; k < h; k++) zero = FT(add)(zero, sum[k]);
  x[0] = zero;
  TSR__UNROLL(8)
  for (int j = 1; j <= h; j++) {
    C a = first, b = {rest[0].re * sines[j % n], rest[0].im * sines[j % n]};
    TSR__UNROLL(8)
    for (int k = 0; k < h; k++) {
      const VEC c = TSR__VEC(VEC, _all)(cosines[j * (k + 1) % n]), s = TSR__VEC(VEC, _all)(sines[j * (k + 1) % n]);
      a = (C){FT(madd)(sum[k].re, c, a.re), FT(madd)(sum[k].im, c, a.im)};
      if (k > 0) b = (C){FT(madd)(rest[k].re, s, b.re), FT(madd)(rest[k].im, s, b.im)};
    }
    x[j] = (C){a.re + b.im, a.im - b.re};
    x[n - j] = (C){a.re - b.im, a.im + b.re};
  }
}

TSR__INLINE void FT(dft)(C *x, int radix) {
  static const T cos3[] = {TSR__FFT_COS3}, sin3[] = {TSR__FFT_SIN3}, cos5[] = {TSR__FFT_COS5}, sin5[] = {TSR__FFT_SIN5},
                 cos7[] = {TSR__FFT_COS7}, sin7[] = {TSR__FFT_SIN7}, cos11[] = {TSR__FFT_COS11},
                 sin11[] = {TSR__FFT_SIN11};
  switch (radix) {
    case 2: FT(dft2)(&x[0], &x[1]); return;
    case 3: FT(dft_odd)(x, 3, cos3, sin3); return;
    case 4: FT(dft4)(&x[0], &x[1], &x[2], &x[3]); return;
    case 5: FT(dft_odd)(x, 5, cos5, sin5); return;
    case 7: FT(dft_odd)(x, 7, cos7, sin7); return;
    case 8: FT(dft8)(x); return;
    case 11: FT(dft_odd)(x, 11, cos11, sin11); return;
    default: FT(dft16)(x); return;
  }
}
