/* The microkernels of one pair of types. The includer defines
 *   FN(x)            a name of its own          TARGET     an attribute of every function, or nothing
 *   E, EV            a packed element, and the prefix of its vectors (tsr__vf32)
 *   S, SV            what is summed in, and the prefix of its vectors
 *   MR, LANES        rows of a tile, numbers in a vector
 *   MADD(a, b, c)    c + a·b on vectors
 * DIRECT           1: the kernels for matrices that are not packed, too
 *   BEGIN(at)        not always: the sums begin with a vector of what stands before a panel of B
 *   MADD_LANE(b, a, lane, c), EACH_LANE(X)
 *                    not always: c + b · one lane of a, a constant, where that is one instruction; X of each lane
 *   EB, LOAD_B(at)   not always: a packed element of B where it is narrower than E, and a vector of them as E
 * A tile is MR rows of two vectors. */
#define NR (2 * LANES)
#if !defined(EB)
#define EB E
#define LOAD_B(at) TSR__VEC(EV, _load)(at)
#define STEPS_AT_ONCE 4
#define BESIDE_AHEAD 0
#define OWN_B
#else
#define STEPS_AT_ONCE 1 /* bound by what is read; and there are many of these functions */
#endif
#define AHEAD 32

/* m rows and nv vectors are constants wherever this is inlined, so that the sums are registers. */
TSR__INLINE TARGET void FN(store_whole)(const int m, const int nv, SV (*acc)[2], S *c, tsr_index ldc, bool add) {
  TSR__UNROLL(16)
  for (int i = 0; i < m; i++) {
    S *const at = c + i * ldc;
    TSR__UNROLL(2)
    for (int j = 0; j < nv; j++) {
      if (add) acc[i][j] += TSR__VEC(SV, _load)(at + j * LANES);
      TSR__VEC(SV, _store)(at + j * LANES, acc[i][j]);
    }
  }
}

TSR__INLINE TARGET void FN(store)(const int m, const int nv, SV (*acc)[2], S *c, tsr_index ldc, int n, bool add) {
  if (n == nv * LANES && !add) {
    FN(store_whole)(m, nv, acc, c, ldc, false);
    return;
  }
  if (n == nv * LANES) {
    FN(store_whole)(m, nv, acc, c, ldc, true);
    return;
  }
  TSR__UNROLL(16)
  for (int i = 0; i < m; i++) {
    S *const at = c + i * ldc;
    TSR__UNROLL(2)
    for (int j = 0; j < nv; j++) {
      const int left = n - j * LANES, here = left < 0 ? 0 : left < LANES ? left : LANES;
      if (add) acc[i][j] += TSR__VEC(SV, _load_part)(at + j * LANES, here);
      TSR__VEC(SV, _store_part)(at + j * LANES, acc[i][j], here);
    }
  }
}

TSR__INLINE TARGET void FN(step)(const int m, const E *x, const EB *y, SV (*acc)[2]) {
  const EV b0 = LOAD_B(y), b1 = LOAD_B(y + LANES);
#if defined(MADD_LANE)
  TSR__UNROLL(4)
  for (int i = 0; i < m; i += LANES) { /* panels of A are as long as whole vectors of it */
    const EV several = TSR__VEC(EV, _load)(x + i);
#define ROW(lane)                                                      \
  if (lane < LANES && i + lane < m) {                                  \
    acc[i + lane][0] = MADD_LANE(b0, several, lane, acc[i + lane][0]); \
    acc[i + lane][1] = MADD_LANE(b1, several, lane, acc[i + lane][1]); \
  }
    EACH_LANE(ROW)
#undef ROW
  }
#else
  if (STEPS_AT_ONCE == 1) __builtin_prefetch((const char *)y + 2 * BESIDE_AHEAD);
  TSR__UNROLL(16)
  for (int i = 0; i < m; i++) {
    const EV one = TSR__VEC(EV, _all)(x[i]);
    acc[i][0] = MADD(one, b0, acc[i][0]);
    acc[i][1] = MADD(one, b1, acc[i][1]);
  }
#endif
}

TSR__INLINE TARGET void FN(steps)(const int m, tsr_index k, const E **a, const EB **b, SV (*acc)[2]) {
  const E *x = *a;
  const EB *y = *b;
  TSR__UNROLL(STEPS_AT_ONCE)
  for (tsr_index p = k; p > 0; p--, x += MR, y += NR) FN(step)(m, x, y, acc);
  *a = x;
  *b = y;
}

TSR__INLINE TARGET const EB *FN(begin)(const int m, const EB *b, SV (*acc)[2]) {
#if defined(BEGIN)
  const SV begin[2] = {BEGIN(b), BEGIN(b + LANES)};
  b += NR;
#else
  const SV begin[2] = {{0}, {0}};
#endif
  TSR__UNROLL(16)
  for (int i = 0; i < m; i++) {
    acc[i][0] = begin[0];
    acc[i][1] = begin[1];
  }
  return b;
}

/* Asks for the lines of C shortly before they are needed: earlier, the panels would push them out of the cache again.
 */
TSR__INLINE TARGET void FN(end)(const int m, tsr_index k, const E *a, const EB *b, SV (*acc)[2], S *c, tsr_index ldc,
                                int n, bool add) {
  const tsr_index tail = k < AHEAD ? k : AHEAD;
  FN(steps)(m, k - tail, &a, &b, acc);
  TSR__UNROLL(16)
  for (int i = 0; i < m; i++) {
    __builtin_prefetch(c + i * ldc, 1);
    __builtin_prefetch(c + i * ldc + NR - 1, 1);
  }
  FN(steps)(m, tail, &a, &b, acc);
  FN(store)(m, 2, acc, c, ldc, n, add);
}

TSR__INLINE TARGET void FN(packed)(const int m, tsr_index k, const E *a, const EB *b, S *c, tsr_index ldc, int n,
                                   bool add) {
  SV acc[MR][2];
  b = FN(begin)(m, b, acc);
  FN(end)(m, k, a, b, acc, c, ldc, n, add);
}

#if DIRECT
enum {
  FN(PACK_AHEAD_PANELS) = TSR__VEC_BYTES == 64 ? 2 : 4,
  FN(PACK_AHEAD_VECTORS) = 2 * FN(PACK_AHEAD_PANELS),
  FN(PIECE) = FN(PACK_AHEAD_VECTORS) * TSR__VEC_BYTES
};

TSR__INLINE TARGET void FN(pack_ahead_vector)(const int v, const tsr__pack_ahead *f) {
  const char *const at = f->from + v * TSR__VEC_BYTES;
  if (v * TSR__VEC_BYTES % 64 == 0) __builtin_prefetch(at + f->ahead, 0, 2);
  if (f->to == NULL) return;
  TSR__VEC(EV, _store)(f->to + (size_t)(v / 2) * f->panel + v % 2 * TSR__VEC_BYTES, TSR__VEC(EV, _load)(at));
}

TSR__INLINE void FN(pack_ahead_step)(tsr__pack_ahead *f) {
  f->from += FN(PIECE);
  if (f->to != NULL) f->to += NR * sizeof(E);
  if (++f->done < f->pieces) return;
  f->from += f->step - (ptrdiff_t)f->pieces * FN(PIECE);
  f->done = 0;
}

/* Beside each step one vector is copied, or brought near. */
TARGET static void FN(pack_ahead)(tsr_index k, const void *a, const void *b, void *c, tsr_index ldc, int n, bool add,
                                  tsr__pack_ahead *pack_ahead) {
  SV acc[MR][2];
  tsr__pack_ahead f = *pack_ahead;
  const E *x = a, *y = FN(begin)(MR, b, acc);
  const tsr_index most = k / FN(PACK_AHEAD_VECTORS), count = f.left < most ? f.left : most;
  for (tsr_index i = count; i > 0; i--, FN(pack_ahead_step)(&f)) {
    TSR__UNROLL(8)
    for (int v = 0; v < FN(PACK_AHEAD_VECTORS); v++, x += MR, y += NR) {
      FN(pack_ahead_vector)(v, &f);
      FN(step)(MR, x, y, acc);
    }
  }
  f.left -= count;
  *pack_ahead = f;
  FN(end)(MR, k - count * FN(PACK_AHEAD_VECTORS), x, y, acc, c, ldc, n, add);
}
#endif

#if DIRECT
/* The last vector of a row, which may be partial: sets without masks read it lane by lane then. */
TSR__INLINE TARGET EV FN(load_last)(const E *at, int n) {
  if (TSR__VEC_BYTES == 16 && n == LANES) return TSR__VEC(EV, _load)(at);
  return TSR__VEC(EV, _load_part)(at, n);
}

#if defined(MADD_LANE)
/* The same for rows of A that lie along K: as many steps as a vector of each row has lanes. Returns the steps that are left. */
TSR__INLINE TARGET tsr_index FN(strided_lanes)(const int m, const int nv, const bool whole, const tsr__direct *d,
                                               const E **from, const E **b_from, SV (*acc)[2]) {
  const E *a = *from, *b = *b_from;
  const int last = d->n - (nv - 1) * LANES;
  tsr_index left = d->k;
  for (; left >= LANES; left -= LANES, a += LANES) {
    EV row[MR];
    TSR__UNROLL(16)
    for (int i = 0; i < m; i++) row[i] = TSR__VEC(EV, _load)(a + i * d->a_row);
#define STEP(lane)                                                                                                  \
  if (lane < LANES) {                                                                                               \
    const EV b0 = nv == 2 || whole ? TSR__VEC(EV, _load)(b) : TSR__VEC(EV, _load_part)(b, last);                    \
    const EV b1 = nv < 2 ? b0 : whole ? TSR__VEC(EV, _load)(b + LANES) : TSR__VEC(EV, _load_part)(b + LANES, last); \
    TSR__UNROLL(16)                                                                                                 \
    for (int i = 0; i < m; i++) {                                                                                   \
      acc[i][0] = MADD_LANE(b0, row[i], lane, acc[i][0]);                                                           \
      if (nv == 2) acc[i][1] = MADD_LANE(b1, row[i], lane, acc[i][1]);                                              \
    }                                                                                                               \
    b += d->b_step;                                                                                                 \
  }
    EACH_LANE(STEP)
#undef STEP
  }
  *from = a;
  *b_from = b;
  return left;
}
#endif

/* m rows from a on. The last of nv vectors of B may be partial. */
TSR__INLINE TARGET void FN(strided)(const int m, const int nv, const tsr__direct *d, const E *a, S *c) {
  SV acc[MR][2];
  const E *b = d->b;
  const tsr_index a_row = d->a_row, a_step = d->a_step, b_step = d->b_step;
  const int last = d->n - (nv - 1) * LANES;
  TSR__UNROLL(16)
  for (int i = 0; i < m; i++) acc[i][0] = acc[i][1] = (SV){0};
  tsr_index left = d->k;
#if defined(MADD_LANE)
  if (a_step == 1 && last == LANES)
    left = FN(strided_lanes)(m, nv, true, d, &a, &b, acc);
  else if (a_step == 1)
    left = FN(strided_lanes)(m, nv, false, d, &a, &b, acc);
#endif
  TSR__UNROLL(2)
  for (tsr_index p = left; p > 0; p--) {
    const EV b0 = nv == 2 ? TSR__VEC(EV, _load)(b) : FN(load_last)(b, last);
    const EV b1 = nv == 2 ? FN(load_last)(b + LANES, last) : b0;
    TSR__UNROLL(16)
    for (int i = 0; i < m; i++) {
      const EV x = TSR__VEC(EV, _all)(a[i * a_row]);
      acc[i][0] = MADD(x, b0, acc[i][0]);
      if (nv == 2) acc[i][1] = MADD(x, b1, acc[i][1]);
    }
    a += a_step;
    b += b_step;
  }
  FN(store)(m, nv, acc, c, d->ldc, d->n, d->add);
}

/* Tiles of MR rows below each other, as long as they are whole. */
TSR__INLINE TARGET void FN(strided_whole)(const int nv, const tsr__direct *d) {
  const E *a = d->a;
  S *c = d->c;
  for (tsr_index left = d->rows; left >= MR; left -= MR, a += MR * d->a_row, c += MR * d->ldc)
    FN(strided)(MR, nv, d, a, c);
}
#endif

#if defined(BESIDE)
/* m rows by several whole panels side by side: one panel's sums would wait for themselves, and reading for them. */
TSR__INLINE TARGET void FN(few_rows)(const int m, const int panels, tsr_index k, const E *x, const EB *b, size_t panel,
                                     S *c, tsr_index ldc, bool add) {
  SV acc[3 * BESIDE][2];
  const EB *at[BESIDE];
  TSR__UNROLL(12)
  for (int i = 0; i < m * panels; i++) acc[i][0] = acc[i][1] = (SV){0};
  TSR__UNROLL(4)
  for (int q = 0; q < panels; q++) at[q] = (const EB *)(const void *)((const char *)b + (size_t)q * panel);
  for (tsr_index p = 0; p < k; p++, x += MR) {
    TSR__UNROLL(4)
    for (int q = 0; q < panels; q++) {
      __builtin_prefetch((const char *)(at[q] + p * NR) + BESIDE_AHEAD);
      FN(step)(m, x, at[q] + p * NR, acc + q * m);
    }
  }
  TSR__UNROLL(4)
  for (int q = 0; q < panels; q++) FN(store_whole)(m, 2, acc + q * m, c + q * NR, ldc, add);
}
#define FEW_ROWS_OF(m)                                                                                               \
  TARGET static void FN(beside_##m)(tsr_index k, const void *a, const void *b, size_t panel, void *c, tsr_index ldc, \
                                    bool add) {                                                                      \
    FN(few_rows)(m, BESIDE, k, a, b, panel, c, ldc, add);                                                            \
  }
FEW_ROWS_OF(1)
FEW_ROWS_OF(2)
FEW_ROWS_OF(3)
static tsr__beside_fn *const FN(besides)[3] = {FN(beside_1), FN(beside_2), FN(beside_3)};
#undef FEW_ROWS_OF
#endif

/* One function for each number of rows. */
#define INSTANCES_OF(m)                                                                                      \
  TARGET static void FN(micro_##m)(tsr_index k, const void *a, const void *b, void *c, tsr_index ldc, int n, \
                                   bool add) {                                                               \
    FN(packed)(m, k, a, b, c, ldc, n, add);                                                                  \
  }
#define DIRECTS_OF(m)                                                     \
  TARGET static void FN(direct1_##m)(const tsr__direct *d) {              \
    m == MR ? FN(strided_whole)(1, d) : FN(strided)(m, 1, d, d->a, d->c); \
  }                                                                       \
  TARGET static void FN(direct2_##m)(const tsr__direct *d) {              \
    m == MR ? FN(strided_whole)(2, d) : FN(strided)(m, 2, d, d->a, d->c); \
  }
#if MR == 12
#define ROWS(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12)
#elif MR == 8
#define ROWS(X) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8)
#elif MR == 6
#define ROWS(X) X(1) X(2) X(3) X(4) X(5) X(6)
#else
#define ROWS(X) X(1) X(2) X(3) X(4)
#endif
ROWS(INSTANCES_OF)
#define NAME_OF(m) FN(micro_##m),
static tsr__micro_fn *const FN(micros)[MR] = {ROWS(NAME_OF)};
#undef NAME_OF
#if DIRECT
ROWS(DIRECTS_OF)
#define NAME1_OF(m) FN(direct1_##m),
#define NAME2_OF(m) FN(direct2_##m),
static tsr__direct_fn *const FN(directs)[2 * MR] = {ROWS(NAME1_OF) ROWS(NAME2_OF)};
#undef NAME1_OF
#undef NAME2_OF
#endif

#undef ROWS
#undef INSTANCES_OF
#undef DIRECTS_OF
#undef NR
#undef AHEAD
#undef STEPS_AT_ONCE
#if defined(OWN_B)
#undef EB
#undef LOAD_B
#undef OWN_B
#endif
