/* Every operation of the public headers, one row each: how it is called, and what it does not take. tests/build/ops.sh
 * compares the names with the headers, so that an operation without a row fails.
 *
 *   ROW(name, kind, dtype, refused, call)
 *
 * dtype is that of the inputs (kinds may fix one), refused one that the op does not take (NONE: it takes every dtype);
 * call is the call, with the arguments of `c`. */
#ifndef TSR_TEST_BAD_CALLS_TABLE_H
#define TSR_TEST_BAD_CALLS_TABLE_H

#include <tessera/tessera.h>

enum {
  BROADCASTS = 1,   /* inputs broadcast: [3,4] and [3,5] do not */
  ALIKE = 2,        /* inputs have one shape and dtype: [3,4] and [3,5] are refused */
  AXIS = 4,         /* takes c->axis */
  AXES = 8,         /* takes c->naxes and c->axes, as reductions do */
  DTYPE = 16,       /* takes c->dtype */
  SHAPE = 32,       /* takes c->ndim and c->shape */
  RNG = 64,         /* takes c->rng */
  ANY_DEVICE = 128, /* operands may be on any device */
  ANY_DTYPE = 256,  /* a given output may have any dtype */
  VIEW = 512,       /* rebinds its output; takes described inputs and those of any device */
  FRESH = 1024,     /* the output must be empty, or the input */
  VALUE = 2048,     /* the output is no tensor: c->value, or NULL */
  NO_OUTPUT = 4096, /* writes into its input, or into nothing */
  DESCRIBED = 8192, /* an input may be described */
  GIVEN = 16384,    /* an empty output is refused */
  RESET = 32768     /* c->value is written when it fails too */
};

typedef struct call {
  const tsr_tensor *in[3];
  tsr_tensor *out;
  void *value;
  int axis, naxes, dtype, ndim;
  const int *axes;
  const tsr_index *shape;
  tsr_rng *rng;
} call;

typedef struct kind {
  const char *names[3]; /* of the inputs */
  const char *out;      /* the name of the output */
  unsigned flags;
  int fixed[3]; /* not 0: the dtype of that input */
} kind;

typedef struct row {
  const char *name;
  const kind *kind;
  int dtype, refused;
  tsr_status (*run)(tsr_ctx *ctx, const call *c);
} row;

static const kind NO_INPUT_shape = {{0}, "out", DTYPE | SHAPE, {0}};
static const kind NO_INPUT_filled = {{0}, "out", DTYPE | SHAPE | ANY_DEVICE, {0}};
static const kind NO_INPUT_dtype = {{0}, "out", DTYPE, {0}};
static const kind NO_INPUT_fresh = {{0}, "out", DTYPE | SHAPE | FRESH, {0}};
static const kind NO_INPUT_rng = {{0}, "out", DTYPE | SHAPE | RNG, {0}};
static const kind NO_INPUT_bernoulli = {{0}, "out", SHAPE | RNG, {0}};
static const kind NO_INPUT_permutation = {{0}, "out", RNG, {0}};
static const kind NO_INPUT_given = {{0}, "out", GIVEN | ANY_DEVICE, {0}};
static const kind LIKE = {{"like"}, "out", DESCRIBED | ANY_DEVICE, {0}};
static const kind UNARY = {{"x"}, "out", 0, {0}};
static const kind LEFT = {{"a"}, "out", 0, {0}};
static const kind RIGHT = {{"b"}, "out", 0, {0}};
static const kind BINARY = {{"a", "b"}, "out", BROADCASTS, {0}};
static const kind WHERE = {{"cond", "a", "b"}, "out", BROADCASTS, {TSR_BOOL}};
static const kind BOUNDS = {{"x", "lo", "hi"}, "out", BROADCASTS, {0}};
static const kind TERNARY = {{"a", "b", "c"}, "out", BROADCASTS, {0}};
static const kind ADDCMUL = {{"x", "a", "b"}, "out", BROADCASTS, {0}};
static const kind LERP = {{"a", "b", "weight"}, "out", BROADCASTS, {0}};
static const kind REDUCE = {{"x"}, "out", AXES, {0}};
static const kind ARG = {{"x"}, "out", AXIS, {0}};
static const kind JOIN = {{"in[0]", "in[1]"}, "out", AXIS | ALIKE, {0}};
static const kind MOVE = {{"in"}, "out", 0, {0}};
static const kind MOVE_axis = {{"in"}, "out", AXIS, {0}};
static const kind PICK = {{"in", "index"}, "out", AXIS, {0, TSR_I32}};
static const kind SCATTER = {{"in", "index", "src"}, "out", AXIS, {0, TSR_I32}};
static const kind MASKED = {{"in", "mask"}, "out", 0, {0, TSR_BOOL}};
static const kind MASKED_src = {{"in", "mask", "src"}, "out", 0, {0, TSR_BOOL}};
static const kind COPY = {{"in"}, "out", ANY_DEVICE | ANY_DTYPE, {0}};
static const kind CAST = {{"in"}, "out", DTYPE, {0}};
static const kind CLONE = {{"in"}, "out", ANY_DEVICE, {0}};
static const kind TO_DEVICE = {{"in"}, "out", ANY_DEVICE, {0}};
static const kind RESHAPE = {{"in"}, "out", SHAPE | FRESH | ANY_DEVICE, {0}};
static const kind RELAY = {{"in"}, "out", FRESH | ANY_DEVICE, {0}};
static const kind TO_ARRAY = {{"in"}, "values", VALUE, {0}};
static const kind EQUAL = {{"a", "b"}, "equal", VALUE, {0}};
static const kind CLOSE = {{"a", "b"}, "close", VALUE, {0}};
static const kind VIEWED = {{"in"}, "out", VIEW, {0}};
static const kind VIEWED_axis = {{"in"}, "out", VIEW | AXIS, {0}};
static const kind VIEWED_shape = {{"in"}, "out", VIEW | SHAPE, {0}};
static const kind VIEWED_dtype = {{"in"}, "out", VIEW | DTYPE, {0}};
static const kind GET = {{"t"}, "value", VALUE, {0}};
static const kind SET = {{"t"}, "t", NO_OUTPUT, {0}};
static const kind FLAT = {{"t"}, "element", VALUE | ANY_DEVICE, {0}};
static const kind ATTENTION = {{"q", "k", "v"}, "out", ALIKE, {0}};
static const kind MULTI_HEAD = {{"x", "wq", "wk"}, "out", 0, {0}};
static const kind DENSE = {{"x", "w"}, "out", ALIKE, {0}};
static const kind LOSS = {{"x", "target"}, "out", ALIKE, {0}};
static const kind SUMMARIZE = {{"x"}, "summary", VALUE, {0}};
static const kind COMPARE = {{"a", "b"}, "difference", VALUE, {0}};
static const kind ITERATE = {{"t"}, "it", VALUE | RESET, {0}};

/* clang-format off */
#define TABLE(ROW)                                                                                               \
  /* ops.h */                                                                                                    \
  ROW(empty, NO_INPUT_filled, F32, NONE, tsr_empty(ctx, c->dtype, c->ndim, c->shape, c->out))                    \
  ROW(zeros, NO_INPUT_filled, F32, NONE, tsr_zeros(ctx, c->dtype, c->ndim, c->shape, c->out))                    \
  ROW(ones, NO_INPUT_filled, F32, NONE, tsr_ones(ctx, c->dtype, c->ndim, c->shape, c->out))                      \
  ROW(full, NO_INPUT_filled, F32, NONE, tsr_full(ctx, c->dtype, c->ndim, c->shape, 2, c->out))                   \
  ROW(full_complex, NO_INPUT_filled, F32, NONE,                                                                  \
      tsr_full_complex(ctx, c->dtype, c->ndim, c->shape, (tsr_complex){2, 0}, c->out))                           \
  ROW(zeros_ordered, NO_INPUT_fresh, F32, NONE,                                                                  \
      tsr_zeros_ordered(ctx, c->dtype, c->ndim, c->shape, TSR_FORTRAN, c->out))                                  \
  ROW(empty_like, LIKE, F32, NONE, tsr_empty_like(ctx, c->in[0], c->out))                                        \
  ROW(zeros_like, LIKE, F32, NONE, tsr_zeros_like(ctx, c->in[0], c->out))                                        \
  ROW(ones_like, LIKE, F32, NONE, tsr_ones_like(ctx, c->in[0], c->out))                                          \
  ROW(full_like, LIKE, F32, NONE, tsr_full_like(ctx, c->in[0], 2, c->out))                                       \
  ROW(arange, NO_INPUT_dtype, F32, BOOL, tsr_arange(ctx, c->dtype, 0, 12, 1, c->out))                            \
  ROW(arange_i64, NO_INPUT_dtype, I32, BOOL, tsr_arange_i64(ctx, c->dtype, 0, 12, 1, c->out))                    \
  ROW(linspace, NO_INPUT_dtype, F32, I32, tsr_linspace(ctx, c->dtype, 0, 1, 12, c->out))                         \
  ROW(eye, NO_INPUT_dtype, F32, NONE, tsr_eye(ctx, c->dtype, 3, 4, 0, c->out))                                   \
  ROW(from_array, NO_INPUT_shape, F32, NONE,                                                                     \
      tsr_from_array(ctx, twelve, 12, c->dtype, c->ndim, c->shape, TSR_ROW_MAJOR, c->out))                       \
  ROW(to_array, TO_ARRAY, F32, NONE, tsr_to_array(ctx, c->in[0], TSR_ROW_MAJOR, 12, c->value))                   \
  ROW(fill, NO_INPUT_given, F32, NONE, tsr_fill(ctx, 2, c->out))                                                 \
  ROW(fill_i64, NO_INPUT_given, F32, NONE, tsr_fill_i64(ctx, 2, c->out))                                         \
  ROW(fill_complex, NO_INPUT_given, F32, NONE, tsr_fill_complex(ctx, (tsr_complex){2, 0}, c->out))               \
  ROW(copy, COPY, F32, NONE, tsr_copy(ctx, c->in[0], c->out))                                                    \
  ROW(cast, CAST, F32, NONE, tsr_cast(ctx, c->in[0], c->dtype, c->out))                                          \
  ROW(clone, CLONE, F32, NONE, tsr_clone(ctx, c->in[0], c->out))                                                 \
  ROW(to_device, TO_DEVICE, F32, NONE, tsr_to_device(ctx, c->in[0], NULL, c->out))                               \
  ROW(reshape, RESHAPE, F32, NONE, tsr_reshape(ctx, c->in[0], c->ndim, c->shape, c->out))                        \
  ROW(reshape_ordered, RESHAPE, F32, NONE,                                                                       \
      tsr_reshape_ordered(ctx, c->in[0], c->ndim, c->shape, TSR_FORTRAN, c->out))                                \
  ROW(flatten, RELAY, F32, NONE, tsr_flatten(ctx, c->in[0], TSR_ROW_MAJOR, c->out))                              \
  ROW(contiguous, RELAY, F32, NONE, tsr_contiguous(ctx, c->in[0], c->out))                                       \
  ROW(to_layout, MOVE, F32, NONE, tsr_to_layout(ctx, c->in[0], TSR_NC, 0, c->out))                               \
  ROW(equal, EQUAL, F32, NONE, tsr_equal(ctx, c->in[0], c->in[1], c->value))                                     \
  ROW(allclose, CLOSE, F32, NONE, tsr_allclose(ctx, c->in[0], c->in[1], 0, 0, false, c->value))                  \
  UNARY_ROWS(ROW) BINARY_ROWS(ROW) REDUCE_ROWS(ROW) CUMULATIVE_ROWS(ROW) SORT_ROWS(ROW) MOVE_ROWS(ROW)           \
  WHERE_ROWS(ROW) SCATTER_ROWS(ROW) MASK_ROWS(ROW)                                                               \
  FFT_ROWS(ROW) RANDOM_ROWS(ROW) ACCESS_ROWS(ROW) VIEW_ROWS(ROW) ATTENTION_ROWS(ROW) LOSS_ROWS(ROW) SUMMARY_ROWS(ROW)

/* unary.h */
#define ONE(ROW, name, dtype, refused) ROW(name, UNARY, dtype, refused, tsr_##name(ctx, c->in[0], c->out))
#define UNARY_ROWS(ROW)                                                                                          \
  ONE(ROW, abs, F32, BOOL)                                                                                       \
  ONE(ROW, conj, F32, BOOL)                                                                                      \
  ONE(ROW, angle, F32, NONE)                                                                                     \
  ONE(ROW, neg, F32, BOOL)                                                                                       \
  ONE(ROW, sign, F32, BOOL)                                                                                      \
  ONE(ROW, square, F32, BOOL)                                                                                    \
  ONE(ROW, floor, F32, BOOL)                                                                                     \
  ONE(ROW, ceil, F32, BOOL)                                                                                      \
  ONE(ROW, round, F32, BOOL)                                                                                     \
  ONE(ROW, trunc, F32, BOOL)                                                                                     \
  ONE(ROW, bitwise_not, I32, F32)                                                                                \
  ONE(ROW, logical_not, F32, NONE)                                                                               \
  ONE(ROW, isnan, F32, NONE)                                                                                     \
  ONE(ROW, isinf, F32, NONE)                                                                                     \
  ONE(ROW, isfinite, F32, NONE)                                                                                  \
  ONE(ROW, sqrt, F32, NONE)                                                                                      \
  ONE(ROW, rsqrt, F32, NONE)                                                                                     \
  ONE(ROW, reciprocal, F32, NONE)                                                                                \
  ONE(ROW, exp, F32, NONE)                                                                                       \
  ONE(ROW, exp2, F32, NONE)                                                                                      \
  ONE(ROW, expm1, F32, NONE)                                                                                     \
  ONE(ROW, log, F32, NONE)                                                                                       \
  ONE(ROW, log2, F32, NONE)                                                                                      \
  ONE(ROW, log10, F32, NONE)                                                                                     \
  ONE(ROW, log1p, F32, NONE)                                                                                     \
  ONE(ROW, sin, F32, NONE)                                                                                       \
  ONE(ROW, cos, F32, NONE)                                                                                       \
  ONE(ROW, tan, F32, NONE)                                                                                       \
  ONE(ROW, tanh, F32, NONE)                                                                                      \
  ONE(ROW, erf, F32, C64)                                                                                        \
  ONE(ROW, relu, F32, BOOL)                                                                                      \
  ONE(ROW, gelu, F32, C64)                                                                                       \
  ONE(ROW, gelu_tanh, F32, C64)                                                                                  \
  ONE(ROW, silu, F32, C64)                                                                                       \
  ONE(ROW, sigmoid, F32, NONE)                                                                                   \
  ONE(ROW, hard_sigmoid, F32, C64)                                                                               \
  ONE(ROW, hard_swish, F32, C64)                                                                                 \
  ONE(ROW, softplus, F32, C64)                                                                                   \
  ONE(ROW, mish, F32, C64)                                                                                       \
  ONE(ROW, cbrt, F32, C64)                                                                                       \
  ONE(ROW, asin, F32, NONE)                                                                                      \
  ONE(ROW, acos, F32, NONE)                                                                                      \
  ONE(ROW, atan, F32, NONE)                                                                                      \
  ONE(ROW, sinh, F32, NONE)                                                                                      \
  ONE(ROW, cosh, F32, NONE)                                                                                      \
  ONE(ROW, asinh, F32, NONE)                                                                                     \
  ONE(ROW, acosh, F32, NONE)                                                                                     \
  ONE(ROW, atanh, F32, NONE)                                                                                     \
  ONE(ROW, erfc, F32, C64)                                                                                       \
  ONE(ROW, selu, F32, C64)                                                                                       \
  ONE(ROW, softsign, F32, C64)                                                                                   \
  ROW(celu, UNARY, F32, C64, tsr_celu(ctx, c->in[0], 2, c->out))                                                 \
  ROW(leaky_relu, UNARY, F32, C64, tsr_leaky_relu(ctx, c->in[0], 2, c->out))                                     \
  ROW(elu, UNARY, F32, C64, tsr_elu(ctx, c->in[0], 2, c->out))

/* binary.h */
#define TWO(ROW, name, dtype, refused) ROW(name, BINARY, dtype, refused, tsr_##name(ctx, c->in[0], c->in[1], c->out))
#define NUM(ROW, name, dtype, refused) \
  ROW(name##_scalar, LEFT, dtype, refused, tsr_##name##_scalar(ctx, c->in[0], 2, c->out))
#define WHOLE(ROW, name, dtype, refused) \
  ROW(name##_scalar_i64, LEFT, dtype, refused, tsr_##name##_scalar_i64(ctx, c->in[0], 2, c->out))
#define REV_WHOLE(ROW, name, dtype, refused) \
  ROW(scalar_##name##_i64, RIGHT, dtype, refused, tsr_scalar_##name##_i64(ctx, 2, c->in[0], c->out))
#define REV(ROW, name, dtype, refused) \
  ROW(scalar_##name, RIGHT, dtype, refused, tsr_scalar_##name(ctx, 2, c->in[0], c->out))
#define BINARY_ROWS(ROW)                                                                                         \
  WHOLE(ROW, add, I32, NONE)                                                                                     \
  WHOLE(ROW, sub, I32, NONE)                                                                                     \
  WHOLE(ROW, mul, I32, NONE)                                                                                     \
  WHOLE(ROW, floor_divide, I32, C64)                                                                             \
  WHOLE(ROW, remainder, I32, C64)                                                                                \
  WHOLE(ROW, maximum, I32, C64)                                                                                  \
  WHOLE(ROW, minimum, I32, C64)                                                                                  \
  WHOLE(ROW, eq, I32, NONE)                                                                                      \
  WHOLE(ROW, ne, I32, NONE)                                                                                      \
  WHOLE(ROW, lt, I32, C64)                                                                                       \
  WHOLE(ROW, le, I32, C64)                                                                                       \
  WHOLE(ROW, gt, I32, C64)                                                                                       \
  WHOLE(ROW, ge, I32, C64)                                                                                       \
  WHOLE(ROW, bitwise_and, I32, F32)                                                                              \
  WHOLE(ROW, bitwise_or, I32, F32)                                                                               \
  WHOLE(ROW, bitwise_xor, I32, F32)                                                                              \
  REV_WHOLE(ROW, sub, I32, NONE)                                                                                 \
  REV_WHOLE(ROW, floor_divide, I32, C64)                                                                         \
  REV_WHOLE(ROW, remainder, I32, C64)                                                                            \
  TWO(ROW, fmod, F32, BOOL) TWO(ROW, nextafter, F32, C64)                                                        \
  TWO(ROW, add, F32, NONE) NUM(ROW, add, F32, NONE)                                                              \
  TWO(ROW, sub, F32, BOOL) NUM(ROW, sub, F32, NONE) REV(ROW, sub, F32, NONE)                                     \
  TWO(ROW, mul, F32, NONE) NUM(ROW, mul, F32, NONE)                                                              \
  TWO(ROW, div, F32, NONE) NUM(ROW, div, F32, NONE) REV(ROW, div, F32, NONE)                                     \
  TWO(ROW, floor_divide, F32, BOOL) NUM(ROW, floor_divide, F32, C64) REV(ROW, floor_divide, F32, C64)            \
  TWO(ROW, remainder, F32, BOOL) NUM(ROW, remainder, F32, C64) REV(ROW, remainder, F32, C64)                     \
  TWO(ROW, pow, F32, BOOL) NUM(ROW, pow, F32, NONE) REV(ROW, pow, F32, NONE)                                     \
  TWO(ROW, maximum, F32, C64) NUM(ROW, maximum, F32, C64)                                                        \
  TWO(ROW, minimum, F32, C64) NUM(ROW, minimum, F32, C64)                                                        \
  TWO(ROW, fmax, F32, C64) TWO(ROW, fmin, F32, C64)                                                              \
  TWO(ROW, atan2, F32, C64) TWO(ROW, hypot, F32, C64) TWO(ROW, copysign, F32, C64)                               \
  TWO(ROW, eq, F32, NONE) NUM(ROW, eq, F32, NONE) TWO(ROW, ne, F32, NONE) NUM(ROW, ne, F32, NONE)                \
  TWO(ROW, lt, F32, C64) NUM(ROW, lt, F32, C64) TWO(ROW, le, F32, C64) NUM(ROW, le, F32, C64)                    \
  TWO(ROW, gt, F32, C64) NUM(ROW, gt, F32, C64) TWO(ROW, ge, F32, C64) NUM(ROW, ge, F32, C64)                    \
  TWO(ROW, logical_and, F32, NONE) TWO(ROW, logical_or, F32, NONE) TWO(ROW, logical_xor, F32, NONE)              \
  TWO(ROW, bitwise_and, I32, F32) NUM(ROW, bitwise_and, I32, F32)                                                \
  TWO(ROW, bitwise_or, I32, F32) NUM(ROW, bitwise_or, I32, F32)                                                  \
  TWO(ROW, bitwise_xor, I32, F32) NUM(ROW, bitwise_xor, I32, F32)                                                \
  TWO(ROW, shift_left, I32, F32) NUM(ROW, shift_left, I32, F32)                                                  \
  TWO(ROW, shift_right, I32, F32) NUM(ROW, shift_right, I32, F32)                                                \
  ROW(where, WHERE, F32, NONE, tsr_where(ctx, c->in[0], c->in[1], c->in[2], c->out))                             \
  ROW(clamp, UNARY, F32, C64, tsr_clamp(ctx, c->in[0], 1, 2, c->out))                                            \
  ROW(clamp_tensor, BOUNDS, F32, C64, tsr_clamp_tensor(ctx, c->in[0], c->in[1], c->in[2], c->out))               \
  ROW(addcmul, ADDCMUL, F32, BOOL, tsr_addcmul(ctx, c->in[0], c->in[1], c->in[2], 2, c->out))                    \
  ROW(fma, TERNARY, F32, BOOL, tsr_fma(ctx, c->in[0], c->in[1], c->in[2], c->out))                               \
  ROW(lerp, LERP, F32, C64, tsr_lerp(ctx, c->in[0], c->in[1], c->in[2], c->out))                                 \
  ROW(lerp_scalar, BINARY, F32, C64, tsr_lerp_scalar(ctx, c->in[0], c->in[1], (tsr_real)0.5, c->out))

/* reduce.h */
#define OVER(ROW, name, refused) \
  ROW(name, REDUCE, F32, refused, tsr_##name(ctx, c->in[0], c->naxes, c->axes, false, c->out))
#define REDUCE_ROWS(ROW)                                                                                         \
  OVER(ROW, sum, NONE) OVER(ROW, prod, NONE) OVER(ROW, mean, NONE) OVER(ROW, min, C64) OVER(ROW, max, C64)       \
  OVER(ROW, any, NONE) OVER(ROW, all, NONE) OVER(ROW, count_nonzero, NONE)                                       \
  ROW(norm, REDUCE, F32, NONE, tsr_norm(ctx, c->in[0], 3, c->naxes, c->axes, false, c->out))                      \
  OVER(ROW, norm1, NONE) OVER(ROW, norm2, NONE) OVER(ROW, norm_inf, NONE) OVER(ROW, logsumexp, C64)              \
  ROW(var, REDUCE, F32, NONE, tsr_var(ctx, c->in[0], c->naxes, c->axes, false, 0, c->out))                        \
  ROW(std, REDUCE, F32, NONE, tsr_std(ctx, c->in[0], c->naxes, c->axes, false, 0, c->out))                        \
  ROW(argmin, ARG, F32, C64, tsr_argmin(ctx, c->in[0], c->axis, false, c->out))                                  \
  ROW(argmax, ARG, F32, C64, tsr_argmax(ctx, c->in[0], c->axis, false, c->out))

/* summary.h */
#define SUMMARY_ROWS(ROW)                                                                                        \
  ROW(summarize, SUMMARIZE, F32, C64, tsr_summarize(ctx, c->in[0], c->value))                                    \
  ROW(compare, COMPARE, F32, C64, tsr_compare(ctx, c->in[0], c->in[1], 0, 0, c->value))

/* cumulative.h */
#define ALONG(ROW, name, refused) ROW(name, ARG, F32, refused, tsr_##name(ctx, c->in[0], c->axis, c->out))
#define CUMULATIVE_ROWS(ROW) ALONG(ROW, cumsum, NONE) ALONG(ROW, cumprod, NONE) ALONG(ROW, cummin, C64) ALONG(ROW, cummax, C64)

/* sort.h; searchsorted, which wants a vector, has a test of its own */
#define SORT_ROWS(ROW)                                                                                           \
  ROW(sort, ARG, F32, C64, tsr_sort(ctx, c->in[0], c->axis, false, c->out))                                      \
  ROW(argsort, ARG, F32, C64, tsr_argsort(ctx, c->in[0], c->axis, true, c->out))                                 \
  ROW(topk, ARG, F32, C64, tsr_topk(ctx, c->in[0], 2, c->axis, true, true, c->out, NULL))                        \
  ROW(partition, ARG, F32, C64, tsr_partition(ctx, c->in[0], 1, c->axis, c->out))                                \
  ROW(argpartition, ARG, F32, C64, tsr_argpartition(ctx, c->in[0], 1, c->axis, c->out))                          \
  ROW(quantile, ARG, F32, C64,                                                                                   \
      tsr_quantile(ctx, c->in[0], (tsr_real)0.3, 1, &c->axis, false, TSR_INTERPOLATE_LINEAR, c->out))                \
  ROW(quantiles, ARG, F32, C64,                                                                                  \
      tsr_quantiles(ctx, c->in[0], 2, (const tsr_real[]){0, 1}, 1, &c->axis, false, TSR_INTERPOLATE_LOWER, c->out))  \
  ROW(median, ARG, F32, C64, tsr_median(ctx, c->in[0], 1, &c->axis, false, c->out))                                  \
  ROW(nanquantile, ARG, F32, C64,                                                                                \
      tsr_nanquantile(ctx, c->in[0], (tsr_real)0.3, 1, &c->axis, false, TSR_INTERPOLATE_LINEAR, c->out))             \
  ROW(nanmedian, ARG, F32, C64, tsr_nanmedian(ctx, c->in[0], 1, &c->axis, false, c->out))                            \
  ROW(unique, UNARY, F32, C64, tsr_unique(ctx, c->in[0], c->out, NULL, NULL, NULL))                              \
  ROW(unique_within, UNARY, F32, C64, tsr_unique_within(ctx, c->in[0], 5, c->out, NULL, NULL, NULL)) \
  ROW(bincount, UNARY, I32, F32, tsr_bincount(ctx, c->in[0], NULL, 0, c->out))                                   \
  ROW(histogram, UNARY, F32, C64, tsr_histogram(ctx, c->in[0], 4, NULL, c->out, NULL))

/* move.h */
#define MOVE_ROWS(ROW)                                                                                           \
  ROW(concat, JOIN, F32, NONE, tsr_concat(ctx, 2, c->in, c->axis, c->out))                                       \
  ROW(stack, JOIN, F32, NONE, tsr_stack(ctx, 2, c->in, c->axis, c->out))                                         \
  ROW(split, VIEWED_axis, F32, NONE, tsr_split(ctx, c->in[0], c->axis, 1, c->out))                               \
  ROW(split_sizes, VIEWED_axis, F32, NONE,                                                                       \
      tsr_split_sizes(ctx, c->in[0], c->axis, 1, (const tsr_index[]){3}, c->out))                                \
  ROW(tile, MOVE, F32, NONE, tsr_tile(ctx, c->in[0], 1, (const tsr_index[]){2}, c->out))                         \
  ROW(repeat, MOVE_axis, F32, NONE, tsr_repeat(ctx, c->in[0], 2, c->axis, c->out))                               \
  ROW(roll, MOVE_axis, F32, NONE, tsr_roll(ctx, c->in[0], 1, c->axis, c->out))                                   \
  ROW(pad, MOVE, F32, NONE,                                                                                      \
      tsr_pad(ctx, c->in[0], (const tsr_index[]){1, 0}, NULL, TSR_PAD_REFLECT, 0, c->out))                       \
  ROW(pad_2d, MOVE, F32, NONE, tsr_pad_2d(ctx, c->in[0], 1, 0, 0, 0, 2, c->out))                                 \
  ROW(tril, MOVE, F32, NONE, tsr_tril(ctx, c->in[0], 0, c->out))                                                 \
  ROW(triu, MOVE, F32, NONE, tsr_triu(ctx, c->in[0], 0, c->out))                                                 \
  ROW(take, PICK, F32, NONE, tsr_take(ctx, c->in[0], c->in[1], c->axis, c->out))                                 \
  ROW(gather, PICK, F32, NONE, tsr_gather(ctx, c->in[0], c->in[1], c->axis, c->out))

/* fft.h */
#define LINE(ROW, name, refused) \
  ROW(name, ARG, F32, refused, tsr_##name(ctx, c->in[0], 0, c->axis, TSR_FFT_ORTHO, c->out))
#define FFT_AXES(ROW, name, refused) \
  ROW(name, REDUCE, F32, refused, tsr_##name(ctx, c->in[0], c->naxes, c->axes, NULL, TSR_FFT_ORTHO, c->out))
#if TSR_HAVE_MALLOC && TSR_HAVE_F64 /* unsupported elsewhere */
#define FFT_ROWS(ROW)                                                                                            \
  LINE(ROW, fft, NONE) LINE(ROW, ifft, NONE) LINE(ROW, rfft, C64) LINE(ROW, irfft, NONE) LINE(ROW, hfft, NONE)   \
  LINE(ROW, ihfft, C64) FFT_AXES(ROW, fftn, NONE) FFT_AXES(ROW, ifftn, NONE) FFT_AXES(ROW, rfftn, C64)           \
  FFT_AXES(ROW, irfftn, NONE)                                                                                    \
  ROW(fftfreq, NO_INPUT_dtype, F32, I32, tsr_fftfreq(ctx, c->dtype, 12, 1, c->out))                              \
  ROW(rfftfreq, NO_INPUT_dtype, F32, I32, tsr_rfftfreq(ctx, c->dtype, 22, 1, c->out))                            \
  ROW(stft, UNARY, F32, NONE, tsr_stft(ctx, c->in[0], NULL, 2, 1, false, TSR_PAD_EDGE, TSR_FFT_ORTHO, c->out))        \
  ROW(istft, UNARY, F32, NONE, tsr_istft(ctx, c->in[0], NULL, 0, 1, true, false, TSR_FFT_ORTHO, 0, c->out))           \
  ROW(window, NO_INPUT_dtype, F32, I32, tsr_window(ctx, c->dtype, TSR_WINDOW_HANN, 12, false, 0, c->out))        \
  ROW(fftshift, REDUCE, F32, NONE, tsr_fftshift(ctx, c->in[0], c->naxes, c->axes, c->out))                       \
  ROW(ifftshift, REDUCE, F32, NONE, tsr_ifftshift(ctx, c->in[0], c->naxes, c->axes, c->out))
#else
#define FFT_ROWS(ROW)
#endif

/* reduce_where.h */
#define NUMBERS (&(const tsr_selection){.skip_nan = true})
#define SOME(ROW, name, refused) \
  ROW(name, REDUCE, F32, refused, tsr_##name(ctx, c->in[0], NUMBERS, c->naxes, c->axes, true, c->out))
#define WHERE_ROWS(ROW)                                                                                          \
  SOME(ROW, sum_where, C64) SOME(ROW, prod_where, C64) SOME(ROW, mean_where, C64) SOME(ROW, min_where, C64)      \
  SOME(ROW, max_where, C64) SOME(ROW, any_where, NONE) SOME(ROW, all_where, NONE)                                \
  SOME(ROW, count_nonzero_where, NONE)                                                                           \
  ROW(var_where, REDUCE, F32, C64, tsr_var_where(ctx, c->in[0], NULL, c->naxes, c->axes, true, 0, c->out))       \
  ROW(std_where, REDUCE, F32, C64, tsr_std_where(ctx, c->in[0], NULL, c->naxes, c->axes, true, 0, c->out))       \
  ROW(argmin_where, ARG, F32, C64, tsr_argmin_where(ctx, c->in[0], NUMBERS, c->axis, false, c->out))             \
  ROW(argmax_where, ARG, F32, C64, tsr_argmax_where(ctx, c->in[0], NUMBERS, c->axis, false, c->out))

/* scatter.h; put, index_add and those with lists, which want an index of another shape, have a test of their own */
#define SCATTER_ROWS(ROW) \
  ROW(scatter, SCATTER, F32, NONE, tsr_scatter(ctx, c->in[0], c->in[1], c->in[2], c->axis, TSR_SCATTER_SET, c->out))

/* mask.h */
#define MASK_ROWS(ROW)                                                                                           \
  ROW(masked_fill, MASKED, F32, NONE, tsr_masked_fill(ctx, c->in[0], c->in[1], 1, c->out))                       \
  ROW(masked_scatter, MASKED_src, F32, NONE, tsr_masked_scatter(ctx, c->in[0], c->in[1], c->in[2], c->out))      \
  ROW(masked_select, MASKED, F32, NONE, tsr_masked_select(ctx, c->in[0], c->in[1], c->out))                      \
  ROW(nonzero, UNARY, F32, NONE, tsr_nonzero(ctx, c->in[0], c->out)) \
  ROW(nonzero_within, UNARY, F32, NONE, tsr_nonzero_within(ctx, c->in[0], 5, c->out, NULL)) \
  ROW(masked_select_within, MASKED, F32, NONE, tsr_masked_select_within(ctx, c->in[0], c->in[1], 5, c->out, NULL))

/* random.h */
#define RANDOM_ROWS(ROW)                                                                                         \
  ROW(rand_uniform, NO_INPUT_rng, F32, I32,                                                                      \
      tsr_rand_uniform(ctx, c->rng, c->dtype, c->ndim, c->shape, 0, 1, c->out))                                  \
  ROW(rand_normal, NO_INPUT_rng, F32, I32, tsr_rand_normal(ctx, c->rng, c->dtype, c->ndim, c->shape, c->out))    \
  ROW(rand_normal_scaled, NO_INPUT_rng, F32, I32,                                                                \
      tsr_rand_normal_scaled(ctx, c->rng, c->dtype, c->ndim, c->shape, 1, 2, c->out))                            \
  ROW(rand_integers, NO_INPUT_rng, I32, F32,                                                                     \
      tsr_rand_integers(ctx, c->rng, c->dtype, c->ndim, c->shape, 0, 9, c->out))                                 \
  ROW(rand_bernoulli, NO_INPUT_bernoulli, BOOL, NONE,                                                            \
      tsr_rand_bernoulli(ctx, c->rng, (tsr_real)0.5, c->ndim, c->shape, c->out))                                 \
  ROW(rand_permutation, NO_INPUT_permutation, I32, NONE, tsr_rand_permutation(ctx, c->rng, 12, c->out))

/* access.h */
#define ACCESS_ROWS(ROW)                                                                                         \
  ROW(map, MOVE, F32, C64, tsr_map(ctx, c->in[0], one_more, NULL, c->out))                                       \
  ROW(map_f32, MOVE, F32, I32, tsr_map_f32(ctx, c->in[0], one_more_f32, NULL, c->out))                           \
  ROW(map_i32, MOVE, I32, F32, tsr_map_i32(ctx, c->in[0], one_more_i32, NULL, c->out))                           \
  ROW(get, GET, F32, NONE, tsr_get(ctx, c->in[0], TSR_INDEX(1, 2), c->value))                                    \
  ROW(get_i64, GET, F32, NONE, tsr_get_i64(ctx, c->in[0], TSR_INDEX(1, 2), c->value))                            \
  ROW(set, SET, F32, NONE, tsr_set(ctx, (tsr_tensor *)(uintptr_t)c->in[0], TSR_INDEX(1, 2), 1))                                           \
  ROW(get_complex, GET, F32, NONE, tsr_get_complex(ctx, c->in[0], TSR_INDEX(1, 2), c->value))                    \
  ROW(set_complex, SET, F32, NONE,                                                                               \
      tsr_set_complex(ctx, (tsr_tensor *)(uintptr_t)c->in[0], TSR_INDEX(1, 2), (tsr_complex){1, 0}))             \
  ROW(set_i64, SET, F32, NONE, tsr_set_i64(ctx, (tsr_tensor *)(uintptr_t)c->in[0], TSR_INDEX(1, 2), 1))                                   \
  ROW(flat, FLAT, F32, NONE, tsr_flat(ctx, c->in[0], 1, TSR_ROW_MAJOR, c->value))                                \
  ROW(get_flat, GET, F32, NONE, tsr_get_flat(ctx, c->in[0], 1, TSR_ROW_MAJOR, c->value))                         \
  ROW(set_flat, SET, F32, NONE, tsr_set_flat(ctx, (tsr_tensor *)(uintptr_t)c->in[0], 1, TSR_ROW_MAJOR, 1))                                \
  ROW(iter_init, ITERATE, F32, NONE, tsr_iter_init(ctx, c->in[0], TSR_ROW_MAJOR, c->value))

/* view.h */
#define VIEW_ROWS(ROW)                                                                                           \
  ROW(view, VIEWED, F32, NONE, tsr_view(ctx, c->in[0], c->out))                                                  \
  ROW(slice, VIEWED_axis, F32, NONE, tsr_slice(ctx, c->in[0], c->axis, 1, 2, 1, c->out))                         \
  ROW(narrow, VIEWED_axis, F32, NONE, tsr_narrow(ctx, c->in[0], c->axis, 1, 2, c->out))                          \
  ROW(select, VIEWED_axis, F32, NONE, tsr_select(ctx, c->in[0], c->axis, 1, c->out))                             \
  ROW(permute, VIEWED_axis, F32, NONE, tsr_permute(ctx, c->in[0], (const int[]){1, c->axis}, c->out))            \
  ROW(transpose, VIEWED_axis, F32, NONE, tsr_transpose(ctx, c->in[0], 1, c->axis, c->out))                       \
  ROW(broadcast_to, VIEWED_shape, F32, NONE, tsr_broadcast_to(ctx, c->in[0], c->ndim, c->shape, c->out))         \
  ROW(squeeze, VIEWED_axis, F32, NONE, tsr_squeeze(ctx, &narrow_one, c->axis, c->out))                           \
  ROW(squeeze_all, VIEWED, F32, NONE, tsr_squeeze_all(ctx, c->in[0], c->out))                                    \
  ROW(squeeze_leading, VIEWED, F32, NONE, tsr_squeeze_leading(ctx, c->in[0], 1, c->out))                         \
  ROW(unsqueeze, VIEWED_axis, F32, NONE, tsr_unsqueeze(ctx, c->in[0], c->axis, c->out))                          \
  ROW(flip, VIEWED_axis, F32, NONE, tsr_flip(ctx, c->in[0], c->axis, c->out))                                    \
  ROW(diagonal, VIEWED_axis, F32, NONE, tsr_diagonal(ctx, c->in[0], 0, 1, c->axis, c->out))                      \
  ROW(as_strided, VIEWED_shape, F32, NONE,                                                                       \
      tsr_as_strided(ctx, c->in[0], c->ndim, c->shape, (const tsr_index[]){4, 1}, 0, c->out))                    \
  ROW(sliding_window, VIEWED_axis, F32, NONE, tsr_sliding_window(ctx, c->in[0], c->axis, 2, 1, c->out))          \
  ROW(bitcast, VIEWED_dtype, F32, NONE, tsr_bitcast(ctx, c->in[0], c->dtype, c->out))                            \
  ROW(complex_part, VIEWED, C64, F32, tsr_complex_part(ctx, c->in[0], 0, c->out))                                \
  ROW(reshape_view, VIEWED_shape, F32, NONE, tsr_reshape_view(ctx, c->in[0], c->ndim, c->shape, c->out))         \
  ROW(reshape_view_ordered, VIEWED_shape, F32, NONE,                                                             \
      tsr_reshape_view_ordered(ctx, c->in[0], c->ndim, c->shape, TSR_ROW_MAJOR, c->out))                         \
  ROW(flatten_view, VIEWED, F32, NONE, tsr_flatten_view(ctx, c->in[0], c->out))                                  \
  ROW(mat, VIEWED, F32, NONE, tsr_mat(ctx, c->in[0], 0, NULL, c->out))                                           \
  ROW(set_layout, VIEWED, F32, NONE, tsr_set_layout(ctx, c->in[0], TSR_NC, c->out))                              \
  ROW(to_layout_view, VIEWED, F32, NONE, tsr_to_layout_view(ctx, c->in[0], TSR_NC, c->out))

/* attention.h, dense.h */
#define ATTENTION_ROWS(ROW)                                                                                      \
  ROW(attention, ATTENTION, F32, I32, tsr_attention(ctx, c->in[0], c->in[1], c->in[2], NULL, NULL, c->out))      \
  ROW(multi_head_attention, MULTI_HEAD, F32, I32,                                                                \
      tsr_multi_head_attention(ctx, c->in[0], &WEIGHTS, 1, NULL, NULL, c->out))                                  \
  ROW(dense, DENSE, F32, BOOL, tsr_dense(ctx, c->in[0], c->in[1], NULL, NULL, c->out))

/* loss.h; those that take classes or probabilities have tests of their own */
#define LOSS_ROWS(ROW)                                                                                           \
  ROW(mse_loss, LOSS, F32, I32, tsr_mse_loss(ctx, c->in[0], c->in[1], TSR_REDUCE_NONE, c->out))                  \
  ROW(mae_loss, LOSS, F32, I32, tsr_mae_loss(ctx, c->in[0], c->in[1], TSR_REDUCE_NONE, c->out))                  \
  ROW(huber_loss, LOSS, F32, I32, tsr_huber_loss(ctx, c->in[0], c->in[1], 1, TSR_REDUCE_NONE, c->out))           \
  ROW(bce_logits_loss, LOSS, F32, I32, tsr_bce_logits_loss(ctx, c->in[0], c->in[1], TSR_REDUCE_NONE, c->out))    \
  ROW(kl_loss, LOSS, F32, I32, tsr_kl_loss(ctx, c->in[0], c->in[1], true, TSR_REDUCE_NONE, c->out))

#define WEIGHTS ((const tsr_attention_weights){.wq = c->in[1], .wk = c->in[2], .wv = c->in[2], .wo = &three_three})

/* clang-format on */

#endif
