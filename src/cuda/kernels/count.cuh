/* How many elements fall into each bin: histograms, whose edges decide, and whole numbers.
 *
 * Set before: T, the type of elements in memory; P, what they are compared in, to which LOADED(t) converts them without loss where its
 * callers need that; KERNEL, which of them is wanted. Of histograms: EDGE, the type of an edge in memory, ROUNDED(double) and EXACT(edge) as a
 * double; P_BITS, 32 or 64. Of whole numbers P is int64_t. PACKED 1: elements are contiguous and aligned. */
#include "cuda/kernels/axes.cuh"

enum { THREADS = 512, BLOCKS = P_BITS == 32 ? 3 : 2, /* of a multiprocessor */
       PIECE = sizeof(T) < 16 ? 16 / sizeof(T) : 1, TABLE = 8192, MOST_EDGES = 1025, SPANS = 1024 };

struct count_args {
  const T *x;
  int64_t n, bins;
  int64_t length[8], step[8];
  int32_t rank, spans;         /* spans: how many blocks looked for the range; 0: it is given */
  P *span;                     /* the least and the greatest number of each of them */
  double low, high;            /* the range that is given */
  double *edge;                /* bins + 1 of them, then bins over their width */
  void *edges;                 /* of the caller; NULL: not wanted */
  unsigned long long *counts;
  const int64_t *found;        /* of whole numbers: the least and the greatest; bins is the least length of the result */
  const double *weights;       /* contiguous, as x */
  double *sums;
  int64_t edges_step, counts_step;
  tsr_fault fault;
};

/* How many elements come together. */
template <int n> struct together {
  enum { N = n };
};

/* what(together, elements, the number of the first) for all elements of this block's share. */
template <class fn> static __device__ inline void each_pack(const count_args &s, fn what) {
  const int64_t by = (int64_t)gridDim.x * THREADS, first = (int64_t)blockIdx.x * THREADS + threadIdx.x;
#if PACKED
  enum { AHEAD = 4 };
  const int64_t packs = s.n / PIECE;
  int64_t i = first;
  for (; i + (AHEAD - 1) * by < packs; i += by * AHEAD) {
    pack<T, PIECE> p[AHEAD];
    TSR__UNROLL(4) for (int k = 0; k < AHEAD; k++) p[k].load(s.x + (i + k * by) * PIECE);
    TSR__UNROLL(4) for (int k = 0; k < AHEAD; k++)
      what(together<PIECE>(), p[k].v, (i + k * by) * PIECE);
  }
  TSR__UNROLL_BY(1) for (; i < packs; i += by)
    TSR__UNROLL_BY(1) for (int l = 0; l < PIECE; l++) what(together<1>(), s.x + i * PIECE + l, i * PIECE + l);
  const int64_t last = packs * PIECE + threadIdx.x;
  if (blockIdx.x == 0 && last < s.n) what(together<1>(), s.x + last, last);
#else
  for (int64_t i = first; i < s.n; i += by) what(together<1>(), s.x + placed_on(i, s.rank, s.length, s.step), i);
#endif
}

/* The same one by one. */
template <class fn> static __device__ inline void each(const count_args &s, fn what) {
  each_pack(s, [&](auto all, const T *v, int64_t number) {
    TSR__UNROLL(16) for (int l = 0; l < decltype(all)::N; l++) what(v[l], number + l);
  });
}

#if KERNEL == 0
/* The least and the greatest number, of each block; the first that is not finite is a fault. */
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) tsr_count_span(const __grid_constant__ count_args s) {
  __shared__ P part[2][THREADS / 32];
  P low = (P)__builtin_inff(), high = -(P)__builtin_inff();
  each(s, [&](T t, int64_t number) {
    const P x = LOADED(t);
    if (!(x - x == 0)) tsr_fault_at(s.fault, (unsigned long long)number);
    low = x < low ? x : low;
    high = x > high ? x : high;
  });
  TSR__UNROLL(5) for (int d = 1; d < 32; d *= 2) {
    const P a = __shfl_xor_sync(~0u, low, d), b = __shfl_xor_sync(~0u, high, d);
    low = a < low ? a : low;
    high = b > high ? b : high;
  }
  if (threadIdx.x % 32 == 0) {
    part[0][threadIdx.x / 32] = low;
    part[1][threadIdx.x / 32] = high;
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int w = 1; w < THREADS / 32; w++) {
    low = part[0][w] < low ? part[0][w] : low;
    high = part[1][w] > high ? part[1][w] : high;
  }
  s.span[blockIdx.x * 2] = low;
  s.span[blockIdx.x * 2 + 1] = high;
}
#endif

#if KERNEL == 1
/* The edges, rounded to their dtype, as the caller sees them. */
extern "C" __global__ void __launch_bounds__(256) tsr_count_edges(const __grid_constant__ count_args s) {
  double low = s.low, high = s.high;
  for (int k = 0; k < s.spans; k++) {
    const double a = (double)s.span[k * 2], b = (double)s.span[k * 2 + 1];
    low = k == 0 || a < low ? a : low;
    high = k == 0 || b > high ? b : high;
  }
  if (s.spans > 0 && !(high - low < __builtin_inf())) {
    if (blockIdx.x == 0 && threadIdx.x == 0) tsr_fault_at(s.fault, 0);
    low = 0;
    high = 1;
  }
  if (low == high) {
    low -= 0.5;
    high += 0.5;
  }
  const double step = (high - low) / (double)s.bins;
  const int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x;
  if (i <= s.bins) {
    const EDGE e = ROUNDED(i == s.bins ? high : low + (double)i * step);
    s.edge[i] = EXACT(e);
    if (s.edges != NULL) ((EDGE *)s.edges)[i * s.edges_step] = e;
  }
  if (i == 0) {
    const double scale = (double)s.bins / (EXACT(ROUNDED(high)) - EXACT(ROUNDED(low)));
    s.edge[s.bins + 1] = scale - scale == 0 ? scale : 0; /* the edges decide */
  }
}
#endif

#if KERNEL == 2 || KERNEL == 3
/* A table in shared memory, several copies of it where bins are few; beyond it, the result itself. */
struct table {
  unsigned bins, copies; /* copies 0: the result */
  uint32_t *own;
};

static __device__ inline table table_of(uint32_t *memory, int64_t bins) {
  table t;
  const unsigned most = bins <= TABLE ? (unsigned)(TABLE / (bins | 1)) : 0; /* an odd distance: other banks */
  t.bins = (unsigned)bins;
  t.copies = most < THREADS / 32 ? most : THREADS / 32;
  t.own = memory + (t.copies > 0 ? threadIdx.x / 32 % t.copies * (t.bins | 1) : 0);
  for (unsigned i = threadIdx.x; i < (t.bins | 1) * t.copies && i < TABLE; i += THREADS) memory[i] = 0;
  return t;
}

/* One more in bin. Lanes of a warp that add 1 to the same word of shared memory are counted by the hardware at once. */
enum : uint32_t { NONE = 0xffffffffu };
static __device__ inline void count_one(const count_args &s, const table &t, uint32_t bin) {
  if (bin == NONE) return;
  if (t.copies > 0)
    atomicAdd(t.own + bin, 1u);
  else
    atomicAdd(s.counts + bin * s.counts_step, 1ull);
}

static __device__ inline void put_table(const count_args &s, const table &t, const uint32_t *memory) {
  __syncthreads();
  for (unsigned i = threadIdx.x; i < t.bins && t.copies > 0; i += THREADS) {
    unsigned long long all = 0;
    for (unsigned k = 0; k < t.copies; k++) all += memory[k * (t.bins | 1) + i];
    if (all > 0) atomicAdd(s.counts + i * s.counts_step, all);
  }
}
#endif

#if KERNEL == 2
/* The bin of x by the edges, found from at on; NONE: x is outside. */
template <class V> static __device__ __noinline__ uint32_t bin_by(const V *edge, uint32_t bins, V x, uint32_t at) {
  if (!(x >= edge[0] && x <= edge[bins])) return NONE;
  while (at > 0 && x < edge[at]) at--;
  while (at + 1 < bins && x >= edge[at + 1]) at++;
  return at;
}

/* The host's way: the bin is computed in f64, and then compared with its edges. */
static __device__ __noinline__ uint32_t bin_as_host(const count_args &s, double x) {
  double at = (x - s.edge[0]) * s.edge[s.bins + 1];
  const double last = (double)(uint32_t)(s.bins - 1);
  at = at > 0 ? at : 0;
  return bin_by(s.edge, (uint32_t)s.bins, x, (uint32_t)(int32_t)(at < last ? at : last));
}

/* The whole number below at, which is in range or does not count: by sums that round, since conversions are slow. */
static __device__ inline int whole_below(P at, P *whole) {
#if P_BITS == 32
  const P rounded = at - 0.5f + 12582912.0f;
  *whole = rounded - 12582912.0f;
  return (int)(tsr__bits_of_f32(rounded) - 0x4b400000u);
#else
  const P rounded = at - 0.5 + 0x1.8p52;
  *whole = rounded - 0x1.8p52;
  return (int)(tsr__bits_of_f64(rounded) - 0x4338000000000000ull);
#endif
}

/* Few bins are computed in P where their edges are as far from the whole numbers as m says: what is further from them than that is
 * between two edges, since what is computed never falls where x grows. */
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) tsr_count_bins(const __grid_constant__ count_args s) {
  __shared__ uint32_t memory[TABLE];
  __shared__ P edge[MOST_EDGES];
  __shared__ P off[THREADS / 32];
  const table t = table_of(memory, s.bins);
  const uint32_t bins = (uint32_t)s.bins;
  P m = 1, low = 0, factor = 0;
  if (bins < MOST_EDGES) {
    low = (P)s.edge[0];
    factor = (P)s.edge[bins + 1];
    P most = 0;
    for (uint32_t i = threadIdx.x; i <= bins; i += THREADS) {
      edge[i] = (P)s.edge[i];
      P d = ((P)s.edge[i] - low) * factor - (P)i;
      d = d < 0 ? -d : d;
      most = d <= most ? most : d; /* NaN stays */
    }
    TSR__UNROLL(5) for (int d = 1; d < 32; d *= 2) {
      const P other = __shfl_xor_sync(~0u, most, d);
      most = other <= most ? most : other;
    }
    if (threadIdx.x % 32 == 0) off[threadIdx.x / 32] = most;
    __syncthreads();
    m = 0;
    for (int w = 0; w < THREADS / 32; w++) m = off[w] <= m ? m : off[w];
  }
  __syncthreads();
  if (m < (P)0.25) {
    const P from = m, until = 1 - m;
    each_pack(s, [&](auto all, const T *v, int64_t) {
      uint32_t near = 0; /* bit l: the edges decide */
      TSR__UNROLL(16) for (int l = 0; l < decltype(all)::N; l++) {
        P whole;
        const P at = (LOADED(v[l]) - low) * factor;
        const uint32_t bin = (uint32_t)whole_below(at, &whole);
        const P rest = at - whole;
        if (at > 0 && at < (P)bins && rest > from && rest < until)
          count_one(s, t, bin);
        else
          near |= 1u << l;
      }
      for (; near != 0; near &= near - 1) {
        T one = v[0];
        TSR__UNROLL(16) for (int l = 1; l < decltype(all)::N; l++) one = near & 1u << l && (near & ((1u << l) - 1)) == 0 ? v[l] : one;
        P whole;
        const P x = LOADED(one), at = (x - low) * factor;
        const uint32_t bin = (uint32_t)whole_below(at, &whole);
        count_one(s, t, bin_by(edge, bins, x, !(at > 0) ? 0 : at < (P)bins && bin < bins ? bin : bins - 1));
      }
    });
  } else {
    each(s, [&](T v, int64_t) { count_one(s, t, bin_as_host(s, (double)LOADED(v))); });
  }
  put_table(s, t, memory);
}
#endif

#if KERNEL == 3
extern "C" __global__ void __launch_bounds__(THREADS, BLOCKS) tsr_count_numbers(const __grid_constant__ count_args s) {
  __shared__ uint32_t memory[TABLE];
  const table t = table_of(memory, s.found[1] + 1);
  __syncthreads();
  each(s, [&](T v, int64_t) { count_one(s, t, (uint32_t)LOADED(v)); });
  put_table(s, t, memory);
}
#endif

#if KERNEL == 4
/* Zeros, to a result that may be longer than what was found. */
extern "C" __global__ void __launch_bounds__(256) tsr_count_clear(const __grid_constant__ count_args s) {
  const int64_t longest = s.found != NULL && s.found[1] + 1 > s.bins ? s.found[1] + 1 : s.bins;
  for (int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x; i < longest; i += (int64_t)gridDim.x * 256) s.counts[i * s.counts_step] = 0;
}
#endif

#if KERNEL == 5
/* Weights of each bin in the order of the elements: a thread a bin, which looks at all of them. */
extern "C" __global__ void __launch_bounds__(256) tsr_count_weights(const __grid_constant__ count_args s) {
  __shared__ int64_t number[1024];
  __shared__ double weight[1024];
  const int64_t longest = s.found[1] + 1 > s.bins ? s.found[1] + 1 : s.bins;
  for (int64_t first = (int64_t)blockIdx.x * 256; first < longest; first += (int64_t)gridDim.x * 256) {
    const int64_t own = first + threadIdx.x;
    double sum = 0;
    for (int64_t at = 0; at < s.n; at += 1024) {
      __syncthreads();
      for (int k = threadIdx.x; k < 1024; k += 256) {
        number[k] = at + k < s.n ? LOADED(s.x[placed_on(at + k, s.rank, s.length, s.step)]) : -1;
        weight[k] = at + k < s.n ? s.weights[at + k] : 0;
      }
      __syncthreads();
      TSR__UNROLL_BY(8) for (int k = 0; k < 1024; k++)
        if (number[k] == own) sum += weight[k];
    }
    if (own < longest) s.sums[own * s.counts_step] = sum;
  }
}
#endif
