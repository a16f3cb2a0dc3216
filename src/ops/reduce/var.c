/* var and std. */
#include "ops/reduce/ops.h"
#include "ops/reduce/real.h"

static void finish_var(const tsr__reduce_terms *terms, tsr_index n, void *values, const void *param) {
  tsr__reduce_real *const v = values;
  const tsr_index over = terms->count > terms->ddof ? terms->count - terms->ddof : 0;
  (void)param;
  for (tsr_index i = 0; i < n; i++) v[i] /= (tsr__reduce_real)over;
}

static void finish_std(const tsr__reduce_terms *terms, tsr_index n, void *values, const void *param) {
  tsr__reduce_real *const v = values;
  finish_var(terms, n, values, param);
  for (tsr_index i = 0; i < n; i++) v[i] = tsr__reduce_root(v[i]);
}

static tsr_status var(tsr__call *call) {
  const tsr__var_attrs *const attrs = call->attrs;
  const tsr__reduce_op *const op = call->info->kernels;
  tsr__reduce r;
  if (attrs->ddof >= 0 && tsr__reduces_complex(call, op))
    return tsr__reduce_complex(call, op, attrs->axes_count, attrs->axes, attrs->keepdims,
                               (tsr__reduce_terms){.ddof = attrs->ddof}, false);
  tsr_status st = tsr__reduce_check_ddof(call->ctx, call->op, attrs->ddof);
  if (st == TSR_OK) st = tsr__reduce_call_begin(call, op, attrs->axes_count, attrs->axes, attrs->keepdims, &r);
  if (st != TSR_OK) return st;
  r.terms.ddof = attrs->ddof;
  return tsr__reduce_call(call, &r);
}

static const tsr__reduce_op var_op = {
    &tsr__op_var,
    TSR__REDUCE_REALS,
    TSR__NEUTRAL_ZERO,
    false,
    .pass = {{TSR__KERNELS_OF(total), tsr__reduce_finish_mean}, {TSR__KERNELS_OF(deviation), finish_var}},
    .complex_way = TSR__COMPLEX_ADDED,
    .of_parts = &var_op};
TSR__OP_ROW(var, var, var, &var_op, TSR__OP_TELLS)
tsr_status tsr_var(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims, int ddof,
                   tsr_tensor *out) {
  return TSR__CALL(var, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .axes = axes, .axes_count = naxes, .keepdims = keepdims,
                   .ddof = ddof);
}

static const tsr__reduce_op std_op = {
    &tsr__op_std,
    TSR__REDUCE_REALS,
    TSR__NEUTRAL_ZERO,
    false,
    .pass = {{TSR__KERNELS_OF(total), tsr__reduce_finish_mean}, {TSR__KERNELS_OF(deviation), finish_std}},
    .complex_way = TSR__COMPLEX_ROOT,
    .of_parts = &var_op};
TSR__OP_ROW(std, var, var, &std_op, TSR__OP_TELLS)
tsr_status tsr_std(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims, int ddof,
                   tsr_tensor *out) {
  return TSR__CALL(std, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .axes = axes, .axes_count = naxes, .keepdims = keepdims,
                   .ddof = ddof);
}
