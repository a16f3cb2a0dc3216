/** @file mmap.h
 *  Files as memory: opened in constant time, read where they are touched.
 *
 *  A mapped file must keep its size and its bytes. Files that are replaced by a rename, as every _save here does, are
 *  safe: the map keeps the old one. A file that another program cuts short is noticed
 *  - when it is mapped: its header is checked against the size that it has then;
 *  - by tsr_mmap_check, whenever the program asks;
 *  - by every read from a file that stays open (tsr_safetensors_file_read): TSR_EIO;
 *  - by every _save of mapped tensors, before the first byte is written: TSR_EIO.
 *
 *  What cannot be noticed: a cut between such a check and the use. Touching a page past the new end then ends the
 *  program with SIGBUS, which no library can turn into a status without taking the program's signals; and in the last
 *  page that is still there, bytes past the new end read as 0. Nor is it noticed when another program writes to the file
 *  in place: the tensors change with it, and with them what a function reads twice. Where files are not to be trusted so
 *  far, TSR_ACCESS_COPY reads them: one that becomes shorter meanwhile is TSR_EIO or TSR_EFORMAT.
 *
 *  Headers are another matter: whatever the access, they are read once, into memory of the call's own, and what was
 *  checked is what is used. A file that changes while it is loaded is loaded as it was, or with elements of both, or
 *  refused; it never makes a function write or read outside its memory. */
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
/** Maps a whole file: *out is u8 [bytes], with a count of the map, which lives as long as the last tensor that counts
 *  it. access is TSR_ACCESS_READ or TSR_ACCESS_PRIVATE. *out must hold no count. One file descriptor stays open with
 *  the map. */
TSR_API TSR_MUST_USE tsr_status tsr_mmap_load(tsr_ctx *ctx, const char *path, tsr_access access, tsr_tensor *out);

/** Whether the file behind a mapped tensor still has all the bytes that it had: TSR_EIO when it has become shorter.
 *  TSR_OK for tensors that are not mapped. The file may still shrink after the answer. */
TSR_API TSR_MUST_USE tsr_status tsr_mmap_check(tsr_ctx *ctx, const tsr_tensor *t);

/** The first array of a .npy file, mapped: time and memory do not depend on its size. Arrays in the other byte order,
 *  or whose data is not aligned for its dtype, are read into memory of their own; such a tensor is not TSR_READONLY.
 *  *out must be empty; options may be NULL. TSR_ACCESS_COPY always reads. */
TSR_API TSR_MUST_USE tsr_status tsr_npy_mmap(tsr_ctx *ctx, const char *path, tsr_access access,
                                             const tsr_npy_options *options, tsr_tensor *out);
#endif

#ifdef __cplusplus
}
#endif

#endif
