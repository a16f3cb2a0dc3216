/* Tensors whose elements no dtype here has: quantised ones of GGUF files, and the small floats of safetensors. Their bytes
 * become numbers when they are needed. */
#ifndef TESSERA_PACKED_H
#define TESSERA_PACKED_H

#include <stdbool.h>
#include <tessera/tessera.h>

enum { PACKED_FOREIGN = 1 << 20 };

/* What a tensor of such a file is. */
typedef struct packed {
  int type;         /* GGUF's number; PACKED_FOREIGN; -1: a tensor like others */
  char foreign[16]; /* the word of safetensors: "F4" */
  int ndim;
  tsr_index shape[TSR_MAX_DIMS];
} packed;

/* A file's tensors with blocks as u8, and a table with a row for each: owned; NULL where none is packed. */
tsr_status packed_load(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata, packed **table);

/* The same for safetensors with such dtypes. */
tsr_status packed_load_foreign(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata, packed **table);

/* What its file calls the type. */
const char *packed_type(const packed *p);

/* Whether packed_numbers has its elements; all of them, packed_fetch has. */
bool packed_in_parts(const packed *p);
tsr_status packed_fetch(tsr_ctx *ctx, const packed *p, const tsr_tensor *blocks, tsr_tensor *out);

/* The tensor as f32, described, without data. */
tsr_status packed_describe(tsr_ctx *ctx, const packed *p, tsr_tensor *out);

/* count elements from number first on, which begins a block: of blocks to a tensor of memory, of any dtype of floats.
 */
tsr_status packed_numbers(tsr_ctx *ctx, const packed *p, const tsr_tensor *blocks, tsr_index first, tsr_index count,
                          int dtype, void *elements);

#endif
