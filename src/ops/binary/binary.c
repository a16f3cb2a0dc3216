/* The public functions of the family: each is a row's description and a call. */
#include "ops/binary/broadcast.h"
#include "ops/binary/ops.h"

#include "ops/cast/convert.h"
#include "ops/elementwise/cache_blocking.h"
#include "ops/elementwise/contiguous.h"
#include "ops/elementwise/nan_watch.h"
#include "ops/promote.h"

#include <tessera/binary.h>

typedef struct binary_op {
  const tsr__op_info *info;
  tsr__rule rule;
  bool compares, refuses_bool; /* by its rule */
  tsr_index grain;
  tsr__row_fn *const *tables[TSR__ISA_COUNT];
} binary_op;

static const char *const both[] = {"a", "b"}, *const with_number[2][2] = {{"a", "value"}, {"value", "b"}};

/* The kernel of inputs that have one dtype already, or NULL. */
static inline tsr__row_fn *kernel_of(const tsr_ctx *ctx, const binary_op *op, int dtype) {
  if (dtype >= TSR_DTYPE_COUNT || (dtype == TSR_BOOL && op->refuses_bool)) return NULL;
  return op->tables[tsr__isa_of(ctx)][dtype];
}

static tsr_status make_fresh(tsr_ctx *ctx, const char *name, const tsr_tensor *a, const tsr_tensor *b, int dtype,
                             tsr_tensor *out) {
  const int layout = a->layout != TSR_PLAIN ? a->layout : b->layout;
  const tsr__result result = {dtype, layout, a->ndim, a->shape, NULL};
  return tsr__output(ctx, name, &result, out);
}

/* Whether an op's kernels take many rows at once. */
static bool has_row_batches(const binary_op *op) { return op->grain == TSR__GRAIN_LIGHT; }

/* For a kernel that is to run along one row: kernels of the family have no parameter. */
static const ptrdiff_t no_next[3];
static const tsr__row_args one_row = {.count = 1, .next = no_next};

/* More than is worth one thread; apart, because a small call is quicker without it. */
static TSR__COLD void run_large(const tsr_ctx *ctx, const binary_op *op, tsr__row_fn *kernel, tsr_index size,
                                char *const *at, const ptrdiff_t *step) {
  const size_t item = (size_t)step[1];
  const tsr__row_loop rows = {.row = kernel,
                              .operands = 3,
                              .item = {(size_t)step[0], item, item},
                              .grain = op->grain,
                              .row_batches = has_row_batches(op),
                              .no_alias = at[0] != at[1] && at[0] != at[2]};
  tsr__run_flat(ctx, &rows, size, at, step);
}

/* The small call (see tsr__elementwise_contiguous): two tensors of one dtype that has a kernel, nothing checked yet. Where it
 * is none, nothing was done, and this says what the call is: of two contiguous tensors that may broadcast, or for the frame. */
enum { IS_BROADCAST = -1, IS_STRIDED = -2 };
static int run_contiguous(tsr_ctx *ctx, const binary_op *op, const tsr_tensor *a, const tsr_tensor *b,
                          tsr_tensor *out) {
  if (a == NULL || b == NULL || out == NULL) return IS_STRIDED;
  const int dtype = a->dtype, result = op->compares ? TSR_BOOL : dtype;
  tsr__row_fn *const kernel = kernel_of(ctx, op, dtype);
  const tsr_index size = tsr__contiguous_size_to(a, TSR__CONTIGUOUS_LARGE);
  if (kernel == NULL || size == 0 || tsr__nan_watched()) return IS_STRIDED;
  const size_t item = tsr__item_sizes[dtype], out_item = tsr__item_sizes[result];
  if (!tsr__contiguous_usable(a, dtype, item) || !tsr__contiguous_usable(b, dtype, item)) return IS_STRIDED;
  if (!tsr__contiguous_alike(b, a)) return IS_BROADCAST;
  if (out->dtype == TSR_NONE && out->data == NULL) {
    const tsr_status st = make_fresh(ctx, op->info->name, a, b, result, out);
    if (st != TSR_OK) return st;
  } else {
    const size_t bytes = (size_t)size * item, out_bytes = (size_t)size * out_item;
    if (!tsr__contiguous_output(out, result, out_item, a) ||
        !tsr__contiguous_safe(a->data, bytes, out->data, out_bytes) ||
        !tsr__contiguous_safe(b->data, bytes, out->data, out_bytes))
      return IS_STRIDED;
  }
  char *const at[] = {out->data, a->data, b->data};
  const ptrdiff_t step[] = {(ptrdiff_t)out_item, (ptrdiff_t)item, (ptrdiff_t)item};
  if (size <= op->grain)
    kernel(&one_row, size, at, step);
  else
    run_large(ctx, op, kernel, size, at, step);
  return TSR_OK;
}

/* The same with broadcasting. */
static bool run_broadcast(tsr_ctx *ctx, const binary_op *op, const char *name, const tsr_tensor *a, const tsr_tensor *b,
                          tsr_tensor *out, tsr_status *status) {
  if (a == NULL || b == NULL || tsr__nan_watched()) return false;
  const tsr__elementwise e = {.op = name,
                              .inputs = 2,
                              .in = {a, b},
                              .compute = a->dtype,
                              .grain = op->grain,
                              .result = op->compares ? TSR_BOOL : a->dtype,
                              .kernel = kernel_of(ctx, op, a->dtype),
                              .row_batches = has_row_batches(op)};
  return tsr__binary_broadcast(ctx, &e, out, status);
}

/* names are the parameters', for messages. */
static tsr_status run_any(tsr__call *call, const binary_op *op, const char *const *names, const tsr_tensor *a,
                          const tsr_tensor *b) {
  tsr__dtypes dtypes;
  tsr__elementwise e = {
      .op = call->op, .inputs = 2, .in = {a, b}, .grain = op->grain, .row_batches = has_row_batches(op)};
  const tsr_status st = tsr__promote(call->ctx, call->op, op->rule, 2, e.in, names, &dtypes);
  if (st != TSR_OK) return st;
  e.compute = dtypes.compute;
  e.result = dtypes.result;
  e.out_dtype = dtypes.out;
  tsr__elementwise_choose(&e, tsr__isa_of(call->ctx), op->tables);
  return tsr__elementwise_call(call, &e, names);
}

static tsr_status binary(tsr__call *call) { return run_any(call, call->info->kernels, both, call->in[0], call->in[1]); }

/* What is not contiguous: broadcast, or in the frame. Apart, because a small call is quicker without it. */
static __attribute__((noinline)) tsr_status run_in_frame(tsr_ctx *ctx, const binary_op *op, const tsr_tensor *a,
                                                         const tsr_tensor *b, tsr_tensor *out) {
  return tsr__call_op(ctx, op->info, &(const tsr__binary_attrs){0}, TSR__INPUTS(a, b), TSR__OUTPUTS(out));
}
static __attribute__((noinline)) tsr_status run_small_broadcast(tsr_ctx *ctx, const binary_op *op, const tsr_tensor *a,
                                                                const tsr_tensor *b, tsr_tensor *out) {
  tsr_status status;
  return run_broadcast(ctx, op, op->info->name, a, b, out, &status) ? status : run_in_frame(ctx, op, a, b, out);
}

static tsr_status run_binary(tsr_ctx *ctx, const binary_op *op, const tsr_tensor *a, const tsr_tensor *b,
                             tsr_tensor *out) {
  const int st = tsr__is_plain_context(ctx) ? run_contiguous(ctx, op, a, b, out) : IS_STRIDED;
  if (st >= 0) return (tsr_status)st;
  return (st == IS_BROADCAST ? run_small_broadcast : run_in_frame)(ctx, op, a, b, out);
}

/* ---- with a number ---- */

/* A number as a tensor of rank 0: of the tensor's dtype, or of the float that the op makes of it. */
typedef struct scalar {
  tsr_tensor tensor;
  _Alignas(16) char element[16];
} scalar;

/* An op with a number beside its tensor: the rule of that number, and the op that it is. */
typedef struct number_op {
  const tsr__op_info *info;
  const binary_op *op;
  tsr__rule rule;
  bool reversed; /* the number is on the left */
} number_op;

/* The number's dtype; the element is the caller's to fill. */
static tsr_status begin_scalar(tsr_ctx *ctx, const number_op *with, const tsr_tensor *t, scalar *s) {
  const int dtype = with->rule == TSR__RULE_FLOATING ? tsr__float_of(t->dtype) : t->dtype;
  if (!tsr_dtype_supported(dtype))
    return TSR__FAIL(ctx, TSR_EDTYPE, with->info->name, with->reversed ? "b" : "a",
                     "is %y, which this build does not compute with", dtype);
  s->tensor = (tsr_tensor){.dtype = (uint8_t)dtype, .data = s->element};
  return TSR_OK;
}

/* value is a tsr_real, or whole, which is not NULL. */
static tsr_status make_scalar(tsr_ctx *ctx, const number_op *with, const tsr_tensor *t, tsr_real value,
                              const int64_t *whole, scalar *s) {
  const tsr_status st = begin_scalar(ctx, with, t, s);
  if (st != TSR_OK) return st;
  if (whole != NULL) return tsr__scalar_from_i64(ctx, with->info->name, "value", s->tensor.dtype, *whole, s->element);
  return tsr__scalar_from_real(ctx, with->info->name, "value", s->tensor.dtype, value, s->element);
}

static tsr_status run_number(tsr__call *call, tsr_real value, const int64_t *whole) {
  const number_op *const with = call->info->kernels;
  const tsr_tensor *const t = call->in[0];
  scalar s;
  const tsr_status st = make_scalar(call->ctx, with, t, value, whole, &s);
  if (st != TSR_OK) return st;
  return run_any(call, with->op, with_number[with->reversed], with->reversed ? &s.tensor : t,
                 with->reversed ? t : &s.tensor);
}

static tsr_status with_real(tsr__call *call) {
  const tsr__scalar_attrs *const attrs = call->attrs;
  return run_number(call, attrs->value, NULL);
}

static tsr_status with_i64(tsr__call *call) {
  const tsr__scalar_i64_attrs *const attrs = call->attrs;
  return run_number(call, 0, &attrs->value);
}

/* The small call: a tensor that the broadcast path takes. One that it does not take may be unchecked still. */
static bool run_small_number(tsr_ctx *ctx, const number_op *with, const tsr_tensor *t, tsr_real value,
                             const int64_t *whole, tsr_tensor *out, tsr_status *status) {
  scalar s;
  if (t == NULL || !tsr__is_plain_context(ctx) || !tsr__is_given_packed(t)) return false;
  *status = make_scalar(ctx, with, t, value, whole, &s);
  if (*status != TSR_OK) return true;
  const tsr_tensor *const a = with->reversed ? &s.tensor : t, *const b = with->reversed ? t : &s.tensor;
  return run_broadcast(ctx, with->op, with->info->name, a, b, out, status);
}

static tsr_status run_scalar(tsr_ctx *ctx, const number_op *with, const tsr_tensor *t, tsr_real value,
                             const int64_t *whole, const void *attrs, tsr_tensor *out) {
  tsr_status status;
  if (run_small_number(ctx, with, t, value, whole, out, &status)) return status;
  return tsr__call_op(ctx, with->info, attrs, TSR__INPUTS(t), TSR__OUTPUTS(out));
}

/* ---- the rows ---- */

#define IS_COMPARISON(rule) ((rule) == TSR__RULE_COMPARE || (rule) == TSR__RULE_EQUAL)
#define REFUSES_BOOL(rule) ((rule) == TSR__RULE_NUMBERS || (rule) == TSR__RULE_VALUES)
#define BINARY_EACH(op, takes, weight, ...)                                                                       \
  static const binary_op op##_op = {                                                                              \
      &tsr__op_##op,       TSR__RULE_##takes,  IS_COMPARISON(TSR__RULE_##takes), REFUSES_BOOL(TSR__RULE_##takes), \
      TSR__GRAIN_##weight, TSR__KERNELS_OF(op)};                                                                  \
  TSR__OP_ROW(op, binary, binary, &op##_op, TSR__OP_ELEMENTWISE)                                                  \
  tsr_status tsr_##op(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {                  \
    return run_binary(ctx, &op##_op, a, b, out);                                                                  \
  }
#include "ops/binary/rows.def"

/* Ops with a number on the right, and the dtype rule of that number. */
#define SCALAR(op, takes)                                                                                     \
  static const number_op op##_scalar_op = {&tsr__op_##op##_scalar, &op##_op, TSR__RULE_##takes, false};       \
  TSR__OP_ROW(op##_scalar, scalar, with_real, &op##_scalar_op, TSR__OP_ELEMENTWISE)                           \
  tsr_status tsr_##op##_scalar(tsr_ctx *ctx, const tsr_tensor *a, tsr_real value, tsr_tensor *out) {          \
    return run_scalar(ctx, &op##_scalar_op, a, value, NULL, &(const tsr__scalar_attrs){.value = value}, out); \
  }
#include "ops/binary/numbers.def"

/* The same with the number on the left. */
#define REVERSED(op, takes)                                                                                     \
  static const number_op scalar_##op##_op = {&tsr__op_scalar_##op, &op##_op, TSR__RULE_##takes, true};          \
  TSR__OP_ROW(scalar_##op, reversed, with_real, &scalar_##op##_op, TSR__OP_ELEMENTWISE)                         \
  tsr_status tsr_scalar_##op(tsr_ctx *ctx, tsr_real value, const tsr_tensor *b, tsr_tensor *out) {              \
    return run_scalar(ctx, &scalar_##op##_op, b, value, NULL, &(const tsr__scalar_attrs){.value = value}, out); \
  }
#include "ops/binary/numbers.def"

/* Both with whole numbers that tsr_real does not hold. */
#define SCALAR_I64(op)                                                                                              \
  static const number_op op##_scalar_i64_op = {&tsr__op_##op##_scalar_i64, &op##_op, TSR__RULE_ANY, false};         \
  TSR__OP_ROW(op##_scalar_i64, scalar_i64, with_i64, &op##_scalar_i64_op, TSR__OP_ELEMENTWISE)                      \
  tsr_status tsr_##op##_scalar_i64(tsr_ctx *ctx, const tsr_tensor *a, int64_t value, tsr_tensor *out) {             \
    return run_scalar(ctx, &op##_scalar_i64_op, a, 0, &value, &(const tsr__scalar_i64_attrs){.value = value}, out); \
  }
#include "ops/binary/numbers.def"
#define REVERSED_I64(op)                                                                                              \
  static const number_op scalar_##op##_i64_op = {&tsr__op_scalar_##op##_i64, &op##_op, TSR__RULE_ANY, true};          \
  TSR__OP_ROW(scalar_##op##_i64, reversed_i64, with_i64, &scalar_##op##_i64_op, TSR__OP_ELEMENTWISE)                  \
  tsr_status tsr_scalar_##op##_i64(tsr_ctx *ctx, int64_t value, const tsr_tensor *b, tsr_tensor *out) {               \
    return run_scalar(ctx, &scalar_##op##_i64_op, b, 0, &value, &(const tsr__scalar_i64_attrs){.value = value}, out); \
  }
#include "ops/binary/numbers.def"
