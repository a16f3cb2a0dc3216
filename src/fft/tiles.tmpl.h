/* Tiles: elements into blocks and out of them where no pass does it, and the crossing from columns to rows. */

/* As many vectors as there are lanes: element j of v[i] becomes element i of v[j]. */
TSR__INLINE void FT(transpose)(VEC *v) {
  VEC other[LANES];
  TSR__UNROLL(4)
  for (int width = LANES; width > 1; width /= 2) {
    TSR__UNROLL(8)
    for (int i = 0; i < LANES / 2; i++) {
      other[2 * i] = ZIP_LOW(v[i], v[i + LANES / 2]);
      other[2 * i + 1] = ZIP_HIGH(v[i], v[i + LANES / 2]);
    }
    TSR__UNROLL(16)
    for (int i = 0; i < LANES; i++) v[i] = other[i];
  }
}

/* n complex numbers at at, all lanes at most; the others are 0. */
TSR__INLINE C FT(load_some)(const T *at, tsr_index n, bool inverse) {
  const tsr_index values = 2 * n;
  const VEC a = values >= LANES ? TSR__VEC(VEC, _load)(at) : TSR__VEC(VEC, _load_part)(at, (int)values);
  VEC b = {0};
  if (values >= 2 * LANES)
    b = TSR__VEC(VEC, _load)(at + LANES);
  else if (values > LANES)
    b = TSR__VEC(VEC, _load_part)(at + LANES, (int)(values - LANES));
  return inverse ? (C){ODD(a, b), EVEN(a, b)} : (C){EVEN(a, b), ODD(a, b)};
}

TSR__INLINE void FT(store_some)(T *at, tsr_index n, bool inverse, T scale, C x) {
  const tsr_index values = 2 * n;
  const C scaled = {x.re * scale, x.im * scale}, kept = inverse ? (C){scaled.im, scaled.re} : scaled;
  const VEC a = ZIP_LOW(kept.re, kept.im), b = ZIP_HIGH(kept.re, kept.im);
  if (values >= LANES)
    TSR__VEC(VEC, _store)(at, a);
  else
    TSR__VEC(VEC, _store_part)(at, a, (int)values);
  if (values >= 2 * LANES)
    TSR__VEC(VEC, _store)(at + LANES, b);
  else if (values > LANES)
    TSR__VEC(VEC, _store_part)(at + LANES, b, (int)(values - LANES));
}

static void FT(load)(const tsr__fft_tile *t) {
  const T *const from = t->from;
  const VEC one = TSR__VEC(VEC, _all)(1);
  for (tsr_index i = 0; i < t->n; i++)
    FT(put)(t->block, i, 0, IN_BLOCKS, one, FT(load_some)(from + 2 * i * t->step, t->lanes, t->inverse));
}

static void FT(store)(const tsr__fft_tile *t) {
  T *const to = t->to;
  for (tsr_index i = 0; i < t->n; i++)
    FT(store_some)(to + 2 * i * t->step, t->lanes, t->inverse, (T)t->scale, FT(get)(t->block, i, 0, IN_BLOCKS));
}

/* One line: every lane is that line. */
static void FT(gather_one)(const tsr__fft_tile *t) {
  const T *const from = t->from;
  const VEC one = TSR__VEC(VEC, _all)(1);
  for (tsr_index i = 0; i < t->n; i++)
    FT(put)(t->block, i, 0, IN_BLOCKS, one, FT(all)(from[2 * i + t->inverse], from[2 * i + !t->inverse]));
}

static void FT(scatter_one)(const tsr__fft_tile *t) {
  const T *const block = t->block, scale = (T)t->scale;
  T *const to = t->to;
  for (tsr_index i = 0; i < t->n; i++) {
    to[2 * i + t->inverse] = block[2 * i * LANES] * scale;
    to[2 * i + !t->inverse] = block[(2 * i + 1) * LANES] * scale;
  }
}

static void FT(gather)(const tsr__fft_tile *t) {
  const T *const from = t->from;
  if (t->lanes == 1) {
    FT(gather_one)(t);
    return;
  }
  const VEC one = TSR__VEC(VEC, _all)(1);
  for (tsr_index i = 0; i < t->n; i += LANES) {
    const tsr_index count = t->n - i < LANES ? t->n - i : LANES;
    VEC re[LANES], im[LANES];
    for (int lane = 0; lane < LANES; lane++) {
      C x = {{0}, {0}};
      if (lane < t->lanes) x = FT(load_some)(from + 2 * (i + lane * t->lane_step), count, t->inverse);
      re[lane] = x.re, im[lane] = x.im;
    }
    FT(transpose)(re);
    FT(transpose)(im);
    for (tsr_index j = 0; j < count; j++) FT(put)(t->block, i + j, 0, IN_BLOCKS, one, (C){re[j], im[j]});
  }
}

static void FT(scatter)(const tsr__fft_tile *t) {
  T *const to = t->to;
  if (t->lanes == 1) {
    FT(scatter_one)(t);
    return;
  }
  for (tsr_index i = 0; i < t->n; i += LANES) {
    const tsr_index count = t->n - i < LANES ? t->n - i : LANES;
    VEC re[LANES], im[LANES];
    for (tsr_index j = 0; j < LANES; j++) {
      const C x = FT(get)(t->block, i + (j < count ? j : count - 1), 0, IN_BLOCKS);
      re[j] = x.re, im[j] = x.im;
    }
    FT(transpose)(re);
    FT(transpose)(im);
    for (int lane = 0; lane < t->lanes; lane++)
      FT(store_some)(to + 2 * (i + lane * t->lane_step), count, t->inverse, (T)t->scale, (C){re[lane], im[lane]});
  }
}

/* ---- from columns to rows ---- */

/* A tile of rows: lanes past the last one are not looked at. */
TSR__INLINE void FT(take_rows)(const T *columns, const T *twiddles, tsr_index rows, VEC *re, VEC *im) {
  TSR__UNROLL(16)
  for (int i = 0; i < LANES; i++) {
    const tsr_index row = i < rows ? i : rows - 1;
    const C x = FT(mul)(FT(get)(columns, row, 0, IN_BLOCKS), FT(get)(twiddles, row, 0, IN_BLOCKS));
    re[i] = x.re, im[i] = x.im;
  }
  FT(transpose)(re);
  FT(transpose)(im);
}

TSR__INLINE void FT(cross_tile)(const T *columns, const T *twiddles, T *block, tsr_index rows, tsr_index count) {
  VEC re[LANES], im[LANES];
  FT(take_rows)(columns, twiddles, rows, re, im);
  TSR__UNROLL(16)
  for (int i = 0; i < LANES; i++) {
    if (i >= count) break;
    TSR__VEC(VEC, _store)(block + 2 * i * LANES, re[i]);
    TSR__VEC(VEC, _store)(block + (2 * i + 1) * LANES, im[i]);
  }
}

static void FT(cross)(const tsr__fft_cross *c) {
  const tsr_index rows = c->n1 - c->row < LANES ? c->n1 - c->row : LANES;
  const T *columns = (const T *)c->columns + 2 * c->row * LANES,
          *twiddles = (const T *)c->twiddles + 2 * c->row * LANES;
  T *block = c->block;
  for (tsr_index j = 0; j < c->n2; j += LANES) {
    const tsr_index count = c->n2 - j;
    if (rows == LANES && count >= LANES)
      FT(cross_tile)(columns, twiddles, block, LANES, LANES);
    else
      FT(cross_tile)(columns, twiddles, block, rows, count);
    columns += 2 * c->n1 * LANES, twiddles += 2 * c->n1 * LANES, block += 2 * LANES * LANES;
  }
}

/* Rows of one radix never are in memory. */
TSR__INLINE void FT(cross_rows)(const tsr__fft_cross *c, tsr_index rows, bool inverse) {
  const size_t at = (size_t)(2 * c->row * LANES);
  VEC re[LANES], im[LANES];
  C x[16];
  FT(take_rows)((const T *)c->columns + at, (const T *)c->twiddles + at, rows, re, im);
  TSR__UNROLL(16)
  for (int i = 0; i < LANES; i++) x[i] = (C){re[i], im[i]};
  FT(dft)(x, LANES);
  TSR__UNROLL(16)
  for (int i = 0; i < LANES; i++) {
    if (rows == LANES)
      FT(put)(c->to, i, c->n1, inverse ? BACKWARD : FORWARD, TSR__VEC(VEC, _all)((T)c->scale), x[i]);
    else
      FT(store_some)((T *)c->to + 2 * i * c->n1, rows, inverse, (T)c->scale, x[i]);
  }
}

static void FT(cross_last)(const tsr__fft_cross *c) {
  const tsr_index rows = c->n1 - c->row;
  if (rows < LANES)
    FT(cross_rows)(c, rows, c->inverse);
  else if (c->inverse)
    FT(cross_rows)(c, LANES, true);
  else
    FT(cross_rows)(c, LANES, false);
}
