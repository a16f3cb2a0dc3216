/** @file safetensors.h
 *  Files of named tensors: a JSON header, then the elements. Every way in checks all of the header before anything is
 *  made: a refusal is a status, the rule that is broken and the byte. */
#ifndef TESSERA_SAFETENSORS_H
#define TESSERA_SAFETENSORS_H

#include <tessera/bundle.h>
#include <tessera/io.h>
#include <tessera/limits.h>
#include <tessera/mmap.h>
#include <tessera/metadata.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How to read; 0 is the default of each. Limits are the context's: <tessera/limits.h>. */
typedef struct tsr_safetensors_options {
  int access;   /**< TSR_ACCESS_READ, TSR_ACCESS_PRIVATE, TSR_ACCESS_COPY */
  bool lenient; /**< takes white space before the header's '{', and bytes behind the last tensor */
  bool opaque;  /**< dtypes that no tensor has load as u8: in their shape where an element is a byte, else [bytes] */
  bool plain;   /**< row-major tensors without tags, metadata as it is: see tsr_safetensors_write */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_safetensors_options;

/** How to write; 0 is the default of each. */
typedef struct tsr_safetensors_save_options {
  size_t align;                  /**< the data begins at a multiple of this: a power of two, 8 … 4096; 0: 8 */
  bool plain;                    /**< no layouts and orders in the metadata */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_safetensors_save_options;

/** A tensor as the header describes it. */
typedef struct tsr_safetensors_entry {
  const char *name;
  const char *type; /**< "F32", "F8_E8M0" */
  int dtype;        /**< TSR_F32 …; TSR_NONE when no tensor has it */
  int layout;       /**< TSR_PLAIN, or what the metadata says */
  int ndim;
  const tsr_index *shape;
  uint64_t offset; /**< of its first byte in the file */
  uint64_t bytes;
} tsr_safetensors_entry;

/** Is shown one tensor; a status other than TSR_OK ends the list. The entry is lent for the call. */
typedef tsr_status tsr_safetensors_visit(void *user, const tsr_safetensors_entry *entry);

/** Checks a file and shows what is in it, in the order of its header, without reading a tensor. All dtypes of the
 *  format are listed. Temporary memory: the header and a table of its tensors. options may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_safetensors_list(tsr_ctx *ctx, const tsr_reader *reader,
                                                     const tsr_safetensors_options *options,
                                                     tsr_safetensors_visit *visit, void *user);

/** Reads every tensor into memory of its own. *out must hold no tensors; metadata may be NULL, else it must be empty.
 *  Both stay as they are when it fails. */
TSR_API TSR_MUST_USE tsr_status tsr_safetensors_read(tsr_ctx *ctx, const tsr_reader *reader,
                                                     const tsr_safetensors_options *options, tsr_bundle *out,
                                                     tsr_metadata *metadata);

/** Reads the tensor of that name: TSR_ENAME when there is none. The whole header is read for it: tsr_safetensors_file reads
 *  it once for many. An empty *out is allocated; a given one takes the
 *  elements when dtype and shape fit, and may be partly written when reading fails midway. */
TSR_API TSR_MUST_USE tsr_status tsr_safetensors_read_tensor(tsr_ctx *ctx, const tsr_reader *reader,
                                                            const tsr_safetensors_options *options, const char *name,
                                                            tsr_tensor *out);

/** A file that stays open: its header is read and checked once, when it is opened, and a tensor when it is asked for.
 *  What was checked is what is used: a file that changes later gives other elements, or a status, and nothing worse.
 *  Memory goes with the number of tensors and the length of their names, not with the file. A handle does not change
 *  while it is open: several threads may use one, each with a context of its own. */
typedef struct tsr_safetensors_file tsr_safetensors_file;

/** Opens a file behind a reader, which must live as long, and is called by every thread that reads. Tables stay in memory
 *  of the context's allocator. A dtype that no tensor has is listed, and refused when its tensor is read, unless
 *  options->opaque is set. options may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_safetensors_file_new(tsr_ctx *ctx, const tsr_reader *reader,
                                                         const tsr_safetensors_options *options,
                                                         tsr_safetensors_file **out);

/** How many tensors are in it. */
TSR_API tsr_index tsr_safetensors_file_count(const tsr_safetensors_file *file);

/** The number of the tensor of that name, from 0 on in the order of the header; -1 when there is none. The time goes
 *  with the length of the name, whatever the others are. */
TSR_API tsr_index tsr_safetensors_file_find(const tsr_safetensors_file *file, const char *name);

/** What the header says of a tensor: TSR_EINDEX. Its pointers are good until the file is released. */
TSR_API TSR_MUST_USE tsr_status tsr_safetensors_file_entry(tsr_ctx *ctx, const tsr_safetensors_file *file,
                                                           tsr_index number, tsr_safetensors_entry *out);

/** Its metadata. *out must be empty, and stays so when it fails. */
TSR_API TSR_MUST_USE tsr_status tsr_safetensors_file_metadata(tsr_ctx *ctx, const tsr_safetensors_file *file,
                                                              tsr_metadata *out);

/** Reads a tensor by its number: TSR_EINDEX. An empty *out becomes a view of the map where the file is mapped and the
 *  elements can be used in place, else it is allocated; a given one takes the elements when dtype and shape fit, and may
 *  be partly written when reading fails midway. A mapped file that has become shorter since it was opened is TSR_EIO.
 *  tsr_io_limits.total is that of each call. */
TSR_API TSR_MUST_USE tsr_status tsr_safetensors_file_read(tsr_ctx *ctx, const tsr_safetensors_file *file,
                                                          tsr_index number, tsr_tensor *out);

/** The same by its name: TSR_ENAME when there is none. */
TSR_API TSR_MUST_USE tsr_status tsr_safetensors_file_read_tensor(tsr_ctx *ctx, const tsr_safetensors_file *file,
                                                                 const char *name, tsr_tensor *out);

/** Ends a file; tensors that were read stay, those of a map with it. NULL is fine. */
TSR_API void tsr_safetensors_file_release(tsr_safetensors_file *file);

/** The same as tsr_safetensors_read from n bytes in memory. With TSR_ACCESS_READ tensors borrow those bytes, which must
 *  stay, where they can be used in place: aligned for the dtype, and in the host's byte order. */
TSR_API TSR_MUST_USE tsr_status tsr_safetensors_decode(tsr_ctx *ctx, const void *bytes, size_t n,
                                                       const tsr_safetensors_options *options, tsr_bundle *out,
                                                       tsr_metadata *metadata);

/** Writes a bundle: header, then the elements, the widest dtypes first, by name within them. Elements are written in
 *  row-major order, little-endian. Layout tags and the order of axes in memory go to the metadata under
 *  "tessera.layout.NAME" and "tessera.order.NAME", which every reader here applies and takes away, and others ignore;
 *  metadata of the caller with such keys is left out. c128 is written as "C128", which other readers may not know.
 *  metadata and options may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_safetensors_write(tsr_ctx *ctx, const tsr_bundle *bundle,
                                                      const tsr_metadata *metadata,
                                                      const tsr_safetensors_save_options *options,
                                                      const tsr_sink *sink);

/** The numbers of a tensor whose dtype none here has, as f32: bytes is what tsr_safetensors_options.opaque loaded, type
 *  and shape are those of tsr_safetensors_entry. F4 (e2m1), F6_E2M3, F6_E3M2, F8_E8M0 (powers of two), F8_E4M3FNUZ,
 *  F8_E5M2FNUZ; every number of them is one of f32. Elements of less than a byte follow each other from the lowest
 *  bit of the first byte on. *out must be empty. TSR_EUNSUPPORTED for other types, TSR_ESHAPE where the bytes are not
 *  those of the shape. */
TSR_API TSR_MUST_USE tsr_status tsr_safetensors_unpack(tsr_ctx *ctx, const tsr_tensor *bytes, const char *type,
                                                       int ndim, const tsr_index *shape, tsr_tensor *out);

#if TSR_HAVE_STDIO
/** Loads a file. Where files can be mapped, nothing but the header is read: tensors are views of the map, which lives
 *  as long as the last of them, and a page is read when it is touched; <tessera/mmap.h> says what becomes of files that
 *  shrink. Tensors that cannot be used in place are read into memory of their own: those that are not aligned, that the
 *  metadata gives an order that is not row-major, and on big-endian hosts all with more than a byte. */
TSR_API TSR_MUST_USE tsr_status tsr_safetensors_load(tsr_ctx *ctx, const char *path,
                                                     const tsr_safetensors_options *options, tsr_bundle *out,
                                                     tsr_metadata *metadata);

/** Loads a checkpoint of several files, "model.safetensors.index.json": an object whose weight_map says in which file
 *  each tensor is. Files lie beside the index: a name with a slash, a colon or a dot at its start is refused. Tensors come in the
 *  order of the index, mapped as tsr_safetensors_load does; those that it does not name are left out. metadata is that
 *  of the first file. tsr_bundle_load calls it for such files. */
TSR_API TSR_MUST_USE tsr_status tsr_safetensors_load_sharded(tsr_ctx *ctx, const char *path,
                                                             const tsr_safetensors_options *options, tsr_bundle *out,
                                                             tsr_metadata *metadata);

/** Opens a file by its path: mapped as tsr_safetensors_load does, or with TSR_ACCESS_COPY read. One file descriptor
 *  stays open with it. */
TSR_API TSR_MUST_USE tsr_status tsr_safetensors_file_open(tsr_ctx *ctx, const char *path,
                                                          const tsr_safetensors_options *options,
                                                          tsr_safetensors_file **out);

/** Writes a file: to a temporary name beside it first, so that a failure leaves the old file whole. */
TSR_API TSR_MUST_USE tsr_status tsr_safetensors_save(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle,
                                                     const tsr_metadata *metadata,
                                                     const tsr_safetensors_save_options *options);
#endif

#ifdef __cplusplus
}
#endif

#endif
