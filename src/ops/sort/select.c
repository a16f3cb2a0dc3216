#include "ops/sort/select.h"

#include <string.h>

#define TEMPLATE "ops/sort/select.tmpl.h"
#include "ops/sort/each_key.h"

uint64_t tsr__select(int bytes, tsr_index n, const void *keys, tsr_index place, void *room, size_t *counts,
                     tsr_index *less) {
  switch (bytes) {
    case 1: return select_u8(n, keys, place, room, counts, less);
    case 2: return select_u16(n, keys, place, room, counts, less);
    case 4: return select_u32(n, keys, place, room, counts, less);
    default: return select_u64(n, keys, place, room, counts, less);
  }
}

uint64_t tsr__select_next(int bytes, tsr_index n, const void *keys, uint64_t key) {
  switch (bytes) {
    case 1: return next_u8(n, keys, (tsr__key8)key);
    case 2: return next_u16(n, keys, (tsr__key16)key);
    case 4: return next_u32(n, keys, (tsr__key32)key);
    default: return next_u64(n, keys, key);
  }
}

tsr__parts tsr__parts_of(int bytes, tsr_index n, const void *keys, tsr_index place, void *room, size_t *counts) {
  tsr__parts p = {0};
  tsr_index equal = 0;
  p.key = tsr__select(bytes, n, keys, place, room, counts, &p.next[1]);
  for (tsr_index i = 0; i < n; i++) equal += tsr__key_at(bytes, keys, i) == p.key;
  p.next[2] = p.next[1] + equal;
  return p;
}
