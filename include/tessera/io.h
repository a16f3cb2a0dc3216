/** @file io.h
 *  Files and streams. */
#ifndef TESSERA_IO_H
#define TESSERA_IO_H

#include <tessera/limits.h>
#include <tessera/print.h>
#include <tessera/tensor.h>
#if TSR_HAVE_STDIO
#include <stdio.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Where bytes come from. read fills up to n bytes and says how many in *got; fewer than n only at the end. */
typedef struct tsr_source {
  size_t size; /**< sizeof(tsr_source) */
  tsr_status (*read)(void *self, void *bytes, size_t n, size_t *got);
  void *self;
} tsr_source;

/** Bytes that can be read in any order: a flash chip, a member of an archive. read fills all n bytes from offset on, or
 *  returns a status that ends the call. */
typedef struct tsr_reader {
  size_t size; /**< sizeof(tsr_reader) */
  tsr_status (*read)(void *self, uint64_t offset, void *bytes, size_t n);
  void *self;
  uint64_t bytes; /**< how many there are */
} tsr_reader;

/** Makes the elements of a tensor while it is written, so that it needs no memory of its own: count of them, from
 *  number first on, in row-major order and the host's byte order. The numbers of a tensor are asked for in order; a
 *  writer that needs them twice begins again at 0. A status other than TSR_OK ends the call. */
typedef struct tsr_producer {
  size_t size; /**< sizeof(tsr_producer) */
  tsr_status (*produce)(void *self, const tsr_tensor *t, tsr_index first, tsr_index count, void *elements);
  void *self;
} tsr_producer;

/** How to read; 0 is the default of each. Limits are the context's: <tessera/limits.h>. */
typedef struct tsr_npy_options {
  int void_dtype; /**< what V1 and V2 elements are: TSR_F8_E4M3, TSR_F8_E5M2, TSR_BF16; 0: V2 is bf16, V1 is refused */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_npy_options;

/** Reads one array in .npy format (versions 1.0, 2.0, 3.0; both byte orders) and leaves the source behind its last byte.
 *  Fortran order becomes strides; bool bytes other than 0 are read as 1. An empty *out is allocated; a given one takes the data when dtype and shape fit. Nothing
 *  is allocated from a number in the file that the bytes there do not bear out: data arrives in steps, and a file cut short
 *  is refused. options may be NULL. Given outputs may be partly written when reading fails midway. */
TSR_API TSR_MUST_USE tsr_status tsr_npy_read(tsr_ctx *ctx, const tsr_source *source, const tsr_npy_options *options,
                                             tsr_tensor *out);

/** The same from n bytes in memory; *used (may be NULL) is how many the array took. */
TSR_API TSR_MUST_USE tsr_status tsr_npy_decode(tsr_ctx *ctx, const void *bytes, size_t n,
                                               const tsr_npy_options *options, size_t *used, tsr_tensor *out);

/** Writes one array in .npy format, byte for byte as NumPy does. Fortran-contiguous tensors keep that order; others are
 *  written in row-major order. */
TSR_API TSR_MUST_USE tsr_status tsr_npy_write(tsr_ctx *ctx, const tsr_tensor *t, const tsr_sink *sink);

#if TSR_HAVE_STDIO
/** Reads the first array of a .npy file. */
TSR_API TSR_MUST_USE tsr_status tsr_npy_load(tsr_ctx *ctx, const char *path, tsr_tensor *out);

/** Writes a .npy file. As every _save of a file here: to a temporary name beside it (PATH.tmp~…), to the disk, over the
 *  old file in one step, and then the folder to the disk. When it fails, the old file is as it was and no other is left;
 *  the one exception is a folder that cannot be brought to the disk, when the new file is in place and the message says
 *  so. A process that is killed leaves the old file or the new one, whole, and at most that one temporary name, which
 *  no later save takes for its own or removes: whoever knows that none is running may remove PATH.tmp~*. The new file
 *  has the old one's mode (its lower nine bits), but nobody else may open it before it is whole; one that replaces none
 *  has the mode of new files. A link stays a link: the file that it leads to is replaced, or made where there is none.
 *  Pipes and devices are written to as they are. */
TSR_API TSR_MUST_USE tsr_status tsr_npy_save(tsr_ctx *ctx, const char *path, const tsr_tensor *t);

/** Removes the temporary files of all saves that are running in this process, which then fail. For a program that a
 *  signal ends: it may be called in a handler, on any thread, and touches nothing but those files. The library installs
 *  no handlers of its own. Of more than 16 saves at once, 16 are known; relative paths are those of the folder that the
 *  process is in. Does nothing where there are no POSIX files. */
TSR_API void tsr_temporaries_remove(void);

/** Prints to a stream; options may be NULL. A newline follows. */
TSR_API TSR_MUST_USE tsr_status tsr_print(tsr_ctx *ctx, const tsr_tensor *t, const tsr_print_options *options,
                                          FILE *stream);

/** A sink and a source over a stream; the stream stays the caller's. */
TSR_API tsr_sink tsr_sink_stdio(FILE *stream);
TSR_API tsr_source tsr_source_stdio(FILE *stream);
#endif

#ifdef __cplusplus
}
#endif

#endif
