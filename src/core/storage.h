/* The inside of a storage. */
#ifndef TSR_CORE_STORAGE_H
#define TSR_CORE_STORAGE_H

#include <tessera/tensor.h>

enum {
  TSR__STORAGE_BLOCK = 0,   /* the bytes follow the header in one block */
  TSR__STORAGE_DEVICE = 1,  /* the bytes are a device's */
  TSR__STORAGE_WRAPPED = 2, /* the bytes are someone else's, with or without a release function */
  TSR__STORAGE_SUB = 3      /* the bytes are a part of a counted parent */
};

struct tsr_storage {
  int32_t              count;
  int32_t              kind;
  const tsr_device    *device;
  void                *data;
  size_t               bytes;
  const tsr_allocator *allocator; /* of this header */
  size_t               block;     /* bytes that allocator gave */
  union {
    tsr_storage *parent;
    struct {
      tsr_release_fn *release;
      void           *user;
    } wrapped;
  } owner;
};

/* The bytes before the data of a block, so that the data is as aligned as the block. */
#define TSR__STORAGE_HEADER ((sizeof(tsr_storage) + TSR_DATA_ALIGN - 1) & ~(size_t)(TSR_DATA_ALIGN - 1))

/* tsr_storage_new under the caller's name. */
tsr_status tsr__storage_make(tsr_ctx *ctx, const char *op, const tsr_device *device, size_t bytes, int hint,
                             tsr_storage **out);

#endif
