/** @file dlpack.h
 *  Tensors from and to other libraries of the same process, without a copy: DLPack 1.x. The structs are those of the
 *  public ABI, declared here with integers of fixed width: a pointer to one is a pointer to DLPack's own. */
#ifndef TESSERA_DLPACK_H
#define TESSERA_DLPACK_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** DLPack's numbers. */
enum {
  TSR_DL_MAJOR = 1, /**< the version of what is exported */
  TSR_DL_MINOR = 1,
  TSR_DL_CPU = 1,  /**< device types; all others are refused */
  TSR_DL_CUDA = 2, /**< where tsr_device_open finds the device */
  TSR_DL_INT = 0,  /**< type codes */
  TSR_DL_UINT = 1,
  TSR_DL_FLOAT = 2,
  TSR_DL_BFLOAT = 4,
  TSR_DL_COMPLEX = 5,
  TSR_DL_BOOL = 6,
  TSR_DL_FLOAT8_E4M3FN = 10,
  TSR_DL_FLOAT8_E5M2 = 12,
  TSR_DL_FLAG_READONLY = 1, /**< flags of the versioned form */
  TSR_DL_FLAG_COPIED = 2
};

/** DLDevice. */
typedef struct tsr_dl_device {
  int32_t type;
  int32_t id;
} tsr_dl_device;

/** DLDataType. */
typedef struct tsr_dl_type {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} tsr_dl_type;

/** DLTensor. */
typedef struct tsr_dl_tensor {
  void *data;
  tsr_dl_device device;
  int32_t ndim;
  tsr_dl_type dtype;
  int64_t *shape;
  int64_t *strides;     /**< in elements; NULL: row-major */
  uint64_t byte_offset; /**< from data to the first element */
} tsr_dl_tensor;

/** DLManagedTensor: what a capsule named "dltensor" holds. */
typedef struct tsr_dl_managed {
  tsr_dl_tensor dl_tensor;
  void *manager_ctx;
  void (*deleter)(struct tsr_dl_managed *self);
} tsr_dl_managed;

/** DLPackVersion. */
typedef struct tsr_dl_version {
  uint32_t major;
  uint32_t minor;
} tsr_dl_version;

/** DLManagedTensorVersioned: what a capsule named "dltensor_versioned" holds. */
typedef struct tsr_dl_managed_versioned {
  tsr_dl_version version;
  void *manager_ctx;
  void (*deleter)(struct tsr_dl_managed_versioned *self);
  uint64_t flags;
  tsr_dl_tensor dl_tensor;
} tsr_dl_managed_versioned;

/** Hands a tensor out: *out counts its storage until its deleter is called, on any thread, also after the context is
 *  gone (its allocator must stay). copy makes and hands out a copy. TSR_ESTATE for memory without a count
 *  (tsr_from_memory) unless it is copied, TSR_EDEVICE for memory that is neither the host's nor a GPU's. Shape and
 *  strides are always there. A TSR_READONLY tensor carries the flag. Of a tensor on a GPU, waits until it is written. */
TSR_API TSR_MUST_USE tsr_status tsr_dlpack_export(tsr_ctx *ctx, const tsr_tensor *t, bool copy,
                                                  tsr_dl_managed_versioned **out);

#if TSR_HAVE_OPS
/** The same for a consumer that works in a stream of its own (a cudaStream_t; 1 is CUDA's default one): that stream waits for
 *  whoever writes the tensor, the host does not. What the consumer does with the memory afterwards is not known here: it
 *  has to be done, or ordered, before the tensor is used again. On the host, stream means nothing. */
TSR_API TSR_MUST_USE tsr_status tsr_dlpack_export_to(tsr_ctx *ctx, const tsr_tensor *t, bool copy, void *stream,
                                                     tsr_dl_managed_versioned **out);
#endif

/** The same in the form before 1.0, which cannot say "read-only": TSR_EREADONLY for such tensors unless copied. */
TSR_API TSR_MUST_USE tsr_status tsr_dlpack_export_unversioned(tsr_ctx *ctx, const tsr_tensor *t, bool copy,
                                                              tsr_dl_managed **out);

/** Takes a tensor over, whether the call succeeds or fails: its deleter (may be NULL) is called exactly once, when the
 *  last handle of *out's storage is released, or before the call returns when it fails. *out must hold no count. A
 *  major version other than 1 is refused without looking further. Refused as well: other devices than the CPU and CUDA's
 *  (TSR_EDEVICE), dtypes that no tensor has, more than one lane, ranks and sizes that do not fit, data that is NULL or
 *  not aligned. Memory of a GPU is to be written when this is called, or its writer ordered before tsr_queue_native of the queue
 *  that uses it; the deleter is called after our last use of it. Honours byte_offset, strides of any sign or NULL, and the read-only flag. */
TSR_API TSR_MUST_USE tsr_status tsr_dlpack_import(tsr_ctx *ctx, tsr_dl_managed_versioned *managed, tsr_tensor *out);

/** The same for the form before 1.0. */
TSR_API TSR_MUST_USE tsr_status tsr_dlpack_import_unversioned(tsr_ctx *ctx, tsr_dl_managed *managed, tsr_tensor *out);

#ifdef __cplusplus
}
#endif

#endif
