/* Which sort keys take where there are kernels: those of 4 and 8 bytes are split and sorted in vectors; those of 2 are
 * widened, or counted where there are many; those of 1 are counted. */
#include "ops/sort/vector.h"

#if TSR_HAVE_MALLOC
#include <string.h>

static const tsr__sorters *const sorters[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__sorters);

const tsr__sorter *tsr__sorter_of(int isa, int bytes) {
  const tsr__sorter *const s = bytes == 4 ? &sorters[isa]->u32 : &sorters[isa]->u64;
  return s->most > 0 ? s : NULL;
}

/* Keys of 1 byte up to FEW go the way of base; keys of 2 bytes up to MANY are widened. */
enum { FEW = 64, MANY = 32768 };

/* ---- counting ---- */

static void sort_halves(tsr_index n, tsr__key16 *keys, uint32_t *counts) {
  memset(counts, 0, 65536 * sizeof *counts);
  for (tsr_index i = 0; i < n; i++) counts[keys[i]]++;
  for (uint32_t value = 0; value < 65536; value++) {
    const uint32_t count = counts[value];
    for (uint32_t i = 0; i < count; i++) keys[i] = (tsr__key16)value;
    keys += count;
  }
}

/* Four tables, so that equal keys side by side do not wait for each other. */
static void sort_bytes(tsr_index n, tsr__key8 *keys) {
  uint32_t counts[4][256] = {{0}};
  tsr_index i = 0;
  for (; i + 4 <= n; i += 4)
    for (int t = 0; t < 4; t++) counts[t][keys[i + t]]++;
  for (; i < n; i++) counts[0][keys[i]]++;
  for (int value = 0; value < 256; value++) {
    const size_t count = (size_t)counts[0][value] + counts[1][value] + counts[2][value] + counts[3][value];
    memset(keys, value, count);
    keys += count;
  }
}

/* ---- keys of 2 bytes as keys of 4 ---- */

static void sort_widened(const tsr__sorter *s, tsr_index n, tsr__key16 *keys, tsr__key32 *wide) {
  for (tsr_index i = 0; i < n; i++) wide[i] = keys[i];
  tsr__split_sort(s, 4, n, wide, wide + n);
  for (tsr_index i = 0; i < n; i++) keys[i] = (tsr__key16)wide[i];
}

/* ---- the choice ---- */

size_t tsr__vector_bytes(const tsr__keys *k, tsr_index n) {
  const size_t shared = k->shared ? tsr__shared_bytes(k) : 0;
  if (k->bytes != 2) return shared;
  const size_t own = n > MANY ? 65536 * sizeof(uint32_t) : 2 * (size_t)n * sizeof(tsr__key32);
  return own > shared ? own : shared;
}

bool tsr__vector_sort(const tsr__keys *k, int bytes, tsr_index n, void *a, void *b, void *memory) {
  const tsr__sorter *const s = tsr__sorter_of(k->isa, bytes == 2 ? 4 : bytes);
  const bool counts = (uint64_t)n <= UINT32_MAX;
  if (bytes == 1 && counts && n > FEW) {
    sort_bytes(n, a);
  } else if (bytes == 2 && counts && n > MANY) {
    sort_halves(n, a, memory);
  } else if (bytes == 1 || s == NULL) {
    return false;
  } else if (bytes == 2) {
    sort_widened(s, n, a, memory);
  } else if (k->shared && n >= TSR__SHARED_LEAST) {
    tsr__shared_sort(s, k, bytes, n, a, b, memory);
  } else {
    tsr__split_sort(s, bytes, n, a, b);
  }
  return true;
}

#endif
