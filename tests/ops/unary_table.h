/* The unary ops and what they should give: shared by their tests. */
#ifndef TSR_TEST_UNARY_TABLE_H
#define TSR_TEST_UNARY_TABLE_H

#include "support/helpers.h"
#include "support/test.h"

#include <math.h>

typedef tsr_status op_fn(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out);

static tsr_status leaky_relu(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out) {
  return tsr_leaky_relu(ctx, x, (tsr_real)0.25, out);
}
static tsr_status elu(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out) {
  return tsr_elu(ctx, x, (tsr_real)0.5, out);
}
static tsr_status celu(tsr_ctx *ctx, const tsr_tensor *x, tsr_tensor *out) {
  return tsr_celu(ctx, x, (tsr_real)0.5, out);
}

static double ref_conj(double x) { return x; }
static double ref_angle(double x) { return isnan(x) ? x : signbit(x) ? 3.14159265358979323846 : 0; }
static double ref_neg(double x) { return -x; }
static double ref_sign(double x) { return isnan(x) ? x : (x > 0) - (x < 0); }
static double ref_square(double x) { return x * x; }
static double ref_rsqrt(double x) { return 1 / sqrt(x); }
static double ref_reciprocal(double x) { return 1 / x; }
static double ref_isnan(double x) { return isnan(x) ? 1 : 0; }
static double ref_isinf(double x) { return isinf(x) ? 1 : 0; }
static double ref_isfinite(double x) { return isfinite(x) ? 1 : 0; }
static double ref_logical_not(double x) { return x == 0; }
static double ref_relu(double x) { return x < 0 ? 0 : x; }
static double ref_leaky_relu(double x) { return x < 0 ? x / 4 : x; }
static double ref_elu(double x) { return x > 0 ? x : expm1(x) / 2; }
static double ref_celu(double x) { return x > 0 ? x : expm1(x * 2) / 2; }
static double ref_selu(double x) { return 1.0507009873554804934 * (x > 0 ? x : 1.6732632423543772848 * expm1(x)); }
static double ref_softsign(double x) { return isinf(x) ? copysign(1, x) : x / (1 + fabs(x)); }
static double ref_sigmoid(double x) { return 1 / (1 + exp(-x)); }
static double ref_silu(double x) { return x == -INFINITY ? -0.0 : x / (1 + exp(-x)); }
static double ref_hard_sigmoid(double x) { return x <= -3 ? 0 : x >= 3 ? 1 : (x + 3) / 6; }
static double ref_hard_swish(double x) { return x <= -3 ? -0.0 : x >= 3 ? x : x * (x + 3) / 6; }
static double ref_softplus(double x) { return x > 40 ? x : log1p(exp(x)); }
static double ref_mish(double x) { return x == -INFINITY ? -0.0 : x > 40 ? x : x * tanh(log1p(exp(x))); }
static double ref_gelu(double x) { return x == -INFINITY ? -0.0 : x / 2 * erfc(-x * 0.70710678118654752440); }
static double ref_gelu_tanh(double x) {
  return x == -INFINITY ? -0.0 : x / (1 + exp(-1.59576912160573071176 * (x + 0.044715 * x * x * x)));
}

/* OWN keeps the dtype, INTEGER too but has no floats; FLOAT makes one; BOOLEAN is a test. The reference of
 * bitwise_not is made of its bits. EXACT ops have the same bits on every instruction set. COMPLEX ones
 * take complex numbers, as tests do; PART ones give a real number of them. */
enum { OWN = 1, INTEGER = 2, FLOAT = 4, BOOLEAN = 8, EXACT = 16, COMPLEX = 32, PART = 64 };

typedef struct row {
  const char *name;
  op_fn *op;
  int kind;
  double (*reference)(double);
} row;

static const row rows[] = {
    {"abs", tsr_abs, OWN | EXACT | COMPLEX | PART, fabs},
    {"neg", tsr_neg, OWN | EXACT | COMPLEX, ref_neg},
    {"conj", tsr_conj, OWN | EXACT | COMPLEX, ref_conj},
    {"angle", tsr_angle, FLOAT | EXACT | COMPLEX | PART, ref_angle},
    {"sign", tsr_sign, OWN | EXACT | COMPLEX, ref_sign},
    {"square", tsr_square, OWN | EXACT | COMPLEX, ref_square},
    {"relu", tsr_relu, OWN | EXACT, ref_relu},
    {"floor", tsr_floor, OWN | EXACT, floor},
    {"ceil", tsr_ceil, OWN | EXACT, ceil},
    {"round", tsr_round, OWN | EXACT | COMPLEX, rint},
    {"trunc", tsr_trunc, OWN | EXACT, trunc},
    {"bitwise_not", tsr_bitwise_not, INTEGER | EXACT, NULL},
    {"logical_not", tsr_logical_not, BOOLEAN | EXACT, ref_logical_not},
    {"isnan", tsr_isnan, BOOLEAN | EXACT, ref_isnan},
    {"isinf", tsr_isinf, BOOLEAN | EXACT, ref_isinf},
    {"isfinite", tsr_isfinite, BOOLEAN | EXACT, ref_isfinite},
    {"sqrt", tsr_sqrt, FLOAT | EXACT | COMPLEX, sqrt},
    {"rsqrt", tsr_rsqrt, FLOAT | EXACT | COMPLEX, ref_rsqrt},
    {"reciprocal", tsr_reciprocal, FLOAT | EXACT | COMPLEX, ref_reciprocal},
    {"exp", tsr_exp, FLOAT | COMPLEX, exp},
    {"exp2", tsr_exp2, FLOAT | COMPLEX, exp2},
    {"expm1", tsr_expm1, FLOAT | COMPLEX, expm1},
    {"log", tsr_log, FLOAT | COMPLEX, log},
    {"log2", tsr_log2, FLOAT | COMPLEX, log2},
    {"log10", tsr_log10, FLOAT | COMPLEX, log10},
    {"log1p", tsr_log1p, FLOAT | COMPLEX, log1p},
    {"sin", tsr_sin, FLOAT | COMPLEX, sin},
    {"cos", tsr_cos, FLOAT | COMPLEX, cos},
    {"tan", tsr_tan, FLOAT | COMPLEX, tan},
    {"tanh", tsr_tanh, FLOAT | COMPLEX, tanh},
    {"erf", tsr_erf, FLOAT, erf},
    {"erfc", tsr_erfc, FLOAT, erfc},
    {"cbrt", tsr_cbrt, FLOAT, cbrt},
    {"asin", tsr_asin, FLOAT | COMPLEX, asin},
    {"acos", tsr_acos, FLOAT | COMPLEX, acos},
    {"atan", tsr_atan, FLOAT | COMPLEX, atan},
    {"sinh", tsr_sinh, FLOAT | COMPLEX, sinh},
    {"cosh", tsr_cosh, FLOAT | COMPLEX, cosh},
    {"asinh", tsr_asinh, FLOAT | COMPLEX, asinh},
    {"acosh", tsr_acosh, FLOAT | COMPLEX, acosh},
    {"atanh", tsr_atanh, FLOAT | COMPLEX, atanh},
    {"leaky_relu", leaky_relu, FLOAT | EXACT, ref_leaky_relu},
    {"elu", elu, FLOAT, ref_elu},
    {"celu", celu, FLOAT, ref_celu},
    {"selu", tsr_selu, FLOAT, ref_selu},
    {"softsign", tsr_softsign, FLOAT, ref_softsign},
    {"gelu", tsr_gelu, FLOAT, ref_gelu},
    {"gelu_tanh", tsr_gelu_tanh, FLOAT, ref_gelu_tanh},
    {"silu", tsr_silu, FLOAT, ref_silu},
    {"sigmoid", tsr_sigmoid, FLOAT | COMPLEX, ref_sigmoid},
    {"hard_sigmoid", tsr_hard_sigmoid, FLOAT | EXACT, ref_hard_sigmoid},
    {"hard_swish", tsr_hard_swish, FLOAT | EXACT, ref_hard_swish},
    {"softplus", tsr_softplus, FLOAT, ref_softplus},
    {"mish", tsr_mish, FLOAT, ref_mish},
};

static inline bool is_float(int dtype) { return tsr_dtype_describe(dtype)->class_ == TSR_CLASS_FLOAT; }
static inline bool is_complex(int dtype) { return tsr_dtype_describe(dtype)->class_ == TSR_CLASS_COMPLEX; }

/* The dtype of the result, TSR_NONE where the call is refused. */
static inline int result_dtype(const row *r, int dtype) {
  if (!tsr_dtype_supported(dtype)) return TSR_NONE;
  if (is_complex(dtype) && (r->kind & (COMPLEX | BOOLEAN)) == 0) return TSR_NONE;
  if (is_complex(dtype) && (r->kind & PART) != 0) return dtype == TSR_C64 ? TSR_F32 : TSR_F64;
  if (is_complex(dtype) && (r->kind & BOOLEAN) == 0) return dtype;
  if ((r->kind & OWN) != 0) return dtype == TSR_BOOL ? TSR_NONE : dtype;
  if ((r->kind & INTEGER) != 0) return is_float(dtype) ? TSR_NONE : dtype;
  if ((r->kind & BOOLEAN) != 0) return TSR_BOOL;
  if (is_float(dtype)) return dtype;
  return tsr_dtype_size(dtype) <= 2 || !TSR_HAVE_F64 ? TSR_F32 : TSR_F64;
}

/* Sets the instruction set number isa; false past the last. */
static inline bool use_isa(tsr_ctx *ctx, int isa) {
  if (tsr_isa_name(isa) == NULL) return false;
  OK(ctx, tsr_context_set_isa(ctx, tsr_isa_name(isa)));
  return true;
}

/* The bits of element i of a dense tensor. */
static inline uint64_t bits_at(const tsr_tensor *t, tsr_index i) {
  const size_t item = tsr_dtype_size(t->dtype);
  const char *const at = (const char *)t->data + (size_t)i * item;
  uint16_t two;
  uint32_t four;
  uint64_t eight;
  switch (item) {
    case 2: return memcpy(&two, at, item), two;
    case 4: return memcpy(&four, at, item), four;
    case 8: return memcpy(&eight, at, item), eight;
    default: return *(const unsigned char *)at;
  }
}

#endif
