/** @file gguf.h
 *  GGUF, versions 2 and 3, little-endian: read, never written. Every way in checks all of the header before anything is
 *  made: a refusal is a status, the rule that is broken and the byte. The file's first dimension runs fastest: shapes
 *  here are reversed, row-major. */
#ifndef TESSERA_GGUF_H
#define TESSERA_GGUF_H

#include <tessera/bundle.h>
#include <tessera/io.h>
#include <tessera/limits.h>
#include <tessera/mmap.h>
#include <tessera/metadata.h>

#ifdef __cplusplus
extern "C" {
#endif

#if TSR_HAVE_STDIO
/** Types of elements that a file may name, where they are used here. Numbers are the format's. */
typedef enum tsr_gguf_type {
  TSR_GGUF_F32 = 0,
  TSR_GGUF_F16 = 1,
  TSR_GGUF_Q4_0 = 2, /**< 32 elements: an f16 d, 16 bytes of two numbers q each; d·(q - 8) */
  TSR_GGUF_Q8_0 = 8  /**< 32 elements: an f16 d, 32 numbers q of i8; d·q */
} tsr_gguf_type;

/** How to read; 0 is the default of each. Limits are the context's: <tessera/limits.h>. */
typedef struct tsr_gguf_options {
  tsr_index max_items; /**< of an array that metadata shows: the text of a longer one ends "..., N in all]"; 0: 64 */
  int access;          /**< TSR_ACCESS_READ, TSR_ACCESS_PRIVATE, TSR_ACCESS_COPY */
  int dequantize;      /**< Q8_0 and Q4_0 become this dtype of floats; 0: they are not decoded */
  bool opaque;         /**< types that are not decoded load as u8: in their shape, the last axis in bytes */
  size_t reserved[TSR_RESERVED]; /**< 0: room for what later versions add */
} tsr_gguf_options;

/** A tensor as the header describes it. */
typedef struct tsr_gguf_entry {
  const char *name;
  const char *type_name; /**< "F32", "Q4_K" */
  int type;              /**< the format's number */
  int dtype;             /**< TSR_F32 …; TSR_NONE when no tensor has it */
  int ndim;
  const tsr_index *shape; /**< of elements, row-major */
  uint64_t offset;        /**< of its first byte in the file */
  uint64_t bytes;
} tsr_gguf_entry;

/** Is shown one tensor; a status other than TSR_OK ends the list. The entry is lent for the call. */
typedef tsr_status tsr_gguf_visit(void *user, const tsr_gguf_entry *entry);

/** Checks a file and shows what is in it, in its order, without reading a tensor: every type is listed, decoded or not.
 *  Temporary memory: the header and a table of tensors and keys. options may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_gguf_list(tsr_ctx *ctx, const tsr_reader *reader, const tsr_gguf_options *options,
                                              tsr_gguf_visit *visit, void *user);

/** Reads every tensor into memory of its own. *out must hold no tensors; metadata may be NULL, else it must be empty.
 *  Both stay as they are when it fails. A tensor whose type is not decoded, with neither options->dequantize nor
 *  options->opaque for it, is TSR_EUNSUPPORTED and named with its type. Values of metadata become text: numbers with
 *  the fewest digits that are theirs, true and false, strings as they are, arrays as [1, 2] and ["a", "b"]. */
TSR_API TSR_MUST_USE tsr_status tsr_gguf_read(tsr_ctx *ctx, const tsr_reader *reader, const tsr_gguf_options *options,
                                              tsr_bundle *out, tsr_metadata *metadata);

/** The same from n bytes in memory. With TSR_ACCESS_READ tensors borrow those bytes, which must stay, where they can be
 *  used in place: aligned for the dtype, and in the host's byte order. */
TSR_API TSR_MUST_USE tsr_status tsr_gguf_decode(tsr_ctx *ctx, const void *bytes, size_t n,
                                                const tsr_gguf_options *options, tsr_bundle *out,
                                                tsr_metadata *metadata);

/** Loads a file. Where files can be mapped, nothing but the header is read: tensors are views of the map, which lives
 *  as long as the last of them; <tessera/mmap.h> says what becomes of files that shrink. What is dequantised has memory
 *  of its own. */
TSR_API TSR_MUST_USE tsr_status tsr_gguf_load(tsr_ctx *ctx, const char *path, const tsr_gguf_options *options,
                                              tsr_bundle *out, tsr_metadata *metadata);

/** The numbers of quantised blocks. blocks is u8 as options->opaque loads it, or a part of such: its last axis holds
 *  whole blocks side by side. type is TSR_GGUF_Q8_0 or TSR_GGUF_Q4_0 (TSR_EUNSUPPORTED); the last axis of out counts
 *  elements. An empty *out becomes f32; a described or given one may be any dtype of floats. Products are rounded to
 *  f32 once, and then to that dtype: the same bits everywhere. */
TSR_API TSR_MUST_USE tsr_status tsr_gguf_dequantize(tsr_ctx *ctx, const tsr_tensor *blocks, int type, tsr_tensor *out);

/** "Q4_K"; NULL for a number that is no type. */
TSR_API const char *tsr_gguf_type_name(int type);
#endif

#ifdef __cplusplus
}
#endif

#endif
