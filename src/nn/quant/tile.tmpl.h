/* The tiles of one kind of dot: FN(name), TARGET, DOT(x, w, sum) on vectors of groups, WIDE: of up to four vectors. */

/* The sums of one tile. rows and vectors are constants wherever this is inlined, so that they are registers. */
TSR__INLINE TARGET void FN(add_up)(const tsr__q_tile *t, const int rows, const int vectors, int first,
                                   tsr__vi32 (*sum)[4]) {
  TSR__UNROLL(12)
  for (int r = 0; r < rows; r++) {
    TSR__UNROLL(4)
    for (int j = 0; j < vectors; j++) sum[r][j] = tsr__vi32_load(t->bias + j * LANES);
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

#define TILE(rows, vectors) \
  TARGET static void FN(tile_##rows##_##vectors)(const tsr__q_tile *t) { FN(run_rows)(t, rows, vectors); }
TILE(1, 1)
TILE(1, 2)
#if TSR__VEC_REGISTERS == 32
TILE(12, 1)
TILE(12, 2)
#endif
#if WIDE
TILE(1, 3)
TILE(8, 3)
TILE(1, 4)
TILE(6, 4)
#endif
#if TSR__VEC_REGISTERS < 32
TILE(8, 1)
TILE(4, 2)
#endif
#undef TILE

static void FN(run)(const tsr__q_tile *t) {
  switch (t->vectors * 2 + (t->rows > 1)) {
    case 2: FN(tile_1_1)(t); break;
    case 4: FN(tile_1_2)(t); break;
#if TSR__VEC_REGISTERS == 32
    case 3: FN(tile_12_1)(t); break;
    case 5: FN(tile_12_2)(t); break;
#else
    case 3: FN(tile_8_1)(t); break;
    case 5: FN(tile_4_2)(t); break;
#endif
#if WIDE
    case 6: FN(tile_1_3)(t); break;
    case 7: FN(tile_8_3)(t); break;
    case 8: FN(tile_1_4)(t); break;
    case 9: FN(tile_6_4)(t); break;
#endif
    default: break;
  }
}
