/* Attention in f32 by tiles: a block of 128 threads has QUERIES queries of a head, and takes 64 keys at a time. A thread has 8 keys (or columns / 8 of the output) of
 * QUERIES / 16 queries. Queries, keys and weights are transposed in shared memory, so that what a thread multiplies are packs of four:
 * 4 loads for 64 products. The next keys are on their way through registers, the next values past them, while values are summed. */
#include "cuda/kernels/attention.cuh"

/* W: columns of q, k and v, with zeros behind those that are there. */
enum {
  QUERIES = W <= 64 ? 128 : 64,
  KEYS = 64,
  THREADS = 128,
  ROWS = QUERIES / 16,
  COLUMNS = W / 8,
  QUADS = W / 4,
  PACKS = KEYS * QUADS / THREADS /* of 4 numbers, that a thread brings of a tile of keys */
};

extern __shared__ __align__(16) unsigned char memory[];

static inline float4 no_numbers() {
  float4 x;
  x.x = x.y = x.z = x.w = 0;
  return x;
}

/* Numbers i, i + 1, … of a row's queries, or keys: in fours that are a half of all apart. */
static inline constexpr int mine(int of, int at, int i) { return i / 4 * (of / 2) + at * 4 + i % 4; }

/* The keys from first on, to registers: a thread's lie side by side with those of its neighbours. */
static __device__ inline void bring_keys(const T *from, int64_t step, int64_t there, int columns, float4 *to) {
  const int row = threadIdx.x % KEYS, first = threadIdx.x / KEYS;
  TSR__UNROLL(16) for (int i = 0; i < PACKS; i++) {
    const int quad = first + i * (THREADS / KEYS);
    to[i] = row < there && 4 * quad < columns ? *(const float4 *)(from + row * step + 4 * quad) : no_numbers();
  }
}
static __device__ inline void put_keys(float *to, const float4 *from) {
  const int row = threadIdx.x % KEYS, first = threadIdx.x / KEYS;
  TSR__UNROLL(16) for (int i = 0; i < PACKS; i++) {
    float *const at = to + 4 * (first + i * (THREADS / KEYS)) * KEYS + row;
    at[0] = from[i].x;
    at[KEYS] = from[i].y;
    at[2 * KEYS] = from[i].z;
    at[3 * KEYS] = from[i].w;
  }
}

static __device__ inline void bring_values(float *to, const T *from, int64_t step, int64_t there, int columns) {
  TSR__UNROLL(16) for (int i = 0; i < PACKS; i++) {
    const int at = threadIdx.x + i * THREADS, row = at / QUADS, quad = at % QUADS;
    if (row < there && 4 * quad < columns)
      tsr__copy_async(to + 4 * at, from + row * step + 4 * quad);
    else
      *(float4 *)(to + 4 * at) = no_numbers();
  }
}

static __device__ inline void bring_queries(float *to, const T *from, int64_t step, int64_t there, int columns) {
  TSR__UNROLL_BY(4) for (int at = threadIdx.x; at < QUERIES * QUADS; at += THREADS) {
    const int row = at % QUERIES, quad = at / QUERIES;
    const float4 x = row < there && 4 * quad < columns ? *(const float4 *)(from + row * step + 4 * quad) : no_numbers();
    to[(4 * quad + 0) * QUERIES + row] = x.x;
    to[(4 * quad + 1) * QUERIES + row] = x.y;
    to[(4 * quad + 2) * QUERIES + row] = x.z;
    to[(4 * quad + 3) * QUERIES + row] = x.w;
  }
}

template <int n> static __device__ inline void take(float *to, const float *from, int apart) {
  TSR__UNROLL(4) for (int i = 0; i < n; i += 4) {
    const float4 x = *(const float4 *)(from + i / 4 * apart);
    to[i] = x.x, to[i + 1] = x.y, to[i + 2] = x.z, to[i + 3] = x.w;
  }
}

/* Weights lie in fours of queries; which four is where depends on the key, so that threads of other keys write to other banks. */
static inline int four_at(int key, int four) { return key * QUERIES + (four ^ (key / 4 % 8)) * 4; }

extern "C" __global__ void __launch_bounds__(THREADS, 2) tsr_attention(const __grid_constant__ attention_args s) {
  float *const tq = (float *)memory, *const tk = tq + W * QUERIES, *const tv = tk + W * KEYS, *const tp = tv + W * KEYS;
  const int tx = threadIdx.x % 8, ty = threadIdx.x / 8;
  const int64_t number = blockIdx.x, block = s.blocks - 1 - number % s.blocks, head = number / s.blocks;
  const int64_t h = head % s.h, b = head / s.h, hk = h / s.group, first = block * QUERIES, queries = least(QUERIES, s.t - first);
  const int64_t last = keys_of(s, first + queries - 1), sure = keys_of(s, first); /* keys for any of the queries, and for all */
  const T *const from_k = row_at(s.k, s.k_step, b, hk, 0), *const from_v = row_at(s.v, s.v_step, b, hk, 0);
  float acc[ROWS][COLUMNS], top[ROWS], sum[ROWS];
  float4 next[PACKS];
  TSR__UNROLL(8) for (int i = 0; i < ROWS; i++) {
    top[i] = minus_infinity;
    sum[i] = 0;
    TSR__UNROLL(16) for (int j = 0; j < COLUMNS; j++) acc[i][j] = 0;
  }
  bring_queries(tq, row_at(s.q, s.q_step, b, h, first), s.q_step[2], queries, (int)s.d);
  if (last > 0) {
    bring_keys(from_k, s.k_step[2], last, (int)s.d, next);
    put_keys(tk, next);
    bring_values(tv, from_v, s.v_step[2], last, (int)s.dv);
  }
  __syncthreads();
  for (int64_t key = 0; key < last; key += KEYS) {
    float x[ROWS][8];
    TSR__UNROLL(8) for (int i = 0; i < ROWS; i++) TSR__UNROLL(8) for (int j = 0; j < 8; j++) x[i][j] = 0;
    TSR__UNROLL_BY(8) for (int c = 0; c < W; c++) {
      float l[ROWS], r[8];
      take<ROWS>(l, tq + c * QUERIES + ty * 4, QUERIES / 2);
      take<8>(r, tk + c * KEYS + tx * 4, KEYS / 2);
      TSR__UNROLL(8) for (int i = 0; i < ROWS; i++) TSR__UNROLL(8) for (int j = 0; j < 8; j++) x[i][j] = __builtin_fmaf(l[i], r[j], x[i][j]);
    }
    const bool edge = key + KEYS > sure;
    TSR__UNROLL(8) for (int i = 0; i < ROWS; i++) {
      const int64_t t = least(first + mine(QUERIES, ty, i), s.t - 1);
#if MASK
      const TM *const mask = MASK == SCALED ? NULL : row_at(s.mask, s.mask_step, b, h, t);
      const float unit = 1;
      TSR__UNROLL(8) for (int j = 0; j < 8; j++) {
        const int64_t at = key + mine(KEYS, tx, j);
        x[i][j] = at < s.s ? masked(s, mask, at, x[i][j]) : minus_infinity;
      }
#else
      const float unit = s.unit;
#endif
      if (edge) {
        const int64_t end = keys_of(s, t) - key;
        TSR__UNROLL(8) for (int j = 0; j < 8; j++)
          if (mine(KEYS, tx, j) >= end) x[i][j] = minus_infinity;
      }
      float here = top[i];
      TSR__UNROLL(8) for (int j = 0; j < 8; j++) here = fmaxf(here, x[i][j]);
      TSR__UNROLL(3) for (int by = 1; by < 8; by *= 2) here = fmaxf(here, __shfl_xor_sync(0xffffffffu, here, by));
      const float less = here == minus_infinity ? 0 : here * unit, factor = power(__builtin_fmaf(top[i], unit, -less));
      float some = 0;
      TSR__UNROLL(8) for (int j = 0; j < 8; j++) {
        x[i][j] = power(__builtin_fmaf(x[i][j], unit, -less));
        some += x[i][j];
      }
      top[i] = here;
      sum[i] = __builtin_fmaf(sum[i], factor, some);
      TSR__UNROLL(16) for (int j = 0; j < COLUMNS; j++) acc[i][j] *= factor;
    }
    TSR__UNROLL(8) for (int j = 0; j < 8; j++) {
      TSR__UNROLL(2) for (int i = 0; i < ROWS; i += 4) {
        float4 w;
        w.x = x[i][j], w.y = x[i + 1][j], w.z = x[i + 2][j], w.w = x[i + 3][j];
        *(float4 *)(tp + four_at(mine(KEYS, tx, j), ty + i * 4)) = w;
      }
    }
    const int64_t left = last - key - KEYS;
    tsr__copy_wait();
    __syncthreads();
    if (left > 0) bring_keys(from_k + (key + KEYS) * s.k_step[2], s.k_step[2], left, (int)s.d, next);
    TSR__UNROLL_BY(8) for (int c = 0; c < KEYS; c++) {
      float l[ROWS], r[COLUMNS];
      TSR__UNROLL(2) for (int i = 0; i < ROWS; i += 4) take<4>(l + i, tp + four_at(c, ty + i * 4), 0);
      take<COLUMNS>(r, tv + c * W + tx * 4, 32);
      TSR__UNROLL(8) for (int i = 0; i < ROWS; i++) TSR__UNROLL(16) for (int j = 0; j < COLUMNS; j++) acc[i][j] = __builtin_fmaf(l[i], r[j], acc[i][j]);
    }
    __syncthreads();
    if (left > 0) {
      put_keys(tk, next);
      bring_values(tv, from_v + (key + KEYS) * s.v_step[2], s.v_step[2], left, (int)s.dv);
      __syncthreads();
    }
  }
  TSR__UNROLL(8) for (int i = 0; i < ROWS; i++) {
    TSR__UNROLL(3) for (int by = 1; by < 8; by *= 2) sum[i] += __shfl_xor_sync(0xffffffffu, sum[i], by);
    const int row = mine(QUERIES, ty, i);
    if (row >= queries) continue;
    const float by = sum[i] == 0 ? 0.0f : 1 / sum[i];
    TO *const out = row_at(s.out, s.out_step, b, h, first + row);
    TSR__UNROLL(16) for (int j = 0; j < COLUMNS; j++) {
      const int64_t c = j / 4 * 32 + tx * 4 + j % 4;
      if (c < s.columns) out[c * s.out_step[3]] = STORED(acc[i][j] * by);
    }
  }
}
