/* Walking every element of a tensor, in any order. */
#include "core/check.h"
#include "core/normalise.h"
#include "core/order.h"

#include <string.h>
#include <tessera/elements.h>

tsr_status tsr_iter_init(tsr_ctx *ctx, const tsr_tensor *t, tsr_order order, tsr_iter *it) {
  TSR__NORMALISE_ALL(t);
  static const char op[] = "iter_init";
  int axes[TSR_MAX_DIMS];
  if (it == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "it", "is NULL");
  memset(it, 0, sizeof *it);
  tsr_status st = tsr__check_input(ctx, op, "t", t);
  if (st == TSR_OK) st = tsr__check_order(ctx, op, order);
  if (st != TSR_OK) return st;
  const tsr_tensor ordered = tsr__in_order(t, order, axes);
  it->data = ordered.data;
  it->left = tsr_size(t);
  it->ndim = t->ndim;
  for (int i = 0; i < t->ndim; i++) { /* the fastest axis first */
    const int axis = axes[t->ndim - 1 - i];
    it->axes[i] = (uint8_t)axis;
    it->shape[i] = t->shape[axis];
    if (t->shape[axis] > 1) it->step[i] = (ptrdiff_t)t->stride[axis] * (ptrdiff_t)tsr_dtype_size(t->dtype);
    if (order == TSR_MEMORY && t->stride[axis] < 0 && t->shape[axis] > 1) it->index[axis] = t->shape[axis] - 1;
  }
  it->upwards = order == TSR_MEMORY;
  return TSR_OK;
}

/* One step along axis number i; false when that leaves it, and the axis is back at its start. An axis that runs backwards in
 * memory counts down when memory is walked upwards. */
static bool step_axis(tsr_iter *it, int i) {
  tsr_index *const index = &it->index[it->axes[i]];
  const bool down = it->upwards && it->step[i] < 0;
  const ptrdiff_t step = down ? -it->step[i] : it->step[i];
  if (down ? *index > 0 : *index < it->shape[i] - 1) {
    *index += down ? -1 : 1;
    it->data = (char *)it->data + step;
    return true;
  }
  *index = down ? it->shape[i] - 1 : 0;
  it->data = (char *)it->data - step * (ptrdiff_t)(it->shape[i] - 1);
  return false;
}

bool tsr_iter_next(tsr_iter *it) {
  if (it->left == 0) return false;
  it->left--;
  if (!it->started) {
    it->started = true;
    return true;
  }
  for (int i = 0; i < it->ndim; i++)
    if (step_axis(it, i)) break;
  return true;
}
