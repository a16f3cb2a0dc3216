/* Items into blocks, and what is alive when. */
#include "memory/planner.h"
#include <string.h>

static size_t slot_of(const tsr__planner *planner, int32_t i) {
  return tsr__align_up(planner->items[i].bytes, planner->align);
}

/* Gives each slot to the largest item that may take it. All who may begin at the same step, and only there does taking
 * save bytes: so no other choice has a smaller lower bound. */
static void choose_takers(tsr__planner *planner) {
  for (int32_t i = 0; i < planner->n; i++) {
    if (slot_of(planner, i) == 0 || !tsr__plan_may_take(planner->items, i, planner->align)) continue;
    int32_t *taker = &planner->taker[planner->items[i].in_place - 1];
    if (*taker < 0 || slot_of(planner, i) > slot_of(planner, *taker)) *taker = i;
  }
}

static bool took_a_slot(const tsr__planner *planner, int32_t i) {
  const int32_t in_place = planner->items[i].in_place;
  return in_place != 0 && planner->taker[in_place - 1] == i;
}

/* Adds item i to the block whose first rectangle is begin. At the step where it takes over, the owner's slot is the
 * larger one and counts. */
static void add_to_block(tsr__planner *planner, int32_t begin, int32_t i) {
  const tsr_plan_item *item = &planner->items[i];
  const size_t bytes = slot_of(planner, i);
  if (planner->rects == begin) {
    planner->rect[planner->rects++] = (tsr__plan_rect){bytes, item->first, item->last};
    return;
  }
  tsr__plan_rect *top = &planner->rect[planner->rects - 1];
  if (item->last == top->last) return;
  if (bytes == top->bytes) {
    top->last = item->last;
  } else {
    planner->rect[planner->rects++] = (tsr__plan_rect){bytes, top->last + 1, item->last};
  }
}

static void make_block(tsr__planner *planner, int32_t head) {
  const int32_t begin = planner->rects;
  planner->rect_begin[planner->blocks] = begin;
  for (int32_t i = head; i >= 0; i = planner->taker[i]) {
    planner->block_of[i] = planner->blocks;
    add_to_block(planner, begin, i);
    if (i != head) planner->merged++;
  }
  planner->blocks++;
}

/* ---- the sums ---- */

/* The order of the rectangles by first or by last step, ascending. */
static void sort_rects(tsr__planner *planner, bool by_first, int32_t *index) {
  for (int32_t r = 0; r < planner->rects; r++) {
    const int64_t at = by_first ? planner->rect[r].first : planner->rect[r].last;
    planner->key[r] = (uint64_t)(INT32_MAX - at);
    index[r] = r;
  }
  tsr__plan_sort(planner->key, planner->rects, index, planner->spare);
}

/* Fills step and the leaves of the tree, which are moved behind its inner nodes once their number is known. */
static void sum_live(tsr__planner *planner) {
  int32_t *const begins = planner->order, *const ends = planner->best_order;
  sort_rects(planner, true, begins);
  sort_rects(planner, false, ends);
  size_t sum = 0;
  int32_t ended = 0, steps = 0;
  for (int32_t begun = 0; begun < planner->rects; steps++) {
    const int32_t now = planner->rect[begins[begun]].first;
    for (; begun < planner->rects && planner->rect[begins[begun]].first == now; begun++) {
      sum += planner->rect[begins[begun]].bytes;
    }
    for (; planner->rect[ends[ended]].last < now; ended++) sum -= planner->rect[ends[ended]].bytes;
    planner->step[steps] = now;
    planner->live[steps] = sum;
  }
  planner->steps = steps;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static void grow_tree(tsr__planner *planner) {
  size_t *const live = planner->live;
  const int32_t steps = planner->steps;
  memmove(live + steps, live, (size_t)steps * sizeof *live);
  for (int32_t j = steps - 1; j > 0; j--) live[j] = larger(live[2 * j], live[2 * j + 1]);
}

/* How many steps come before at. */
static int32_t steps_before(const tsr__planner *planner, int64_t at) {
  int32_t low = 0, high = planner->steps;
  while (low < high) {
    const int32_t middle = low + (high - low) / 2;
    if (planner->step[middle] < at) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

/* The largest sum among steps begin … end - 1. */
static size_t most_live(const tsr__planner *planner, int32_t begin, int32_t end) {
  size_t most = 0;
  for (begin += planner->steps, end += planner->steps; begin < end; begin /= 2, end /= 2) {
    if (begin % 2 != 0) most = larger(most, planner->live[begin++]);
    if (end % 2 != 0) most = larger(most, planner->live[--end]);
  }
  return most;
}

size_t tsr__plan_breadth(const tsr__planner *planner, int32_t b) {
  const tsr__plan_rect *first = &planner->rect[planner->rect_begin[b]];
  const tsr__plan_rect *last = &planner->rect[planner->rect_begin[b + 1] - 1];
  return most_live(planner, steps_before(planner, first->first), steps_before(planner, (int64_t)last->last + 1));
}

void tsr__plan_build(tsr__planner *planner, bool in_place) {
  planner->blocks = planner->rects = planner->merged = 0;
  for (int32_t i = 0; i < planner->n; i++) planner->taker[i] = planner->block_of[i] = -1;
  if (in_place) choose_takers(planner);
  for (int32_t i = 0; i < planner->n; i++) {
    if (slot_of(planner, i) > 0 && !took_a_slot(planner, i)) make_block(planner, i);
  }
  planner->rect_begin[planner->blocks] = planner->rects;
  sum_live(planner);
  grow_tree(planner);
  planner->lower_bound = most_live(planner, 0, planner->steps);
}
