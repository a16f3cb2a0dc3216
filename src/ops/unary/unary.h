/* The unary ops: which there are, their kernels, and what they do around them. */
#ifndef TSR_OPS_UNARY_H
#define TSR_OPS_UNARY_H

#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/kernels.h"

/* The rows, by the dtypes that they compute in. A row is a name: tsr_<name> is the public function,
 * tsr__<name>_<isa> its kernels, tsr__<name>_f32 (in cpu/math) its value. */
#define TSR__UNARY_NUMERIC(X) X(abs) X(neg) X(sign) X(square) X(relu)
#define TSR__UNARY_ROUNDING(X) X(floor) X(ceil) X(round) X(trunc)
#define TSR__UNARY_PREDICATES(X) X(isnan) X(isinf) X(isfinite)
#define TSR__UNARY_ROOTS(X) X(sqrt) X(rsqrt) X(reciprocal)
#define TSR__UNARY_SMOOTH(X) X(exp2) X(expm1) X(erf)
#define TSR__UNARY_FLOATS(X) TSR__UNARY_ROOTS(X) TSR__UNARY_SMOOTH(X)
#define TSR__UNARY_RANGE_CHECKED(X) X(exp) X(tanh) X(sin) X(cos) X(tan) X(sigmoid) X(silu) X(gelu) X(gelu_tanh)
#define TSR__UNARY_LOGARITHMS(X) X(log) X(log2) X(log10) X(log1p)
/* clang-format off */
#define TSR__UNARY_RARE(X) \
  X(cbrt) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(asinh) X(acosh) X(atanh) X(erfc) X(selu) X(softsign)
/* clang-format on */
#define TSR__UNARY_ACTIVATIONS(X) X(hard_sigmoid) X(hard_swish) X(softplus) X(mish)
#define TSR__UNARY_WITH_ATTRIBUTE(X) X(leaky_relu) X(elu) X(celu)
#define TSR__UNARY_OTHERS(X) X(logical_not) X(bitwise_not)

/* Kernels by the dtype that they read; NULL: none. Their argument is NULL or the attribute, a tsr_real. */
TSR__UNARY_NUMERIC(TSR__DECLARE_KERNELS)
TSR__UNARY_ROUNDING(TSR__DECLARE_KERNELS)
TSR__UNARY_PREDICATES(TSR__DECLARE_KERNELS)
TSR__UNARY_FLOATS(TSR__DECLARE_KERNELS)
TSR__UNARY_RANGE_CHECKED(TSR__DECLARE_KERNELS)
TSR__UNARY_LOGARITHMS(TSR__DECLARE_KERNELS)
TSR__UNARY_RARE(TSR__DECLARE_KERNELS)
TSR__UNARY_ACTIVATIONS(TSR__DECLARE_KERNELS)
TSR__UNARY_WITH_ATTRIBUTE(TSR__DECLARE_KERNELS)
TSR__UNARY_OTHERS(TSR__DECLARE_KERNELS)

/* What an op takes and gives. */
typedef enum tsr__unary_kind {
  TSR__UNARY_OWN,        /* numbers, in their own dtype */
  TSR__UNARY_FLOAT,      /* a float of a float; integers become one */
  TSR__UNARY_BITWISE,    /* integers and bool, in their own dtype */
  TSR__UNARY_FLOAT_TEST, /* anything; bool of how it looks as a float */
  TSR__UNARY_TEST        /* anything; bool of it in its own dtype */
} tsr__unary_kind;

/* What the info of an op has as its kernels. */
typedef struct tsr__unary_op {
  const tsr__op_info *info;
  tsr__unary_kind kind;
  tsr_index grain; /* elements worth a thread */
  tsr__row_fn *const *tables[TSR__ISA_COUNT];
} tsr__unary_op;

/* The fast path of small calls, or the frame. attrs: the op's; attribute: the one among them, or NULL. */
tsr_status tsr__unary_run(tsr_ctx *ctx, const tsr__unary_op *op, const tsr_tensor *x, const void *attrs,
                          const tsr_real *attribute, tsr_tensor *out);

/* In a frame: the op without an attribute, and with one. */
tsr_status tsr__unary(tsr__call *call);
tsr_status tsr__unary_with(tsr__call *call, tsr_real attribute);

/* The ops without an attribute: what each takes and gives, and how heavy it is. */
/* clang-format off */
#define TSR__UNARY_LIST(X)                                                                                       \
  X(abs, OWN, LIGHT) X(neg, OWN, LIGHT) X(sign, OWN, LIGHT) X(square, OWN, LIGHT) X(floor, OWN, LIGHT)           \
  X(ceil, OWN, LIGHT) X(round, OWN, LIGHT) X(trunc, OWN, LIGHT) X(bitwise_not, BITWISE, LIGHT)                   \
  X(logical_not, TEST, LIGHT) X(isnan, FLOAT_TEST, LIGHT) X(isinf, FLOAT_TEST, LIGHT)                            \
  X(isfinite, FLOAT_TEST, LIGHT) X(sqrt, FLOAT, HEAVY) X(rsqrt, FLOAT, HEAVY) X(reciprocal, FLOAT, HEAVY)        \
  X(exp, FLOAT, HEAVY) X(exp2, FLOAT, HEAVY) X(expm1, FLOAT, HEAVY) X(log, FLOAT, HEAVY) X(log2, FLOAT, HEAVY)   \
  X(log10, FLOAT, HEAVY) X(log1p, FLOAT, HEAVY) X(sin, FLOAT, HEAVY) X(cos, FLOAT, HEAVY) X(tan, FLOAT, HEAVY)   \
  X(tanh, FLOAT, HEAVY) X(erf, FLOAT, HEAVY) X(erfc, FLOAT, HEAVY) X(cbrt, FLOAT, HEAVY) X(asin, FLOAT, HEAVY)   \
  X(acos, FLOAT, HEAVY) X(atan, FLOAT, HEAVY) X(sinh, FLOAT, HEAVY) X(cosh, FLOAT, HEAVY) X(asinh, FLOAT, HEAVY) \
  X(acosh, FLOAT, HEAVY) X(atanh, FLOAT, HEAVY)
/* clang-format on */
/* clang-format off */
#define TSR__UNARY_ACTIVATION_LIST(X)                                                                          \
  X(relu, OWN, LIGHT) X(gelu, FLOAT, HEAVY) X(gelu_tanh, FLOAT, HEAVY) X(silu, FLOAT, HEAVY)                   \
  X(sigmoid, FLOAT, HEAVY) X(hard_sigmoid, FLOAT, LIGHT) X(hard_swish, FLOAT, LIGHT) X(softplus, FLOAT, HEAVY) \
  X(mish, FLOAT, HEAVY) X(selu, FLOAT, HEAVY) X(softsign, FLOAT, HEAVY)
/* clang-format on */

/* The public function of one row. */
#define TSR__UNARY_FUNCTION(op, kind, weight)                                                                        \
  static const tsr__unary_op op##_op = {&tsr__op_##op, TSR__UNARY_##kind, TSR__GRAIN_##weight, TSR__KERNELS_OF(op)}; \
  TSR__OP_ROW(op, unary, tsr__unary, &op##_op, TSR__OP_SCALARS)                                                      \
  tsr_status tsr_##op(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out) {                                          \
    return tsr__unary_run(ctx, &op##_op, x, &(const tsr__unary_attrs){0}, NULL, out);                                \
  }

#endif
