/* The public functions of convolutions. */
#include "nn/conv/conv.h"
#include "nn/conv/ops.h"

static inline tsr_status conv_of_rank(tsr__call *call, int rank, const tsr_conv_options *options) {
  tsr__conv c = {.op = call->op, .rank = rank};
  tsr_status st = tsr__conv_resolve(call->ctx, call->in[0], call->in[1], call->in[2], options, &c);
  if (st == TSR_OK) st = tsr__conv_choose(call->ctx, options, &c);
  return st == TSR_OK ? tsr__conv_call(call, &c) : st;
}

static tsr_status conv2d(tsr__call *call) {
  const tsr__conv2d_attrs *const given = call->attrs;
  return conv_of_rank(call, 4, given->options);
}

TSR__OP(conv2d, conv2d, TSR__OP_PREPARES)
tsr_status tsr_conv2d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                      const tsr_conv_options *options, tsr_tensor *out) {
  return TSR__CALL(conv2d, ctx, TSR__INPUTS(x, w, bias), TSR__OUTPUTS(out), .options = options);
}

static tsr_status conv1d(tsr__call *call) {
  const tsr__conv1d_attrs *const given = call->attrs;
  return conv_of_rank(call, 3, given->options);
}

TSR__OP(conv1d, conv1d, TSR__OP_PREPARES)
tsr_status tsr_conv1d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                      const tsr_conv_options *options, tsr_tensor *out) {
  return TSR__CALL(conv1d, ctx, TSR__INPUTS(x, w, bias), TSR__OUTPUTS(out), .options = options);
}
