/* The planner's insides: items become blocks, blocks are put in an order, an order is packed into offsets. */
#ifndef TSR_MEMORY_PLANNER_H
#define TSR_MEMORY_PLANNER_H

#include "core/check.h"
#include <tessera/plan.h>

/* Bytes that are needed from one step to another, both included. A block is one item, or a chain of items each of which
 * took the slot of the one before; as slots only shrink along a chain, a block is a staircase of rectangles at one
 * offset, and what a small taker leaves of a large slot is free for others. */
typedef struct tsr__plan_rect {
  size_t bytes;
  int32_t first;
  int32_t last;
} tsr__plan_rect;

/* A rectangle that has its place. */
typedef struct tsr__plan_placed {
  size_t low;
  size_t high;
  int32_t first;
  int32_t last;
  int32_t rank; /* of its block in the order that is being packed */
} tsr__plan_placed;

/* All arrays are parts of one piece of temporary memory; blocks and rectangles are never more than items. */
typedef struct tsr__planner {
  int32_t n;
  size_t align;
  const tsr_plan_item *items;
  size_t unshared;

  int32_t blocks;
  int32_t rects;
  int32_t merged;      /* items that took a slot */
  size_t lower_bound;  /* of the blocks as they are */
  int32_t *taker;      /* by item: who takes its slot, or -1 */
  int32_t *block_of;   /* by item; -1 when it has no bytes */
  int32_t *rect_begin; /* by block, and one more: its rectangles are rect[rect_begin[b]] … */
  tsr__plan_rect *rect;

  int32_t *step; /* the steps at which rectangles begin, ascending: sums of live bytes peak nowhere else */
  size_t *live;  /* a tree of maxima: live[steps + j] is what is alive at step[j] */
  int32_t steps;
  uint64_t *key; /* what the sort goes by */

  int32_t *order;           /* blocks by rank */
  int32_t *spare;           /* the sort's second half */
  size_t *offset;           /* by block */
  tsr__plan_placed *placed; /* ascending by low */
  int32_t placed_count;
  int64_t work_left; /* rectangles that may still be looked at */

  size_t best; /* the smallest plan so far, its order of blocks, its offsets by item */
  int32_t *best_order;
  size_t *best_offset;
} tsr__planner;

/* ---- planner_check.c ---- */

/* Lifetimes, in_place, alignment: TSR_EARG. */
tsr_status tsr__plan_check_items(tsr_ctx *ctx, const char *op, int32_t n, const tsr_plan_item *items, size_t align);

/* Whether item i may live in the slot of the item that its in_place names. */
bool tsr__plan_may_take(const tsr_plan_item *items, int32_t i, size_t align);

/* ---- planner_live.c ---- */

/* Makes the blocks, with slots taken or without, and finds their lower bound. */
void tsr__plan_build(tsr__planner *planner, bool in_place);

/* The most bytes alive at a step of block b's life. */
size_t tsr__plan_breadth(const tsr__planner *planner, int32_t b);

/* ---- planner_order.c ---- */

#define TSR__PLAN_ORDERS 5

/* Puts the blocks into order number kind. */
void tsr__plan_order(tsr__planner *planner, int kind);

/* Sorts count indices by descending key, equal ones as they stood. */
void tsr__plan_sort(const uint64_t *key, int32_t count, int32_t *index, int32_t *spare);

/* ---- planner_pack.c ---- */

/* Packs the order from rank from on, what is placed before it unchanged, each block into the lowest gap that holds it.
 * Returns the rank of the first block that would end above limit, or the number of blocks; *peak is where the highest
 * one ends. */
int32_t tsr__plan_pack(tsr__planner *planner, int32_t from, size_t limit, size_t *peak);

/* Keeps the packed order as the best one. */
void tsr__plan_keep(tsr__planner *planner, size_t peak);

/* ---- planner_improve.c ---- */

/* Looks for smaller plans near the best one until the lower bound or the end of the work. */
void tsr__plan_improve(tsr__planner *planner);

#endif
