/* Channels last. A tile of outputs takes each pixel that it needs once and gives it to every output that meets it. */

/* Tiles of rows × 4 outputs of a kh × kw filter with this stride, dilation 1; every pixel is inside or a zero. */
TSR__INLINE void last_tile(const tsr__depthwise_last *d, const float *const *in, float *out, int kh, int kw, int stride,
                           int rows, tsr_index c, tsr_index n) {
  tsr__vf32 sum[2][4], weight[25];
  const tsr__vf32 bias = tsr__vf32_load_some(d->bias + c, n);
  TSR__UNROLL(32)
  for (int r = 0; r < rows; r++) {
    TSR__UNROLL(32)
    for (int j = 0; j < 4; j++) sum[r][j] = bias;
  }
  TSR__UNROLL(32)
  for (int k = 0; k < kh * kw; k++) weight[k] = tsr__vf32_load_some(d->weights + k * d->channels + c, n);
  TSR__UNROLL(32)
  for (int y = 0; y < (rows - 1) * stride + kh; y++) {
    TSR__UNROLL(32)
    for (int x = 0; x < 3 * stride + kw; x++) {
      const tsr__vf32 v = tsr__vf32_load_some(in[y] + x * d->x_pixel + c, n);
      TSR__UNROLL(32)
      for (int r = 0; r < rows; r++) {
        TSR__UNROLL(32)
        for (int j = 0; j < 4; j++) {
          const int ky = y - r * stride, kx = x - j * stride;
          if (ky >= 0 && ky < kh && kx >= 0 && kx < kw) sum[r][j] = tsr__vf32_madd(v, weight[ky * kw + kx], sum[r][j]);
        }
      }
    }
  }
  TSR__UNROLL(32)
  for (int r = 0; r < rows; r++) {
    TSR__UNROLL(32)
    for (int j = 0; j < 4; j++) {
      tsr__vf32 s = sum[r][j];
      if (d->limits != NULL) s = tsr__vf32_clamp(s, tsr__vf32_all(d->limits[0]), tsr__vf32_all(d->limits[1]));
      tsr__vf32_store_some(out + r * d->out_row + j * d->out_pixel + c, s, n);
    }
  }
}

/* One output, whatever the filter. */
static void last_pixel(const tsr__depthwise_last *d, tsr_index y, tsr_index x) {
  const tsr_index y0 = y * d->sh - d->top, x0 = x * d->sw - d->left;
  for (tsr_index c = 0; c < d->channels; c += LANES) {
    const tsr_index n = d->channels - c < LANES ? d->channels - c : LANES;
    tsr__vf32 sum = tsr__vf32_load_some(d->bias + c, n);
    for (tsr_index ky = 0; ky < d->kh; ky++) {
      const tsr_index iy = y0 + ky * d->dh;
      for (tsr_index kx = 0; kx < d->kw && iy >= 0 && iy < d->h; kx++) {
        const tsr_index ix = x0 + kx * d->dw;
        if (ix < 0 || ix >= d->w) continue;
        sum = tsr__vf32_madd(tsr__vf32_load_some(d->x + iy * d->x_row + ix * d->x_pixel + c, n),
                             tsr__vf32_load_some(d->weights + (ky * d->kw + kx) * d->channels + c, n), sum);
      }
    }
    if (d->limits != NULL) sum = tsr__vf32_clamp(sum, tsr__vf32_all(d->limits[0]), tsr__vf32_all(d->limits[1]));
    tsr__vf32_store_some(d->out + y * d->out_row + x * d->out_pixel + c, sum, n);
  }
}

/* rows of outputs from y on: single pixels at the ends of x, tiles between, the last one drawn back over its neighbour.
 */
TSR__INLINE void last_rows(const tsr__depthwise_last *d, tsr_index y, int kh, int kw, int stride, int rows) {
  const tsr_index begin = (d->left + stride - 1) / stride, room = d->w + d->left - kw;
  const tsr_index inside = room < 0 ? 0 : room / stride + 1, end = inside < d->ow ? inside : d->ow;
  const tsr_index first = begin < d->ow ? begin : d->ow, tiles = end - first >= 4 ? (end - first + 3) / 4 : 0;
  for (int r = 0; r < rows; r++) {
    for (tsr_index x = 0; x < (tiles > 0 ? first : d->ow); x++) last_pixel(d, y + r, x);
    for (tsr_index x = end; x < d->ow && tiles > 0; x++) last_pixel(d, y + r, x);
  }
  for (tsr_index t = 0; t < tiles; t++) {
    const tsr_index x = first + 4 * t + 4 <= end ? first + 4 * t : end - 4;
    const float *in[8];
    for (int k = 0; k < (rows - 1) * stride + kh; k++) {
      const tsr_index iy = y * stride - d->top + k;
      in[k] = iy >= 0 && iy < d->h ? d->x + iy * d->x_row + (x * stride - d->left) * d->x_pixel : d->zeros;
    }
    float *const out = d->out + y * d->out_row + x * d->out_pixel;
    tsr_index c = 0;
    for (; c + LANES <= d->channels; c += LANES) last_tile(d, in, out, kh, kw, stride, rows, c, LANES);
    if (c < d->channels) last_tile(d, in, out, kh, kw, stride, rows, c, d->channels - c);
  }
}

static void last_3_1(const tsr__depthwise_last *d) {
  tsr_index y = d->y0;
  for (; y + 2 <= d->y1; y += 2) last_rows(d, y, 3, 3, 1, 2);
  for (; y < d->y1; y++) last_rows(d, y, 3, 3, 1, 1);
}

static void last_3_2(const tsr__depthwise_last *d) {
  for (tsr_index y = d->y0; y < d->y1; y++) last_rows(d, y, 3, 3, 2, 1);
}

static void last_5_1(const tsr__depthwise_last *d) {
  for (tsr_index y = d->y0; y < d->y1; y++) last_rows(d, y, 5, 5, 1, 1);
}

static void last(const tsr__depthwise_last *d) {
  const bool square = d->kh == d->kw && d->sh == d->sw && d->dh == 1 && d->dw == 1 && d->x_pixel == d->channels;
  if (square && d->kh == 3 && d->sh == 1) {
    last_3_1(d);
  } else if (square && d->kh == 3 && d->sh == 2) {
    last_3_2(d);
  } else if (square && d->kh == 5 && d->sh == 1) {
    last_5_1(d);
  } else {
    for (tsr_index y = d->y0; y < d->y1; y++)
      for (tsr_index x = 0; x < d->ow; x++) last_pixel(d, y, x);
  }
}
