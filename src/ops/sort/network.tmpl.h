/* Sorting in registers: up to ROWS_MOST vectors of keys as a matrix, a key to a lane. Its columns are sorted by a
 * network; then columns are merged by two, four … (bitonic), where a sorted run goes down one column and on down the
 * next; and a transposition makes that the order in memory. ROWS is a constant in every call.
 * V is a vector of LANES of U, VEC(x) the name of its function x. */

/* The lesser and the greater of two rows. */
TSR__INLINE void FN(exchange)(V *v, int i, int k) {
  const V low = VEC(_min)(v[i], v[k]);
  v[k] = VEC(_max)(v[i], v[k]);
  v[i] = low;
}

/* Networks with the fewest exchanges that are known: 5, 19, 60. */
TSR__INLINE void FN(sort_columns)(V *v, int rows) {
#define X(i, k) FN(exchange)(v, i, k)
#define X4(a, b, c, d, e, f, g, h) X(a, b), X(c, d), X(e, f), X(g, h)
  if (rows == 2) X(0, 1);
  if (rows == 4) {
    X4(0, 2, 1, 3, 0, 1, 2, 3);
    X(1, 2);
  }
  if (rows == 8) {
    X4(0, 2, 1, 3, 4, 6, 5, 7);
    X4(0, 4, 1, 5, 2, 6, 3, 7);
    X4(0, 1, 2, 3, 4, 5, 6, 7);
    X4(2, 4, 3, 5, 1, 4, 3, 6);
    X(1, 2);
    X(3, 4);
    X(5, 6);
  }
  if (rows == 16) {
    X4(0, 1, 2, 3, 4, 5, 6, 7);
    X4(8, 9, 10, 11, 12, 13, 14, 15);
    X4(0, 2, 1, 3, 4, 6, 5, 7);
    X4(8, 10, 9, 11, 12, 14, 13, 15);
    X4(0, 4, 1, 5, 2, 6, 3, 7);
    X4(8, 12, 9, 13, 10, 14, 11, 15);
    X4(0, 8, 1, 9, 2, 10, 3, 11);
    X4(4, 12, 5, 13, 6, 14, 7, 15);
    X4(5, 10, 6, 9, 3, 12, 13, 14);
    X4(4, 8, 7, 11, 1, 2, 1, 4);
    X4(7, 13, 2, 8, 11, 14, 2, 4);
    X4(5, 6, 9, 10, 11, 13, 3, 8);
    X4(7, 12, 6, 8, 10, 12, 3, 5);
    X4(7, 9, 3, 4, 5, 6, 7, 8);
    X4(9, 10, 11, 12, 6, 7, 8, 9);
  }
#undef X4
#undef X
}

/* Two runs of half columns each become one: the second is compared backwards, then both are bitonic. */
TSR__INLINE void FN(merge_columns)(V *v, int rows, int half) {
  if (rows == 1) v[0] = VEC(_order)(v[0], VEC(_swap)(v[0], 2 * half - 1), half);
  TSR__UNROLL(8)
  for (int i = 0; i < rows / 2; i++) {
    const V a = v[i], b = v[rows - 1 - i];
    v[i] = VEC(_order)(a, VEC(_swap)(b, 2 * half - 1), half);
    v[rows - 1 - i] = VEC(_order)(b, VEC(_swap)(a, 2 * half - 1), half);
  }
  TSR__UNROLL(4)
  for (int d = half / 2; d > 0; d /= 2) {
    TSR__UNROLL(16)
    for (int i = 0; i < rows; i++) v[i] = VEC(_order)(v[i], VEC(_swap)(v[i], d), d);
  }
  TSR__UNROLL(4)
  for (int d = rows / 2; d > 0; d /= 2) {
    TSR__UNROLL(16)
    for (int i = 0; i < rows; i++)
      if ((i & d) == 0) FN(exchange)(v, i, i + d);
  }
}

/* From down the columns to along the rows: the first half of all lanes and the second one, in turn. */
TSR__INLINE void FN(transpose)(V *v, int rows) {
  TSR__UNROLL(4)
  for (int d = 1; d < rows; d *= 2) {
    V zipped[ROWS_MOST];
    TSR__UNROLL(8)
    for (int i = 0; i < rows / 2; i++) {
      zipped[2 * i] = ZIP_LOW(v[i], v[i + rows / 2]);
      zipped[2 * i + 1] = ZIP_HIGH(v[i], v[i + rows / 2]);
    }
    TSR__UNROLL(16)
    for (int i = 0; i < rows; i++) v[i] = zipped[i];
  }
}

/* Groups of so many lanes, each sorted by itself; where they are not all lanes, there is one row. */
TSR__INLINE void FN(sort_matrix)(V *v, int rows, int lanes) {
  FN(sort_columns)(v, rows);
  TSR__UNROLL(4)
  for (int half = 1; half < lanes; half *= 2) FN(merge_columns)(v, rows, half);
  FN(transpose)(v, rows);
}

/* Numbers of the lanes from n on are all ones. */
TSR__INLINE V FN(ones_from)(int n) {
  V lane = {0};
  for (unsigned i = 0; i < LANES; i++) lane[i] = i;
  return (V)(lane >= (U)n + (V){0});
}

/* Vector number i of n keys; ones, which are last in every order, behind them. */
TSR__INLINE V FN(load_row)(int n, const U *keys, int i) {
  const int left = n - i * LANES;
  if (left >= LANES) return VEC(_load)(keys + i * LANES);
  if (left <= 0) return ~(V){0};
  return (V)SIGNED(_load_part)((const void *)(keys + i * LANES), left) | FN(ones_from)(left);
}
TSR__INLINE void FN(store_row)(int n, U *keys, int i, V v) {
  const int left = n - i * LANES;
  if (left >= LANES)
    VEC(_store)(keys + i * LANES, v);
  else if (left > 0)
    SIGNED(_store_part)((void *)(keys + i * LANES), (SIGNED())v, left);
}

/* n keys, more than half of what rows hold. */
TSR__INLINE void FN(sort_in)(int rows, int n, const U *keys, U *out) {
  V v[ROWS_MOST];
  TSR__UNROLL(16)
  for (int i = 0; i < rows; i++) v[i] = FN(load_row)(n, keys, i);
  FN(sort_matrix)(v, rows, LANES);
  TSR__UNROLL(16)
  for (int i = 0; i < rows; i++) FN(store_row)(n, out, i, v[i]);
}

static void FN(small)(int n, const void *keys, void *out) {
  if (n <= LANES)
    FN(sort_in)(1, n, keys, out);
  else if (n <= 2 * LANES)
    FN(sort_in)(2, n, keys, out);
  else if (n <= 4 * LANES)
    FN(sort_in)(4, n, keys, out);
  else if (n <= 8 * LANES)
    FN(sort_in)(8, n, keys, out);
#if ROWS_MOST == 16
  else
    FN(sort_in)(16, n, keys, out);
#endif
}

/* ---- splitting ---- */

/* One vector, whose lanes of go are gone; how many. */
TSR__INLINE int FN(split_row)(V v, unsigned go, U *stays, U *goes) {
  VEC(_store)(stays, VEC(_compress)(v, go ^ ALL_LANES));
  VEC(_store)(goes, VEC(_compress)(v, go));
  return __builtin_popcount(go);
}

/* What stays is written behind what is read; vectors that are stored whole end where keys were read already. */
TSR__INLINE tsr_index FN(split_by)(tsr_index n, U *keys, U *room, U pivot, unsigned flip) {
  const V by = pivot + (V){0};
  tsr_index i = 0, gone = 0;
  for (; i + 4 * LANES <= n; i += 4 * LANES) {
    V v[4];
    TSR__UNROLL(4)
    for (int k = 0; k < 4; k++) v[k] = VEC(_load)(keys + i + k * LANES);
    TSR__UNROLL(4)
    for (int k = 0; k < 4; k++)
      gone += FN(split_row)(v[k], VEC(_above)(v[k], by) ^ flip, keys + (i + k * LANES - gone), room + gone);
  }
  for (; i + LANES <= n; i += LANES) {
    const V v = VEC(_load)(keys + i);
    gone += FN(split_row)(v, VEC(_above)(v, by) ^ flip, keys + (i - gone), room + gone);
  }
  for (; i < n; i++) {
    const U key = keys[i];
    const bool go = (key > pivot) != (flip != 0);
    keys[i - gone] = key;
    room[gone] = key;
    gone += go;
  }
  return n - gone;
}

static tsr_index FN(split)(tsr_index n, void *keys, void *room, uint64_t pivot, bool low_stays) {
  return low_stays ? FN(split_by)(n, keys, room, (U)pivot, 0) : FN(split_by)(n, keys, room, (U)pivot, ALL_LANES);
}

/* ---- order ---- */

static bool FN(rises)(tsr_index n, const void *row) {
  const U *const keys = row;
  tsr_index i = 0;
  for (; i + LANES < n; i += LANES)
    if (VEC(_above)(VEC(_load)(keys + i), VEC(_load)(keys + i + 1)) != 0) return false;
  for (; i + 1 < n; i++)
    if (keys[i] > keys[i + 1]) return false;
  return true;
}

/* ---- rows that fit registers, from elements to elements ---- */

typedef struct FN(encoding) {
  bool floats;
  V flip, limit;
} FN(encoding);

/* Elements to keys. *special: lanes of -0 and NaN, which these keys do not put in order. */
TSR__INLINE V FN(encode)(const FN(encoding) * e, V raw, V *special) {
  const V sign = (U)((U)1 << (8 * sizeof(U) - 1)) + (V){0}, magnitude = raw & ~sign;
  if (!e->floats) return raw ^ e->flip;
  *special |= (V)(raw == sign) | (V)(magnitude > e->limit);
  return raw ^ ((0 - (raw >> (8 * sizeof(U) - 1))) | sign) ^ e->flip;
}
TSR__INLINE V FN(decode)(const FN(encoding) * e, V key) {
  const V sign = (U)((U)1 << (8 * sizeof(U) - 1)) + (V){0}, k = key ^ e->flip;
  return e->floats ? k ^ (sign | ((k >> (8 * sizeof(U) - 1)) - 1)) : k;
}

/* One row of n, in so many registers; or as many rows of lanes as a register holds. False: something is special. */
TSR__INLINE bool FN(sort_row)(const FN(encoding) * e, int rows, int lanes, int n, const U *src, U *dst) {
  V v[ROWS_MOST], special = {0};
  TSR__UNROLL(16)
  for (int i = 0; i < rows; i++) {
    const int left = n - i * LANES;
    const V raw = left >= LANES ? VEC(_load)(src + i * LANES)
                  : left <= 0   ? (V){0}
                                : (V)SIGNED(_load_part)((const void *)(src + i * LANES), left);
    v[i] = FN(encode)(e, raw, &special) | FN(ones_from)(left < 0 ? 0 : left);
  }
  if (VEC(_above)(special, (V){0}) != 0) return false;
  FN(sort_matrix)(v, rows, lanes);
  TSR__UNROLL(16)
  for (int i = 0; i < rows; i++) FN(store_row)(n, dst, i, FN(decode)(e, v[i]));
  return true;
}

TSR__INLINE tsr_index FN(sort_rows)(const FN(encoding) * e, int rows, int lanes, const tsr__row_batch *r) {
  const int n = r->n, together = lanes < LANES && lanes == n && r->close ? LANES / lanes : 1;
  tsr_index i = 0;
  for (; i + together <= r->count; i += together)
    if (!FN(sort_row)(e, rows, lanes, n * together, (const void *)(r->src + (ptrdiff_t)i * r->src_step),
                      (void *)(r->dst + (ptrdiff_t)i * r->dst_step)))
      return i;
  return i;
}

static tsr_index FN(rows)(const tsr__keys *k, const tsr__row_batch *r) {
  const FN(encoding) e = {k->floats, (U)k->flip + (V){0}, (U)k->limit + (V){0}};
  if (LANES > 2 && r->n <= 2) return FN(sort_rows)(&e, 1, 2, r);
  if (LANES > 4 && r->n <= 4) return FN(sort_rows)(&e, 1, 4, r);
  if (LANES > 8 && r->n <= 8) return FN(sort_rows)(&e, 1, 8, r);
  if (r->n <= LANES) return FN(sort_rows)(&e, 1, LANES, r);
  if (r->n <= 2 * LANES) return FN(sort_rows)(&e, 2, LANES, r);
  if (r->n <= 4 * LANES) return FN(sort_rows)(&e, 4, LANES, r);
  return FN(sort_rows)(&e, 8, LANES, r);
}
