#include "core/operand.h"
#include "nn/conv/taps.h"

#include <tessera/conv3d.h>

tsr_status tsr_conv3d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                      const tsr_conv3d_attrs *attrs, tsr_tensor *out) {
  TSR__OPERANDS(x, w, bias, out);
  static const tsr_conv3d_attrs none = {.groups = 0};
  const tsr_conv3d_attrs *const a = attrs != NULL ? attrs : &none;
  const tsr__taps_attrs         numbers = {a->stride, a->dilation, a->pad_before, a->pad_after, NULL, 3, a->groups};
  tsr__taps                     t = {.op = "conv3d", .x = x, .w = w, .bias = bias};
  const tsr_status              st = tsr__taps_begin(ctx, &t, 3, &numbers);
  return st == TSR_OK ? tsr__taps_run(ctx, &t, out) : st;
}
