/* Gap packing: each block into the lowest gap among the placed ones that are alive with it. */
#include "memory/planner.h"
#include <string.h>

/* The lowest place from low on where rect fits. Written without a branch on what is alive together: that is as good as
 * random. */
static size_t lowest_gap(tsr__planner *planner, const tsr__plan_rect *rect, size_t low) {
  const tsr__plan_placed *placed = planner->placed;
  const tsr__plan_placed *const end = placed + planner->placed_count;
  const int32_t first = rect->first, last = rect->last;
  const size_t bytes = rect->bytes;
  for (; placed < end && placed->low < low + bytes; placed++) {
    const bool in_the_way = (placed->first <= last) & (placed->last >= first) & (placed->high > low);
    low = in_the_way ? placed->high : low;
  }
  planner->work_left -= placed - planner->placed;
  return low;
}

/* The lowest place where all rectangles of block b fit: each pushes it up until none does any more. */
static size_t lowest_place(tsr__planner *planner, int32_t b) {
  const tsr__plan_rect *const begin = planner->rect + planner->rect_begin[b];
  const tsr__plan_rect *const end = planner->rect + planner->rect_begin[b + 1];
  size_t low = lowest_gap(planner, begin, 0);
  if (begin + 1 == end) return low;
  for (size_t before = low + 1; before != low;) {
    before = low;
    for (const tsr__plan_rect *rect = begin; rect < end; rect++) low = lowest_gap(planner, rect, low);
  }
  return low;
}

/* How many placed rectangles begin at low or below. */
static int32_t placed_up_to(const tsr__planner *planner, size_t low) {
  int32_t begin = 0, end = planner->placed_count;
  while (begin < end) {
    const int32_t middle = begin + (end - begin) / 2;
    if (planner->placed[middle].low <= low) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

static void place(tsr__planner *planner, int32_t rank, int32_t b, size_t low) {
  planner->offset[b] = low;
  const int32_t at = placed_up_to(planner, low);
  const int32_t rects = planner->rect_begin[b + 1] - planner->rect_begin[b];
  const int32_t after = planner->placed_count - at;
  tsr__plan_placed *placed = planner->placed + at;
  memmove(placed + rects, placed, (size_t)after * sizeof *placed);
  for (int32_t r = planner->rect_begin[b]; r < planner->rect_begin[b + 1]; r++) {
    const tsr__plan_rect *rect = &planner->rect[r];
    *placed++ = (tsr__plan_placed){low, low + rect->bytes, rect->first, rect->last, rank};
  }
  planner->placed_count += rects;
  planner->work_left -= after / 2 + 40; /* what moving, searching and ordering cost next to looking */
}

/* Forgets the places of rank from and on; returns where the highest of the others ends. */
static size_t rewind_to(tsr__planner *planner, int32_t from) {
  size_t peak = 0;
  int32_t kept = 0;
  for (int32_t i = 0; i < planner->placed_count; i++) {
    const tsr__plan_placed placed = planner->placed[i];
    planner->placed[kept] = placed;
    kept += placed.rank < from;
    if (placed.rank < from && placed.high > peak) peak = placed.high;
  }
  planner->work_left -= planner->placed_count;
  planner->placed_count = kept;
  return peak;
}

int32_t tsr__plan_pack(tsr__planner *planner, int32_t from, size_t limit, size_t *peak) {
  *peak = rewind_to(planner, from);
  for (int32_t rank = from; rank < planner->blocks; rank++) {
    const int32_t b = planner->order[rank];
    const size_t low = lowest_place(planner, b);
    const size_t high = low + planner->rect[planner->rect_begin[b]].bytes;
    if (high > limit) return rank;
    if (high > *peak) *peak = high;
    place(planner, rank, b, low);
  }
  return planner->blocks;
}

void tsr__plan_keep(tsr__planner *planner, size_t peak) {
  planner->best = peak;
  memcpy(planner->best_order, planner->order, (size_t)planner->blocks * sizeof *planner->order);
  for (int32_t i = 0; i < planner->n; i++) {
    planner->best_offset[i] = planner->block_of[i] < 0 ? 0 : planner->offset[planner->block_of[i]];
  }
}
