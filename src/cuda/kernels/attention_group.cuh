/* Attention in f16 and bf16 on sm_90: two groups of four warps have 64 queries of a head each, and share keys and values. Scores of the next keys are
 * on their way while values are added up, and softmax runs beside that. Weights are rounded to the dtype, and never leave registers. */
#include "cuda/kernels/matrix_group.cuh"
#include "cuda/kernels/stages.cuh"
#include "cuda/kernels/attention.cuh"

/* W: columns of q, k and v, with zeros behind those that are there; in halves of 64. */
enum {
  THREADS = 256,
  QUERIES = 128,
  KEYS = GROUP_KEYS,
  HALVES = W / 64,
  CHUNKS = W / 8,           /* of 16 bytes in a row */
  PASS = THREADS / CHUNKS,  /* rows that all threads bring at a time */
  BYTES = KEYS * W * 2
};

extern __shared__ __align__(1024) unsigned char memory[];

/* This thread's chunk of rows PASS apart; left are there. */
template <int rows> static __device__ inline void bring(unsigned char *to, const T *from, int64_t step, int64_t left, bool there) {
  const int row = threadIdx.x / CHUNKS, chunk = threadIdx.x % CHUNKS;
  unsigned char *const place = to + chunk / 8 * (rows * TSR__GROUP_ROW) + tsr__group_chunk(row, chunk % 8);
  TSR__UNROLL(8) for (int i = 0; i < rows / PASS; i++)
    tsr__stage_copy(place + i * PASS * TSR__GROUP_ROW, from + i * PASS * step, there && row + i * PASS < left);
}

static __device__ inline void add_scores(float (*x)[4], const uint32_t (*q)[4], const unsigned char *keys) {
  TSR__UNROLL(2) for (int n = 0; n < KEYS / 64; n++)
    TSR__UNROLL(8) for (int k = 0; k < W / 16; k++)
      tsr__group_multiply_add<BRAIN, false>(x + 8 * n, q[k], keys + (k / 4 * KEYS + n * 64) * TSR__GROUP_ROW + k % 4 * 32, k > 0);
  tsr__group_commit();
}

static __device__ inline void add_values(float (*acc)[4], const uint32_t (*w)[4], const unsigned char *values) {
  TSR__UNROLL(2) for (int n = 0; n < HALVES; n++)
    TSR__UNROLL(8) for (int k = 0; k < KEYS / 16; k++)
      tsr__group_multiply_add<BRAIN, true>(acc + 8 * n, w[k], values + (n * KEYS + k * 16) * TSR__GROUP_ROW, true);
  tsr__group_commit();
}

/* Scores of two rows become weights; what was added up before is to be multiplied with factor. */
static __device__ inline void weigh(const attention_args &s, const TM *const *mask, const int64_t *end, int64_t key, bool edge, float (*x)[4], float *top,
                                    float *sum, float *factor) {
  const int pair = threadIdx.x % 4 * 2;
  TSR__UNROLL(2) for (int i = 0; i < 2; i++) {
#if MASK
    const float unit = 1;
    TSR__UNROLL(16) for (int n = 0; n < KEYS / 8; n++) TSR__UNROLL(2) for (int j = 0; j < 2; j++) {
      const int64_t at = key + n * 8 + pair + j;
      x[n][2 * i + j] = at < s.s ? masked(s, mask[i], at, x[n][2 * i + j]) : minus_infinity;
    }
#else
    const float unit = s.unit;
#endif
    if (edge) {
      const int left = (int)least(end[i] - key, KEYS) - pair;
      TSR__UNROLL(16) for (int n = 0; n < KEYS / 8; n++) TSR__UNROLL(2) for (int j = 0; j < 2; j++)
        if (n * 8 + j >= left) x[n][2 * i + j] = minus_infinity;
    }
    float here = top[i];
    TSR__UNROLL(16) for (int n = 0; n < KEYS / 8; n++) here = fmaxf(here, fmaxf(x[n][2 * i], x[n][2 * i + 1]));
    TSR__UNROLL(2) for (int by = 1; by < 4; by *= 2) here = fmaxf(here, __shfl_xor_sync(0xffffffffu, here, by));
    const float less = here == minus_infinity ? 0 : here * unit;
    factor[i] = power(__builtin_fmaf(top[i], unit, -less));
    top[i] = here;
    float some[2] = {0, 0};
    TSR__UNROLL(16) for (int n = 0; n < KEYS / 8; n++) TSR__UNROLL(2) for (int j = 0; j < 2; j++) {
      float *const w = &x[n][2 * i + j];
      *w = power(__builtin_fmaf(*w, unit, -less));
      some[j] += *w;
    }
    sum[i] = __builtin_fmaf(sum[i], factor[i], some[0] + some[1]);
  }
}

static __device__ inline void round_weights(uint32_t (*w)[4], const float (*x)[4]) {
  TSR__UNROLL(8) for (int k = 0; k < KEYS / 16; k++) TSR__UNROLL(4) for (int i = 0; i < 4; i++)
    w[k][i] = tsr__pair_of<BRAIN>(x[2 * k + i / 2][i % 2 * 2], x[2 * k + i / 2][i % 2 * 2 + 1]);
}

extern "C" __global__ void __launch_bounds__(THREADS, GROUP_BLOCKS) tsr_attention(const __grid_constant__ attention_args s) {
  unsigned char *const tq = tsr__group_aligned(memory), *const tk = tq + QUERIES * W * 2, *const tv = tk + 2 * BYTES;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, at = threadIdx.x % CHUNKS * 8;
  const int64_t number = blockIdx.x, block = s.blocks - 1 - number % s.blocks, head = number / s.blocks;
  const int64_t h = head % s.h, b = head / s.h, hk = h / s.group, first = block * QUERIES, queries = least(QUERIES, s.t - first);
  const int64_t last = keys_of(s, first + queries - 1), sure = keys_of(s, first);
  const int row_of_mine = threadIdx.x / CHUNKS;
  const T *from_k = row_at(s.k, s.k_step, b, hk, row_of_mine) + at, *from_v = row_at(s.v, s.v_step, b, hk, row_of_mine) + at;
  const bool has_k = at < s.d, has_v = at < s.dv;
  const int mine = warp * 16 + lane / 4; /* the first of this thread's queries; the other is 8 apart */
  float acc[W / 8][4], top[2], sum[2], factor[2];
  const TM *mask[2];
  int64_t end[2];
  TSR__UNROLL(2) for (int i = 0; i < 2; i++) {
    const int64_t t = least(first + mine + i * 8, s.t - 1);
    top[i] = minus_infinity, sum[i] = 0;
    end[i] = keys_of(s, t);
    mask[i] = MASK == OF_BOOL || MASK == ADDED ? row_at(s.mask, s.mask_step, b, h, t) : NULL;
  }
  TSR__UNROLL(16) for (int n = 0; n < W / 8; n++) TSR__UNROLL(4) for (int i = 0; i < 4; i++) acc[n][i] = 0;
  if (last > 0) {
    uint32_t q[W / 16][4], w[KEYS / 16][4];
    float x[KEYS / 8][4];
    bring<QUERIES>(tq, row_at(s.q, s.q_step, b, h, first + row_of_mine) + at, s.q_step[2], queries, has_k);
    bring<KEYS>(tk, from_k, s.k_step[2], last, has_k);
    tsr__stage_commit();
    bring<KEYS>(tv, from_v, s.v_step[2], last, has_v);
    if (KEYS < last) bring<KEYS>(tk + BYTES, from_k += KEYS * s.k_step[2], s.k_step[2], last - KEYS, has_k);
    tsr__stage_commit();
    tsr__stage_wait<1>();
    tsr__group_written();
    __syncthreads();
    TSR__UNROLL(8) for (int k = 0; k < W / 16; k++)
      tsr__matrices(q[k], tq + k / 4 * (QUERIES * TSR__GROUP_ROW) + tsr__group_chunk(warp * 16 + lane % 16, k % 4 * 2 + lane / 16));
    tsr__group_begin();
    add_scores(x, q, tk);
    tsr__group_wait<0>();
    tsr__group_settle<KEYS / 8>(x);
    weigh(s, mask, end, 0, KEYS > sure, x, top, sum, factor);
    round_weights(w, x);
    int buffer = 0;
    int64_t key = KEYS; /* of the scores that come next */
    TSR__UNROLL_BY(1) for (; key < last; key += KEYS) {
      tsr__stage_wait<0>();
      tsr__group_written();
      __syncthreads(); /* keys from key on and the values before them are there; nobody reads those before */
      const unsigned char *const values = tv + buffer * BYTES;
      unsigned char *const after = tk + buffer * BYTES;
      buffer ^= 1;
      bring<KEYS>(tv + buffer * BYTES, from_v += KEYS * s.v_step[2], s.v_step[2], last - key, has_v);
      if (key + KEYS < last) bring<KEYS>(after, from_k += KEYS * s.k_step[2], s.k_step[2], last - key - KEYS, has_k);
      tsr__stage_commit();
      tsr__group_begin();
      add_scores(x, q, tk + buffer * BYTES);
      add_values(acc, w, values);
      tsr__group_wait<1>();
      tsr__group_settle<KEYS / 8>(x);
      weigh(s, mask, end, key, key + KEYS > sure, x, top, sum, factor);
      tsr__group_wait<0>();
      tsr__group_settle<W / 8>(acc);
      tsr__group_settle<KEYS / 8>(x); /* so that nothing is written to w earlier */
      TSR__UNROLL(16) for (int n = 0; n < W / 8; n++) TSR__UNROLL(4) for (int i = 0; i < 4; i++) acc[n][i] *= factor[i / 2];
      round_weights(w, x);
    }
    tsr__stage_wait<0>();
    tsr__group_written();
    __syncthreads();
    tsr__group_begin();
    add_values(acc, w, tv + buffer * BYTES);
    tsr__group_wait<0>();
    tsr__group_settle<W / 8>(acc);
  }
  TSR__UNROLL(2) for (int i = 0; i < 2; i++) {
    float all = sum[i];
    TSR__UNROLL(2) for (int by = 1; by < 4; by *= 2) all += __shfl_xor_sync(0xffffffffu, all, by);
    const int row = mine + i * 8;
    if (row >= queries) continue;
    const float by = all == 0 ? 0.0f : 1 / all;
    TO *const out = row_at(s.out, s.out_step, b, h, first + row);
    TSR__UNROLL(16) for (int n = 0; n < W / 8; n++) TSR__UNROLL(2) for (int j = 0; j < 2; j++) {
      const int64_t c = n * 8 + lane % 4 * 2 + j;
      if (c < s.columns) out[c * s.out_step[3]] = STORED(acc[n][2 * i + j] * by);
    }
  }
}
