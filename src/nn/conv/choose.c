/* Which kernel: by the shape alone. */
#include "nn/conv/conv.h"

/* Winograd pays when there are enough channels on both sides to fill the vectors, and tiles for the filters to meet. */
enum { WINOGRAD_CHANNELS = 16, WINOGRAD_PIXELS = 12 };

tsr_status tsr__conv_choose(tsr_ctx *ctx, int algorithm, tsr__conv *c) {
  c->kernel = TSR__CONV_LOOPS;
  const bool fast = TSR__CONV_FAST && c->compute == TSR_F32, winograd = fast && tsr__conv_winograd_fits(c);
  if (algorithm == TSR_CONV_WINOGRAD && !winograd) {
    const tsr_index sizes[4] = {c->kh, c->kw, c->sh, c->sw};
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, c->op, "algorithm",
                     "winograd is for 3x3 filters with stride 1, dilation 1 and one group in small floats and f32; "
                     "filter and stride are %S, x is %y",
                     4, sizes, c->dtype);
  }
  if (!fast || algorithm == TSR_CONV_DIRECT) return TSR_OK;
  const bool pays = c->c >= WINOGRAD_CHANNELS && c->o >= WINOGRAD_CHANNELS && c->oh >= 3 && c->ow >= 3 &&
                    c->oh * c->ow >= WINOGRAD_PIXELS;
  if (algorithm == TSR_CONV_WINOGRAD || (algorithm == TSR_CONV_AUTO && winograd && pays))
    c->kernel = TSR__CONV_WINOGRAD;
  else if (c->i == 1 && c->groups > 1)
    c->kernel = TSR__CONV_DEPTHWISE;
  else
    c->kernel = c->last ? TSR__CONV_IGEMM_NHWC : TSR__CONV_IGEMM_NCHW;
  return TSR_OK;
}
