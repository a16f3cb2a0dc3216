/* Runs of equal keys among sorted elements: how many begin in each chunk, how many before it, and what is to be known of each run. A warp
 * has neighbours, 32 of them a time.
 *
 * PART: 0 counts, 1 sums, 2 tells of each run, 3 makes lengths of where runs begin. NUMBER: of places. */
#include "cuda/kernels/keys.cuh"

enum { THREADS = 256, WARPS = THREADS / 32, EACH = 16, CHUNK = THREADS * EACH, SUMMERS = 1024 };

struct runs_args {
  const U *sorted;
  const NUMBER *order;             /* where each was; NULL where neither index nor inverse is */
  int64_t *before, *count;         /* (chunks): runs that begin before each; of all */
  NUMBER *begins;                  /* where each run does; or NULL */
  U *values;                       /* these may be NULL */
  int64_t *index, *inverse, *counts;
  int64_t values_step, index_step, counts_step;
  key_args keys;
  uint64_t n, chunks;
};

static inline bool begins_at(const runs_args &s, uint64_t at) {
  return at == 0 || key_of(s.sorted[at], s.keys) != key_of(s.sorted[at - 1], s.keys);
}

#if PART == 0
extern "C" __global__ void __launch_bounds__(THREADS) tsr_runs_count(const runs_args s) {
  __shared__ unsigned sums[WARPS];
  const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const uint64_t first = (uint64_t)blockIdx.x * CHUNK + warp * 32 * EACH + lane;
  unsigned sum = 0;
  TSR__UNROLL(16) for (int i = 0; i < EACH; i++) {
    const uint64_t at = first + (uint64_t)i * 32;
    sum += (unsigned)__popc(__ballot_sync(~0u, at < s.n && begins_at(s, at)));
  }
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned all = 0;
  for (int w = 0; w < WARPS; w++) all += sums[w];
  s.before[blockIdx.x] = (int64_t)all;
}
#endif

#if PART == 1
/* One block: what each chunk has becomes what is before it. */
extern "C" __global__ void __launch_bounds__(SUMMERS) tsr_runs_sum(const runs_args s) {
  __shared__ int64_t sums[SUMMERS / 32];
  const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int64_t before = 0;
  for (uint64_t first = 0; first < s.chunks; first += SUMMERS) {
    const uint64_t at = first + threadIdx.x;
    const int64_t own = at < s.chunks ? s.before[at] : 0;
    int64_t sum = own;
    TSR__UNROLL(5) for (int by = 1; by < 32; by *= 2) {
      const long long other = __shfl_up_sync(~0u, (long long)sum, (unsigned)by);
      if (lane >= (uint32_t)by) sum += other;
    }
    if (lane == 31) sums[warp] = sum;
    __syncthreads();
    int64_t all = 0, here = 0;
    for (uint32_t w = 0; w < SUMMERS / 32; w++) {
      if (w < warp) here += sums[w];
      all += sums[w];
    }
    if (at < s.chunks) s.before[at] = before + here + sum - own;
    before += all;
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    s.count[0] = before;
    s.count[1] = 0;
  }
}
#endif

#if PART == 2
extern "C" __global__ void __launch_bounds__(THREADS) tsr_runs_tell(const runs_args s) {
  __shared__ unsigned sums[WARPS];
  const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const uint64_t first = (uint64_t)blockIdx.x * CHUNK + warp * 32 * EACH + lane;
  unsigned begins[EACH], sum = 0;
  TSR__UNROLL(16) for (int i = 0; i < EACH; i++) {
    const uint64_t at = first + (uint64_t)i * 32;
    begins[i] = __ballot_sync(~0u, at < s.n && begins_at(s, at));
    sum += (unsigned)__popc(begins[i]);
  }
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  int64_t run = s.before[blockIdx.x] - 1;
  for (uint32_t w = 0; w < WARPS; w++)
    if (w < warp) run += sums[w];
  TSR__UNROLL(16) for (int i = 0; i < EACH; i++) {
    const uint64_t at = first + (uint64_t)i * 32;
    const int64_t own = run + __popc(begins[i] & (0xffffffffu >> (31 - lane)));
    run += __popc(begins[i]);
    if (at >= s.n) continue;
    const bool is_first = begins[i] >> lane & 1u;
    if (s.inverse != NULL) s.inverse[s.order[at]] = own;
    if (!is_first) continue;
    if (s.values != NULL) s.values[own * s.values_step] = s.sorted[at];
    if (s.index != NULL) s.index[own * s.index_step] = (int64_t)s.order[at];
    if (s.begins != NULL) s.begins[own] = (NUMBER)at;
  }
}
#endif

#if PART == 3
extern "C" __global__ void __launch_bounds__(THREADS) tsr_runs_lengths(const runs_args s) {
  const int64_t run = (int64_t)blockIdx.x * THREADS + threadIdx.x, all = s.count[0];
  if (run >= all) return;
  const uint64_t end = run + 1 < all ? s.begins[run + 1] : s.n;
  s.counts[run * s.counts_step] = (int64_t)(end - s.begins[run]);
}
#endif
