/* Weights as they were given. */
#include "nn/quant/run.h"

#include <tessera/layout.h>

tsr_status tsr__q_filters_init(tsr_ctx *ctx, const char *op, const tsr_tensor *w, const tsr_conv_options *options,
                               tsr__q_filters *f) {
  static const int8_t orders[3][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {3, 2, 0, 1}};
  f->groups = options->groups == 0 ? 1 : options->groups;
  f->kh = f->kw = 1;
  f->stride[2] = f->stride[3] = 0;
  f->depthwise = false;
  f->contiguous_rows = f->groups == 1 && options->dilation[1] <= 1;
  if (w->ndim == 2) {
    f->o = w->shape[0];
    f->i = w->shape[1];
    f->stride[0] = w->stride[0];
    f->stride[1] = w->stride[1];
    return TSR_OK;
  }
  if (w->ndim != 4) return TSR__FAIL(ctx, TSR_ESHAPE, op, "w", "is %t, which is no set of filters", w);
  const int order = w->layout == TSR_OHWI ? 1 : w->layout == TSR_HWIO ? 2 : 0;
  if (order == 0 && w->layout != TSR_PLAIN && w->layout != TSR_OIHW)
    return TSR__FAIL(ctx, TSR_ELAYOUT, op, "w", "is %t with layout %s: only OIHW, OHWI and HWIO", w,
                     tsr_layout_name(w->layout));
  tsr_index *const lengths[4] = {&f->o, &f->i, &f->kh, &f->kw};
  for (int k = 0; k < 4; k++) {
    *lengths[k] = w->shape[orders[order][k]];
    f->stride[k] = w->stride[orders[order][k]];
  }
  f->depthwise = f->i == 1 && f->groups > 1;
  if (f->groups < 0 || (f->groups > 1 && f->o % f->groups != 0))
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "groups", "%l: the %l filters of w do not divide evenly", (int64_t)f->groups,
                     (int64_t)f->o);
  return TSR_OK;
}

static bool is_stride(tsr_index length, tsr_index stride, tsr_index want) { return length <= 1 || stride == want; }

bool tsr__q_filters_are_plain(const tsr__q_filters *f, int dtype) {
  if (dtype != TSR_I8) return false;
  if (f->depthwise)
    return is_stride(f->o, f->stride[0], 1) && is_stride(f->kw, f->stride[3], f->o) &&
           is_stride(f->kh, f->stride[2], f->o * f->kw);
  return is_stride(f->i, f->stride[1], 1) && is_stride(f->kw, f->stride[3], f->i) &&
         is_stride(f->kh, f->stride[2], f->i * f->kw) && is_stride(f->o, f->stride[0], f->i * f->kw * f->kh);
}
