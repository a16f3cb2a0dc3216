/* What a convolution's kernels are told (engines/conv.h), and where a position begins. Set before: T, C. */
struct axis_args {
  int64_t in, out, taps, base, step, tap, x, w, o;
};
struct conv_args {
  const T *x, *w, *bias;
  T *out;
  C *part; /* of sums in parts */
  int64_t positions, made, each, groups, deep; /* deep: steps of a sum */
  int64_t x_group, x_sample, x_channel, w_group, w_filter, w_channel, out_group, out_sample, out_filter, bias_step;
  int64_t blocks_o, blocks_p, splits, split; /* split: tiles of one */
  axis_args axis[3];
  double number[2];
};

/* Where position p begins: in out, and in x, which may be outside. */
struct place {
  int64_t out, x;
  int64_t from[3];
};

static __device__ inline int64_t quotient(int64_t a, int64_t b) {
  return ((uint64_t)a | (uint64_t)b) >> 32 ? a / b : (int64_t)((uint32_t)a / (uint32_t)b);
}

static __device__ inline place place_of(const conv_args &s, int64_t p) {
  place at;
  int64_t rest = p;
  at.out = at.x = 0;
  TSR__UNROLL(3) for (int d = 2; d >= 0; d--) {
    const axis_args &a = s.axis[d];
    const int64_t q = a.out == 1 ? rest : quotient(rest, a.out), i = rest - q * a.out;
    at.from[d] = a.base + i * a.step;
    at.x += at.from[d] * a.x;
    at.out += i * a.o;
    rest = q;
  }
  at.x += rest * s.x_sample;
  at.out += rest * s.out_sample;
  return at;
}

/* Tap number t along each axis, the last one fastest. */
struct taps_at {
  int k[3];
};
static __device__ inline taps_at taps_of(const conv_args &s, int t) {
  const int w = (int)s.axis[2].taps, h = (int)s.axis[1].taps, up = t / w;
  const taps_at at = {{up / h, up % h, t % w}};
  return at;
}
static __device__ inline int64_t tap_in_x(const conv_args &s, const taps_at &t) {
  return t.k[0] * (s.axis[0].tap * s.axis[0].x) + t.k[1] * (s.axis[1].tap * s.axis[1].x) + t.k[2] * (s.axis[2].tap * s.axis[2].x);
}

/* Taps that meet x, of filters with up to 10 an axis: a bit for each tap of each axis. A tap is inside where all its bits are set. */
enum { MOST_TAPS = 128, AXIS_TAPS = 10 };
static __device__ inline uint32_t mask_of(const conv_args &s, const place &at) {
  uint32_t mask = 0;
  TSR__UNROLL(3) for (int d = 0; d < 3; d++)
    TSR__UNROLL_BY(1) for (int k = 0; k < (int)s.axis[d].taps; k++)
      mask |= (uint32_t)((uint64_t)(at.from[d] + k * s.axis[d].tap) < (uint64_t)s.axis[d].in) << (AXIS_TAPS * d + k);
  return mask;
}
static __device__ inline uint32_t bits_of(const taps_at &t) {
  return 1u << t.k[0] | 1u << (AXIS_TAPS + t.k[1]) | 1u << (2 * AXIS_TAPS + t.k[2]);
}
