/* Few queries, for one compute type; with what softmax.tmpl.h asks for. Of a query's scores and weights the keys are in
 * the lanes. Greatest scores are kept in POWER's unit here, so that parts of the keys can be joined without knowing
 * what it was. A state is the greatest score and the sum of weights, and a line after them the sums of values. */
#define HEAD (TSR_DATA_ALIGN / (int)sizeof(C))
#define LOAD(at) VF(_load)(at)
#define STORE(at, v) VF(_store)(at, v)
#define ALL(x) VF(_all)(x)
#define MOST_QUERIES (LANES >= 16 ? 4 : 2)
#define MOST_VECTORS (TSR__VEC_REGISTERS / 8)

/* One key by queries queries. With several of them memory would rest while they are computed: keys that come later are
 * asked for, into the second cache. One query is no quicker than a plain stream. */
TSR__INLINE void FN(score_key)(const int queries, const tsr__attention_scores *s, const C *const *q, const C *k,
                               V *acc) {
  const tsr_index d = s->d;
  tsr_index p = 0;
  TSR__UNROLL(4)
  for (int i = 0; i < queries; i++) acc[i] = (V){0};
  for (; p + LANES <= d; p += LANES) {
    const V b = LOAD(k + p);
    if (queries > 1) __builtin_prefetch((const char *)(k + p) + s->ahead, 0, 2);
    TSR__UNROLL(4)
    for (int i = 0; i < queries; i++) acc[i] = VF(_madd)(LOAD(q[i] + p), b, acc[i]);
  }
  if (p == d) return;
  const V b = VF(_load_part)(k + p, (int)(d - p));
  TSR__UNROLL(4)
  for (int i = 0; i < queries; i++) acc[i] = VF(_madd)(VF(_load_part)(q[i] + p, (int)(d - p)), b, acc[i]);
}

TSR__INLINE void FN(put_scores)(const int queries, const tsr__attention_scores *s, tsr_index query, tsr_index key,
                                const C *tile) {
  const int keys = LANES / queries;
  const tsr_index rows = s->queries - query < queries ? s->queries - query : queries, left = s->keys - key;
  for (tsr_index i = 0; i < rows; i++) {
    C *const to = (C *)s->x + (query + i) * s->x_step + key;
    for (int j = 0; j < keys && left < keys; j++)
      if (j < left) to[j] = tile[i * keys + j];
    if (left >= keys) memcpy(to, tile + i * keys, (size_t)keys * sizeof(C));
  }
}

/* A key after the other, as they lie. Past the last query or key it is that one again, and the result is dropped. */
TSR__INLINE void FN(score_rows)(const int queries, const tsr__attention_scores *s, tsr_index first) {
  const int keys = LANES / queries;
  const tsr_index last = s->queries - 1;
  const C *q[4];
  for (int i = 0; i < queries; i++) q[i] = (const C *)s->q + (first + i < last ? first + i : last) * s->q_step;
  for (tsr_index j = 0; j < s->keys; j += keys) {
    C tile[LANES];
    V acc[4], v[LANES];
    TSR__UNROLL(16)
    for (int i = 0; i < keys; i++) {
      FN(score_key)(queries, s, q, (const C *)s->k + (j + i < s->keys ? j + i : s->keys - 1) * s->k_step, acc);
      TSR__UNROLL(4)
      for (int l = 0; l < queries; l++) v[l * keys + i] = acc[l];
    }
    STORE(tile, VF(_sum_each)(v));
    FN(put_scores)(queries, s, first, j, tile);
  }
}

static void FN(score)(const tsr__attention_scores *s) {
  tsr_index first = 0;
  for (; first + MOST_QUERIES / 2 < s->queries; first += MOST_QUERIES) FN(score_rows)(MOST_QUERIES, s, first);
  for (; first + 1 < s->queries; first += 2) FN(score_rows)(2, s, first);
  if (first < s->queries) FN(score_rows)(1, s, first);
}

/* queries queries by nv vectors of the values, the last one of n numbers: sums stay in registers while the values are
 * read from end to end. What is needed soon is asked for: it lies in pieces. */
TSR__INLINE void FN(add_tile)(const int queries, const int nv, const tsr__attention_sums *s, tsr_index query,
                              tsr_index column, const int n) {
  const C *const x = (const C *)s->x + query * s->x_step, *v = (const C *)s->v + column;
  C *const out = (C *)s->sums + query * s->sums_step + column;
  V acc[4][MOST_VECTORS], b[MOST_VECTORS];
  TSR__UNROLL(4)
  for (int i = 0; i < queries; i++) {
    TSR__UNROLL(4)
    for (int l = 0; l < nv; l++) acc[i][l] = LOAD(out + i * s->sums_step + l * LANES);
  }
  for (tsr_index j = 0; j < s->keys; j++, v += s->v_step) {
    TSR__UNROLL(4)
    for (int l = 0; l < nv; l++) {
      __builtin_prefetch((const char *)v + s->ahead + l * TSR__VEC_BYTES, 0, 2);
      b[l] = l < nv - 1 || n == LANES ? LOAD(v + l * LANES) : VF(_load_part)(v + l * LANES, n);
    }
    TSR__UNROLL(4)
    for (int i = 0; i < queries; i++) {
      const V w = ALL(x[i * s->x_step + j]);
      TSR__UNROLL(4)
      for (int l = 0; l < nv; l++) acc[i][l] = VF(_madd)(w, b[l], acc[i][l]);
    }
  }
  TSR__UNROLL(4)
  for (int i = 0; i < queries; i++) {
    TSR__UNROLL(4)
    for (int l = 0; l < nv; l++) STORE(out + i * s->sums_step + l * LANES, acc[i][l]);
  }
}

TSR__INLINE void FN(add_rows)(const int queries, const tsr__attention_sums *s, tsr_index query) {
  tsr_index j = 0;
  for (; j + MOST_VECTORS * LANES <= s->columns; j += MOST_VECTORS * LANES)
    FN(add_tile)(queries, MOST_VECTORS, s, query, j, LANES);
  for (; j < s->columns; j += LANES)
    FN(add_tile)(queries, 1, s, query, j, (int)(s->columns - j < LANES ? s->columns - j : LANES));
}

static void FN(add)(const tsr__attention_sums *s) {
  tsr_index i = 0;
  for (; i + 4 <= s->queries; i += 4) FN(add_rows)(4, s, i);
  for (; i + 2 <= s->queries; i += 2) FN(add_rows)(2, s, i);
  if (i < s->queries) FN(add_rows)(1, s, i);
}

static void FN(scale_row)(const tsr__attention_row *b, C scale) {
  C *const x = b->x;
  const C *const mask = b->mask;
  for (tsr_index i = 0; i < b->end && mask == NULL; i++) x[i] *= scale;
  for (tsr_index i = 0; i < b->end && mask != NULL; i++)
    x[i] = !b->mask_bool ? x[i] * scale + mask[i] : mask[i] != 0 ? x[i] * scale : -(C)__builtin_inff();
}

TSR__INLINE C FN(max_lane)(V v) {
  C top = v[0];
  for (int i = 1; i < LANES; i++) top = v[i] > top ? v[i] : top;
  return top;
}

TSR__INLINE C FN(sum_of_lanes)(V v) {
  C lane[LANES];
  STORE(lane, v);
  for (int n = LANES / 2; n > 0; n /= 2)
    for (int i = 0; i < n; i++) lane[i] += lane[i + n];
  return lane[0];
}

/* What scores are lessened by: the greatest, or 0 where there is none yet, so that -inf stays -inf. */
TSR__INLINE C FN(less_than)(C top) { return top == -(C)__builtin_inff() ? 0 : top; }

static void FN(scale_sums)(tsr_index n, C by, C *x) {
  for (tsr_index i = 0; i < n; i += LANES) STORE(x + i, LOAD(x + i) * ALL(by));
}

static void FN(softmax_row_part)(const tsr__attention_row *b) {
  const bool scaled = b->mask != NULL || !(b->scale > 0);
  const C unit = (C)((scaled ? 1 : b->scale) * (tsr_real)UNIT);
  C *const x = b->x, *const state = b->state, before = state[0];
  const tsr_index all = (b->keys + LANES - 1) / LANES * LANES;
  V peak = ALL(-(C)__builtin_inff()), sum = {0};
  if (scaled) FN(scale_row)(b, (C)b->scale);
  for (tsr_index i = b->end; i < all; i++) x[i] = -(C)__builtin_inff();
  for (tsr_index i = 0; i < all; i += LANES) peak = VF(_max)(LOAD(x + i), peak);
  const C here = FN(max_lane)(peak) * unit, top = here > before ? here : before, less = FN(less_than)(top);
  for (tsr_index i = 0; i < all; i += LANES) {
    const V p = POWER(VF(_madd)(LOAD(x + i), ALL(unit), ALL(-less)));
    STORE(x + i, p);
    sum += p;
  }
  if (top != before) {
    const C by = POWER(ALL(before - less))[0];
    FN(scale_sums)(b->columns, by, state + HEAD);
    state[1] *= by;
  }
  state[0] = top;
  state[1] += FN(sum_of_lanes)(sum);
}

/* Parts of the keys become one, the first; then the sums become means. */
static void FN(join)(tsr_index parts, tsr_index step, tsr_index columns, void *states) {
  C *const first = states;
  C top = first[0], sum = 0;
  for (tsr_index i = 1; i < parts; i++) top = first[i * step] > top ? first[i * step] : top;
  for (tsr_index i = 0; i < parts; i++) {
    C *const from = first + i * step;
    const C by = POWER(ALL(from[0] - FN(less_than)(top)))[0];
    sum += by * from[1];
    for (tsr_index j = HEAD; j < HEAD + columns; j += LANES)
      STORE(first + j, i == 0 ? LOAD(from + j) * ALL(by) : VF(_madd)(LOAD(from + j), ALL(by), LOAD(first + j)));
  }
  FN(scale_sums)(columns, sum == 0 ? 0 : 1 / sum, first + HEAD);
}

#undef LOAD
#undef STORE
#undef ALL
#undef HEAD
#undef MOST_QUERIES
#undef MOST_VECTORS
