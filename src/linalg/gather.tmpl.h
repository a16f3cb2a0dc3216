/* One type: TYPE, E, ZIP_LOW, ZIP_HIGH, ROUNDS as for transpose.tmpl.h. */
#define FN(name) TSR__CAT(TSR__CAT(name, _), TYPE)
#define EV TSR__VEC(tsr__v, TYPE)
#define LANES ((int)(TSR__VEC_BYTES / sizeof(E)))
#include "ops/matmul/transpose.tmpl.h"

/* Whether matrices have no gaps, and lie as far from each other as the first two. */
static bool FN(is_even)(tsr_index rows, tsr_index cols, char *const *at, int used, ptrdiff_t row, ptrdiff_t col) {
  const ptrdiff_t item = (ptrdiff_t)sizeof(E);
  if ((cols > 1 && col != item) || (rows > 1 && row != (ptrdiff_t)cols * item)) return false;
  for (int l = 2; l < used; l++)
    if (at[l] - at[l - 1] != at[1] - at[0]) return false;
  return true;
}

static void FN(in)(tsr_index rows, tsr_index cols, int used, char *const *at, ptrdiff_t row, ptrdiff_t col, void *to) {
  E *const v = to;
  if (used > 1 && FN(is_even)(rows, cols, at, used, row, col)) {
    FN(pack_transposed)(LANES, LANES, used, rows * cols, at[0], at[1] - at[0], v);
    return;
  }
  for (int l = 0; l < LANES; l++)
    for (tsr_index i = 0; i < rows; i++)
      for (tsr_index j = 0; j < cols; j++) v[(i * cols + j) * LANES + l] = FN(element)(at[l] + i * row + j * col);
}

static void FN(out)(tsr_index rows, tsr_index cols, int used, char *const *at, ptrdiff_t row, ptrdiff_t col,
                    const void *from) {
  const E *const v = from;
  const tsr_index n = rows * cols;
  const bool even = FN(is_even)(rows, cols, at, used, row, col);
  tsr_index p = 0;
  for (; even && p + LANES <= n; p += LANES) {
    EV x[LANES];
    TSR__UNROLL(16)
    for (int i = 0; i < LANES; i++) x[i] = TSR__VEC(EV, _load)(v + (p + i) * LANES);
    FN(transpose)(x);
    for (int l = 0; l < used; l++) TSR__VEC(EV, _store)(at[l] + (ptrdiff_t)sizeof(E) * p, x[l]);
  }
  for (int l = 0; l < used; l++)
    for (tsr_index k = p; k < n; k++) *(E *)(void *)(at[l] + k / cols * row + k % cols * col) = v[k * LANES + l];
}

#undef TYPE
#undef E
#undef EV
#undef FN
#undef LANES
#undef ZIP_LOW
#undef ZIP_HIGH
#undef ROUNDS
