/* One op on one compute type. The op's own template has set
 *   LANE         the type of a lane         VALUE, VALUE_ID  the type and dtype of a value
 *   LANES        lanes of a row             ANY_ORDER        1 where the order does not matter
 *   NEUTRAL      what a lane starts with    STEP(a, x, p)    lane a after element x, with param p
 *   MERGE(a, b)  value a with the later b   WITH_PARAM       1 where p is used
 *   OP(name)     name_<op>_<type>           WITH_STAGE       1 where lanes are of C, and it has a stage; may be left out
 * All but OP are forgotten at the end. */
#define BESIDE (ANY_ORDER ? TSR__REDUCE_LANE_BYTES / (int)sizeof(LANE) : 16) /* outputs that go side by side */
#if WITH_PARAM
#define PARAM(j) (params[j])
#else
#define PARAM(j) 0
#endif

static void OP(start)(tsr_index n, void *state) {
  LANE *const lanes = state;
  for (tsr_index j = 0; j < n; j++) lanes[j] = NEUTRAL;
}

#if TSR__REDUCE_FAST
/* Whole groups of lanes in variables of their own, which stay in registers. */
static tsr_index OP(groups)(LANE *restrict lanes, tsr_index n, const C *restrict x, const VALUE *restrict params) {
  LANE a[LANES];
  tsr_index i = 0;
  (void)params;
  for (int l = 0; l < LANES; l++) a[l] = lanes[l];
  for (; i <= n - LANES; i += LANES)
    for (int l = 0; l < LANES; l++) a[l] = STEP(a[l], x[i + l], PARAM(0));
  for (int l = 0; l < LANES; l++) lanes[l] = a[l];
  return i;
}
#else
/* Where there are not as many registers as lanes. */
static tsr_index OP(groups)(LANE *restrict lanes, tsr_index n, const C *restrict x, const VALUE *restrict params) {
  tsr_index i = 0;
  (void)params;
  for (; i <= n - LANES; i += LANES)
    for (int l = 0; l < LANES; l++) lanes[l] = STEP(lanes[l], x[i + l], PARAM(0));
  return i;
}
#endif

/* Fewer than LANES elements. All lanes take part, so that vectors with masks do it: on its own, because gcc 12
 * unrolls the loop where it is inlined, and finds no vectors in it any more. */
__attribute__((noinline)) static void OP(tail)(LANE *restrict lanes, int n, const C *restrict x,
                                               const VALUE *restrict params) {
  (void)params;
  for (int l = 0; l < LANES; l++) {
    const C next = l < n ? x[l] : 0;
    const LANE after = STEP(lanes[l], next, PARAM(0));
    lanes[l] = l < n ? after : lanes[l];
  }
}

static void OP(row)(void *state, tsr_index n, const void *row, const void *param) {
  const C *const x = row;
  const tsr_index i = n >= LANES ? OP(groups)(state, n, x, param) : 0;
  if (i < n) OP(tail)(state, (int)(n - i), x + i, param);
}

static void OP(merge)(tsr_index n, void *restrict earlier, const void *restrict later) {
  VALUE *const a = earlier;
  const VALUE *const b = later;
  for (tsr_index j = 0; j < n; j++) a[j] = MERGE(a[j], b[j]);
}

#if TSR__REDUCE_FAST && !ANY_ORDER
/* Every lane takes its neighbour's value, then those of pairs, of fours, of eights: lane 0 has the tree. */
static inline VALUE OP(joined)(const LANE *restrict lanes) {
  typedef VALUE vector __attribute__((vector_size(LANES * sizeof(VALUE))));
  vector v;
  memcpy(&v, lanes, sizeof v);
  v = MERGE(v, __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14));
  v = MERGE(v, __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13));
  v = MERGE(v, __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3, 12, 13, 14, 15, 8, 9, 10, 11));
  return MERGE(v[0], v[8]);
}
#else
static inline VALUE OP(joined)(const LANE *restrict lanes) {
  VALUE v[LANES / 2];
  for (int l = 0; l < LANES / 2; l++)
    v[l] = ANY_ORDER ? MERGE((VALUE)lanes[l], (VALUE)lanes[l + LANES / 2])
                     : MERGE((VALUE)lanes[2 * l], (VALUE)lanes[2 * l + 1]);
  TSR__HALVE(LANES / 2, n)
  for (int l = 0; l < n; l++) v[l] = ANY_ORDER ? MERGE(v[l], v[l + n]) : MERGE(v[2 * l], v[2 * l + 1]);
  return v[0];
}
#endif

static void OP(join)(const void *state, void *value) { *(VALUE *)value = OP(joined)(state); }

#if TSR__REDUCE_FAST && !ANY_ORDER
/* One whole block, without a state in memory; its joining overlaps with the next one's sums. */
static inline VALUE OP(block)(const C *restrict x, const VALUE *restrict params) {
  LANE a[LANES];
  (void)params;
  for (int l = 0; l < LANES; l++) a[l] = NEUTRAL;
  for (int i = 0; i < TSR__REDUCE_BLOCK; i += LANES)
    for (int l = 0; l < LANES; l++) a[l] = STEP(a[l], x[i + l], PARAM(0));
  return OP(joined)(a);
}

static void OP(group)(const void *row, const void *param, void *value) {
  const C *const x = row;
  VALUE v[TSR__REDUCE_GROUP];
  for (int i = 0; i < TSR__REDUCE_GROUP; i++) v[i] = OP(block)(x + i * TSR__REDUCE_BLOCK, param);
  const VALUE early = MERGE(v[0], v[1]), late = MERGE(v[2], v[3]);
  *(VALUE *)value = MERGE(early, late);
}
#define GROUP OP(group)
#else
#define GROUP NULL
#endif

#if TSR__REDUCE_FAST
/* At most one block. */
static inline VALUE OP(short_rows)(tsr_index n, const C *restrict x, const VALUE *restrict params) {
  LANE a[LANES];
  tsr_index i = 0;
  (void)params;
  for (int l = 0; l < LANES; l++) a[l] = NEUTRAL;
  for (; i <= n - LANES; i += LANES)
    for (int l = 0; l < LANES; l++) a[l] = STEP(a[l], x[i + l], PARAM(0));
  if (i < n) OP(tail)(a, (int)(n - i), x + i, params);
  return OP(joined)(a);
}

#if ANY_ORDER
#define SPAN OP(short_rows)
#else
/* At most 2 blocks, and at most TSR__REDUCE_GROUP of them. */
static VALUE OP(pair)(tsr_index n, const C *restrict x, const VALUE *restrict params) {
  const VALUE early = OP(short_rows)(n < TSR__REDUCE_BLOCK ? n : TSR__REDUCE_BLOCK, x, params);
  if (n <= TSR__REDUCE_BLOCK) return early;
  const VALUE late = OP(short_rows)(n - TSR__REDUCE_BLOCK, x + TSR__REDUCE_BLOCK, params);
  return MERGE(early, late);
}

static inline VALUE OP(span)(tsr_index n, const C *restrict x, const VALUE *restrict params) {
  const tsr_index half = 2 * TSR__REDUCE_BLOCK;
  if (n <= half) return OP(pair)(n, x, params);
  const VALUE early = OP(pair)(half, x, params), late = OP(pair)(n - half, x + half, params);
  return MERGE(early, late);
}
#define SPAN OP(span)
#endif

static void OP(many)(tsr_index count, tsr_index n, const char *x, ptrdiff_t step, const void *param, void *to) {
  const VALUE *const params = param;
  VALUE *const values = to;
  (void)params;
  for (tsr_index j = 0; j < count; j++)
    values[j] = SPAN(n, (const C *)(const void *)(x + (ptrdiff_t)j * step), WITH_PARAM ? params + j : NULL);
}
#undef SPAN

/* Four rows at once: a lane is loaded and stored once for all of them. */
static void OP(four)(LANE *restrict a, tsr_index width, const C *restrict r0, const C *restrict r1,
                     const C *restrict r2, const C *restrict r3, const VALUE *restrict params) {
  (void)params;
  for (tsr_index j = 0; j < width; j++) {
    LANE s = a[j];
    s = STEP(s, r0[j], PARAM(j));
    s = STEP(s, r1[j], PARAM(j));
    s = STEP(s, r2[j], PARAM(j));
    s = STEP(s, r3[j], PARAM(j));
    a[j] = s;
  }
}

static void OP(one)(LANE *restrict a, tsr_index width, const C *restrict x, const VALUE *restrict params) {
  (void)params;
  for (tsr_index j = 0; j < width; j++) a[j] = STEP(a[j], x[j], PARAM(j));
}

static void OP(rows)(void *state, tsr_index width, int count, const char *const *rows, const void *param) {
#define ROW(k) ((const C *)(const void *)rows[i + (k)])
  int i = 0;
  for (; i + 4 <= count; i += 4) OP(four)(state, width, ROW(0), ROW(1), ROW(2), ROW(3), param);
  for (; i < count; i++) OP(one)(state, width, ROW(0), param);
#undef ROW
}

/* w outputs side by side, a constant, each in a lane of vectors. */
#if ANY_ORDER
TSR__ALWAYS_INLINE void OP(some)(int w, tsr_index n, const char *x, ptrdiff_t step, const VALUE *restrict params,
                                 VALUE *restrict values) {
  _Alignas(64) LANE a[BESIDE];
  (void)params;
  for (int c = 0; c < w; c++) a[c] = NEUTRAL;
  for (tsr_index r = 0; r < n; r++) {
    const C *const row = (const C *)(const void *)(x + (ptrdiff_t)r * step);
    for (int c = 0; c < w; c++) a[c] = STEP(a[c], row[c], PARAM(c));
  }
  for (int c = 0; c < w; c++) values[c] = (VALUE)a[c];
}
#else
/* Lanes that have seen nothing are left out of the tree: they would change nothing. */
TSR__ALWAYS_INLINE void OP(some)(int w, tsr_index n, const char *x, ptrdiff_t step, const VALUE *restrict params,
                                 VALUE *restrict values) {
  _Alignas(64) LANE a[LANES][BESIDE];
  int lanes = n < LANES ? (int)n : LANES;
  (void)params;
  for (int l = 0; l < lanes; l++) {
    const C *const row = (const C *)(const void *)(x + (ptrdiff_t)l * step);
    for (int c = 0; c < w; c++) a[l][c] = STEP(NEUTRAL, row[c], PARAM(c));
  }
  for (tsr_index r = LANES; r < n; r++) {
    const C *const row = (const C *)(const void *)(x + (ptrdiff_t)r * step);
    LANE *const lane = a[r % LANES];
    for (int c = 0; c < w; c++) lane[c] = STEP(lane[c], row[c], PARAM(c));
  }
  for (; lanes > 1; lanes = (lanes + 1) / 2) {
    for (int l = 0; l < lanes / 2; l++)
      for (int c = 0; c < w; c++) a[l][c] = MERGE(a[2 * l][c], a[2 * l + 1][c]);
    if (lanes % 2 != 0) memcpy(a[lanes / 2], a[lanes - 1], sizeof a[0]);
  }
  for (int c = 0; c < w; c++) values[c] = a[0][c];
}
#endif

static void OP(beside)(tsr_index width, tsr_index n, const char *x, ptrdiff_t step, const void *param, void *to) {
  const VALUE *const params = param;
  VALUE *const values = to;
  (void)params;
  if (width < BESIDE) {
    for (tsr_index j = 0; j < width; j++)
      OP(some)(1, n, x + (ptrdiff_t)j * (ptrdiff_t)sizeof(C), step, WITH_PARAM ? params + j : NULL, values + j);
    return;
  }
  for (tsr_index j = 0; j < width; j += BESIDE) {
    const tsr_index at = j + BESIDE <= width ? j : width - BESIDE; /* the last ones, some of them again */
    OP(some)(BESIDE, n, x + (ptrdiff_t)at * (ptrdiff_t)sizeof(C), step, WITH_PARAM ? params + at : NULL, values + at);
  }
}

static void OP(widen)(tsr_index n, const void *restrict state, void *restrict to) {
  const LANE *const lanes = state;
  VALUE *const values = to;
  for (tsr_index j = 0; j < n; j++) values[j] = (VALUE)lanes[j];
}
#define FAST(name) OP(name)
#define BESIDE_WAY OP(beside),
#else
#define FAST(name) NULL
#define BESIDE_WAY
#endif

#if TSR__REDUCE_FAST && WITH_STAGE
#include "ops/reduce/stage.tmpl.h"
#define STAGE_FIELD , (tsr__stage_fn *)OP(stage)
#elif TSR__REDUCE_FAST
#define STAGE_FIELD , NULL
#else
#define STAGE_FIELD
#endif

/* clang-format off */
static const tsr__reduce_kernel OP(kernel) = {
    OP(start), OP(row), GROUP, FAST(many), FAST(rows), BESIDE_WAY OP(join), FAST(widen), OP(merge), VALUE_ID, sizeof(LANE),
    ANY_ORDER STAGE_FIELD};
/* clang-format on */

#undef PARAM
#undef BESIDE
#undef BESIDE_WAY
#undef FAST
#undef GROUP
#undef LANE
#undef VALUE
#undef VALUE_ID
#undef LANES
#undef ANY_ORDER
#undef NEUTRAL
#undef STEP
#undef MERGE
#undef WITH_PARAM
#undef WITH_STAGE
#undef STAGE_FIELD
