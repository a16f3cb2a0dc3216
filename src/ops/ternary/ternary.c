/* The public functions of the family. */
#include "ops/ternary/ops.h"

#include "ops/cast/convert.h"
#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/nan_watch.h"
#include "ops/promote.h"

#include <tessera/binary.h>

typedef struct ternary_op {
  tsr__rule rule;
  tsr_index grain;
  tsr__row_fn *const *tables[TSR__ISA_COUNT];
} ternary_op;

#define TERNARY_EACH(op, takes, weight, ...) \
  static const ternary_op op##_op = {TSR__RULE_##takes, TSR__GRAIN_##weight, TSR__KERNELS_OF(op)};
#include "ops/ternary/rows.def"

static void set_dtypes(const tsr_ctx *ctx, const ternary_op *op, const tsr__dtypes *dtypes, tsr__elementwise *e) {
  e->compute = dtypes->compute;
  e->result = dtypes->result;
  e->out_dtype = dtypes->out;
  tsr__elementwise_choose(e, tsr__isa_of(ctx), op->tables);
  e->grain = op->grain;
}

/* Operands that are contiguous alike need no loop; all others go the way of every elementwise op. */
static tsr_status run_ternary(tsr__call *call, const tsr__elementwise *e, const char *const *names) {
  tsr_status st;
  if (call->device == NULL && !tsr__nan_watched() && tsr__elementwise_contiguous(call->ctx, e, call->out[0], &st))
    return st;
  return tsr__elementwise_call(call, e, names);
}

/* The call's inputs are the op's. */
static tsr_status ternary(tsr__call *call, const ternary_op *op, const tsr_tensor *const *in,
                          const char *const *names) {
  tsr__elementwise e = {.op = call->op, .inputs = 3, .in = {in[0], in[1], in[2]}};
  tsr__dtypes dtypes;
  const tsr_status st = tsr__promote(call->ctx, call->op, op->rule, 3, in, names, &dtypes);
  if (st != TSR_OK) return st;
  set_dtypes(call->ctx, op, &dtypes, &e);
  return run_ternary(call, &e, names);
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

static const char *const clamp_names[] = {"x", "lo", "hi"}, *const lerp_names[] = {"a", "b", "weight"};

static tsr_status clamp_tensor(tsr__call *call) { return ternary(call, &clamp_op, call->in, clamp_names); }
TSR__OP(clamp_tensor, clamp_tensor, TSR__OP_ELEMENTWISE)
tsr_status tsr_clamp_tensor(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *lo, const tsr_tensor *hi,
                            tsr_tensor *out) {
  return TSR__CALL(clamp_tensor, ctx, TSR__INPUTS(x, lo, hi), TSR__OUTPUTS(out), );
}

static tsr_status clamp(tsr__call *call) {
  const tsr__clamp_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0];
  scalar low, high;
  tsr_status st = TSR_OK;
  if (!tsr_dtype_supported(x->dtype))
    st =
        TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "x", "is %y, which this build does not compute with", (int)x->dtype);
  if (st == TSR_OK) st = make_scalar(call->ctx, call->op, "lo", x->dtype, attrs->lo, &low);
  if (st == TSR_OK) st = make_scalar(call->ctx, call->op, "hi", x->dtype, attrs->hi, &high);
  if (st != TSR_OK) return st;
  const tsr_tensor *const in[] = {x, &low.tensor, &high.tensor};
  return ternary(call, &clamp_op, in, clamp_names);
}
TSR__OP(clamp, clamp, TSR__OP_ELEMENTWISE)
tsr_status tsr_clamp(tsr_ctx *ctx, const tsr_tensor *x, tsr_real lo, tsr_real hi, tsr_tensor *out) {
  return TSR__CALL(clamp, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .lo = lo, .hi = hi);
}

static tsr_status fma_of(tsr__call *call) {
  static const char *const names[] = {"a", "b", "c"};
  return ternary(call, &fma_op, call->in, names);
}
TSR__OP(fma, fma_of, TSR__OP_ELEMENTWISE)
tsr_status tsr_fma(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, const tsr_tensor *c, tsr_tensor *out) {
  return TSR__CALL(fma, ctx, TSR__INPUTS(a, b, c), TSR__OUTPUTS(out), );
}

static tsr_status addcmul(tsr__call *call) {
  static const char *const names[] = {"x", "a", "b"};
  const tsr__addcmul_attrs *const attrs = call->attrs;
  _Alignas(16) char number[16] = {0};
  tsr__elementwise e = {.op = call->op, .inputs = 3, .in = {call->in[0], call->in[1], call->in[2]}};
  tsr__elementwise_param(&e, number, sizeof number);
  tsr__dtypes dtypes;
  tsr_status st = tsr__promote(call->ctx, call->op, addcmul_op.rule, 3, e.in, names, &dtypes);
  if (st == TSR_OK) st = tsr__scalar_from_real(call->ctx, call->op, "value", dtypes.compute, attrs->value, number);
  if (st != TSR_OK) return st;
  set_dtypes(call->ctx, &addcmul_op, &dtypes, &e);
  return run_ternary(call, &e, names);
}
TSR__OP(addcmul, addcmul, TSR__OP_ELEMENTWISE)
tsr_status tsr_addcmul(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *a, const tsr_tensor *b, tsr_real value,
                       tsr_tensor *out) {
  return TSR__CALL(addcmul, ctx, TSR__INPUTS(x, a, b), TSR__OUTPUTS(out), .value = value);
}

static tsr_status lerp(tsr__call *call) { return ternary(call, &lerp_op, call->in, lerp_names); }
TSR__OP(lerp, lerp, TSR__OP_ELEMENTWISE)
tsr_status tsr_lerp(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, const tsr_tensor *weight, tsr_tensor *out) {
  return TSR__CALL(lerp, ctx, TSR__INPUTS(a, b, weight), TSR__OUTPUTS(out), );
}

static tsr_status lerp_scalar(tsr__call *call) {
  const tsr__lerp_scalar_attrs *const attrs = call->attrs;
  scalar s;
  const tsr_tensor *in[] = {call->in[0], call->in[1], &s.tensor};
  tsr__dtypes dtypes;
  tsr_status st = tsr__promote(call->ctx, call->op, TSR__RULE_FLOATS, 2, in, lerp_names, &dtypes);
  if (st == TSR_OK) st = make_scalar(call->ctx, call->op, "weight", dtypes.out, attrs->weight, &s);
  return st == TSR_OK ? ternary(call, &lerp_op, in, lerp_names) : st;
}
TSR__OP(lerp_scalar, lerp_scalar, TSR__OP_ELEMENTWISE)
tsr_status tsr_lerp_scalar(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_real weight, tsr_tensor *out) {
  return TSR__CALL(lerp_scalar, ctx, TSR__INPUTS(a, b), TSR__OUTPUTS(out), .weight = weight);
}

static tsr_status where(tsr__call *call) {
  static const char *const names[] = {"cond", "a", "b"};
  const tsr_tensor *const cond = call->in[0];
  tsr__elementwise e = {.op = call->op, .inputs = 3, .in = {cond, call->in[1], call->in[2]}, .first = TSR_BOOL};
  tsr__dtypes dtypes;
  if (cond->dtype != TSR_BOOL)
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "cond", "is %y, not bool; compare it with 0 first",
                     (int)cond->dtype);
  const tsr_status st = tsr__promote(call->ctx, call->op, where_op.rule, 2, &e.in[1], &names[1], &dtypes);
  if (st != TSR_OK) return st;
  set_dtypes(call->ctx, &where_op, &dtypes, &e);
  return run_ternary(call, &e, names);
}
TSR__OP(where, where, TSR__OP_ELEMENTWISE)
tsr_status tsr_where(tsr_ctx *ctx, const tsr_tensor *cond, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  return TSR__CALL(where, ctx, TSR__INPUTS(cond, a, b), TSR__OUTPUTS(out), );
}
