#include "ops/reduce/reduce.h"

#include <tessera/reduce.h>

#define X(isa) tsr__all_##isa,
static tsr__reduce_tables tables = {TSR_ISA_LIST(X)};
#undef X

tsr_status tsr_all(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims, tsr_tensor *out) {
  tsr__reduce      r;
  const tsr_status st = tsr__reduce_begin(ctx, "all", x, naxes, axes, keepdims, &r);
  if (st != TSR_OK) return st;
  r.compute = TSR_BOOL;
  r.pass[0].kernel = tables[tsr__isa_of(ctx)][TSR_U8];
  r.out_dtype = TSR_BOOL;
  return tsr__reduce_run(ctx, &r, out);
}
