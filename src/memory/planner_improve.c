/* Improvement: pack towards a limit; the block that does not fit under it goes ahead of one that was in its way. */
#include "memory/planner.h"
#include <string.h>

/* Xorshift: the same choices on every machine. */
static uint32_t next_random(uint32_t *state) {
  uint32_t x = *state;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return *state = x;
}

/* Whether any rectangle of block b is alive with placed. */
static bool in_the_way(const tsr__planner *planner, int32_t b, const tsr__plan_placed *placed) {
  for (int32_t r = planner->rect_begin[b]; r < planner->rect_begin[b + 1]; r++) {
    const tsr__plan_rect *rect = &planner->rect[r];
    if (placed->first <= rect->last && placed->last >= rect->first) return true;
  }
  return false;
}

/* The rank of one of the placed rectangles that are alive with block b, each as likely: one that is met later replaces
 * the choice with the chance that makes it so. */
static int32_t pick_in_the_way(tsr__planner *planner, int32_t b, uint32_t *random) {
  int32_t met = 0, rank = 0;
  for (int32_t i = 0; i < planner->placed_count; i++) {
    if (!in_the_way(planner, b, &planner->placed[i])) continue;
    met++;
    if (((uint64_t)next_random(random) * (uint32_t)met) >> 32 == 0) rank = planner->placed[i].rank;
  }
  planner->work_left -= 2 * (int64_t)planner->placed_count;
  return rank;
}

static void move_ahead(int32_t *order, int32_t from, int32_t to) {
  const int32_t block = order[from];
  memmove(order + to + 1, order + to, (size_t)(from - to) * sizeof *order);
  order[to] = block;
}

/* Looks for a plan of at most limit bytes, for at most share of the work. */
static bool search(tsr__planner *planner, size_t limit, int64_t share, uint32_t *random) {
  const int64_t stop_at = planner->work_left - share;
  memcpy(planner->order, planner->best_order, (size_t)planner->blocks * sizeof *planner->order);
  size_t peak;
  int32_t failed = tsr__plan_pack(planner, 0, limit, &peak);
  while (failed < planner->blocks && planner->work_left > stop_at) {
    const int32_t to = pick_in_the_way(planner, planner->order[failed], random);
    move_ahead(planner->order, failed, to);
    planner->work_left -= (failed - to) / 8;
    failed = tsr__plan_pack(planner, to, limit, &peak);
  }
  if (failed < planner->blocks) return false;
  tsr__plan_keep(planner, peak);
  return true;
}

/* First straight for the lower bound, which is within reach more often than not; then halfway between what is reached
 * and what is not. */
void tsr__plan_improve(tsr__planner *planner) {
  const int64_t least = planner->work_left / 128;
  uint32_t random = 2463534242u;
  size_t missed = planner->lower_bound;
  if (planner->best <= missed || search(planner, missed, planner->work_left / 4, &random)) return;
  while (planner->best > planner->lower_bound && planner->work_left / 4 > least) {
    const size_t limit = missed + ((planner->best - missed) / 2 & ~(planner->align - 1));
    if (!search(planner, limit, planner->work_left / 4, &random)) missed = limit;
    /* Too narrow to halve: what was missed before may be within reach from the better plan. */
    const size_t gap = planner->best - missed;
    if (gap <= planner->align || gap <= planner->lower_bound / 1024) missed = planner->lower_bound;
  }
}
