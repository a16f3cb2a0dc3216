/* What every unary op does around its kernel. */
#include "ops/unary/ops.h"

#include "ops/elementwise/nan_watch.h"
#include "ops/parts.h"

/* The dtypes of one call. */
typedef struct plan {
  int compute, result, out;
} plan;

static bool is_small_float(const tsr_dtype_info *info) {
  return info->class_ == TSR_CLASS_FLOAT && info->dtype != TSR_F32 && info->dtype != TSR_F64;
}

/* The float that integers become: one that holds them where there is such a one. */
static int float_for(const tsr_dtype_info *info) { return info->bytes <= 2 || !TSR_HAVE_F64 ? TSR_F32 : TSR_F64; }

static plan plan_of_complex(tsr__unary_kind kind, int own) {
  const bool test = kind == TSR__UNARY_FLOAT_TEST || kind == TSR__UNARY_TEST;
  const bool real = kind == TSR__UNARY_SIZE || kind == TSR__UNARY_ANGLE;
  const int result = test ? TSR_BOOL : real ? tsr__part_dtype(own) : own;
  return (plan){own, result, result};
}

static plan plan_of(tsr__unary_kind kind, const tsr_dtype_info *info) {
  const int own = info->dtype, compute = is_small_float(info) ? TSR_F32 : own;
  const bool is_float = info->class_ == TSR_CLASS_FLOAT;
  if (info->class_ == TSR_CLASS_COMPLEX) return plan_of_complex(kind, own);
  switch (kind) {
    case TSR__UNARY_FLOAT:
    case TSR__UNARY_FLOATING:
    case TSR__UNARY_ANGLE:
      if (is_float) return (plan){compute, compute, own};
      return (plan){float_for(info), float_for(info), float_for(info)};
    case TSR__UNARY_FLOAT_TEST: return (plan){is_float ? compute : TSR_F32, TSR_BOOL, TSR_BOOL};
    case TSR__UNARY_TEST: return (plan){compute, TSR_BOOL, TSR_BOOL};
    default: return (plan){compute, compute, own};
  }
}

static TSR__COLD tsr_status refuse(tsr_ctx *ctx, const tsr__unary_op *op, const tsr_dtype_info *info) {
  const int dtype = info->dtype;
  if (!tsr_dtype_supported(dtype))
    return TSR__FAIL(ctx, TSR_EDTYPE, op->info->name, "x", "is %y, which this build does not compute with", dtype);
  if (info->class_ == TSR_CLASS_COMPLEX)
    return TSR__FAIL(ctx, TSR_EDTYPE, op->info->name, "x",
                     op->kind == TSR__UNARY_BITWISE ? "is %y: complex numbers have no bits here"
                                                    : "is %y: only for real numbers; see tsr_complex_part",
                     dtype);
  if (op->kind == TSR__UNARY_BITWISE)
    return TSR__FAIL(ctx, TSR_EDTYPE, op->info->name, "x", "is %y: only integers and bool have bits", dtype);
  return TSR__FAIL(ctx, TSR_EDTYPE, op->info->name, "x", "is %y: only for numbers; cast it first", dtype);
}

/* The call with its kernel, where x has a dtype that the op takes; else without one. */
static tsr__elementwise prepare_unary(const tsr_ctx *ctx, const tsr__unary_op *op, const tsr_tensor *x,
                                      const tsr_real *attribute) {
  const tsr_dtype_info *const info = tsr_dtype_describe(x->dtype);
  void *const arg = (void *)(uintptr_t)attribute;
  tsr__elementwise e = {.op = op->info->name, .inputs = 1, .in = {x}, .grain = op->grain};
  tsr__elementwise_param(&e, arg, sizeof *attribute);
  if (info == NULL || !tsr_dtype_supported(x->dtype)) return e;
  const plan p = plan_of(op->kind, info);
  e.compute = p.compute;
  e.result = p.result;
  e.out_dtype = p.out;
  tsr__elementwise_choose(&e, tsr__isa_of(ctx), op->tables);
  return e;
}

static tsr_status run_unary(tsr__call *call, const tsr_real *attribute) {
  static const char *const names[] = {"x"};
  const tsr__unary_op *const op = call->info->kernels;
  const tsr__elementwise e = prepare_unary(call->ctx, op, call->in[0], attribute);
  if (e.kernel == NULL) return refuse(call->ctx, op, tsr_dtype_describe(call->in[0]->dtype));
  return tsr__elementwise_call(call, &e, names);
}

tsr_status tsr__unary(tsr__call *call) { return run_unary(call, NULL); }
tsr_status tsr__unary_with(tsr__call *call, tsr_real attribute) { return run_unary(call, &attribute); }

static bool run_small(tsr_ctx *ctx, const tsr__unary_op *op, const tsr_tensor *x, const tsr_real *attribute,
                      tsr_tensor *out, tsr_status *status) {
  if (x == NULL || !tsr__is_plain_context(ctx) || tsr__nan_watched()) return false;
  const tsr__elementwise e = prepare_unary(ctx, op, x, attribute);
  return e.kernel != NULL && tsr__elementwise_contiguous(ctx, &e, out, status);
}

tsr_status tsr__unary_run(tsr_ctx *ctx, const tsr__unary_op *op, const tsr_tensor *x, const void *attrs,
                          const tsr_real *attribute, tsr_tensor *out) {
  tsr_status st;
  if (run_small(ctx, op, x, attribute, out, &st)) return st;
  return tsr__call_op(ctx, op->info, attrs, TSR__INPUTS(x), TSR__OUTPUTS(out));
}
