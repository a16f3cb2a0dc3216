#include "nn/norm/layer.h"
#include "nn/norm/ops.h"

static const tsr__norm_layer *const tables[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__layer_norm);

static tsr_status layer_norm(tsr__call *call) {
  const tsr__layer_norm_attrs *const attrs = call->attrs;
  const tsr__layer_norm l = {call->in[0], call->in[1], call->in[2], attrs->axis, attrs->eps};
  return tsr__layer_norm_call(call, &l, tables[tsr__isa_of(call->ctx)]);
}

TSR__OP(layer_norm, layer_norm, 0)
tsr_status tsr_layer_norm(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale, const tsr_tensor *bias, int axis,
                          tsr_real eps, tsr_tensor *out) {
  return TSR__CALL(layer_norm, ctx, TSR__INPUTS(x, scale, bias), TSR__OUTPUTS(out), .axis = axis, .eps = eps);
}
