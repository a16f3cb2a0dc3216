#include "core/operand.h"
#include "nn/pool/global.h"
#include "ops/reduce/real.h"

#include <tessera/pool.h>

#define X(isa) tsr__total_##isa,
static tsr__reduce_tables totals = {TSR_ISA_LIST(X)};
#undef X

tsr_status tsr_global_avg_pool(tsr_ctx *ctx, const tsr_tensor *x, bool keepdims, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  static const char op[] = "global_avg_pool";
  int               naxes, axes[TSR_MAX_DIMS];
  tsr__reduce       r;
  tsr_status        st = tsr__global_axes(ctx, op, x, &naxes, axes);
  if (st == TSR_OK) st = tsr__reduce_begin_real(ctx, op, x, naxes, axes, keepdims, &r);
  if (st != TSR_OK) return st;
  r.pass[0] = (tsr__reduce_pass){totals[tsr__isa_of(ctx)][r.compute], tsr__reduce_finish_mean};
  return tsr__reduce_run(ctx, &r, out);
}
