/* Rows that are normalised together: softmax, log_softmax, layer_norm, rms_norm, group_norm, in the orders that nn/softmax/softmax.h and
 * nn/norm/norm.h state: element i is in block i / 4096 and there in lane i % LANES; lanes are joined by halves, blocks one after another in
 * f64. A block of threads is a row. STAGED: the row stays in shared memory, all threads do its elements, few its chains of sums; else it
 * is read as often as it is needed.
 *
 * Set before: T the type in memory, C the compute type, LOADED(t), STORED(c); LANES; THREADS; CONTIGUOUS where a row is, in x and out,
 * aligned packs of 4; SOFTMAX 1, LOG_SOFTMAX, LAYER, RMS, GROUP as KIND; SCALED and BIASED. */
#define SOFTMAX 0
#define LOG_SOFTMAX 1
#define LAYER 2
#define RMS 3
#define GROUP 4
enum { BLOCK = 4096, APART = BLOCK + 16, AT_ONCE = THREADS / LANES };

struct row_args {
  const T *x;
  T *out;
  const C *scale, *bias;
  int64_t n, rows, run, channels, groups;
  int64_t length[8], step_x[8], step_out[8];
  int64_t kept[8], kept_x[8], kept_out[8];
  int rank, kept_rank;
  double eps;
};

extern __shared__ __align__(16) unsigned char memory[];

static __device__ inline int64_t placed(int64_t i, int rank, const int64_t *length, const int64_t *step) {
  int64_t at = 0;
  for (int d = 0; d < rank; d++) {
    const int64_t q = d + 1 < rank ? i / length[d] : 0;
    at += (i - q * length[d]) * step[d];
    i = q;
  }
  return at;
}

struct row {
  const T *x;
  T *out;
  C *kept; /* in shared memory */
};

static __device__ inline C element(const row_args &s, const row &r, int64_t i) {
#if STAGED
  return r.kept[i / BLOCK * APART + i % BLOCK];
#elif CONTIGUOUS
  return LOADED(r.x[i]);
#else
  return LOADED(r.x[placed(i, s.rank, s.length, s.step_x)]);
#endif
}

static __device__ inline C again(const row_args &s, const row &r, int64_t i) {
#if CONTIGUOUS
  return LOADED(r.x[i]);
#else
  return LOADED(r.x[placed(i, s.rank, s.length, s.step_x)]);
#endif
}

static __device__ inline void put(const row_args &s, const row &r, int64_t i, C value) {
#if CONTIGUOUS
  r.out[i] = STORED(value);
#else
  r.out[placed(i, s.rank, s.length, s.step_out)] = STORED(value);
#endif
}

#if STAGED
static __device__ inline void stage(const row_args &s, const row &r) {
#if CONTIGUOUS
  TSR__UNROLL(4) for (int64_t i = threadIdx.x * 4; i < s.n; i += THREADS * 4) {
    pack<T, 4> p;
    p.load(r.x + i);
    TSR__UNROLL(4) for (int l = 0; l < 4; l++) r.kept[i / BLOCK * APART + i % BLOCK + l] = LOADED(p.v[l]);
  }
#else
  for (int64_t i = threadIdx.x; i < s.n; i += THREADS) r.kept[i / BLOCK * APART + i % BLOCK] = again(s, r, i);
#endif
  __syncthreads();
}
#endif

/* value(i, element) for every element; the last step of all of them. */
template <class fn> static __device__ inline void write(const row_args &s, const row &r, fn value) {
#if CONTIGUOUS && STAGED
  TSR__UNROLL(4) for (int64_t i = threadIdx.x * 4; i < s.n; i += THREADS * 4) {
    pack<T, 4> p;
    TSR__UNROLL(4) for (int l = 0; l < 4; l++) p.v[l] = STORED(value(i + l, r.kept[i / BLOCK * APART + i % BLOCK + l]));
    p.store(r.out + i);
  }
#else
  for (int64_t i = threadIdx.x; i < s.n; i += THREADS) put(s, r, i, value(i, element(s, r, i)));
#endif
}

static __device__ inline C exchanged(C v, int by) {
  union {
    C value;
    uint32_t word[sizeof(C) / 4];
  } u;
  u.value = v;
  TSR__UNROLL(2) for (unsigned i = 0; i < sizeof(C) / 4; i++) u.word[i] = __shfl_xor_sync(~0u, u.word[i], by);
  return u.value;
}

/* The lanes of AT_ONCE blocks, of which this thread has one, joined by halves; sums[b] is block b's, for all threads. */
static __device__ inline void join_lanes(C lane, C *part, C *sums) {
  const int w = threadIdx.x / 32, l = threadIdx.x % 32;
  part[threadIdx.x] = lane;
  __syncthreads();
  for (int b = w; b < AT_ONCE; b += THREADS / 32) {
    C v = LANES == 64 ? part[b * LANES + l] + part[b * LANES + l + LANES / 2] : part[b * LANES + l % LANES];
    TSR__UNROLL(5) for (int d = (LANES < 32 ? LANES : 32) / 2; d > 0; d /= 2) v = v + exchanged(v, d);
    if (l == 0) sums[b] = v;
  }
  __syncthreads();
}

static __device__ inline C greater(C a, C x) { return (x > a) | (x != x) ? x : a; }

static __device__ inline C peak(const row_args &s, const row &r, C *part) {
  C top = -(C)__builtin_inff();
  for (int64_t i = threadIdx.x; i < s.n; i += THREADS) top = greater(top, element(s, r, i));
  TSR__UNROLL(5) for (int d = 16; d > 0; d /= 2) top = greater(top, exchanged(top, d));
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = top;
  __syncthreads();
  top = part[0];
  for (int i = 1; i < THREADS / 32; i++) top = greater(top, part[i]);
  __syncthreads();
  return top;
}

/* The sum over blocks of what step makes of lanes. */
template <class fn> static __device__ inline double total(const row_args &s, C *part, C *sums, fn step) {
  double all = 0;
  for (int64_t first = 0; first < s.n; first += (int64_t)AT_ONCE * BLOCK) {
    const int64_t start = first + (int64_t)(threadIdx.x / LANES) * BLOCK, end = start + BLOCK < s.n ? start + BLOCK : s.n;
    C lane = 0;
    if (threadIdx.x < AT_ONCE * LANES)
      for (int64_t i = start + threadIdx.x % LANES; i < end; i += LANES) lane = step(lane, i);
    join_lanes(lane, part, sums);
    for (int b = 0; b < AT_ONCE; b++)
      if (first + (int64_t)b * BLOCK < s.n) all += (double)sums[b];
    __syncthreads();
  }
  return all;
}

#if KIND == SOFTMAX || KIND == LOG_SOFTMAX
static __device__ inline void normalise(const row_args &s, const row &r, int64_t number, C *part, C *sums) {
  (void)number;
  const C top = peak(s, r, part);
  if (top - top != 0) {
    for (int64_t i = threadIdx.x; i < s.n; i += THREADS) put(s, r, i, top - top);
    return;
  }
#if STAGED
  for (int64_t i = threadIdx.x; i < s.n; i += THREADS) {
    C *const at = r.kept + i / BLOCK * APART + i % BLOCK;
    *at = PART(*at - top);
  }
  __syncthreads();
  const double sum = total(s, part, sums, [&](C a, int64_t i) { return a + element(s, r, i); });
#else
  const double sum = total(s, part, sums, [&](C a, int64_t i) { return a + PART(element(s, r, i) - top); });
#endif
#if KIND == LOG_SOFTMAX
  const C less = FN(tsr__log)((C)sum);
  for (int64_t i = threadIdx.x; i < s.n; i += THREADS) put(s, r, i, (again(s, r, i) - top) - less);
#elif STAGED
  const C scale = (C)(1 / sum);
  write(s, r, [&](int64_t, C e) { return e * scale; });
#else
  const C scale = (C)(1 / sum);
  write(s, r, [&](int64_t, C x) { return PART(x - top) * scale; });
#endif
}
#elif KIND == RMS
static __device__ inline void normalise(const row_args &s, const row &r, int64_t number, C *part, C *sums) {
  (void)number;
  const double sum = total(s, part, sums, [&](C a, int64_t i) {
    const C x = element(s, r, i);
    return FN(tsr__fma)(x, x, a);
  });
  const C factor = (C)(1 / __builtin_sqrt(sum / (double)s.n + s.eps));
  write(s, r, [&](int64_t i, C x) {
    (void)i;
#if SCALED
    return x * factor * s.scale[i];
#else
    return x * factor;
#endif
  });
}
#else
struct normal {
  C pivot, factor, add;
};

/* Around a pivot near the mean; where it turned out to be far from it, once more around the mean. */
static __device__ inline normal statistics(const row_args &s, const row &r, C *part, C *sums) {
  C a[16], pivot = element(s, r, 0);
  if (s.n >= 16) {
    TSR__UNROLL(16) for (int i = 0; i < 16; i++) a[i] = element(s, r, i);
    TSR__UNROLL(16) for (int i = 0; i < 8; i++) a[i] += a[i + 8];
    TSR__UNROLL(16) for (int i = 0; i < 4; i++) a[i] += a[i + 4];
    pivot = ((a[0] + a[2]) + (a[1] + a[3])) / 16;
  }
  double rest = 0, variance = 0;
  for (int round = 0; round < 2; round++) {
    double sum = 0, square = 0;
    for (int64_t first = 0; first < s.n; first += (int64_t)AT_ONCE * BLOCK) {
      const int64_t start = first + (int64_t)(threadIdx.x / LANES) * BLOCK, end = start + BLOCK < s.n ? start + BLOCK : s.n;
      C one = 0, two = 0;
      if (threadIdx.x < AT_ONCE * LANES)
        for (int64_t i = start + threadIdx.x % LANES; i < end; i += LANES) {
          const C d = element(s, r, i) - pivot;
          one += d;
          two = FN(tsr__fma)(d, d, two);
        }
      join_lanes(one, part, sums);
      for (int b = 0; b < AT_ONCE; b++)
        if (first + (int64_t)b * BLOCK < s.n) sum += (double)sums[b];
      __syncthreads();
      join_lanes(two, part, sums);
      for (int b = 0; b < AT_ONCE; b++)
        if (first + (int64_t)b * BLOCK < s.n) square += (double)sums[b];
      __syncthreads();
    }
    rest = sum / (double)s.n;
    variance = square / (double)s.n - rest * rest;
    if (rest * rest <= 4 * variance || round == 1) break;
    pivot = (C)((double)pivot + rest);
  }
  const double scale = 1 / __builtin_sqrt((variance < 0 ? 0 : variance) + s.eps);
  normal y;
  y.pivot = pivot;
  y.factor = (C)scale;
  y.add = (C)(-rest * scale);
  return y;
}

static __device__ inline void normalise(const row_args &s, const row &r, int64_t number, C *part, C *sums) {
  const normal y = statistics(s, r, part, sums);
  (void)number;
  write(s, r, [&](int64_t i, C x) {
#if KIND == GROUP
    const int64_t channel = number % s.groups * s.channels + i / s.run;
    const C by = SCALED ? s.scale[channel] : (C)1, plus = BIASED ? s.bias[channel] : (C)0;
    return FN(tsr__fma)(x - y.pivot, y.factor * by, FN(tsr__fma)(y.add, by, plus));
#else
    (void)i;
    const C value = FN(tsr__fma)(x - y.pivot, y.factor, y.add);
#if SCALED && BIASED
    return FN(tsr__fma)(value, s.scale[i], s.bias[i]);
#elif SCALED
    return value * s.scale[i];
#elif BIASED
    return value + s.bias[i];
#else
    return value;
#endif
#endif
  });
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS) tsr_rows(const __grid_constant__ row_args s) {
  __shared__ C part[THREADS], sums[AT_ONCE];
  for (int64_t number = blockIdx.x; number < s.rows; number += gridDim.x) {
    row r;
    r.x = s.x + placed(number, s.kept_rank, s.kept, s.kept_x);
    r.out = s.out + placed(number, s.kept_rank, s.kept, s.kept_out);
    r.kept = (C *)memory;
#if STAGED
    stage(s, r);
#endif
    normalise(s, r, number, part, sums);
    __syncthreads();
  }
}
