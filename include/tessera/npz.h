/** @file npz.h
 *  NumPy's .npz: a zip archive whose members NAME.npy are arrays. Members are stored or deflated; a build without zlib
 *  (TSR_HAVE_ZLIB 0) reads and writes stored ones. Names are names, never paths. */
#ifndef TESSERA_NPZ_H
#define TESSERA_NPZ_H

#include <tessera/bundle.h>
#include <tessera/io.h>
#include <tessera/limits.h>
#include <tessera/mmap.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How to read; 0 is the default of each. Limits are the context's: <tessera/limits.h>. */
typedef struct tsr_npz_options {
  int void_dtype; /**< what V1 and V2 elements are: see tsr_npy_options */
  int access;     /**< TSR_ACCESS_READ, TSR_ACCESS_PRIVATE, TSR_ACCESS_COPY: for stored members */
  bool lazy;      /**< the CRC of members that are used in place is not checked: their pages stay unread */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_npz_options;

/** How to write; 0 is the default of each. */
typedef struct tsr_npz_save_options {
  bool deflate; /**< members are deflated; else stored, each array aligned to 64 bytes so that it can be mapped */
  int level;    /**< of compression, 1 (fast) … 9 (small); 0: 6 */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_npz_save_options;

/** A member as the archive and its own header describe it. */
typedef struct tsr_npz_entry {
  const char *name; /**< without ".npy" */
  int dtype;        /**< TSR_F32 … */
  int ndim;
  const tsr_index *shape;
  bool fortran; /**< the first axis runs fastest */
  bool deflated;
  uint64_t offset; /**< of the member's first byte in the file */
  uint64_t packed; /**< bytes of the member in the file */
  uint64_t bytes;  /**< of the elements */
} tsr_npz_entry;

/** Is shown one member; a status other than TSR_OK ends the list. The entry is lent for the call. */
typedef tsr_status tsr_npz_visit(void *user, const tsr_npz_entry *entry);

/** Checks the directory of an archive and the header of each member, and shows them in the directory's order, without
 *  reading elements. options may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_npz_list(tsr_ctx *ctx, const tsr_reader *reader, const tsr_npz_options *options,
                                             tsr_npz_visit *visit, void *user);

/** Reads every member into memory of its own; *out must hold no tensors, and stays as it is when it fails. Refused,
 *  with the rule and the byte: members that are not .npy, that appear twice, overlap or lie outside, that are
 *  encrypted or packed in another way, whose CRC or size is not the declared one, and what is over a limit. */
TSR_API TSR_MUST_USE tsr_status tsr_npz_read(tsr_ctx *ctx, const tsr_reader *reader, const tsr_npz_options *options,
                                             tsr_bundle *out);

/** Reads the member of that name: TSR_ENAME when there is none. An empty *out is allocated; a given one takes the
 *  elements when dtype and shape fit, and may be partly written when reading fails midway. */
TSR_API TSR_MUST_USE tsr_status tsr_npz_read_tensor(tsr_ctx *ctx, const tsr_reader *reader,
                                                    const tsr_npz_options *options, const char *name, tsr_tensor *out);

/** An archive that stays open: its directory is read and checked once, each member when it is asked for. Memory goes
 *  with the directory and the members that are held, not with the archive. */
typedef struct tsr_npz_archive tsr_npz_archive;

/** Opens an archive behind a reader, which must live as long, and is used by one thread at a time. The directory stays
 *  in memory of the context's allocator. options may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_npz_archive_new(tsr_ctx *ctx, const tsr_reader *reader,
                                                    const tsr_npz_options *options, tsr_npz_archive **out);

/** Shows the members as tsr_npz_list does. */
TSR_API TSR_MUST_USE tsr_status tsr_npz_archive_list(tsr_ctx *ctx, const tsr_npz_archive *archive, tsr_npz_visit *visit,
                                                     void *user);

/** Reads member number member of the list, from 0 on (TSR_EINDEX), as tsr_npz_read_tensor does. For
 *  tsr_io_limits.inflated, members count once each and together. */
TSR_API TSR_MUST_USE tsr_status tsr_npz_archive_read(tsr_ctx *ctx, tsr_npz_archive *archive, tsr_index member,
                                                     tsr_tensor *out);

/** Ends an archive; tensors that were read stay. NULL is fine. */
TSR_API void tsr_npz_archive_release(tsr_npz_archive *archive);

/** The same as tsr_npz_read from n bytes in memory. With TSR_ACCESS_READ tensors borrow those bytes, which must stay,
 *  where they can be used in place: stored, aligned for the dtype, and in the host's byte order. */
TSR_API TSR_MUST_USE tsr_status tsr_npz_decode(tsr_ctx *ctx, const void *bytes, size_t n,
                                               const tsr_npz_options *options, tsr_bundle *out);

/** Writes a bundle, in its order; each array as tsr_npy_write does. Archives of more than 4 GB or 65,535 members become
 *  zip64. Names must be UTF-8. Elements are gone through twice, for the CRC and for the sink, when members are stored.
 *  options may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_npz_write(tsr_ctx *ctx, const tsr_bundle *bundle,
                                              const tsr_npz_save_options *options, const tsr_sink *sink);

#if TSR_HAVE_STDIO
/** Loads a file. Where files can be mapped, stored members in the host's byte order are views of the map, which lives
 *  as long as the last of them; <tessera/mmap.h> says what becomes of files that shrink. Their CRC is checked unless
 *  options->lazy is set. */
TSR_API TSR_MUST_USE tsr_status tsr_npz_load(tsr_ctx *ctx, const char *path, const tsr_npz_options *options,
                                             tsr_bundle *out);

/** Writes a file: to a temporary name beside it first, so that a failure leaves the old file whole. */
TSR_API TSR_MUST_USE tsr_status tsr_npz_save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle,
                                             const tsr_npz_save_options *options);

/** Adds members to an archive, or makes it where there is none. The members that are there stay byte for byte, before
 *  the new ones; a name that is there already is TSR_ENAME. The whole archive is written again to a temporary name
 *  beside it, brought to the disk and put in its place: when it fails, the old one is as it was. */
TSR_API TSR_MUST_USE tsr_status tsr_npz_append(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle,
                                               const tsr_npz_save_options *options);
#endif

#ifdef __cplusplus
}
#endif

#endif
