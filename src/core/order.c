#include "core/order.h"

#include "core/view.h"

tsr_status tsr__check_order(tsr_ctx *ctx, const char *op, tsr_order order) {
  if ((unsigned)order <= TSR_MEMORY) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EARG, op, "order", "%d is not an order", (int)order);
}

tsr_tensor tsr__in_order(const tsr_tensor *t, tsr_order order, int *axes) {
  int own[TSR_MAX_DIMS];
  const int n = t->ndim;
  tsr_tensor view = *t;
  if (axes == NULL) axes = own;
  for (int i = 0; i < n; i++) axes[i] = order == TSR_FORTRAN ? n - 1 - i : i;
  if (order == TSR_COL_MAJOR && n >= 2) {
    axes[n - 2] = n - 1;
    axes[n - 1] = n - 2;
  }
  if (order == TSR_MEMORY) tsr__axes_by_stride(t, axes);
  for (int i = 0; i < n; i++) {
    view.shape[i] = t->shape[axes[i]];
    view.stride[i] = t->stride[axes[i]];
  }
  for (int i = 0; i < n && order == TSR_MEMORY; i++) {
    if (view.stride[i] >= 0 || view.shape[i] < 2) continue;
    tsr__view_move(&view, view.shape[i] - 1, view.stride[i]);
    view.stride[i] = tsr__negated(view.stride[i]);
  }
  view.flags &= (uint8_t)~TSR_OWNS;
  view.layout = TSR_PLAIN;
  view.name = NULL;
  return view;
}
