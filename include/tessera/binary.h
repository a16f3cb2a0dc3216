/** @file binary.h
 *  Operations on two and three tensors, element by element.
 *
 *  Shapes broadcast as in NumPy: they are aligned at their last axes, and an axis of length 1 or one that is
 *  missing repeats. Outputs are as in ops.h: empty ones are allocated, given ones must have exactly the result's
 *  shape and dtype, and may be an input or overlap one. A fresh output has the layout tag and the order of axes of
 *  the first input that has its shape.
 *
 *  Dtypes: inputs of different dtypes become the dtype that tsr_dtype_promote names. f16, bf16 and f8 are computed
 *  in f32 and rounded to their dtype once. Bool holds 0 and 1. Complex numbers are taken by tsr_add, tsr_sub,
 *  tsr_mul, tsr_div, tsr_pow, tsr_eq, tsr_ne, tsr_fma, tsr_addcmul, the logical ops and tsr_where; others refuse them
 *  (TSR_EDTYPE): they have no order. Sums and products of complex numbers are rounded at every step, tsr_fma by two fused
 *  products a part, the same bits everywhere. Quotients neither overflow nor vanish on the way, are within 2 units of the
 *  last place of |a / b|, and where both parts came out as NaN are what Annex G of C says; c64 goes through f64. tsr_pow:
 *  anything to 0 is 1, 0 to what has a positive real part 0 and else NaN; whole exponents to 64 are products; others are
 *  e^(b·ln a), within 3·|b·ln a| + 6 units of |a^b| (c64: through f64).
 *
 *  Integers wrap. Floats follow IEEE 754, and the array API's tables for NaN, infinities and zeros. Results are the
 *  same bits whatever the instruction set and the number of threads (a NaN is a NaN, its sign and payload are not
 *  promised); those of tsr_pow, tsr_atan2 and tsr_hypot are within the bound that they state, and the same bits
 *  whatever the number of threads and between instruction sets with fused products (avx2, avx512); tsr_hypot in f64
 *  is the C library's.
 *
 *  Forms with a number (tsr_add_scalar, tsr_scalar_sub): the number takes the tensor's dtype, and TSR_ERANGE says
 *  when it does not fit: 0.5 and 300 do not fit u8. With tsr_div and tsr_pow an integer tensor becomes the float
 *  that tsr_div gives, and takes any number. The forms that end in _i64 take whole numbers beyond 2^53, which a
 *  tsr_real would round; they fail in the same way.
 *
 *  They fail with TSR_ESHAPE (shapes that do not broadcast), TSR_EDTYPE (dtypes that the op does not take),
 *  TSR_EDEVICE, and what ops.h says of outputs. */
#ifndef TESSERA_BINARY_H
#define TESSERA_BINARY_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- type promotion ---- */

/** The dtype of a result of two: the array API's table, and more where it has no entry. TSR_NONE when one is no
 *  dtype.
 *  - Two of one kind: the larger one. bool with another: the other.
 *  - A signed with an unsigned integer: the smallest signed one that holds both; u64 with a signed one: f64, as in
 *    NumPy (f32 where f64 is not configured).
 *  - An integer with a float or complex: the float or complex, whatever its size. (NumPy takes a larger one for large
 *    integers.) That is the dtype of the result: beside f16, bf16 and f8 the integer is computed with as f32, and is
 *    not rounded to the small float first, so that 70001 is less than an f16 that is infinite.
 *  - f16 with bf16, and the two f8 with each other: f32. f8 with f16 or bf16: the larger one, which holds every f8
 *    exactly.
 *  - A real with a complex: the complex; f64 with c64: c128.
 *
 *  Three inputs are promoted from left to right. */
TSR_API int tsr_dtype_promote(int a, int b);

/* ---- arithmetic ---- */

/** a + b. bool: or. */
TSR_API TSR_MUST_USE tsr_status tsr_add(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** a + value. */
TSR_API TSR_MUST_USE tsr_status tsr_add_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value, tsr_tensor *out);

/** a - b. Not for bool. */
TSR_API TSR_MUST_USE tsr_status tsr_sub(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** a - value. */
TSR_API TSR_MUST_USE tsr_status tsr_sub_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value, tsr_tensor *out);
/** value - b. */
TSR_API TSR_MUST_USE tsr_status tsr_scalar_sub(tsr_ctx *ctx, tsr_real value, const tsr_tensor *b, tsr_tensor *out);

/** a · b. bool: and. */
TSR_API TSR_MUST_USE tsr_status tsr_mul(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** a · value. */
TSR_API TSR_MUST_USE tsr_status tsr_mul_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value, tsr_tensor *out);

/** a / b, true division: bool and integers to 16 bits give f32, larger ones f64 (f32 where f64 is not configured). */
TSR_API TSR_MUST_USE tsr_status tsr_div(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** a / value. */
TSR_API TSR_MUST_USE tsr_status tsr_div_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value, tsr_tensor *out);
/** value / b. */
TSR_API TSR_MUST_USE tsr_status tsr_scalar_div(tsr_ctx *ctx, tsr_real value, const tsr_tensor *b, tsr_tensor *out);

/** The quotient rounded down, as Python's //. Integers: x / 0 is 0, and the least number by -1 wraps to itself.
 *  Floats: x / 0 is what tsr_div gives, an infinite dividend gives NaN. Not for bool. */
TSR_API TSR_MUST_USE tsr_status tsr_floor_divide(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b,
                                                 tsr_tensor *out);
/** floor_divide by value. */
TSR_API TSR_MUST_USE tsr_status tsr_floor_divide_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value,
                                                        tsr_tensor *out);
/** floor_divide of value by b. */
TSR_API TSR_MUST_USE tsr_status tsr_scalar_floor_divide(tsr_ctx *ctx, tsr_real value, const tsr_tensor *b,
                                                        tsr_tensor *out);

/** What floor_divide leaves, with the sign of b, as Python's %. Integers: x % 0 is 0. Floats: x % 0 is NaN, and a
 *  rest of 0 has the sign of b. Not for bool. */
TSR_API TSR_MUST_USE tsr_status tsr_remainder(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** The remainder by value. */
TSR_API TSR_MUST_USE tsr_status tsr_remainder_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value,
                                                     tsr_tensor *out);
/** The remainder of value by b. */
TSR_API TSR_MUST_USE tsr_status tsr_scalar_remainder(tsr_ctx *ctx, tsr_real value, const tsr_tensor *b,
                                                     tsr_tensor *out);

/** What division cut towards 0 leaves, with the sign of a, as C's fmod and %. Integers: x by 0 gives 0. Floats: x by 0
 *  gives NaN; exact. Not for bool. */
TSR_API TSR_MUST_USE tsr_status tsr_fmod(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);

/** a to the power b. Integers wrap; a negative exponent gives 0, but 1 for base 1, and 1 or -1 for base -1; 0 to
 *  the power 0 is 1. Floats: within 1 ULP; f64 within 2 ULP, sampled, and the C library's where numbers or results are
 *  not positive and normal; to the power 2 the product a·a, with the bits of tsr_square. Not for bool. */
TSR_API TSR_MUST_USE tsr_status tsr_pow(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** a to the power value. Integer tensors give floats; for integer powers give a tensor. */
TSR_API TSR_MUST_USE tsr_status tsr_pow_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value, tsr_tensor *out);
/** value to the power b. */
TSR_API TSR_MUST_USE tsr_status tsr_scalar_pow(tsr_ctx *ctx, tsr_real value, const tsr_tensor *b, tsr_tensor *out);

/* ---- the larger and the smaller one. Of -0 and +0 either may be given ---- */

/** The larger one; NaN where one of the two is. */
TSR_API TSR_MUST_USE tsr_status tsr_maximum(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** The larger of a and value. */
TSR_API TSR_MUST_USE tsr_status tsr_maximum_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value, tsr_tensor *out);
/** The smaller one; NaN where one of the two is. */
TSR_API TSR_MUST_USE tsr_status tsr_minimum(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** The smaller of a and value. */
TSR_API TSR_MUST_USE tsr_status tsr_minimum_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value, tsr_tensor *out);
/** The larger one; the other where one is NaN. */
TSR_API TSR_MUST_USE tsr_status tsr_fmax(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** The smaller one; the other where one is NaN. */
TSR_API TSR_MUST_USE tsr_status tsr_fmin(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);

/* ---- float functions: bool and integers give floats, as with tsr_div ---- */

/** The angle of the point (b, a) in radians, -π … π, within 2 ULP; f64 sampled, and the C library's where a or b is
 *  past 2^±500. */
TSR_API TSR_MUST_USE tsr_status tsr_atan2(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** sqrt(a² + b²) without overflow in between, within 1 ULP; f64 the C library's. */
TSR_API TSR_MUST_USE tsr_status tsr_hypot(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** The size of a with the sign of b, of zeros and NaN too. */
TSR_API TSR_MUST_USE tsr_status tsr_copysign(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);

/** The next number of the dtype from a towards b; b where both are equal (so 0 of b's sign), NaN where one is NaN. From
 *  0 it is the smallest subnormal number, past the largest one infinity. Exact in every float dtype: f16, bf16 and f8
 *  step by their own numbers, after promotion (f16 with f32 steps in f32). */
TSR_API TSR_MUST_USE tsr_status tsr_nextafter(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);

/* ---- comparisons: the result is bool. NaN is unequal to everything, -0 equals +0. Integers and floats are compared
 * after promotion: exact only as far as the promoted dtype is. tsr_equal compares whole tensors exactly ---- */

/** a == b. */
TSR_API TSR_MUST_USE tsr_status tsr_eq(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** a == value. */
TSR_API TSR_MUST_USE tsr_status tsr_eq_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value, tsr_tensor *out);
/** a != b. */
TSR_API TSR_MUST_USE tsr_status tsr_ne(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** a != value. */
TSR_API TSR_MUST_USE tsr_status tsr_ne_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value, tsr_tensor *out);
/** a < b. */
TSR_API TSR_MUST_USE tsr_status tsr_lt(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** a < value. */
TSR_API TSR_MUST_USE tsr_status tsr_lt_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value, tsr_tensor *out);
/** a <= b. */
TSR_API TSR_MUST_USE tsr_status tsr_le(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** a <= value. */
TSR_API TSR_MUST_USE tsr_status tsr_le_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value, tsr_tensor *out);
/** a > b. */
TSR_API TSR_MUST_USE tsr_status tsr_gt(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** a > value. */
TSR_API TSR_MUST_USE tsr_status tsr_gt_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value, tsr_tensor *out);
/** a >= b. */
TSR_API TSR_MUST_USE tsr_status tsr_ge(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** a >= value. */
TSR_API TSR_MUST_USE tsr_status tsr_ge_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value, tsr_tensor *out);

/* ---- logic: any dtypes, read as "not 0" (NaN is not 0); the result is bool ---- */

/** a and b. */
TSR_API TSR_MUST_USE tsr_status tsr_logical_and(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b,
                                                tsr_tensor *out);
/** a or b, or both. */
TSR_API TSR_MUST_USE tsr_status tsr_logical_or(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** a or b, not both. */
TSR_API TSR_MUST_USE tsr_status tsr_logical_xor(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b,
                                                tsr_tensor *out);

/* ---- bits: integers, and bool but for shifts ---- */

/** a & b. */
TSR_API TSR_MUST_USE tsr_status tsr_bitwise_and(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b,
                                                tsr_tensor *out);
/** a & value. */
TSR_API TSR_MUST_USE tsr_status tsr_bitwise_and_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value,
                                                       tsr_tensor *out);
/** a | b. */
TSR_API TSR_MUST_USE tsr_status tsr_bitwise_or(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** a | value. */
TSR_API TSR_MUST_USE tsr_status tsr_bitwise_or_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value,
                                                      tsr_tensor *out);
/** a ^ b. */
TSR_API TSR_MUST_USE tsr_status tsr_bitwise_xor(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b,
                                                tsr_tensor *out);
/** a ^ value. */
TSR_API TSR_MUST_USE tsr_status tsr_bitwise_xor_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value,
                                                       tsr_tensor *out);
/** a << b. Counts from the width on, and negative ones, give 0. */
TSR_API TSR_MUST_USE tsr_status tsr_shift_left(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);
/** a << value. */
TSR_API TSR_MUST_USE tsr_status tsr_shift_left_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value,
                                                      tsr_tensor *out);
/** a >> b, with the sign for signed integers. Counts from the width on, and negative ones, give 0, or -1 for
 *  negative a. */
TSR_API TSR_MUST_USE tsr_status tsr_shift_right(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b,
                                                tsr_tensor *out);
/** a >> value. */
TSR_API TSR_MUST_USE tsr_status tsr_shift_right_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value,
                                                       tsr_tensor *out);

/* ---- three inputs ---- */

/** a where cond is true, b elsewhere. cond is bool; a and b of any dtypes that promote. Nothing is computed: NaN
 *  payloads stay. */
TSR_API TSR_MUST_USE tsr_status tsr_where(tsr_ctx *ctx, const tsr_tensor *cond, const tsr_tensor *a,
                                          const tsr_tensor *b, tsr_tensor *out);

/** x, but at least lo and at most hi; hi where lo > hi. NaN in x stays, NaN as a bound gives NaN. Both bounds take
 *  x's dtype: TSR_ERANGE when one does not fit. */
TSR_API TSR_MUST_USE tsr_status tsr_clamp(tsr_ctx *ctx, const tsr_tensor *x, tsr_real lo, tsr_real hi, tsr_tensor *out);
/** tsr_clamp with bounds for each element; the three are promoted. */
TSR_API TSR_MUST_USE tsr_status tsr_clamp_tensor(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *lo,
                                                 const tsr_tensor *hi, tsr_tensor *out);

/** a·b + c, rounded once in f32 and f64; smaller floats are rounded to f32 once and then to their dtype. Integers
 *  wrap. Not for bool. */
TSR_API TSR_MUST_USE tsr_status tsr_fma(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, const tsr_tensor *c,
                                        tsr_tensor *out);

/** x + value·a·b, each step rounded, as PyTorch does: first value·a, then by b, then the sum. f16, bf16 and f8 are
 *  computed in f32, value too, and rounded once. Integers wrap, and value must be one that their dtype holds:
 *  TSR_ERANGE. Not for bool. */
TSR_API TSR_MUST_USE tsr_status tsr_addcmul(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *a, const tsr_tensor *b,
                                            tsr_real value, tsr_tensor *out);

/** From a to b: a where weight is 0, b where it is 1, exactly; a + weight·(b - a) below 0.5 and b - (1 - weight)·(b
 *  - a) from there on. bool and integers give floats. */
TSR_API TSR_MUST_USE tsr_status tsr_lerp(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b,
                                         const tsr_tensor *weight, tsr_tensor *out);
/** tsr_lerp with one weight, which takes the dtype of the result. */
TSR_API TSR_MUST_USE tsr_status tsr_lerp_scalar(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_real weight,
                                                tsr_tensor *out);

/* ---- with a whole number of 64 bits ---- */

/** tsr_add_scalar with a number that need not fit tsr_real: exact beyond 2^53. */
TSR_API TSR_MUST_USE tsr_status tsr_add_scalar_i64(tsr_ctx *ctx, const tsr_tensor *a, int64_t value, tsr_tensor *out);
/** tsr_sub_scalar with a number that need not fit tsr_real: exact beyond 2^53. */
TSR_API TSR_MUST_USE tsr_status tsr_sub_scalar_i64(tsr_ctx *ctx, const tsr_tensor *a, int64_t value, tsr_tensor *out);
/** tsr_mul_scalar with a number that need not fit tsr_real: exact beyond 2^53. */
TSR_API TSR_MUST_USE tsr_status tsr_mul_scalar_i64(tsr_ctx *ctx, const tsr_tensor *a, int64_t value, tsr_tensor *out);
/** tsr_floor_divide_scalar with a number that need not fit tsr_real: exact beyond 2^53. */
TSR_API TSR_MUST_USE tsr_status tsr_floor_divide_scalar_i64(tsr_ctx *ctx, const tsr_tensor *a, int64_t value,
                                                            tsr_tensor *out);
/** tsr_remainder_scalar with a number that need not fit tsr_real: exact beyond 2^53. */
TSR_API TSR_MUST_USE tsr_status tsr_remainder_scalar_i64(tsr_ctx *ctx, const tsr_tensor *a, int64_t value,
                                                         tsr_tensor *out);
/** tsr_maximum_scalar with a number that need not fit tsr_real: exact beyond 2^53. */
TSR_API TSR_MUST_USE tsr_status tsr_maximum_scalar_i64(tsr_ctx *ctx, const tsr_tensor *a, int64_t value,
                                                       tsr_tensor *out);
/** tsr_minimum_scalar with a number that need not fit tsr_real: exact beyond 2^53. */
TSR_API TSR_MUST_USE tsr_status tsr_minimum_scalar_i64(tsr_ctx *ctx, const tsr_tensor *a, int64_t value,
                                                       tsr_tensor *out);
/** tsr_eq_scalar with a number that need not fit tsr_real: exact beyond 2^53. */
TSR_API TSR_MUST_USE tsr_status tsr_eq_scalar_i64(tsr_ctx *ctx, const tsr_tensor *a, int64_t value, tsr_tensor *out);
/** tsr_ne_scalar with a number that need not fit tsr_real: exact beyond 2^53. */
TSR_API TSR_MUST_USE tsr_status tsr_ne_scalar_i64(tsr_ctx *ctx, const tsr_tensor *a, int64_t value, tsr_tensor *out);
/** tsr_lt_scalar with a number that need not fit tsr_real: exact beyond 2^53. */
TSR_API TSR_MUST_USE tsr_status tsr_lt_scalar_i64(tsr_ctx *ctx, const tsr_tensor *a, int64_t value, tsr_tensor *out);
/** tsr_le_scalar with a number that need not fit tsr_real: exact beyond 2^53. */
TSR_API TSR_MUST_USE tsr_status tsr_le_scalar_i64(tsr_ctx *ctx, const tsr_tensor *a, int64_t value, tsr_tensor *out);
/** tsr_gt_scalar with a number that need not fit tsr_real: exact beyond 2^53. */
TSR_API TSR_MUST_USE tsr_status tsr_gt_scalar_i64(tsr_ctx *ctx, const tsr_tensor *a, int64_t value, tsr_tensor *out);
/** tsr_ge_scalar with a number that need not fit tsr_real: exact beyond 2^53. */
TSR_API TSR_MUST_USE tsr_status tsr_ge_scalar_i64(tsr_ctx *ctx, const tsr_tensor *a, int64_t value, tsr_tensor *out);
/** tsr_bitwise_and_scalar with a number that need not fit tsr_real: exact beyond 2^53. */
TSR_API TSR_MUST_USE tsr_status tsr_bitwise_and_scalar_i64(tsr_ctx *ctx, const tsr_tensor *a, int64_t value,
                                                           tsr_tensor *out);
/** tsr_bitwise_or_scalar with a number that need not fit tsr_real: exact beyond 2^53. */
TSR_API TSR_MUST_USE tsr_status tsr_bitwise_or_scalar_i64(tsr_ctx *ctx, const tsr_tensor *a, int64_t value,
                                                          tsr_tensor *out);
/** tsr_bitwise_xor_scalar with a number that need not fit tsr_real: exact beyond 2^53. */
TSR_API TSR_MUST_USE tsr_status tsr_bitwise_xor_scalar_i64(tsr_ctx *ctx, const tsr_tensor *a, int64_t value,
                                                           tsr_tensor *out);
/** tsr_scalar_sub with such a number. */
TSR_API TSR_MUST_USE tsr_status tsr_scalar_sub_i64(tsr_ctx *ctx, int64_t value, const tsr_tensor *b, tsr_tensor *out);
/** tsr_scalar_floor_divide with such a number. */
TSR_API TSR_MUST_USE tsr_status tsr_scalar_floor_divide_i64(tsr_ctx *ctx, int64_t value, const tsr_tensor *b,
                                                            tsr_tensor *out);
/** tsr_scalar_remainder with such a number. */
TSR_API TSR_MUST_USE tsr_status tsr_scalar_remainder_i64(tsr_ctx *ctx, int64_t value, const tsr_tensor *b,
                                                         tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
