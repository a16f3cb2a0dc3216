/* The unary ops as functions of floats: their bounds, which are those of <tessera/unary.h>, and how far a result is
 * from the truth. For math_test.c and its kin. */
#ifndef TSR_TEST_MATH_FUNCTIONS_H
#define TSR_TEST_MATH_FUNCTIONS_H

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <tessera/tessera.h>

#include "core/float_bits.h"

/* Attributes that are floats exactly. */
#define MATH_SLOPE ((double)0.3f)
#define MATH_ALPHA ((double)0.7f)

static inline tsr_status math_leaky_relu(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out) {
  return tsr_leaky_relu(ctx, x, (tsr_real)0.3f, out);
}
static inline tsr_status math_elu(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out) {
  return tsr_elu(ctx, x, (tsr_real)0.7f, out);
}
static inline tsr_status math_celu(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out) {
  return tsr_celu(ctx, x, (tsr_real)0.7f, out);
}

/* X(name, its call, the bounds of f32 and of f64 in ULP, where something changes: both signs are tried). */
#define MATH_EXACT(X)                                            \
  X(abs, tsr_abs, 0.0, 0.0, {0})                                 \
  X(neg, tsr_neg, 0.0, 0.0, {0})                                 \
  X(conj, tsr_conj, 0.0, 0.0, {0})                               \
  X(angle, tsr_angle, 0.5, 0.5, {0})                             \
  X(sign, tsr_sign, 0.0, 0.0, {0})                               \
  X(square, tsr_square, 0.5, 0.5, {0x1p64f, 0x1p-63f})           \
  X(floor, tsr_floor, 0.0, 0.0, {0x1p22f, 0.5f, 1.5f})           \
  X(ceil, tsr_ceil, 0.0, 0.0, {0x1p22f, 0.5f, 1.5f})             \
  X(round, tsr_round, 0.0, 0.0, {0x1p22f, 0.5f, 1.5f, 2.5f})     \
  X(trunc, tsr_trunc, 0.0, 0.0, {0x1p22f, 0.5f, 1.5f})           \
  X(sqrt, tsr_sqrt, 0.5, 0.5, {0})                               \
  X(reciprocal, tsr_reciprocal, 0.5, 0.5, {0x1p-128f, 0x1p126f}) \
  X(relu, tsr_relu, 0.0, 0.0, {0})                               \
  X(leaky_relu, math_leaky_relu, 0.5, 0.5, {0x1p-125f})

/* clang-format off */
#define MATH_TESTS(X) \
  X(logical_not, tsr_logical_not) X(isnan, tsr_isnan) X(isinf, tsr_isinf) X(isfinite, tsr_isfinite)
/* clang-format on */

#define MATH_ROUNDED(X)                                                                  \
  X(rsqrt, tsr_rsqrt, 1.5, 1.5, {0x1p-126f})                                             \
  X(cbrt, tsr_cbrt, 1, 4, {0x1p-126f, 8, 27})                                            \
  X(exp, tsr_exp, 2, 3, {86, 88.72283f, 104, 103.97208f, 0.34657f, 87.336544f})          \
  X(exp2, tsr_exp2, 2, 3, {124, 126, 128, 149, 150, 0.5f})                               \
  X(expm1, tsr_expm1, 2, 3, {0.34657f, 1.0397f, 88.72283f, 20, 17.3287f})                \
  X(log, tsr_log, 2, 3, {0.70710678f, 1.41421356f, 1, 0x1p-126f})                        \
  X(log2, tsr_log2, 2, 3, {0.70710678f, 1.41421356f, 1, 0x1p-126f})                      \
  X(log10, tsr_log10, 2, 3, {0.70710678f, 1.41421356f, 1, 0x1p-126f})                    \
  X(log1p, tsr_log1p, 2, 3, {0.29289322f, 0.41421356f, 1, 0x1p30f})                      \
  X(sin, tsr_sin, 2, 3, {0.78539816f, 1.57079633f, 3.14159265f, 3000, 131072, 0x1p-12f}) \
  X(cos, tsr_cos, 2, 3, {0.78539816f, 1.57079633f, 3.14159265f, 3000, 131072, 0x1p-12f}) \
  X(tan, tsr_tan, 2, 3, {0.78539816f, 1.57079633f, 3.14159265f, 3000, 131072, 0x1p-12f}) \
  X(asin, tsr_asin, 2, 3, {0.5f, 1, 0x1p-12f})                                           \
  X(acos, tsr_acos, 2, 3, {0.5f, 1, 0x1p-12f})                                           \
  X(atan, tsr_atan, 2, 3, {1, 0.41421356f, 2.41421356f, 0x1p-12f})                       \
  X(sinh, tsr_sinh, 2, 3, {1, 88.72283f, 89.41598f})                                     \
  X(cosh, tsr_cosh, 2, 3, {1, 88.72283f, 89.41598f})                                     \
  X(tanh, tsr_tanh, 2, 3, {0.17329f, 0.51986f, 9.02f, 9.0109f})                          \
  X(asinh, tsr_asinh, 3, 3, {0.5f, 1, 4096, 0x1p64f})                                    \
  X(acosh, tsr_acosh, 3, 3, {1, 2, 4096, 0x1p64f})                                       \
  X(atanh, tsr_atanh, 3, 3, {0.5f, 1, 0x1p-12f})                                         \
  X(erf, tsr_erf, 2, 3, {1, 3.92f, 3.8325f})                                             \
  X(erfc, tsr_erfc, 9, 4, {0.5f, 3.92f, 9.19455f, 10.05f})                               \
  X(elu, math_elu, 3, 4, {0.34657f, 1.0397f, 20})                                        \
  X(celu, math_celu, 4, 4, {0.34657f, 1.0397f, 20})                                      \
  X(selu, tsr_selu, 3, 4, {0.34657f, 1.0397f, 20})                                       \
  X(softsign, tsr_softsign, 1.5, 1.5, {1, 0x1p24f})                                      \
  X(gelu, tsr_gelu, 9, 1500, {8, 12, 14.5f, 14.2f, 0.5f})                                \
  X(gelu_tanh, tsr_gelu_tanh, 5, 1500, {9, 11, 10})                                      \
  X(silu, tsr_silu, 3, 4, {86, 110, 104, 108.5f})                                        \
  X(sigmoid, tsr_sigmoid, 4, 4, {12, 86, 110, 104, 16.6355f})                            \
  X(softplus, tsr_softplus, 2, 3, {86, 110, 104, 0.8813736f, 16.6355f})                  \
  X(mish, tsr_mish, 4, 4, {86, 110, 104, 108.5f})                                        \
  X(hard_sigmoid, tsr_hard_sigmoid, 2, 2, {3})                                           \
  X(hard_swish, tsr_hard_swish, 2, 2, {3})

#define MATH_FUNCTIONS(X) MATH_EXACT(X) MATH_ROUNDED(X)

/* Those whose f64 is within MATH_WIDE_BOUND where products are fused: no longer the C library's. */
/* clang-format off */
#define MATH_WIDE(X)                                                                            \
  X(exp) X(exp2) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sin) X(cos) X(tan) X(tanh) X(erf) X(sigmoid)
/* clang-format on */
#define MATH_WIDE_BOUND 2.0

typedef tsr_status math_fn(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);

/* ---- distances ---- */

#if TSR_HAVE_F64
/* How far a number is from the truth, in units in the last place of a truth of that size, which has so many digits
 * and lies between least and most (powers of two); what is past 2·most counts as that. NaN gives 0. */
static inline double math_units(double got, double exact, int digits, double least, double most) {
  const double end = 2 * most, size = fabs(exact), reach = fabs(got);
  const double aimed = size > end ? end : size, reached = reach > end ? end : reach;
  const double above = aimed < least ? least : aimed, within = above > most ? most : above;
  const uint64_t power = tsr__bits_of_f64(within) & ((uint64_t)0x7ff << 52);
  const double units = tsr__f64_of_bits(((uint64_t)(2046 + digits - 1) << 52) - power);
  const uint64_t apart = tsr__bits_of_f64(got) ^ tsr__bits_of_f64(exact);
  const double d = (apart >> 63 != 0 ? reached + aimed : fabs(reached - aimed)) * units;
  return d == d ? d : 0.0;
}

/* Of f32, given as a double. */
static inline double math_distance(double got, double exact) { return math_units(got, exact, 24, 0x1p-126, 0x1p127); }

/* Whether a result is of another kind than the truth: NaN or not, or of the other sign. */
static inline uint64_t math_differs(double got, double exact) {
  const uint64_t nan = exact == exact ? 0 : 1, got_nan = got == got ? 0 : 1;
  const uint64_t sign = (tsr__bits_of_f64(got) ^ tsr__bits_of_f64(exact)) >> 63;
  return (nan ^ got_nan) | (sign & (nan ^ 1));
}
#endif

#endif
