/* var and std. */
#include "ops/reduce/real.h"

#include <tessera/reduce.h>

#define X(isa) tsr__total_##isa,
static tsr__reduce_tables totals = {TSR_ISA_LIST(X)};
#undef X
#define X(isa) tsr__deviation_##isa,
static tsr__reduce_tables deviations = {TSR_ISA_LIST(X)};
#undef X

static void finish_var(const tsr__reduce *r, tsr_index n, void *values, const void *param) {
  tsr__reduce_real *const v = values;
  const tsr_index         over = r->count > r->ddof ? r->count - r->ddof : 0;
  (void)param;
  for (tsr_index i = 0; i < n; i++) v[i] /= (tsr__reduce_real)over;
}

static void finish_std(const tsr__reduce *r, tsr_index n, void *values, const void *param) {
  tsr__reduce_real *const v = values;
  finish_var(r, n, values, param);
  for (tsr_index i = 0; i < n; i++) v[i] = tsr__reduce_root(v[i]);
}

static tsr_status spread(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                         int ddof, tsr__reduce_finish *finish, tsr_tensor *out) {
  tsr__reduce      r;
  const tsr_status st = tsr__reduce_begin_real(ctx, op, x, naxes, axes, keepdims, &r);
  if (st != TSR_OK) return st;
  if (ddof < 0) return TSR__FAIL(ctx, TSR_EARG, op, "ddof", "is %d, which is not 0 or more", ddof);
  const int isa = tsr__isa_of(ctx);
  r.ddof = ddof;
  r.passes = 2;
  r.pass[0] = (tsr__reduce_pass){totals[isa][r.compute], tsr__reduce_finish_mean};
  r.pass[1] = (tsr__reduce_pass){deviations[isa][r.compute], finish};
  return tsr__reduce_run(ctx, &r, out);
}

tsr_status tsr_var(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims, int ddof,
                   tsr_tensor *out) {
  return spread(ctx, "var", x, naxes, axes, keepdims, ddof, finish_var, out);
}

tsr_status tsr_std(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims, int ddof,
                   tsr_tensor *out) {
  return spread(ctx, "std", x, naxes, axes, keepdims, ddof, finish_std, out);
}
