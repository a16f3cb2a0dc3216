/* The way through memory: which axes are walked how. */
#include "ops/reduce/reduce.h"

static ptrdiff_t magnitude(ptrdiff_t step) { return step < 0 ? -step : step; }

/* ---- the reduced axes ---- */

static void swap_axes(tsr__reduced *reduced, int a, int b) {
  const tsr_index length = reduced->length[a];
  const ptrdiff_t step = reduced->step[a];
  reduced->length[a] = reduced->length[b];
  reduced->step[a] = reduced->step[b];
  reduced->length[b] = length;
  reduced->step[b] = step;
}

/* Upwards, and the smallest steps last: for ops that take their elements in any order. */
static void sort_axes(tsr__reduced *reduced, char **base) {
  for (int i = 0; i < reduced->ndim; i++) {
    if (reduced->step[i] >= 0) continue;
    *base += reduced->step[i] * (ptrdiff_t)(reduced->length[i] - 1);
    reduced->step[i] = -reduced->step[i];
  }
  for (int i = 1; i < reduced->ndim; i++)
    for (int at = i; at > 0 && reduced->step[at - 1] < reduced->step[at]; at--) swap_axes(reduced, at - 1, at);
}

static void merge_axes(tsr__reduced *reduced) {
  int last = 0;
  for (int i = 1; i < reduced->ndim; i++) {
    if (reduced->step[last] == reduced->step[i] * (ptrdiff_t)reduced->length[i]) {
      reduced->length[last] *= reduced->length[i];
      reduced->step[last] = reduced->step[i];
    } else if (++last != i) {
      swap_axes(reduced, last, i);
    }
  }
  reduced->ndim = last + 1;
}

static void reduced_init(tsr__reduced *reduced, const tsr__reduce *r, bool any_order, char **base) {
  const ptrdiff_t item = tsr__item(r->x);
  *reduced = (tsr__reduced){.size = r->terms.count};
  for (int i = 0; i < r->x->ndim && r->terms.count > 0; i++) {
    if ((r->axes >> i & 1) == 0 || r->x->shape[i] == 1) continue;
    reduced->length[reduced->ndim] = r->x->shape[i];
    reduced->step[reduced->ndim++] = (ptrdiff_t)r->x->stride[i] * item;
  }
  if (reduced->ndim == 0) { /* one element, or none */
    reduced->ndim = 1;
    reduced->length[0] = r->terms.count;
    reduced->step[0] = item;
    return;
  }
  if (any_order) sort_axes(reduced, base);
  merge_axes(reduced);
}

/* ---- the kept axes ---- */

/* x and out without the reduced axes, as two operands of one shape. */
static void kept_init(tsr__loop *kept, const tsr__reduce *r, const tsr_tensor *out, char *base) {
  tsr_tensor x = *r->x, y = *out;
  int n = 0;
  for (int i = 0, own = 0; i < r->x->ndim; i++) {
    const bool gone = (r->axes >> i & 1) != 0;
    if (!gone) {
      x.shape[n] = y.shape[n] = r->x->shape[i];
      x.stride[n] = r->x->stride[i];
      y.stride[n++] = out->stride[own];
    }
    own += !gone || r->keepdims;
  }
  x.ndim = y.ndim = (uint8_t)n;
  x.data = base;
  const tsr_tensor *const operands[2] = {&x, &y};
  tsr__loop_init(kept, 2, operands);
}

/* ---- rows or columns ---- */

/* By columns where neighbours in memory belong to different outputs, or where the elements of an output come in short
 * runs.
 * short_rows: short runs are as good as long ones. Both ways give the same bits. Where there is no malloc there is no
 * cache either, and by rows needs no temporary memory. */
static bool by_columns(const tsr__reduce_plan *plan, bool short_rows, bool produced) {
  const tsr__reduced *const reduced = &plan->reduced;
  const int inner = reduced->ndim - 1;
  const tsr_index outputs = plan->kept.length[0];
  const ptrdiff_t kept_step = magnitude(plan->kept.step[0][0]), step = magnitude(reduced->step[inner]);
  if (TSR__REDUCE_FAST && produced)
    return kept_step != 0 && kept_step < step; /* elements are made in the order of memory alone */
  if (!TSR__REDUCE_FAST || outputs < 8 || reduced->size < 2) return false;
  if (plan->kept.size < 4096 / reduced->size) return false;
  if (reduced->length[inner] < 32 && outputs >= 32) return !short_rows || reduced->length[inner] < 8;
  return kept_step != 0 && kept_step < step;
}

/* Rows of outputs that lie side by side already, so many that memory is still read as it lies. */
enum { SHORT_COLUMNS = 24 };

/* By columns, because there are many outputs of few elements each, which lie at one step. */
static bool is_short(const tsr__reduce_plan *plan, bool whole, bool produced) {
  const tsr__reduced *const reduced = &plan->reduced;
  if (produced || reduced->ndim != 1 || !tsr__reduce_is_short(plan->kept.length[0], reduced->size)) return false;
  if (magnitude(plan->kept.step[0][0]) < magnitude(reduced->step[0])) return reduced->size <= SHORT_COLUMNS;
  return !(whole && tsr__reduce_fills_lanes(reduced->size));
}

static tsr_index clamp(tsr_index x, tsr_index low, tsr_index high) { return x < low ? low : x > high ? high : x; }

/* Columns of a tile whose elements are produced: what is made at a time stays in the first cache. */
enum { PRODUCED_TILE = 1024, PRODUCED_LEAST = 512 };

/* Elements of a tile of outputs of few elements, and outputs. */
enum { SHORT_TILE = 65536, SHORT_MOST = 2048 };

static tsr_index short_width(tsr_index each) { return SHORT_TILE / each < SHORT_MOST ? SHORT_TILE / each : SHORT_MOST; }

/* Outputs of a tile: enough work for one task, or a stretch of memory that is read in one go. */
static tsr_index tile_width(const tsr__reduce_plan *plan, tsr_index columns) {
  const tsr_index each = plan->reduced.size > 0 ? plan->reduced.size : 1;
  if (!plan->columns) return clamp(TSR__REDUCE_TASK / each, 1, TSR__REDUCE_ROW_TILE);
  if (TSR__REDUCE_FAST && plan->few) return clamp(short_width(each), 64, plan->kept.length[0]);
  return clamp(columns, 1, plan->kept.length[0]);
}

static void cut(tsr__reduce_plan *plan, tsr_index width) {
  plan->width = width;
  plan->tiles = (plan->kept.length[0] - 1) / width + 1;
  plan->tasks = plan->kept.size / plan->kept.length[0] * plan->tiles;
}

/* Elements of a piece, or 0. */
static tsr_index piece_of(const tsr__reduce_plan *plan, int workers) {
  const tsr_index wanted = 2 * (tsr_index)workers, size = plan->reduced.size;
  tsr_index length = TSR__REDUCE_BLOCK;
  if (workers < 2 || plan->tasks >= wanted) return 0;
  while (length < size && (length * plan->width < 2 * TSR__REDUCE_TASK || size / length > 256)) length *= 2;
  return length < size ? length : 0;
}

/* Narrower tiles, where the outputs are too few for the workers and their elements too few for pieces. */
static void cut_for(tsr__reduce_plan *plan, int workers, tsr_index columns) {
  const tsr_index least = columns < TSR__REDUCE_COLUMN_TILE ? PRODUCED_LEAST : 128;
  cut(plan, tile_width(plan, columns));
  while (plan->columns && plan->width > least && workers > 1 && plan->tasks < 2 * (tsr_index)workers &&
         piece_of(plan, workers) == 0 && plan->width * plan->reduced.size > TSR__REDUCE_TASK)
    cut(plan, plan->width / 2);
  plan->piece = piece_of(plan, workers);
}

void tsr__reduce_plan_init(tsr__reduce_plan *plan, const tsr__reduce *r, const tsr_tensor *out, bool any_order,
                           bool short_rows, int workers) {
  char *base = r->x->data;
  reduced_init(&plan->reduced, r, any_order, &base);
  kept_init(&plan->kept, r, out, base);
  plan->tasks = 0;
  if (plan->kept.size == 0) return;
  const bool whole = plan->reduced.ndim == 1 && plan->reduced.step[0] == tsr__item(r->x);
  const bool rows = short_rows && whole && tsr__reduce_reads(r->compute, r->x->dtype);
  plan->few = is_short(plan, rows && !any_order, r->produced != NULL);
  plan->columns = plan->few || by_columns(plan, rows, r->produced != NULL);
  cut_for(plan, workers, TSR__REDUCE_FAST && r->produced != NULL ? PRODUCED_TILE : TSR__REDUCE_COLUMN_TILE);
}

tsr__reduce_tile tsr__reduce_tile_at(const tsr__reduce_plan *plan, tsr_index task) {
  const tsr__loop *const kept = &plan->kept;
  const tsr_index row = task / plan->tiles, first = task % plan->tiles * plan->width;
  const tsr_index left = kept->length[0] - first;
  ptrdiff_t x = kept->step[0][0] * (ptrdiff_t)first, out = kept->step[1][0] * (ptrdiff_t)first;
  tsr_index number = row;
  for (int axis = 1; axis < kept->ndim; axis++) {
    const ptrdiff_t index = (ptrdiff_t)(number % kept->length[axis]);
    number /= kept->length[axis];
    x += kept->step[0][axis] * index;
    out += kept->step[1][axis] * index;
  }
  return (tsr__reduce_tile){kept->base[0] + x, kept->base[1] + out, left < plan->width ? left : plan->width,
                            row * kept->length[0] + first};
}
