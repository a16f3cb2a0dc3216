/* Rows that a block has room for, by a bitonic network: eight keys in the registers of each thread, threads of a warp exchange by
 * shuffles, others through shared memory. INDEXED: a key has its element's place behind it, so that no two are the same, and the
 * order is that of a stable sort. PIVOTS: the key is whether an element is less than the row's pivot, equal or greater. Arrows of a
 * network all point one way: a merge begins with a mirror image. */
#include "cuda/kernels/keys.cuh"

enum { EACH = 8 };

struct sort_args {
  const U *x;
  U *values;       /* or NULL */
  int64_t *index;  /* or NULL; of 32 bits where narrow */
  key_args keys;
  uint64_t rows;
  const U *pivots; /* one a row */
  uint32_t length, threads; /* of a row: a power of two */
  uint32_t narrow;
};

#if PIVOTS
typedef uint8_t ORDER; /* what is compared first */
enum { ORDER_BITS = 8 };
#else
typedef U ORDER;
enum { ORDER_BITS = BITS };
#endif

/* The pivot's key, where there is one, is fetched before any output is written. */
static inline ORDER order_of(U raw, const sort_args &s, U pivot) {
  const U key = key_of(raw, s.keys);
#if PIVOTS
  return key < pivot ? 0 : key == pivot ? 1 : 2;
#else
  (void)pivot;
  return key;
#endif
}

#if INDEXED && BITS == 64 && !PIVOTS
struct item {
  uint64_t key;
  uint32_t at;
};
static inline bool less(const item &a, const item &b) { return a.key < b.key || (a.key == b.key && a.at < b.at); }
static inline item made(ORDER key, uint32_t at) {
  item i = {key, at};
  return i;
}
static inline ORDER key_in(const item &i) { return i.key; }
static inline uint32_t at_in(const item &i) { return i.at; }
static inline item from_lane(const item &i, uint32_t mask) {
  item y = {__shfl_xor_sync(~0u, (unsigned long long)i.key, (int)mask), __shfl_xor_sync(~0u, i.at, (int)mask)};
  return y;
}
#else
#if (INDEXED && BITS == 32 || BITS == 64) && !PIVOTS
typedef unsigned long long item;
#else
typedef unsigned item;
#endif
static inline bool less(item a, item b) { return a < b; }
static inline item from_lane(item i, uint32_t mask) { return __shfl_xor_sync(~0u, i, (int)mask); }
#if INDEXED
enum { AT_BITS = ORDER_BITS == 32 ? 32 : 16 };
static inline item made(ORDER key, uint32_t at) { return (item)key << AT_BITS | at; }
static inline ORDER key_in(item i) { return (ORDER)(i >> AT_BITS); }
static inline uint32_t at_in(item i) { return (uint32_t)(i & (((item)1 << AT_BITS) - 1)); }
#else
static inline item made(ORDER key, uint32_t) { return key; }
static inline ORDER key_in(item i) { return (ORDER)i; }
static inline uint32_t at_in(item) { return 0; }
#endif
#endif

/* The lesser of both to a. */
static inline void put_in_order(item &a, item &b) {
  const bool swapped = less(b, a);
  const item low = swapped ? b : a, high = swapped ? a : b;
  a = low;
  b = high;
}

/* Of mine and another thread's the one that belongs here. */
static inline void keep(item &mine, const item &other, bool low) {
  if (less(other, mine) == low) mine = other;
}

/* Distances of 4, 2 and 1 within a thread. */
static inline void merge_own(item *v) {
  TSR__UNROLL(4) for (int d = EACH / 2; d > 0; d /= 2)
    TSR__UNROLL(8) for (int i = 0; i < EACH; i++)
      if ((i & d) == 0) put_in_order(v[i], v[i ^ d]);
}

static inline void sort_own(item *v) {
  TSR__UNROLL(4) for (int size = 2; size <= EACH; size *= 2) {
    TSR__UNROLL(8) for (int i = 0; i < EACH; i++)
      if ((i & (size / 2)) == 0) put_in_order(v[i], v[i ^ (size - 1)]);
    TSR__UNROLL(4) for (int d = size / 4; d > 0; d /= 2)
      TSR__UNROLL(8) for (int i = 0; i < EACH; i++)
        if ((i & d) == 0) put_in_order(v[i], v[i ^ d]);
  }
}

/* With the thread whose number differs in the bits of mask; mirrored: its last item belongs to my first. */
static inline void exchange(item *v, item *shared, uint32_t mask, bool mirrored) {
  const uint32_t lane = threadIdx.x, high_bit = mirrored ? (mask + 1) / 2 : mask;
  const bool low = (lane & high_bit) == 0;
  if (mask < 32) {
    item other[EACH];
    if (mirrored) {
      TSR__UNROLL(8) for (int i = 0; i < EACH; i++) other[i] = from_lane(v[EACH - 1 - i], mask);
    } else {
      TSR__UNROLL(8) for (int i = 0; i < EACH; i++) other[i] = from_lane(v[i], mask);
    }
    TSR__UNROLL(8) for (int i = 0; i < EACH; i++) keep(v[i], other[i], low);
    return;
  }
  __syncthreads();
  TSR__UNROLL(8) for (int i = 0; i < EACH; i++) shared[i * blockDim.x + lane] = v[i];
  __syncthreads();
  TSR__UNROLL(8) for (int i = 0; i < EACH; i++)
    keep(v[i], shared[(mirrored ? EACH - 1 - i : i) * blockDim.x + (lane ^ mask)], low);
}

static inline uint32_t slot(uint32_t place) { return place + place / EACH; } /* no two threads meet in a bank */

extern "C" __global__ void __launch_bounds__(512) tsr_sort_rows(const sort_args s) {
  extern __shared__ __align__(16) unsigned char memory[];
  item *const shared = (item *)memory;
  const uint32_t tid = threadIdx.x, mine = tid & (s.threads - 1), within = tid - mine;
  const uint64_t row = (uint64_t)blockIdx.x * (blockDim.x / s.threads) + within / s.threads;
  const bool there = row < s.rows;
  const U *const x = s.x + (there ? row * s.length : 0);
  const U pivot = PIVOTS && there ? key_of(s.pivots[row], s.keys) : 0;
  item v[EACH];
  TSR__UNROLL(8) for (int i = 0; i < EACH; i++) {
    const uint32_t at = (uint32_t)i * s.threads + mine;
    v[i] = made(there && at < s.length ? order_of(x[at], s, pivot) : (ORDER) ~(ORDER)0, at);
  }
  sort_own(v);
  for (uint32_t span = 2; span <= s.threads; span *= 2) {
    exchange(v, shared, span - 1, true);
    for (uint32_t d = span / 4; d > 0; d /= 2) exchange(v, shared, d, false);
    merge_own(v);
  }
  __syncthreads();
  TSR__UNROLL(8) for (int i = 0; i < EACH; i++) shared[slot(tid * EACH + (uint32_t)i)] = v[i];
  __syncthreads();
  U value[EACH];
  TSR__UNROLL(8) for (int i = 0; i < EACH; i++) {
    const uint32_t at = (uint32_t)i * s.threads + mine;
    v[i] = shared[slot(within * EACH + at)];
    const U key = key_in(v[i]);
    const bool taken = INDEXED && (PIVOTS || is_special(key, s.keys)) && there && at < s.length;
    value[i] = taken ? x[at_in(v[i])] : element_of(key, s.keys);
  }
  __syncthreads(); /* the output may be where x is */
  if (!there) return;
  TSR__UNROLL(8) for (int i = 0; i < EACH; i++) {
    const uint32_t at = (uint32_t)i * s.threads + mine;
    if (at >= s.length) continue;
    if (s.values != NULL) s.values[row * s.length + at] = value[i];
    if (s.index == NULL) continue;
    if (s.narrow)
      ((uint32_t *)s.index)[row * s.length + at] = at_in(v[i]);
    else
      s.index[row * s.length + at] = (int64_t)at_in(v[i]);
  }
}
