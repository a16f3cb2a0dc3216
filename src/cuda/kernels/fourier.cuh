/* Fourier transforms without a library: sums of n products each, in f64. A block of 128 threads has 128 elements of one line of the result; what they are sums of
 * comes by way of shared memory. Set before: C, the complex type. */
struct fourier_args {
  const C *from;
  C *to;
  int64_t n, lines, blocks; /* of a line */
  double step;              /* 2 / n, with the sign of the exponent */
};

enum { MANY = 128 };

extern "C" __global__ void __launch_bounds__(MANY) tsr_fourier(const __grid_constant__ fourier_args s) {
  __shared__ __align__(16) C some[MANY];
  const int64_t line = blockIdx.x / s.blocks, k = blockIdx.x % s.blocks * MANY + threadIdx.x;
  double re = 0, im = 0;
  int64_t at = 0; /* j·k modulo n */
  for (int64_t first = 0; first < s.n; first += MANY) {
    if (first + threadIdx.x < s.n) some[threadIdx.x] = s.from[line * s.n + first + threadIdx.x];
    __syncthreads();
    const int here = (int)(s.n - first < MANY ? s.n - first : MANY);
    for (int j = 0; j < here && k < s.n; j++) {
      const double angle = 3.14159265358979323846 * (s.step * (double)at), c = cos(angle), d = sin(angle);
      re = __builtin_fma((double)some[j].re, c, __builtin_fma(-(double)some[j].im, d, re));
      im = __builtin_fma((double)some[j].re, d, __builtin_fma((double)some[j].im, c, im));
      at += k;
      if (at >= s.n) at -= s.n;
    }
    __syncthreads();
  }
  if (k >= s.n) return;
  C sum;
  sum.re = re;
  sum.im = im;
  s.to[line * s.n + k] = sum;
}
