/* Quantised tensors of GGUF files: blocks, which become numbers when they are needed. */
#ifndef TESSERA_PACKED_H
#define TESSERA_PACKED_H

#include <stdbool.h>
#include <tessera/tessera.h>

/* What a tensor of such a file is. */
typedef struct packed {
  int type; /* the format's number; -1: a tensor like others */
  int ndim;
  tsr_index shape[4];
} packed;

/* A file's tensors with blocks as u8, and a table with a row for each: owned; NULL where none is packed. */
tsr_status packed_load(tsr_ctx *ctx, const char *path, tsr_bundle *out, tsr_metadata *metadata, packed **table);

/* The tensor as f32, described, without data. */
tsr_status packed_describe(tsr_ctx *ctx, const packed *p, tsr_tensor *out);

/* count elements from number first on, which begins a block: of blocks to a tensor of memory, of any dtype of floats.
 */
tsr_status packed_numbers(tsr_ctx *ctx, const packed *p, const tsr_tensor *blocks, tsr_index first, tsr_index count,
                          int dtype, void *elements);

#endif
