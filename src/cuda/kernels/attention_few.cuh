/* Attention of few queries, as in writing a text word by word: it takes as long as keys and values are read. Rows of k and v are contiguous packs
 * of 16 bytes; LANES threads have a key, a pack each, and a warp has TEAMS keys at a time, AHEAD of them in flight a thread. A block of 128 threads has ROWS
 * queries that share a head of k and v, and a part of the keys. */
#define LOAD(p) TSR__LOAD_CONST(p)
#define STORE(p, v) TSR__STORE(p, v)
#include "cuda/kernels/words.cuh"
#include "cuda/kernels/attention.cuh"

enum { WIDE = 16 / sizeof(T), TEAMS = 32 / LANES, AHEAD = ROWS > 4 ? 2 : 4, WARPS = 4 };

struct state {
  C top, sum, acc[WIDE];
};

/* b joins a. */
static __device__ inline void join(state &a, C top, C sum, const C *acc) {
  const C both = greater(a.top, top), less = less_than(both), by_a = power(a.top - less), by_b = power(top - less);
  a.top = both;
  a.sum = a.sum * by_a + sum * by_b;
  TSR__UNROLL(8) for (int e = 0; e < WIDE; e++) a.acc[e] = a.acc[e] * by_a + acc[e] * by_b;
}

extern "C" __global__ void __launch_bounds__(128) tsr_attention(const __grid_constant__ attention_args s) {
  __shared__ state kept[WARPS][ROWS][LANES];
  const int lane = threadIdx.x % LANES, team = threadIdx.x % 32 / LANES, warp = threadIdx.x / 32;
  int64_t rest = blockIdx.x;
  const int64_t part = rest % s.parts;
  rest /= s.parts;
  const int64_t rows = s.group * s.t, top_row = rest % s.blocks * ROWS;
  rest /= s.blocks;
  const int64_t hk = rest % s.heads, b = rest / s.heads;
  const int64_t first = part * s.part, last = least(least(first + s.part, s.s), keys_of(s, s.t - 1));
  const bool has_k = lane * WIDE < s.d, has_v = lane * WIDE < s.dv;
  C q[ROWS][WIDE];
  state own[ROWS];
  int64_t end[ROWS];
  const TM *mask[ROWS];
  TSR__UNROLL(8) for (int r = 0; r < ROWS; r++) {
    const int64_t row = least(top_row + r, rows - 1), h = hk * s.group + row / s.t, t = row % s.t;
    pack<T, WIDE> p;
    TSR__UNROLL(8) for (int e = 0; e < WIDE; e++) p.v[e] = 0;
    if (has_k) p.load(row_at(s.q, s.q_step, b, h, t) + lane * WIDE);
    TSR__UNROLL(8) for (int e = 0; e < WIDE; e++) q[r][e] = LOADED(p.v[e]), own[r].acc[e] = 0;
    own[r].top = minus_infinity;
    own[r].sum = 0;
    end[r] = least(keys_of(s, t), last);
    mask[r] = MASK == OF_BOOL || MASK == ADDED ? row_at(s.mask, s.mask_step, b, h, t) : NULL;
  }
  const T *const from_k = row_at(s.k, s.k_step, b, hk, 0) + lane * WIDE, *const from_v = row_at(s.v, s.v_step, b, hk, 0) + lane * WIDE;
  for (int64_t key = first + (warp * AHEAD) * TEAMS + team; key - team < last; key += WARPS * AHEAD * TEAMS) {
    pack<T, WIDE> k[AHEAD], v[AHEAD];
    TSR__UNROLL(4) for (int i = 0; i < AHEAD; i++) {
      const int64_t j = key + i * TEAMS;
      TSR__UNROLL(8) for (int e = 0; e < WIDE; e++) k[i].v[e] = v[i].v[e] = 0;
      if (j < last && has_k) k[i].load(from_k + j * s.k_step[2]);
      if (j < last && has_v) v[i].load(from_v + j * s.v_step[2]);
    }
    TSR__UNROLL(8) for (int r = 0; r < ROWS; r++) {
      C x[AHEAD], here = own[r].top;
      TSR__UNROLL(4) for (int i = 0; i < AHEAD; i++) {
        const int64_t j = key + i * TEAMS;
        x[i] = 0;
        TSR__UNROLL(8) for (int e = 0; e < WIDE; e++) x[i] = fused(q[r][e], LOADED(k[i].v[e]), x[i]);
        TSR__UNROLL(5) for (int by = LANES / 2; by > 0; by /= 2) x[i] += __shfl_xor_sync(0xffffffffu, x[i], by);
        x[i] = j < end[r] ? masked(s, mask[r], j, x[i]) : minus_infinity;
        here = greater(here, x[i]);
      }
      const C less = less_than(here), factor = power(own[r].top - less);
      own[r].top = here;
      own[r].sum *= factor;
      TSR__UNROLL(8) for (int e = 0; e < WIDE; e++) own[r].acc[e] *= factor;
      TSR__UNROLL(4) for (int i = 0; i < AHEAD; i++) {
        const C w = power(x[i] - less);
        own[r].sum += w;
        TSR__UNROLL(8) for (int e = 0; e < WIDE; e++) own[r].acc[e] = fused(w, LOADED(v[i].v[e]), own[r].acc[e]);
      }
    }
  }
  /* Teams of a warp, then warps. */
  TSR__UNROLL(8) for (int r = 0; r < ROWS; r++) {
    TSR__UNROLL(5) for (int by = LANES; by < 32; by *= 2) {
      C acc[WIDE];
      TSR__UNROLL(8) for (int e = 0; e < WIDE; e++) acc[e] = __shfl_xor_sync(0xffffffffu, own[r].acc[e], by);
      const C top = __shfl_xor_sync(0xffffffffu, own[r].top, by), sum = __shfl_xor_sync(0xffffffffu, own[r].sum, by);
      join(own[r], top, sum, acc);
    }
    if (team == 0) kept[warp][r][lane] = own[r];
  }
  __syncthreads();
  TSR__UNROLL_BY(1) for (int at = threadIdx.x; at < ROWS * LANES; at += 128) {
    const int r = at / LANES, l = at % LANES;
    const int64_t row = top_row + r;
    if (row >= rows) break;
    state all = kept[0][r][l];
    TSR__UNROLL(3) for (int w = 1; w < WARPS; w++) join(all, kept[w][r][l].top, kept[w][r][l].sum, kept[w][r][l].acc);
    const int64_t number = ((b * s.heads + hk) * rows + row) * s.parts + part;
    TO *const out = row_at(s.out, s.out_step, b, hk * s.group + row / s.t, row % s.t);
    TSR__UNROLL(8) for (int e = 0; e < WIDE; e++) {
      const int64_t c = l * WIDE + e;
      if (c >= s.columns) break;
      if (s.parts > 1)
        s.sums[number * s.columns + c] = all.acc[e];
      else
        out[c * s.out_step[3]] = STORED(all.sum == 0 ? (C)0 : all.acc[e] / all.sum);
    }
    if (s.parts > 1 && l == 0) {
      s.tops[2 * number] = all.top;
      s.tops[2 * number + 1] = all.sum;
    }
  }
}
