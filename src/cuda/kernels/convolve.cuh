/* out[i] = sum of line[i + j] · weights[j], j rising, in the type C; products are not fused. Each thread has four neighbours, taps come four at a
 * time from shared memory. */
enum { THREADS = 256, EACH = 4, WIDTH = THREADS * EACH, TAPS = 512 };

struct alignas(sizeof(C) * EACH < 16 ? sizeof(C) * EACH : 16) four {
  C v[EACH];
};

struct convolve_args {
  const C *line, *weights;
  C *sums;
  int64_t length, taps; /* of the sums; line is taps - 1 longer */
};

extern "C" __global__ void __launch_bounds__(THREADS) tsr_convolve(const __grid_constant__ convolve_args s) {
  __shared__ four x[(WIDTH + TAPS) / EACH];
  __shared__ four w[TAPS / EACH];
  C *const line = (C *)x, *const weights = (C *)w;
  const int64_t first = (int64_t)blockIdx.x * WIDTH, all = s.length + s.taps - 1;
  C y[EACH] = {0, 0, 0, 0};
  for (int64_t at = 0; at < s.taps; at += TAPS) {
    const int taps = (int)(s.taps - at < TAPS ? s.taps - at : TAPS);
    __syncthreads();
    for (int k = threadIdx.x; k < WIDTH + TAPS; k += THREADS) line[k] = first + at + k < all ? s.line[first + at + k] : (C)0;
    for (int k = threadIdx.x; k < taps; k += THREADS) weights[k] = s.weights[at + k];
    __syncthreads();
    four a = x[threadIdx.x];
    int j = 0;
    for (; j + EACH <= taps; j += EACH) {
      const four b = x[threadIdx.x + j / EACH + 1], f = w[j / EACH];
      const C v[2 * EACH] = {a.v[0], a.v[1], a.v[2], a.v[3], b.v[0], b.v[1], b.v[2], b.v[3]};
      TSR__UNROLL(4) for (int k = 0; k < EACH; k++)
        TSR__UNROLL(4) for (int o = 0; o < EACH; o++) y[o] = y[o] + v[o + k] * f.v[k];
      a = b;
    }
    for (; j < taps; j++)
      TSR__UNROLL(4) for (int o = 0; o < EACH; o++) y[o] = y[o] + line[threadIdx.x * EACH + o + j] * weights[j];
  }
  TSR__UNROLL(4) for (int o = 0; o < EACH; o++)
    if (first + threadIdx.x * EACH + o < s.length) s.sums[first + threadIdx.x * EACH + o] = y[o];
}
