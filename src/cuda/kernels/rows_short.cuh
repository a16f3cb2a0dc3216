/* Rows of at most a few hundred elements, in the orders of rows.cuh: a row stays in the registers of GROUP threads of a warp, of which each
 * has the elements i with i % GROUP its number, and LANES / GROUP chains of sums; no shared memory, no barrier. Rows that lie one behind
 * the other and have at most 16 elements (WHOLE > 0: how many) go through shared memory instead, a thread a row.
 *
 * Set before, beside what rows.cuh wants: EACH, elements a thread. */
#if WHOLE
enum { GROUP = 1 };
#else
enum { GROUP = LANES < 32 ? LANES : 32 };
#endif
enum { CHAINS = WHOLE ? 1 : LANES / GROUP };

/* Of the first thread of the row. */
static __device__ inline C first_of(C v) {
  union {
    C value;
    uint32_t word[sizeof(C) / 4];
  } u;
  u.value = v;
  TSR__UNROLL(2) for (unsigned i = 0; i < sizeof(C) / 4; i++) u.word[i] = __shfl_sync(~0u, u.word[i], threadIdx.x % 32 / GROUP * GROUP);
  return u.value;
}

/* Chains that are in this thread, then those of the others, by halves. */
static __device__ inline double joined(const C *chain) {
#if WHOLE
  C lane[16];
  TSR__UNROLL(16) for (int i = 0; i < 16; i++) lane[i] = i < WHOLE ? chain[i] : (C)0;
  TSR__UNROLL(4) for (int d = 8; d > 0; d /= 2)
    TSR__UNROLL(8) for (int i = 0; i < 8; i++) lane[i] = i < d ? lane[i] + lane[i + d] : lane[i];
  return 0 + (double)lane[0];
#else
  C v = CHAINS == 2 ? chain[0] + chain[CHAINS - 1] : chain[0];
  TSR__UNROLL(5) for (int d = GROUP / 2; d > 0; d /= 2) v = v + exchanged(v, d);
  return 0 + (double)v;
#endif
}

/* step(lane, element) over every element of the row. */
template <class fn> static __device__ inline double added(const C *v, int n, int t, fn step) {
#if WHOLE
  C lane[16];
  TSR__UNROLL(16) for (int k = 0; k < WHOLE; k++) lane[k] = step((C)0, v[k]);
  (void)n, (void)t;
  return joined(lane);
#else
  C lane[CHAINS];
  TSR__UNROLL(2) for (int k = 0; k < CHAINS; k++) lane[k] = 0;
  TSR__UNROLL(64) for (int k = 0; k < EACH; k++)
    if (k * GROUP + t < n) lane[k % CHAINS] = step(lane[k % CHAINS], v[k]);
  return joined(lane);
#endif
}

#if KIND == SOFTMAX || KIND == LOG_SOFTMAX
static __device__ inline void short_row(const row_args &s, C *v, int n, int t, int64_t) {
  C top = -(C)__builtin_inff();
  TSR__UNROLL(64) for (int k = 0; k < EACH; k++)
    if (k * GROUP + t < n) top = greater(top, v[k]);
  TSR__UNROLL(5) for (int d = GROUP / 2; d > 0; d /= 2) top = greater(top, exchanged(top, d));
  const bool bad = top - top != 0;
#if KIND == SOFTMAX
  TSR__UNROLL(64) for (int k = 0; k < EACH; k++) v[k] = PART(v[k] - top);
  const C scale = (C)(1 / added(v, n, t, [](C a, C e) { return a + e; }));
  TSR__UNROLL(64) for (int k = 0; k < EACH; k++) v[k] = bad ? top - top : v[k] * scale;
#else
  const C less = FN(tsr__log)((C)added(v, n, t, [top](C a, C x) { return a + PART(x - top); }));
  TSR__UNROLL(64) for (int k = 0; k < EACH; k++) v[k] = bad ? top - top : (v[k] - top) - less;
#endif
  (void)s;
}
#elif KIND == RMS
static __device__ inline void short_row(const row_args &s, C *v, int n, int t, int64_t) {
  const double sum = added(v, n, t, [](C a, C x) { return FN(tsr__fma)(x, x, a); });
  const C factor = (C)(1 / __builtin_sqrt(sum / (double)s.n + s.eps));
  TSR__UNROLL(64) for (int k = 0; k < EACH; k++) {
    const int i = k * GROUP + t;
    if (i < n) v[k] = SCALED ? v[k] * factor * s.scale[i] : v[k] * factor;
  }
}
#else
static __device__ inline C first_pivot(C own, int n) {
  if (n < 16) return first_of(own);
  C w = own;
  w = w + exchanged(w, 8);
  w = w + exchanged(w, 4);
  w = w + exchanged(w, 2);
  w = w + exchanged(w, 1);
  return first_of(w) / 16;
}

static __device__ inline void short_row(const row_args &s, C *v, int n, int t, int64_t number) {
  C pivot = first_pivot(v[0], n);
  double rest = 0, variance = 0;
  for (int round = 0; round < 2; round++) {
    const double sum = added(v, n, t, [pivot](C a, C x) { return a + (x - pivot); });
    const double square = added(v, n, t, [pivot](C a, C x) { return FN(tsr__fma)(x - pivot, x - pivot, a); });
    rest = sum / (double)s.n;
    variance = square / (double)s.n - rest * rest;
    if (rest * rest <= 4 * variance || round == 1) break;
    pivot = (C)((double)pivot + rest);
  }
  const double scale = 1 / __builtin_sqrt((variance < 0 ? 0 : variance) + s.eps);
  const normal y = {pivot, (C)scale, (C)(-rest * scale)};
  TSR__UNROLL(64) for (int k = 0; k < EACH; k++)
    if (k * GROUP + t < n) v[k] = normalised(s, y, k * GROUP + t, v[k], number);
}
#endif

#if WHOLE
extern "C" __global__ void __launch_bounds__(THREADS) tsr_rows(const __grid_constant__ row_args s) {
  enum { APART_ROWS = WHOLE | 1 }; /* odd: neighbours use other banks */
  __shared__ C kept[THREADS * APART_ROWS];
  const int64_t first = (int64_t)blockIdx.x * THREADS;
  const int rows = s.rows - first < THREADS ? (int)(s.rows - first) : THREADS;
  const T *const x = s.x + first * WHOLE;
  T *const out = s.out + first * WHOLE;
  TSR__UNROLL(16) for (unsigned k = 0; k < WHOLE; k++) {
    const unsigned i = threadIdx.x + k * THREADS;
    if (i < (unsigned)rows * WHOLE) kept[i / WHOLE * APART_ROWS + i % WHOLE] = LOADED(x[i]);
  }
  __syncthreads();
  if ((int)threadIdx.x < rows) {
    C v[EACH];
    TSR__UNROLL(16) for (int k = 0; k < WHOLE; k++) v[k] = kept[threadIdx.x * APART_ROWS + k];
    short_row(s, v, WHOLE, 0, first + threadIdx.x);
    TSR__UNROLL(16) for (int k = 0; k < WHOLE; k++) kept[threadIdx.x * APART_ROWS + k] = v[k];
  }
  __syncthreads();
  TSR__UNROLL(16) for (unsigned k = 0; k < WHOLE; k++) {
    const unsigned i = threadIdx.x + k * THREADS;
    if (i < (unsigned)rows * WHOLE) out[i] = STORED(kept[i / WHOLE * APART_ROWS + i % WHOLE]);
  }
}
#else
extern "C" __global__ void __launch_bounds__(THREADS) tsr_rows(const __grid_constant__ row_args s) {
  const int64_t own = (int64_t)blockIdx.x * (THREADS / GROUP) + threadIdx.x / GROUP;
  const int64_t number = own < s.rows ? own : s.rows - 1; /* a whole warp takes part in every exchange */
  const int t = threadIdx.x % GROUP, n = (int)s.n;
  const int64_t step_x = s.rank > 0 ? s.step_x[0] : 0, step_out = s.rank > 0 ? s.step_out[0] : 0;
  const place_of x = begin(s, number);
  T *const out = s.out + placed(number, s.kept_rank, s.kept, s.kept_out);
  C v[EACH];
  TSR__UNROLL(64) for (int k = 0; k < EACH; k++) {
    const int i = k * GROUP + t;
#if MADE
    v[k] = i < n ? made_one(s.made, made_next(s.made, x, i, s.rank, s.length)) : (C)0;
#else
    v[k] = i < n ? LOADED(x[i * step_x]) : (C)0;
#endif
  }
  (void)step_x;
  short_row(s, v, n, t, number);
  TSR__UNROLL(64) for (int k = 0; k < EACH; k++) {
    const int i = k * GROUP + t;
    if (i < n && own < s.rows) out[i * step_out] = STORED(v[k]);
  }
}
#endif
