/* Channels first: vectors along a row of outputs; several rows at once share what they read. */

/* Lanes i with 0 ≤ at + i < w; the others are 0. */
TSR__INLINE tsr__vwindow window_at(tsr_index at, tsr_index w) { return tsr__vwindow_between(-at, w - at); }
TSR__INLINE tsr__vf32 load_window(const float *row, tsr_index at, tsr__vwindow lanes) {
  return tsr__vf32_load_window(row + at, lanes);
}

/* Any step between the outputs, some inputs outside. */
static tsr__vf32 load_strided(const float *row, tsr_index at, tsr_index w, tsr_index stride) {
  float v[LANES];
  for (int i = 0; i < LANES; i++) v[i] = at + i * stride >= 0 && at + i * stride < w ? row[at + i * stride] : 0;
  return tsr__vf32_load(v);
}

/* The inputs of a vector of outputs for any tap and stride. */
TSR__INLINE tsr__vf32 load_any(const float *row, tsr_index at, tsr_index w, tsr_index stride) {
  if (stride == 1) return load_window(row, at, window_at(at, w));
  if (stride == 2)
    return tsr__vf32_even(load_window(row, at, window_at(at, w)),
                          load_window(row, at + LANES, window_at(at + LANES, w)));
  return load_strided(row, at, w, stride);
}

/* The windows of a vector of outputs for each tap. */
typedef struct windows {
  tsr__vwindow low[5], high[5];
} windows;

/* The inputs of a vector of outputs for tap x; stride is 1 or 2. */
TSR__INLINE tsr__vf32 load_outputs(const float *row, tsr_index at, int x, int stride, bool inside,
                                   const windows *lanes) {
  if (stride == 1) return inside ? tsr__vf32_load(row + at + x) : load_window(row, at + x, lanes->low[x]);
  return tsr__vf32_even(load_window(row, at + x, lanes->low[x]), load_window(row, at + x + LANES, lanes->high[x]));
}

/* n outputs of each of rows rows from (y, x) on; in[k] is NULL where that row is outside. */
TSR__INLINE void first_vector(const tsr__depthwise_rows *d, const float *const *in, const tsr__vf32 *weight, float *out,
                              tsr_index at, int kh, int kw, int stride, int rows, tsr_index n, bool inside) {
  tsr__vf32 sum[4];
  windows lanes;
  memset(&lanes, 0, sizeof lanes);
  for (int x = 0; x < (inside ? 0 : kw); x++) {
    lanes.low[x] = window_at(at + x, d->c.w);
    if (stride == 2) lanes.high[x] = window_at(at + x + LANES, d->c.w);
  }
  TSR__UNROLL(32)
  for (int r = 0; r < rows; r++) sum[r] = tsr__vf32_all(*d->bias);
  TSR__UNROLL(32)
  for (int y = 0; y < (rows - 1) * stride + kh; y++) {
    if (in[y] == NULL) continue;
    TSR__UNROLL(32)
    for (int x = 0; x < kw; x++) {
      const tsr__vf32 v = load_outputs(in[y], at, x, stride, inside, &lanes);
      TSR__UNROLL(32)
      for (int r = 0; r < rows; r++) {
        const int ky = y - r * stride;
        if (ky >= 0 && ky < kh) sum[r] = tsr__vf32_madd(v, weight[ky * kw + x], sum[r]);
      }
    }
  }
  TSR__UNROLL(32)
  for (int r = 0; r < rows; r++) {
    tsr__vf32 s = sum[r];
    if (d->limits != NULL) s = tsr__vf32_clamp(s, tsr__vf32_all(d->limits[0]), tsr__vf32_all(d->limits[1]));
    tsr__vf32_store_some(out + r * d->out_row, s, n);
  }
}

/* rows of outputs from y on, of a kh × kw filter with this stride, dilation 1. */
TSR__INLINE void first_rows(const tsr__depthwise_rows *d, tsr_index y, int kh, int kw, int stride, int rows) {
  const float *in[8];
  tsr__vf32 weight[25];
  TSR__UNROLL(32)
  for (int k = 0; k < kh * kw; k++) weight[k] = tsr__vf32_all(d->weights[k]);
  for (int k = 0; k < (rows - 1) * stride + kh; k++) {
    const tsr_index iy = y * stride - d->c.top + k;
    in[k] = iy >= 0 && iy < d->c.h ? d->x + iy * d->x_row : NULL;
  }
  for (tsr_index x = 0; x < d->c.ow; x += LANES) {
    const tsr_index at = x * stride - d->c.left, n = d->c.ow - x < LANES ? d->c.ow - x : LANES;
    float *const out = d->out + y * d->out_row + x;
    if (at >= 0 && n == LANES && at + kw + LANES - 1 <= d->c.w && stride == 1)
      first_vector(d, in, weight, out, at, kh, kw, stride, rows, LANES, true);
    else
      first_vector(d, in, weight, out, at, kh, kw, stride, rows, n, false);
  }
}

/* All of them, rows at a time. */
TSR__INLINE void first_square(const tsr__depthwise_rows *d, int k, int stride, int rows) {
  tsr_index y = d->y0;
  for (; y + rows <= d->y1; y += rows) first_rows(d, y, k, k, stride, rows);
  for (; y < d->y1; y++) first_rows(d, y, k, k, stride, 1);
}

static void first_3_1(const tsr__depthwise_rows *d) { first_square(d, 3, 1, 4); }
static void first_3_2(const tsr__depthwise_rows *d) { first_square(d, 3, 2, 2); }
static void first_5_1(const tsr__depthwise_rows *d) { first_square(d, 5, 1, 2); }

/* One row, whatever the filter. */
static void first_row(const tsr__depthwise_rows *d, tsr_index y) {
  for (tsr_index x = 0; x < d->c.ow; x += LANES) {
    const tsr_index n = d->c.ow - x < LANES ? d->c.ow - x : LANES, at = x * d->c.sw - d->c.left;
    tsr__vf32 sum = tsr__vf32_all(*d->bias);
    for (tsr_index ky = 0; ky < d->c.kh; ky++) {
      const tsr_index iy = y * d->c.sh - d->c.top + ky * d->c.dh;
      for (tsr_index kx = 0; kx < d->c.kw && iy >= 0 && iy < d->c.h; kx++)
        sum = tsr__vf32_madd(load_any(d->x + iy * d->x_row, at + kx * d->c.dw, d->c.w, d->c.sw),
                             tsr__vf32_all(d->weights[ky * d->c.kw + kx]), sum);
    }
    if (d->limits != NULL) sum = tsr__vf32_clamp(sum, tsr__vf32_all(d->limits[0]), tsr__vf32_all(d->limits[1]));
    tsr__vf32_store_some(d->out + y * d->out_row + x, sum, n);
  }
}

static void first(const tsr__depthwise_rows *d) {
  const bool square = d->c.kh == d->c.kw && d->c.sh == d->c.sw && d->c.dh == 1 && d->c.dw == 1;
  if (square && d->c.kh == 3 && d->c.sh == 1) {
    first_3_1(d);
  } else if (square && d->c.kh == 3 && d->c.sh == 2) {
    first_3_2(d);
  } else if (square && d->c.kh == 5 && d->c.sh == 1) {
    first_5_1(d);
  } else {
    for (tsr_index y = d->y0; y < d->y1; y++) first_row(d, y);
  }
}
