/* Mapped files, for the formats. */
#ifndef TSR_IO_FILE_MAP_H
#define TSR_IO_FILE_MAP_H

#include <tessera/mmap.h>
#include "core/check.h"

#if TSR_HAVE_MMAP

/* Whether access is one of the list; copy: whether TSR_ACCESS_COPY is one that the caller knows. */
tsr_status tsr__map_check_access(tsr_ctx *ctx, const char *op, int access, bool copy);

/* The whole file as a storage with one count: TSR_EIO, TSR_EUNSUPPORTED for what is not a plain file, TSR_EOVERFLOW.
 * access is TSR_ACCESS_READ or TSR_ACCESS_PRIVATE. */
tsr_status tsr__map_open(tsr_ctx *ctx, const char *op, const char *path, int access, tsr_storage **out);

#endif

/* Whether the file behind a map of tsr__map_open, if it is one, still has all of its bytes: TSR_EIO. where begins the
 * message. */
tsr_status tsr__map_check(tsr_ctx *ctx, const char *op, const char *where, const tsr_storage *map);

/* Whether the files behind those of n tensors that are mapped still have all of their bytes: TSR_EIO. */
tsr_status tsr__map_check_all(tsr_ctx *ctx, const char *op, tsr_index n, const tsr_tensor *tensors);

#endif
