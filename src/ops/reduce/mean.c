#include "ops/reduce/real.h"

#include <tessera/reduce.h>

#define X(isa) tsr__total_##isa,
static tsr__reduce_tables tables = {TSR_ISA_LIST(X)};
#undef X

tsr_status tsr_mean(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims, tsr_tensor *out) {
  tsr__reduce      r;
  const tsr_status st = tsr__reduce_begin_real(ctx, "mean", x, naxes, axes, keepdims, &r);
  if (st != TSR_OK) return st;
  r.pass[0] = (tsr__reduce_pass){tables[tsr__isa_of(ctx)][r.compute], tsr__reduce_finish_mean};
  return tsr__reduce_run(ctx, &r, out);
}
