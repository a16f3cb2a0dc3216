/* Reductions in the order that ops/reduce/reduce.h states: element r belongs to block r / 1024 and there to lane r % 16; lanes add in
 * order, lanes and blocks are joined in pairs. What changes no value (NEUTRAL) stands for what is not there.
 *
 * Set before: T the type in memory, C what it is loaded to by LOADED(x), LANE what lanes are, VALUE what they become, NEUTRAL, STEP(a, x, p, r)
 * lane a after element x, which is number r, with param p, MERGE(a, b), FINISH(v, p) of a result, OUT and STORED(v) as it is stored, MANY_AXES 0 where the
 * elements of a result are evenly apart, PACKED 1 where they are contiguous, four at a time aligned; KERNEL which of them is
 * wanted: each is compiled alone; MADE 1 where elements are not in memory, but made of operands (kernels/made.cuh). Two passes in one
 * kernel: LANE2, VALUE2 and so on are those of the second, and STORED is of a VALUE2; ANY_ORDER 1 where the first has no order to keep. */
struct reduce_args {
  const T *x;
  OUT *out;
  VALUE *partial;     /* of pieces; NULL: results are stored. Of two passes in one kernel: doubles, the results of the first, or NULL */
  const double *param; /* of each output, or NULL */
  int64_t n, outputs;
  int64_t length[8], step[8];                     /* of the reduced axes, the fastest first */
  int64_t kept[8], step_x[8], step_out[8];        /* of the others */
  int rank, kept_rank;
  uint32_t pieces, rows_log;
  double count, over, power;
  uint64_t initial; /* the bytes of a value */
#if MADE
  made_args made;
#endif
};

static __device__ inline int64_t where_kept(const reduce_args &s, int64_t o, const int64_t *step) {
  int64_t at = 0;
  for (int d = 0; d < s.kept_rank; d++) {
    const int64_t q = d + 1 < s.kept_rank ? (((uint64_t)o | (uint64_t)s.kept[d]) >> 32 ? o / s.kept[d] : (int64_t)((uint32_t)o / (uint32_t)s.kept[d])) : 0;
    at += (o - q * s.kept[d]) * step[d];
    o = q;
  }
  return at;
}

static __device__ inline int64_t where_reduced(const reduce_args &s, int64_t r) {
#if MANY_AXES
  int64_t at = 0;
  for (int d = 0; d < s.rank; d++) {
    const int64_t q = d + 1 < s.rank ? (((uint64_t)r | (uint64_t)s.length[d]) >> 32 ? r / s.length[d] : (int64_t)((uint32_t)r / (uint32_t)s.length[d])) : 0;
    at += (r - q * s.length[d]) * s.step[d];
    r = q;
  }
  return at;
#else
  return r * s.step[0];
#endif
}

/* Where the elements of output o begin; element r of outputs beside each other; W of them, along the elements and along outputs: asked for,
 * and there once they have arrived. */
#if MADE
typedef made_at place_of;
static __device__ inline place_of begin(const reduce_args &s, int64_t o) { return made_from(s.made, o, s.kept_rank, s.kept); }
static __device__ inline made_at made_element(const reduce_args &s, const place_of &x, int64_t r) {
#if MANY_AXES
  return made_next(s.made, x, r, s.rank, s.length);
#else
  made_at a;
  TSR__UNROLL(16) for (int k = 0; k < MADE_OPERANDS; k++) a.at[k] = x.at[k] + r * s.made.inner[k][0];
  return a;
#endif
}
static __device__ inline T one(const reduce_args &s, const place_of &x, int64_t r, int beside) {
  return made_one(s.made, made_beside(s.made, made_element(s, x, r), beside));
}
#if PACKED
template <int W> struct several {
  made_pack<W> from;
  T all[W];
  __device__ T v(int l) const { return all[l]; }
  __device__ void along(const reduce_args &s, const place_of &x, int64_t r) { from.load(s.made, made_run(x, r)); }
  __device__ void across(const reduce_args &s, const place_of &x, int64_t r) { from.load(s.made, made_element(s, x, r)); }
  __device__ void arrive(const reduce_args &s) { from.make(s.made, all); }
};
#endif
#else
typedef const T *place_of;
static __device__ inline place_of begin(const reduce_args &s, int64_t o) { return s.x + where_kept(s, o, s.step_x); }
static __device__ inline T one(const reduce_args &s, place_of x, int64_t r, int beside) { return x[where_reduced(s, r) + beside]; }
#if PACKED
template <int W> struct several {
  pack<T, W> all;
  __device__ T v(int l) const { return all.v[l]; }
  __device__ void along(const reduce_args &, place_of x, int64_t r) { all.load(x + r); }
  __device__ void across(const reduce_args &s, place_of x, int64_t r) { all.load(x + where_reduced(s, r)); }
  __device__ void arrive(const reduce_args &) {}
};
#endif
#endif

/* Four lanes of a block, which is where first is: elements first + 16·i + 0 … 3. end: of the block or of all. */
struct lanes {
  LANE v[4];
};

template <class step_fn> static __device__ inline void add_lanes(const reduce_args &s, const place_of &x, int64_t first, int64_t end, lanes &a, step_fn step) {
  int64_t i = first;
#if PACKED
  for (; i + 16 * 3 + 4 <= end; i += 64) {
    several<4> p[4];
    TSR__UNROLL(4) for (int k = 0; k < 4; k++) p[k].along(s, x, i + 16 * k);
    TSR__UNROLL(4) for (int k = 0; k < 4; k++) {
      p[k].arrive(s);
      TSR__UNROLL(4) for (int l = 0; l < 4; l++) a.v[l] = step(a.v[l], p[k].v(l), i + 16 * k + l);
    }
  }
#endif
  for (; i < end; i += 16)
    TSR__UNROLL(4) for (int l = 0; l < 4; l++)
      if (i + l < end) a.v[l] = step(a.v[l], one(s, x, i + l, 0), i + l);
}

template <class V> static __device__ inline V shuffled(V v, int by) {
  union {
    V value;
    uint32_t word[(sizeof(V) + 3) / 4];
  } u;
  u.value = v;
  TSR__UNROLL(4) for (unsigned i = 0; i < (sizeof(V) + 3) / 4; i++) u.word[i] = __shfl_xor_sync(~0u, u.word[i], by);
  return u.value;
}

static __device__ inline VALUE joined(const lanes &a) {
  const VALUE low = MERGE((VALUE)a.v[0], (VALUE)a.v[1]), high = MERGE((VALUE)a.v[2], (VALUE)a.v[3]);
  return MERGE(low, high);
}

#if KERNEL != 5
static __device__ inline void put_result(const reduce_args &s, int64_t o, VALUE v) {
  const double p = s.param != NULL ? s.param[o] : s.power;
  v = FINISH(v, p);
#if INITIAL
  union {
    uint64_t bytes;
    VALUE value;
  } initial;
  initial.bytes = s.initial;
  v = MERGE(v, initial.value);
#endif
  s.out[where_kept(s, o, s.step_out)] = STORED(v);
  (void)p;
}
#endif

#if KERNEL == 0
#if TURNED
/* The 8 blocks of a warp, all of them whole, where elements are made of several operands: 512 bytes of one operand at a time, since 64 of
 * each in turn cost a quarter of the memory's rate. What is made is handed to the threads that have its lanes by way of shared memory. */
template <class step_fn> static __device__ inline void add_turned(const reduce_args &s, const place_of &x, int64_t start, lanes &a, step_fn step) {
  enum { AHEAD = 4, APART = 36 };
  struct alignas(4 * sizeof(T)) four {
    T v[4];
  };
  __shared__ four turned[8][8 * APART];
  const int lane = threadIdx.x % 32;
  four *const own = turned[threadIdx.x / 32];
  TSR__UNROLL_BY(1) for (int i = 0; i < 1024; i += 128) {
    TSR__UNROLL_BY(1) for (int h = 0; h < 8; h += AHEAD) {
      made_pack<4> p[AHEAD];
      TSR__UNROLL(4) for (int k = 0; k < AHEAD; k++) p[k].load(s.made, made_run(x, start + (h + k) * 1024 + i + lane * 4));
      TSR__UNROLL(4) for (int k = 0; k < AHEAD; k++) p[k].make(s.made, own[(h + k) * APART + lane].v);
    }
    __syncwarp();
    TSR__UNROLL(8) for (int r = 0; r < 8; r++) {
      const four e = own[lane / 4 * APART + r * 4 + lane % 4];
      TSR__UNROLL(4) for (int l = 0; l < 4; l++) a.v[l] = step(a.v[l], e.v[l], start + lane / 4 * 1024 + i + r * 16 + lane % 4 * 4 + l);
    }
    __syncwarp();
  }
}
#endif

/* An item is (output, piece of 8 << rows_log blocks): 4 threads are a block, a warp 8 of them, 1 << rows_log warps an item. */
extern "C" __global__ void __launch_bounds__(256) tsr_reduce_rows(const __grid_constant__ reduce_args s) {
  __shared__ VALUE part[8];
  const int w = threadIdx.x / 32, lane = threadIdx.x % 32, member = w & ((1 << s.rows_log) - 1);
  const int64_t item = (int64_t)blockIdx.x * (8u >> s.rows_log) + (w >> s.rows_log);
  const int64_t o = item / s.pieces, piece = item - o * s.pieces;
  const int64_t first = ((piece << s.rows_log) + member) * 8192 + (lane / 4) * 1024;
#if TURNED
  const int64_t end_of_warp = ((piece << s.rows_log) + member + 1) * 8192;
#endif
  lanes a;
  TSR__UNROLL(4) for (int l = 0; l < 4; l++) a.v[l] = NEUTRAL;
  if (o < s.outputs && first < s.n) {
    const double p = s.param != NULL ? s.param[o] : s.power;
    const int64_t end = first + 1024 < s.n ? first + 1024 : s.n;
    const auto step = [p](LANE at, T t, int64_t r) { (void)p, (void)r; return STEP(at, LOADED(t), p, r); };
#if TURNED
    if (end_of_warp <= s.n)
      add_turned(s, begin(s, o), end_of_warp - 8192, a, step);
    else
#endif
      add_lanes(s, begin(s, o), first + lane % 4 * 4, end, a, step);
  }
  VALUE v = joined(a);
  TSR__UNROLL(5) for (int d = 1; d < 32; d *= 2) v = MERGE(v, shuffled(v, d));
  if (lane == 0) part[w] = v;
  __syncthreads();
  if (lane != 0 || member != 0 || o >= s.outputs) return;
  for (int d = 1; d < 1 << s.rows_log; d *= 2)
    for (int i = 0; i < 1 << s.rows_log; i += 2 * d) part[w + i] = MERGE(part[w + i], part[w + i + d]);
  if (s.partial != NULL)
    s.partial[item] = part[w];
  else
    put_result(s, o, part[w]);
}
#endif

#if KERNEL == 1
/* Rows of at most a block: 4 threads a row, 8 rows a warp. */
extern "C" __global__ void __launch_bounds__(256) tsr_reduce_short(const __grid_constant__ reduce_args s) {
  const int64_t o = (int64_t)blockIdx.x * 64 + threadIdx.x / 4;
  lanes a;
  TSR__UNROLL(4) for (int l = 0; l < 4; l++) a.v[l] = NEUTRAL;
  if (o < s.outputs) {
    const double p = s.param != NULL ? s.param[o] : s.power;
    add_lanes(s, begin(s, o), threadIdx.x % 4 * 4, s.n, a,
              [p](LANE at, T t, int64_t r) { (void)p, (void)r; return STEP(at, LOADED(t), p, r); });
  }
  VALUE v = joined(a);
  v = MERGE(v, shuffled(v, 1));
  v = MERGE(v, shuffled(v, 2));
  if (o < s.outputs && threadIdx.x % 4 == 0) put_result(s, o, v);
}
#endif

#if KERNEL == 7
/* As many threads as there are lanes, for outputs that are few: 16 threads are a block of 1024, an item is (output, piece of 1 << rows_log
 * blocks). A thread's loads run ahead of what is done with them. */
extern "C" __global__ void __launch_bounds__(1024) tsr_reduce_lanes(const __grid_constant__ reduce_args s) {
  enum { AHEAD = 16 };
  __shared__ VALUE part[32];
  const int group = threadIdx.x / 16, lane = threadIdx.x % 16, member = group & ((1 << s.rows_log) - 1);
  const int64_t item = (int64_t)blockIdx.x * (blockDim.x / 16 >> s.rows_log) + (group >> s.rows_log);
  const int64_t o = item / s.pieces, piece = item - o * s.pieces;
  const int64_t first = ((piece << s.rows_log) + member) * 1024;
  LANE a = NEUTRAL;
  if (o < s.outputs && first < s.n) {
    const double p = s.param != NULL ? s.param[o] : s.power;
    const place_of x = begin(s, o);
    const int64_t end = first + 1024 < s.n ? first + 1024 : s.n;
    int64_t r = first + lane;
    for (; r + 16 * (AHEAD - 1) < end; r += 16 * AHEAD) {
      T t[AHEAD];
      TSR__UNROLL(16) for (int k = 0; k < AHEAD; k++) t[k] = one(s, x, r + 16 * k, 0);
      TSR__UNROLL(16) for (int k = 0; k < AHEAD; k++) a = STEP(a, LOADED(t[k]), p, r + 16 * k);
    }
    TSR__UNROLL_BY(4) for (; r < end; r += 16) a = STEP(a, LOADED(one(s, x, r, 0)), p, r);
    (void)p;
  }
  VALUE v = (VALUE)a;
  TSR__UNROLL(4) for (int d = 1; d < 16; d *= 2) v = MERGE(v, shuffled(v, d));
  if (s.rows_log > 0) {
    const VALUE other = shuffled(v, 16);
    v = MERGE(v, other);
  }
  if (s.rows_log > 1) {
    const int w = threadIdx.x / 32, warps = 1 << (s.rows_log - 1);
    if (threadIdx.x % 32 == 0) part[w] = v;
    __syncthreads();
    if (w % warps != 0) return;
    v = (int)threadIdx.x % 32 < warps ? part[w + threadIdx.x % 32] : (VALUE)NEUTRAL;
    for (int d = 1; d < warps; d *= 2) v = MERGE(v, shuffled(v, d));
  }
  if (lane != 0 || member != 0 || o >= s.outputs) return;
  if (s.partial != NULL)
    s.partial[item] = v;
  else
    put_result(s, o, v);
}
#endif

#if KERNEL == 2
/* The tree over pieces, whose values lie beside each other: 32 neighbours a thread, or where there are no more than threads one. */
extern "C" __global__ void __launch_bounds__(1024) tsr_reduce_tree(const __grid_constant__ reduce_args s) {
  __shared__ VALUE part[32];
  const int64_t o = blockIdx.x;
  const VALUE *const x = (const VALUE *)s.x + o * s.n;
  VALUE all;
  if (s.n <= blockDim.x) {
    all = threadIdx.x < s.n ? x[threadIdx.x] : (VALUE)NEUTRAL;
  } else {
    const int64_t first = ((int64_t)blockIdx.y * blockDim.x + threadIdx.x) * 32;
    VALUE v[32];
    TSR__UNROLL(32) for (int i = 0; i < 32; i++) v[i] = first + i < s.n ? x[first + i] : (VALUE)NEUTRAL;
    TSR__UNROLL(5) for (int d = 1; d < 32; d *= 2)
      TSR__UNROLL(32) for (int i = 0; i < 32; i += 2 * d) v[i] = MERGE(v[i], v[i + d]);
    all = v[0];
  }
  TSR__UNROLL(5) for (int d = 1; d < 32; d *= 2) all = MERGE(all, shuffled(all, d));
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = all;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  all = threadIdx.x < blockDim.x / 32 ? part[threadIdx.x] : (VALUE)NEUTRAL;
  TSR__UNROLL(5) for (int d = 1; d < 32; d *= 2) all = MERGE(all, shuffled(all, d));
  if (threadIdx.x != 0) return;
  if (s.partial != NULL)
    s.partial[o * gridDim.y + blockIdx.y] = all;
  else
    put_result(s, o, all);
}
#endif

#if KERNEL == 4
/* Along an axis that is not the fastest: a warp is a lane of the stated order, a thread WIDTH outputs beside each other; the kept axis 0
 * is contiguous in x. blockIdx.y is a block of 1024 elements, blockIdx.z the rest of the outputs. */
extern "C" __global__ void __launch_bounds__(512) tsr_reduce_columns(const __grid_constant__ reduce_args s) {
  __shared__ VALUE t[16][32][WIDTH];
  const int column = threadIdx.x % 32, lane = threadIdx.x / 32;
  const int64_t j = ((int64_t)blockIdx.x * 32 + column) * WIDTH, o = (int64_t)blockIdx.z * s.kept[0] + j;
  const int64_t first = (int64_t)blockIdx.y * 1024 + lane, end = (int64_t)blockIdx.y * 1024 + 1024 < s.n ? (int64_t)blockIdx.y * 1024 + 1024 : s.n;
  LANE a[WIDTH];
  double p[WIDTH];
  TSR__UNROLL(4) for (int k = 0; k < WIDTH; k++) {
    a[k] = NEUTRAL;
    p[k] = s.param != NULL && j + k < s.kept[0] ? s.param[o + k] : s.power;
  }
  if (j < s.kept[0]) {
    const place_of x = begin(s, o);
    int64_t r = first;
#if PACKED
    enum { AHEAD = 16 / WIDTH };
    for (; r + 16 * (AHEAD - 1) < end; r += 16 * AHEAD) {
      several<WIDTH> v[AHEAD];
      TSR__UNROLL(16) for (int k = 0; k < AHEAD; k++) v[k].across(s, x, r + 16 * k);
      TSR__UNROLL(16) for (int k = 0; k < AHEAD; k++) {
        v[k].arrive(s);
        TSR__UNROLL(4) for (int l = 0; l < WIDTH; l++) a[l] = STEP(a[l], LOADED(v[k].v(l)), p[l], r + 16 * k);
      }
    }
#endif
    for (; r < end; r += 16)
      TSR__UNROLL(4) for (int l = 0; l < WIDTH; l++)
        if (j + l < s.kept[0]) a[l] = STEP(a[l], LOADED(one(s, x, r, l)), p[l], r);
  }
  TSR__UNROLL(4) for (int k = 0; k < WIDTH; k++) t[lane][column][k] = (VALUE)a[k];
  for (int d = 1; d < 16; d *= 2) {
    __syncthreads();
    if (lane % (2 * d) == 0)
      TSR__UNROLL(4) for (int k = 0; k < WIDTH; k++) t[lane][column][k] = MERGE(t[lane][column][k], t[lane + d][column][k]);
  }
  if (lane != 0) return;
  for (int k = 0; k < WIDTH; k++) {
    if (j + k >= s.kept[0]) break;
    if (s.partial != NULL)
      s.partial[(int64_t)blockIdx.y * s.outputs + o + k] = t[0][column][k];
    else
      put_result(s, o + k, t[0][column][k]);
  }
}

#endif

#if KERNEL == 3
/* The tree over blocks of columns: partial values of all outputs, a row a block; a thread an output. */
extern "C" __global__ void __launch_bounds__(256) tsr_reduce_rest(const __grid_constant__ reduce_args s) {
  const int64_t o = (int64_t)blockIdx.x * 256 + threadIdx.x, first = (int64_t)blockIdx.y * 32;
  if (o >= s.outputs) return;
  VALUE v[32];
  TSR__UNROLL(32) for (int i = 0; i < 32; i++) v[i] = first + i < s.n ? ((const VALUE *)s.x)[(first + i) * s.outputs + o] : (VALUE)NEUTRAL;
  TSR__UNROLL(5) for (int d = 1; d < 32; d *= 2)
    TSR__UNROLL(32) for (int i = 0; i < 32; i += 2 * d) v[i] = MERGE(v[i], v[i + d]);
  if (s.partial != NULL)
    s.partial[(int64_t)blockIdx.y * s.outputs + o] = v[0];
  else
    put_result(s, o, v[0]);
}
#endif

#if KERNEL == 5
/* Two passes over rows that stay in shared memory, a block of threads a row: the results of the first are the params of the second. A
 * thread is a lane of a block of 1024 elements; blocks lie 1040 apart, so that two of a warp use other banks. */
extern __shared__ __align__(16) unsigned char memory[];

enum { BESIDE = 16 / sizeof(C), ROUND = 256 * BESIDE }; /* elements of a thread's pack; of a round of all threads */
struct alignas(16) beside {
  C v[BESIDE];
};

static __device__ inline uint32_t staged_at(uint32_t i) { return i / 1024 * 1040 + i % 1024; }

/* What is done with every element i and its place: packs of them, in full rounds as many as there are, and then single ones. */
template <class pack_fn, class one_fn> static __device__ inline void all_of(uint32_t n, pack_fn of_pack, one_fn of_one) {
  enum { ROUNDS = 16 };
  int64_t pack = threadIdx.x * BESIDE, at = pack, left = (int64_t)n - pack - BESIDE; /* sums of these and constants are no work */
  for (; left >= (ROUNDS - 1) * ROUND; left -= ROUNDS * ROUND, pack += ROUNDS * ROUND, at += ROUNDS * ROUND / 1024 * 1040)
    TSR__UNROLL(16) for (int k = 0; k < ROUNDS; k++) of_pack(pack + k * ROUND, at + k * ROUND / 1024 * 1040 + k * ROUND % 1024);
  TSR__UNROLL_BY(4) for (; left >= 0; left -= ROUND, pack += ROUND) of_pack(pack, staged_at((uint32_t)pack));
  for (uint32_t i = n / BESIDE * BESIDE + threadIdx.x; i < n; i += 256) of_one(i, staged_at(i));
}

static __device__ inline void stage(const reduce_args &s, C *row, uint32_t n) {
  const place_of x = begin(s, blockIdx.x);
#if COPIED
  all_of(n, [row, x](int64_t i, int64_t at) { tsr__copy_async(row + at, x + i); },
         [row, x](int64_t i, int64_t at) { row[at] = LOADED(x[i]); });
  tsr__copy_wait();
#elif PACKED
  TSR__UNROLL_BY(4) for (uint32_t i = threadIdx.x * 4; i + 4 <= n; i += 1024) {
    several<4> p;
    p.along(s, x, i);
    p.arrive(s);
    TSR__UNROLL(4) for (int l = 0; l < 4; l++) row[staged_at(i) + l] = LOADED(p.v(l));
  }
  for (uint32_t i = n / 4 * 4 + threadIdx.x; i < n; i += 256) row[staged_at(i)] = LOADED(one(s, x, i, 0));
#else
  TSR__UNROLL_BY(4) for (uint32_t i = threadIdx.x; i < n; i += 256) row[staged_at(i)] = LOADED(one(s, x, i, 0));
#endif
  __syncthreads();
}

/* The stated order: blocks of 16 lanes, and their values in pairs. */
template <class L, class V, class step_fn, class merge_fn>
static __device__ inline V in_order(const C *row, uint32_t n, V *values, V neutral, step_fn step, merge_fn merge) {
  const int lane = threadIdx.x % 16, blocks = (int)((n + 1023) / 1024);
  if (threadIdx.x < 64) values[threadIdx.x] = neutral;
  __syncthreads();
  for (int first = 0; first < blocks; first += 16) {
    const int b = first + threadIdx.x / 16, left = (int)n - b * 1024;
    const C *const x = row + b * 1040 + lane;
    L a = (L)neutral;
    if (left >= 1024) {
      TSR__UNROLL_BY(16) for (int i = 0; i < 1024; i += 16) a = step(a, x[i]);
    } else {
      for (int i = 0; i < left - lane; i += 16) a = step(a, x[i]);
    }
    V v = (V)a;
    TSR__UNROLL(4) for (int d = 1; d < 16; d *= 2) v = merge(v, shuffled(v, d));
    if (lane == 0 && left > 0) values[b] = v;
  }
  __syncthreads();
  V v = values[threadIdx.x % 32];
  TSR__UNROLL(5) for (int d = 1; d < 32; d *= 2) v = merge(v, shuffled(v, d));
  if (blocks > 32) {
    V high = values[threadIdx.x % 32 + 32];
    TSR__UNROLL(5) for (int d = 1; d < 32; d *= 2) high = merge(high, shuffled(high, d));
    v = merge(v, high);
  }
  return v;
}

#if ANY_ORDER
/* A fold whose lanes are values, and whose result is the same in any order: packs, as threads find them. */
static __device__ inline VALUE first_pass(const C *row, uint32_t n, VALUE *values) {
  LANE a = NEUTRAL;
  all_of(n,
         [row, &a](int64_t, int64_t at) {
           const beside p = *(const beside *)(row + at);
           TSR__UNROLL(4) for (int l = 0; l < BESIDE; l++) a = STEP(a, p.v[l], 0.0, 0);
         },
         [row, &a](int64_t, int64_t at) { a = STEP(a, row[at], 0.0, 0); });
  VALUE v = (VALUE)a;
  TSR__UNROLL(5) for (int d = 1; d < 32; d *= 2) v = MERGE(v, shuffled(v, d));
  if (threadIdx.x % 32 == 0) values[threadIdx.x / 32] = v;
  __syncthreads();
  v = values[threadIdx.x % 8];
  TSR__UNROLL(3) for (int d = 1; d < 8; d *= 2) v = MERGE(v, shuffled(v, d));
  return v;
}
#else
static __device__ inline VALUE first_pass(const C *row, uint32_t n, VALUE *values) {
  return in_order<LANE, VALUE>(row, n, values, (VALUE)NEUTRAL, [](LANE a, C e) { return STEP(a, e, 0.0, 0); },
                               [](VALUE a, VALUE b) { return MERGE(a, b); });
}
#endif

extern "C" __global__ void __launch_bounds__(256) tsr_reduce_staged(const __grid_constant__ reduce_args s) {
  __shared__ VALUE values[64];
  __shared__ VALUE2 values2[64];
  C *const row = (C *)memory;
  const uint32_t n = (uint32_t)s.n;
  stage(s, row, n);
  const VALUE first = first_pass(row, n, values);
  const double p = FINISH(first, 0.0);
  const VALUE2 v = in_order<LANE2, VALUE2>(row, n, values2, (VALUE2)NEUTRAL2, [p](LANE2 a, C e) { (void)p; return STEP2(a, e, p, 0); },
                                           [](VALUE2 a, VALUE2 b) { return MERGE2(a, b); });
  if (threadIdx.x != 0) return;
  if (s.partial != NULL) ((double *)s.partial)[blockIdx.x] = p;
  s.out[where_kept(s, blockIdx.x, s.step_out)] = STORED(FINISH2(v, p));
}
#endif

#if KERNEL == 6
/* Rows of at most 16 elements (WHOLE: how many) that lie one behind the other: a thread a row, by way of shared memory, so that neighbours
 * read neighbours. Every element is a lane. */
extern "C" __global__ void __launch_bounds__(128) tsr_reduce_tiny(const __grid_constant__ reduce_args s) {
  enum { APART = WHOLE | 1 }; /* odd: neighbours use other banks */
  __shared__ T kept[128 * APART];
  const int64_t first = (int64_t)blockIdx.x * 128, o = first + threadIdx.x;
  const unsigned rows = s.outputs - first < 128 ? (unsigned)(s.outputs - first) : 128u;
  const T *const x = s.x + first * WHOLE;
  TSR__UNROLL(16) for (unsigned k = 0; k < WHOLE; k++) {
    const unsigned i = threadIdx.x + k * 128;
    if (i < rows * WHOLE) kept[i / WHOLE * APART + i % WHOLE] = x[i];
  }
  __syncthreads();
  if (threadIdx.x >= rows) return;
  const double p = s.param != NULL ? s.param[o] : s.power;
  VALUE v[16];
  TSR__UNROLL(16) for (int l = 0; l < 16; l++) {
    LANE a = NEUTRAL;
    if (l < WHOLE) a = STEP(a, LOADED(kept[threadIdx.x * APART + (l < WHOLE ? l : 0)]), p, l);
    v[l] = (VALUE)a;
  }
  TSR__UNROLL(4) for (int d = 1; d < 16; d *= 2)
    TSR__UNROLL(16) for (int i = 0; i < 16; i += 2 * d) v[i] = MERGE(v[i], v[i + d]);
  (void)p;
  put_result(s, o, v[0]);
}
#endif
