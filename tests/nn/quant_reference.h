/* Quantised layers from their definition: exact sums in 64 bits, then the rounding that quant.h promises. */
#ifndef TSR_TEST_QUANT_REFERENCE_H
#define TSR_TEST_QUANT_REFERENCE_H

#include "nn/nn_support.h"

static inline int64_t q_get(const tsr_tensor *t, const tsr_index *index) {
  const void *const at = test_at(t, index);
  switch (t->dtype) {
    case TSR_I8: return *(const int8_t *)at;
    case TSR_U8: return *(const uint8_t *)at;
    case TSR_I16: return *(const int16_t *)at;
    default: return *(const int32_t *)at;
  }
}

static inline void q_put(const tsr_tensor *t, const tsr_index *index, int64_t value) {
  void *const at = test_at(t, index);
  if (t->dtype == TSR_I8)
    *(int8_t *)at = (int8_t)value;
  else if (t->dtype == TSR_U8)
    *(uint8_t *)at = (uint8_t)value;
  else if (t->dtype == TSR_I16)
    *(int16_t *)at = (int16_t)value;
  else
    *(int32_t *)at = (int32_t)value;
}

static inline int64_t q_least(int dtype) { return dtype == TSR_U8 ? 0 : dtype == TSR_I8 ? -128 : -32768; }
static inline int64_t q_most(int dtype) { return dtype == TSR_U8 ? 255 : dtype == TSR_I8 ? 127 : 32767; }

static inline void q_fill(const tsr_tensor *t, test_rng *rng, int64_t low, int64_t high) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  if (tsr_size(t) == 0) return;
  do q_put(t, index, low + (int64_t)(test_random(rng) % (uint32_t)(high - low + 1)));
  while (test_next_index(t->ndim, t->shape, index));
}

static inline int64_t q_floor(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

/* zero + sum · multiplier / 2^shift, rounded to the nearest, halves up, between low and high. */
static inline int64_t q_result(int64_t sum, int64_t multiplier, int shift, int64_t zero, int64_t low, int64_t high) {
  const int64_t y = zero + q_floor(sum * multiplier + (shift > 0 ? (int64_t)1 << (shift - 1) : 0), (int64_t)1 << shift);
  return y < low ? low : y > high ? high : y;
}

/* The instruction set number i; false past the last. */
static inline bool q_isa(tsr_ctx *ctx, int i) {
  return tsr_isa_name(i) != NULL && tsr_context_set_isa(ctx, tsr_isa_name(i)) == TSR_OK;
}

#endif
