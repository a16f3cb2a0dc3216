#include "ops/move/over.h"

tsr_status tsr__over(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t, int ndim,
                     const tsr_index *shape, tsr_tensor *view) {
  const int more = ndim - t->ndim;
  *view = *t;
  view->ndim = (uint8_t)ndim;
  bool fits = more >= 0;
  for (int k = ndim - 1; k >= 0 && fits; k--) {
    const tsr_index own = k >= more ? t->shape[k - more] : 1;
    fits = own == shape[k] || own == 1;
    view->stride[k] = own == shape[k] && k >= more ? t->stride[k - more] : 0;
    view->shape[k] = shape[k];
  }
  return fits ? TSR_OK : TSR__FAIL(ctx, TSR_ESHAPE, op, arg, "is %t, which does not broadcast to %S", t, ndim, shape);
}
