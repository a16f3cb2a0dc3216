/* One type of parts: TYPE, E. */
#define FN(name) TSR__CAT(TSR__CAT(name, _), TYPE)
#define V TSR__VEC(tsr__v, TYPE)
#define PAIRS(v) TSR__VEC(V, _swapped)(v)
#define LANES ((int)(TSR__VEC_BYTES / sizeof(E)))

typedef struct FN(number) {
  E re, im;
} FN(number);

/* real in even lanes, imaginary in odd ones. */
TSR__INLINE V FN(alternating)(E real, E imaginary) {
  V v = {0};
  TSR__UNROLL(16)
  for (int i = 0; i < LANES; i++) v[i] = i % 2 == 0 ? real : imaginary;
  return v;
}

/* ---- packing ---- */

/* Rows one after the other, some steps at a time, so that what is written stays near. */
static void FN(pack_rows)(int width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step,
                          ptrdiff_t k_step, E sign, E *dst) {
  enum { SOME = 32 };
  for (tsr_index p0 = 0; p0 < k; p0 += SOME) {
    const tsr_index end = k - p0 < SOME ? k : p0 + SOME;
    for (tsr_index i = 0; i < width; i++) {
      const char *at = src + (i < count ? i * count_step : 0) + p0 * k_step;
      E *to = dst + 2 * p0 * width + i;
      for (tsr_index p = p0; p < end; p++, at += k_step, to += 2 * width) {
        const FN(number) x = i < count ? *(const FN(number) *)(const void *)at : (FN(number)){0, 0};
        to[0] = x.re;
        to[width] = sign * x.im;
      }
    }
  }
}

/* Steps one after the other: rows lie side by side. */
static void FN(pack_steps)(int width, tsr_index count, tsr_index k, const char *src, ptrdiff_t k_step, E sign,
                           E *restrict dst) {
  for (tsr_index p = 0; p < k; p++, src += k_step, dst += 2 * width) {
    const FN(number) *const x = (const FN(number) *)(const void *)src;
    for (tsr_index i = 0; i < count; i++) dst[i] = x[i].re;
    for (tsr_index i = 0; i < count; i++) dst[width + i] = sign * x[i].im;
    for (tsr_index i = count; i < width; i++) dst[i] = dst[width + i] = 0;
  }
}

static void FN(pack_a)(int width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step, ptrdiff_t k_step,
                       bool conjugated, void *to) {
  const E sign = conjugated ? -1 : 1;
  E *dst = to;
  for (tsr_index first = 0; first < count; first += width, dst += 2 * k * width) {
    const tsr_index here = count - first < width ? count - first : width;
    const char *const at = src + first * count_step;
    if (count_step == (ptrdiff_t)sizeof(FN(number)))
      FN(pack_steps)(width, here, k, at, k_step, sign, dst);
    else
      FN(pack_rows)(width, here, k, at, count_step, k_step, sign, dst);
  }
}

/* n real numbers side by side, and i times what they are the parts of. */
TSR__INLINE void FN(pack_line)(tsr_index n, const E *x, V as_is, V rotated, E *line, E *beside) {
  tsr_index j = 0;
  for (; j + LANES <= n; j += LANES) {
    const V v = TSR__VEC(V, _load)(x + j);
    TSR__VEC(V, _store)(line + j, v * as_is);
    TSR__VEC(V, _store)(beside + j, PAIRS(v) * rotated);
  }
  if (j == n) return;
  const V v = TSR__VEC(V, _load_part)(x + j, (int)(n - j));
  TSR__VEC(V, _store_part)(line + j, v * as_is, (int)(n - j));
  TSR__VEC(V, _store_part)(beside + j, PAIRS(v) * rotated, (int)(n - j));
}

static void FN(pack_columns)(tsr_index width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step,
                             ptrdiff_t k_step, E sign, E *dst) {
  enum { SOME = 16 };
  for (tsr_index p0 = 0; p0 < k; p0 += SOME) {
    const tsr_index end = k - p0 < SOME ? k : p0 + SOME;
    for (tsr_index j = 0; j < count; j++) {
      const char *at = src + j * count_step + p0 * k_step;
      E *to = dst + 2 * p0 * width + 2 * j;
      for (tsr_index p = p0; p < end; p++, at += k_step, to += 2 * width) {
        const FN(number) x = *(const FN(number) *)(const void *)at;
        to[0] = to[width + 1] = x.re;
        to[1] = sign * x.im;
        to[width] = -sign * x.im;
      }
    }
  }
}

static void FN(pack_b)(int width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step, ptrdiff_t k_step,
                       bool conjugated, void *to) {
  const E sign = conjugated ? -1 : 1;
  const V as_is = FN(alternating)(1, sign), rotated = FN(alternating)(-sign, 1);
  E *dst = to;
  for (tsr_index first = 0; first < count; first += width / 2, dst += 2 * k * width) {
    const tsr_index here = count - first < width / 2 ? count - first : width / 2;
    const char *const at = src + first * count_step;
    if (count_step == (ptrdiff_t)sizeof(FN(number)))
      for (tsr_index p = 0; p < k; p++) FN(pack_line)
    (2 * here, (const E *)(const void *)(at + p * k_step), as_is, rotated, dst + 2 * p * width,
     dst + (2 * p + 1) * width);
    else FN(pack_columns)(width, here, k, at, count_step, k_step, sign, dst);
    for (tsr_index p = 0; p < 2 * k && here < width / 2; p++)
      for (tsr_index j = 2 * here; j < width; j++) dst[p * width + j] = 0;
  }
}

/* ---- a matrix by a vector ---- */

/* Some rows by both vectors of x, which are read once for all of them. */
TSR__INLINE void FN(dot_rows)(const int rows, const tsr__complex_gemv *g, const E *m, FN(number) * y) {
  const E *const x0 = g->x, *const x1 = x0 + 2 * g->k;
  const tsr_index n = 2 * g->k, step = 2 * g->step;
  V re[4], im[4];
  tsr_index p = 0;
  TSR__UNROLL(4)
  for (int i = 0; i < rows; i++) re[i] = im[i] = (V){0};
  for (; p + LANES <= n; p += LANES) {
    const V a = TSR__VEC(V, _load)(x0 + p), b = TSR__VEC(V, _load)(x1 + p);
    TSR__UNROLL(4)
    for (int i = 0; i < rows; i++) {
      const V v = TSR__VEC(V, _load)(m + i * step + p);
      re[i] = TSR__VEC(V, _madd)(v, a, re[i]);
      im[i] = TSR__VEC(V, _madd)(v, b, im[i]);
    }
  }
  if (p < n) {
    const int left = (int)(n - p);
    const V a = TSR__VEC(V, _load_part)(x0 + p, left), b = TSR__VEC(V, _load_part)(x1 + p, left);
    TSR__UNROLL(4)
    for (int i = 0; i < rows; i++) {
      const V v = TSR__VEC(V, _load_part)(m + i * step + p, left);
      re[i] = TSR__VEC(V, _madd)(v, a, re[i]);
      im[i] = TSR__VEC(V, _madd)(v, b, im[i]);
    }
  }
  TSR__UNROLL(4)
  for (int i = 0; i < rows; i++, y += g->y_step) {
    FN(number) sum = {0, 0};
    for (int l = 0; l < LANES; l++) sum.re += re[i][l], sum.im += im[i][l];
    *y = g->add ? (FN(number)){y->re + sum.re, y->im + sum.im} : sum;
  }
}

static void FN(dots)(const tsr__complex_gemv *g) {
  const E *m = g->matrix;
  FN(number) *y = g->y;
  const tsr_index step = m != NULL ? 2 * g->step : 0; /* a matrix without columns may have no memory */
  tsr_index r = 0;
  const bool far =
      (double)g->rows * (double)g->k * sizeof(FN(number)) > NEAR; /* one stream is read more quickly than several */
  for (; r + 4 <= g->rows && !far; r += 4, m += 4 * step, y += 4 * g->y_step) FN(dot_rows)(4, g, m, y);
  for (; r + 2 <= g->rows; r += 2, m += 2 * step, y += 2 * g->y_step) FN(dot_rows)(2, g, m, y);
  for (; r < g->rows; r++, m += step, y += g->y_step) FN(dot_rows)(1, g, m, y);
}

/* steps of K at once: real and imaginary parts of x times the columns apart, then one rotated into the other. */
TSR__INLINE void FN(add_steps)(const int steps, const tsr__complex_gemv *g, tsr_index p, bool add) {
  const E *const m = (const E *)g->matrix + 2 * p * g->step;
  const FN(number) *const x = (const FN(number) *)g->x + p;
  const E sign = g->conjugated ? -1 : 1;
  const V as_is = FN(alternating)(1, sign), rotated = FN(alternating)(-sign, 1);
  E *const y = g->y;
  V re[4], im[4];
  TSR__UNROLL(4)
  for (int i = 0; i < steps; i++) re[i] = TSR__VEC(V, _all)(x[i].re), im[i] = TSR__VEC(V, _all)(x[i].im);
  for (tsr_index j = 0; j < 2 * g->rows; j += LANES) {
    const int left = 2 * g->rows - j < LANES ? (int)(2 * g->rows - j) : LANES;
    V a = {0}, b = {0};
    TSR__UNROLL(4)
    for (int i = 0; i < steps; i++) {
      const E *const at = m + 2 * i * g->step + j;
      const V v = left == LANES ? TSR__VEC(V, _load)(at) : TSR__VEC(V, _load_part)(at, left);
      a = TSR__VEC(V, _madd)(v, re[i], a);
      b = TSR__VEC(V, _madd)(v, im[i], b);
    }
    V sum = a * as_is + PAIRS(b) * rotated;
    if (add) sum += left == LANES ? TSR__VEC(V, _load)(y + j) : TSR__VEC(V, _load_part)(y + j, left);
    if (left == LANES)
      TSR__VEC(V, _store)(y + j, sum);
    else
      TSR__VEC(V, _store_part)(y + j, sum, left);
  }
}

static void FN(sums)(const tsr__complex_gemv *g) {
  tsr_index p = 0;
  if (g->k == 0) FN(add_steps)(0, g, 0, g->add);
  for (; p + 4 <= g->k; p += 4) FN(add_steps)(4, g, p, g->add || p > 0);
  for (; p < g->k; p++) FN(add_steps)(1, g, p, g->add || p > 0);
}

const tsr__complex_kernels TSR__ISA_NAME(FN(tsr__complex)) = {FN(pack_a), FN(pack_b), FN(dots), FN(sums)};

#undef TYPE
#undef E
#undef PAIRS
#undef FN
#undef V
#undef LANES
