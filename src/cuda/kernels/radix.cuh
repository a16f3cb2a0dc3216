/* Rows of any length, by their digits of 8 bits from the last to the first. One kernel counts the digits of all passes; a second one makes
 * of the counts where each digit begins; then a kernel a pass brings elements to their places. A block of that takes the next tile
 * that nobody has, ranks its elements in shared memory and tells how many it has of each digit; it finds how many there are before it by
 * looking at the tiles behind it, as far as one that knows its own sum. Sums are of integers: they do not depend on who comes when. Elements
 * keep their bits; digits are those of their keys, so that zeros and NaN stay as they are and in order.
 *
 * PART: 0 counts, 1 sums them, 2 brings. WIDE: rows of 2^30 elements or more. INDEXED: places go with the elements. PIVOTS: a pass of
 * three digits, less than the row's pivot, equal, greater. ITEMS: of a thread of PART 2. */
#include "cuda/kernels/keys.cuh"

#if WIDE
typedef unsigned long long COUNT;
#else
typedef unsigned COUNT;
#endif
enum { DIGITS = 256, COUNTERS = 256, THREADS = 512, WARPS = THREADS / 32, PASSES = BITS / 8 };

struct radix_args {
  const U *from;
  U *to;                  /* or NULL */
  const COUNT *index_from; /* NULL: 0, 1, … */
  void *index_to;
  COUNT *starts;   /* (rows, passes, DIGITS) */
  COUNT *states;   /* (rows, tiles, DIGITS) */
  unsigned *ticket;
  const U *pivots; /* one a row */
  key_args keys;
  uint64_t length, rows;
  uint32_t tiles;         /* PART 0: blocks of a row */
  uint32_t pass, passes;
  uint32_t index_bytes;   /* of index_to */
};

static inline uint32_t digit_in(U key, uint32_t pass, U pivot) {
#if PIVOTS
  (void)pass;
  return key < pivot ? 0 : key == pivot ? 1 : 2;
#else
  (void)pivot;
  return (uint32_t)(key >> 8 * pass) & 255u;
#endif
}

static inline U pivot_of(const radix_args &s, uint64_t row) {
#if PIVOTS
  return key_of(s.pivots[row], s.keys);
#else
  (void)s, (void)row;
  return 0;
#endif
}

#if PART == 0
/* What a block counts goes to the counts of its row. */
extern "C" __global__ void __launch_bounds__(COUNTERS) tsr_radix_count(const radix_args s) {
  __shared__ unsigned counts[PASSES * DIGITS];
  const uint32_t tid = threadIdx.x;
  const uint64_t row = blockIdx.x / s.tiles, part = blockIdx.x % s.tiles;
  const uint64_t each = (s.length + s.tiles - 1) / s.tiles, begin = part * each;
  const uint64_t end = begin + each < s.length ? begin + each : s.length;
  const U *const x = s.from + row * s.length;
  const U pivot = pivot_of(s, row);
  for (uint32_t i = tid; i < s.passes * DIGITS; i += COUNTERS) counts[i] = 0;
  __syncthreads();
  for (uint64_t i = begin + tid; i < end; i += 8 * COUNTERS) {
    U key[8];
    TSR__UNROLL(8) for (int k = 0; k < 8; k++)
      if (i + (uint64_t)k * COUNTERS < end) key[k] = x[i + (uint64_t)k * COUNTERS];
    TSR__UNROLL(8) for (int k = 0; k < 8; k++) {
      if (i + (uint64_t)k * COUNTERS >= end) continue;
      key[k] = key_of(key[k], s.keys);
      TSR__UNROLL(8) for (uint32_t pass = 0; pass < PASSES; pass++)
        if (pass < s.passes) atomicAdd(&counts[pass * DIGITS + digit_in(key[k], pass, pivot)], 1u);
    }
  }
  __syncthreads();
  for (uint32_t i = tid; i < s.passes * DIGITS; i += COUNTERS)
    if (counts[i] != 0) atomicAdd(&s.starts[row * s.passes * DIGITS + i], (COUNT)counts[i]);
}
#endif

/* The sum of x of the threads before this one, of DIGITS threads; all threads of the block call it. */
template <class T> static inline T sum_before(T x, T *sums) {
  const uint32_t tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  T sum = x;
  TSR__UNROLL(5) for (int by = 1; by < 32; by *= 2) {
    const T other = __shfl_up_sync(~0u, sum, (unsigned)by);
    if (lane >= (uint32_t)by) sum += other;
  }
  if (lane == 31 && warp < DIGITS / 32) sums[warp] = sum;
  __syncthreads();
  T before = sum - x;
  TSR__UNROLL(8) for (uint32_t i = 0; i < DIGITS / 32; i++)
    if (i < warp) before += sums[i];
  return before;
}

#if PART == 1
/* Counts of a pass of a row to where its digits begin. */
extern "C" __global__ void __launch_bounds__(DIGITS) tsr_radix_sum(const radix_args s) {
  __shared__ COUNT sums[DIGITS / 32];
  COUNT *const at = s.starts + (uint64_t)blockIdx.x * DIGITS + threadIdx.x;
  *at = sum_before<COUNT>(*at, sums);
}
#endif

#if PART == 2

/* Which lanes of the warp have this digit. */
static inline unsigned same_digit(uint32_t digit) {
#ifdef TSR_CUDA_EMULATED
  return __match_any_sync(~0u, digit);
#else
  unsigned same = ~0u;
  TSR__UNROLL(8) for (int bit = 0; bit < (PIVOTS ? 2 : 8); bit++) {
    unsigned lanes;
    asm("{.reg .pred p;\n and.b32 %0, %1, %2;\n setp.ne.u32 p, %0, 0;\n vote.sync.ballot.b32 %0, p, 0xffffffff;\n @!p not.b32 %0, %0;}"
        : "=r"(lanes)
        : "r"(digit), "r"(1u << bit));
    same &= lanes;
  }
  return same;
#endif
}

/* What a tile tells of a digit: nothing yet, how many it has, or how many there are up to its end. */
#define STATE_SHIFT (sizeof(COUNT) * 8 - 2)
static const COUNT OWN = (COUNT)1 << STATE_SHIFT, ALL = (COUNT)2 << STATE_SHIFT, VALUE = OWN - 1;

static inline COUNT look_behind(volatile COUNT *state, uint32_t tile) {
  COUNT sum = 0;
  while (tile > 0) {
    tile--;
    state -= DIGITS;
    COUNT seen = *state;
    while (seen == 0) {
      __nanosleep(20);
      seen = *state;
    }
    sum += seen & VALUE;
    if (seen & ALL) break;
  }
  return sum;
}

enum { TILE = THREADS * ITEMS };

struct radix_shared {
  union {
    U key[TILE];
#if INDEXED
    COUNT index[TILE];
#endif
  } stage;
  unsigned counts[WARPS][DIGITS];
  COUNT to[DIGITS]; /* where a digit's elements go, less where they begin in the tile */
  unsigned sums[DIGITS / 32];
  unsigned tile;
};

extern "C" __global__ void __launch_bounds__(THREADS, 2) tsr_radix_pass(const radix_args s) {
  extern __shared__ __align__(16) unsigned char memory[];
  radix_shared &m = *(radix_shared *)memory;
  const uint32_t tid = threadIdx.x, lane = tid % 32, warp = tid / 32;
  if (tid == 0) m.tile = atomicAdd(s.ticket, 1u);
  TSR__UNROLL(8) for (uint32_t i = 0; i < DIGITS / 32; i++) m.counts[warp][i * 32 + lane] = 0;
  __syncthreads();
  const uint64_t row = m.tile / s.tiles;
  const uint32_t tile = (uint32_t)(m.tile - row * s.tiles);
  const uint64_t first = (uint64_t)tile * TILE;
  const uint32_t valid = s.length - first < TILE ? (uint32_t)(s.length - first) : TILE;
  const U pivot = pivot_of(s, row);

  /* A warp has neighbours, 32 of them a time. Behind the end of a row there are keys of the last digit. */
  const uint32_t place = warp * 32 * ITEMS + lane;
  const U *const from = s.from + (row * s.length + first + place);
  U key[ITEMS];
  TSR__UNROLL(32) for (int i = 0; i < ITEMS; i++) key[i] = place + (uint32_t)i * 32 < valid ? from[i * 32] : 0;

  /* Ranks among the warp's of that digit. */
  unsigned rank[ITEMS];
  const unsigned before = (1u << lane) - 1;
  TSR__UNROLL(32) for (int i = 0; i < ITEMS; i++) {
    const uint32_t at = place + (uint32_t)i * 32;
    const uint32_t digit = at < valid ? digit_in(key_of(key[i], s.keys), s.pass, pivot) : DIGITS - 1;
    const unsigned same = same_digit(digit), below = (unsigned)__popc(same & before), had = m.counts[warp][digit];
    __syncwarp();
    if (below == 0) m.counts[warp][digit] = had + (unsigned)__popc(same);
    __syncwarp();
    rank[i] = (had + below) | digit << 24;
  }
  __syncthreads();

  /* Where each warp's begin in the tile; how many the tile has is told. */
  unsigned total = 0;
  COUNT own = 0;
  volatile COUNT *const state = s.states + ((uint64_t)m.tile * DIGITS + tid);
  if (tid < DIGITS) {
    TSR__UNROLL(16) for (int w = 0; w < WARPS; w++) total += m.counts[w][tid];
    own = total - (tid == DIGITS - 1 ? TILE - valid : 0);
    if (s.tiles > 1) *state = (tile == 0 ? ALL : OWN) | own;
  }
  const unsigned start = sum_before<unsigned>(total, m.sums);
  unsigned begin = start;
  TSR__UNROLL_BY(4) for (int w = 0; w < WARPS; w++) {
    if (tid >= DIGITS) break;
    const unsigned own_of_warp = m.counts[w][tid];
    m.counts[w][tid] = begin;
    begin += own_of_warp;
  }
  __syncthreads();
  TSR__UNROLL(32) for (int i = 0; i < ITEMS; i++) {
    rank[i] = m.counts[warp][rank[i] >> 24] + (rank[i] & 0xffffffu);
    m.stage.key[rank[i]] = key[i];
  }
  if (tid < DIGITS) {
    const COUNT sum = look_behind(state, tile);
    if (tile > 0) *state = ALL | (sum + own);
    m.to[tid] = s.starts[(row * s.passes + s.pass) * DIGITS + tid] + sum - start;
  }
  __syncthreads();

#if INDEXED
  uint32_t digits[(ITEMS + 3) / 4] = {0}; /* four of them each */
#endif
  U *const to = s.to != NULL ? s.to + row * s.length : NULL;
  TSR__UNROLL(32) for (int i = 0; i < ITEMS; i++) {
    const uint32_t at = (uint32_t)i * THREADS + tid;
    if (at >= valid) continue;
    const U raw = m.stage.key[at];
    const uint32_t d = digit_in(key_of(raw, s.keys), s.pass, pivot);
    if (to != NULL) to[(COUNT)(m.to[d] + at)] = raw;
#if INDEXED
    digits[i / 4] |= d << 8 * (i % 4);
#endif
  }
#if INDEXED
  COUNT index[ITEMS];
  const COUNT *const index_from = s.index_from != NULL ? s.index_from + (row * s.length + first + place) : NULL;
  TSR__UNROLL(32) for (int i = 0; i < ITEMS; i++) {
    const uint32_t at = place + (uint32_t)i * 32;
    index[i] = (COUNT)(first + at);
    if (index_from != NULL && at < valid) index[i] = index_from[i * 32];
  }
  __syncthreads();
  TSR__UNROLL(32) for (int i = 0; i < ITEMS; i++) m.stage.index[rank[i]] = index[i];
  __syncthreads();
  COUNT *const counts_to = (COUNT *)s.index_to + row * s.length;
  int64_t *const wide_to = (int64_t *)s.index_to + row * s.length;
  TSR__UNROLL(32) for (int i = 0; i < ITEMS; i++) {
    const uint32_t at = (uint32_t)i * THREADS + tid;
    if (at >= valid) continue;
    const COUNT to_place = (COUNT)(m.to[digits[i / 4] >> 8 * (i % 4) & 255u] + at);
    if (s.index_bytes == sizeof(COUNT))
      counts_to[to_place] = m.stage.index[at];
    else
      wide_to[to_place] = (int64_t)m.stage.index[at];
  }
#endif
}
#endif
