/* The public functions of transposed convolutions. */
#include "core/operand.h"
#include "nn/conv/taps.h"

#include <tessera/conv_transpose.h>

static tsr_status run(tsr_ctx *ctx, tsr__taps *t, int spatial, const tsr_conv_transpose_attrs *attrs, tsr_tensor *out) {
  static const tsr_conv_transpose_attrs none = {.groups = 0};
  const tsr_conv_transpose_attrs *const a = attrs != NULL ? attrs : &none;
  const tsr__taps_attrs numbers = {a->stride,    a->dilation, a->pad_before, a->pad_after, a->output_padding, 2,
                                   a->groups};
  const tsr_status      st = tsr__taps_begin(ctx, t, spatial, &numbers);
  return st == TSR_OK ? tsr__taps_run(ctx, t, out) : st;
}

tsr_status tsr_conv_transpose2d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                                const tsr_conv_transpose_attrs *attrs, tsr_tensor *out) {
  TSR__OPERANDS(x, w, bias, out);
  tsr__taps t = {.op = "conv_transpose2d", .transposed = true, .x = x, .w = w, .bias = bias};
  return run(ctx, &t, 2, attrs, out);
}

tsr_status tsr_conv_transpose1d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                                const tsr_conv_transpose_attrs *attrs, tsr_tensor *out) {
  TSR__OPERANDS(x, w, bias, out);
  tsr__taps t = {.op = "conv_transpose1d", .transposed = true, .x = x, .w = w, .bias = bias};
  return run(ctx, &t, 1, attrs, out);
}
