#include "core/operand.h"
#include "nn/pool/global.h"
#include "ops/reduce/reduce.h"

#include <tessera/pool.h>

#define X(isa) tsr__max_##isa,
static tsr__reduce_tables tables = {TSR_ISA_LIST(X)};
#undef X

tsr_status tsr_global_max_pool(tsr_ctx *ctx, const tsr_tensor *x, bool keepdims, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  static const char op[] = "global_max_pool";
  int               naxes, axes[TSR_MAX_DIMS];
  tsr__reduce       r;
  tsr_status        st = tsr__global_axes(ctx, op, x, &naxes, axes);
  if (st == TSR_OK) st = tsr__reduce_begin(ctx, op, x, naxes, axes, keepdims, &r);
  if (st == TSR_OK) st = tsr__reduce_check_some(ctx, &r);
  if (st != TSR_OK) return st;
  r.compute = tsr__reduce_compute(x->dtype);
  r.out_dtype = x->dtype;
  r.pass[0] = (tsr__reduce_pass){tables[tsr__isa_of(ctx)][r.compute], NULL};
  return tsr__reduce_run(ctx, &r, out);
}
