/* Which elements are not 0, as bits, and how many there are before each chunk of them; then, one after another, their places, or the elements
 * of another tensor there.
 *
 * Set before: T, the type of elements in memory; IS_SET(t); FILLED(number), a number as a T; KERNEL, which of them is wanted. */
#include "cuda/kernels/axes.cuh"

enum { THREADS = 256, CHUNK = THREADS * 32 }; /* elements */

struct mask_args {
  const T *x;                /* elements; contiguous where bits are read, and where they are picked from */
  uint32_t *words;           /* bit i % 32 of word i / 32 is element i */
  int64_t *before, *count;   /* set bits before each chunk; of all */
  void *out;
  const T *from;             /* what is scattered, contiguous; how many there are: capacity */
  int64_t n, chunks, capacity;
  int64_t shape[8], step[8]; /* of places, the fastest axis first; of what is scattered to */
  int64_t out_step[2], fill;
  int32_t rank, wide;        /* wide: more elements than 32 bits count */
  tsr_fault fault;
};

static __device__ inline int all_of_warp(int v) {
  TSR__UNROLL(5) for (int d = 1; d < 32; d *= 2) v += __shfl_xor_sync(~0u, v, d);
  return v;
}

#if KERNEL == 0 || KERNEL == 1
/* A word a thread, a chunk a block. */
static __device__ inline uint32_t eight(uint64_t bytes) { return (uint32_t)((bytes & 0x0101010101010101ull) * 0x0102040810204080ull >> 56); }

static __device__ inline uint32_t bits_from(const mask_args &s, int64_t first) {
#if KERNEL == 0 /* bools: 32 bytes */
  const uint8_t *const p = (const uint8_t *)s.x + first;
  uint32_t word = 0;
  if (first + 32 <= s.n && ((uint64_t)p & 15) == 0) {
    const uint4 a = *(const uint4 *)p, b = *((const uint4 *)p + 1);
    word = eight((uint64_t)a.y << 32 | a.x) | eight((uint64_t)a.w << 32 | a.z) << 8 | eight((uint64_t)b.y << 32 | b.x) << 16 |
           eight((uint64_t)b.w << 32 | b.z) << 24;
  } else {
    for (int k = 0; k < 32 && first + k < s.n; k++) word |= (uint32_t)(p[k] & 1) << k;
  }
  return word;
#else
  const int lane = threadIdx.x % 32;
  const int64_t from = first - lane * 32 + lane; /* of the warp */
  uint32_t word = 0;
  for (int j = 0; j < 32; j += 8) {
    T v[8];
    TSR__UNROLL(8) for (int k = 0; k < 8; k++)
      if (from + (j + k) * 32 < s.n) v[k] = s.x[from + (j + k) * 32];
    TSR__UNROLL(8) for (int k = 0; k < 8; k++) {
      const uint32_t bits = __ballot_sync(~0u, from + (j + k) * 32 < s.n && IS_SET(v[k]));
      if (lane == j + k) word = bits;
    }
  }
  return word;
#endif
}

extern "C" __global__ void __launch_bounds__(THREADS) tsr_mask_bits(const __grid_constant__ mask_args s) {
  __shared__ int part[THREADS / 32];
  const int64_t first = (int64_t)blockIdx.x * CHUNK + threadIdx.x * 32;
  const uint32_t word = bits_from(s, first);
  const int count = all_of_warp(__popc(word));
  s.words[(int64_t)blockIdx.x * THREADS + threadIdx.x] = word;
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = count;
  __syncthreads();
  if (threadIdx.x != 0) return;
  int all = 0;
  for (int w = 0; w < THREADS / 32; w++) all += part[w];
  s.before[blockIdx.x] = all;
}
#endif

#if KERNEL == 2
/* Counts of chunks become what is before them: one block, eight counts a thread at a time. */
extern "C" __global__ void __launch_bounds__(1024) tsr_mask_before(const __grid_constant__ mask_args s) {
  enum { EACH = 8 };
  __shared__ int64_t part[33];
  const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
  int64_t carry = 0;
  for (int64_t at = 0; at < s.chunks; at += 1024 * EACH) {
    const int64_t first = at + threadIdx.x * EACH;
    int64_t v[EACH], sum = 0;
    TSR__UNROLL(8) for (int k = 0; k < EACH; k++) {
      v[k] = first + k < s.chunks ? s.before[first + k] : 0;
      sum += v[k];
    }
    int64_t until = sum;
    TSR__UNROLL(5) for (int d = 1; d < 32; d *= 2) {
      const int64_t other = __shfl_up_sync(~0u, (long long)until, d);
      if (lane >= d) until += other;
    }
    if (lane == 31) part[w] = until;
    __syncthreads();
    if (threadIdx.x == 0) {
      int64_t all = carry;
      for (int k = 0; k < 32; k++) {
        const int64_t own = part[k];
        part[k] = all;
        all += own;
      }
      part[32] = all;
    }
    __syncthreads();
    int64_t own = part[w] + until - sum;
    TSR__UNROLL(8) for (int k = 0; k < EACH; k++) {
      if (first + k < s.chunks) s.before[first + k] = own;
      own += v[k];
    }
    carry = part[32];
    __syncthreads();
  }
  if (threadIdx.x == 0) *s.count = carry;
}
#endif

#if KERNEL >= 3 && KERNEL <= 5
/* A warp goes through its 32 words, each lane an element of them; those of a word that are set go to neighbours. */
struct walk {
  int64_t before; /* this lane's word: set bits before it */
  uint32_t word;
};

static __device__ inline walk begin(const mask_args &s) {
  __shared__ int part[THREADS / 32];
  const int lane = threadIdx.x % 32, w = threadIdx.x / 32;
  walk a;
  a.word = s.words[(int64_t)blockIdx.x * THREADS + threadIdx.x];
  int until = __popc(a.word);
  TSR__UNROLL(5) for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_up_sync(~0u, until, d);
    if (lane >= d) until += other;
  }
  if (lane == 31) part[w] = until;
  __syncthreads();
  a.before = s.before[blockIdx.x] + until - __popc(a.word);
  for (int k = 0; k < w; k++) a.before += part[k];
  return a;
}

/* fn(number of the element, its place among those that are set) */
template <class fn> static __device__ inline void each_set(const walk &a, int j, fn what) {
  const int lane = threadIdx.x % 32;
  const uint32_t word = __shfl_sync(~0u, a.word, j);
  const int64_t at = __shfl_sync(~0u, (long long)a.before, j) + __popc(word & ((1u << lane) - 1));
  const int64_t first = (int64_t)blockIdx.x * CHUNK + (threadIdx.x / 32 * 32 + j) * 32;
  if (word >> lane & 1) what(first + lane, at);
}
#endif

#if KERNEL == 3
/* The coordinates of element i: the last axis first. */
static __device__ inline void put_place(const mask_args &s, int64_t i, int64_t at) {
  int64_t *const to = (int64_t *)s.out + at * s.out_step[0];
  for (int d = 0; d < s.rank; d++) {
    const int64_t n = s.shape[d];
    const int64_t q = d + 1 == s.rank ? 0 : s.wide ? i / n : (int64_t)((uint32_t)i / (uint32_t)n);
    to[(s.rank - 1 - d) * s.out_step[1]] = i - q * n;
    i = q;
  }
}

extern "C" __global__ void __launch_bounds__(THREADS) tsr_mask_places(const __grid_constant__ mask_args s) {
  const walk a = begin(s);
  int64_t *const to = (int64_t *)s.out;
  if (s.rank == 1) {
    TSR__UNROLL_BY(4) for (int j = 0; j < 32; j++)
      each_set(a, j, [&s, to](int64_t i, int64_t at) { if (at < s.capacity) to[at * s.out_step[0]] = i; });
  } else {
    for (int j = 0; j < 32; j++)
      each_set(a, j, [&s](int64_t i, int64_t at) { if (at < s.capacity) put_place(s, i, at); });
  }
}
#endif

#if KERNEL == 4
extern "C" __global__ void __launch_bounds__(THREADS) tsr_mask_select(const __grid_constant__ mask_args s) {
  const walk a = begin(s);
  T *const to = (T *)s.out;
  TSR__UNROLL_BY(1) for (int j = 0; j < 32; j += 8) {
    T v[8];
    TSR__UNROLL(8) for (int k = 0; k < 8; k++) each_set(a, j + k, [&s, &v, k](int64_t i, int64_t) { v[k] = s.x[i]; });
    TSR__UNROLL(8) for (int k = 0; k < 8; k++)
      each_set(a, j + k, [&s, &v, k, to](int64_t, int64_t at) { if (at < s.capacity) to[at * s.out_step[0]] = v[k]; });
  }
}
#endif

#if KERNEL == 5
extern "C" __global__ void __launch_bounds__(THREADS) tsr_mask_scatter(const __grid_constant__ mask_args s) {
  const walk a = begin(s);
  T *const to = (T *)s.out;
  for (int j = 0; j < 32; j++)
    each_set(a, j, [&s, to](int64_t i, int64_t at) {
      if (at < s.capacity)
        to[placed_on(i, s.rank, s.shape, s.step)] = s.from[at];
      else
        tsr_fault_at(s.fault, (unsigned long long)i);
    });
}
#endif

#if KERNEL == 6
/* What is left of an output that has room for capacity rows of shape[0] elements: fill. */
extern "C" __global__ void __launch_bounds__(THREADS) tsr_mask_rest(const __grid_constant__ mask_args s) {
  const int64_t all = s.capacity * s.shape[0], by = (int64_t)gridDim.x * THREADS;
  T *const to = (T *)s.out;
  const T fill = FILLED(s.fill);
  for (int64_t i = *s.count * s.shape[0] + (int64_t)blockIdx.x * THREADS + threadIdx.x; i < all; i += by) {
    const int64_t row = i / s.shape[0];
    to[row * s.out_step[0] + (i - row * s.shape[0]) * s.out_step[1]] = fill;
  }
}
#endif
