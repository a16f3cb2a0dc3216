/* tsr_argsort: keys with their indices, sorted; the indices. */
#include "cpu/parallel.h"
#include "ops/sort/lines.h"
#include "ops/sort/ops.h"
#include "ops/sort/radix.h"

static void store_indices(const tsr__sort_lines *l, bool wide, const void *sorted, char *out) {
  for (tsr_index i = 0; i < l->length; i++)
    *(tsr_index *)(void *)(out + (ptrdiff_t)i * l->step[1]) = tsr__pair_index(wide, sorted, i);
}

#if TSR_HAVE_MALLOC

/* ---- pairs of 64 bits, in vectors ---- */

static const tsr__pair_rows *const rows_of[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__pair_rows);

typedef struct pairing {
  const tsr__keys *k;
  const char *keys;
  tsr__key64 *pairs;
  int shift; /* keys of 8 bytes: bits below those that a pair has room for */
  tsr_index *index;
} pairing;

static void make_pairs(void *arg, tsr_index begin, tsr_index end, int worker) {
  const pairing *const p = arg;
  const tsr__key64 *const keys = (const void *)p->keys;
  const int bytes = p->k->bytes;
  (void)worker;
  if (bytes < 8) {
    rows_of[p->k->isa]->make[bytes == 4 ? 2 : bytes - 1](end - begin, p->keys + (ptrdiff_t)begin * bytes, begin,
                                                         p->pairs + begin);
    return;
  }
  for (tsr_index i = begin; i < end; i++) p->pairs[i] = (keys[i] >> p->shift) << 32 | (uint32_t)i;
}

static void take_indices(void *arg, tsr_index begin, tsr_index end, int worker) {
  const pairing *const p = arg;
  (void)worker;
  rows_of[p->k->isa]->indices(end - begin, p->pairs + begin, p->index + begin);
}

static void for_pieces(const tsr__keys *k, tsr_index n, tsr_range_fn *fn, pairing *p) {
  if (k->shared)
    tsr__parallel_for(k->ctx, n, TSR__SHARED_GRAIN, fn, p);
  else
    fn(p, 0, n, 0);
}

/* How far keys of 8 bytes are shifted, so that 32 bits begin with the first that is not the same in all. */
static int shift_for(tsr_index n, const tsr__key64 *keys) {
  uint64_t different = 0;
  for (tsr_index i = 1; i < n; i++) different |= keys[i] ^ keys[0];
  int shift = 0;
  while (shift < 32 && different >> shift > UINT32_MAX) shift++;
  return shift;
}

/* The pairs of keys that agree in those 32 bits, by the bits below: no more than 32 again. */
static void sort_ties(const tsr__sorter *s, const pairing *p, tsr_index n, tsr__key64 *room) {
  const tsr__key64 *const keys = (const void *)p->keys;
  const uint64_t below = (UINT64_C(1) << p->shift) - 1;
  tsr__key64 *const pairs = p->pairs;
  for (tsr_index i = 0, end; i < n; i = end) {
    const uint64_t top = pairs[i] >> 32;
    for (end = i + 1; end < n && pairs[end] >> 32 == top;) end++;
    if (end - i == 1) continue;
    for (tsr_index at = i; at < end; at++)
      pairs[at] = (keys[pairs[at] & UINT32_MAX] & below) << 32 | (pairs[at] & UINT32_MAX);
    tsr__split_sort(s, 8, end - i, pairs + i, room + i);
  }
}

/* Memory: tables, two rows of pairs, and for keys of 8 bytes these. */
static void argsort_vectors(const tsr__sorter *s, const tsr__sort_lines *l, char *const *at, char *memory) {
  const tsr__keys *const k = l->arg;
  const tsr_index n = l->length;
  char *const a = memory + tsr__sort_tables(k, n), *const b = a + (size_t)n * sizeof(uint64_t);
  char *const keys = k->bytes == 8 ? b + (size_t)n * sizeof(uint64_t) : b;
  pairing p = {k, keys, (void *)a, 0, NULL};
  (void)tsr__keys_fetch(k, n, at[0], l->step[0], keys);
  if (k->bytes == 8) p.shift = shift_for(n, (const void *)keys);
  for_pieces(k, n, make_pairs, &p);
  (void)tsr__sort_pairs(k, false, n, a, b, (size_t *)(void *)memory);
  if (p.shift > 0) sort_ties(s, &p, n, (void *)b);
  p.index = (tsr_index *)(void *)at[1];
  if (l->step[1] == (ptrdiff_t)sizeof(tsr_index))
    for_pieces(k, n, take_indices, &p);
  else
    store_indices(l, false, a, at[1]);
}

size_t tsr__argsort_each(const tsr__keys *k, tsr_index n) {
  const bool vectors = tsr__sorter_of(k->isa, 8) != NULL && (uint64_t)n <= UINT32_MAX;
  return vectors ? (k->bytes == 8 ? 3u : 2u) * sizeof(uint64_t) : 2 * tsr__pair_bytes(tsr__pairs_wide(k->bytes, n));
}
#endif

static void argsort_line(const tsr__sort_lines *l, char *const *at, char *memory) {
  const tsr__keys *const k = l->arg;
  const tsr_index n = l->length;
  const bool wide = tsr__pairs_wide(k->bytes, n);
  char *const a = memory + tsr__sort_tables(k, n), *const b = a + (size_t)n * tsr__pair_bytes(wide);
#if TSR_HAVE_MALLOC
  const tsr__sorter *const s = (uint64_t)n <= UINT32_MAX ? tsr__sorter_of(k->isa, 8) : NULL;
  if (s != NULL) {
    argsort_vectors(s, l, at, memory);
    return;
  }
#endif
  (void)tsr__keys_fetch(k, n, at[0], l->step[0], b);
  tsr__pairs_make(k->bytes, wide, n, b, NULL, a);
  store_indices(l, wide, tsr__sort_pairs(k, wide, n, a, b, (size_t *)(void *)memory), at[1]);
}

static tsr_status argsort(tsr__call *call) { return tsr__sort_call(call, argsort_line, true); }

TSR__OP_LIKE(argsort, sort, argsort, 0)
tsr_status tsr_argsort(tsr_ctx *ctx, const tsr_tensor *x, int axis, bool descending, tsr_tensor *out) {
  return TSR__CALL(argsort, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .axis = axis, .descending = descending);
}
