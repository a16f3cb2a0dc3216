/** @file raw.h
 *  Files of elements and nothing else: the program says what they are. */
#ifndef TESSERA_RAW_H
#define TESSERA_RAW_H

#include <tessera/io.h>
#include <tessera/mmap.h>

#ifdef __cplusplus
extern "C" {
#endif

#if TSR_HAVE_STDIO
/** How elements lie in a file; 0 is the default of each. */
typedef struct tsr_raw_options {
  uint64_t offset;               /**< the first element's byte; when writing, 0 */
  bool big_endian;               /**< else little-endian, whatever the machine is */
  int access;                    /**< TSR_ACCESS_READ, TSR_ACCESS_PRIVATE, TSR_ACCESS_COPY */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_raw_options;

/** Loads row-major elements of a file: tsr_raw_load(ctx, "x.bin", TSR_F32, TSR_SHAPE(3, 4), NULL, &t). One axis may be
 *  -1: as long as the file has bytes for, and then these must be whole rows; else what follows the last element is not
 *  looked at. A file that is too short is TSR_EFORMAT. Where files can be mapped the tensor is a view of the map
 *  (<tessera/mmap.h>), unless its elements are bools, not aligned, or in the other byte order: those are read into
 *  memory of their own, bool bytes other than 0 as 1. *out must be empty; options may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_raw_load(tsr_ctx *ctx, const char *path, int dtype, int ndim,
                                             const tsr_index *shape, const tsr_raw_options *options, tsr_tensor *out);

/** Writes the elements of a tensor, row-major, and nothing else. options may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_raw_write(tsr_ctx *ctx, const tsr_tensor *t, const tsr_raw_options *options,
                                              const tsr_sink *sink);

/** Writes a file: to a temporary name beside it first, so that a failure leaves the old file whole. */
TSR_API TSR_MUST_USE tsr_status tsr_raw_save(tsr_ctx *ctx, const char *path, const tsr_tensor *t,
                                             const tsr_raw_options *options);
#endif

#ifdef __cplusplus
}
#endif

#endif
