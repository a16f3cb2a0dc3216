#include "core/operand.h"
#include "nn/softmax/softmax.h"

#include <tessera/softmax.h>

#define X(isa) tsr__softmax_##isa,
static const tsr__softmax_kernel *const tables[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X

tsr_status tsr_softmax(tsr_ctx *ctx, const tsr_tensor *x, int axis, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return tsr__softmax_run(ctx, "softmax", x, axis, tables[tsr__isa_of(ctx)], out);
}

tsr_status tsr_softmax_workspace_size(tsr_ctx *ctx, const tsr_tensor *x, int axis, size_t *bytes) {
  TSR__OPERANDS(x);
  return tsr__softmax_workspace(ctx, "softmax_workspace_size", x, axis, bytes);
}
