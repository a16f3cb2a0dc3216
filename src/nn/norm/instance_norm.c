#include "nn/norm/norm.h"
#include "nn/norm/ops.h"

static tsr__norm_runs *const *const tables[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__instance_norm);

static tsr_status instance_norm(tsr__call *call) {
  const tsr__instance_norm_attrs *const attrs = call->attrs;
  const tsr__group_norm g = {call->in[0], call->in[1], call->in[2], 0, attrs->eps, tables[tsr__isa_of(call->ctx)]};
  return tsr__group_norm_call(call, &g);
}

TSR__OP(instance_norm, instance_norm, 0)
tsr_status tsr_instance_norm(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale, const tsr_tensor *bias,
                             tsr_real eps, tsr_tensor *out) {
  return TSR__CALL(instance_norm, ctx, TSR__INPUTS(x, scale, bias), TSR__OUTPUTS(out), .eps = eps);
}
