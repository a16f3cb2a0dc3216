/* The microkernels of one pair of types: FN, TARGET, S and SV (sums), EV (16 bytes: two groups), LOAD(at), TILE(c, a, b), which adds
 * the products of two rows and two columns to c: (0,0), (0,1), (1,0), (1,1). */

/* Columns first … first + 4 of row i of the tile, from two columns of tiles. */
TSR__INLINE TARGET void FN(store)(SV left, SV right, int low, S *c, int n, bool add) {
  SV v = low == 0 ? __builtin_shufflevector(left, right, 0, 1, 4, 5) : __builtin_shufflevector(left, right, 2, 3, 6, 7);
  if (n >= 4) {
    if (add) v += TSR__VEC(SV, _load)(c);
    TSR__VEC(SV, _store)(c, v);
  } else if (n > 0) {
    if (add) v += TSR__VEC(SV, _load_part)(c, n);
    TSR__VEC(SV, _store_part)(c, v, n);
  }
}

/* pairs of rows is a constant wherever this is inlined, so that the sums are registers. */
TSR__INLINE TARGET void FN(packed)(const int pairs, int m, tsr_index k, const char *a, const char *b, S *c,
                                   tsr_index ldc, int n, bool add) {
  SV sum[MR / 2][NR / 2];
  TSR__UNROLL(4)
  for (int i = 0; i < pairs; i++) {
    TSR__UNROLL(4)
    for (int j = 0; j < NR / 2; j++) sum[i][j] = (SV){0};
  }
  for (tsr_index p = k; p > 0; p--, a += 8 * MR, b += 8 * NR) {
    EV x[MR / 2], y[NR / 2];
    TSR__UNROLL(4)
    for (int j = 0; j < NR / 2; j++) y[j] = LOAD(b + 16 * j);
    TSR__UNROLL(4)
    for (int i = 0; i < pairs; i++) x[i] = LOAD(a + 16 * i);
    TSR__UNROLL(4)
    for (int i = 0; i < pairs; i++) {
      TSR__UNROLL(4)
      for (int j = 0; j < NR / 2; j++) sum[i][j] = TILE(sum[i][j], x[i], y[j]);
    }
  }
  TSR__UNROLL(8)
  for (int i = 0; i < 2 * pairs; i++) {
    if (i >= m) break;
    FN(store)(sum[i / 2][0], sum[i / 2][1], i % 2, c + i * ldc, n, add);
    FN(store)(sum[i / 2][2], sum[i / 2][3], i % 2, c + i * ldc + 4, n - 4, add);
  }
}

#define INSTANCE(m)                                                                                          \
  TARGET static void FN(micro_##m)(tsr_index k, const void *a, const void *b, void *c, tsr_index ldc, int n, \
                                   bool add) {                                                               \
    FN(packed)(((m) + 1) / 2, m, k, a, b, c, ldc, n, add);                                                   \
  }
INSTANCE(1)
INSTANCE(2)
INSTANCE(3)
INSTANCE(4)
INSTANCE(5)
INSTANCE(6)
INSTANCE(7)
INSTANCE(8)
#undef INSTANCE
static tsr__micro_fn *const FN(micros)[MR] = {FN(micro_1), FN(micro_2), FN(micro_3), FN(micro_4),
                                              FN(micro_5), FN(micro_6), FN(micro_7), FN(micro_8)};
