/* What the tests of nn share: tensors that lie in several ways, random numbers in them, and how close is close. */
#ifndef TSR_TEST_NN_SUPPORT_H
#define TSR_TEST_NN_SUPPORT_H

#include "support/helpers.h"

#include <math.h>
#include <string.h>

/* Memory layouts: row-major, axes the other way round, every other element, the first axis backwards. */
enum { NN_PLAIN, NN_REVERSED, NN_GAPS, NN_FLIPPED, NN_WAYS };

static const int nn_dtypes[] = {TSR_F32, TSR_F64, TSR_F16, TSR_BF16};

static inline bool nn_has(int dtype) { return tsr_dtype_supported(dtype) && tsr_dtype_size(dtype) > 0; }

/* A tensor of zeros that lies in a way; *owner holds its memory. */
static inline tsr_status nn_make(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, int way, tsr_tensor *owner,
                                 tsr_tensor *view) {
  tsr_index memory[TSR_MAX_DIMS];
  for (int i = 0; i < ndim; i++) memory[i] = shape[way == NN_REVERSED ? ndim - 1 - i : i];
  if (way == NN_GAPS && ndim > 0) memory[ndim - 1] *= 2;
  const tsr_status st = tsr_zeros(ctx, dtype, ndim, memory, owner);
  if (st != TSR_OK) return st;
  *view = *owner;
  view->flags = 0;
  for (int i = 0; i < ndim; i++) view->shape[i] = shape[i];
  if (way == NN_REVERSED)
    for (int i = 0; i < ndim; i++) view->stride[i] = owner->stride[ndim - 1 - i];
  if (way == NN_GAPS && ndim > 0) view->stride[ndim - 1] *= 2;
  if (way == NN_FLIPPED && ndim > 0 && shape[0] > 0 && tsr_size(view) > 0) {
    view->data = (char *)view->data + (ptrdiff_t)((shape[0] - 1) * view->stride[0]) * (ptrdiff_t)tsr_dtype_size(dtype);
    view->stride[0] = -view->stride[0];
  }
  return TSR_OK;
}

static inline double nn_get(tsr_ctx *ctx, const tsr_tensor *t, const tsr_index *index) {
  tsr_real value = 0;
  if (tsr_get(ctx, t, t->ndim, index, &value) != TSR_OK) return -12345;
  return (double)value;
}

/* Numbers around middle, about spread away from it. */
static inline void nn_fill(tsr_ctx *ctx, tsr_tensor *t, test_rng *rng, double middle, double spread) {
  tsr_index index[TSR_MAX_DIMS] = {0};
  if (tsr_size(t) == 0) return;
  do {
    const double value = middle + spread * ((double)test_between(rng, -1000, 1000) / 1000);
    const float narrow = (float)(tsr_real)value;
    if (t->dtype == TSR_F32)
      memcpy(test_at(t, index), &narrow, sizeof narrow);
    else if (tsr_set(ctx, t, t->ndim, index, (tsr_real)value) != TSR_OK)
      return;
  } while (test_next_index(t->ndim, t->shape, index));
}

/* Half a unit in the last place of 1. */
static inline double nn_unit(int dtype) {
  switch (dtype) {
    case TSR_F64: return 0x1p-53;
    case TSR_F16: return 0x1p-11;
    case TSR_BF16: return 0x1p-8;
    default: return 0x1p-24;
  }
}

static inline bool nn_close(double got, double want, double allowed) {
  if (isnan(want)) return isnan(got);
  return got == want || fabs(got - want) <= allowed;
}

static inline tsr_ctx *nn_context(int isa) {
  tsr_ctx *const ctx = test_context();
  return tsr_context_set_isa(ctx, tsr_isa_name(isa)) == TSR_OK ? ctx : NULL;
}

#endif
