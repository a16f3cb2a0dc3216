/* Attention in f16 and bf16 of 2 to 16 queries that share a head of keys, as groups of heads do when a text is written word by word, by products of warps:
 * keys and values are read once, at memory's rate. A block of 128 threads has a part of the keys; its warps take 16 keys at a time each, with two more such
 * tiles on their way. Weights multiply values in two parts of the dtype, so that they keep at least 16 bits. */
#include "cuda/kernels/matrix.cuh"
#include "cuda/kernels/stages.cuh"
#include "cuda/kernels/attention.cuh"

/* W: columns of q, k and v, with zeros behind those that are there. */
enum {
  WARPS = 4,
  KEYS = 16,
  QUERIES = 16,
  STAGES = 3,
  CHUNKS = W / 8,       /* of 16 bytes in a row */
  PASS = 32 / CHUNKS,   /* rows that a warp brings at a time */
  BYTES = KEYS * W * 2
};

extern __shared__ __align__(16) unsigned char memory[];

/* Chunk of a row in shared memory: eight rows side by side lie in other banks. */
static inline int chunk_at(int row, int chunk) { return (row * CHUNKS + (chunk ^ row % 8)) * 16; }

/* This thread's chunk of rows PASS apart; left are there. */
static __device__ inline void bring(unsigned char *to, const T *from, int64_t step, int64_t left, bool there) {
  const int lane = threadIdx.x % 32;
  TSR__UNROLL(8) for (int i = 0; i < KEYS / PASS; i++) {
    const int row = lane / CHUNKS + i * PASS;
    tsr__stage_copy(to + chunk_at(row, lane % CHUNKS), from + i * PASS * step, there && row < left);
  }
}

/* What rounding to the dtype left of two weights. */
static __device__ inline uint32_t rest_of(uint32_t rounded, float low, float high) {
  const float a = BRAIN ? tsr__f32_of_bits(rounded << 16) : tsr__f32_of_f16((uint16_t)rounded);
  const float b = BRAIN ? tsr__f32_of_bits(rounded & 0xffff0000u) : tsr__f32_of_f16((uint16_t)(rounded >> 16));
  return tsr__pair_of<BRAIN>(low - a, high - b);
}

extern "C" __global__ void __launch_bounds__(128, 2) tsr_attention(const __grid_constant__ attention_args s) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, pair = lane % 4 * 2, rows = (int)(s.group * s.t);
  unsigned char *const own = memory + warp * STAGES * 2 * BYTES;
  int64_t rest = blockIdx.x;
  const int64_t part = rest % s.parts;
  rest /= s.parts;
  const int64_t hk = rest % s.heads, b = rest / s.heads;
  const int64_t first = part * s.part, last = least(least(first + s.part, s.s), keys_of(s, s.t - 1));
  const int column = lane % CHUNKS * 8;
  const bool has_k = column < s.d, has_v = column < s.dv;
  int64_t next = first + warp * KEYS; /* the first key of the next tile to bring */
  const T *from_k = row_at(s.k, s.k_step, b, hk, next + lane / CHUNKS) + column, *from_v = row_at(s.v, s.v_step, b, hk, next + lane / CHUNKS) + column;
  uint32_t q[W / 16][4];
  float acc[W / 8][4], top[2], sum[2];
  int64_t end[2];
  const TM *mask[2];
  TSR__UNROLL(2) for (int i = 0; i < 2; i++) {
    const int row = lane / 4 + 8 * i, there = row < rows ? row : rows - 1;
    const int64_t h = hk * s.group + there / s.t, t = there % s.t;
    const T *const from = row_at(s.q, s.q_step, b, h, t);
    TSR__UNROLL(8) for (int k = 0; k < W / 16; k++) TSR__UNROLL(2) for (int j = 0; j < 2; j++) {
      const int c = 16 * k + 8 * j + pair;
      q[k][2 * j + i] = row < rows && c < s.d ? *(const uint32_t *)(from + c) : 0;
    }
    top[i] = minus_infinity, sum[i] = 0;
    end[i] = least(keys_of(s, t), last);
    mask[i] = MASK == OF_BOOL || MASK == ADDED ? row_at(s.mask, s.mask_step, b, h, t) : NULL;
  }
  TSR__UNROLL(16) for (int n = 0; n < W / 8; n++) TSR__UNROLL(4) for (int i = 0; i < 4; i++) acc[n][i] = 0;
  int stage = 0, free = 0;
  TSR__UNROLL_BY(1) for (int64_t key = next - (STAGES - 1) * WARPS * KEYS; key < last; key += WARPS * KEYS) {
    if (key >= first) tsr__stage_wait<STAGES - 2>();
    __syncwarp(); /* the tile is there, and nobody reads the one before */
    if (next < last) {
      bring(own + free * 2 * BYTES, from_k, s.k_step[2], last - next, has_k);
      bring(own + free * 2 * BYTES + BYTES, from_v, s.v_step[2], last - next, has_v);
      from_k += WARPS * KEYS * s.k_step[2], from_v += WARPS * KEYS * s.v_step[2], next += WARPS * KEYS;
    }
    free = free == STAGES - 1 ? 0 : free + 1;
    tsr__stage_commit();
    if (key < first) continue;
    const unsigned char *const keys = own + stage * 2 * BYTES, *const values = keys + BYTES;
    stage = stage == STAGES - 1 ? 0 : stage + 1;
    float x[2][4] = {{0, 0, 0, 0}, {0, 0, 0, 0}};
    TSR__UNROLL(8) for (int k = 0; k < W / 16; k++) {
      uint32_t r[4];
      tsr__matrices(r, keys + chunk_at(lane / 16 * 8 + lane % 8, 2 * k + lane / 8 % 2));
      tsr__multiply_add<BRAIN>(x[0], q[k], r[0], r[1]);
      tsr__multiply_add<BRAIN>(x[1], q[k], r[2], r[3]);
    }
    TSR__UNROLL(2) for (int i = 0; i < 2; i++) {
      float here = top[i];
      TSR__UNROLL(2) for (int n = 0; n < 2; n++) TSR__UNROLL(2) for (int j = 0; j < 2; j++) {
        const int64_t at = key + n * 8 + pair + j;
        float *const one = &x[n][2 * i + j];
        *one = at < end[i] ? masked(s, mask[i], at, *one) : minus_infinity;
        here = greater(here, *one);
      }
      TSR__UNROLL(2) for (int by = 1; by < 4; by *= 2) here = greater(here, __shfl_xor_sync(0xffffffffu, here, by));
      const float less = less_than(here), factor = power(top[i] - less);
      top[i] = here;
      sum[i] *= factor;
      TSR__UNROLL(2) for (int n = 0; n < 2; n++) TSR__UNROLL(2) for (int j = 0; j < 2; j++) {
        x[n][2 * i + j] = power(x[n][2 * i + j] - less);
        sum[i] += x[n][2 * i + j];
      }
      TSR__UNROLL(16) for (int n = 0; n < W / 8; n++) TSR__UNROLL(2) for (int j = 0; j < 2; j++) acc[n][2 * i + j] *= factor;
    }
    uint32_t w[4], left[4];
    TSR__UNROLL(4) for (int i = 0; i < 4; i++) {
      const float low = x[i / 2][i % 2 * 2], high = x[i / 2][i % 2 * 2 + 1];
      w[i] = tsr__pair_of<BRAIN>(low, high);
      left[i] = rest_of(w[i], low, high);
    }
    TSR__UNROLL(8) for (int n = 0; n < W / 8; n += 2) {
      uint32_t r[4];
      tsr__matrices_transposed(r, values + chunk_at(lane % 16, n + lane / 16));
      tsr__multiply_add<BRAIN>(acc[n], w, r[0], r[1]);
      tsr__multiply_add<BRAIN>(acc[n + 1], w, r[2], r[3]);
      tsr__multiply_add<BRAIN>(acc[n], left, r[0], r[1]);
      tsr__multiply_add<BRAIN>(acc[n + 1], left, r[2], r[3]);
    }
  }
  /* Warps become one, in their order. */
  tsr__stage_wait<0>();
  __syncthreads();
  float *const sums = (float *)memory, *const tops = sums + WARPS * QUERIES * W; /* (WARPS, QUERIES, W) and (WARPS, QUERIES, 2) */
  TSR__UNROLL(2) for (int i = 0; i < 2; i++) {
    const int at = warp * QUERIES + lane / 4 + 8 * i;
    TSR__UNROLL(2) for (int by = 1; by < 4; by *= 2) sum[i] += __shfl_xor_sync(0xffffffffu, sum[i], by);
    if (lane % 4 == 0) tops[2 * at] = top[i], tops[2 * at + 1] = sum[i];
    TSR__UNROLL(16) for (int n = 0; n < W / 8; n++) TSR__UNROLL(2) for (int j = 0; j < 2; j++) sums[at * W + n * 8 + pair + j] = acc[n][2 * i + j];
  }
  __syncthreads();
  TSR__UNROLL_BY(1) for (int at = threadIdx.x; at < rows * W; at += 128) {
    const int row = at / W, c = at % W;
    if (c >= s.columns) continue;
    float most = minus_infinity, all = 0, weights = 0;
    TSR__UNROLL(4) for (int i = 0; i < WARPS; i++) most = greater(most, tops[2 * (i * QUERIES + row)]);
    TSR__UNROLL(4) for (int i = 0; i < WARPS; i++) {
      const float by = power(tops[2 * (i * QUERIES + row)] - less_than(most));
      all = fused(by, sums[i * QUERIES * W + at], all);
      weights = fused(by, tops[2 * (i * QUERIES + row) + 1], weights);
    }
    const int64_t number = ((b * s.heads + hk) * rows + row) * s.parts + part;
    if (s.parts > 1) {
      s.sums[number * s.columns + c] = all;
      if (c == 0) s.tops[2 * number] = most, s.tops[2 * number + 1] = weights;
    } else {
      row_at(s.out, s.out_step, b, hk * s.group + row / s.t, row % s.t)[c * s.out_step[3]] = STORED(weights == 0 ? 0.0f : all / weights);
    }
  }
}
