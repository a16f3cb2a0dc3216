/* Random numbers: the host's Philox and its transforms (ops/random), a block of 128 bits a thread. Set before: T the output's type, VALUE,
 * STORED(v); UNIFORM, NORMAL, INTEGERS, BERNOULLI or DROPOUT as KIND; EACH, elements of a block: 4, or 2 of f64 and of large ranges. */
#include "ops/random/philox.h"

#define UNIFORM 0
#define NORMAL 1
#define INTEGERS 2
#define BERNOULLI 3
#define DROPOUT 4

struct random_args {
  const T *x; /* of dropout */
  T *out;
  uint64_t key, counter, n;
  uint64_t range, threshold;
  int64_t low_integer;
  double low, scale, most;
  uint32_t stream;
  uint32_t packed; /* whether blocks of numbers are where packs of out, and of x, are */
};

static __device__ inline tsr__philox block_of(const random_args &s, uint32_t attempt, uint64_t block) {
  tsr__philox c;
  c.word[0] = (uint32_t)block;
  c.word[1] = (uint32_t)(block >> 32);
  c.word[2] = attempt << 1 | (EACH == 2 ? 1u : 0u);
  c.word[3] = s.stream;
  return tsr__philox_block(c, (uint32_t)s.key, (uint32_t)(s.key >> 32));
}

static __device__ inline uint64_t pair_of(const tsr__philox &b, int k) { return (uint64_t)b.word[2 * k + 1] << 32 | b.word[2 * k]; }

#if KIND == INTEGERS
static __device__ inline VALUE integer_at(const random_args &s, uint64_t position) {
#if EACH == 4
  for (uint32_t attempt = 0;; attempt++) {
    const uint64_t product = (uint64_t)block_of(s, attempt, position / 4).word[position % 4] * s.range;
    if ((uint32_t)product >= s.threshold) return s.low_integer + (int64_t)(product >> 32);
  }
#else
  const uint64_t mask = ~0ull >> __builtin_clzll(s.range);
  for (uint32_t attempt = 0;; attempt++) {
    const uint64_t value = pair_of(block_of(s, attempt, position / 2), (int)(position % 2)) & mask;
    if (value < s.range) return (int64_t)((uint64_t)s.low_integer + value);
  }
#endif
}
#endif

static __device__ inline void make(const random_args &s, uint64_t block, VALUE *v) {
  const tsr__philox b = block_of(s, 0, block);
#if KIND == UNIFORM && EACH == 4
  const float low = (float)s.low, scale = (float)s.scale, most = (float)s.most;
  TSR__UNROLL(4) for (int k = 0; k < 4; k++) {
    const float u = (float)(int32_t)(b.word[k] >> 8) * 0x1p-24f, x = low + u * scale;
    v[k] = x > most ? most : x;
  }
#elif KIND == UNIFORM
  TSR__UNROLL(2) for (int k = 0; k < 2; k++) {
    const double u = (double)(int64_t)(pair_of(b, k) >> 11) * 0x1p-53, x = s.low + u * s.scale;
    v[k] = x > s.most ? s.most : x;
  }
#elif KIND == NORMAL && EACH == 4
  const float mean = (float)s.low, scale = (float)s.scale;
  TSR__UNROLL(2) for (int i = 0; i < 2; i++) {
    const float u = (float)(int32_t)(b.word[2 * i] >> 1) * 0x1p-31f + 0x1p-32f;
    const float radius = __builtin_sqrtf(-2 * tsr__log_f32(u));
    const uint32_t bits = b.word[2 * i + 1];
    const float part = (float)((int32_t)(bits & 0x3fffffffu) - (1 << 29)) * 0x1p-30f;
    const float side = (bits >> 31) != 0 ? -radius : radius;
    float cosine, sine;
    tsr__sincos_quarter_f32(part, &cosine, &sine);
    const bool swap = (bits >> 30 & 1u) != 0;
    v[2 * i] = mean + scale * (side * (swap ? -sine : cosine));
    v[2 * i + 1] = mean + scale * (side * (swap ? cosine : sine));
  }
#elif KIND == NORMAL
  const double u = (double)(int64_t)(pair_of(b, 0) >> 11) * 0x1p-53 + 0x1p-54;
  const double radius = __builtin_sqrt(-2 * tsr__log_f64(u));
  const uint64_t bits = pair_of(b, 1);
  const double part = (double)((int64_t)((bits >> 9) & ((1ull << 53) - 1)) - (1ll << 52)) * 0x1p-53;
  const double side = (bits >> 63) != 0 ? -radius : radius;
  double cosine, sine;
  tsr__sincos_quarter_f64(part, &cosine, &sine);
  const bool swap = (bits >> 62 & 1u) != 0;
  v[0] = s.low + s.scale * (side * (swap ? -sine : cosine));
  v[1] = s.low + s.scale * (side * (swap ? cosine : sine));
#elif KIND == INTEGERS
  (void)b;
  for (int k = 0; k < EACH; k++) v[k] = integer_at(s, block * EACH + k);
#else
  TSR__UNROLL(4) for (int k = 0; k < 4; k++) v[k] = b.word[k] < s.threshold;
#endif
}

extern "C" __global__ void __launch_bounds__(128) tsr_random(const __grid_constant__ random_args s) {
  const uint64_t block = s.counter / EACH + (uint64_t)blockIdx.x * 128 + threadIdx.x;
  const int64_t first = (int64_t)(block * EACH - s.counter);
  if (first >= (int64_t)s.n) return;
  VALUE v[EACH];
  make(s, block, v);
  if (s.packed && first + EACH <= (int64_t)s.n) {
    pack<T, EACH> to;
#if KIND == DROPOUT
    pack<T, EACH> from;
    from.load(s.x + first);
    TSR__UNROLL(4) for (int k = 0; k < EACH; k++) to.v[k] = STORED(v[k] ? LOADED(from.v[k]) * (C)s.scale : (C)0);
#else
    TSR__UNROLL(4) for (int k = 0; k < EACH; k++) to.v[k] = STORED(v[k]);
#endif
    to.store(s.out + first);
    return;
  }
  TSR__UNROLL(4) for (int k = 0; k < EACH; k++) {
    const int64_t i = first + k;
    if (i < 0 || i >= (int64_t)s.n) continue;
#if KIND == DROPOUT
    s.out[i] = STORED(v[k] ? LOADED(s.x[i]) * (C)s.scale : (C)0);
#else
    s.out[i] = STORED(v[k]);
#endif
  }
}
