/* Norms of any order. */
#include "ops/reduce/ops.h"

#include <math.h>

#if TSR_HAVE_F64
#define POWER(x, p) pow(x, p)
#else
#define POWER(x, p) powf(x, p)
#endif

static void finish_norm(const tsr__reduce_terms *terms, tsr_index n, void *values, const void *param) {
  tsr__reduce_real *const v = values;
  (void)param;
  for (tsr_index i = 0; i < n; i++) {
    const tsr__reduce_real sum = v[i] + (tsr__reduce_real)0;
    v[i] = terms->power == 0 ? sum : POWER(sum, 1 / terms->power);
  }
}

static const tsr__reduce_op power_op = {&tsr__op_norm,
                                        TSR__REDUCE_REALS,
                                        TSR__NEUTRAL_ZERO,
                                        false,
                                        .pass = {{TSR__KERNELS_OF(power), finish_norm}},
                                        .complex_way = TSR__COMPLEX_SIZES};
static const tsr__reduce_op min_abs_op = {&tsr__op_norm,
                                          TSR__REDUCE_REALS,
                                          TSR__NEUTRAL_ZERO,
                                          true,
                                          .pass = {{TSR__KERNELS_OF(min_abs), NULL}},
                                          .complex_way = TSR__COMPLEX_SIZES};

/* Orders that have a function of their own; NULL: another. */
static const tsr__reduce_op *norm_of_its_own(tsr_real p) {
  if (p == 1) return tsr__op_norm1.kernels;
  if (p == 2) return tsr__op_norm2.kernels;
  return p > 0 && p - p != 0 ? tsr__op_norm_inf.kernels : NULL;
}

static tsr_status norm(tsr__call *call) {
  const tsr__norm_attrs *const attrs = call->attrs;
  const tsr_real p = attrs->p;
  const tsr__reduce_op *const own = norm_of_its_own(p), *const other = p < 0 && p - p != 0 ? &min_abs_op : &power_op;
  const tsr__reduce_op *const op = own != NULL ? own : other;
  const bool with_power = op == &power_op;
  tsr__reduce r;
  if (p == p && tsr__reduces_complex(call, op))
    return tsr__reduce_complex(call, op, attrs->axes_count, attrs->axes, attrs->keepdims,
                               (tsr__reduce_terms){.power = p}, with_power);
  tsr_status st = p == p ? tsr__reduce_call_begin(call, op, attrs->axes_count, attrs->axes, attrs->keepdims, &r)
                         : TSR__FAIL(call->ctx, TSR_EARG, call->op, "p", "is %r", &p);
  if (st == TSR_OK && op->some) st = tsr__reduce_check_some(call->ctx, &r);
  if (st != TSR_OK) return st;
  r.terms.power = p;
  r.with_power = with_power;
  return tsr__reduce_call(call, &r);
}

TSR__OP(norm, norm, TSR__OP_TELLS)
tsr_status tsr_norm(tsr_ctx *ctx, const tsr_tensor *x, tsr_real p, int naxes, const int *axes, bool keepdims,
                    tsr_tensor *out) {
  const tsr__reduce_op *const own = norm_of_its_own(p);
  tsr_status status;
  if (own != NULL && tsr__reduce_small(ctx, "norm", own, x, naxes, axes, keepdims, out, &status)) return status;
  return TSR__CALL(norm, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .p = p, .axes = axes, .axes_count = naxes,
                   .keepdims = keepdims);
}
