/* Tensors normalised, as ops take them in.
 *
 * An axis of length 1 may have any stride, and so may every axis of a tensor without elements, whose data may be NULL: no
 * index ever uses them. Arithmetic would: strides become bytes, axes are merged, views are cut. So every public op passes
 * its tensors through here first, and below it a stride is one that memory can have and data is an address. */
#ifndef TSR_CORE_NORMALISE_H
#define TSR_CORE_NORMALISE_H

#include "core/check.h"

/* The largest stride of an axis of length 1 that is kept, in elements: what is larger names no memory, and what is smaller
 * can be multiplied by an item and by every length that memory has room for. */
#define TSR__STRIDE_REACH (TSR_INDEX_MAX >> (TSR_INDEX_BITS == 64 ? 23 : 8))

static inline bool tsr__out_of_reach(tsr_index stride) {
  return stride > TSR__STRIDE_REACH || stride < -TSR__STRIDE_REACH;
}

/* Whether t has strides, or data, that nothing may be computed with. One that has no rank or dtype is not asked: checks
 * refuse it. */
static inline bool tsr__needs_normalising(const tsr_tensor *t) {
  for (int i = 0; i < t->ndim; i++)
    if (t->shape[i] <= 1 && (t->shape[i] <= 0 || tsr__out_of_reach(t->stride[i]))) return true;
  return false;
}

/* Whether a length of t is 0. Its rank is legal. */
static inline bool tsr__has_no_elements(const tsr_tensor *t) {
  for (int i = 0; i < t->ndim; i++)
    if (t->shape[i] == 0) return true;
  return false;
}

/* t itself, or in *room what reads and writes the same elements with strides of 0 where they mean nothing, and an address
 * where there is no element. NULL, an empty and a described one are themselves. Inputs and outputs that are given alike:
 * nobody writes to the struct of a given output. */
tsr_tensor *tsr__normalised(const tsr_tensor *t, tsr_tensor *room);

/* The same for a tensor in place, which a function makes or holds a copy of: strides out of reach become 0. */
void tsr__normalise(tsr_tensor *t);

#define TSR__NORMALISE(t)    \
  tsr_tensor t##_normalised; \
  (t) = tsr__normalised(t, &t##_normalised)

/* At the top of a public function: each of its tensors is normalised, from here to the function's end. */
#define TSR__NORMALISE_ALL(...)                                                               \
  TSR__NORMALISE_COUNTED(__VA_ARGS__, TSR__NORMALISE_3, TSR__NORMALISE_2, TSR__NORMALISE_1, ) \
  (__VA_ARGS__)
#define TSR__NORMALISE_COUNTED(a, b, c, macro, ...) macro
#define TSR__NORMALISE_1(t) TSR__NORMALISE(t)
#define TSR__NORMALISE_2(t, ...) \
  TSR__NORMALISE(t);             \
  TSR__NORMALISE_1(__VA_ARGS__)
#define TSR__NORMALISE_3(t, ...) \
  TSR__NORMALISE(t);             \
  TSR__NORMALISE_2(__VA_ARGS__)

#endif
