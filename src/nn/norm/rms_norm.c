#include "core/operand.h"
#include "nn/norm/layer.h"

#include <tessera/norm.h>

#define X(isa) tsr__rms_norm_##isa,
static tsr__norm_row *const *const tables[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X

tsr_status tsr_rms_norm(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale, int axis, tsr_real eps,
                        tsr_tensor *out) {
  TSR__OPERANDS(x, scale, out);
  const tsr__layer_norm l = {"rms_norm", x, scale, NULL, axis, eps};
  return tsr__layer_norm_run(ctx, &l, tables[tsr__isa_of(ctx)], out);
}

tsr_status tsr_rms_norm_workspace_size(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale, int axis,
                                       tsr_real eps, size_t *bytes) {
  TSR__OPERANDS(x, scale);
  const tsr__layer_norm l = {"rms_norm_workspace_size", x, scale, NULL, axis, eps};
  return tsr__layer_norm_workspace(ctx, &l, bytes);
}
