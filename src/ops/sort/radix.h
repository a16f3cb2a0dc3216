/* Sorting keys, and keys with the index of their element. Stable. In vectors where there are such (vector.h); else short
 * rows are merged, long ones distributed by their bytes from the last to the first (LSD radix); a byte that all keys
 * share is skipped, and so is a row that is sorted. */
#ifndef TSR_OPS_SORT_RADIX_H
#define TSR_OPS_SORT_RADIX_H

#include "ops/sort/vector.h"

/* Up to so many elements for each byte of the key merging is quicker than counting, which has tables to clear. */
enum { TSR__RADIX_SHORT = 48 };

/* Bytes for counting: a table for each byte of a key, none for a short line; and what other sorts need. */
#define TSR__RADIX_TABLE (256 * sizeof(size_t))
static inline size_t tsr__sort_tables(const tsr__keys *k, tsr_index n) {
  const size_t tables = n <= TSR__RADIX_SHORT * k->bytes ? 0 : (size_t)k->bytes * TSR__RADIX_TABLE;
#if TSR_HAVE_MALLOC
  const size_t other = (tsr__vector_bytes(k, n) + 63) & ~(size_t)63;
  return other > tables ? other : tables;
#else
  return tables;
#endif
}

/* A key of 8 bytes, or of a row that is longer than 32 bits count, with its index. */
typedef struct tsr__pair {
  uint64_t key, index;
} tsr__pair;

/* Any other key is the upper half of 64 bits, with its index in the lower one. */
static inline bool tsr__pairs_wide(int key_bytes, tsr_index n) { return key_bytes > 4 || (uint64_t)n > UINT32_MAX; }
static inline size_t tsr__pair_bytes(bool wide) { return wide ? sizeof(tsr__pair) : sizeof(uint64_t); }

static inline tsr_index tsr__pair_index(bool wide, const void *pairs, tsr_index i) {
  return (tsr_index)(wide ? ((const tsr__pair *)pairs)[i].index : ((const tsr__key64 *)pairs)[i] & UINT32_MAX);
}
static inline uint64_t tsr__pair_key(bool wide, const void *pairs, tsr_index i) {
  return wide ? ((const tsr__pair *)pairs)[i].key : ((const tsr__key64 *)pairs)[i] >> 32;
}

/* Sorts n keys at a; b is room for as many, counts for tsr__sort_tables. Where they are then: a or b. */
void *tsr__sort_keys(const tsr__keys *k, tsr_index n, void *a, void *b, size_t *counts);

/* The keys with their indices: index[i], or i where index is NULL. pairs is no part of keys. */
void tsr__pairs_make(int bytes, bool wide, tsr_index n, const void *keys, const tsr_index *index, void *pairs);

/* As tsr__sort_keys, by the keys, which have bytes each. */
void *tsr__sort_pairs(const tsr__keys *k, bool wide, tsr_index n, void *a, void *b, size_t *counts);

/* Temporary bytes of tsr_argsort for each of n elements, beside tables. */
#if TSR_HAVE_MALLOC
size_t tsr__argsort_each(const tsr__keys *k, tsr_index n);
#else
static inline size_t tsr__argsort_each(const tsr__keys *k, tsr_index n) {
  return 2 * tsr__pair_bytes(tsr__pairs_wide(k->bytes, n));
}
#endif

#if TSR_HAVE_MALLOC
/* By one byte of keys of 4 or 8: stable. Where they are then. */
void *tsr__radix_digit(int bytes, tsr_index n, void *a, void *b, int digit);
#endif

#endif
