/* Rows that are normalised together: softmax, log_softmax, layer_norm, rms_norm, group_norm, in the orders that nn/softmax/softmax.h and
 * nn/norm/norm.h state: element i is in block i / 4096 and there in lane i % LANES; lanes are joined by halves, blocks one after another in
 * f64. Short rows are in rows_short.cuh; of others a block of threads is a row. STAGED: the row stays in shared memory, all threads do its
 * elements, few its chains of sums; else it is read as often as it is needed. COPIED: it is brought there by copies that need no register.
 *
 * Set before: T the type in memory, C the compute type, LOADED(t), STORED(c); LANES; THREADS; CONTIGUOUS where a row is, in x and out,
 * aligned packs of 4; SOFTMAX, LOG_SOFTMAX, LAYER, RMS, GROUPS as KIND; SCALED and BIASED; MADE 1 where the elements of x are not in memory,
 * but made of operands (kernels/made.cuh). */
#define SOFTMAX 0
#define LOG_SOFTMAX 1
#define LAYER 2
#define RMS 3
#define GROUPS 4
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
#if MADE
  made_args made;
#endif
};

extern __shared__ __align__(16) unsigned char memory[];

static __device__ inline int64_t placed(int64_t i, int rank, const int64_t *length, const int64_t *step) {
  int64_t at = 0;
  if (rank <= 1) return rank == 1 ? i * step[0] : 0;
  for (int d = 0; d < rank; d++) {
    const int64_t q = d + 1 < rank ? i / length[d] : 0;
    at += (i - q * length[d]) * step[d];
    i = q;
  }
  return at;
}

#if MADE
typedef made_at place_of;
#else
typedef const T *place_of;
#endif

struct row {
  place_of x;
  T *out;
  C *kept; /* in shared memory */
};

/* Where element i is in shared memory, of which a block of elements takes a little more than its size: two blocks use other banks. */
static __device__ inline uint32_t kept_at(uint32_t i) { return i / BLOCK * APART + i % BLOCK; }

/* Where row number begins. */
static __device__ inline place_of begin(const row_args &s, int64_t number) {
#if MADE
  return made_from(s.made, number, s.kept_rank, s.kept);
#else
  return s.x + placed(number, s.kept_rank, s.kept, s.kept_x);
#endif
}

/* Element i from where it came. */
static __device__ inline C again(const row_args &s, const row &r, int64_t i) {
#if MADE
  return made_one(s.made, made_next(s.made, r.x, i, s.rank, s.length));
#elif CONTIGUOUS
  return LOADED(r.x[i]);
#else
  return LOADED(r.x[placed(i, s.rank, s.length, s.step_x)]);
#endif
}

static __device__ inline C element(const row_args &s, const row &r, int64_t i) {
#if STAGED
  return r.kept[kept_at((uint32_t)i)];
#else
  return again(s, r, i);
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
/* Four elements of the row that stays. */
typedef pack<C, 4> quad;
static __device__ inline quad *quad_at(const row &r, uint32_t i) { return (quad *)(r.kept + kept_at(i)); }

static __device__ inline void stage(const row_args &s, const row &r) {
#if COPIED
  const uint32_t n = (uint32_t)s.n;
  for (uint32_t i = threadIdx.x * (16 / sizeof(C)); i < n; i += THREADS * (16 / sizeof(C))) tsr__copy_async(r.kept + kept_at(i), r.x + i);
  tsr__copy_wait();
#elif MADE && CONTIGUOUS
  const uint32_t n = (uint32_t)s.n;
  TSR__UNROLL(4) for (uint32_t i = threadIdx.x * 4; i < n; i += THREADS * 4)
    made_many<4>(s.made, made_next(s.made, r.x, i, s.rank, s.length), r.kept + kept_at(i));
#elif CONTIGUOUS
  const uint32_t n = (uint32_t)s.n;
  TSR__UNROLL(4) for (uint32_t i = threadIdx.x * 4; i < n; i += THREADS * 4) {
    pack<T, 4> p;
    quad q;
    p.load(r.x + i);
    TSR__UNROLL(4) for (int l = 0; l < 4; l++) q.v[l] = LOADED(p.v[l]);
    *quad_at(r, i) = q;
  }
#else
  for (uint32_t i = threadIdx.x; i < (uint32_t)s.n; i += THREADS) r.kept[kept_at(i)] = again(s, r, i);
#endif
  __syncthreads();
}

/* what(i, element) becomes every element of the row that stays. */
template <class fn> static __device__ inline void change(const row_args &s, const row &r, fn what) {
  const uint32_t n = (uint32_t)s.n;
#if CONTIGUOUS
  TSR__UNROLL(4) for (uint32_t i = threadIdx.x * 4; i < n; i += THREADS * 4) {
    quad q = *quad_at(r, i);
    TSR__UNROLL(4) for (int l = 0; l < 4; l++) q.v[l] = what(i + l, q.v[l]);
    *quad_at(r, i) = q;
  }
#else
  for (uint32_t i = threadIdx.x; i < n; i += THREADS) r.kept[kept_at(i)] = what(i, r.kept[kept_at(i)]);
#endif
  __syncthreads();
}
#endif

/* value(i, element) for every element; the last step of all of them. */
template <class fn> static __device__ inline void write(const row_args &s, const row &r, fn value) {
#if CONTIGUOUS && STAGED
  const uint32_t n = (uint32_t)s.n;
  TSR__UNROLL(4) for (uint32_t i = threadIdx.x * 4; i < n; i += THREADS * 4) {
    const quad q = *quad_at(r, i);
    pack<T, 4> p;
    TSR__UNROLL(4) for (int l = 0; l < 4; l++) p.v[l] = STORED(value(i + l, q.v[l]));
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
#if CONTIGUOUS && STAGED
  TSR__UNROLL(4) for (uint32_t i = threadIdx.x * 4; i < (uint32_t)s.n; i += THREADS * 4) {
    const quad q = *quad_at(r, i);
    TSR__UNROLL(4) for (int l = 0; l < 4; l++) top = greater(top, q.v[l]);
  }
#else
  for (int64_t i = threadIdx.x; i < s.n; i += THREADS) top = greater(top, element(s, r, i));
#endif
  TSR__UNROLL(5) for (int d = 16; d > 0; d /= 2) top = greater(top, exchanged(top, d));
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = top;
  __syncthreads();
  top = part[0];
  for (int i = 1; i < THREADS / 32; i++) top = greater(top, part[i]);
  __syncthreads();
  return top;
}

/* step(element) for the elements of this thread's lane in the block of elements from start on, in order. */
template <class fn> static __device__ inline void each_of_lane(const row_args &s, const row &r, int64_t start, fn step) {
  const int64_t end = start + BLOCK < s.n ? start + BLOCK : s.n;
  if (threadIdx.x >= AT_ONCE * LANES || start >= end) return;
#if STAGED
  const C *const p = r.kept + kept_at((uint32_t)start);
  const uint32_t count = (uint32_t)(end - start);
  TSR__UNROLL_BY(16) for (uint32_t i = threadIdx.x % LANES; i < count; i += LANES) step(p[i]);
#else
  TSR__UNROLL_BY(8) for (int64_t i = start + threadIdx.x % LANES; i < end; i += LANES) step(element(s, r, i));
#endif
}

/* The sum over blocks of what step makes of lanes. */
template <class fn> static __device__ inline double total(const row_args &s, const row &r, C *part, C *sums, fn step) {
  double all = 0;
  for (int64_t first = 0; first < s.n; first += (int64_t)AT_ONCE * BLOCK) {
    C lane = 0;
    each_of_lane(s, r, first + (int64_t)(threadIdx.x / LANES) * BLOCK, [&](C x) { lane = step(lane, x); });
    join_lanes(lane, part, sums);
    for (int b = 0; b < AT_ONCE; b++)
      if (first + (int64_t)b * BLOCK < s.n) all += (double)sums[b];
    __syncthreads();
  }
  return all;
}

#if KIND == LAYER || KIND == GROUPS
struct normal {
  C pivot, factor, add;
};

/* Element i of row number. */
static __device__ inline C normalised(const row_args &s, const normal &y, int64_t i, C x, int64_t number) {
#if KIND == GROUPS
  const int64_t channel = number % s.groups * s.channels + i / s.run;
  const C by = SCALED ? s.scale[channel] : (C)1, plus = BIASED ? s.bias[channel] : (C)0;
  return FN(tsr__fma)(x - y.pivot, y.factor * by, FN(tsr__fma)(y.add, by, plus));
#else
  const C value = FN(tsr__fma)(x - y.pivot, y.factor, y.add);
  (void)i, (void)number;
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
}
#endif

#if SHORT
#include "cuda/kernels/rows_short.cuh"
#else
#if KIND == SOFTMAX || KIND == LOG_SOFTMAX
static __device__ inline void normalise(const row_args &s, const row &r, int64_t number, C *part, C *sums) {
  (void)number;
  const C top = peak(s, r, part);
  if (top - top != 0) {
    for (int64_t i = threadIdx.x; i < s.n; i += THREADS) put(s, r, i, top - top);
    return;
  }
#if STAGED
  change(s, r, [top](uint32_t, C x) { return PART(x - top); });
  const double sum = total(s, r, part, sums, [](C a, C e) { return a + e; });
#else
  const double sum = total(s, r, part, sums, [top](C a, C x) { return a + PART(x - top); });
#endif
#if KIND == LOG_SOFTMAX
  const C less = FN(tsr__log)((C)sum);
  for (int64_t i = threadIdx.x; i < s.n; i += THREADS) put(s, r, i, (again(s, r, i) - top) - less);
#elif STAGED
  const C scale = (C)(1 / sum);
  write(s, r, [scale](int64_t, C e) { return e * scale; });
#else
  const C scale = (C)(1 / sum);
  write(s, r, [&](int64_t, C x) { return PART(x - top) * scale; });
#endif
}
#elif KIND == RMS
static __device__ inline void normalise(const row_args &s, const row &r, int64_t number, C *part, C *sums) {
  (void)number;
  const double sum = total(s, r, part, sums, [](C a, C x) { return FN(tsr__fma)(x, x, a); });
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
      C one = 0, two = 0;
      each_of_lane(s, r, first + (int64_t)(threadIdx.x / LANES) * BLOCK, [&](C x) {
        const C d = x - pivot;
        one += d;
        two = FN(tsr__fma)(d, d, two);
      });
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
  write(s, r, [&](int64_t i, C x) { return normalised(s, y, i, x, number); });
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS) tsr_rows(const __grid_constant__ row_args s) {
  __shared__ C part[THREADS], sums[AT_ONCE];
  for (int64_t number = blockIdx.x; number < s.rows; number += gridDim.x) {
    row r;
    r.x = begin(s, number);
    r.out = s.out + placed(number, s.kept_rank, s.kept, s.kept_out);
    r.kept = (C *)memory;
#if STAGED
    stage(s, r);
#endif
    normalise(s, r, number, part, sums);
    __syncthreads();
  }
}
#endif
