/* Rows of which each is a block of threads, or a number of them: see rows.cuh. Elements go through registers WIDE at a time. MEMBERS threads of a warp have the
 * chains of a block of elements, CHAINS each. */
enum {
  WIDE = CONTIGUOUS ? 4 : 1,
  STEP = THREADS * WIDE,
  AHEAD = 4, /* packs of a thread that are read before the first of them is used */
  MEMBERS = LANES < 32 ? LANES : 32,
  CHAINS = LANES / MEMBERS,
  AT_ONCE = THREADS / MEMBERS, /* blocks of elements */
  WARPS = THREADS / 32,
  PASSED = 1024 /* sums of blocks that are in shared memory at a time */
};
typedef pack<C, WIDE> some;

#if STAGED
typedef uint32_t position;
#else
typedef int64_t position;
#endif

/* What threads tell each other. */
struct told {
  C top[WARPS], sums[2][AT_ONCE];
  normal y;
  bool again;
#if COPIED
  uint64_t gate;
#endif
#if PHASE == JOIN_SUMS
  C passed[PASSED];
#endif
};

struct row {
  place_of x;
  T *out;
  C *kept; /* in shared memory */
  int64_t number, first, last; /* elements first to last are this block's */
};

/* Where element i is in shared memory, of which a block of elements takes a little more than its size: two blocks use other banks. */
static __device__ inline constexpr uint32_t kept_at(uint32_t i) { return i / BLOCK * APART + i % BLOCK; }

/* Elements from i on, from where they came. */
static __device__ inline C given_one(const row_args &s, const row &r, int64_t i) {
#if MADE
  return made_one(s.made, made_next(s.made, r.x, i, s.rank, s.length));
#elif CONTIGUOUS
  return LOADED(r.x[i]);
#else
  return LOADED(r.x[placed(i, s.rank, s.length, s.step_x)]);
#endif
}
/* WIDE elements from i on: asked for, and there once they have arrived. */
struct arriving {
#if !CONTIGUOUS
  C v;
  __device__ void ask(const row_args &s, const row &r, int64_t i) { v = given_one(s, r, i); }
#elif MADE
  made_pack<WIDE> v;
  __device__ void ask(const row_args &s, const row &r, int64_t i) { v.load(s.made, made_run(r.x, i)); }
#else
  pack<T, WIDE> v;
  __device__ void ask(const row_args &, const row &r, int64_t i) { v.load(r.x + i); }
#endif
  __device__ some arrived(const row_args &s) const {
    some c;
#if !CONTIGUOUS
    c.v[0] = v;
#elif MADE
    v.make(s.made, c.v);
#else
    TSR__UNROLL(4) for (int l = 0; l < WIDE; l++) c.v[l] = LOADED(v.v[l]);
#endif
    return c;
  }
};

static __device__ inline void put(const row_args &s, const row &r, int64_t i, const some &v) {
#if CONTIGUOUS
  pack<T, WIDE> p;
  TSR__UNROLL(4) for (int l = 0; l < WIDE; l++) p.v[l] = STORED(v.v[l]);
  p.store(r.out + i);
#else
  r.out[placed(i, s.rank, s.length, s.step_out)] = STORED(v.v[0]);
#endif
}

/* what(i, elements, where they stay) for all elements, each time by the same thread: those that stay, or as they came. */
template <bool STAYED, class fn> static __device__ inline void each(const row_args &s, const row &r, fn what) {
  const position n = (position)r.last;
  position i = (position)r.first + threadIdx.x * WIDE;
  for (; i + (AHEAD - 1) * STEP < n; i += AHEAD * STEP) {
    C *const at = STAGED ? r.kept + kept_at((uint32_t)i) : NULL; /* a multiple of AHEAD * STEP, and less than STEP */
    if (STAYED) {
      some v[AHEAD];
      TSR__UNROLL(4) for (int k = 0; k < AHEAD; k++) v[k] = *(const some *)(at + kept_at(k * STEP));
      TSR__UNROLL(4) for (int k = 0; k < AHEAD; k++) what(i + k * STEP, v[k], STAGED ? at + kept_at(k * STEP) : NULL);
    } else {
      arriving v[AHEAD];
      TSR__UNROLL(4) for (int k = 0; k < AHEAD; k++) v[k].ask(s, r, i + k * STEP);
      TSR__UNROLL(4) for (int k = 0; k < AHEAD; k++) {
        some e = v[k].arrived(s);
        what(i + k * STEP, e, STAGED ? at + kept_at(k * STEP) : NULL);
      }
    }
  }
  TSR__UNROLL_BY(1) for (; i < n; i += STEP) {
    C *const at = STAGED ? r.kept + kept_at((uint32_t)i) : NULL;
    arriving v;
    if (!STAYED) v.ask(s, r, i);
    some e = STAYED ? *(const some *)at : v.arrived(s);
    what(i, e, at);
  }
}

/* Brings the row to where it stays; seen(elements) for all of them. */
template <class fn> static __device__ inline void stage(const row_args &s, const row &r, told &m, fn seen) {
#if COPIED && __CUDA_ARCH__ >= 900
  const uint32_t n = (uint32_t)s.n;
  if (threadIdx.x == 0) {
    tsr__gate_expect(&m.gate, n * (uint32_t)sizeof(C));
    TSR__UNROLL_BY(1) for (uint32_t i = 0; i < n; i += BLOCK)
      tsr__copy_bulk(r.kept + kept_at(i), r.x + i, (n - i < BLOCK ? n - i : BLOCK) * (uint32_t)sizeof(C), &m.gate);
  }
  tsr__gate_wait(&m.gate, (uint32_t)(r.number / gridDim.x) & 1);
  each<true>(s, r, [&](position, const some &v, C *) { seen(v); });
#elif COPIED
  const uint32_t n = (uint32_t)s.n;
  for (uint32_t i = threadIdx.x * (16 / sizeof(C)); i < n; i += THREADS * (16 / sizeof(C))) tsr__copy_async(r.kept + kept_at(i), r.x + i);
  tsr__copy_wait();
  __syncthreads();
  each<true>(s, r, [&](position, const some &v, C *) { seen(v); });
#elif STAGED
  each<false>(s, r, [&](position, const some &v, C *to) {
    *(some *)to = v;
    seen(v);
  });
#else
  each<false>(s, r, [&](position, const some &v, C *) { seen(v); });
#endif
  (void)m;
}

/* value(i, elements) of all elements is what the row becomes. */
template <bool STAYED, class fn> static __device__ inline void write(const row_args &s, const row &r, fn value) {
  each<STAYED>(s, r, [&](position i, some &v, C *) {
    value(i, v);
    put(s, r, i, v);
  });
}

/* Elements first, first + MEMBERS and so on of a block that begins at start: a thread's. */
struct lane_source {
  const row_args &s;
  const row &r;
  const C *kept;
  int64_t first;
  __device__ inline C operator()(uint32_t k) const {
#if STAGED
    return kept[k * MEMBERS];
#else
    return given_one(s, r, first + k * MEMBERS);
#endif
  }
};

/* step(chain, element) over the elements of this thread's chains in the block that begins at start, in order; some are read while
 * those before them are added. */
template <class fn> static __device__ inline void each_of_chains(const row_args &s, const row &r, int64_t start, fn step) {
  enum { BATCH = 8 };
  if (start >= s.n) return;
  const uint32_t member = threadIdx.x % MEMBERS, count = s.n - start < BLOCK ? (uint32_t)(s.n - start) : BLOCK;
  const uint32_t whole = count / (MEMBERS * BATCH) * BATCH, rest = count - whole * MEMBERS;
  const lane_source x = {s, r, STAGED ? r.kept + kept_at((uint32_t)start) + member : NULL, start + member};
  if (whole > 0) {
    C now[BATCH], next[BATCH];
    TSR__UNROLL(8) for (uint32_t j = 0; j < BATCH; j++) now[j] = x(j);
    TSR__UNROLL_BY(2) for (uint32_t k = BATCH; k < whole; k += BATCH) {
      TSR__UNROLL(8) for (uint32_t j = 0; j < BATCH; j++) next[j] = x(k + j);
      TSR__UNROLL(8) for (uint32_t j = 0; j < BATCH; j++) step(j % CHAINS, now[j]);
      TSR__UNROLL(8) for (uint32_t j = 0; j < BATCH; j++) now[j] = next[j];
    }
    TSR__UNROLL(8) for (uint32_t j = 0; j < BATCH; j++) step(j % CHAINS, now[j]);
  }
  TSR__UNROLL(8) for (uint32_t j = 0; j < BATCH; j++)
    if (j * MEMBERS + member < rest) step(j % CHAINS, x(whole + j));
}

/* SUMS sums of a block of elements, of what step(the sums of a chain, element) makes of chains; of all threads that have it. */
template <int SUMS, class fn> static __device__ inline void block_sums(const row_args &s, const row &r, int64_t start, C *sums, fn step) {
  C lane[CHAINS][SUMS];
  TSR__UNROLL(2) for (int c = 0; c < CHAINS; c++)
    TSR__UNROLL(2) for (int k = 0; k < SUMS; k++) lane[c][k] = 0;
  each_of_chains(s, r, start, [&](uint32_t c, C x) { step(lane[c], x); });
  TSR__UNROLL(2) for (int k = 0; k < SUMS; k++) {
    sums[k] = CHAINS == 2 ? lane[0][k] + lane[CHAINS - 1][k] : lane[0][k];
    TSR__UNROLL(5) for (int d = MEMBERS / 2; d > 0; d /= 2) sums[k] = sums[k] + exchanged(sums[k], d);
  }
}

#if PHASE == WHOLE_ROW
/* Those of all blocks, added one after another; of thread 0 alone. */
template <int SUMS, class fn> static __device__ inline void totals(const row_args &s, const row &r, told &m, double *all, fn step) {
  TSR__UNROLL(2) for (int k = 0; k < SUMS; k++) all[k] = 0;
  for (int64_t first = 0; first < s.n; first += (int64_t)AT_ONCE * BLOCK) {
    C sums[SUMS];
    block_sums<SUMS>(s, r, first + (int64_t)(threadIdx.x / MEMBERS) * BLOCK, sums, step);
    TSR__UNROLL(2) for (int k = 0; k < SUMS; k++)
      if (threadIdx.x % MEMBERS == 0) m.sums[k][threadIdx.x / MEMBERS] = sums[k];
    __syncthreads();
    if (threadIdx.x == 0)
      TSR__UNROLL_BY(1) for (int b = 0; b < AT_ONCE && first + (int64_t)b * BLOCK < s.n; b++)
        TSR__UNROLL(2) for (int k = 0; k < SUMS; k++) all[k] += (double)m.sums[k][b];
    if (first + (int64_t)AT_ONCE * BLOCK < s.n) __syncthreads();
  }
}
#else
/* Those of the blocks of this piece, to where the sums of all are: one set behind the other. */
template <int SUMS, class fn> static __device__ inline void totals(const row_args &s, const row &r, told &, double *, fn step) {
  const int64_t blocks = (s.n + BLOCK - 1) / BLOCK, own = r.first / BLOCK + threadIdx.x / MEMBERS;
  C sums[SUMS];
  block_sums<SUMS>(s, r, own * BLOCK, sums, step);
  if (threadIdx.x % MEMBERS == 0 && own < blocks)
    TSR__UNROLL(2) for (int k = 0; k < SUMS; k++) s.sums[(r.number * 2 + k) * blocks + own] = sums[k];
}

#if PHASE == JOIN_SUMS
/* The sums that all pieces have left are added one after another; of thread 0 alone. */
static __device__ inline double joined_sums(const row_args &s, const row &r, told &m, int k) {
  const int64_t blocks = (s.n + BLOCK - 1) / BLOCK;
  const C *const sums = s.sums + (r.number * 2 + k) * blocks;
  double all = 0;
  for (int64_t first = 0; first < blocks; first += PASSED) {
    const int count = blocks - first < PASSED ? (int)(blocks - first) : PASSED;
    for (int i = threadIdx.x; i < PASSED; i += THREADS) m.passed[i] = i < count ? sums[first + i] : (C)0;
    __syncthreads();
    if (threadIdx.x == 0)
      TSR__UNROLL_BY(1) for (int b = 0; b < count; b += 16) /* 0 changes no sum, which is never -0 */
        TSR__UNROLL(16) for (int j = 0; j < 16; j++) all += (double)m.passed[b + j];
    __syncthreads();
  }
  return all;
}
#endif
#endif

#if KIND == SOFTMAX || KIND == LOG_SOFTMAX
static __device__ inline C joined_peak(C top, told &m) {
  TSR__UNROLL(5) for (int d = 16; d > 0; d /= 2) top = greater(top, exchanged(top, d));
  if (threadIdx.x % 32 == 0) m.top[threadIdx.x / 32] = top;
  __syncthreads();
  top = m.top[threadIdx.x % WARPS];
  TSR__UNROLL(5) for (int d = WARPS / 2; d > 0; d /= 2) top = greater(top, exchanged(top, d));
  return top;
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

static __device__ inline C peak(const row_args &s, const row &r, told &m) {
  C top = -(C)__builtin_inff();
  stage(s, r, m, [&](const some &v) { TSR__UNROLL(4) for (int l = 0; l < WIDE; l++) top = greater(top, v.v[l]); });
  return joined_peak(top, m);
}

/* The last step: e^(x - top) times the factor, or (x - top) less it. */
static __device__ inline void finish(const row_args &s, const row &r, C top, C factor) {
#if KIND == LOG_SOFTMAX
  write<false>(s, r, [=](position, some &v) { TSR__UNROLL(4) for (int l = 0; l < WIDE; l++) v.v[l] = (v.v[l] - top) - factor; });
#elif STAGED
  write<true>(s, r, [=](position, some &v) { TSR__UNROLL(4) for (int l = 0; l < WIDE; l++) v.v[l] = v.v[l] * factor; });
#else
  write<false>(s, r, [=](position, some &v) { TSR__UNROLL(4) for (int l = 0; l < WIDE; l++) v.v[l] = PART(v.v[l] - top) * factor; });
#endif
}

#if PHASE == WHOLE_ROW
static __device__ inline void normalise(const row_args &s, const row &r, told &m) {
  const C top = peak(s, r, m);
  double sum;
#if STAGED
  each<true>(s, r, [&](position, some &v, C *to) {
    TSR__UNROLL(4) for (int l = 0; l < WIDE; l++) v.v[l] = PART(v.v[l] - top);
    *(some *)to = v;
  });
  __syncthreads();
  totals<1>(s, r, m, &sum, [](C *a, C e) { a[0] = a[0] + e; });
#else
  totals<1>(s, r, m, &sum, [top](C *a, C x) { a[0] = a[0] + PART(x - top); });
#endif
  if (threadIdx.x == 0) m.y.factor = factor_of(top, sum);
  __syncthreads();
  finish(s, r, top, m.y.factor);
}
#else
/* The greatest of all pieces. */
static __device__ inline C peak_of_pieces(const row_args &s, const row &r, told &m) {
  C top = -(C)__builtin_inff();
  TSR__UNROLL_BY(4) for (int64_t i = threadIdx.x; i < s.pieces; i += THREADS) top = greater(top, s.tops[r.number * s.pieces + i]);
  return joined_peak(top, m);
}

static __device__ inline void normalise(const row_args &s, const row &r, told &m) {
#if PHASE == FIND_TOPS
  const C top = peak(s, r, m);
  if (threadIdx.x == 0) s.tops[blockIdx.x] = top;
#elif PHASE == FIND_SUMS
  const C top = peak_of_pieces(s, r, m);
  totals<1>(s, r, m, NULL, [top](C *a, C x) { a[0] = a[0] + PART(x - top); });
#elif PHASE == JOIN_SUMS
  const C top = peak_of_pieces(s, r, m);
  const double sum = joined_sums(s, r, m, 0);
  if (threadIdx.x == 0) s.found[r.number].y.pivot = top, s.found[r.number].y.factor = factor_of(top, sum);
#else
  finish(s, r, s.found[r.number].y.pivot, s.found[r.number].y.factor);
#endif
}
#endif
#else
#if KIND == RMS
static __device__ inline void add_up(const row_args &s, const row &r, told &m, C, double *all) {
  totals<1>(s, r, m, all, [](C *a, C x) { a[0] = FN(tsr__fma)(x, x, a[0]); });
}
static __device__ inline C first_pivot(const row_args &, const row &) { return 0; }
static __device__ inline bool conclude(const row_args &s, C, const double *all, bool, normal *y) {
  y->factor = (C)(1 / __builtin_sqrt(all[0] / (double)s.n + s.eps));
  y->pivot = y->add = 0;
  return false;
}
#else
static __device__ inline void add_up(const row_args &s, const row &r, told &m, C pivot, double *all) {
  totals<2>(s, r, m, all, [pivot](C *a, C x) {
    const C d = x - pivot;
    a[0] += d;
    a[1] = FN(tsr__fma)(d, d, a[1]);
  });
}

static __device__ inline C first_pivot(const row_args &s, const row &r) {
  C a[16];
  if (s.n <= (int64_t)(threadIdx.x / MEMBERS) * BLOCK) return 0; /* a thread without a chain */
  if (s.n < 16) return STAGED ? r.kept[0] : given_one(s, r, 0);
  TSR__UNROLL(16) for (int i = 0; i < 16; i++) a[i] = STAGED ? r.kept[i] : given_one(s, r, i);
  TSR__UNROLL(16) for (int i = 0; i < 8; i++) a[i] += a[i + 8];
  TSR__UNROLL(16) for (int i = 0; i < 4; i++) a[i] += a[i + 4];
  return ((a[0] + a[2]) + (a[1] + a[3])) / 16;
}

/* From the sums around a pivot; true: it turned out to be far from the mean, and they are to be taken once more around that. */
static __device__ inline bool conclude(const row_args &s, C pivot, const double *all, bool last, normal *y) {
  const double rest = all[0] / (double)s.n, variance = all[1] / (double)s.n - rest * rest;
  const bool again = !last && !(rest * rest <= 4 * variance);
  *y = normal_of(s, again ? (C)((double)pivot + rest) : pivot, rest, variance);
  return again;
}
#endif

static __device__ inline void finish(const row_args &s, const row &r, const normal &y) {
  write<STAGED>(s, r, [&](position i, some &v) { normalised<WIDE>(s, y, i, v.v, r.number); });
}

#if PHASE == WHOLE_ROW
static __device__ inline void normalise(const row_args &s, const row &r, told &m) {
#if STAGED
  stage(s, r, m, [](const some &) {});
#if !COPIED
  __syncthreads();
#endif
#endif
  C pivot = first_pivot(s, r);
  for (bool last = false;; last = true) {
    double all[2];
    add_up(s, r, m, pivot, all);
    if (threadIdx.x == 0) m.again = conclude(s, pivot, all, last, &m.y);
    __syncthreads();
    if (!m.again) break;
    pivot = m.y.pivot;
  }
  finish(s, r, m.y);
}
#else
static __device__ inline void normalise(const row_args &s, const row &r, told &m) {
#if PHASE == WRITE_ROW
  finish(s, r, s.found[r.number].y);
#else
  found &f = s.found[r.number];
  if (s.round > 0 && !f.again) return;
  const C pivot = s.round > 0 ? f.y.pivot : first_pivot(s, r);
#if PHASE == FIND_SUMS
  add_up(s, r, m, pivot, NULL);
#else
  double all[2] = {joined_sums(s, r, m, 0), KIND == RMS ? 0 : joined_sums(s, r, m, 1)};
  if (threadIdx.x == 0) f.again = conclude(s, pivot, all, s.round > 0, &f.y);
#endif
#endif
  (void)m;
}
#endif
#endif

static __device__ inline void begin_row(const row_args &s, int64_t number, row &r) {
  r.x = begin(s, number);
  r.out = s.out + placed(number, s.kept_rank, s.kept, s.kept_out);
  r.kept = (C *)memory;
  r.number = number;
  r.first = 0;
  r.last = s.n;
}

#if PHASE == WHOLE_ROW
extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT) tsr_rows(const __grid_constant__ row_args s) {
  __shared__ told m;
#if COPIED && __CUDA_ARCH__ >= 900
  if (threadIdx.x == 0) tsr__gate_open(&m.gate);
  __syncthreads();
#endif
  for (int64_t number = blockIdx.x; number < s.rows; number += gridDim.x) {
    row r;
    begin_row(s, number, r);
    normalise(s, r, m);
#if COPIED && __CUDA_ARCH__ >= 900
    tsr__gate_again();
#endif
    __syncthreads();
  }
}
#else
/* A block of threads has a piece; where sums are joined, a row. */
extern "C" __global__ void __launch_bounds__(THREADS) tsr_rows(const __grid_constant__ row_args s) {
  __shared__ told m;
  const uint32_t pieces = PHASE == JOIN_SUMS ? 1 : (uint32_t)s.pieces, number = blockIdx.x / pieces;
  row r;
  begin_row(s, number, r);
  if (PHASE != JOIN_SUMS) {
    r.first = (int64_t)(blockIdx.x - number * pieces) * AT_ONCE * BLOCK;
    r.last = r.first + AT_ONCE * BLOCK < s.n ? r.first + AT_ONCE * BLOCK : s.n;
  }
  normalise(s, r, m);
}
#endif
