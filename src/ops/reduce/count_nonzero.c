#include "ops/reduce/reduce.h"

#include <tessera/reduce.h>

#define X(isa) tsr__count_##isa,
static tsr__reduce_tables tables = {TSR_ISA_LIST(X)};
#undef X

tsr_status tsr_count_nonzero(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims,
                             tsr_tensor *out) {
  tsr__reduce      r;
  const tsr_status st = tsr__reduce_begin(ctx, "count_nonzero", x, naxes, axes, keepdims, &r);
  if (st != TSR_OK) return st;
  r.compute = TSR_BOOL;
  r.pass[0].kernel = tables[tsr__isa_of(ctx)][TSR_U8];
  r.out_dtype = TSR_I64;
  return tsr__reduce_run(ctx, &r, out);
}
