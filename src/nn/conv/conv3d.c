#include "nn/conv/direct.h"
#include "nn/conv/ops.h"

static tsr_status conv3d(tsr__call *call) {
  static const tsr_conv3d_attrs none = {.groups = 0};
  const tsr__conv3d_attrs *const given = call->attrs;
  const tsr_conv3d_attrs *const a = given->attrs != NULL ? given->attrs : &none;
  const tsr__conv_direct_attrs numbers = {a->stride, a->dilation, a->pad_before, a->pad_after, NULL, 3, a->groups};
  return tsr__conv_direct_run(call, 3, false, &numbers);
}

TSR__OP(conv3d, conv3d, 0)
tsr_status tsr_conv3d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                      const tsr_conv3d_attrs *attrs, tsr_tensor *out) {
  return TSR__CALL(conv3d, ctx, TSR__INPUTS(x, w, bias), TSR__OUTPUTS(out), .attrs = attrs);
}
