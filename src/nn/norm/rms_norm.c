#include "nn/norm/layer.h"
#include "nn/norm/ops.h"

static const tsr__norm_layer *const tables[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__rms_norm);

static tsr_status rms_norm(tsr__call *call) {
  const tsr__rms_norm_attrs *const attrs = call->attrs;
  const tsr__layer_norm l = {call->in[0], call->in[1], NULL, attrs->axis, attrs->eps};
  return tsr__layer_norm_call(call, &l, tables[tsr__isa_of(call->ctx)]);
}

TSR__OP(rms_norm, rms_norm, 0)
tsr_status tsr_rms_norm(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale, int axis, tsr_real eps,
                        tsr_tensor *out) {
  return TSR__CALL(rms_norm, ctx, TSR__INPUTS(x, scale), TSR__OUTPUTS(out), .axis = axis, .eps = eps);
}
