/* Sorting keys, and keys with the index of their element. Stable. Short rows are merged, long ones distributed by
 * their bytes from the last to the first (LSD radix); a byte that all keys share is skipped, and so is a row that
 * is sorted. */
#ifndef TSR_OPS_SORT_RADIX_H
#define TSR_OPS_SORT_RADIX_H

#include "ops/sort/keys.h"

/* Up to so many elements for each byte of the key merging is quicker than counting, which has tables to clear. */
enum { TSR__RADIX_SHORT = 48 };

/* Bytes for counting: a table for each byte of a key, none for a short line. */
#define TSR__RADIX_TABLE (256 * sizeof(size_t))
static inline size_t tsr__sort_tables(int key_bytes, tsr_index n) {
  return n <= TSR__RADIX_SHORT * key_bytes ? 0 : (size_t)key_bytes * TSR__RADIX_TABLE;
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
void *tsr__sort_keys(int bytes, tsr_index n, void *a, void *b, size_t *counts);

/* The keys with their indices: index[i], or i where index is NULL. pairs is no part of keys. */
void tsr__pairs_make(int bytes, bool wide, tsr_index n, const void *keys, const tsr_index *index, void *pairs);

/* As tsr__sort_keys, by the keys, which have bytes each. */
void *tsr__sort_pairs(int bytes, bool wide, tsr_index n, void *a, void *b, size_t *counts);

#endif
