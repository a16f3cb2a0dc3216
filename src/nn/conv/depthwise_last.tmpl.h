/* Channels last. A tile of outputs takes each pixel that it needs once and gives it to every output that meets it. */

/* Tiles of rows × 4 outputs of a kh × kw filter with this stride, dilation 1; every pixel is inside or a zero. */
TSR__INLINE void last_tile(const tsr__depthwise_rows *d, const float *const *in, float *out, int kh, int kw, int stride,
                           int rows, tsr_index c, tsr_index n) {
  tsr__vf32 sum[2][4], weight[25];
  const tsr__vf32 bias = tsr__vf32_load_some(d->bias + c, n);
  TSR__UNROLL(32)
  for (int r = 0; r < rows; r++) {
    TSR__UNROLL(32)
    for (int j = 0; j < 4; j++) sum[r][j] = bias;
  }
  TSR__UNROLL(32)
  for (int k = 0; k < kh * kw; k++) weight[k] = tsr__vf32_load_some(d->weights + k * d->c.o + c, n);
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
static void last_pixel(const tsr__depthwise_rows *d, tsr_index y, tsr_index x) {
  const tsr_index y0 = y * d->c.sh - d->c.top, x0 = x * d->c.sw - d->c.left;
  for (tsr_index c = 0; c < d->c.o; c += LANES) {
    const tsr_index n = d->c.o - c < LANES ? d->c.o - c : LANES;
    tsr__vf32 sum = tsr__vf32_load_some(d->bias + c, n);
    for (tsr_index ky = 0; ky < d->c.kh; ky++) {
      const tsr_index iy = y0 + ky * d->c.dh;
      for (tsr_index kx = 0; kx < d->c.kw && iy >= 0 && iy < d->c.h; kx++) {
        const tsr_index ix = x0 + kx * d->c.dw;
        if (ix < 0 || ix >= d->c.w) continue;
        sum = tsr__vf32_madd(tsr__vf32_load_some(d->x + iy * d->x_row + ix * d->x_pixel + c, n),
                             tsr__vf32_load_some(d->weights + (ky * d->c.kw + kx) * d->c.o + c, n), sum);
      }
    }
    if (d->limits != NULL) sum = tsr__vf32_clamp(sum, tsr__vf32_all(d->limits[0]), tsr__vf32_all(d->limits[1]));
    tsr__vf32_store_some(d->out + y * d->out_row + x * d->out_pixel + c, sum, n);
  }
}

/* rows of outputs from y on: single pixels at the ends of x, tiles between, the last one drawn back over its neighbour.
 */
TSR__INLINE void last_rows(const tsr__depthwise_rows *d, tsr_index y, int kh, int kw, int stride, int rows) {
  const tsr_index begin = (d->c.left + stride - 1) / stride, room = d->c.w + d->c.left - kw;
  const tsr_index inside = room < 0 ? 0 : room / stride + 1, end = inside < d->c.ow ? inside : d->c.ow;
  const tsr_index first = begin < d->c.ow ? begin : d->c.ow, tiles = end - first >= 4 ? (end - first + 3) / 4 : 0;
  for (int r = 0; r < rows; r++) {
    for (tsr_index x = 0; x < (tiles > 0 ? first : d->c.ow); x++) last_pixel(d, y + r, x);
    for (tsr_index x = end; x < d->c.ow && tiles > 0; x++) last_pixel(d, y + r, x);
  }
  for (tsr_index t = 0; t < tiles; t++) {
    const tsr_index x = first + 4 * t + 4 <= end ? first + 4 * t : end - 4;
    const float *in[8];
    for (int k = 0; k < (rows - 1) * stride + kh; k++) {
      const tsr_index iy = y * stride - d->c.top + k;
      in[k] = iy >= 0 && iy < d->c.h ? d->x + iy * d->x_row + (x * stride - d->c.left) * d->x_pixel : d->zeros;
    }
    float *const out = d->out + y * d->out_row + x * d->out_pixel;
    tsr_index c = 0;
    for (; c + LANES <= d->c.o; c += LANES) last_tile(d, in, out, kh, kw, stride, rows, c, LANES);
    if (c < d->c.o) last_tile(d, in, out, kh, kw, stride, rows, c, d->c.o - c);
  }
}

/* All of them, rows at a time. */
TSR__INLINE void last_square(const tsr__depthwise_rows *d, int k, int stride, int rows) {
  tsr_index y = d->y0;
  for (; y + rows <= d->y1; y += rows) last_rows(d, y, k, k, stride, rows);
  for (; y < d->y1; y++) last_rows(d, y, k, k, stride, 1);
}

static void last_3_1(const tsr__depthwise_rows *d) { last_square(d, 3, 1, 2); }
static void last_3_2(const tsr__depthwise_rows *d) { last_square(d, 3, 2, 1); }
static void last_5_1(const tsr__depthwise_rows *d) { last_square(d, 5, 1, 1); }

static void last(const tsr__depthwise_rows *d) {
  const bool square = d->c.kh == d->c.kw && d->c.sh == d->c.sw && d->c.dh == 1 && d->c.dw == 1 && d->x_pixel == d->c.o;
  if (square && d->c.kh == 3 && d->c.sh == 1) {
    last_3_1(d);
  } else if (square && d->c.kh == 3 && d->c.sh == 2) {
    last_3_2(d);
  } else if (square && d->c.kh == 5 && d->c.sh == 1) {
    last_5_1(d);
  } else {
    for (tsr_index y = d->y0; y < d->y1; y++)
      for (tsr_index x = 0; x < d->c.ow; x++) last_pixel(d, y, x);
  }
}
