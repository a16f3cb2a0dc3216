/* Random numbers: the host's Philox and its transforms (ops/random), a block of 128 bits a thread. Set before: T the output's type, VALUE,
 * STORED(v); UNIFORM, NORMAL, INTEGERS, BERNOULLI or DROPOUT as KIND; EACH, elements of a block: 4, or 2 of f64 and of large ranges; BLOCKS, those of
 * a thread. */
#include "ops/random/philox.h"

#define UNIFORM 0
#define NORMAL 1
#define INTEGERS 2
#define BERNOULLI 3
#define DROPOUT 4

struct random_args {
  const T *x; /* of dropout */
  T *out;
  uint64_t block, n; /* the first block; elements */
  uint64_t range, threshold;
  int64_t low_integer;
  double low, scale, most;
  float low_f32, scale_f32, most_f32;
  uint32_t stream;
  uint32_t key[2 * TSR__PHILOX_ROUNDS]; /* of each round: the same for all threads */
  uint32_t skipped;                     /* numbers of the first block that were drawn before */
  uint32_t packed;                      /* whether blocks of numbers are where packs of out, and of x, are */
};

/* A number of the arguments as an F: there are no conversions between floats in a thread, which are slow. */
#define NUMBER(F, name) (sizeof(F) == 8 ? (F)s.name : (F)s.name##_f32)

static __device__ inline tsr__philox block_of(const random_args &s, uint32_t attempt, uint64_t block) {
  uint32_t a = (uint32_t)block, b = (uint32_t)(block >> 32), c = attempt << 1 | (EACH == 2 ? 1u : 0u), d = s.stream;
  TSR__UNROLL(10) for (int round = 0; round < TSR__PHILOX_ROUNDS; round++) {
    const uint2 even = tsr__wide_product(0xD2511F53u, a), odd = tsr__wide_product(0xCD9E8D57u, c);
    a = odd.y ^ b ^ s.key[2 * round];
    b = odd.x;
    c = even.y ^ d ^ s.key[2 * round + 1];
    d = even.x;
  }
  tsr__philox words;
  words.word[0] = a;
  words.word[1] = b;
  words.word[2] = c;
  words.word[3] = d;
  return words;
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

#if KIND == NORMAL && EACH == 4
/* The host's series (ops/random/elementary.tmpl.h) where they are asked for here. A product that is exact and what follows it are one
 * operation; nothing else is joined. */

/* √(-2·log x) of 2^-32 ≤ x ≤ 1. */
static __device__ inline float radius_of(float x) {
  const uint32_t root_half = 0x3f3504f3u, moved = tsr__bits_of_f32(x) - root_half;
  const float k = (float)((int32_t)moved >> 23), m = tsr__f32_of_bits((moved & 0x7fffffu) + root_half);
  const float s = tsr__ratio_plain_f32(m - 1, m + 1), z = s * s;
  float sum = 0;
  TSR__UNROLL(5) for (int n = 5; n > 0; n--) sum = (sum + 2.0f / (float)(2 * n + 1)) * z;
  const float small_part = s * sum + k * TSR__LN2_LOW_f32;
  return tsr__root_f32(-2 * __builtin_fmaf(k, TSR__LN2_HIGH_f32, __builtin_fmaf(2, s, small_part)));
}

/* The two numbers of two words: the upper two bits of the second are a quarter of the circle, the others a part of it. */
static __device__ inline void pair_from(uint32_t word, uint32_t bits, float *first, float *second) {
  const float radius = radius_of(__builtin_fmaf((float)(int32_t)(word >> 1), 0x1p-31f, 0x1p-32f));
  const float side = tsr__f32_of_bits(tsr__bits_of_f32(radius) ^ (bits & 0x80000000u));
  const float a = (float)((int32_t)(bits & 0x3fffffffu) - (1 << 29)) * (0x1p-30f * 1.57079632679489661923f), z = a * a;
  float even = 0, odd = 0;
  TSR__UNROLL(5) for (int n = 5; n > 0; n--) {
    even = (even + 1) * z * (-1.0f / (float)((2 * n - 1) * (2 * n)));
    odd = (odd + 1) * z * (-1.0f / (float)((2 * n) * (2 * n + 1)));
  }
  const float cosine = even + 1, sine = a + a * odd;
  const bool swap = (bits & 0x40000000u) != 0;
  *first = side * (swap ? -sine : cosine);
  *second = side * (swap ? cosine : sine);
}
#endif

static __device__ inline void make(const random_args &s, uint64_t block, VALUE *v) {
  const tsr__philox b = block_of(s, 0, block);
#if KIND == UNIFORM && EACH == 4
  const float low = s.low_f32, scale = s.scale_f32, most = s.most_f32;
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
  TSR__UNROLL(2) for (int i = 0; i < 2; i++) {
    pair_from(b.word[2 * i], b.word[2 * i + 1], &v[2 * i], &v[2 * i + 1]);
    TSR__UNROLL(2) for (int k = 2 * i; k < 2 * i + 2; k++) v[k] = s.low_f32 + s.scale_f32 * v[k];
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

/* The numbers of a block that come as one pack. */
static __device__ inline void store(const random_args &s, int64_t first, const VALUE *v) {
  pack<T, EACH> to;
#if KIND == DROPOUT
  pack<T, EACH> from;
  from.load(s.x + first);
  TSR__UNROLL(4) for (int k = 0; k < EACH; k++) to.v[k] = STORED(v[k] ? LOADED(from.v[k]) * NUMBER(C, scale) : (C)0);
#else
  TSR__UNROLL(4) for (int k = 0; k < EACH; k++) to.v[k] = STORED(v[k]);
#endif
  to.store(s.out + first);
}

/* The same one by one, of those that there are. */
static __device__ inline void store_each(const random_args &s, int64_t first, const VALUE *v) {
  TSR__UNROLL(4) for (int k = 0; k < EACH; k++) {
    const int64_t i = first + k;
    if (i < 0 || i >= (int64_t)s.n) continue;
#if KIND == DROPOUT
    s.out[i] = STORED(v[k] ? LOADED(s.x[i]) * NUMBER(C, scale) : (C)0);
#else
    s.out[i] = STORED(v[k]);
#endif
  }
}

/* BLOCKS a thread, 128 apart: what comes before the first number is done once for all of them. */
extern "C" __global__ void __launch_bounds__(128) tsr_random(const __grid_constant__ random_args s) {
  const uint64_t number = (uint64_t)blockIdx.x * (128 * BLOCKS) + threadIdx.x;
  const int64_t first = (int64_t)(number * EACH) - s.skipped, n = (int64_t)s.n;
  VALUE v[BLOCKS][EACH];
  if (s.packed && first + 128 * (BLOCKS - 1) * EACH + EACH <= n) {
    TSR__UNROLL(4) for (int b = 0; b < BLOCKS; b++) make(s, s.block + number + 128 * b, v[b]);
    TSR__UNROLL(4) for (int b = 0; b < BLOCKS; b++) store(s, first + 128 * b * EACH, v[b]);
    return;
  }
  TSR__UNROLL_BY(1) for (int b = 0; b < BLOCKS; b++) {
    const int64_t at = first + 128 * b * EACH;
    if (at >= n) return;
    make(s, s.block + number + 128 * b, v[0]);
    if (s.packed && at + EACH <= n)
      store(s, at, v[0]);
    else
      store_each(s, at, v[0]);
  }
}
