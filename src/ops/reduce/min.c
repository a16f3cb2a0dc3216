#include "ops/reduce/reduce.h"

#include <tessera/reduce.h>

#define X(isa) tsr__min_##isa,
static tsr__reduce_tables tables = {TSR_ISA_LIST(X)};
#undef X

tsr_status tsr_min(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims, tsr_tensor *out) {
  tsr__reduce r;
  tsr_status  st = tsr__reduce_begin(ctx, "min", x, naxes, axes, keepdims, &r);
  if (st == TSR_OK) st = tsr__reduce_check_real(ctx, &r);
  if (st == TSR_OK) st = tsr__reduce_check_some(ctx, &r);
  if (st != TSR_OK) return st;
  r.compute = tsr__reduce_compute(x->dtype);
  r.pass[0].kernel = tables[tsr__isa_of(ctx)][r.compute];
  r.out_dtype = x->dtype;
  return tsr__reduce_run(ctx, &r, out);
}
