/* By rows: the elements of one output, one after another, all lanes at once. */
#include "ops/reduce/engine.h"

#include <string.h>

/* Blocks are longer where they do not show in the result. */
static tsr_index block_of(const tsr__reduce_kernel *kernel) {
  return kernel->any_order ? TSR__REDUCE_LONG_BLOCK : TSR__REDUCE_BLOCK;
}

/* One block: n elements from number first on. */
static void fold_block(tsr__reader *reader, const tsr__reduce_kernel *kernel, tsr_index first, tsr_index n,
                       const void *param, tsr__reduce_cell *value) {
  _Alignas(64) char state[TSR__REDUCE_LANE_BYTES];
  tsr_index count;
  kernel->start((tsr_index)(TSR__REDUCE_LANE_BYTES / kernel->lane_bytes), state);
  for (tsr_index done = 0; done < n; done += count) {
    const void *const row = tsr__reader_next(reader, first + done, n - done, &count);
    kernel->row(state, count, row, param);
  }
  kernel->join(state, value);
}

/* A pairwise tree: tree[i] is the value of 2^i blocks where bit i of their count is set. Takes in the value of
 * 2^level blocks;
 * blocks came before them, a multiple of 2^level. */
static void tree_push(const tsr__reduce_kernel *kernel, tsr__reduce_cell *tree, int level, tsr_index blocks,
                      tsr__reduce_cell value) {
  for (; (blocks >> level & 1) != 0; level++) {
    kernel->merge(1, &tree[level], &value);
    value = tree[level];
  }
  tree[level] = value;
}

static tsr__reduce_cell tree_collapse(const tsr__reduce_kernel *kernel, tsr__reduce_cell *tree, tsr_index blocks) {
  int level = 0;
  while ((blocks >> level & 1) == 0) level++;
  tsr__reduce_cell value = tree[level];
  for (level++; blocks >> level != 0; level++) {
    if ((blocks >> level & 1) == 0) continue;
    kernel->merge(1, &tree[level], &value);
    value = tree[level];
  }
  return value;
}

#if TSR__REDUCE_FAST
/* The next group of blocks of elements that are produced, without memory for them; false: it does not go that way. */
static bool fold_produced_group(const tsr__reader *reader, const tsr__reduce_kernel *kernel, tsr_index first,
                                tsr__reduce_cell *value) {
  const tsr__source *const s = reader->source;
  _Alignas(64) char states[TSR__REDUCE_GROUP][TSR__REDUCE_LANE_BYTES];
  tsr__reduce_cell v[TSR__REDUCE_GROUP];
  const size_t state = (size_t)TSR__REDUCE_LANES * kernel->lane_bytes;
  if (s->produced == NULL || s->produced->fold == NULL || kernel->stage == NULL || s->reduced->ndim > 1 ||
      s->reduced->step[0] != s->item)
    return false;
  kernel->start(TSR__REDUCE_GROUP * TSR__REDUCE_LANES, states);
  const tsr_index number = (tsr_index)((reader->x - s->origin) / s->item) + first;
  if (!s->produced->fold(s->produced, reader->worker, number, kernel, states)) return false;
  for (int k = 0; k < TSR__REDUCE_GROUP; k++) kernel->join((const char *)states + state * (size_t)k, &v[k]);
  kernel->merge(1, &v[0], &v[1]);
  kernel->merge(1, &v[2], &v[3]);
  kernel->merge(1, &v[0], &v[2]);
  *value = v[0];
  return true;
}
#else
static bool fold_produced_group(const tsr__reader *reader, const tsr__reduce_kernel *kernel, tsr_index first,
                                tsr__reduce_cell *value) {
  (void)reader, (void)kernel, (void)first, (void)value;
  return false;
}
#endif

/* Groups of blocks that lie in one piece of memory: from first on, as far as they go. Returns where they end. */
static tsr_index fold_groups(tsr__reader *reader, const tsr__reduce_kernel *kernel, tsr_index first, tsr_index end,
                             const void *param, tsr__reduce_cell *tree) {
  const tsr_index length = TSR__REDUCE_GROUP * TSR__REDUCE_BLOCK, begin = first;
  tsr__reduce_cell value;
  for (; end - first >= length; first += length) {
    if (!fold_produced_group(reader, kernel, first, &value)) {
      const void *const row = tsr__reader_direct(reader, first, length);
      if (row == NULL) break;
      kernel->group(row, param, &value);
    }
    tree_push(kernel, tree, 2, (first - begin) / TSR__REDUCE_BLOCK, value);
  }
  return first;
}

static void fold_output(tsr__reader *reader, const tsr__reduce_kernel *kernel, tsr_index first, tsr_index end,
                        const void *param, void *result) {
  const tsr_index block = block_of(kernel), begin = first;
  tsr__reduce_cell tree[TSR__REDUCE_LEVELS], value;
  if (end - first <= block) {
    fold_block(reader, kernel, first, end - first, param, &value);
  } else {
    if (TSR__REDUCE_FAST && !kernel->any_order) first = fold_groups(reader, kernel, first, end, param, tree);
    tsr_index blocks = (first - begin) / block;
    for (; first < end; first += block, blocks++) {
      fold_block(reader, kernel, first, end - first < block ? end - first : block, param, &value);
      tree_push(kernel, tree, 0, blocks, value);
    }
    value = tree_collapse(kernel, tree, blocks);
  }
  memcpy(result, &value, tsr__reduce_value_size(kernel));
}

/* Whether all elements of an output are contiguous, as they are wanted, and are few enough for the kernel's short
 * way. */
static bool has_short_rows(const tsr__reduce_engine *e, const tsr__reduce_kernel *kernel, tsr_index n) {
  const tsr__reduced *const reduced = &e->plan.reduced;
  return e->source.same && reduced->ndim == 1 && reduced->step[0] == e->source.item && n == reduced->size &&
         n <= (e->source.produced != NULL ? TSR__REDUCE_PRODUCED - 1 : tsr__reduce_most(kernel));
}

/* The same of elements that are produced, as many outputs at a time as the slab has room for. */
static void fold_produced_rows(const tsr__reduce_engine *e, const tsr__reduce_kernel *kernel,
                               const tsr__reduce_tile *tile, tsr_index n, const char *param, char *values, int worker) {
  const ptrdiff_t size = (ptrdiff_t)tsr__reduce_value_size(kernel), step = e->plan.kept.step[0][0];
  const tsr_index room = TSR__REDUCE_PRODUCED / n, most = step == (ptrdiff_t)n * e->source.item ? room : 1;
  char *const slab = e->memory + e->bytes * (size_t)worker;
  for (tsr_index j = 0; j < tile->width; j += most) {
    const tsr_index count = tile->width - j < most ? tile->width - j : most;
    tsr__source_make(&e->source, worker, count * n, tile->x + (ptrdiff_t)j * step, slab);
    kernel->many(count, n, slab, (ptrdiff_t)n * e->source.item, param != NULL ? param + (ptrdiff_t)j * size : NULL,
                 values + (ptrdiff_t)j * size);
  }
}

void tsr__reduce_by_rows(const tsr__reduce_engine *e, const tsr__reduce_kernel *kernel, const tsr__reduce_tile *tile,
                         tsr_index first, tsr_index end, const char *param, char *values, int worker) {
  const ptrdiff_t size = (ptrdiff_t)tsr__reduce_value_size(kernel), step = e->plan.kept.step[0][0];
  tsr__reader reader;
  if (TSR__REDUCE_FAST && has_short_rows(e, kernel, end - first)) {
    if (e->source.produced == NULL) kernel->many(tile->width, end, tile->x, step, param, values);
    if (e->source.produced != NULL) fold_produced_rows(e, kernel, tile, end, param, values, worker);
    return;
  }
  for (tsr_index j = 0; j < tile->width; j++) {
    tsr__reader_init(&reader, &e->source, tile->x + (ptrdiff_t)j * step, e->memory + e->bytes * (size_t)worker, worker);
    fold_output(&reader, kernel, first, end, param != NULL ? param + (ptrdiff_t)j * size : NULL,
                values + (ptrdiff_t)j * size);
  }
}
