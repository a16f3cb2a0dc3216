/* Local response normalisation: a thread an element, the channels around it from where they lie. Set before: T in memory, C; LOADED, STORED;
 * POWER(a, b). */
struct lrn_args {
  const T *x;
  T *out;
  int64_t total, channels, before, after;
  int64_t length[5], step[5], out_step[5]; /* by n, c, d, h, w */
  double alpha, beta, bias;
};

extern "C" __global__ void __launch_bounds__(256) tsr_lrn(const __grid_constant__ lrn_args s) {
  const int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x;
  if (i >= s.total) return;
  int64_t rest = i, x_at = 0, out_at = 0, c = 0;
  TSR__UNROLL(5) for (int d = 4; d >= 0; d--) {
    const int64_t q = rest / s.length[d], r = rest - q * s.length[d];
    if (d == 1)
      c = r;
    else
      x_at += r * s.step[d];
    out_at += r * s.out_step[d];
    rest = q;
  }
  const T *const x = s.x + x_at;
  const int64_t from = c > s.before ? c - s.before : 0, to = s.after < s.channels - 1 - c ? c + s.after : s.channels - 1;
  const C own = LOADED(x[c * s.step[1]]);
  C sum = 0;
  for (int64_t k = from; k <= to; k++) {
    const C value = LOADED(x[k * s.step[1]]);
    sum += value * value;
  }
  s.out[out_at] = STORED(own / POWER((C)s.bias + (C)s.alpha * sum, (C)s.beta));
}
