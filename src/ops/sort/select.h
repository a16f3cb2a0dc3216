/* The key at one place of the sorted order, without sorting (radix select), and what to do with it. */
#ifndef TSR_OPS_SORT_SELECT_H
#define TSR_OPS_SORT_SELECT_H

#include "ops/sort/keys.h"

/* Bytes for counting. */
#define TSR__SELECT_BYTES (4 * 256 * sizeof(size_t))

/* Of n keys the one at place, 0 ≤ place < n; *less: how many keys are less. room: for n keys, which may be keys
 * itself where they are not needed again. counts: TSR__SELECT_BYTES. */
uint64_t tsr__select(int bytes, tsr_index n, const void *keys, tsr_index place, void *room, size_t *counts,
                     tsr_index *less);

/* The least of n keys that is greater; UINT64_MAX where none is. */
uint64_t tsr__select_next(int bytes, tsr_index n, const void *keys, uint64_t key);

/* Where an element goes whose key is compared with that at place: the lesser, the equal, the greater, each in order. */
typedef struct tsr__parts {
  uint64_t key;
  tsr_index next[3];
} tsr__parts;

static inline tsr_index tsr__parts_take(tsr__parts *p, uint64_t key) {
  return p->next[key < p->key ? 0 : key == p->key ? 1 : 2]++;
}

/* The parts of n keys around place. */
tsr__parts tsr__parts_of(int bytes, tsr_index n, const void *keys, tsr_index place, void *room, size_t *counts);

#endif
