#include "core/normalise.h"

/* Where tensors without elements have their data: nothing is read or written there. */
static _Alignas(TSR_DATA_ALIGN) char nowhere[TSR_DATA_ALIGN];

void tsr__normalise(tsr_tensor *t) {
  const bool none = tsr__has_no_elements(t);
  for (int i = 0; i < t->ndim; i++)
    if (tsr__out_of_reach(t->stride[i]) && (none || t->shape[i] <= 1)) t->stride[i] = 0;
}

static tsr_tensor *without_elements(const tsr_tensor *t, tsr_tensor *room) {
  *room = *t;
  room->data = nowhere;
  for (int i = 0; i < t->ndim; i++) room->stride[i] = 0;
  return room;
}

tsr_tensor *tsr__normalised(const tsr_tensor *t, tsr_tensor *room) {
  tsr_tensor *const same = (tsr_tensor *)(uintptr_t)t;
  if (t == NULL || t->dtype == TSR_NONE || t->ndim > TSR_MAX_DIMS || !tsr__needs_normalising(t)) return same;
  if (tsr__has_no_elements(t)) return without_elements(t, room);
  if (t->data == NULL) return same; /* described: an output is normalised when it is allocated */
  *room = *t;
  tsr__normalise(room);
  return room;
}
