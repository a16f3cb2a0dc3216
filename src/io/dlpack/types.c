/* The structs of DLPack as they are everywhere, and dtypes both ways. */
#include "io/dlpack/types.h"

/* The sizes of the public ABI, where pointers have 8 bytes; elsewhere the fields follow one another as they do there.
 */
#define TSR_DL_LP64(condition) (sizeof(void *) != 8 || (condition))
_Static_assert(TSR_DL_LP64(sizeof(tsr_dl_tensor) == 48), "DLTensor");
_Static_assert(TSR_DL_LP64(sizeof(tsr_dl_managed) == 64), "DLManagedTensor");
_Static_assert(TSR_DL_LP64(sizeof(tsr_dl_managed_versioned) == 80), "DLManagedTensorVersioned");
_Static_assert(TSR_DL_LP64(offsetof(tsr_dl_managed_versioned, dl_tensor) == 32), "DLManagedTensorVersioned.dl_tensor");
_Static_assert(TSR_DL_LP64(offsetof(tsr_dl_tensor, shape) == 24), "DLTensor.shape");
_Static_assert(offsetof(tsr_dl_managed, dl_tensor) == 0, "DLManagedTensor.dl_tensor");
_Static_assert(sizeof(tsr_dl_device) == 8 && sizeof(tsr_dl_type) == 4, "DLDevice, DLDataType");

static const tsr_dl_type types[TSR_DTYPE_COUNT] = {
    [TSR_BOOL] = {TSR_DL_BOOL, 8, 1},
    [TSR_I8] = {TSR_DL_INT, 8, 1},
    [TSR_I16] = {TSR_DL_INT, 16, 1},
    [TSR_I32] = {TSR_DL_INT, 32, 1},
    [TSR_I64] = {TSR_DL_INT, 64, 1},
    [TSR_U8] = {TSR_DL_UINT, 8, 1},
    [TSR_U16] = {TSR_DL_UINT, 16, 1},
    [TSR_U32] = {TSR_DL_UINT, 32, 1},
    [TSR_U64] = {TSR_DL_UINT, 64, 1},
    [TSR_F16] = {TSR_DL_FLOAT, 16, 1},
    [TSR_BF16] = {TSR_DL_BFLOAT, 16, 1},
    [TSR_F32] = {TSR_DL_FLOAT, 32, 1},
    [TSR_F64] = {TSR_DL_FLOAT, 64, 1},
    [TSR_F8_E4M3] = {TSR_DL_FLOAT8_E4M3FN, 8, 1},
    [TSR_F8_E5M2] = {TSR_DL_FLOAT8_E5M2, 8, 1},
    [TSR_C64] = {TSR_DL_COMPLEX, 64, 1},
    [TSR_C128] = {TSR_DL_COMPLEX, 128, 1},
};

tsr_dl_type tsr__dl_type(int dtype) { return types[dtype]; }

int tsr__dl_dtype(const tsr_dl_type *type) {
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++)
    if (types[dtype].code == type->code && types[dtype].bits == type->bits && type->lanes == 1) return dtype;
  return TSR_NONE;
}
