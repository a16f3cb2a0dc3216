/** @file map.h
 *  Files as memory: opened in constant time, read where they are touched. */
#ifndef TESSERA_MAP_H
#define TESSERA_MAP_H

#include <tessera/io.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How tensors get at the bytes of a file. */
typedef enum tsr_access {
  TSR_ACCESS_READ = 0,    /**< the bytes where they are; the tensors are TSR_READONLY */
  TSR_ACCESS_PRIVATE = 1, /**< the same, writable: a page is copied when it is written to, the file never changes */
  TSR_ACCESS_COPY = 2     /**< memory of their own */
} tsr_access;

#if TSR_HAVE_MMAP
/* A mapped file must keep its size. One that another program cuts short while it is mapped ends this program with
 * SIGBUS when a page past the new end is touched: that is the system's doing, and no library can turn it into a status
 * without taking the program's signals. Files that are replaced by a rename, as every _save here does, are safe: the
 * map keeps the old one. Sizes are checked when a file is mapped, and tsr_map_check looks again. */

/** Maps a whole file: *out is u8 [bytes], with a count of the map, which lives as long as the last tensor that counts
 *  it. access is TSR_ACCESS_READ or TSR_ACCESS_PRIVATE. *out must hold no count. One file descriptor stays open with
 *  the map. */
TSR_API TSR_MUST_USE tsr_status tsr_map_load(tsr_ctx *ctx, const char *path, int access, tsr_tensor *out);

/** Whether the file behind a mapped tensor still has all the bytes that it had: TSR_EIO when it has become shorter.
 *  TSR_OK for tensors that are not mapped. The file may still shrink after the answer. */
TSR_API TSR_MUST_USE tsr_status tsr_map_check(tsr_ctx *ctx, const tsr_tensor *t);

/** The first array of a .npy file, mapped: time and memory do not depend on its size. Arrays in the other byte order,
 *  or whose data is not aligned for its dtype, are read into memory of their own; such a tensor is not TSR_READONLY.
 *  *out must be empty; options may be NULL. TSR_ACCESS_COPY always reads. */
TSR_API TSR_MUST_USE tsr_status tsr_npy_map(tsr_ctx *ctx, const char *path, int access, const tsr_npy_options *options,
                                            tsr_tensor *out);
#endif

#ifdef __cplusplus
}
#endif

#endif
