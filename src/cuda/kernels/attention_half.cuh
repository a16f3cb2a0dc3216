/* Attention in f16 and bf16 by products of warps, summed in f32: a block of 128 threads has QUERIES queries of a head, a warp 16 * TILES of them,
 * and takes 64 keys at a time; the next ones are on their way meanwhile. Weights are rounded to the dtype, and never leave registers. */
#include "cuda/kernels/matrix.cuh"
#include "cuda/kernels/attention.cuh"

/* W: columns of q, k and v, with zeros behind those that are there. */
enum {
  WARPS = 4,
  THREADS = 32 * WARPS,
  TILES = W == 64 ? 2 : 1,
  QUERIES = 16 * TILES * WARPS,
  KEYS = 64,
  CHUNKS = W / 8, /* of 16 bytes in a row */
  BYTES = KEYS * W * 2
};

extern __shared__ __align__(16) unsigned char memory[];

/* Chunk of a row in shared memory: eight rows side by side lie in other banks. */
static inline int chunk_at(int row, int chunk) { return (row * CHUNKS + (chunk ^ row % 8)) * 16; }

template <int rows> static __device__ inline void bring(unsigned char *to, const T *from, int64_t step, int64_t there, int columns) {
  TSR__UNROLL(8) for (int i = 0; i < rows * CHUNKS / THREADS; i++) {
    const int at = threadIdx.x + i * THREADS, row = at / CHUNKS, chunk = at % CHUNKS;
    unsigned char *const place = to + chunk_at(row, chunk);
    if (row < there && 8 * chunk < columns)
      tsr__copy_async(place, from + row * step + 8 * chunk);
    else
      *(uint4 *)place = make_uint4(0, 0, 0, 0);
  }
}

extern "C" __global__ void __launch_bounds__(THREADS, 2) tsr_attention(const __grid_constant__ attention_args s) {
  unsigned char *const tq = memory, *const tk = tq + QUERIES * W * 2, *const tv = tk + 2 * BYTES;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, pair = lane % 4 * 2;
  const int64_t number = blockIdx.x, block = s.blocks - 1 - number % s.blocks, head = number / s.blocks;
  const int64_t h = head % s.h, b = head / s.h, hk = h / s.group, first = block * QUERIES, queries = least(QUERIES, s.t - first);
  const int64_t last = keys_of(s, first + queries - 1), sure = keys_of(s, first);
  const T *const from_k = row_at(s.k, s.k_step, b, hk, 0), *const from_v = row_at(s.v, s.v_step, b, hk, 0);
  const int mine = warp * 16 * TILES + lane / 4; /* the first of this thread's queries; others are 8 apart */
  uint32_t q[TILES][W / 16][4];
  float acc[TILES][W / 8][4], top[TILES][2], sum[TILES][2];
  TSR__UNROLL(2) for (int m = 0; m < TILES; m++) {
    TSR__UNROLL(2) for (int i = 0; i < 2; i++) top[m][i] = minus_infinity, sum[m][i] = 0;
    TSR__UNROLL(16) for (int n = 0; n < W / 8; n++) TSR__UNROLL(4) for (int i = 0; i < 4; i++) acc[m][n][i] = 0;
  }
  bring<QUERIES>(tq, row_at(s.q, s.q_step, b, h, first), s.q_step[2], queries, (int)s.d);
  bring<KEYS>(tk, from_k, s.k_step[2], last, (int)s.d);
  bring<KEYS>(tv, from_v, s.v_step[2], last, (int)s.dv);
  tsr__copy_wait();
  __syncthreads();
  TSR__UNROLL(2) for (int m = 0; m < TILES; m++)
    TSR__UNROLL(8) for (int k = 0; k < W / 16; k++)
      tsr__matrices(q[m][k], tq + chunk_at((warp * TILES + m) * 16 + lane % 16, 2 * k + lane / 16));
  int buffer = 0;
  for (int64_t key = 0; key < last; key += KEYS) {
    const unsigned char *const keys = tk + buffer * BYTES, *const values = tv + buffer * BYTES;
    buffer ^= 1;
    if (key + KEYS < last) {
      const int64_t left = last - key - KEYS;
      bring<KEYS>(tk + buffer * BYTES, from_k + (key + KEYS) * s.k_step[2], s.k_step[2], left, (int)s.d);
      bring<KEYS>(tv + buffer * BYTES, from_v + (key + KEYS) * s.v_step[2], s.v_step[2], left, (int)s.dv);
    }
    float x[TILES][KEYS / 8][4];
    TSR__UNROLL(2) for (int m = 0; m < TILES; m++)
      TSR__UNROLL(8) for (int n = 0; n < KEYS / 8; n++) TSR__UNROLL(4) for (int i = 0; i < 4; i++) x[m][n][i] = 0;
    TSR__UNROLL(8) for (int k = 0; k < W / 16; k++)
      TSR__UNROLL(4) for (int n = 0; n < KEYS / 8; n += 2) {
        uint32_t r[4];
        tsr__matrices(r, keys + chunk_at(n * 8 + lane / 16 * 8 + lane % 8, 2 * k + lane / 8 % 2));
        TSR__UNROLL(2) for (int m = 0; m < TILES; m++) {
          tsr__multiply_add<BRAIN>(x[m][n], q[m][k], r[0], r[1]);
          tsr__multiply_add<BRAIN>(x[m][n + 1], q[m][k], r[2], r[3]);
        }
      }
    const bool edge = key + KEYS > sure;
    TSR__UNROLL(2) for (int m = 0; m < TILES; m++) TSR__UNROLL(2) for (int i = 0; i < 2; i++) {
      const int64_t t = least(first + mine + m * 16 + i * 8, s.t - 1);
#if MASK
      const TM *const mask = MASK == SCALED ? NULL : row_at(s.mask, s.mask_step, b, h, t);
      const float unit = 1;
      TSR__UNROLL(8) for (int n = 0; n < KEYS / 8; n++) TSR__UNROLL(2) for (int j = 0; j < 2; j++) {
        const int64_t at = key + n * 8 + pair + j;
        x[m][n][2 * i + j] = at < s.s ? masked(s, mask, at, x[m][n][2 * i + j]) : minus_infinity;
      }
#else
      const float unit = s.unit;
#endif
      if (edge) {
        const int64_t end = keys_of(s, t) - key - pair;
        TSR__UNROLL(8) for (int n = 0; n < KEYS / 8; n++) TSR__UNROLL(2) for (int j = 0; j < 2; j++)
          if (n * 8 + j >= end) x[m][n][2 * i + j] = minus_infinity;
      }
      float here = top[m][i];
      TSR__UNROLL(8) for (int n = 0; n < KEYS / 8; n++) here = fmaxf(here, fmaxf(x[m][n][2 * i], x[m][n][2 * i + 1]));
      TSR__UNROLL(2) for (int by = 1; by < 4; by *= 2) here = fmaxf(here, __shfl_xor_sync(0xffffffffu, here, by));
      const float less = here == minus_infinity ? 0 : here * unit, factor = power(__builtin_fmaf(top[m][i], unit, -less));
      float some = 0;
      TSR__UNROLL(8) for (int n = 0; n < KEYS / 8; n++) TSR__UNROLL(2) for (int j = 0; j < 2; j++) {
        float *const w = &x[m][n][2 * i + j];
        *w = power(__builtin_fmaf(*w, unit, -less));
        some += *w;
      }
      top[m][i] = here;
      sum[m][i] = __builtin_fmaf(sum[m][i], factor, some);
      TSR__UNROLL(16) for (int n = 0; n < W / 8; n++) TSR__UNROLL(2) for (int j = 0; j < 2; j++) acc[m][n][2 * i + j] *= factor;
    }
    TSR__UNROLL(4) for (int k = 0; k < KEYS / 16; k++) {
      uint32_t w[TILES][4];
      TSR__UNROLL(2) for (int m = 0; m < TILES; m++) TSR__UNROLL(4) for (int i = 0; i < 4; i++)
        w[m][i] = tsr__pair_of<BRAIN>(x[m][2 * k + i / 2][i % 2 * 2], x[m][2 * k + i / 2][i % 2 * 2 + 1]);
      TSR__UNROLL(8) for (int n = 0; n < W / 8; n += 2) {
        uint32_t r[4];
        tsr__matrices_transposed(r, values + chunk_at(k * 16 + lane % 16, n + lane / 16));
        TSR__UNROLL(2) for (int m = 0; m < TILES; m++) {
          tsr__multiply_add<BRAIN>(acc[m][n], w[m], r[0], r[1]);
          tsr__multiply_add<BRAIN>(acc[m][n + 1], w[m], r[2], r[3]);
        }
      }
    }
    tsr__copy_wait();
    __syncthreads();
  }
  TSR__UNROLL(2) for (int m = 0; m < TILES; m++) TSR__UNROLL(2) for (int i = 0; i < 2; i++) {
    float all = sum[m][i];
    TSR__UNROLL(2) for (int by = 1; by < 4; by *= 2) all += __shfl_xor_sync(0xffffffffu, all, by);
    const int row = mine + m * 16 + i * 8;
    if (row >= queries) continue;
    const float by = all == 0 ? 0.0f : 1 / all;
    TO *const out = row_at(s.out, s.out_step, b, h, first + row);
    TSR__UNROLL(16) for (int n = 0; n < W / 8; n++) TSR__UNROLL(2) for (int j = 0; j < 2; j++) {
      const int64_t c = n * 8 + pair + j;
      if (c < s.columns) out[c * s.out_step[3]] = STORED(acc[m][n][2 * i + j] * by);
    }
  }
}
