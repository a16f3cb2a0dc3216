/* Descriptions and memory of tensors, for the inside of the library. Arguments are checked by the caller. */
#ifndef TSR_CORE_TENSOR_H
#define TSR_CORE_TENSOR_H

#include "core/fail.h"
#include <tessera/tensor.h>

/* Dtype, shape, no data, strides 0. */
void tsr__describe(int dtype, int ndim, const tsr_index *shape, tsr_tensor *out);

/* A view of a tensor that counts nothing. Number by number where the compiler would call memcpy, which goes byte by byte there. */
static inline void tsr__copy_view(const tsr_tensor *t, tsr_tensor *view) {
#if defined(__riscv) && defined(__OPTIMIZE_SIZE__)
  view->dtype = t->dtype;
  view->layout = t->layout;
  view->ndim = t->ndim;
  for (int i = 0; i < TSR_MAX_DIMS; i++) {
    view->shape[i] = t->shape[i];
    view->stride[i] = t->stride[i];
  }
  view->data = t->data;
  view->storage = t->storage;
  view->name = t->name;
#else
  *view = *t;
#endif
  view->flags = 0;
}

/* tsr_desc_init_ordered under the caller's name. */
tsr_status tsr__desc_ordered(tsr_ctx *ctx, const char *op, int dtype, int ndim, const tsr_index *shape, tsr_order order,
                             tsr_tensor *out);

/* Dense strides for axes that lie in memory in this order. */
void tsr__strides_permuted(tsr_tensor *t, const int *slowest_first);

/* A description with every stride 0, as an initialiser leaves it, means row-major: writes those strides. Strides that mean
 * nothing and that no memory has become 0. */
void tsr__default_strides(tsr_tensor *t);

/* Whether dtype and shape describe a tensor that fits the address space: TSR_EDTYPE, TSR_ESHAPE, TSR_EOVERFLOW. */
tsr_status tsr__check_desc(tsr_ctx *ctx, const char *op, int dtype, int ndim, const tsr_index *shape);

/* Whether axes is a permutation of 0 … ndim - 1; writes it with negative axes resolved. */
tsr_status tsr__check_permutation(tsr_ctx *ctx, const char *op, int ndim, const int *axes, int *resolved);

/* Whether every index of t stays in the bytes [low, high). */
tsr_status tsr__check_inside(tsr_ctx *ctx, const char *op, const tsr_tensor *t, uintptr_t low, uintptr_t high);

/* Memory for a contiguous description; nothing for one of size 0. */
tsr_status tsr__allocate(tsr_ctx *ctx, const char *op, const tsr_device *device, int hint, tsr_tensor *t);

#endif
