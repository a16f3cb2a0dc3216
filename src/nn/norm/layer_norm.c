#include "core/operand.h"
#include "nn/norm/layer.h"

#include <tessera/norm.h>

#define X(isa) tsr__layer_norm_##isa,
static tsr__norm_row *const *const tables[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X

tsr_status tsr_layer_norm(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale, const tsr_tensor *bias, int axis,
                          tsr_real eps, tsr_tensor *out) {
  TSR__OPERANDS(x, scale, bias, out);
  const tsr__layer_norm l = {"layer_norm", x, scale, bias, axis, eps};
  return tsr__layer_norm_run(ctx, &l, tables[tsr__isa_of(ctx)], out);
}

tsr_status tsr_layer_norm_workspace_size(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale,
                                         const tsr_tensor *bias, int axis, tsr_real eps, size_t *bytes) {
  TSR__OPERANDS(x, scale, bias);
  const tsr__layer_norm l = {"layer_norm_workspace_size", x, scale, bias, axis, eps};
  return tsr__layer_norm_workspace(ctx, &l, bytes);
}
