#include "core/check.h"

#include <string.h>
#include <tessera/dtype.h>

/* Data is aligned to the size of what one number is: half the element for complex dtypes. */
#define ALIGN_BOOL(bytes) (bytes)
#define ALIGN_INT(bytes) (bytes)
#define ALIGN_UINT(bytes) (bytes)
#define ALIGN_FLOAT(bytes) (bytes)
#define ALIGN_COMPLEX(bytes) ((bytes) / 2)

static const tsr_dtype_info infos[TSR_DTYPE_COUNT] = {
#define X(id, number, bytes, class, name, npy, st) \
  [number] = {number, bytes, TSR_CLASS_##class, ALIGN_##class(bytes), name, npy, st},
    TSR_DTYPE_LIST(X)
#undef X
};

const tsr_dtype_info *tsr_dtype_describe(int dtype) {
  return dtype > TSR_NONE && dtype < TSR_DTYPE_COUNT ? &infos[dtype] : NULL;
}

const uint8_t tsr__item_sizes[32] = {
#define X(id, number, bytes, class, name, npy, st) [number] = bytes,
    TSR_DTYPE_LIST(X)
#undef X
};

const uint8_t tsr__item_classes[32] = {
#define X(id, number, bytes, class, name, npy, st) [number] = TSR_CLASS_##class,
    TSR_DTYPE_LIST(X)
#undef X
};

size_t tsr_dtype_size(int dtype) { return (unsigned)dtype < 32u ? tsr__item_sizes[dtype] : 0; }

const char *tsr_dtype_name(int dtype) {
  const tsr_dtype_info *const info = tsr_dtype_describe(dtype);
  return info != NULL ? info->name : "none";
}

int tsr_dtype_find(const char *name) {
  if (name == NULL) return TSR_NONE;
  for (int dtype = TSR_NONE + 1; dtype < TSR_DTYPE_COUNT; dtype++)
    if (strcmp(infos[dtype].name, name) == 0) return dtype;
  return TSR_NONE;
}

/* A bit each: programs that ask no more than this hold no names. */
#define HAVE_BOOL(bytes) 1
#define HAVE_INT(bytes) 1
#define HAVE_UINT(bytes) 1
#define HAVE_FLOAT(bytes) ((bytes) == 8 ? TSR_HAVE_F64 : (bytes) == 4 || TSR_HAVE_SMALL_FLOATS)
#define HAVE_COMPLEX(bytes) (TSR_HAVE_COMPLEX && HAVE_FLOAT((bytes) / 2))

bool tsr_dtype_supported(int dtype) {
  static const uint32_t supported =
#define X(id, number, bytes, class, name, npy, st) | (uint32_t)(HAVE_##class(bytes) ? 1 : 0) << number
      0 TSR_DTYPE_LIST(X);
#undef X
  return dtype > TSR_NONE && dtype < TSR_DTYPE_COUNT && (supported >> dtype & 1) != 0;
}
