#include "ops/reduce/real.h"

#include <tessera/reduce.h>

#define X(isa) tsr__sum_square_##isa,
static tsr__reduce_tables tables = {TSR_ISA_LIST(X)};
#undef X

static void finish(const tsr__reduce *r, tsr_index n, void *values, const void *param) {
  tsr__reduce_real *const v = values;
  (void)r;
  (void)param;
  for (tsr_index i = 0; i < n; i++) v[i] = tsr__reduce_root(v[i] + (tsr__reduce_real)0);
}

tsr_status tsr_norm2(tsr_ctx *ctx, const tsr_tensor *x, int naxes, const int *axes, bool keepdims, tsr_tensor *out) {
  tsr__reduce      r;
  const tsr_status st = tsr__reduce_begin_real(ctx, "norm2", x, naxes, axes, keepdims, &r);
  if (st != TSR_OK) return st;
  r.pass[0] = (tsr__reduce_pass){tables[tsr__isa_of(ctx)][r.compute], finish};
  return tsr__reduce_run(ctx, &r, out);
}
