#include "core/operand.h"
#include "nn/norm/norm.h"

#include <tessera/norm.h>

#define X(isa) tsr__instance_norm_##isa,
static tsr__norm_runs *const *const tables[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X

tsr_status tsr_instance_norm(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale, const tsr_tensor *bias,
                             tsr_real eps, tsr_tensor *out) {
  TSR__OPERANDS(x, scale, bias, out);
  const tsr__group_norm g = {"instance_norm", x, scale, bias, 0, eps, tables[tsr__isa_of(ctx)]};
  return tsr__group_norm_run(ctx, &g, out);
}

tsr_status tsr_instance_norm_workspace_size(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale,
                                            const tsr_tensor *bias, tsr_real eps, size_t *bytes) {
  TSR__OPERANDS(x, scale, bias);
  const tsr__group_norm g = {"instance_norm_workspace_size", x, scale, bias, 0, eps, NULL};
  return tsr__group_norm_workspace(ctx, &g, bytes);
}
