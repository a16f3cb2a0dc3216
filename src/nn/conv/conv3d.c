#include "nn/conv/direct.h"
#include "core/table.h"
#include "nn/conv/ops.h"

static tsr_status conv3d(tsr__call *call) {
  static const tsr_conv3d_options none = {.groups = 0};
  const tsr__conv3d_attrs *const given = call->attrs;
  const tsr_conv3d_options *const a = given->options != NULL ? given->options : &none;
  const tsr_status room = tsr__check_reserved(call->ctx, call->op, TSR__ROOM(a));
  if (room != TSR_OK) return room;
  const tsr__conv_direct_attrs numbers = {a->stride, a->dilation, a->pad_before, a->pad_after, NULL, 3, a->groups};
  return tsr__conv_direct_run(call, 3, false, &numbers);
}

TSR__OP(conv3d, conv3d, 0)
tsr_status tsr_conv3d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                      const tsr_conv3d_options *options, tsr_tensor *out) {
  return TSR__CALL(conv3d, ctx, TSR__INPUTS(x, w, bias), TSR__OUTPUTS(out), .options = options);
}
