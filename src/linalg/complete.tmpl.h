/* Rows of unit length, orthogonal to each other and to the ones before, for those that have no direction: rows first … last of
 * g, whose elements are step apart, rows len of them. Row k0 of each is chosen so that most of it is new. */
static void FN(complete_row)(tsr_index len, tsr_index row, C *g, tsr_index step) {
  C *const to = g + row * len * step;
  tsr_index best = 0;
  C least = 2;
  for (tsr_index k = 0; k < len; k++) { /* what earlier rows have of direction k */
    C had = 0;
    for (tsr_index i = 0; i < row; i++) had += g[(i * len + k) * step] * g[(i * len + k) * step];
    if (had < least) least = had, best = k;
  }
  for (tsr_index k = 0; k < len; k++) to[k * step] = k == best;
  for (int again = 0; again < 2; again++) {
    for (tsr_index i = 0; i < row; i++) {
      const C *const other = g + i * len * step;
      C sum = 0;
      for (tsr_index k = 0; k < len; k++) sum += to[k * step] * other[k * step];
      for (tsr_index k = 0; k < len; k++) to[k * step] -= sum * other[k * step];
    }
    C size = 0;
    for (tsr_index k = 0; k < len; k++) size += to[k * step] * to[k * step];
    const C scale = 1 / TSR__TYPE_SQRT(size);
    for (tsr_index k = 0; k < len; k++) to[k * step] *= scale;
  }
}
