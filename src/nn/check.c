#include "nn/check.h"

#include "core/layout.h"

tsr_status tsr__nn_check_float(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t) {
  if (tsr_dtype_describe(t->dtype)->class_ == TSR_CLASS_FLOAT && tsr_dtype_supported(t->dtype)) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EDTYPE, op, arg, "is %t; %s takes floats", t, op);
}

tsr_status tsr__nn_channel_axis(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int *axis) {
  const int layout = x->layout;
  *axis = layout == TSR_PLAIN ? 1 : tsr_layout_axis(layout, 'C');
  if (*axis < 0 || tsr__layout_block(layout) > 0)
    return TSR__FAIL(ctx, TSR_ELAYOUT, op, "x", "is %t with the layout %s, which has no channel axis of its own", x,
                     tsr_layout_name(layout));
  if (x->ndim >= 2 && *axis < x->ndim) return TSR_OK;
  return TSR__FAIL(ctx, TSR_ESHAPE, op, "x", "is %t, which has no axis of channels", x);
}
