/* Complex tensors as two of real numbers. */
#ifndef TSR_OPS_PARTS_H
#define TSR_OPS_PARTS_H

#include "core/view.h"

static inline bool tsr__is_complex(int dtype) { return dtype == TSR_C64 || dtype == TSR_C128; }

/* The dtype of a complex one's parts; any other itself. */
static inline int tsr__part_dtype(int dtype) {
  return dtype == TSR_C64 ? TSR_F32 : dtype == TSR_C128 ? TSR_F64 : dtype;
}

/* The real (0) or imaginary (1) part of a checked complex tensor; of any other, itself: a view without a count. */
static inline tsr_tensor tsr__part_of(const tsr_tensor *t, int part) {
  tsr_tensor view = *t;
  view.dtype = (uint8_t)tsr__part_dtype(t->dtype);
  view.flags = 0;
  for (int i = 0; i < t->ndim && tsr__is_complex(t->dtype); i++)
    view.stride[i] = t->shape[i] > 1 ? 2 * t->stride[i] : 0;
  tsr__view_move(&view, part, 1);
  return view;
}

#endif
