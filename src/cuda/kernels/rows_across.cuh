/* Softmax of rows that lie side by side, so that neighbours in memory are of different rows: see rows.cuh. A block of threads has COLUMNS
 * rows. TEAM threads, each of another warp, have a row: thread t every TEAM-th element from element t on, and with them CHAINS chains of
 * sums. EACH > 0: elements stay in registers, so many a thread, of which every thread has SURE. Else a block of threads has a block of
 * elements of its rows, and takes one of the steps of rows in pieces. */
enum { COLUMNS = THREADS / TEAM, CHAINS = LANES / TEAM };

struct column {
  int64_t number;
  bool own; /* there is such a row */
  int t, c;
  const T *x; /* element t */
  T *out;
  int64_t step_x, step_out; /* from an element of this thread to its next one */
};

static __device__ inline column column_of(const row_args &s, int64_t tile, int64_t first) {
  column m;
  m.c = threadIdx.x % COLUMNS, m.t = threadIdx.x / COLUMNS;
  m.number = tile * COLUMNS + m.c;
  m.own = m.number < s.rows;
  if (!m.own) m.number = s.rows - 1; /* every thread comes to every barrier */
  m.x = begin(s, m.number) + (first + m.t) * s.step_x[0];
  m.out = s.out + placed(m.number, s.kept_rank, s.kept, s.kept_out) + (first + m.t) * s.step_out[0];
  m.step_x = TEAM * s.step_x[0], m.step_out = TEAM * s.step_out[0];
  return m;
}

/* What the threads of a row have, joined by halves. */
template <class fn> static __device__ inline C of_team(const column &m, C v, fn join) {
  if (TEAM == 1) return v;
  __shared__ C told[TEAM][COLUMNS];
  C all[TEAM];
  told[m.t][m.c] = v;
  __syncthreads();
  TSR__UNROLL(16) for (int k = 0; k < TEAM; k++) all[k] = told[k][m.c];
  __syncthreads();
  TSR__UNROLL(4) for (int d = TEAM / 2; d > 0; d /= 2)
    TSR__UNROLL(8) for (int k = 0; k < TEAM / 2; k++)
      if (k < d) all[k] = join(all[k], all[k + d < TEAM ? k + d : k]);
  return all[0];
}

static __device__ inline C sum_of_team(const column &m, C *chain) {
  TSR__UNROLL(4) for (int h = CHAINS / 2; h > 0; h /= 2)
    TSR__UNROLL(8) for (int k = 0; k < CHAINS / 2; k++)
      if (k < h) chain[k] = chain[k] + chain[k + h < CHAINS ? k + h : k];
  return of_team(m, chain[0], [](C a, C b) { return a + b; });
}

static __device__ inline C peak_of_team(const column &m, C top) {
  return of_team(m, top, [](C a, C b) { return greater(a, b); });
}

/* A row with NaN or an infinity above all is NaN. */
static __device__ inline C factor_of(C top, double sum) {
  if (top - top != 0) return top - top;
#if KIND == SOFTMAX
  return (C)(1 / sum);
#else
  return FN(tsr__log)((C)sum);
#endif
}

static __device__ inline C result(C x, C top, C factor) {
#if KIND == SOFTMAX
  return PART(x - top) * factor;
#else
  return (x - top) - factor;
#endif
}

#if EACH > 0
extern "C" __global__ void __launch_bounds__(THREADS) tsr_rows(const __grid_constant__ row_args s) {
  const column m = column_of(s, blockIdx.x, 0);
  const int n = (int)s.n;
  const T *x = m.x;
  C v[EACH], top = -(C)__builtin_inff(), chain[CHAINS];
  TSR__UNROLL(32) for (int k = 0; k < EACH; k++) {
    v[k] = k < SURE || k * TEAM + m.t < n ? LOADED(LOAD(x)) : -(C)__builtin_inff();
    x += m.step_x;
  }
  TSR__UNROLL(32) for (int k = 0; k < EACH; k++) top = greater(top, v[k]);
  top = peak_of_team(m, top);
  TSR__UNROLL(16) for (int k = 0; k < CHAINS; k++) chain[k] = 0;
  TSR__UNROLL(32) for (int k = 0; k < EACH; k++) { /* what is not there adds 0 */
    const C e = PART(v[k] - top);
    chain[k % CHAINS] = chain[k % CHAINS] + e;
    if (KIND == SOFTMAX) v[k] = e;
  }
  const C factor = factor_of(top, (double)sum_of_team(m, chain));
  T *out = m.out;
  TSR__UNROLL(32) for (int k = 0; k < EACH; k++) {
    const C y = KIND == SOFTMAX ? v[k] * factor : (v[k] - top) - factor;
    if (m.own && (k < SURE || k * TEAM + m.t < n)) *out = STORED(y);
    out += m.step_out;
  }
}
#else
/* what(element, where it goes) for all elements of this thread in its block of them, in order. */
template <class fn> static __device__ inline void each_of_lane(const row_args &s, const column &m, int64_t first, fn what) {
  enum { BATCH = 8 };
  const int count = s.n - first < BLOCK ? (int)(s.n - first) : BLOCK;
  int left = (count - m.t + TEAM - 1) / TEAM;
  const T *x = m.x;
  T *out = m.out;
  TSR__UNROLL_BY(1) for (; left >= BATCH; left -= BATCH) {
    T v[BATCH];
    TSR__UNROLL(8) for (int k = 0; k < BATCH; k++) v[k] = LOAD(x + k * m.step_x);
    TSR__UNROLL(8) for (int k = 0; k < BATCH; k++) what(LOADED(v[k]), out + k * m.step_out);
    x += BATCH * m.step_x, out += BATCH * m.step_out;
  }
  TSR__UNROLL_BY(1) for (; left > 0; left--, x += m.step_x, out += m.step_out) what(LOADED(LOAD(x)), out);
}

static __device__ inline C peak_of_pieces(const row_args &s, const column &m) {
  C top = -(C)__builtin_inff();
  TSR__UNROLL_BY(4) for (int64_t k = m.t; k < s.pieces; k += TEAM) top = greater(top, s.tops[k * s.rows + m.number]);
  return peak_of_team(m, top);
}

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT) tsr_rows(const __grid_constant__ row_args s) {
  const int64_t tiles = (s.rows + COLUMNS - 1) / COLUMNS, piece = blockIdx.x / (uint32_t)tiles, first = piece * BLOCK;
  const column m = column_of(s, blockIdx.x % (uint32_t)tiles, first);
#if PHASE == FIND_TOPS
  C top = -(C)__builtin_inff();
  each_of_lane(s, m, first, [&](C x, T *) { top = greater(top, x); });
  top = peak_of_team(m, top);
  if (m.own && m.t == 0) s.tops[piece * s.rows + m.number] = top;
#elif PHASE == FIND_SUMS
  const C top = peak_of_pieces(s, m);
  C chain[CHAINS] = {0};
  each_of_lane(s, m, first, [&](C x, T *) { chain[0] = chain[0] + PART(x - top); });
  const C sum = sum_of_team(m, chain);
  if (m.own && m.t == 0) s.sums[piece * s.rows + m.number] = sum;
#else
  __shared__ C factors[COLUMNS];
  const C top = peak_of_pieces(s, m);
  if (m.t == 0) {
    double sum = 0;
    TSR__UNROLL_BY(4) for (int64_t k = 0; k < s.pieces; k++) sum += (double)s.sums[k * s.rows + m.number];
    factors[m.c] = factor_of(top, sum);
  }
  __syncthreads();
  const C factor = factors[m.c];
  each_of_lane(s, m, first, [&](C x, T *out) {
    if (m.own) *out = STORED(result(x, top, factor));
  });
#endif
}
#endif
