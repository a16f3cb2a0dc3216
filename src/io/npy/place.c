/* Arrays used where their bytes are: in a map, in memory that the caller keeps. */
#include "core/tensor.h"
#include "io/npy/npy.h"

#include <tessera/mmap.h>

bool tsr__npy_fits_in_place(const tsr__npy_header *header, const void *data) {
  return !header->swapped && (uintptr_t)data % tsr_dtype_describe(header->dtype)->align == 0;
}

tsr_status tsr__npy_in_place(tsr_ctx *ctx, tsr_storage *storage, const void *data, const tsr__npy_header *header,
                             int access, tsr_tensor *out) {
  tsr_index stride[TSR_MAX_DIMS];
  tsr_status st = TSR_OK;
  tsr__strides_for(header->ndim, header->shape, header->fortran ? TSR_FORTRAN : TSR_ROW_MAJOR, stride);
  if (storage != NULL) {
    const size_t offset = (size_t)((const char *)data - (const char *)tsr_storage_data(storage));
    st = tsr_from_storage(ctx, storage, offset, header->dtype, header->ndim, header->shape, stride, out);
  } else {
    tsr__describe(header->dtype, header->ndim, header->shape, out);
    for (int i = 0; i < header->ndim; i++) out->stride[i] = stride[i];
    out->data = (void *)(uintptr_t)data;
  }
  if (st == TSR_OK && access == TSR_ACCESS_READ) out->flags |= TSR_READONLY;
  return st;
}
