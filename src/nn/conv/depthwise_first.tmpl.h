/* Channels first: vectors along a row of outputs; several rows at once share what they read. */

/* Lanes i with 0 ≤ at + i < w; the others are 0. */
#if TSR__VEC == 16
typedef __mmask16 window;
TSR__INLINE window window_at(tsr_index at, tsr_index w) {
  const tsr_index low = at < 0 ? (at < -16 ? 16 : -at) : 0, left = w - at, high = left < 0 ? 0 : left < 16 ? left : 16;
  return (__mmask16)(((1u << high) - 1u) >> low << low);
}
TSR__INLINE tsr__vec load_window(const float *row, tsr_index at, window lanes) {
  return _mm512_maskz_loadu_ps(lanes, row + at);
}
#else
typedef struct window {
  tsr_index low, high;
} window;
TSR__INLINE window window_at(tsr_index at, tsr_index w) { return (window){-at, w - at}; }
TSR__INLINE tsr__vec load_window(const float *row, tsr_index at, window lanes) {
  float v[TSR__VEC];
  for (int i = 0; i < TSR__VEC; i++) v[i] = i >= lanes.low && i < lanes.high ? row[at + i] : 0;
  return tsr__vec_load(v);
}
#endif

/* Any step between the outputs, some inputs outside. */
static tsr__vec load_apart(const float *row, tsr_index at, tsr_index w, tsr_index stride) {
  float v[TSR__VEC];
  for (int i = 0; i < TSR__VEC; i++) v[i] = at + i * stride >= 0 && at + i * stride < w ? row[at + i * stride] : 0;
  return tsr__vec_load(v);
}

/* The inputs of a vector of outputs for any tap and stride. */
TSR__INLINE tsr__vec load_any(const float *row, tsr_index at, tsr_index w, tsr_index stride) {
  if (stride == 1) return load_window(row, at, window_at(at, w));
#if TSR__VEC == 16
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  if (stride == 2)
    return _mm512_permutex2var_ps(load_window(row, at, window_at(at, w)), even,
                                  load_window(row, at + 16, window_at(at + 16, w)));
#endif
  return load_apart(row, at, w, stride);
}

/* The windows of a vector of outputs for each tap. */
typedef struct windows {
  window low[5], high[5];
} windows;

/* The inputs of a vector of outputs for tap x. */
TSR__INLINE tsr__vec load_outputs(const float *row, tsr_index at, tsr_index w, int x, int stride, bool inside,
                                  const windows *lanes) {
  if (stride == 1) return inside ? tsr__vec_load(row + at + x) : load_window(row, at + x, lanes->low[x]);
#if TSR__VEC == 16
  (void)w;
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
  return _mm512_permutex2var_ps(load_window(row, at + x, lanes->low[x]), even,
                                load_window(row, at + x + 16, lanes->high[x]));
#else
  return load_apart(row, at + x, w, stride);
#endif
}

/* n outputs of each of rows rows from (y, x) on; in[k] is NULL where that row is outside. */
TSR__INLINE void first_vector(const tsr__depthwise_first *d, const float *const *in, const tsr__vec *weight, float *out,
                              tsr_index at, int kh, int kw, int stride, int rows, tsr_index n, bool inside) {
  tsr__vec sum[4];
  windows lanes;
  memset(&lanes, 0, sizeof lanes);
  for (int x = 0; x < (inside ? 0 : kw); x++) {
    lanes.low[x] = window_at(at + x, d->w);
    if (stride == 2) lanes.high[x] = window_at(at + x + TSR__VEC, d->w);
  }
  TSR__UNROLL
  for (int r = 0; r < rows; r++) sum[r] = tsr__vec_all(d->bias);
  TSR__UNROLL
  for (int y = 0; y < (rows - 1) * stride + kh; y++) {
    if (in[y] == NULL) continue;
    TSR__UNROLL
    for (int x = 0; x < kw; x++) {
      const tsr__vec v = load_outputs(in[y], at, d->w, x, stride, inside, &lanes);
      TSR__UNROLL
      for (int r = 0; r < rows; r++) {
        const int ky = y - r * stride;
        if (ky >= 0 && ky < kh) sum[r] = tsr__vec_fma(v, weight[ky * kw + x], sum[r]);
      }
    }
  }
  TSR__UNROLL
  for (int r = 0; r < rows; r++) {
    tsr__vec s = sum[r];
    if (d->limits != NULL) s = tsr__vec_clamp(s, tsr__vec_all(d->limits[0]), tsr__vec_all(d->limits[1]));
    tsr__vec_store_some(out + r * d->out_row, n, s);
  }
}

/* rows of outputs from y on, of a kh × kw filter with this stride, dilation 1. */
TSR__INLINE void first_rows(const tsr__depthwise_first *d, tsr_index y, int kh, int kw, int stride, int rows) {
  const float *in[8];
  tsr__vec weight[25];
  TSR__UNROLL
  for (int k = 0; k < kh * kw; k++) weight[k] = tsr__vec_all(d->weights[k]);
  for (int k = 0; k < (rows - 1) * stride + kh; k++) {
    const tsr_index iy = y * stride - d->top + k;
    in[k] = iy >= 0 && iy < d->h ? d->x + iy * d->x_row : NULL;
  }
  for (tsr_index x = 0; x < d->ow; x += TSR__VEC) {
    const tsr_index at = x * stride - d->left, n = d->ow - x < TSR__VEC ? d->ow - x : TSR__VEC;
    float *const out = d->out + y * d->out_row + x;
    if (at >= 0 && n == TSR__VEC && at + kw + TSR__VEC - 1 <= d->w && stride == 1)
      first_vector(d, in, weight, out, at, kh, kw, stride, rows, TSR__VEC, true);
    else
      first_vector(d, in, weight, out, at, kh, kw, stride, rows, n, false);
  }
}

static void first_3_1(const tsr__depthwise_first *d) {
  tsr_index y = d->y0;
  for (; y + 4 <= d->y1; y += 4) first_rows(d, y, 3, 3, 1, 4);
  for (; y < d->y1; y++) first_rows(d, y, 3, 3, 1, 1);
}

static void first_3_2(const tsr__depthwise_first *d) {
  tsr_index y = d->y0;
  for (; y + 2 <= d->y1; y += 2) first_rows(d, y, 3, 3, 2, 2);
  for (; y < d->y1; y++) first_rows(d, y, 3, 3, 2, 1);
}

static void first_5_1(const tsr__depthwise_first *d) {
  tsr_index y = d->y0;
  for (; y + 2 <= d->y1; y += 2) first_rows(d, y, 5, 5, 1, 2);
  for (; y < d->y1; y++) first_rows(d, y, 5, 5, 1, 1);
}

/* One row, whatever the filter. */
static void first_row(const tsr__depthwise_first *d, tsr_index y) {
  for (tsr_index x = 0; x < d->ow; x += TSR__VEC) {
    const tsr_index n = d->ow - x < TSR__VEC ? d->ow - x : TSR__VEC, at = x * d->sw - d->left;
    tsr__vec sum = tsr__vec_all(d->bias);
    for (tsr_index ky = 0; ky < d->kh; ky++) {
      const tsr_index iy = y * d->sh - d->top + ky * d->dh;
      for (tsr_index kx = 0; kx < d->kw && iy >= 0 && iy < d->h; kx++)
        sum = tsr__vec_fma(load_any(d->x + iy * d->x_row, at + kx * d->dw, d->w, d->sw),
                           tsr__vec_all(d->weights[ky * d->kw + kx]), sum);
    }
    if (d->limits != NULL) sum = tsr__vec_clamp(sum, tsr__vec_all(d->limits[0]), tsr__vec_all(d->limits[1]));
    tsr__vec_store_some(d->out + y * d->out_row + x, n, sum);
  }
}

static void first(const tsr__depthwise_first *d) {
  const bool square = d->kh == d->kw && d->sh == d->sw && d->dh == 1 && d->dw == 1;
  if (square && d->kh == 3 && d->sh == 1) {
    first_3_1(d);
  } else if (square && d->kh == 3 && d->sh == 2) {
    first_3_2(d);
  } else if (square && d->kh == 5 && d->sh == 1) {
    first_5_1(d);
  } else {
    for (tsr_index y = d->y0; y < d->y1; y++) first_row(d, y);
  }
}
