/* The memory planner: checks, temporary memory, and the course of a plan. */
#include "memory/planner.h"

/* How many placed rectangles one plan may look at, whatever it finds: an end that does not depend on a clock. Looking
 * at all of them takes a few milliseconds. */
#define WORK 6500000

/* Bytes of all arrays for one item, the strictest alignment first; rect_begin has one entry more than items. */
enum {
  BYTES_PER_ITEM =
      sizeof(uint64_t) + 4 * sizeof(size_t) + sizeof(tsr__plan_placed) + sizeof(tsr__plan_rect) + 7 * sizeof(int32_t)
};

static bool workspace_bytes(int32_t n, size_t *bytes) {
  *bytes = 0;
  if (n == 0) return true;
  return tsr__mul_size((size_t)n, BYTES_PER_ITEM, bytes) && tsr__add_size(*bytes, sizeof(int32_t), bytes);
}

static tsr_status workspace_overflow(tsr_ctx *ctx, const char *op, int32_t n) {
  return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "n", "%d: temporary memory for so many items does not fit", (int)n);
}

tsr_status tsr_plan_workspace_size(tsr_ctx *ctx, int32_t n, size_t *bytes) {
  static const char op[] = "plan_workspace_size";
  if (n < 0) return TSR__FAIL(ctx, TSR_EARG, op, "n", "is %d", (int)n);
  if (bytes == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "bytes", "is NULL");
  size_t needed;
  if (!workspace_bytes(n, &needed) || (n > 0 && !tsr__add_size(needed, TSR_DATA_ALIGN - 1, &needed))) {
    return workspace_overflow(ctx, op, n);
  }
  *bytes = needed;
  return TSR_OK;
}

/* The next count·size bytes of the workspace. */
static void *cut(uint8_t **workspace, size_t count, size_t size) {
  void *const piece = *workspace;
  *workspace += count * size;
  return piece;
}

static void lay_out(tsr__planner *planner, void *workspace) {
  uint8_t *at = workspace;
  const size_t n = (size_t)planner->n;
  planner->key = cut(&at, n, sizeof(uint64_t));
  planner->live = cut(&at, 2 * n, sizeof(size_t));
  planner->offset = cut(&at, n, sizeof(size_t));
  planner->best_offset = cut(&at, n, sizeof(size_t));
  planner->placed = cut(&at, n, sizeof(tsr__plan_placed));
  planner->rect = cut(&at, n, sizeof(tsr__plan_rect));
  planner->taker = cut(&at, n, sizeof(int32_t));
  planner->block_of = cut(&at, n, sizeof(int32_t));
  planner->step = cut(&at, n, sizeof(int32_t));
  planner->order = cut(&at, n, sizeof(int32_t));
  planner->spare = cut(&at, n, sizeof(int32_t));
  planner->best_order = cut(&at, n, sizeof(int32_t));
  planner->rect_begin = cut(&at, n + 1, sizeof(int32_t));
}

/* Packs an order up to limit, and keeps it when all of it fits. */
static void try_order(tsr__planner *planner, int kind, size_t limit) {
  size_t peak;
  tsr__plan_order(planner, kind);
  if (tsr__plan_pack(planner, 0, limit, &peak) == planner->blocks) tsr__plan_keep(planner, peak);
}

/* Tries the orders from kind on for something smaller than the best so far; they stop where they are no better. */
static void try_orders(tsr__planner *planner, int kind) {
  for (; kind < TSR__PLAN_ORDERS && planner->best > planner->lower_bound && planner->work_left > 0; kind++) {
    try_order(planner, kind, planner->best - 1);
  }
}

/* Returns how many items took a slot. */
static int32_t find_plan(tsr__planner *planner, size_t *lower_bound) {
  planner->work_left = WORK;
  tsr__plan_build(planner, true);
  *lower_bound = planner->lower_bound;
  const int32_t merged = planner->merged;
  try_order(planner, 0, SIZE_MAX);
  try_orders(planner, 1);
  tsr__plan_improve(planner);
  if (merged == 0 || planner->best == planner->lower_bound) return merged;
  /* Chains are harder to place than their parts: perhaps it is better without. */
  const size_t best = planner->best;
  tsr__plan_build(planner, false);
  try_orders(planner, 0);
  return planner->best < best ? 0 : merged;
}

static void write_plan(const tsr__planner *planner, tsr_plan_item *items) {
  for (int32_t i = 0; i < planner->n; i++) items[i].offset = planner->best_offset[i];
}

/* The sum of all slots. Once it fits, nothing that a plan adds up can wrap. */
static tsr_status sum_slots(tsr_ctx *ctx, const char *op, tsr__planner *planner) {
  const size_t align = planner->align;
  for (int32_t i = 0; i < planner->n; i++) {
    const size_t bytes = planner->items[i].bytes;
    if (bytes <= SIZE_MAX - (align - 1) &&
        tsr__add_size(planner->unshared, tsr__align_up(bytes, align), &planner->unshared)) {
      continue;
    }
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "items", "[%d]: with its %z bytes the sum of all does not fit", (int)i,
                     bytes);
  }
  return TSR_OK;
}

static tsr_status check_and_get_scratch(tsr_ctx *ctx, const char *op, tsr__planner *planner, tsr__scratch *scratch) {
  size_t bytes;
  tsr_status st = tsr__plan_check_items(ctx, op, planner->n, planner->items, planner->align);
  if (st == TSR_OK) st = sum_slots(ctx, op, planner);
  if (st == TSR_OK && !workspace_bytes(planner->n, &bytes)) st = workspace_overflow(ctx, op, planner->n);
  return st == TSR_OK ? tsr__scratch_get(ctx, op, bytes, scratch) : st;
}

tsr_status tsr_plan(tsr_ctx *ctx, int32_t n, tsr_plan_item *items, size_t align, tsr_plan_report *report) {
  tsr__planner planner = {.n = n, .items = items, .align = align == 0 ? TSR_DATA_ALIGN : align};
  tsr_plan_report found = {0};
  tsr__scratch scratch;
  const tsr_status st = check_and_get_scratch(ctx, "plan", &planner, &scratch);
  if (st != TSR_OK) return st;
  if (n > 0) {
    lay_out(&planner, scratch.data);
    found.in_place = find_plan(&planner, &found.lower_bound);
    found.planned = planner.best;
    found.unshared = planner.unshared;
    write_plan(&planner, items);
  }
  tsr__scratch_put(&scratch);
  if (report != NULL) *report = found;
  return TSR_OK;
}
