/* The search in one compute type, for BEATS(x, a) and its opposite, LOSES(x, a). An index inside a block is a PLACE: an
 * unsigned integer as wide as the element, so that both fill vectors alike. */
#if USED
#if C_BITS == 32
#define PLACE uint32_t
#else
#define PLACE uint64_t
#endif
#define LANES (TSR__REDUCE_LANE_BYTES / (C_BITS / 8))
#if C_FLOAT
#define HOLDS(x, a) ((LOSES(x, a)) | ((a) != (a)))
#else
#define HOLDS(x, a) LOSES(x, a)
#endif

static inline bool OP(wins)(C x, C a) { return !(HOLDS(x, a)); }

/* The better of two; where any NaN will do. */
static inline C OP(better)(C a, C x) {
  const C best = BEATS(x, a) ? x : a;
#if C_FLOAT
  return x != x ? x : best;
#else
  return best;
#endif
}

/* What is known of a row: the best of each lane, and the part that it came from. Parts are so short that looking
 * through one again costs little, and so long that remembering them does. */
typedef struct OP(lanes) {
  C best[LANES];
  PLACE part[LANES];
} OP(lanes);

#define PART (16 * LANES)

/* n elements of one part, whole groups of lanes. */
static inline void OP(scan)(tsr_index n, const C *restrict x, PLACE number, OP(lanes) *restrict lanes) {
  C a[LANES];
  for (int l = 0; l < LANES; l++) a[l] = lanes->best[l];
  for (tsr_index i = 0; i < n; i += LANES)
    for (int l = 0; l < LANES; l++) a[l] = OP(better)(a[l], x[i + l]);
  for (int l = 0; l < LANES; l++) lanes->part[l] = HOLDS(a[l], lanes->best[l]) ? lanes->part[l] : number;
  for (int l = 0; l < LANES; l++) lanes->best[l] = a[l];
}

/* The place of the first of n elements that is v, which is there; odd: that is NaN. From the back, without a branch. */
static inline tsr_index OP(locate)(tsr_index n, const C *restrict x, C v, bool odd) {
  PLACE at[LANES];
  for (int l = 0; l < LANES; l++) at[l] = (PLACE) ~(PLACE)0;
  for (tsr_index i = n - LANES; i >= 0; i -= LANES)
    for (int l = 0; l < LANES; l++) at[l] = (odd ? x[i + l] != x[i + l] : x[i + l] == v) ? (PLACE)(i + l) : at[l];
  TSR__HALVE(LANES, half)
  for (int l = 0; l < half; l++) at[l] = at[l] < at[l + half] ? at[l] : at[l + half];
  return (tsr_index)at[0];
}

/* The best of each lane in n elements, n a multiple of LANES; the best of them all. */
static inline C OP(survey)(tsr_index n, const C *restrict x, OP(lanes) *restrict lanes) {
  C a[LANES];
  PLACE number = 0;
  tsr_index i = 0;
  for (int l = 0; l < LANES; l++) lanes->best[l] = x[l];
  for (int l = 0; l < LANES; l++) lanes->part[l] = 0;
  for (; i <= n - PART; i += PART, number++) OP(scan)(PART, x + i, number, lanes);
  if (i < n) OP(scan)(n - i, x + i, number, lanes);
  for (int l = 0; l < LANES; l++) a[l] = lanes->best[l];
  TSR__HALVE(LANES, half)
  for (int l = 0; l < half; l++) a[l] = OP(better)(a[l], a[l + half]);
  return a[0];
}

/* The place of the first of n elements that is the best of lanes. */
static tsr_index OP(find)(tsr_index n, const C *restrict x, const OP(lanes) *restrict lanes, C best) {
  PLACE its[LANES];
  for (int l = 0; l < LANES; l++) its[l] = HOLDS(best, lanes->best[l]) ? lanes->part[l] : (PLACE) ~(PLACE)0;
  TSR__HALVE(LANES, half)
  for (int l = 0; l < half; l++) its[l] = its[l] < its[l + half] ? its[l] : its[l + half];
  const tsr_index start = (tsr_index)its[0] * PART, length = n - start < PART ? n - start : PART;
  const C *const part = x + start;
#if C_FLOAT
  if (best != best) return start + OP(locate)(length, part, best, true);
#endif
  return start + OP(locate)(length, part, best, false);
}

static tsr_index OP(row)(tsr_index n, const void *row, bool none, void *best) {
  const C *const x = row;
  C *const old = best;
  const tsr_index groups = n / LANES * LANES;
  OP(lanes) lanes;
  C v = groups > 0 ? OP(survey)(groups, x, &lanes) : x[0];
  tsr_index place = -1; /* behind the groups */
  for (tsr_index i = groups; i < n; i++) {
    if (!OP(wins)(x[i], v)) continue;
    v = x[i];
    place = i;
  }
  if (!none && !OP(wins)(v, *old)) return -1;
  *old = v;
  return place >= 0 ? place : groups > 0 ? OP(find)(groups, x, &lanes, v) : 0;
}

static bool OP(beats)(const void *later, const void *best) { return OP(wins)(*(const C *)later, *(const C *)best); }

/* ---- by columns ---- */

#if TSR__REDUCE_FAST
static void OP(first)(tsr_index width, const void *row, void *best, void *place) {
  const C *const x = row;
  for (tsr_index j = 0; j < width; j++) ((C *)best)[j] = x[j];
  for (tsr_index j = 0; j < width; j++) ((PLACE *)place)[j] = 0;
}

/* All bits set where x beats the best so far, and none else: choices in integers, because gcc 12 makes no vectors of
 * choices between floats by such a condition. */
static inline PLACE OP(mask)(C x, C a) { return HOLDS(x, a) ? 0 : (PLACE) ~(PLACE)0; }

static inline PLACE OP(choose)(PLACE mask, PLACE yes, PLACE no) { return (PLACE)((yes & mask) | (no & (PLACE)~mask)); }

static inline void OP(try)(C x, PLACE number, C *best, PLACE *place) {
  const PLACE mask = OP(mask)(x, *best);
  PLACE yes, no;
  memcpy(&yes, &x, sizeof yes);
  memcpy(&no, best, sizeof no);
  no = OP(choose)(mask, yes, no);
  memcpy(best, &no, sizeof no);
  *place = OP(choose)(mask, number, *place);
}

static void OP(one)(tsr_index width, const void *restrict row, int number, void *restrict best, void *restrict place) {
  const C *const x = row;
  C *const b = best;
  PLACE *const at = place;
  const PLACE now = (PLACE)number;
  for (tsr_index j = 0; j < width; j++) {
    C best_now = b[j];
    PLACE place_now = at[j];
    OP(try)(x[j], now, &best_now, &place_now);
    b[j] = best_now;
    at[j] = place_now;
  }
}

/* Eight rows at once. Comparisons let no NaN in; whether there was one shows in the sum of the rows. Returns whether
 * it does. */
static bool OP(columns)(tsr_index width, int number, const C *restrict r0, const C *restrict r1, const C *restrict r2,
                        const C *restrict r3, const C *restrict r4, const C *restrict r5, const C *restrict r6,
                        const C *restrict r7, C *restrict best, PLACE *restrict place) {
  const PLACE base = (PLACE)number;
  PLACE odd = 0;
#define TRY(k)                                       \
  at = BEATS(r##k[j], b) ? (PLACE)(base + (k)) : at; \
  b = BEATS(r##k[j], b) ? r##k[j] : b;
  for (tsr_index j = 0; j < width; j++) {
    C b = best[j];
    PLACE at = place[j];
    /* clang-format off */
    TRY(0) TRY(1) TRY(2) TRY(3) TRY(4) TRY(5) TRY(6) TRY(7)
    /* clang-format on */
#if C_FLOAT
        const C sum = ((r0[j] + r1[j]) + (r2[j] + r3[j])) + ((r4[j] + r5[j]) + (r6[j] + r7[j]));
    odd |= sum != sum;
#endif
    best[j] = b;
    place[j] = at;
  }
#undef TRY
  return odd != 0;
}

static void OP(rows)(tsr_index width, const char *const *rows, int number, void *best, void *place) {
#define ROW(k) ((const C *)(const void *)rows[k])
  const bool odd =
      OP(columns)(width, number, ROW(0), ROW(1), ROW(2), ROW(3), ROW(4), ROW(5), ROW(6), ROW(7), best, place);
  for (int k = 0; odd && k < TSR__ARG_ROWS; k++) OP(one)(width, ROW(k), number + k, best, place);
#undef ROW
}

static void OP(absorb)(tsr_index width, const void *restrict block_best, const void *restrict block_place, int64_t base,
                       bool none, void *restrict best, int64_t *restrict index) {
  const C *const x = block_best;
  const PLACE *const at = block_place;
  C *const b = best;
  for (tsr_index j = 0; j < width; j++) {
    if (!none && !OP(wins)(x[j], b[j])) continue;
    b[j] = x[j];
    index[j] = base + (int64_t)at[j];
  }
}
#define FAST(name) OP(name)
#else
#define FAST(name) NULL
#endif

static const tsr__arg_kernel OP(kernel) = {OP(row), FAST(first), FAST(rows), FAST(one), FAST(absorb), OP(beats)};

#undef PLACE
#undef PART
#undef FAST
#undef LANES
#undef HOLDS
#endif
