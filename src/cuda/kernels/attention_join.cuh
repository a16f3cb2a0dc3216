/* What was found of parts of the keys becomes one, in their order: a block of 128 threads a query. */
#include "cuda/kernels/attention.cuh"

extern "C" __global__ void __launch_bounds__(128) tsr_attention_join(const __grid_constant__ attention_args s) {
  const int64_t row = blockIdx.x, t = row % s.t, h = row / s.t % s.h, b = row / s.t / s.h;
  const C *const tops = s.tops + 2 * row * s.parts;
  C top = minus_infinity, sum = 0;
  for (int64_t i = 0; i < s.parts; i++) top = greater(top, tops[2 * i]);
  const C less = less_than(top);
  for (int64_t i = 0; i < s.parts; i++) sum = fused(power(tops[2 * i] - less), tops[2 * i + 1], sum);
  TO *const out = row_at(s.out, s.out_step, b, h, t);
  for (int64_t c = threadIdx.x; c < s.columns; c += 128) {
    C all = 0;
    TSR__UNROLL_BY(4) for (int64_t i = 0; i < s.parts; i++)
      all = fused(power(tops[2 * i] - less), s.sums[(row * s.parts + i) * s.columns + c], all);
    out[c * s.out_step[3]] = STORED(sum == 0 ? (C)0 : all / sum);
  }
}
