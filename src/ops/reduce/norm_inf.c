#include "ops/reduce/real.h"

#include <tessera/reduce.h>

#define X(isa) tsr__farthest_##isa,
static tsr__reduce_tables tables = {TSR_ISA_LIST(X)};
#undef X

tsr_status tsr_norm_inf(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims, tsr_tensor *out) {
  tsr__reduce      r;
  const tsr_status st = tsr__reduce_begin_real(ctx, "norm_inf", x, naxes, axes, keepdims, &r);
  if (st != TSR_OK) return st;
  r.pass[0].kernel = tables[tsr__isa_of(ctx)][r.compute];
  return tsr__reduce_run(ctx, &r, out);
}
