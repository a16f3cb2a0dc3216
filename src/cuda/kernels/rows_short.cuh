/* Rows of at most a thousand elements, in the orders of rows.cuh: a row stays in the registers of GROUP threads of a warp, of which each has
 * CHAINS chains of sums, with all of their elements; no shared memory, no barrier. CONTIGUOUS: a thread's chains are beside each other, and
 * its elements are packs of so many; else it has every GROUP-th element. Rows that lie one behind the other and have at most 16 elements
 * (WHOLE > 0: how many) go through shared memory instead, a thread a row.
 *
 * Set before, beside what rows.cuh wants: GROUP; EACH, elements of a thread, and SURE, how many of them every thread has; UNIT where steps
 * along a row are 1. */
enum { PADDED = KIND == SOFTMAX || KIND == LOG_SOFTMAX };
enum { CHAINS = WHOLE ? 1 : LANES / GROUP, WIDE = CONTIGUOUS ? CHAINS : 1 };

/* Which element of its row is element k of thread t, which is of chain k % CHAINS; whether there is one. */
static __device__ inline constexpr int element_of(int k, int t) {
  return CONTIGUOUS ? (k / CHAINS * GROUP + t) * CHAINS + k % CHAINS : k * GROUP + t;
}
static __device__ inline bool has(int k, int t, int n) { return k < SURE || element_of(k, t) < n; }

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

/* The chains of all threads, by halves. */
static __device__ inline C joined(C *chain) {
#if WHOLE
  C lane[16];
  TSR__UNROLL(16) for (int i = 0; i < 16; i++) lane[i] = i < WHOLE ? chain[i] : (C)0;
  TSR__UNROLL(4) for (int d = 8; d > 0; d /= 2)
    TSR__UNROLL(8) for (int i = 0; i < 8; i++) lane[i] = i < d ? lane[i] + lane[i + d] : lane[i];
  return lane[0];
#elif CONTIGUOUS
  TSR__UNROLL(5) for (int d = GROUP / 2; d > 0; d /= 2)
    TSR__UNROLL(4) for (int c = 0; c < CHAINS; c++) chain[c] = chain[c] + exchanged(chain[c], d);
  TSR__UNROLL(2) for (int h = CHAINS / 2; h > 0; h /= 2)
    TSR__UNROLL(2) for (int c = 0; c < h; c++) chain[c] = chain[c] + chain[c + h];
  return chain[0];
#else
  TSR__UNROLL(2) for (int h = CHAINS / 2; h > 0; h /= 2)
    TSR__UNROLL(2) for (int c = 0; c < h; c++) chain[c] = chain[c] + chain[c + h];
  TSR__UNROLL(5) for (int d = GROUP / 2; d > 0; d /= 2) chain[0] = chain[0] + exchanged(chain[0], d);
  return chain[0];
#endif
}

/* step(lane, element) over every element of the row. */
template <class fn> static __device__ inline C added(const C *v, int n, int t, fn step) {
#if WHOLE
  C lane[16];
  TSR__UNROLL(16) for (int k = 0; k < WHOLE; k++) lane[k] = step((C)0, v[k]);
  (void)n, (void)t;
  return joined(lane);
#else
  C lane[CHAINS];
  TSR__UNROLL(4) for (int k = 0; k < CHAINS; k++) lane[k] = 0;
  TSR__UNROLL(64) for (int k = 0; k < EACH; k++)
    if (PADDED || has(k, t, n)) lane[k % CHAINS] = step(lane[k % CHAINS], v[k]);
  return joined(lane);
#endif
}

#if KIND == SOFTMAX || KIND == LOG_SOFTMAX
/* A row with NaN or an infinity above all is NaN. One block of elements is at most 4096, of which one is e^0: a quotient in C is the one
 * in f64, rounded. */
static __device__ inline void short_row(const row_args &s, C *v, int n, int t, int64_t) {
  C top = v[0];
  TSR__UNROLL(64) for (int k = 1; k < EACH; k++) top = greater(top, v[k]);
  TSR__UNROLL(5) for (int d = GROUP / 2; d > 0; d /= 2) top = greater(top, exchanged(top, d));
#if KIND == SOFTMAX
  TSR__UNROLL(64) for (int k = 0; k < EACH; k++) v[k] = PART(v[k] - top);
  C scale = (C)1 / added(v, n, t, [](C a, C e) { return a + e; });
  if (top - top != 0) scale = top - top;
  TSR__UNROLL(64) for (int k = 0; k < EACH; k++) v[k] = v[k] * scale;
#else
  C less = FN(tsr__log)(added(v, n, t, [top](C a, C x) { return a + PART(x - top); }));
  if (top - top != 0) less = top - top;
  TSR__UNROLL(64) for (int k = 0; k < EACH; k++) v[k] = (v[k] - top) - less;
#endif
  (void)s;
}
#else
/* Elements k and so on, which are beside each other. */
static __device__ inline void short_normalised(const row_args &s, const normal &y, C *v, int n, int t, int64_t number) {
  TSR__UNROLL(64) for (int k = 0; k < EACH; k += WIDE)
    if (has(k, t, n)) normalised<WIDE>(s, y, element_of(k, t), v + k, number);
}

#if KIND == RMS
static __device__ inline void short_row(const row_args &s, C *v, int n, int t, int64_t number) {
  const double sum = 0 + (double)added(v, n, t, [](C a, C x) { return FN(tsr__fma)(x, x, a); });
  normal y;
  y.factor = (C)(1 / __builtin_sqrt(sum / (double)s.n + s.eps));
  short_normalised(s, y, v, n, t, number);
}
#else
/* The first 16 elements are in 16 / WIDE threads: joined by halves. */
static __device__ inline C first_pivot(const C *v, int n) {
  C w[WIDE];
  if (n < 16) return first_of(v[0]);
  TSR__UNROLL(4) for (int l = 0; l < WIDE; l++) w[l] = v[l];
  TSR__UNROLL(4) for (int d = 8; d > 0; d /= 2) {
    TSR__UNROLL(4) for (int l = 0; l < WIDE; l++)
      if (d >= WIDE)
        w[l] = w[l] + exchanged(w[l], d / WIDE);
      else if (l < d)
        w[l] = w[l] + w[l + d < WIDE ? l + d : l];
  }
  return first_of(w[0]) / 16;
}

static __device__ inline void short_row(const row_args &s, C *v, int n, int t, int64_t number) {
  C pivot = first_pivot(v, n);
  double rest = 0, variance = 0;
  for (int round = 0; round < 2; round++) {
    const double sum = 0 + (double)added(v, n, t, [pivot](C a, C x) { return a + (x - pivot); });
    const double square = 0 + (double)added(v, n, t, [pivot](C a, C x) { return FN(tsr__fma)(x - pivot, x - pivot, a); });
    rest = sum / (double)s.n;
    variance = square / (double)s.n - rest * rest;
    const bool far = !(rest * rest <= 4 * variance);
    if (!__any_sync(~0u, far)) break; /* of a row of this warp: others do the same once more */
    if (far && round == 0) pivot = (C)((double)pivot + rest);
  }
  short_normalised(s, normal_of(s, pivot, rest, variance), v, n, t, number);
}
#endif
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
/* What is not there is below all others, and in a sum of exponentials 0. */
static __device__ inline C missing() { return PADDED ? -(C)__builtin_inff() : (C)0; }

static __device__ inline void load_row(const row_args &s, place_of x, C *v, int n, int t) {
  TSR__UNROLL(64) for (int k = 0; k < EACH; k += WIDE) {
    const int i = element_of(k, t);
#if MADE
    v[k] = has(k, t, n) ? made_one(s.made, made_next(s.made, x, i, s.rank, s.length)) : missing();
#else
    pack<T, WIDE> p;
    const bool there = has(k, t, n);
    if (there) p.load(UNIT ? x + i : x + i * s.step_x[0]);
    TSR__UNROLL(4) for (int l = 0; l < WIDE; l++) v[k + l] = there ? LOADED(p.v[l]) : missing();
#endif
  }
}

static __device__ inline void store_row(const row_args &s, T *out, const C *v, int n, int t) {
  TSR__UNROLL(64) for (int k = 0; k < EACH; k += WIDE) {
    const int i = element_of(k, t);
    pack<T, WIDE> p;
    TSR__UNROLL(4) for (int l = 0; l < WIDE; l++) p.v[l] = STORED(v[k + l]);
    if (has(k, t, n)) p.store(UNIT ? out + i : out + i * s.step_out[0]);
  }
}

extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT) tsr_rows(const __grid_constant__ row_args s) {
  const int64_t own = (int64_t)blockIdx.x * (THREADS / GROUP) + threadIdx.x / GROUP;
  const int64_t number = own < s.rows ? own : s.rows - 1; /* a whole warp takes part in every exchange */
  const int t = threadIdx.x % GROUP, n = (int)s.n;
  C v[EACH];
  load_row(s, begin(s, number), v, n, t);
  short_row(s, v, n, t, number);
  if (own < s.rows) store_row(s, s.out + placed(number, s.kept_rank, s.kept, s.kept_out), v, n, t);
}
#endif
