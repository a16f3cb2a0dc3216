#include "cuda/lines.h"

#include "ops/parts.h"

#include <string.h>
#include <tessera/binary.h>

/* ---- what lines need before them ---- */

#define INCLUDE(file) "#include \"" file "\"\n"
#define UNARY INCLUDE("cuda/kernels/unary.tmpl.cuh")
#define BINARY INCLUDE("cuda/kernels/binary.tmpl.cuh")
#define BINARY_F32 INCLUDE("cuda/kernels/pow.cuh")
#define BINARY_F64                                                        \
  LIBM INCLUDE("cpu/math/pow_f64.h") INCLUDE("cpu/math/arc_f64.h") RANGES \
      "RANGE_CHECKED_PAIR(pow)\n"                                         \
      "RANGE_CHECKED_PAIR(atan2)\n"
#define DIVIDE INCLUDE("cuda/kernels/divide.tmpl.cuh")
#define TERNARY INCLUDE("ops/ternary/numbers.tmpl.h")
#define RANGES INCLUDE("cuda/kernels/ranges.cuh")
#define LIBM INCLUDE("cuda/kernels/libm.cuh")
#define WIDE(op, LOW, file) \
  LIBM INCLUDE("cpu/math/" file) RANGES "RANGE_CHECKED_WIDE(" op ", TSR__" LOW "_LOW_F64, TSR__" LOW "_HIGH_F64)\n"
#define RANGE_CHECKED(op, file) INCLUDE("cpu/math/" file) RANGES "RANGE_CHECKED(" op ")\n"
#define LOGARITHM(op) INCLUDE("cpu/math/log_f32.h") RANGES "LOGARITHM(" op ")\n"
#define FILE_F32(file) INCLUDE("cpu/math/" file)

/* What it is of f32 where a pack is in range: see RANGE_CHECKED_BY in ranges.cuh. */
#define NEAR(op) "FN(tsr__" op "_near)(a, far, small)"

/* The files of functions of one number, by the op. */
typedef struct mathematics {
  const char *op, *f32, *f64, *near;
} mathematics;

static const mathematics functions[] = {
    {"exp", RANGE_CHECKED("exp", "exp_f32.h"), WIDE("exp", "EXP", "exp_f64.h"), NEAR("exp")},
    {"exp2", FILE_F32("exp_f32.h"), WIDE("exp2", "EXP2", "exp_f64.h"), NULL},
    {"expm1", FILE_F32("exp_f32.h"), WIDE("expm1", "EXPM1", "exp_f64.h"), NULL},
    {"log", LOGARITHM("log"), WIDE("log", "LOG", "log_f64.h"), NEAR("log")},
    {"log2", LOGARITHM("log2"), WIDE("log2", "LOG2", "log_f64.h"), NEAR("log2")},
    {"log10", LOGARITHM("log10"), WIDE("log10", "LOG10", "log_f64.h"), NEAR("log10")},
    {"log1p", FILE_F32("log_f32.h"), WIDE("log1p", "LOG1P", "log_f64.h"), NULL},
    {"sin", RANGE_CHECKED("sin", "trig_f32.h"), WIDE("sin", "SIN", "trig_f64.h"), NEAR("sin")},
    {"cos", RANGE_CHECKED("cos", "trig_f32.h"), WIDE("cos", "COS", "trig_f64.h"), NEAR("cos")},
    {"tan", RANGE_CHECKED("tan", "trig_f32.h"), WIDE("tan", "TAN", "trig_f64.h"), NEAR("tan")},
    {"tanh", RANGE_CHECKED("tanh", "erf_f32.h"), WIDE("tanh", "TANH", "exp_f64.h"), NEAR("tanh")},
    {"erf", FILE_F32("erf_f32.h"), WIDE("erf", "ERF", "erf_f64.h"), NULL},
    {"sigmoid", RANGE_CHECKED("sigmoid", "activation_f32.h"), WIDE("sigmoid", "SIGMOID", "exp_f64.h"), NEAR("sigmoid")},
    {"silu", RANGE_CHECKED("silu", "activation_f32.h"), WIDE("silu", "SILU", "exp_f64.h"), NEAR("silu")},
    {"gelu", INCLUDE("cuda/kernels/gelu.cuh"), LIBM, NEAR("gelu")},
    {"gelu_tanh", RANGE_CHECKED("gelu_tanh", "gelu_f32.h"), LIBM, NEAR("gelu_tanh")},
    {"erfc", FILE_F32("erfc_f32.h"), LIBM, NULL},
    {"cbrt", FILE_F32("root_f32.h"), LIBM, NULL},
    {"asin", FILE_F32("arc_f32.h"), LIBM, NULL},
    {"acos", FILE_F32("arc_f32.h"), LIBM, NULL},
    {"atan", FILE_F32("arc_f32.h"), LIBM, NULL},
    {"sinh", FILE_F32("hyperbolic_f32.h"), LIBM, NULL},
    {"cosh", FILE_F32("hyperbolic_f32.h"), LIBM, NULL},
    {"asinh", FILE_F32("hyperbolic_f32.h"), LIBM, NULL},
    {"acosh", FILE_F32("hyperbolic_f32.h"), LIBM, NULL},
    {"atanh", FILE_F32("hyperbolic_f32.h"), LIBM, NULL},
    {"selu", FILE_F32("activation_f32.h"), LIBM, NULL},
    {"softsign", FILE_F32("activation_f32.h"), LIBM, NULL},
    {"hard_sigmoid", FILE_F32("activation_f32.h"), LIBM, NULL},
    {"hard_swish", FILE_F32("activation_f32.h"), LIBM, NULL},
    {"softplus", FILE_F32("activation_f32.h"), LIBM, NULL},
    {"mish", FILE_F32("activation_f32.h"), LIBM, NULL},
    {"leaky_relu", FILE_F32("activation_f32.h"), LIBM, NULL},
    {"elu", FILE_F32("activation_f32.h"), LIBM, NULL},
    {"celu", FILE_F32("activation_f32.h"), LIBM, NULL},
    {"abs", FILE_F32("bits.h"), FILE_F32("bits.h"), NULL},
};

/* ---- of complex numbers ---- */

/* What a line gives of them: the same, a real number, bool. */
typedef enum complex_result { GIVES_COMPLEX, GIVES_PART, GIVES_BOOL } complex_result;

typedef struct complex_line {
  const char *op, *value;
  complex_result gives;
  const char *narrow; /* of a function, which is computed in c128: its value for numbers of c64 */
} complex_line;

#define COMPLEX INCLUDE("cuda/kernels/complex.tmpl.cuh")
const char tsr__cuda_complex[] = COMPLEX;
#define COMPLEX_FUNCTIONS COMPLEX INCLUDE("cuda/kernels/complex_functions.cuh") INCLUDE("cpu/math/complex_made.h")
#define FUNCTION_OF(op) \
  { #op, #op "_of(a)", GIVES_COMPLEX, #op "_of(a)" }
#define NARROW_FUNCTION_OF(op) \
  { #op, #op "_of(a)", GIVES_COMPLEX, "narrow_" #op "_of(a)" }
static const complex_line complex_lines[] = {
    {"add", "FN(tsr__add)(a, b)", GIVES_COMPLEX, NULL},
    {"sub", "FN(tsr__sub)(a, b)", GIVES_COMPLEX, NULL},
    {"mul", "FN(tsr__mul)(a, b)", GIVES_COMPLEX, NULL},
    {"div", "FN(tsr__div)(a, b)", GIVES_COMPLEX, NULL},
    {"eq", "FN(tsr__eq)(a, b)", GIVES_BOOL, NULL},
    {"ne", "!FN(tsr__eq)(a, b)", GIVES_BOOL, NULL},
    {"fma", "FN(product_and_sum)(a, b, c)", GIVES_COMPLEX, NULL},
    {"addcmul", "FN(with_product)(a, b, c, p.re)", GIVES_COMPLEX, NULL},
    {"neg", "FN(tsr__neg)(a)", GIVES_COMPLEX, NULL},
    {"conj", "FN(tsr__conj)(a)", GIVES_COMPLEX, NULL},
    {"sign", "FN(tsr__sign)(a)", GIVES_COMPLEX, NULL},
    {"square", "FN(tsr__square)(a)", GIVES_COMPLEX, NULL},
    {"round", "FN(rounded)(a)", GIVES_COMPLEX, NULL},
    {"abs", "FN(tsr__abs)(a)", GIVES_PART, NULL},
    {"isnan", "FN(tsr__is_nan)(a)", GIVES_BOOL, NULL},
    {"isinf", "FN(tsr__is_inf)(a)", GIVES_BOOL, NULL},
    {"isfinite", "FN(tsr__is_finite)(a)", GIVES_BOOL, NULL},
    {"logical_not", "(a.re == 0) & (a.im == 0)", GIVES_BOOL, NULL},
    {"pow", "power(a, b)", GIVES_COMPLEX, "power(a, b)"},
    {"angle", "angle_of(a)", GIVES_PART, "angle_of(a)"},
    NARROW_FUNCTION_OF(sqrt),
    NARROW_FUNCTION_OF(log),
    NARROW_FUNCTION_OF(log2),
    NARROW_FUNCTION_OF(log10),
    FUNCTION_OF(rsqrt),
    FUNCTION_OF(reciprocal),
    FUNCTION_OF(exp),
    FUNCTION_OF(exp2),
    FUNCTION_OF(expm1),
    FUNCTION_OF(log1p),
    FUNCTION_OF(sigmoid),
    FUNCTION_OF(sin),
    FUNCTION_OF(cos),
    FUNCTION_OF(tan),
    FUNCTION_OF(asin),
    FUNCTION_OF(acos),
    FUNCTION_OF(atan),
    FUNCTION_OF(sinh),
    FUNCTION_OF(cosh),
    FUNCTION_OF(tanh),
    FUNCTION_OF(asinh),
    FUNCTION_OF(acosh),
    FUNCTION_OF(atanh),
};

static const complex_line *find_complex(const char *op) {
  for (size_t i = 0; i < sizeof complex_lines / sizeof complex_lines[0]; i++)
    if (strcmp(complex_lines[i].op, op) == 0) return &complex_lines[i];
  return NULL;
}

static bool is_complex(int dtype) { return tsr_dtype_describe(dtype)->class_ == TSR_CLASS_COMPLEX; }

/* ---- the rows ---- */

/* A unary op's kind as the rule of its dtypes; tests of floats compute in a float, and other tests in the dtype itself. */
enum {
  RULE_OWN = TSR__RULE_ANY,
  RULE_VALUE = TSR__RULE_ALL,
  RULE_SIZE = TSR__RULE_ALL,
  RULE_FLOAT = TSR__RULE_FLOATS,
  RULE_FLOATING = TSR__RULE_FLOATING,
  RULE_ANGLE = TSR__RULE_FLOATING,
  RULE_BITWISE = TSR__RULE_BITS,
  RULE_FLOAT_TEST = 32,
  RULE_TEST = 33
};

#define TEXT_OF_conj "a"
#define TEXT_OF_angle "a != a ? a : copysign((C)1, a) < 0 ? (C)3.14159265358979323846 : (C)0"

const tsr__cuda_line tsr__cuda_line_of[TSR__LINE_COUNT] = {
#define UNARY_EACH(op, kind, weight) \
  [TSR__LINE_##op] = {#op, "FN(tsr__" #op ")(a)", NULL, NULL, UNARY, NULL, NULL, RULE_##kind, TSR__CUDA_OWN},
#define UNARY_PARTS(op, kind, weight) \
  [TSR__LINE_##op] = {#op, TEXT_OF_##op, NULL, NULL, NULL, NULL, NULL, RULE_##kind, TSR__CUDA_OWN},
#define UNARY_OTHERS(op, kind, weight) \
  [TSR__LINE_##op] = {#op, "FN(tsr__" #op ")(a)", "a == 0", NULL, UNARY, NULL, NULL, RULE_##kind, TSR__CUDA_OWN},
#include "ops/unary/rows.def"
    [TSR__LINE_leaky_relu] = {"leaky_relu", "FN(tsr__leaky_relu)(a, b)", NULL, NULL, NULL, NULL, NULL, RULE_FLOAT,
                              TSR__CUDA_OWN},
    [TSR__LINE_elu] = {"elu", "FN(tsr__elu)(a, b)", NULL, NULL, NULL, NULL, NULL, RULE_FLOAT, TSR__CUDA_OWN},
    [TSR__LINE_celu] = {"celu", "FN(tsr__celu)(a, b)", NULL, NULL, NULL, NULL, NULL, RULE_FLOAT, TSR__CUDA_OWN},
#define ROW(op, rule, needs, as, ...) \
  [TSR__LINE_##op] = {#op, #__VA_ARGS__, NULL, NULL, needs, NULL, NULL, TSR__RULE_##rule, as},
#define FUNCTION(op, rule, as, ...) \
  [TSR__LINE_##op] = {#op, #__VA_ARGS__, NULL, NULL, BINARY, BINARY_F32, BINARY_F64, TSR__RULE_##rule, as},
#define BINARY_WRAP(op, rule, weight, value, of_bool) \
  [TSR__LINE_##op] = {#op, #value, #of_bool, NULL, NULL, NULL, NULL, TSR__RULE_##rule, TSR__CUDA_WRAPPING},
#define BINARY_ORDER(op, rule, weight, ...) FUNCTION(op, rule, TSR__CUDA_OWN, __VA_ARGS__)
#define ORDER_OF_maximum "a > b ? a : b"
#define ORDER_OF_minimum "a < b ? a : b"
#define BINARY_ORDER_FLOATS(op, rule, weight, value, other) \
  [TSR__LINE_##                                             \
      op] = {#op, #value, NULL, ORDER_OF_##other, BINARY, BINARY_F32, BINARY_F64, TSR__RULE_##rule, TSR__CUDA_OWN},
#define BINARY_NUMBERS(op, rule, weight, ...) \
  [TSR__LINE_##op] = {#op, #__VA_ARGS__, NULL, NULL, BINARY, BINARY_F32, BINARY_F64, TSR__RULE_##rule, TSR__CUDA_OWN},
#define BINARY_DIVISIONS(op, rule, weight, function) \
  [TSR__LINE_##                                      \
      op] = {#op, "FN(any_" #function ")(a, b)", NULL, NULL, DIVIDE, NULL, NULL, TSR__RULE_##rule, TSR__CUDA_OWN},
#define BINARY_FLOATS(op, rule, weight, ...) ROW(op, rule, NULL, TSR__CUDA_OWN, __VA_ARGS__)
#define BINARY_HEAVY_FLOATS(op, rule, weight, ...) FUNCTION(op, rule, TSR__CUDA_OWN, __VA_ARGS__)
#define BINARY_WIDE_FLOATS(op, rule, weight, ...) \
  [TSR__LINE_##op] = {#op, #__VA_ARGS__, NULL, NULL, BINARY, BINARY_F32, BINARY_F64, TSR__RULE_##rule, TSR__CUDA_OWN},
#define BINARY_FORMAT(op, rule, weight, ...) FUNCTION(op, rule, TSR__CUDA_UNSIGNED, __VA_ARGS__)
#define BINARY_SAME(op, rule, weight, ...) ROW(op, rule, NULL, TSR__CUDA_OWN, __VA_ARGS__)
#define BINARY_LESS BINARY_SAME
#define SWAPPED_lt a > b
#define SWAPPED_le a >= b
#define TEXT_OF(...) #__VA_ARGS__
#define TEXT(...) TEXT_OF(__VA_ARGS__)
#define BINARY_GREATER(op, rule, weight, other) \
  [TSR__LINE_##op] = {#op, TEXT(SWAPPED_##other), NULL, NULL, NULL, NULL, NULL, TSR__RULE_##rule, TSR__CUDA_OWN},
#define BINARY_BITS(op, rule, weight, ...) ROW(op, rule, NULL, TSR__CUDA_OWN, __VA_ARGS__)
#define BINARY_SHIFT_UP(op, rule, weight, ...) FUNCTION(op, rule, TSR__CUDA_UNSIGNED, __VA_ARGS__)
#define BINARY_SHIFT_DOWN(op, rule, weight, ...) FUNCTION(op, rule, TSR__CUDA_OWN, __VA_ARGS__)
#define BINARY_TRUTH(op, rule, weight, ...) ROW(op, rule, NULL, TSR__CUDA_OWN, __VA_ARGS__)
#include "ops/binary/rows.def"
#define TERNARY_ORDER(op, rule, weight, ...) ROW(op, rule, TERNARY, TSR__CUDA_OWN, __VA_ARGS__)
#define TERNARY_WRAP(op, rule, weight, value) \
  [TSR__LINE_##op] = {#op, #value, NULL, NULL, TERNARY, NULL, NULL, TSR__RULE_##rule, TSR__CUDA_WRAPPING},
#define TERNARY_FLOATS(op, rule, weight, ...) ROW(op, rule, TERNARY, TSR__CUDA_OWN, __VA_ARGS__)
#define TERNARY_MOVE(op, rule, weight, ...) ROW(op, rule, NULL, TSR__CUDA_OWN, __VA_ARGS__)
#include "ops/ternary/rows.def"
};

static const mathematics *find_function(const char *op) {
  for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
    if (strcmp(functions[i].op, op) == 0) return &functions[i];
  return NULL;
}

/* ---- dtypes ---- */

static bool is_float(int dtype) { return tsr_dtype_describe(dtype)->class_ == TSR_CLASS_FLOAT; }

/* Rules that do not compute with complex numbers: these are moved, and read as whether they are 0. */
static bool is_moved(const tsr__cuda_line *line) {
  return line->rule == TSR__RULE_MOVE || line->rule == TSR__RULE_TRUTH;
}

static bool has_complex(int inputs, const tsr_tensor *const *in) {
  for (int k = 0; k < inputs; k++)
    if (is_complex(in[k]->dtype)) return true;
  return false;
}

static int result_of(const complex_line *c, int dtype) {
  return c->gives == GIVES_BOOL ? TSR_BOOL : c->gives == GIVES_PART ? tsr__part_dtype(dtype) : dtype;
}

/* Functions are computed in f64, and of c64 rounded once. */
static tsr_status complex_dtypes(const tsr__cuda_line *line, tsr_ctx *ctx, int inputs, const tsr_tensor *const *in,
                                 tsr__dtypes *dtypes) {
  const complex_line *const c = find_complex(line->op);
  int dtype = in[0]->dtype;
  for (int k = 1; k < inputs; k++) dtype = tsr_dtype_promote(dtype, in[k]->dtype);
  if (c == NULL)
    return TSR__FAIL(ctx, TSR_EDEVICE, line->op, NULL, "complex numbers are computed with on the host only");
  const int out = result_of(c, dtype);
  *dtypes = (tsr__dtypes){dtype, out, out};
  if (c->narrow != NULL) *dtypes = (tsr__dtypes){TSR_C128, result_of(c, TSR_C128), out};
  return TSR_OK;
}

tsr_status tsr__cuda_line_dtypes(const tsr__cuda_line *line, tsr_ctx *ctx, int inputs, const tsr_tensor *const *in,
                                 tsr__dtypes *dtypes) {
  static const char *const names[] = {"a", "b", "c"};
  const int own = in[0]->dtype;
  if (has_complex(inputs, in) && !is_moved(line)) return complex_dtypes(line, ctx, inputs, in, dtypes);
  switch ((int)line->rule) {
    case RULE_FLOAT_TEST:
      *dtypes = (tsr__dtypes){is_float(own) ? tsr__compute_of(own) : TSR_F32, TSR_BOOL, TSR_BOOL};
      break;
    case RULE_TEST: *dtypes = (tsr__dtypes){tsr__compute_of(own), TSR_BOOL, TSR_BOOL}; break;
    default: return tsr__promote(ctx, "", (tsr__rule)line->rule, inputs, in, names, dtypes);
  }
  return TSR_OK;
}

/* ---- steps ---- */

/* Of a float's format: its bits go in and come out. */
typedef struct format {
  const char *line;
  int bits; /* the dtype of an integer of its size */
} format;

static const format formats[TSR_DTYPE_COUNT] = {
    [TSR_F32] = {"tsr__f32_of_bits(FN(stepped)(tsr__bits_of_f32(a), tsr__bits_of_f32(b), 0x7f800000u))", TSR_U32},
    [TSR_F64] = {"tsr__f64_of_bits(FN(stepped)(tsr__bits_of_f64(a), tsr__bits_of_f64(b), 0x7ff0000000000000ull))",
                 TSR_U64},
    [TSR_F16] = {"FN(stepped)(a, b, 0x7c00)", TSR_U16},
    [TSR_BF16] = {"FN(stepped)(a, b, 0x7f80)", TSR_U16},
    [TSR_F8_E4M3] = {"FN(stepped)(a, b, 0x7e)", TSR_U8},
    [TSR_F8_E5M2] = {"FN(stepped)(a, b, 0x7c)", TSR_U8}};

static const char *value_of(const tsr__cuda_line *line, int compute) {
  if (compute == TSR_BOOL && line->of_bool != NULL) return line->of_bool;
  return !is_float(compute) && line->integers != NULL ? line->integers : line->value;
}

/* Complex numbers have a line of their own, with their arithmetic before it. */
static void set_complex(tsr__cuda_line_step *step, const tsr__cuda_line *line, int out) {
  const complex_line *const c = find_complex(line->op);
  step->near = NULL;
  if (c == NULL || is_moved(line)) return;
  step->line = c->narrow != NULL && (out == TSR_C64 || out == TSR_F32) ? c->narrow : c->value;
  step->functions = c->narrow != NULL ? COMPLEX_FUNCTIONS : COMPLEX;
  step->needs = NULL;
}

static const char *functions_of(const tsr__cuda_line *line, const mathematics *f, int compute) {
  if (compute == TSR_F32) return f != NULL ? f->f32 : line->f32;
  if (compute == TSR_F64) return f != NULL ? f->f64 : line->f64;
  return NULL;
}

/* Whether what it needs for any type is only for types that have no functions. */
static const char *needs_of(const tsr__cuda_line *line, int compute, const char *own) {
  const bool bits = own != NULL && strstr(line->value, "(tsr__abs)") != NULL;
  return own != NULL && is_float(compute) && line->needs != NULL && strstr(line->needs, "unary") != NULL && !bits
             ? NULL
             : line->needs;
}

void tsr__cuda_set_step(tsr__cuda_line_step *step, const tsr__cuda_line *line, const tsr__dtypes *dtypes, int inputs,
                        const int *values) {
  const mathematics *const f = find_function(line->op);
  *step = (tsr__cuda_line_step){.line = value_of(line, dtypes->compute),
                                .functions = functions_of(line, f, dtypes->compute),
                                .near = f != NULL && dtypes->compute == TSR_F32 ? f->near : NULL,
                                .inputs = (uint8_t)inputs,
                                .compute = (uint8_t)dtypes->compute,
                                .integers = dtypes->compute == TSR_BOOL ? TSR__CUDA_OWN : line->as,
                                .result = (uint8_t)dtypes->result,
                                .out = (uint8_t)dtypes->out};
  step->needs = needs_of(line, dtypes->compute, step->functions);
  for (int i = 0; i < inputs; i++) {
    step->in[i] = (uint8_t)values[i];
    step->dtype[i] = (uint8_t)dtypes->compute;
  }
  if (is_complex(dtypes->compute)) set_complex(step, line, dtypes->out);
  if (line->rule != TSR__RULE_FORMAT) return;
  step->functions = NULL;
  step->line = formats[dtypes->out].line;
  step->compute = (uint8_t)formats[dtypes->out].bits;
}

void tsr__cuda_add_step(tsr__cuda_lines *all, const tsr__cuda_line *line, const tsr__dtypes *dtypes, int inputs,
                        const int *values) {
  tsr__cuda_set_step(&all->step[all->steps++], line, dtypes, inputs, values);
}
