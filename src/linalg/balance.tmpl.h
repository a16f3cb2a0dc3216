/* ---- balancing (Osborne; Parlett and Reinsch), by powers of two, so that nothing is rounded ---- */

static void FN(exchange)(tsr_index n, C *a, tsr_index step, tsr_index i, tsr_index k) {
  if (i == k) return;
  for (tsr_index j = 0; j < n; j++) {
    const C x = a[j * step + i];
    a[j * step + i] = a[j * step + k];
    a[j * step + k] = x;
  }
  for (tsr_index j = 0; j < n; j++) {
    const C x = a[i * step + j];
    a[i * step + j] = a[k * step + j];
    a[k * step + j] = x;
  }
}

/* Whether row i (with across 1) or column i (with across step) has nothing but its diagonal among low … high. */
static bool FN(stands_alone)(const C *a, tsr_index along, tsr_index across, tsr_index i, const tsr__balance *b) {
  for (tsr_index j = b->low; j <= b->high; j++)
    if (j != i && a[i * along + j * across] != 0) return false;
  return true;
}

/* A row with its eigenvalue on the diagonal goes to the end, such a column to the beginning; whether there was one. */
static bool FN(move_out)(tsr_index n, C *a, tsr_index step, tsr__balance *b) {
  C *const place = b->place;
  for (tsr_index i = b->high; i >= b->low; i--)
    if (FN(stands_alone)(a, step, 1, i, b)) {
      place[b->high] = (C)i;
      FN(exchange)(n, a, step, i, b->high--);
      return true;
    }
  for (tsr_index i = b->low; i <= b->high; i++)
    if (FN(stands_alone)(a, 1, step, i, b)) {
      place[b->low] = (C)i;
      FN(exchange)(n, a, step, i, b->low++);
      return true;
    }
  return false;
}

/* The power of two by which column i is to be multiplied, 1 where it makes little difference. */
static C FN(factor_for)(const C *a, tsr_index step, tsr_index i, const tsr__balance *b) {
  const C most = C_BITS == 32 ? (C)0x1p30 : (C)0x1p250;
  C column = 0, row = 0, factor = 1;
  for (tsr_index j = b->low; j <= b->high; j++) column = FN(length)(column, a[j * step + i]);
  for (tsr_index j = b->low; j <= b->high; j++) row = FN(length)(row, a[i * step + j]);
  if (column == 0 || row == 0) return 1;
  const C before = column + row;
  while (column < row / 2 && factor < most) factor *= 2, column *= 2, row /= 2;
  while (column >= 2 * row && factor > 1 / most) factor /= 2, column /= 2, row *= 2;
  return column + row < (C)0.95 * before ? factor : 1;
}

static void FN(balance)(tsr_index n, void *matrix, tsr_index step, tsr__balance *b) {
  enum { SWEEPS = 100 };
  C *const a = matrix, *const scale = b->scale;
  const C most = C_BITS == 32 ? (C)0x1p60 : (C)0x1p500;
  b->low = 0;
  b->high = n - 1;
  for (tsr_index i = 0; i < n; i++) scale[i] = 1;
  while (b->low < b->high && FN(move_out)(n, a, step, b)) {
  }
  bool scaled = true;
  for (int sweep = 0; sweep < SWEEPS && scaled; sweep++) {
    scaled = false;
    for (tsr_index i = b->low; i <= b->high; i++) {
      const C factor = FN(factor_for)(a, step, i, b);
      if (factor == 1 || scale[i] * factor > most || scale[i] * factor < 1 / most) continue;
      scale[i] *= factor;
      scaled = true;
      for (tsr_index j = 0; j < n; j++) a[i * step + j] /= factor;
      for (tsr_index j = 0; j < n; j++) a[j * step + i] *= factor;
    }
  }
}
