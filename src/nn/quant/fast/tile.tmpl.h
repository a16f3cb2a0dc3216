/* The tiles of one kind of dot: FN(name), TARGET, DOT(x, w, sum) on vectors of groups, WIDE: of up to four vectors. */

/* The sums of one tile. rows and vectors are constants wherever this is inlined, so that they are registers. */
TSR__INLINE TARGET void FN(add_up)(const tsr__q_tile *t, const int rows, const int vectors, int first,
                                   tsr__vi32 (*sum)[4]) {
  TSR__UNROLL(12)
  for (int r = 0; r < rows; r++) {
    TSR__UNROLL(4)
    for (int j = 0; j < vectors; j++) sum[r][j] = tsr__vi32_load(t->end.bias + j * LANES);
  }
  const int32_t *panel = t->panel;
  for (tsr_index tap = 0; tap < t->taps; tap++) {
    const char *x[TSR__Q_ROWS];
    const ptrdiff_t offset = t->x_first + t->offset[tap];
    TSR__UNROLL(12)
    for (int r = 0; r < rows; r++) x[r] = t->x[first + r] + offset;
    for (tsr_index p = 0; p < t->groups; p++, panel += vectors * LANES) {
      tsr__vi32 w[4];
      TSR__UNROLL(4)
      for (int j = 0; j < vectors; j++) w[j] = tsr__vi32_load(panel + j * LANES);
      TSR__UNROLL(12)
      for (int r = 0; r < rows; r++) {
        int32_t group;
        memcpy(&group, x[r] + 4 * p, sizeof group);
        const tsr__vi32 one = tsr__vi32_all(group);
        TSR__UNROLL(4)
        for (int j = 0; j < vectors; j++) sum[r][j] = DOT(one, w[j], sum[r][j]);
      }
    }
  }
}

/* All rows, a tile at a time. */
TSR__INLINE TARGET void FN(run_rows)(const tsr__q_tile *t, const int rows, const int vectors) {
  ends e;
  set_ends(t, vectors, &e);
  for (int first = 0; first < t->rows; first += rows) {
    tsr__vi32 sum[TSR__Q_ROWS][4];
    FN(add_up)(t, rows, vectors, first, sum);
    if (END_IN_REGISTERS && t->bytes_end) {
      TSR__UNROLL(12)
      for (int r = 0; r < rows; r++) end_row(t, &e, vectors, sum[r], t->out[first + r] + t->out_first);
      continue;
    }
    _Alignas(64) int32_t sums[MOST_SUMS];
    TSR__UNROLL(12)
    for (int r = 0; r < rows; r++) {
      TSR__UNROLL(4)
      for (int j = 0; j < vectors; j++) tsr__vi32_store(sums + (r * vectors + j) * LANES, sum[r][j]);
    }
    finish_rows(t, first, first + rows < t->rows ? rows : t->rows - first, sums);
  }
}

/* Tiles of one row and of many, by vectors. */
#define TILES(vectors, most)                                                                  \
  TARGET static void FN(one_##vectors)(const tsr__q_tile *t) { FN(run_rows)(t, 1, vectors); } \
  TARGET static void FN(many_##vectors)(const tsr__q_tile *t) { FN(run_rows)(t, most, vectors); }
TILES(1, TSR__VEC_REGISTERS == 32 ? 12 : 8)
TILES(2, TSR__VEC_REGISTERS == 32 ? 12 : 4)
#if WIDE
TILES(3, 8)
TILES(4, 6)
#endif
#undef TILES

static void FN(run)(const tsr__q_tile *t) {
  switch (t->vectors * 2 + (t->rows > 1)) {
    case 2: FN(one_1)(t); break;
    case 3: FN(many_1)(t); break;
    case 4: FN(one_2)(t); break;
    case 5: FN(many_2)(t); break;
#if WIDE
    case 6: FN(one_3)(t); break;
    case 7: FN(many_3)(t); break;
    case 8: FN(one_4)(t); break;
    case 9: FN(many_4)(t); break;
#endif
    default: break;
  }
}
