/** @file unary.h
 *  One number at a time: arithmetic, exponentials, angles, rounding, tests, activations.
 *
 *  out = f(x), elementwise, for any strides. Outputs as in ops.h: allocated, given, or x itself.
 *
 *  Dtypes. abs to trunc and relu keep the dtype; integers wrap. All others are functions of floats: f16, bf16 and f8
 *  are computed in f32 and rounded once; integers and bool become f32 (up to 16 bits) or f64 (f32 where f64 is
 *  configured out). Complex numbers keep their dtype, but for tsr_abs and tsr_angle, which give that of their parts; they
 *  are taken where this page says so: by abs, neg, sign, square, round, conj, angle, the tests, roots, exponentials,
 *  logarithms, angles and their hyperbolic and inverse kin, tsr_reciprocal and tsr_sigmoid. Others refuse them (TSR_EDTYPE).
 *  Their edges are those of Annex G of C, which are the array API's; branch cuts are C's.
 *
 *  Edges. NaN, infinities and -0 by the array API's tables: log(0) is -inf, log(-1) NaN, sin(inf) NaN, exp(-inf) 0; odd
 *  functions keep -0. Activations have their limits: silu(-inf) is -0.
 *
 *  Accuracy. The greatest distance from the exact result, in units in the last place of that result. f32: "exact" is
 *  rounded correctly, the same bits on every machine; other bounds hold for every f32 number and every instruction set,
 *  with the same bits for any number of threads and on all machines with fused multiply-add. f64: exp, exp2, expm1,
 *  log, log2, log10, log1p, sin, cos, tan, tanh, erf and sigmoid are within 2 ULP, sampled, with the same bits on avx2
 *  and avx512. What these do not reach (results that are not normal numbers, angles past 2^30), other functions, and
 *  machines without fused multiply-add have the C library's: 4 ULP with glibc, sampled; the left tails of gelu and
 *  gelu_tanh, which end in e^-v, 2·v more. Complex numbers, by glibc, sampled: c128 6 ULP in each part, of tsr_expm1,
 *  tsr_exp2, tsr_rsqrt, tsr_square and tsr_sigmoid, whose parts may cancel, 8 ULP of the modulus; c64 is computed in f64 and
 *  rounded once. The same bits on every instruction set. */
#ifndef TESSERA_UNARY_H
#define TESSERA_UNARY_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- arithmetic: numbers of any real dtype but bool ---- */

/** |x|. Exact; the least integer wraps to itself. Of complex numbers the modulus, of their parts' dtype. */
TSR_API TSR_MUST_USE tsr_status tsr_abs(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** -x. Exact; unsigned integers wrap. */
TSR_API TSR_MUST_USE tsr_status tsr_neg(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** -1, 0 or 1 by the sign; NaN of NaN. Exact. Of complex numbers x / |x|, and 0 of 0. */
TSR_API TSR_MUST_USE tsr_status tsr_sign(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** x·x. Exact. */
TSR_API TSR_MUST_USE tsr_status tsr_square(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The greatest integer ≤ x. Exact. Integers are their own. */
TSR_API TSR_MUST_USE tsr_status tsr_floor(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The least integer ≥ x. Exact. */
TSR_API TSR_MUST_USE tsr_status tsr_ceil(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The nearest integer, the even one of two. Exact. */
TSR_API TSR_MUST_USE tsr_status tsr_round(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The integer part. Exact. */
TSR_API TSR_MUST_USE tsr_status tsr_trunc(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The complex conjugate; real numbers are their own. Exact. */
TSR_API TSR_MUST_USE tsr_status tsr_conj(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The angle of a complex number, from -π to π, of its parts' dtype; of real ones 0, and π where the sign is set. The real and
 *  imaginary parts are views: tsr_complex_part. */
TSR_API TSR_MUST_USE tsr_status tsr_angle(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** Every bit flipped; bool: not x. Integers and bool only. */
TSR_API TSR_MUST_USE tsr_status tsr_bitwise_not(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);

/* ---- tests: any real dtype, the result is bool ---- */

/** x == 0. */
TSR_API TSR_MUST_USE tsr_status tsr_logical_not(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** Whether x is NaN; integers never are. */
TSR_API TSR_MUST_USE tsr_status tsr_isnan(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** Whether x is an infinity. */
TSR_API TSR_MUST_USE tsr_status tsr_isinf(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** Whether x is neither NaN nor an infinity. */
TSR_API TSR_MUST_USE tsr_status tsr_isfinite(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);

/* ---- roots, exponentials, logarithms ---- */

/** √x. Exact. */
TSR_API TSR_MUST_USE tsr_status tsr_sqrt(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** 1/√x. The same bits everywhere; 1.5 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_rsqrt(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** 1/x. Exact. */
TSR_API TSR_MUST_USE tsr_status tsr_reciprocal(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The cube root, of negative numbers too. 1 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_cbrt(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** e^x. 2 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_exp(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** 2^x. 2 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_exp2(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** e^x - 1. 2 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_expm1(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The natural logarithm. 2 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_log(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The logarithm of base 2. 2 ULP; powers of two are exact. */
TSR_API TSR_MUST_USE tsr_status tsr_log2(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The logarithm of base 10. 2 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_log10(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** log(1 + x). 2 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_log1p(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);

/* ---- angles in radians, of any size ---- */

/** The sine. 2 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_sin(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The cosine. 2 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_cos(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The tangent. 2 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_tan(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The angle in -π/2 … π/2; NaN past ±1. 2 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_asin(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The angle in 0 … π; NaN past ±1. 2 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_acos(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The angle in -π/2 … π/2. 2 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_atan(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);

/* ---- hyperbolic functions, the error function ---- */

/** The hyperbolic sine. 2 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_sinh(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The hyperbolic cosine. 2 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_cosh(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The hyperbolic tangent. 2 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_tanh(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The inverse of sinh. 3 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_asinh(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The inverse of cosh; NaN below 1. 3 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_acosh(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The inverse of tanh; infinities at ±1, NaN past them. 3 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_atanh(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** The error function. 2 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_erf(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** 1 - erf(x), to its last digits in the right tail. 9 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_erfc(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);

/* ---- activations ---- */

/** x where it is positive, else 0 (-0 stays). Any number in its own dtype. Exact. */
TSR_API TSR_MUST_USE tsr_status tsr_relu(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** x, or slope·x where x is negative. Exact. */
TSR_API TSR_MUST_USE tsr_status tsr_leaky_relu(tsr_ctx *ctx, const tsr_tensor *x, tsr_real slope, tsr_tensor *out);
/** x, or alpha·(e^x - 1) where x is negative. 3 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_elu(tsr_ctx *ctx, const tsr_tensor *x, tsr_real alpha, tsr_tensor *out);
/** x, or alpha·(e^(x/alpha) - 1) where x is negative. alpha is not 0 (TSR_EARG). 4 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_celu(tsr_ctx *ctx, const tsr_tensor *x, tsr_real alpha, tsr_tensor *out);
/** 1.0507010·x, or 1.7580993·(e^x - 1) where x is negative: elu, scaled to keep a layer's variance. 3 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_selu(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** x / (1 + |x|). 1.5 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_softsign(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** x·Φ(x), Φ the distribution of a normal variable: x/2·(1 + erf(x/√2)). 9 ULP, in the left tail too. */
TSR_API TSR_MUST_USE tsr_status tsr_gelu(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** x/2·(1 + tanh(√(2/π)·(x + 0.044715·x³))), the approximation of it that many models were trained with. 5 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_gelu_tanh(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** x·sigmoid(x), also called swish. 3 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_silu(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** 1/(1 + e^-x). 4 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_sigmoid(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** (x + 3)/6 cut to 0 … 1, rounded after each operation: the same bits everywhere. */
TSR_API TSR_MUST_USE tsr_status tsr_hard_sigmoid(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** x·hard_sigmoid(x). */
TSR_API TSR_MUST_USE tsr_status tsr_hard_swish(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** log(1 + e^x). 2 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_softplus(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);
/** x·tanh(softplus(x)). 4 ULP. */
TSR_API TSR_MUST_USE tsr_status tsr_mish(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
