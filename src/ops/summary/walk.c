#include "ops/summary/walk.h"

#include "core/check.h"
#include "cpu/isa.h"
#include "ops/cast/convert.h"

/* Whether axis and the one before it are one axis in every operand. */
static bool is_mergeable(const tsr__walk *w, int n, tsr_index length, const tsr_tensor *const *tensors, int axis) {
  for (int i = 0; i < n; i++)
    if (w->of[i].step[w->ndim - 1] != (ptrdiff_t)length * tensors[i]->stride[axis] * w->of[i].item) return false;
  return true;
}

void tsr__walk_init(tsr__walk *w, const tsr_ctx *ctx, int n, const tsr_tensor *const *tensors) {
  const tsr_tensor *const t = tensors[0];
  *w = (tsr__walk){.isa = tsr__isa_of(ctx), .size = tsr_size(t)};
  for (int i = 0; i < n; i++) {
    w->of[i].data = tensors[i]->data;
    w->of[i].dtype = tensors[i]->dtype;
    w->of[i].item = tsr__item(tensors[i]);
  }
  for (int axis = 0; axis < t->ndim && w->size > 0; axis++) {
    const tsr_index length = t->shape[axis];
    if (length == 1) continue;
    const bool merged = w->ndim > 0 && is_mergeable(w, n, length, tensors, axis);
    if (!merged) w->ndim++;
    const int at = w->ndim - 1;
    w->length[at] = merged ? w->length[at] * length : length;
    for (int i = 0; i < n; i++) w->of[i].step[at] = (ptrdiff_t)tensors[i]->stride[axis] * w->of[i].item;
  }
  if (w->ndim > 0) return;
  w->ndim = 1;
  w->length[0] = w->size;
  for (int i = 0; i < n; i++) w->of[i].step[0] = w->of[i].item;
}

/* Where element r of an operand lies, the step to the next one, and how many follow at that step, itself included. */
static const char *element_at(const tsr__walk *w, int operand, tsr_index r, ptrdiff_t *step, tsr_index *run) {
  const int last = w->ndim - 1;
  const tsr_index length = w->length[last];
  const char *at = w->of[operand].data;
  *step = w->of[operand].step[last];
  *run = length - r % length;
  for (int axis = last; axis > 0; axis--) {
    at += w->of[operand].step[axis] * (ptrdiff_t)(r % w->length[axis]);
    r /= w->length[axis];
  }
  return at + w->of[operand].step[0] * (ptrdiff_t)r;
}

const void *tsr__walk_direct(const tsr__walk *w, int operand, int dtype, tsr_index r, tsr_index n) {
  ptrdiff_t step;
  tsr_index run;
  const char *const at = element_at(w, operand, r, &step, &run);
  return w->of[operand].dtype == dtype && step == w->of[operand].item && run >= n ? at : NULL;
}

const void *tsr__walk_read(const tsr__walk *w, int operand, int dtype, tsr_index r, tsr_index n, void *room) {
  const ptrdiff_t item = tsr__item_sizes[dtype & 31];
  tsr_index run;
  for (tsr_index done = 0; done < n; done += run) {
    ptrdiff_t step;
    const char *const at = element_at(w, operand, r + done, &step, &run);
    if (run > n - done) run = n - done;
    tsr__convert_row(w->isa, w->of[operand].dtype, dtype, run, at, step, (char *)room + (ptrdiff_t)done * item, item);
  }
  return room;
}
