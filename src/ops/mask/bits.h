/* Which elements of a tensor are not 0, as bits in row-major order, and how many come before each chunk of them: one
 * pass over the elements, after which outputs of the right length can be made and chunks be filled side by side. */
#ifndef TSR_OPS_MASK_BITS_H
#define TSR_OPS_MASK_BITS_H

#include "core/call.h"

enum { TSR__BITS_CHUNK = 4096 }; /* elements */

typedef struct tsr__bits {
  uint64_t *words;   /* bit i % 64 of word i / 64 is element i; those past the end are 0 */
  tsr_index *before; /* set bits before each chunk */
  tsr_index n, chunks, count;
  const tsr_tensor *contiguous; /* the contiguous elements: the tensor itself, or a copy of it as bools */
  tsr_tensor copy;
} tsr__bits;

/* The memory for the bits of x, whose dtype converts to bool; and, after tsr__call_start, the bits. */
tsr_status tsr__bits_new(tsr__call *call, const tsr_tensor *x, tsr__bits *bits);
void tsr__bits_read(const tsr_ctx *ctx, const tsr_tensor *x, tsr__bits *bits);

/* Whether input 1, the mask, is bool and broadcasts to input 0; *view is it over that one's shape. */
tsr_status tsr__mask_check(const tsr__call *call, tsr_tensor *view);

/* Calls fn for all chunks, on the context's threads. */
typedef void tsr__chunk_fn(const void *arg, const tsr__bits *bits, tsr_index chunk);
void tsr__bits_run(const tsr_ctx *ctx, const tsr__bits *bits, tsr__chunk_fn *fn, const void *arg);

/* The places of the set bits, to rows of out; the elements there of a contiguous tensor, to a vector (nonzero.c, select.c). */
void tsr__bits_to_places(const tsr_ctx *ctx, const tsr__bits *bits, const tsr_tensor *x, const tsr_tensor *out);
void tsr__bits_to_elements(const tsr_ctx *ctx, const tsr__bits *bits, const tsr_tensor *masked, const tsr_tensor *out);

/* t contiguous and apart from the output: itself, or room for a copy, which tsr__fill_unaliased fills. */
tsr_status tsr__call_contiguous(tsr__call *call, const tsr_tensor *t, tsr_tensor *contiguous);

/* ---- the set bits of one chunk ---- */

/* The number of the lowest set bit. */
static inline int tsr__lowest(uint64_t word) { return __builtin_ctzll(word); }

/* Words of a chunk; the last may have fewer. */
static inline tsr_index tsr__bits_end(const tsr__bits *bits, tsr_index chunk) {
  const tsr_index words = (bits->n + 63) / 64, end = (chunk + 1) * (TSR__BITS_CHUNK / 64);
  return end < words ? end : words;
}

/* ---- where an element lies, for those that come one after another ---- */

typedef struct tsr__bit_place {
  tsr_index first, end; /* the row of the last axis that was looked at: its elements' numbers */
  tsr_index index[TSR_MAX_DIMS];
} tsr__bit_place;

/* Goes to the row that element number is in, which is at or past end. */
static inline void tsr__bit_place_seek(tsr__bit_place *place, int ndim, const tsr_index *shape, tsr_index number) {
  const tsr_index length = ndim > 0 ? shape[ndim - 1] : 1;
  tsr_index row = number / length;
  place->first = row * length;
  place->end = place->first + length;
  for (int k = ndim - 2; k >= 0; k--) {
    place->index[k] = row % shape[k];
    row /= shape[k];
  }
}

#endif
