/* Packing elements of one type into panels of the same type: E, EV, LANES and FN as for micro.tmpl.h, and
 *   ZIP_LOW, ZIP_HIGH     interleaving on lanes of its size        ROUNDS     log2(LANES)
 * A source that runs along the panel is copied by vectors, one that runs along K is transposed in registers, any other is
 * gathered. */

/* LANES vectors, transposed. Each round interleaves the first half of them with the second. */
TSR__INLINE void FN(turn)(EV *v) {
TSR__UNROLL(4)
  for (int round = 0; round < ROUNDS; round++) {
    EV w[LANES];
TSR__UNROLL(16)
    for (int i = 0; i < LANES / 2; i++) {
      w[2 * i] = ZIP_LOW(v[i], v[i + LANES / 2]);
      w[2 * i + 1] = ZIP_HIGH(v[i], v[i + LANES / 2]);
    }
TSR__UNROLL(16)
    for (int i = 0; i < LANES; i++) v[i] = w[i];
  }
}

/* Up to LANES rows of the source, along K without gaps, into as many columns of a panel; columns past the last row, but in
 * the panel, become 0. */
static void FN(pack_turned)(tsr_index width, int rows, tsr_index k, const char *src, ptrdiff_t step, E *dst) {
  const int stored = rows < width ? (int)(width < LANES ? width : LANES) : rows;
  tsr_index p = 0;
  for (; p + LANES <= k; p += LANES) {
    EV v[LANES];
TSR__UNROLL(16)
    for (int i = 0; i < LANES; i++)
      v[i] = i < rows ? TSR__VEC(EV, _load)(src + i * step + (ptrdiff_t)sizeof(E) * p) : (EV){0};
    FN(turn)(v);
    if (stored == LANES) {
TSR__UNROLL(16)
      for (int i = 0; i < LANES; i++) TSR__VEC(EV, _store)(dst + (p + i) * width, v[i]);
    } else {
TSR__UNROLL(16)
      for (int i = 0; i < LANES; i++) TSR__VEC(EV, _store_part)(dst + (p + i) * width, v[i], stored);
    }
  }
  for (; p < k; p++)
    for (int i = 0; i < stored; i++)
      dst[p * width + i] = i < rows ? *(const E *)(const void *)(src + i * step + (ptrdiff_t)sizeof(E) * p) : (E)0;
}

/* count ≤ width elements for each step of K. */
static void FN(pack_along)(tsr_index width, tsr_index count, tsr_index k, const char *src, ptrdiff_t k_step, E *dst) {
  if (count == width && width == 2 * LANES) {
    for (tsr_index p = 0; p < k; p++, src += k_step, dst += width) {
      const EV v0 = TSR__VEC(EV, _load)(src), v1 = TSR__VEC(EV, _load)(src + TSR__VEC_BYTES);
      TSR__VEC(EV, _store)(dst, v0);
      TSR__VEC(EV, _store)(dst + LANES, v1);
    }
    return;
  }
  for (tsr_index p = 0; p < k; p++, src += k_step, dst += width)
    for (tsr_index i = 0; i < width; i += LANES) {
      const tsr_index here = width - i < LANES ? width - i : LANES, left = count - i < here ? count - i : here;
      const E *const from = (const E *)(const void *)src + i;
      TSR__VEC(EV, _store_part)(dst + i, TSR__VEC(EV, _load_part)(from, left > 0 ? (int)left : 0), (int)here);
    }
}

static void FN(pack_any)(tsr_index width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step,
                         ptrdiff_t k_step, E *dst) {
  for (tsr_index p = 0; p < k; p++)
    for (tsr_index i = 0; i < width; i++)
      *dst++ = i < count ? *(const E *)(const void *)(src + i * count_step + p * k_step) : (E)0;
}

static void FN(pack_panel)(tsr_index width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step,
                           ptrdiff_t k_step, E *dst) {
  if (count_step == (ptrdiff_t)sizeof(E))
    FN(pack_along)(width, count, k, src, k_step, dst);
  else if (k_step == (ptrdiff_t)sizeof(E))
    for (tsr_index i = 0; i < width; i += LANES) {
      const tsr_index here = width - i < LANES ? width - i : LANES, left = count - i < here ? count - i : here;
      FN(pack_turned)(width, left > 0 ? (int)left : 0, k, src + i * count_step, count_step, dst + i);
    }
  else
    FN(pack_any)(width, count, k, src, count_step, k_step, dst);
}

static void FN(pack)(int width, tsr_index count, tsr_index k, const char *src, ptrdiff_t count_step, ptrdiff_t k_step,
                     void *dst) {
  E *to = dst;
  for (tsr_index first = 0; first < count; first += width, to += width * k) {
    const tsr_index here = count - first < width ? count - first : width;
    FN(pack_panel)(width, here, k, src + first * count_step, count_step, k_step, to);
  }
}
