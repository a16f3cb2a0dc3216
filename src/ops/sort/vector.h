/* Sorting keys in vectors: what each instruction set does of it, and the sorts that are made of that. */
#ifndef TSR_OPS_SORT_VECTOR_H
#define TSR_OPS_SORT_VECTOR_H

#include "cpu/isa.h"
#include "ops/sort/keys.h"

#if TSR_HAVE_MALLOC

/* ---- kernels ---- */

/* Rows of elements to keys, and back; for sizes of 1, 2, 4, 8 bytes. */
typedef struct tsr__key_rows {
  bool (*fetch[4])(const tsr__keys *k, tsr_index n, const void *src, void *keys);
  void (*values[4])(const tsr__keys *k, tsr_index n, const void *keys, void *values);
} tsr__key_rows;

/* Rows of n elements; close: the rows are contiguous too, in the source and in the result. */
typedef struct tsr__row_batch {
  int n;
  tsr_index count;
  const char *src;
  char *dst;
  ptrdiff_t src_step, dst_step; /* from row to row, in bytes */
  bool close;
} tsr__row_batch;

/* For keys of one size. */
typedef struct tsr__sorter {
  int most; /* keys that are sorted at once; 0: the instruction set has no vectors to sort with */

  /* Sorts n ≤ most keys, 0 < n, to out, which may be keys. */
  void (*small)(int n, const void *keys, void *out);

  /* Keys up to the pivot and those above it: low_stays: the former stay, at the front of keys, and the latter go to the front
   * of room; else the other way round. Both keep their order; room is for n keys. How many stay. */
  tsr_index (*split)(tsr_index n, void *keys, void *room, uint64_t pivot, bool low_stays);

  /* Whether they are sorted. */
  bool (*rises)(tsr_index n, const void *keys);

  /* Sorts rows of contiguous elements, n ≤ row_most, without a stop in memory, up to the first that may hold a -0 or a NaN, or
   * that is not worth it any more. How many are sorted. src may be dst. */
  int row_most;
  tsr_index (*rows)(const tsr__keys *k, const tsr__row_batch *batch);
} tsr__sorter;

/* Keys of 4 bytes and less with their indices from first on: the key above, the index below; and the indices of such pairs. */
typedef struct tsr__pair_rows {
  void (*make[3])(tsr_index n, const void *keys, tsr_index first, void *pairs);
  void (*indices)(tsr_index n, const void *pairs, tsr_index *index);
} tsr__pair_rows;

typedef struct tsr__sorters {
  tsr__sorter u32, u64;
} tsr__sorters;

TSR__DECLARE_FOR_ISAS(const tsr__key_rows, tsr__key_rows)
TSR__DECLARE_FOR_ISAS(const tsr__sorters, tsr__sorters)
TSR__DECLARE_FOR_ISAS(const tsr__pair_rows, tsr__pair_rows)

/* The sorter of keys of 4 or 8 bytes; NULL where the instruction set has none. */
const tsr__sorter *tsr__sorter_of(int isa, int bytes);

/* ---- sorts ---- */

/* Sorts n keys at a, of bytes each, 4 or 8; room for as many at b. On one thread. */
void tsr__split_sort(const tsr__sorter *s, int bytes, tsr_index n, void *a, void *b);

/* The same on the threads of k->ctx; memory: tsr__shared_bytes. */
void tsr__shared_sort(const tsr__sorter *s, const tsr__keys *k, int bytes, tsr_index n, void *a, void *b, void *memory);
size_t tsr__shared_bytes(const tsr__keys *k);

/* Sorts n keys at a, of bytes each, where there is a quicker way than by digits; memory: tsr__vector_bytes. */
bool tsr__vector_sort(const tsr__keys *k, int bytes, tsr_index n, void *a, void *b, void *memory);
size_t tsr__vector_bytes(const tsr__keys *k, tsr_index n);

#endif
#endif
