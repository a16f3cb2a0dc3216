#include "core/operand.h"
#include "ops/cumulative/cumulative.h"

#include <tessera/cumulative.h>

#define X(isa) tsr__cummin_##isa,
static tsr__cumulative_tables tables = {TSR_ISA_LIST(X)};
#undef X

tsr_status tsr_cummin(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return tsr__cumulative_run(ctx, "cummin", x, axis, tables, false, out);
}
