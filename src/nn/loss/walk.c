#include "nn/loss/loss.h"

void tsr__loss_walk_init(tsr__loss_walk *walk, int ndim, const tsr_index *shape) {
  *walk = (tsr__loss_walk){.ndim = ndim, .left = 1};
  for (int i = 0; i < ndim; i++) walk->left *= shape[i];
  for (int i = 0; i < ndim; i++) walk->shape[i] = shape[i];
}

int tsr__loss_walk_add(tsr__loss_walk *walk, const tsr_tensor *t, int skip) {
  const int number = walk->operands++;
  walk->data[number] = t->data;
  for (int i = 0, axis = 0; i < walk->ndim && walk->left > 0; i++, axis++) {
    if (axis == skip) axis++;
    /* An axis of length 1 may have any stride. */
    walk->step[number][i] = walk->shape[i] > 1 ? (ptrdiff_t)t->stride[axis] * tsr__item(t) : 0;
  }
  return number;
}

void tsr__loss_walk_next(tsr__loss_walk *walk) {
  walk->left--;
  for (int i = walk->ndim - 1; i >= 0; i--) {
    const bool more = ++walk->index[i] < walk->shape[i];
    const ptrdiff_t times = more ? 1 : 1 - (ptrdiff_t)walk->shape[i];
    for (int k = 0; k < walk->operands; k++) walk->at[k] += walk->step[k][i] * times;
    if (more) return;
    walk->index[i] = 0;
  }
}

void tsr__loss_add(tsr__loss_sum *sum, tsr_real value) {
  const tsr_real next = sum->sum + value, part = next - sum->sum;
  sum->rest += (sum->sum - (next - part)) + (value - part); /* what rounding lost */
  sum->sum = next;
  sum->count++;
}

tsr_real tsr__loss_total(const tsr__loss_sum *sum, tsr_reduction reduction) {
  const bool finite = sum->sum - sum->sum == 0; /* else the rest is NaN */
  const tsr_real total = finite ? sum->sum + sum->rest : sum->sum;
  return reduction == TSR_REDUCE_MEAN ? total / (tsr_real)sum->count : total;
}
