/* Attention of any strides, dtypes and columns: a block of 256 threads has 16 queries that share a head of k and v, 64 columns of the output, and
 * a part of the keys, 32 at a time. 16 threads have a query. */
#include "cuda/kernels/attention.cuh"

enum { QUERIES = 16, KEYS = 32, DEEP = 32, SLICE = 64 };

extern "C" __global__ void __launch_bounds__(256) tsr_attention(const __grid_constant__ attention_args s) {
  __shared__ C q[QUERIES][DEEP + 1], k[KEYS][DEEP + 1], v[KEYS][SLICE + 1], p[QUERIES][KEYS + 1];
  const int own = threadIdx.x / 16, lane = threadIdx.x % 16;
  int64_t rest = blockIdx.x;
  const int64_t part = rest % s.parts;
  rest /= s.parts;
  const int64_t left = rest % s.slices * SLICE;
  rest /= s.slices;
  const int64_t rows = s.group * s.t, top_row = rest % s.blocks * QUERIES;
  rest /= s.blocks;
  const int64_t hk = rest % s.heads, b = rest / s.heads;
  const int64_t row = top_row + own < rows ? top_row + own : rows - 1;
  const int64_t h = hk * s.group + row / s.t, t = row % s.t;
  const int64_t first = part * s.part, last = least(least(first + s.part, s.s), keys_of(s, s.t - 1)), end = keys_of(s, t);
  const T *from_q[2]; /* of the rows of q that this thread reads */
  TSR__UNROLL(2) for (int i = 0; i < 2; i++) {
    const int64_t r = least(top_row + threadIdx.x / DEEP + 8 * i, rows - 1);
    from_q[i] = row_at(s.q, s.q_step, b, hk * s.group + r / s.t, r % s.t);
  }
  const T *const from_k = row_at(s.k, s.k_step, b, hk, 0), *const from_v = row_at(s.v, s.v_step, b, hk, 0);
  const TM *const mask = MASK == OF_BOOL || MASK == ADDED ? row_at(s.mask, s.mask_step, b, h, t) : NULL;
  C top = minus_infinity, sum = 0, acc[4] = {0, 0, 0, 0};
  for (int64_t key = first; key < last; key += KEYS) {
    C x[2] = {0, 0};
    for (int64_t deep = 0; deep < s.d; deep += DEEP) {
      const int64_t c = deep + threadIdx.x % DEEP;
      const int down = threadIdx.x / DEEP;
      TSR__UNROLL(2) for (int i = 0; i < 2; i++) q[down + 8 * i][threadIdx.x % DEEP] = c < s.d ? LOADED(from_q[i][c * s.q_step[3]]) : (C)0;
      TSR__UNROLL(4) for (int i = 0; i < 4; i++) {
        const int64_t j = key + down + 8 * i;
        k[down + 8 * i][threadIdx.x % DEEP] = c < s.d && j < last ? LOADED(from_k[j * s.k_step[2] + c * s.k_step[3]]) : (C)0;
      }
      __syncthreads();
      TSR__UNROLL(32) for (int i = 0; i < DEEP; i++) {
        x[0] = fused(q[own][i], k[lane][i], x[0]);
        x[1] = fused(q[own][i], k[lane + 16][i], x[1]);
      }
      __syncthreads();
    }
    TSR__UNROLL(8) for (int i = 0; i < KEYS * SLICE / 256; i++) {
      const int64_t j = key + threadIdx.x / SLICE + 4 * i, c = left + threadIdx.x % SLICE;
      v[threadIdx.x / SLICE + 4 * i][threadIdx.x % SLICE] = c < s.columns && j < last ? LOADED(from_v[j * s.v_step[2] + c * s.v_step[3]]) : (C)0;
    }
    C here = top;
    TSR__UNROLL(2) for (int i = 0; i < 2; i++) {
      const int64_t j = key + lane + 16 * i;
      x[i] = j < end && j < last ? masked(s, mask, j, x[i]) : minus_infinity;
      here = greater(here, x[i]);
    }
    TSR__UNROLL(4) for (int by = 8; by > 0; by /= 2) here = greater(here, __shfl_xor_sync(0xffffffffu, here, by));
    const C less = less_than(here), factor = power(top - less);
    top = here;
    sum *= factor;
    TSR__UNROLL(2) for (int i = 0; i < 2; i++) {
      const C w = power(x[i] - less);
      p[own][lane + 16 * i] = w;
      sum += w;
    }
    __syncthreads();
    TSR__UNROLL(4) for (int j = 0; j < 4; j++) acc[j] *= factor;
    TSR__UNROLL(8) for (int i = 0; i < KEYS; i++)
      TSR__UNROLL(4) for (int j = 0; j < 4; j++) acc[j] = fused(p[own][i], v[i][lane + 16 * j], acc[j]);
    __syncthreads();
  }
  TSR__UNROLL(4) for (int by = 8; by > 0; by /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, by);
  if (top_row + own >= rows) return;
  const int64_t number = ((b * s.heads + hk) * rows + row) * s.parts + part;
  TSR__UNROLL(4) for (int j = 0; j < 4; j++) {
    const int64_t c = left + lane + 16 * j;
    if (c >= s.columns) continue;
    if (s.parts > 1)
      s.sums[number * s.columns + c] = acc[j];
    else
      row_at(s.out, s.out_step, b, h, t)[c * s.out_step[3]] = STORED(sum == 0 ? (C)0 : acc[j] / sum);
  }
  if (s.parts > 1 && left == 0 && lane == 0) {
    s.tops[2 * number] = top;
    s.tops[2 * number + 1] = sum;
  }
}
