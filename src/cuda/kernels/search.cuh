/* Where elements belong among others that are sorted.
 *
 * Set before: KERNEL, which of them is wanted. T, the type of an element in memory: of searchsorted the unsigned integer of its size; of interp with
 * OUT, LOADED(t) as a double and STORED(double). */
#include "cuda/kernels/axes.cuh"

enum { THREADS = 256 };

struct search_args {
  const T *x, *sorted;
  OUT *out;
  T *keys;                    /* of what is sorted; contiguous */
  const int64_t *sorter;      /* NULL: none */
  const double *xp, *fp;      /* points; contiguous */
  int64_t n, count;           /* of what is sorted, of what is looked for */
  int64_t sorted_step, sorter_step;
  int64_t length[8], step[2][8]; /* of x and out, the fastest axis first */
  int32_t rank, floats, right, sided; /* sided: bit 0, left is given; bit 1, right */
  int32_t many;               /* which way the host searches: of what is not sorted the results are its too */
  uint64_t flip, limit;
  double left, beyond;        /* before the first point and after the last */
  tsr_fault fault;
};

#if KERNEL == 0 || KERNEL == 1 || KERNEL == 4
/* The key of an element, by which elements are compared: the host's. */
static __device__ inline T key_of(const search_args &s, T raw) {
  const T sign = (T)((T)1 << (sizeof(T) * 8 - 1));
  if (!s.floats) return (T)(raw ^ (T)s.flip);
  const T magnitude = (T)(raw & (T)~sign);
  if (magnitude > (T)s.limit) return (T)~(T)0;
  return magnitude == 0 ? sign : (T)(raw ^ (T)((T)(0 - (T)(raw >> (sizeof(T) * 8 - 1))) | sign));
}
#endif

#if KERNEL == 0
/* What is sorted, by way of the sorter, as keys. */
extern "C" __global__ void __launch_bounds__(THREADS) tsr_search_keys(const __grid_constant__ search_args s) {
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i >= s.n) return;
  int64_t at = s.sorter[i * s.sorter_step];
  if (at < 0 || at >= s.n) {
    tsr_fault_at(s.fault, (unsigned long long)i);
    at = 0;
  }
  s.keys[i] = key_of(s, s.sorted[at * s.sorted_step]);
}
#endif

#if KERNEL == 4
/* Many needles: keys are in shared memory, a thread searches for four at a time. */
extern __shared__ __align__(16) unsigned char memory[];

extern "C" __global__ void __launch_bounds__(1024, 2) tsr_search_staged(const __grid_constant__ search_args s) {
  T *const keys = (T *)memory;
  for (int64_t i = threadIdx.x; i < s.n; i += 1024) keys[i] = s.keys != NULL ? s.keys[i] : key_of(s, s.sorted[i * s.sorted_step]);
  __syncthreads();
  for (int64_t first = (int64_t)blockIdx.x * 4096 + threadIdx.x; first < s.count; first += (int64_t)gridDim.x * 4096) {
    T needle[4];
    uint32_t low[4] = {0, 0, 0, 0}, left = (uint32_t)s.n;
    TSR__UNROLL(4) for (int k = 0; k < 4; k++) {
      const int64_t i = first + k * 1024;
      needle[k] = i < s.count ? key_of(s, s.x[placed_on(i, s.rank, s.length, s.step[0])]) : (T)0;
    }
    while (left > 1) {
      const uint32_t half = left / 2;
      TSR__UNROLL(4) for (int k = 0; k < 4; k++) {
        const T key = keys[low[k] + half - 1];
        low[k] += (s.right ? key <= needle[k] : key < needle[k]) ? half : 0;
      }
      left -= half;
    }
    TSR__UNROLL(4) for (int k = 0; k < 4; k++) {
      const int64_t i = first + k * 1024;
      const T key = keys[low[k]];
      if (i < s.count) s.out[placed_on(i, s.rank, s.length, s.step[1])] = low[k] + (s.right ? key <= needle[k] : key < needle[k]);
    }
  }
}
#endif

#if KERNEL == 1
extern "C" __global__ void __launch_bounds__(THREADS) tsr_search_sorted(const __grid_constant__ search_args s) {
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i >= s.count) return;
  const T needle = key_of(s, s.x[placed_on(i, s.rank, s.length, s.step[0])]);
  const auto after = [&s, needle](int64_t at) {
    const T key = s.keys != NULL ? s.keys[at] : key_of(s, s.sorted[at * s.sorted_step]);
    return s.right ? key <= needle : key < needle;
  };
  int64_t low = 0, left = s.n;
  if (s.many) {
    while (left > 1) {
      const int64_t half = left / 2;
      low += after(low + half - 1) ? half : 0;
      left -= half;
    }
    low += after(low);
  } else {
    while (left > 0) {
      const int64_t half = left / 2;
      const bool is_after = after(low + half);
      low = is_after ? low + half + 1 : low;
      left = is_after ? left - half - 1 : half;
    }
  }
  s.out[placed_on(i, s.rank, s.length, s.step[1])] = low;
}
#endif

#if KERNEL == 2
/* Points must not fall: the first that does is a fault. */
extern "C" __global__ void __launch_bounds__(THREADS) tsr_search_rising(const __grid_constant__ search_args s) {
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i < s.n && !(s.xp[i] >= s.xp[i > 0 ? i - 1 : 0])) tsr_fault_at(s.fault, (unsigned long long)i);
}
#endif

#if KERNEL == 3
/* NumPy's, also where values are infinite: from the other end, and the value itself where both are the same. */
static __device__ inline double line_at(const search_args &s, int64_t i, double x) {
  const double slope = (s.fp[i + 1] - s.fp[i]) / (s.xp[i + 1] - s.xp[i]);
  double y = slope * (x - s.xp[i]) + s.fp[i];
  if (y != y) y = slope * (x - s.xp[i + 1]) + s.fp[i + 1];
  return y != y && s.fp[i] == s.fp[i + 1] ? s.fp[i] : y;
}

static __device__ inline double value_at(const search_args &s, double x) {
  const int64_t last = s.n - 1;
  if (x != x) return x;
  if (x < s.xp[0]) return s.sided & 1 ? s.left : s.fp[0];
  if (x > s.xp[last]) return s.sided & 2 ? s.beyond : s.fp[last];
  if (x == s.xp[last]) return s.fp[last];
  int64_t low = 0, high = last;
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    if (s.xp[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  return low == last || x == s.xp[low] ? s.fp[low] : line_at(s, low, x);
}

extern "C" __global__ void __launch_bounds__(THREADS) tsr_search_lines(const __grid_constant__ search_args s) {
  const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;
  if (i >= s.count) return;
  s.out[placed_on(i, s.rank, s.length, s.step[1])] = STORED(value_at(s, LOADED(s.x[placed_on(i, s.rank, s.length, s.step[0])])));
}
#endif
