/* The key at one place of a row's sorted order, found digit by digit from the top: a pass counts, among the elements that agree with what is
 * known, the next 11 bits; the last block of a row then sees which they are. Elements of that key are told apart by their places, in
 * the same way. What is less, and what is equal and comes first, goes to a list in no order.
 *
 * PART: 0 counts, 1 makes the list, 2 gives the key as an element. PLACE: of the list. */
#include "cuda/kernels/keys.cuh"

enum { BINS = 2048, DIGIT_BITS = 11, THREADS = 512, EACH_THREAD = BINS / THREADS };

struct select_state { /* of a row */
  uint64_t prefix;    /* the bits that are known, of keys, then of places among those of one key */
  uint64_t left;      /* elements that are still to be taken among those that agree with it */
  uint64_t key;       /* when it is known whole */
  uint32_t shift;     /* bits below the prefix */
  uint32_t done;      /* all that agree are taken */
  uint32_t by_place;  /* the prefix is of places */
  uint32_t tickets;   /* blocks that have counted; then elements of the list */
};

struct select_args {
  const U *x;
  select_state *states;
  unsigned *counts; /* (rows, BINS), of 0 */
  PLACE *list;      /* (rows, k) */
  U *elements;      /* (rows) */
  key_args keys;
  uint64_t length, k;
  uint32_t blocks;  /* of a row */
  uint32_t first;   /* nothing is known yet */
  uint32_t top;     /* bits below what is known, of keys or of places */
  uint32_t by_place, exact; /* exact: the key is wanted whole */
};

#if PART == 0
/* The sum of x of the threads before this one. */
static inline unsigned sum_before(unsigned x, unsigned *sums) {
  const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned sum = x;
  TSR__UNROLL(5) for (int by = 1; by < 32; by *= 2) {
    const unsigned other = __shfl_up_sync(~0u, sum, (unsigned)by);
    if (lane >= (uint32_t)by) sum += other;
  }
  if (lane == 31) sums[warp] = sum;
  __syncthreads();
  unsigned before = sum - x;
  for (uint32_t w = 0; w < warp; w++) before += sums[w];
  return before;
}

/* The digit among whose elements the last one to be taken is. One thread finds it. */
static inline void take_digit(const select_args &s, select_state *state, unsigned *counts, uint64_t left, unsigned *sums) {
  unsigned own[EACH_THREAD], all = 0;
  TSR__UNROLL(4) for (int i = 0; i < EACH_THREAD; i++) {
    own[i] = ((volatile unsigned *)counts)[threadIdx.x * EACH_THREAD + (unsigned)i];
    counts[threadIdx.x * EACH_THREAD + (unsigned)i] = 0;
    all += own[i];
  }
  const uint32_t width = s.top < DIGIT_BITS ? s.top : (uint32_t)DIGIT_BITS;
  uint64_t before = sum_before(all, sums);
  TSR__UNROLL(4) for (int i = 0; i < EACH_THREAD; i++) {
    if (before < left && left <= before + own[i]) {
      const uint64_t digit = threadIdx.x * EACH_THREAD + (unsigned)i;
      state->prefix = (s.first || (s.by_place && !state->by_place) ? 0 : state->prefix) << width | digit;
      state->left = left - before;
      state->shift = s.top - width;
      state->by_place = s.by_place;
      state->done = left - before == own[i] && !s.exact;
      if (!s.by_place && s.top == width) state->key = state->prefix;
    }
    before += own[i];
  }
}

extern "C" __global__ void __launch_bounds__(THREADS) tsr_select_count(const select_args s) {
  __shared__ unsigned counts[BINS], sums[THREADS / 32];
  __shared__ bool is_last;
  const uint32_t tid = threadIdx.x;
  const uint64_t row = blockIdx.x / s.blocks, part = blockIdx.x % s.blocks;
  select_state *const state = s.states + row;
  if (!s.first && state->done) return;
  const uint64_t each = (s.length + s.blocks - 1) / s.blocks, begin = part * each;
  const uint64_t end = begin + each < s.length ? begin + each : s.length;
  const uint64_t prefix = s.first ? 0 : state->prefix, known = s.first ? 0 : state->key, left = s.first ? s.k : state->left;
  const bool first_places = s.by_place && !state->by_place;
  const uint32_t width = s.top < DIGIT_BITS ? s.top : (uint32_t)DIGIT_BITS, shift = s.top - width;
  const U *const x = s.x + row * s.length;
  for (uint32_t i = tid; i < BINS; i += THREADS) counts[i] = 0;
  __syncthreads();
  for (uint64_t at = begin + tid; at < end; at += 8 * THREADS) {
    U raw[8];
    TSR__UNROLL(8) for (int k = 0; k < 8; k++)
      if (at + (uint64_t)k * THREADS < end) raw[k] = x[at + (uint64_t)k * THREADS];
    TSR__UNROLL(8) for (int k = 0; k < 8; k++) {
      const uint64_t place = at + (uint64_t)k * THREADS;
      if (place >= end) continue;
      const uint64_t key = key_of(raw[k], s.keys), value = s.by_place ? place : key;
      const bool agrees = s.by_place ? key == known && (first_places || place >> s.top == prefix)
                                     : s.first || value >> s.top == prefix;
      if (agrees) atomicAdd(&counts[value >> shift & (BINS - 1) & ((1u << width) - 1)], 1u);
    }
  }
  __syncthreads();
  unsigned *const all = s.counts + row * BINS;
  for (uint32_t i = tid; i < BINS; i += THREADS)
    if (counts[i] != 0) atomicAdd(&all[i], counts[i]);
  __threadfence();
  __syncthreads();
  if (tid == 0) is_last = atomicAdd(&state->tickets, 1u) + 1 == s.blocks;
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  take_digit(s, state, all, left, sums);
  if (tid == 0) state->tickets = 0;
}
#endif

#if PART == 1
extern "C" __global__ void __launch_bounds__(THREADS) tsr_select_list(const select_args s) {
  const uint64_t row = blockIdx.x / s.blocks, part = blockIdx.x % s.blocks;
  select_state *const state = s.states + row;
  const uint64_t each = (s.length + s.blocks - 1) / s.blocks, begin = part * each;
  const uint64_t end = begin + each < s.length ? begin + each : s.length;
  const uint64_t prefix = state->prefix, known = state->key;
  const uint32_t shift = state->shift, by_place = state->by_place;
  const U *const x = s.x + row * s.length;
  for (uint64_t at = begin + threadIdx.x; at < end; at += 8 * THREADS) {
    U raw[8];
    TSR__UNROLL(8) for (int k = 0; k < 8; k++)
      if (at + (uint64_t)k * THREADS < end) raw[k] = x[at + (uint64_t)k * THREADS];
    TSR__UNROLL(8) for (int k = 0; k < 8; k++) {
      const uint64_t place = at + (uint64_t)k * THREADS;
      if (place >= end) continue;
      const uint64_t key = key_of(raw[k], s.keys);
      const bool taken = by_place ? key < known || (key == known && place >> shift <= prefix) : key >> shift <= prefix;
      if (!taken) continue;
      const unsigned to = atomicAdd(&state->tickets, 1u);
      if (to < s.k) s.list[row * s.k + to] = (PLACE)place;
    }
  }
}
#endif

#if PART == 2
extern "C" __global__ void __launch_bounds__(THREADS) tsr_select_element(const select_args s) {
  const uint64_t row = (uint64_t)blockIdx.x * THREADS + threadIdx.x;
  if (row < s.length) s.elements[row] = element_of((U)s.states[row].key, s.keys);
}
#endif
