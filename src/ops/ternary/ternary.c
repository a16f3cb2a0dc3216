/* The public functions of the family. */
#include "core/operand.h"
#include "ops/ternary/ternary.h"

#include "ops/cast/convert.h"
#include "ops/elementwise/elementwise.h"
#include "ops/promote.h"

#include <tessera/binary.h>

typedef struct ternary_op {
  tsr__rule           rule;
  tsr_index           grain;
  tsr__row_fn *const *tables[TSR__ISA_COUNT];
} ternary_op;

#define X(op, takes, weight, ...) \
  static const ternary_op op##_op = {TSR__RULE_##takes, TSR__GRAIN_##weight, TSR__KERNELS_OF(op)};
TSR__TERNARY_LIST(X)
#undef X

static void set_dtypes(const tsr_ctx *ctx, const ternary_op *op, const tsr__dtypes *dtypes, tsr__elementwise *e) {
  e->compute = dtypes->compute;
  e->result = dtypes->result;
  e->out_dtype = dtypes->out;
  e->kernel = op->tables[tsr__isa_of(ctx)][dtypes->compute];
  e->grain = op->grain;
}

static tsr_status check_inputs(tsr_ctx *ctx, const tsr__elementwise *e, const char *const *names) {
  tsr_status st = TSR_OK;
  for (int k = 0; k < e->inputs && st == TSR_OK; k++) st = tsr__check_input(ctx, e->op, names[k], e->in[k]);
  return st;
}

static tsr_status run(tsr_ctx *ctx, const ternary_op *op, const char *name, const tsr_tensor *const *in,
                      const char *const *names, tsr_tensor *out) {
  tsr__elementwise e = {.op = name, .inputs = 3, .in = {in[0], in[1], in[2]}};
  tsr__dtypes dtypes;
  tsr_status st = check_inputs(ctx, &e, names);
  if (st == TSR_OK) st = tsr__promote(ctx, name, op->rule, 3, in, names, &dtypes);
  if (st != TSR_OK) return st;
  set_dtypes(ctx, op, &dtypes, &e);
  return tsr__elementwise_run(ctx, &e, names, out);
}

/* ---- a number as a tensor of rank 0 ---- */

typedef struct scalar {
  tsr_tensor tensor;
  _Alignas(16) char element[16];
} scalar;

static tsr_status make_scalar(tsr_ctx *ctx, const char *op, const char *arg, int dtype, tsr_real value, scalar *s) {
  s->tensor = (tsr_tensor){.dtype = (uint8_t)dtype, .data = s->element};
  return tsr__scalar_from_real(ctx, op, arg, dtype, value, s->element);
}

/* ---- the ops ---- */

tsr_status tsr_clamp_tensor(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *lo, const tsr_tensor *hi,
                            tsr_tensor *out) {
  TSR__OPERANDS(x, lo, hi, out);
  static const char *const names[] = {"x", "lo", "hi"};
  const tsr_tensor *const in[] = {x, lo, hi};
  return run(ctx, &clamp_op, "clamp_tensor", in, names, out);
}

tsr_status tsr_clamp(tsr_ctx *ctx, const tsr_tensor *x, tsr_real lo, tsr_real hi, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  static const char op[] = "clamp";
  static const char *const names[] = {"x", "lo", "hi"};
  scalar low, high;
  tsr_status st = tsr__check_input(ctx, op, "x", x);
  if (st == TSR_OK && !tsr_dtype_supported(x->dtype))
    st = TSR__FAIL(ctx, TSR_EDTYPE, op, "x", "is %y, which this build does not compute with", (int)x->dtype);
  if (st == TSR_OK) st = make_scalar(ctx, op, "lo", x->dtype, lo, &low);
  if (st == TSR_OK) st = make_scalar(ctx, op, "hi", x->dtype, hi, &high);
  if (st != TSR_OK) return st;
  const tsr_tensor *const in[] = {x, &low.tensor, &high.tensor};
  return run(ctx, &clamp_op, op, in, names, out);
}

tsr_status tsr_fma(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, const tsr_tensor *c, tsr_tensor *out) {
  TSR__OPERANDS(a, b, c, out);
  static const char *const names[] = {"a", "b", "c"};
  const tsr_tensor *const in[] = {a, b, c};
  return run(ctx, &fma_op, "fma", in, names, out);
}

tsr_status tsr_addcmul(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *a, const tsr_tensor *b, tsr_real value,
                       tsr_tensor *out) {
  TSR__OPERANDS(x, a, b, out);
  static const char op[] = "addcmul";
  static const char *const names[] = {"x", "a", "b"};
  _Alignas(16) char number[16];
  tsr__elementwise e = {.op = op, .inputs = 3, .in = {x, a, b}, .arg = number};
  tsr__dtypes dtypes;
  tsr_status st = check_inputs(ctx, &e, names);
  if (st == TSR_OK) st = tsr__promote(ctx, op, addcmul_op.rule, 3, e.in, names, &dtypes);
  if (st == TSR_OK) st = tsr__scalar_from_real(ctx, op, "value", dtypes.compute, value, number);
  if (st != TSR_OK) return st;
  set_dtypes(ctx, &addcmul_op, &dtypes, &e);
  return tsr__elementwise_run(ctx, &e, names, out);
}

tsr_status tsr_lerp(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, const tsr_tensor *weight, tsr_tensor *out) {
  TSR__OPERANDS(a, b, weight, out);
  static const char *const names[] = {"a", "b", "weight"};
  const tsr_tensor *const in[] = {a, b, weight};
  return run(ctx, &lerp_op, "lerp", in, names, out);
}

tsr_status tsr_lerp_scalar(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_real weight, tsr_tensor *out) {
  TSR__OPERANDS(a, b, out);
  static const char op[] = "lerp_scalar";
  static const char *const names[] = {"a", "b", "weight"};
  scalar s;
  const tsr_tensor *in[] = {a, b, &s.tensor};
  tsr__dtypes dtypes;
  tsr_status st = tsr__check_input(ctx, op, "a", a);
  if (st == TSR_OK) st = tsr__check_input(ctx, op, "b", b);
  if (st == TSR_OK) st = tsr__promote(ctx, op, TSR__RULE_FLOATS, 2, in, names, &dtypes);
  if (st == TSR_OK) st = make_scalar(ctx, op, "weight", dtypes.out, weight, &s);
  return st == TSR_OK ? run(ctx, &lerp_op, op, in, names, out) : st;
}

tsr_status tsr_where(tsr_ctx *ctx, const tsr_tensor *cond, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  TSR__OPERANDS(cond, a, b, out);
  static const char op[] = "where";
  static const char *const names[] = {"cond", "a", "b"};
  tsr__elementwise e = {.op = op, .inputs = 3, .in = {cond, a, b}, .first = TSR_BOOL};
  tsr__dtypes dtypes;
  tsr_status st = check_inputs(ctx, &e, names);
  if (st == TSR_OK && cond->dtype != TSR_BOOL)
    st = TSR__FAIL(ctx, TSR_EDTYPE, op, "cond", "is %y, not bool; compare it with 0 first", (int)cond->dtype);
  if (st == TSR_OK) st = tsr__promote(ctx, op, where_op.rule, 2, &e.in[1], &names[1], &dtypes);
  if (st != TSR_OK) return st;
  set_dtypes(ctx, &where_op, &dtypes, &e);
  return tsr__elementwise_run(ctx, &e, names, out);
}
