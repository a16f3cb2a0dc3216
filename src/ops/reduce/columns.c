/* By columns: outputs side by side, rows of them added to rows of lanes. The lanes are those of the rows, so that
 * sums come out the same: row r of a block goes to lane r % 16, and the rows of a lane are added in order. Rows that
 * are 16 apart are added four at a time, and all lanes go forward together: memory is read in stretches of 64
 * rows. */
#include "ops/reduce/engine.h"

#include <string.h>

enum { LANES = TSR__REDUCE_LANES, FUSED = TSR__REDUCE_FUSED, STRETCH_WIDTH = 128 };

/* A pairwise tree over rows of values: row[i] is the sum of 2^i of them where bit i of count is set, and spare else. */
typedef struct tree {
  const tsr__reduce_kernel *kernel;
  tsr_index width, count;
  char **row;
} tree;

/* Takes value in, and returns a row that is not used any more. */
static char *tree_push(tree *t, char *value) {
  int level = 0;
  for (; (t->count >> level & 1) != 0; level++) {
    char *const earlier = t->row[level];
    t->kernel->merge(t->width, earlier, value);
    t->row[level] = value;
    value = earlier;
  }
  char *const spare = t->row[level];
  t->row[level] = value;
  t->count++;
  return spare;
}

/* The level whose row holds all of it, until the tree is used again. */
static int tree_collapse(tree *t) {
  int level = 0;
  while ((t->count >> level & 1) == 0) level++;
  int last = level;
  for (level++; t->count >> level != 0; level++) {
    if ((t->count >> level & 1) == 0) continue;
    t->kernel->merge(t->width, t->row[level], t->row[last]);
    last = level;
  }
  t->count = 0;
  return last;
}

/* The rows of a worker: two of results, those that elements are converted to, one of values, the lanes, the trees. */
enum {
  RESULTS = 2,
  COPIES = RESULTS,
  FRESH = COPIES + FUSED,
  STATE = FRESH + 1,
  LANE_TREE = STATE + LANES,
  LANE_LEVELS = 5,
  BLOCK_TREE = LANE_TREE + LANE_LEVELS
};

char *tsr__reduce_columns_row(const tsr__reduce_engine *e, int worker, int number) {
  return e->memory + e->bytes * (size_t)worker + e->row * (size_t)number;
}

/* The widest thing that a row holds: a value, a lane or an element. */
static size_t widest(const tsr__reduce_engine *e) {
  size_t bytes = (size_t)e->source.item;
  for (int i = 0; i < e->r->passes; i++) {
    const tsr__reduce_kernel *const kernel = e->r->pass[i].kernel;
    if (bytes < kernel->lane_bytes) bytes = kernel->lane_bytes;
    if (bytes < tsr__reduce_value_size(kernel)) bytes = tsr__reduce_value_size(kernel);
  }
  return bytes;
}

/* Whether rows that are produced are contiguous, and so few that 64 of them are made at a time. */
static bool has_stretches(const tsr__reduce_engine *e) {
  const tsr__reduced *const reduced = &e->plan.reduced;
  return e->source.produced != NULL && e->plan.width <= STRETCH_WIDTH && reduced->ndim == 1 &&
         e->plan.kept.step[0][0] == e->source.item && reduced->step[0] == (ptrdiff_t)e->plan.width * e->source.item;
}

void tsr__reduce_columns_memory(tsr__reduce_engine *e, tsr_index elements) {
  e->levels = 1;
  for (tsr_index blocks = elements / TSR__REDUCE_BLOCK + 1; blocks > 1; blocks >>= 1) e->levels++;
  e->row = tsr__align_up(widest(e) * (size_t)e->plan.width, TSR_DATA_ALIGN);
  e->bytes = e->row * (size_t)(BLOCK_TREE + e->levels);
  if (has_stretches(e))
    e->bytes += tsr__align_up((size_t)LANES * FUSED * (size_t)e->source.item * (size_t)e->plan.width, TSR_DATA_ALIGN);
}

/* ---- one block ---- */

typedef struct block {
  const tsr__reduce_engine *e;
  const tsr__reduce_kernel *kernel;
  const tsr__reduce_tile *tile;
  const char *param;
  int worker;
  char *state;     /* lanes of lane 0, of lane 1, …, contiguous */
  bool direct;     /* rows are read where they lie */
  bool contiguous; /* and are contiguous, so that 16 of them are one for all lanes */
  char *stretch;   /* rows that are produced and contiguous: those of a stretch; NULL: there are none */
} block;

static char *lane_state(const block *b, int lane) {
  return b->state + (size_t)lane * (size_t)b->tile->width * b->kernel->lane_bytes;
}

/* Where row r lies, or would lie. */
static const char *row_at(const block *b, tsr_index r) {
  const tsr__source *const s = &b->e->source;
  if (b->stretch == NULL) return tsr__source_at(s, b->tile->x, r);
  return b->stretch + (ptrdiff_t)(r % (LANES * FUSED)) * (ptrdiff_t)b->tile->width * s->item;
}

/* Adds rows first, first + 16, …, count of them, to one lane. */
static void fold_lane(const block *b, tsr_index first, int count, int lane) {
  const tsr__reduce_engine *const e = b->e;
  const char *rows[FUSED];
  for (int k = 0; k < count; k++) {
    rows[k] = row_at(b, first + k * LANES);
    if (b->direct) continue;
    char *const copy = tsr__reduce_columns_row(e, b->worker, COPIES + k);
    if (e->source.produced != NULL)
      tsr__source_make(&e->source, b->worker, b->tile->width, rows[k], copy);
    else
      tsr__source_copy(&e->source, b->tile->width, rows[k], e->plan.kept.step[0][0], copy);
    rows[k] = copy;
  }
  b->kernel->rows(lane_state(b, lane), b->tile->width, count, rows, b->param);
}

/* Adds count times 16 rows to all lanes at once. */
static void fold_contiguous(const block *b, tsr_index first, int count) {
  const char *rows[FUSED];
  for (int k = 0; k < count; k++) rows[k] = row_at(b, first + k * LANES);
  b->kernel->rows(b->state, LANES * b->tile->width, count, rows, NULL);
}

/* The rows first … end - 1, at most FUSED for a lane. */
static void fold_stretch(const block *b, tsr_index first, tsr_index end) {
  const int whole = (int)((end - first) / LANES), rest = (int)((end - first) % LANES);
  if (b->stretch != NULL)
    tsr__source_make(&b->e->source, b->worker, (end - first) * b->tile->width,
                     tsr__source_at(&b->e->source, b->tile->x, first), b->stretch);
  if (b->contiguous && whole > 0) fold_contiguous(b, first, whole);
  for (int lane = 0; lane < LANES && first + lane < end; lane++) {
    if (!b->contiguous || whole == 0)
      fold_lane(b, first + lane, whole + (lane < rest), lane);
    else if (lane < rest)
      fold_lane(b, first + whole * LANES + lane, 1, lane);
  }
}

/* The rows of one block, into the state. Returns how many lanes are used. */
static int fold_block(const block *b, tsr_index first, tsr_index end) {
  const int lanes = end - first < LANES ? (int)(end - first) : LANES;
  b->kernel->start(lanes * b->tile->width, b->state);
  for (tsr_index r = first; r < end; r += LANES * FUSED)
    fold_stretch(b, r, end - r < LANES * FUSED ? end : r + LANES * FUSED);
  return lanes;
}

/* ---- all blocks ---- */

void tsr__reduce_by_columns(const tsr__reduce_engine *e, const tsr__reduce_kernel *kernel, const tsr__reduce_tile *tile,
                            tsr_index first, tsr_index end, const char *param, char *values, int worker) {
  const tsr__reduced *const reduced = &e->plan.reduced;
  const bool stretches = has_stretches(e);
  const bool direct =
      stretches || (e->source.produced == NULL && e->source.same && e->plan.kept.step[0][0] == e->source.item);
  const bool contiguous =
      direct && param == NULL && reduced->ndim == 1 && reduced->step[0] == (ptrdiff_t)tile->width * e->source.item;
  const block b = {e,      kernel,     tile,
                   param,  worker,     tsr__reduce_columns_row(e, worker, STATE),
                   direct, contiguous, stretches ? tsr__reduce_columns_row(e, worker, BLOCK_TREE + e->levels) : NULL};
  char *lane_rows[LANE_LEVELS], *block_rows[TSR__REDUCE_LEVELS];
  tree lane_tree = {kernel, tile->width, 0, lane_rows}, block_tree = {kernel, tile->width, 0, block_rows};
  char *fresh = tsr__reduce_columns_row(e, worker, FRESH);
  for (int i = 0; i < LANE_LEVELS; i++) lane_rows[i] = tsr__reduce_columns_row(e, worker, LANE_TREE + i);
  for (int i = 0; i < e->levels; i++) block_rows[i] = tsr__reduce_columns_row(e, worker, BLOCK_TREE + i);
  for (; first < end; first += TSR__REDUCE_BLOCK) {
    const int lanes = fold_block(&b, first, end - first < TSR__REDUCE_BLOCK ? end : first + TSR__REDUCE_BLOCK);
    for (int lane = 0; lane < lanes; lane++) {
      kernel->widen(tile->width, lane_state(&b, lane), fresh);
      fresh = tree_push(&lane_tree, fresh);
    }
    const int level = tree_collapse(&lane_tree); /* its row goes to the other tree, whose spare row takes its place */
    lane_rows[level] = tree_push(&block_tree, lane_rows[level]);
  }
  memcpy(values, block_rows[tree_collapse(&block_tree)], (size_t)tile->width * tsr__reduce_value_size(kernel));
}
