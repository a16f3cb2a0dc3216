/* Norms of any order. */
#include "ops/reduce/real.h"

#include <math.h>
#include <tessera/reduce.h>

#define X(isa) tsr__power_##isa,
static tsr__reduce_tables powers = {TSR_ISA_LIST(X)};
#undef X
#define X(isa) tsr__nearest_##isa,
static tsr__reduce_tables nearest = {TSR_ISA_LIST(X)};
#undef X

#if TSR_HAVE_F64
#define POWER(x, p) pow(x, p)
#else
#define POWER(x, p) powf(x, p)
#endif

static void finish(const tsr__reduce *r, tsr_index n, void *values, const void *param) {
  tsr__reduce_real *const v = values;
  (void)param;
  for (tsr_index i = 0; i < n; i++) {
    const tsr__reduce_real sum = v[i] + (tsr__reduce_real)0;
    v[i] = r->power == 0 ? sum : POWER(sum, 1 / r->power);
  }
}

/* Orders that have a function of their own. */
static tsr_status norm_of_its_own(tsr_ctx *ctx, const tsr_tensor *x, tsr_real p, int naxes, const int *axes, bool keepdims,
                                  tsr_tensor *out) {
  if (p == 1) return tsr_norm1(ctx, x, naxes, axes, keepdims, out);
  return p == 2 ? tsr_norm2(ctx, x, naxes, axes, keepdims, out) : tsr_norm_inf(ctx, x, naxes, axes, keepdims, out);
}

tsr_status tsr_norm(tsr_ctx *ctx, const tsr_tensor *x, tsr_real p, int naxes, const int *axes, bool keepdims,
                    tsr_tensor *out) {
  if (p == 1 || p == 2 || (p > 0 && p - p != 0)) {
    const tsr_status own = norm_of_its_own(ctx, x, p, naxes, axes, keepdims, out);
    return own == TSR_OK ? TSR_OK : tsr__fail_as(ctx, own, "norm");
  }
  tsr__reduce r;
  tsr_status  st = tsr__reduce_begin_real(ctx, "norm", x, naxes, axes, keepdims, &r);
  if (st != TSR_OK) return st;
  if (p != p) return TSR__FAIL(ctx, TSR_EARG, "norm", "p", "is %r", &p);
  const int isa = tsr__isa_of(ctx);
  if (p - p == 0) {
    r.power = p;
    r.with_power = true;
    r.pass[0] = (tsr__reduce_pass){powers[isa][r.compute], finish};
  } else {
    st = tsr__reduce_check_some(ctx, &r);
    r.pass[0].kernel = nearest[isa][r.compute];
  }
  return st == TSR_OK ? tsr__reduce_run(ctx, &r, out) : st;
}
