/* By rows: the elements of one output, one after another, all lanes at once. */
#include "ops/reduce/engine.h"

#include <string.h>

/* Blocks are longer where they do not show in the result. */
static tsr_index block_of(const tsr__reduce_kernel *kernel) {
  return kernel->any_order ? TSR__REDUCE_LONG_BLOCK : TSR__REDUCE_BLOCK;
}

/* One block: n elements from number first on. */
static void fold_block(const tsr__reduce_engine *e, const tsr__reduce_kernel *kernel, const char *x, tsr_index first,
                       tsr_index n, const void *param, tsr__reduce_cell *value) {
  _Alignas(64) char state[TSR__REDUCE_LANE_BYTES];
  tsr__chunk        chunk;
  tsr_index         count;
  kernel->start((tsr_index)(TSR__REDUCE_LANE_BYTES / kernel->lane_bytes), state);
  for (tsr_index done = 0; done < n; done += count) {
    const void *const row = tsr__source_next(&e->source, x, first + done, n - done, &chunk, &count);
    kernel->row(state, count, row, param);
  }
  kernel->join(state, value);
}

/* A pairwise tree: tree[i] is the value of 2^i blocks where bit i of their count is set. */
static void tree_push(const tsr__reduce_kernel *kernel, tsr__reduce_cell *tree, tsr_index blocks, tsr__reduce_cell value) {
  int level = 0;
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

static void fold_output(const tsr__reduce_engine *e, const tsr__reduce_kernel *kernel, const char *x, tsr_index first,
                        tsr_index end, const void *param, void *result) {
  const tsr_index  block = block_of(kernel);
  tsr__reduce_cell tree[TSR__REDUCE_LEVELS], value;
  if (end - first <= block) {
    fold_block(e, kernel, x, first, end - first, param, &value);
  } else {
    tsr_index blocks = 0;
    for (; first < end; first += block, blocks++) {
      fold_block(e, kernel, x, first, end - first < block ? end - first : block, param, &value);
      tree_push(kernel, tree, blocks, value);
    }
    value = tree_collapse(kernel, tree, blocks);
  }
  memcpy(result, &value, tsr__reduce_value_size(kernel));
}

void tsr__reduce_by_rows(const tsr__reduce_engine *e, const tsr__reduce_kernel *kernel, const tsr__reduce_tile *tile,
                         tsr_index first, tsr_index end, const char *param, char *values) {
  const ptrdiff_t size = (ptrdiff_t)tsr__reduce_value_size(kernel), step = e->plan.kept.step[0][0];
  for (tsr_index j = 0; j < tile->width; j++)
    fold_output(e, kernel, tile->x + (ptrdiff_t)j * step, first, end, param != NULL ? param + (ptrdiff_t)j * size : NULL,
                values + (ptrdiff_t)j * size);
}
