/* A border around a tensor: every element of the output finds where it comes from. Eight elements a thread, a block apart: what a thread
 * writes lies in whole sectors, wherever rows begin. Set before: T the type that is moved, MODE; AXES, how many there are; DENSE where the output is
 * contiguous; INDEX and COUNT, signed and unsigned, of 32 bits, or of 64 where the kernel is WIDE. */
#define CONSTANT 0
#define EDGE 1
#define REFLECT 2
#define WRAP 3

/* The fastest axis first. Element c of an axis of the output is c + start of x, modulo period in modes that repeat. */
struct pad_args {
  const T *x;
  T *out;
  uint64_t total;
  INDEX length[8], step[8], out_step[8], start[8];
  COUNT wide[8], period[8]; /* wide: the length in the output */
  uint32_t magic[8], shift[8], period_magic[8], period_shift[8];
  number fill;
};

/* A division is a multiplication with a number that the host made. */
static __device__ inline COUNT over(COUNT n, COUNT length, uint32_t magic, uint32_t shift) {
#if WIDE
  (void)magic, (void)shift;
  return n / length;
#else
  (void)length;
  return (uint32_t)(((uint64_t)n * magic) >> shift);
#endif
}

static __device__ inline INDEX source(const pad_args &s, int d, INDEX c, bool &inside) {
#if MODE == CONSTANT
  inside = inside && (COUNT)(c + s.start[d]) < (COUNT)s.length[d]; /* below 0 is large */
  return c + s.start[d];
#elif MODE == EDGE
  const INDEX at = c + s.start[d], last = s.length[d] - 1;
  return at < 0 ? 0 : at > last ? last : at;
#else
  const COUNT i = (COUNT)(c + s.start[d]);
  const INDEX r = (INDEX)(i - over(i, s.period[d], s.period_magic[d], s.period_shift[d]) * s.period[d]);
  return MODE == WRAP || r < s.length[d] ? r : (INDEX)s.period[d] - r;
#endif
}

extern "C" __global__ void __launch_bounds__(256) tsr_pad(const __grid_constant__ pad_args s) {
  const T fill = *(const T *)s.fill.bytes;
  const uint64_t first = (uint64_t)blockIdx.x * 2048 + threadIdx.x;
  const int64_t most = (int64_t)(s.total - first); /* how many are left; none below 0 */
  T v[8];
  INDEX to[8];
  COUNT from[8];
  uint32_t insides = 0;
  TSR__UNROLL(8) for (int k = 0; k < 8; k++) {
    COUNT i = (COUNT)first + k * 256;
    bool inside = k * 256 < most;
    COUNT at = 0; /* of what is outside it may be anything */
    to[k] = 0;
    TSR__UNROLL(8) for (int d = 0; d < AXES; d++) {
      const COUNT q = d + 1 < AXES ? over(i, s.wide[d], s.magic[d], s.shift[d]) : 0;
      const INDEX c = (INDEX)(i - q * s.wide[d]);
      if (!DENSE) to[k] += c * s.out_step[d];
      at += (COUNT)source(s, d, c, inside) * (COUNT)s.step[d];
      i = q;
    }
    from[k] = inside ? at : 0; /* the first element, which is there: loads without a condition are all under way at once */
    insides |= (uint32_t)inside << k;
  }
  TSR__UNROLL(8) for (int k = 0; k < 8; k++) {
    pack<T, 1> p;
    p.load(s.x + (INDEX)from[k]);
    v[k] = p.v[0];
  }
  TSR__UNROLL(8) for (int k = 0; k < 8; k++) v[k] = insides >> k & 1 ? v[k] : fill;
  TSR__UNROLL(8) for (int k = 0; k < 8; k++)
    if (k * 256 < most) s.out[DENSE ? (int64_t)(first + k * 256) : (int64_t)to[k]] = v[k];
}
