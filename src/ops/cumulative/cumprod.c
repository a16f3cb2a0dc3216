#include "core/operand.h"
#include "ops/cumulative/cumulative.h"

#include <tessera/cumulative.h>

#define X(isa) tsr__cumprod_##isa,
static tsr__cumulative_tables tables = {TSR_ISA_LIST(X)};
#undef X

tsr_status tsr_cumprod(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return tsr__cumulative_run(ctx, "cumprod", x, axis, tables, true, out);
}
