/* Sorting for engines: rows of elements, contiguous, one after another. */
#ifndef TSR_CUDA_ENGINES_SORT_H
#define TSR_CUDA_ENGINES_SORT_H

#include "cuda/engines/elements.h"

#include "ops/sort/keys.h"

/* Stable: elements with one key stay in order, with their bits. */
typedef struct tsr__cuda_sorting {
  tsr__keys keys;
  uint64_t rows, length;
  int passes;                        /* bytes of the keys that differ, from the last on; 0: all */
  tsr__cuda_view x;                  /* of those rows, any shape */
  bool values, index;                /* what is wanted */
  bool narrow;                       /* the index as tsr__cuda_sort_index says, not as i64 */
  tsr__cuda_ref values_to, index_to; /* values_to may be x */
  bool pivots; /* elements are only compared with their row's pivot, and go before it, to it, or behind it */
  tsr__cuda_ref pivot;
} tsr__cuda_sorting;

tsr_status tsr__cuda_plan_sort(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_sorting *s, tsr__cuda_plan *plan);

/* The dtype of places in rows of a length that stay on the device: u32 or u64. */
int tsr__cuda_sort_index(uint64_t length);

/* Of each long row the places of the k least (by the keys), to (rows, k) of tsr__cuda_sort_index, in no order; or with elements the
 * k-th least element alone, to (rows). Where tsr__cuda_selects(s). */
bool tsr__cuda_selects(const tsr__cuda_sorting *s);
tsr_status tsr__cuda_plan_select(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_sorting *s, uint64_t k, bool element,
                                 tsr__cuda_ref to, tsr__cuda_plan *plan);

/* ---- rows of a tensor ---- */

/* A tensor as rows: the axes whose bits are set behind the others. */
typedef struct tsr__cuda_rows {
  tsr__cuda_view view; /* with its axes in that order */
  uint64_t rows, length;
} tsr__cuda_rows;
tsr__cuda_rows tsr__cuda_rows_of(const tsr__cuda_view *v, uint32_t axes);

/* Rows of input 0 to read: itself where it is contiguous and not in the way of an output, or a copy. in_place: an output that lies just as it
 * is not in the way. */
tsr_status tsr__cuda_rows_in(tsr__cuda *gpu, const tsr_work *work, uint32_t axes, bool in_place, tsr__cuda_rows *rows,
                             tsr__cuda_plan *plan);

/* Rows of its elements, to be sorted. */
tsr__cuda_sorting tsr__cuda_sorting_of(const tsr__cuda_rows *rows, bool descending);

/* Rows to write: the output where it is contiguous, or temporary memory; then, after they were written, the way to the output. */
tsr__cuda_rows tsr__cuda_rows_out(const tsr_work *work, int output, uint32_t axes, tsr__cuda_plan *plan);
tsr_status tsr__cuda_rows_end(tsr__cuda *gpu, const tsr_work *work, int output, uint32_t axes,
                              const tsr__cuda_rows *rows, tsr__cuda_plan *plan);

/* An axis of a call that was checked. */
static inline int tsr__cuda_axis(int axis, int ndim) { return axis < 0 ? axis + ndim : axis; }

/* ---- kernels of these engines ---- */

/* The kernel of a file: words are lines before it, and the key is made of part. */
tsr_status tsr__cuda_sort_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_key *key, const char *words,
                                 const char *file, const char *name, unsigned shared, const tsr__cuda_kernel **kernel);

#endif
