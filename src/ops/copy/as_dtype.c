#include "ops/copy/copy.h"

tsr_status tsr__as_dtype(tsr_ctx *ctx, const char *op, const tsr_tensor *src, int dtype, tsr__scratch *scratch,
                         tsr_tensor *copy) {
  size_t bytes;
  *copy = *src;
  copy->flags = 0;
  copy->layout = TSR_PLAIN;
  if (src->dtype == dtype) return TSR_OK;
  if (!tsr__mul_size((size_t)tsr_size(src), tsr_dtype_size(dtype), &bytes) || bytes > PTRDIFF_MAX)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, NULL, "%t as %y does not fit the address space", src, dtype);
  const tsr_status st = tsr__scratch_get(ctx, op, bytes, scratch);
  if (st != TSR_OK) return st;
  copy->dtype = (uint8_t)dtype;
  copy->storage = NULL;
  copy->data = scratch->data;
  tsr__strides_for(copy->ndim, copy->shape, TSR_ROW_MAJOR, copy->stride);
  tsr__copy_no_alias(ctx, src, copy);
  return TSR_OK;
}
