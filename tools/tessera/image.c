#include "image.h"

#include <math.h>

#include "colormap.h"
#include "numbers.h"

bool image_is(tsr_ctx *ctx, const tsr_tensor *t, double *white) {
  tsr_summary all;
  if (t->ndim != 3 || (t->shape[2] != 3 && t->shape[2] != 4) || tsr_size(t) == 0) return false;
  *white = t->dtype == TSR_U8 ? 255 : t->dtype == TSR_U16 ? 65535 : 1;
  if (t->dtype == TSR_U8 || t->dtype == TSR_U16) return true;
  if (tsr_dtype_describe(t->dtype)->class_ != TSR_CLASS_FLOAT || tsr_summarize(ctx, t, &all) != TSR_OK) return false;
  return all.min >= 0 && all.max <= 1;
}

tsr_status image_planes(tsr_ctx *ctx, const tsr_tensor *t, int width, int height, double *pixels) {
  tsr_status st = TSR_OK;
  for (int i = 0; i < 3 && st == TSR_OK; i++) {
    tsr_tensor plane = {0};
    st = tsr_select(ctx, t, 2, i, &plane);
    if (st == TSR_OK)
      st = numbers_pixels(ctx, &plane, width, height, pixels + (size_t)i * (size_t)width * (size_t)height);
  }
  return st;
}

uint32_t image_color(const double share[3]) {
  uint32_t color = 0;
  for (int i = 0; i < 3; i++) {
    if (isnan(share[i])) return COLOR_NAN;
    color = color << 8 | (uint32_t)lround(255 * fmin(fmax(share[i], 0), 1));
  }
  return color;
}

tsr_status image_from_floats(tsr_ctx *ctx, const tsr_tensor *t, tsr_tensor *out) {
  tsr_summary all;
  tsr_tensor scaled = {0};
  if (tsr_dtype_describe(t->dtype)->class_ != TSR_CLASS_FLOAT || tsr_size(t) == 0) return TSR_OK;
  tsr_status st = tsr_summarize(ctx, t, &all);
  if (st != TSR_OK || all.nans + all.infs > 0 || all.min < 0 || all.max > 1) return st;
  st = tsr_cast(ctx, t, TSR_F32, &scaled); /* 255 times a small float is rounded once */
  if (st == TSR_OK) st = tsr_mul_scalar(ctx, &scaled, 255, &scaled);
  if (st == TSR_OK) st = tsr_round(ctx, &scaled, &scaled);
  if (st == TSR_OK) st = tsr_cast(ctx, &scaled, TSR_U8, out);
  tsr_release(&scaled);
  return st;
}
