/* The p-norm of windows. */
#include "core/dtypes.h"
#include "nn/pool/ops.h"
#include "nn/pool/plain.h"
#include "nn/pool/pool.h"
#include "nn/power.h"

#define TEMPLATE "nn/pool/lp_norms.tmpl.h"
#include "nn/each_float.h"

static tsr__window_fold *const folds[3][TSR_DTYPE_COUNT] = {
    {TSR__BY_FLOAT(fold_1)}, {TSR__BY_FLOAT(fold_2)}, {TSR__BY_FLOAT(fold_p)}};

static tsr__window lp_window(const tsr__windows *w, bool height, tsr_index i) {
  const tsr__pool *const p = w->arg;
  const tsr__pool_axis *const a = height ? &p->row : &p->column;
  const tsr_index first = tsr__pool_first(a, i);
  const tsr__pool_taps taps = tsr__pool_inside(a, first);
  return (tsr__window){first + taps.from * a->dilation, taps.to - taps.from, a->dilation};
}

static tsr_status lp_pool(tsr__call *call) {
  const tsr__lp_pool_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0];
  const tsr_real p = attrs->p;
  tsr__pool pool;
  tsr_status st = tsr__pool_init(call->ctx, call->op, x, attrs->kernel_count, attrs->kernel, attrs->options, &pool);
  if (st != TSR_OK) return st;
  if (!(p > 0 && p - p == 0))
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "p", "is %r, which is not a finite number above 0", &p);
  tsr__windows w = {.x = x,
                    .size = {pool.row.out, pool.column.out},
                    .window = lp_window,
                    .arg = &pool,
                    .fold = folds[p == 1   ? 0
                                  : p == 2 ? 1
                                           : 2][x->dtype],
                    .p = p};
  st = tsr__image_init(call->ctx, call->op, x, 1, 2, &w.image);
  return st == TSR_OK ? tsr__windows_run(call, &w) : st;
}

TSR__OP(lp_pool, lp_pool, 0)
tsr_status tsr_lp_pool(tsr_ctx *ctx, const tsr_tensor *x, int count, const tsr_index *kernel, tsr_real p,
                       const tsr_pool_options *options, tsr_tensor *out) {
  return TSR__CALL(lp_pool, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .kernel = kernel, .kernel_count = count, .p = p,
                   .options = options);
}
