/* What tests of random quantised layers share: results from sums by the published definitions, random numbers, a small world. */
#ifndef TESTS_NN_QUANT_EXACT_H
#define TESTS_NN_QUANT_EXACT_H

#include "support/helpers.h"
#include "support/test.h"

#include <math.h>
#include <tessera/quant.h>

#ifndef TSR_QUANT_ROUNDING
#define TSR_QUANT_ROUNDING 1
#endif

enum { LAYERS = 2000, MOST = 4096 }; /* of each kind */

/* ---- from sums to results ---- */

typedef struct ratio {
  int32_t multiplier;
  int left; /* the power of two */
} ratio;

/* A number as multiplier · 2^(left - 31). */
static inline ratio ratio_of(double real) {
  int left;
  const double mantissa = frexp(real, &left) * 2147483648.0;
  double m = TSR_QUANT_ROUNDING == 2 ? round(mantissa) : rint(mantissa);
  if (m == 2147483648.0) {
    m /= 2;
    left++;
  }
  if (left < -31) return (ratio){0, 0};
  return (ratio){(int32_t)m, left};
}

#if TSR_QUANT_ROUNDING == 2
static inline int32_t doubling_high_mul(int32_t a, int32_t b) {
  const int64_t ab = (int64_t)a * b, nudge = ab >= 0 ? (int64_t)1 << 30 : 1 - ((int64_t)1 << 30);
  return (int32_t)((ab + nudge) / ((int64_t)1 << 31));
}
static inline int32_t divide_by_power(int32_t x, int exponent) {
  const int32_t mask = (int32_t)(((int64_t)1 << exponent) - 1), remainder = x & mask, threshold = (mask >> 1) + (x < 0);
  return (x >> exponent) + (remainder > threshold);
}
static inline int64_t scaled(int32_t sum, ratio r) {
  const int left = r.left > 0 ? r.left : 0, right = r.left > 0 ? 0 : -r.left;
  return divide_by_power(doubling_high_mul(sum * (1 << left), r.multiplier), right);
}
static inline int32_t mean_of(int32_t sum, int32_t count) {
  return sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count;
}
#else
static inline int64_t floor_of(int64_t a, int64_t b) { return a / b - (a % b < 0); }
static inline int64_t scaled(int32_t sum, ratio r) {
  const int shift = 31 - r.left;
  return floor_of((int64_t)sum * r.multiplier + (shift > 0 ? (int64_t)1 << (shift - 1) : 0), (int64_t)1 << shift);
}
static inline int32_t mean_of(int32_t sum, int32_t count) {
  return (int32_t)floor_of(2 * (int64_t)sum + count, 2 * count);
}
#endif

static inline int32_t bounded(int64_t y, int32_t low, int32_t high) {
  return (int32_t)(y < low ? low : y > high ? high : y);
}

/* ---- random layers ---- */

static _Alignas(8) unsigned char arena_memory[16384], scratch[16384];

static inline int between(test_rng *rng, int low, int high) {
  return low + (int)(test_random(rng) % (uint32_t)(high - low + 1));
}
static inline float scale_of(test_rng *rng) {
  return ldexpf(1 + (float)between(rng, 0, 0xffff) / 65536.0f, between(rng, -9, -1));
}
static inline void fill(test_rng *rng, int n, int8_t *data) {
  for (int i = 0; i < n; i++) data[i] = (int8_t)between(rng, -128, 127);
}
static inline tsr_quant quant_of(test_rng *rng) {
  return (tsr_quant){.dtype = TSR_I8, .scale = scale_of(rng), .zero = between(rng, -128, 127)};
}

typedef struct world {
  tsr_arena arena;
  tsr_ctx ctx;
} world;

static inline tsr_ctx *begin(world *w) {
  CHECK(tsr_arena_init(arena_memory, sizeof arena_memory, &w->arena) == TSR_OK);
  CHECK(tsr_context_init(&w->ctx, &w->arena.allocator) == TSR_OK);
  OK(&w->ctx, tsr_context_set_scratch(&w->ctx, scratch, sizeof scratch));
  return &w->ctx;
}

static inline void tensor(tsr_ctx *ctx, void *data, int dtype, int n, const tsr_index *lengths, int layout,
                          tsr_tensor *t) {
  *t = (tsr_tensor){0};
  OK(ctx, tsr_from_memory(ctx, data, dtype, n, lengths, t));
  if (layout != TSR_PLAIN) OK(ctx, tsr_set_layout(ctx, t, layout, t));
}

#endif
