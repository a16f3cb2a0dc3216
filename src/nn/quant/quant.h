/* Quantised numbers inside: ranges, the arithmetic of results, checks. */
#ifndef TSR_NN_QUANT_QUANT_H
#define TSR_NN_QUANT_QUANT_H

#include "core/check.h"

#include <tessera/quant.h>

/* A ratio of scales: multiplier / 2^shift. */
typedef struct tsr__fixed {
  int32_t multiplier; /* 0, or 2^30 … 2^31 - 1 */
  int32_t shift;      /* 0 … 62 */
} tsr__fixed;

/* How results are rounded, a setting of the build. 1: once, halves up, as quant.h says. 2: as TensorFlow Lite's reference
 * kernels do, so that a network which was trained and checked there gives the same bytes: in two steps, to 31 bits and then
 * to the result, the second with halves away from 0; means of pools with halves away from 0; sums of two tensors by three
 * multipliers. */
#ifndef TSR_QUANT_ROUNDING
#define TSR_QUANT_ROUNDING 1
#endif
#define TSR__ROUND_TWICE (TSR_QUANT_ROUNDING == 2)

/* The largest sum of a layer: of two roundings kernels double it. */
#define TSR__QUANT_SUM_MAX (TSR__ROUND_TWICE ? (int32_t)1 << 29 : INT32_MAX)

/* Where shift is TSR__FIXED_HIGH or more, the high word of the product decides: the half only touches that. */
enum { TSR__FIXED_HIGH = 33 };

#if TSR__ROUND_TWICE

/* sum · multiplier / 2^31 to the nearest, halves up; then / 2^down to the nearest, halves away from 0. */
static inline int32_t tsr__fixed_step(int32_t sum, int32_t multiplier) {
  return (int32_t)(((int64_t)sum * multiplier + ((int64_t)1 << 30)) >> 31);
}
static inline int32_t tsr__fixed_apply_high(int32_t sum, tsr__fixed f) {
  const int32_t x = tsr__fixed_step(sum, f.multiplier), down = f.shift - 31;
  return (int32_t)(((int64_t)x - (x < 0) + ((int64_t)1 << (down - 1))) >> down);
}
static inline int64_t tsr__fixed_apply(int32_t sum, tsr__fixed f) {
  const int up = f.shift < 31 ? 31 - f.shift : 0;
  if (f.shift > 31) return tsr__fixed_apply_high(sum, f);
  return tsr__fixed_step((int32_t)((uint32_t)sum << up), f.multiplier);
}

#else

/* floor((sum · multiplier + 2^(shift - 1)) / 2^shift): the nearest integer, halves up. Shifts of negative numbers are
 * arithmetic with every compiler that this library knows. */
static inline int64_t tsr__fixed_apply(int32_t sum, tsr__fixed f) {
  return ((int64_t)sum * f.multiplier + (((int64_t)1 << f.shift) >> 1)) >> f.shift;
}

static inline int32_t tsr__fixed_apply_high(int32_t sum, tsr__fixed f) {
  const int32_t high = (int32_t)(((int64_t)sum * f.multiplier) >> 32);
  return (high + (int32_t)(1 << (f.shift - 33))) >> (f.shift - 32);
}

#endif

static inline int32_t tsr__quant_clamp(int64_t y, int32_t low, int32_t high) {
  return y < low ? low : y > high ? high : (int32_t)y;
}

/* The range of i8, u8, i16. */
static inline int32_t tsr__quant_low(int dtype) { return dtype == TSR_U8 ? 0 : dtype == TSR_I8 ? -128 : -32768; }
static inline int32_t tsr__quant_high(int dtype) { return dtype == TSR_U8 ? 255 : dtype == TSR_I8 ? 127 : 32767; }

static inline bool tsr__quant_is_small(int dtype) { return dtype == TSR_I8 || dtype == TSR_U8 || dtype == TSR_I16; }
static inline bool tsr__quant_has(int dtype, int32_t y) {
  return y >= tsr__quant_low(dtype) && y <= tsr__quant_high(dtype);
}

static inline ptrdiff_t tsr__quant_item(int dtype) { return dtype == TSR_I16 ? 2 : 1; }
static inline void tsr__quant_store(int dtype, char *at, int32_t y) {
  if (dtype == TSR_I16)
    *(int16_t *)(void *)at = (int16_t)y;
  else
    *at = (char)y;
}

/* To the nearest integer, halves to even; |x| < 2^22. */
static inline int32_t tsr__quant_round(float x) {
  const volatile float magic = 0x1.8p23f; /* volatile: x + magic - magic is not x */
  const float sum = x + magic;
  return (int32_t)(sum - magic);
}

static inline float tsr__quant_scale(const tsr_quant *q, tsr_index c) { return q->scales ? q->scales[c] : q->scale; }
static inline int32_t tsr__quant_zero(const tsr_quant *q, tsr_index c) {
  return q->scales && q->zeros ? q->zeros[c] : q->zero;
}

/* a · b / c, all positive and finite, rounded to nearest even; false when it is 2^31 or more. */
bool tsr__fixed_ratio(float a, float b, float c, tsr__fixed *f);

/* The same as a status: TSR_ERANGE. arg names what is scaled. */
tsr_status tsr__fixed_check(tsr_ctx *ctx, const char *op, const char *arg, float a, float b, float c, tsr__fixed *f);

/* Whether x has a range for these numbers: TSR_EDTYPE, TSR_EARG, TSR_ESHAPE; and the numbers of a range: TSR_EARG. */
tsr_status tsr__quant_check_range(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int dtype, tsr_quant_kind kind);
tsr_status tsr__quant_from_range(tsr_ctx *ctx, const char *op, int dtype, tsr_quant_kind kind, float low, float high,
                                 float *scale, int32_t *zero);

/* Which dtypes an argument may have, a bit each. */
enum {
  TSR__Q_BYTES = 1 << TSR_I8 | 1 << TSR_U8,
  TSR__Q_SMALL = TSR__Q_BYTES | 1 << TSR_I16,
  TSR__Q_ANY = TSR__Q_SMALL | 1 << TSR_I32
};

/* Whether a quantisation is one: dtype among allowed, scales positive and finite, zero points in the range of the
 * dtype (0 for i32): TSR_EARG, TSR_EDTYPE. */
tsr_status tsr__quant_check(tsr_ctx *ctx, const char *op, const char *arg, const tsr_quant *q, int allowed);

/* Whether t has the dtype of q, which is quant_arg: TSR_EDTYPE. */
static inline tsr_status tsr__quant_check_dtype(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t,
                                                const char *quant_arg, const tsr_quant *q) {
  if (t->dtype == q->dtype) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EDTYPE, op, arg, "is %t, %s is for %y", t, quant_arg, (int)q->dtype);
}

/* As tsr__quant_check, and it is a whole tensor's. */
tsr_status tsr__quant_check_whole(tsr_ctx *ctx, const char *op, const char *arg, const tsr_quant *q, int allowed);

/* Whether its axis is one of t's, and of the right length: TSR_EAXIS, TSR_ESHAPE. *axis: -1 for a whole tensor. */
tsr_status tsr__quant_axis(tsr_ctx *ctx, const char *op, const char *arg, const tsr_quant *q, const tsr_tensor *t,
                           int *axis);

#endif
