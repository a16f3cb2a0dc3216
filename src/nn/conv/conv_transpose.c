/* The public functions of transposed convolutions. */
#include "nn/conv/direct.h"
#include "core/table.h"
#include "nn/conv/ops.h"

static tsr_status conv_transpose(tsr__call *call, int spatial, const tsr_conv_transpose_options *options) {
  static const tsr_conv_transpose_options none = {.groups = 0};
  const tsr_conv_transpose_options *const a = options != NULL ? options : &none;
  const tsr_status room = tsr__check_reserved(call->ctx, call->op, TSR__ROOM(a));
  if (room != TSR_OK) return room;
  const tsr__conv_direct_attrs numbers = {a->stride,         a->dilation, a->pad_before, a->pad_after,
                                          a->output_padding, 2,           a->groups};
  return tsr__conv_direct_run(call, spatial, true, &numbers);
}

static tsr_status conv_transpose2d(tsr__call *call) {
  const tsr__conv_transpose2d_attrs *const given = call->attrs;
  return conv_transpose(call, 2, given->options);
}

TSR__OP(conv_transpose2d, conv_transpose2d, 0)
tsr_status tsr_conv_transpose2d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                                const tsr_conv_transpose_options *options, tsr_tensor *out) {
  return TSR__CALL(conv_transpose2d, ctx, TSR__INPUTS(x, w, bias), TSR__OUTPUTS(out), .options = options);
}

static tsr_status conv_transpose1d(tsr__call *call) {
  const tsr__conv_transpose1d_attrs *const given = call->attrs;
  return conv_transpose(call, 1, given->options);
}

TSR__OP(conv_transpose1d, conv_transpose1d, 0)
tsr_status tsr_conv_transpose1d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                                const tsr_conv_transpose_options *options, tsr_tensor *out) {
  return TSR__CALL(conv_transpose1d, ctx, TSR__INPUTS(x, w, bias), TSR__OUTPUTS(out), .options = options);
}
