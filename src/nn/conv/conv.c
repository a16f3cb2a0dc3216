/* The public functions of convolutions. */
#include "core/operand.h"
#include "nn/conv/call.h"

static tsr_status run(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                      const tsr_conv_attrs *attrs, tsr_tensor *out) {
  tsr__conv_request r = {.x = x, .w = w, .bias = bias, .out = out};
  tsr_status st = tsr__check_input(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__check_input(ctx, op, "w", w);
  if (st == TSR_OK && bias != NULL) st = tsr__check_input(ctx, op, "bias", bias);
  if (st == TSR_OK) st = tsr__conv_resolve(ctx, op, x, w, bias, attrs, &r.c);
  return st == TSR_OK ? tsr__conv_finish(ctx, &r) : st;
}

tsr_status tsr_conv2d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                      const tsr_conv_attrs *attrs, tsr_tensor *out) {
  TSR__OPERANDS(x, w, bias, out);
  return run(ctx, "conv2d", x, w, bias, attrs, out);
}

tsr_status tsr_conv1d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                      const tsr_conv_attrs *attrs, tsr_tensor *out) {
  TSR__OPERANDS(x, w, bias, out);
  return run(ctx, "conv1d", x, w, bias, attrs, out);
}

tsr_status tsr_conv_workspace_size(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                                   const tsr_conv_attrs *attrs, size_t *bytes) {
  TSR__OPERANDS(x, w, bias);
  static const char op[] = "conv_workspace_size";
  tsr__conv_request r = {.x = x, .w = w, .bias = bias};
  if (bytes == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bytes", "is NULL");
  tsr_status st = tsr__conv_check_shape_only(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__conv_check_shape_only(ctx, op, "w", w);
  if (st == TSR_OK && bias != NULL) st = tsr__conv_check_shape_only(ctx, op, "bias", bias);
  if (st == TSR_OK) st = tsr__conv_resolve(ctx, op, x, w, bias, attrs, &r.c);
  return st == TSR_OK ? tsr__conv_workspace(ctx, &r, bytes) : st;
}
