/* Transposing into panels: E, EV, LANES and FN as for micro.tmpl.h, and
 *   ZIP_LOW, ZIP_HIGH     interleaving on lanes of its size        ROUNDS     log2(LANES) */

/* Sources of groups need not be aligned to them. */
TSR__INLINE E FN(element)(const char *at) {
  E x;
  memcpy(&x, at, sizeof x);
  return x;
}

/* LANES vectors, transposed. Each round interleaves the first half of them with the second. */
TSR__INLINE void FN(transpose)(EV *v) {
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

/* rows rows of the source, contiguously along K, into stored columns of a panel, at most LANES; those past the last row
 * become 0. */
static void FN(pack_transposed)(tsr_index width, int stored, int rows, tsr_index k, const char *src, ptrdiff_t step,
                                E *dst) {
  tsr_index p = 0;
  for (; p + LANES <= k; p += LANES) {
    EV v[LANES];
    TSR__UNROLL(16)
    for (int i = 0; i < LANES; i++)
      v[i] = i < rows ? TSR__VEC(EV, _load)(src + i * step + (ptrdiff_t)sizeof(E) * p) : (EV){0};
    FN(transpose)(v);
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
      dst[p * width + i] = i < rows ? FN(element)(src + i * step + (ptrdiff_t)sizeof(E) * p) : (E)0;
}
