/* A border around a tensor: every element of the output finds where it comes from. Eight elements a thread, a block apart. Set before: T
 * the type that is moved, CONSTANT, EDGE, REFLECT or WRAP as MODE, WIDE where counts need more than 31 bits. */
#define CONSTANT 0
#define EDGE 1
#define REFLECT 2
#define WRAP 3

struct pad_args {
  const T *x;
  T *out;
  uint64_t total;
  int64_t length[8], step[8], out_step[8], before[8]; /* of x; the fastest axis first */
  COUNT wide[8];                                      /* of the output */
  uint32_t magic[8], shift[8];
  int rank;
  number fill;
};

static __device__ inline int64_t source(int64_t c, int64_t n, bool &inside) {
#if MODE == CONSTANT
  inside = inside && (uint64_t)c < (uint64_t)n;
  return c;
#elif MODE == EDGE
  return c < 0 ? 0 : c >= n ? n - 1 : c;
#elif MODE == WRAP
  const int64_t r = c % n;
  return r < 0 ? r + n : r;
#else
  if (n == 1) return 0;
  const int64_t period = 2 * (n - 1), r = c % period, up = r < 0 ? r + period : r;
  return up < n ? up : period - up;
#endif
}

extern "C" __global__ void __launch_bounds__(256) tsr_pad(const __grid_constant__ pad_args s) {
  const T fill = *(const T *)s.fill.bytes;
  const uint64_t first = (uint64_t)blockIdx.x * 2048 + threadIdx.x;
  T v[8];
  int64_t to[8];
  TSR__UNROLL(8) for (int k = 0; k < 8; k++) {
    const uint64_t number = first + k * 256;
    COUNT i = (COUNT)number;
    bool inside = number < s.total;
    int64_t at = 0;
    to[k] = 0;
    TSR__UNROLL(8) for (int d = 0; d < 8; d++) {
      if (d >= s.rank) break;
#if WIDE
      const COUNT q = d + 1 < s.rank ? i / s.wide[d] : 0;
#else
      const COUNT q = d + 1 < s.rank ? (uint32_t)(((uint64_t)i * s.magic[d]) >> s.shift[d]) : 0;
#endif
      const int64_t c = (int64_t)(i - q * s.wide[d]);
      to[k] += c * s.out_step[d];
      at += source(c - s.before[d], s.length[d], inside) * s.step[d];
      i = q;
    }
    pack<T, 1> p;
    if (inside) p.load(s.x + at);
    v[k] = inside ? p.v[0] : fill;
  }
  TSR__UNROLL(8) for (int k = 0; k < 8; k++)
    if (first + k * 256 < s.total) s.out[to[k]] = v[k];
}
