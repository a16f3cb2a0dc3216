/* The fast path of small calls, where checks cost more than the work: what it asks of its operands. Inline, for
 * families that have it for their own number of inputs; loops over the axes stay loops, because most tensors have
 * few. */
#ifndef TSR_OPS_ELEMENTWISE_CONTIGUOUS_H
#define TSR_OPS_ELEMENTWISE_CONTIGUOUS_H

#include "core/storage.h"
#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/kernels.h"

/* The largest such call on one thread, in elements, and the largest at all: sizes in bytes fit a size_t, and the
 * product of two such numbers a tsr_index. */
#define TSR__CONTIGUOUS_MOST TSR__GRAIN_LIGHT
#if TSR_INDEX_BITS == 64 && SIZE_MAX > 0xffffffff
#define TSR__CONTIGUOUS_LARGE ((tsr_index)1 << 31)
#else
#define TSR__CONTIGUOUS_LARGE TSR__CONTIGUOUS_MOST
#endif

/* Elements of a contiguous tensor in row-major order; 0 when it is none, or of length 0, or larger than most. */
static inline tsr_index tsr__contiguous_size_to(const tsr_tensor *t, tsr_index most) {
  tsr_index size = 1;
  if (t->ndim > TSR_MAX_DIMS) return 0;
  TSR__KEEP_LOOP
  for (int i = t->ndim - 1; i >= 0; i--) {
    const tsr_index length = t->shape[i];
    if (length <= 0 || length > most || (t->stride[i] != size && length != 1)) return 0;
    size *= length;
    if (size > most) return 0;
  }
  return size;
}

static inline tsr_index tsr__contiguous_size(const tsr_tensor *t) {
  return tsr__contiguous_size_to(t, TSR__CONTIGUOUS_MOST);
}

/* Whether t has the shape and strides of model, to the letter. */
static inline bool tsr__contiguous_alike(const tsr_tensor *t, const tsr_tensor *model) {
  if (t->ndim != model->ndim) return false;
  TSR__KEEP_LOOP
  for (int i = 0; i < model->ndim; i++)
    if (t->shape[i] != model->shape[i] || t->stride[i] != model->stride[i]) return false;
  return true;
}

/* Whether t has data of dtype on the host. */
static inline bool tsr__contiguous_usable(const tsr_tensor *t, int dtype, size_t item) {
  const uintptr_t at = (uintptr_t)t->data;
  return t->dtype == dtype && at != 0 && (at & (item - 1)) == 0 && (t->storage == NULL || t->storage->device->is_host);
}

/* Whether an input's bytes are the output's or apart from them. */
static inline bool tsr__contiguous_safe(const void *in, size_t in_bytes, const void *out, size_t out_bytes) {
  const uintptr_t after_out = (uintptr_t)in - (uintptr_t)out, after_in = (uintptr_t)out - (uintptr_t)in;
  return ((after_out >= out_bytes) & (after_in >= in_bytes)) | ((after_out == 0) & (in_bytes == out_bytes));
}

/* Whether t can be the output that is given: elements of dtype that lie as model. */
static inline bool tsr__contiguous_output(const tsr_tensor *t, int dtype, size_t item, const tsr_tensor *model) {
  return tsr__contiguous_usable(t, dtype, item) && (t->flags & TSR_READONLY) == 0 && tsr__contiguous_alike(t, model);
}

#endif
