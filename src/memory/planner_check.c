/* What a plan may ask for, and whether a finished plan holds. */
#include "memory/planner.h"

/* A slot is taken when its owner is read for the last time by the step that writes the taker. An owner that lives for
 * one step only and asks for a slot itself gives none: three items would share bytes at that step. */
bool tsr__plan_may_take(const tsr_plan_item *items, int32_t i, size_t align) {
  if (items[i].in_place == 0) return false;
  const tsr_plan_item *owner = &items[items[i].in_place - 1];
  if (owner->last != items[i].first) return false;
  if (owner->first == owner->last && owner->in_place != 0) return false;
  return tsr__align_up(items[i].bytes, align) <= tsr__align_up(owner->bytes, align);
}

/* Whether following in_place from item i never ends. */
static bool runs_in_a_circle(int32_t n, const tsr_plan_item *items, int32_t i) {
  int32_t hops = 0;
  while (items[i].in_place != 0) {
    if (++hops > n) return true;
    i = items[i].in_place - 1;
  }
  return false;
}

static tsr_status check_in_place(tsr_ctx *ctx, const char *op, int32_t n, const tsr_plan_item *items, int32_t i) {
  const int32_t in_place = items[i].in_place;
  if (in_place < 0 || in_place > n) {
    return TSR__FAIL(ctx, TSR_EARG, op, "items", "[%d].in_place is %d: 0, or 1 + one of %d items", (int)i,
                     (int)in_place, (int)n);
  }
  if (in_place == i + 1) return TSR__FAIL(ctx, TSR_EARG, op, "items", "[%d].in_place names the item itself", (int)i);
  return TSR_OK;
}

static tsr_status check_item(tsr_ctx *ctx, const char *op, int32_t n, const tsr_plan_item *items, int32_t i) {
  if (items[i].last < items[i].first) {
    return TSR__FAIL(ctx, TSR_EARG, op, "items", "[%d] ends at step %d, before it begins at step %d", (int)i,
                     (int)items[i].last, (int)items[i].first);
  }
  return check_in_place(ctx, op, n, items, i);
}

static tsr_status check_arguments(tsr_ctx *ctx, const char *op, int32_t n, const tsr_plan_item *items, size_t align) {
  if (n < 0) return TSR__FAIL(ctx, TSR_EARG, op, "n", "is %d", (int)n);
  if (n > 0 && items == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "items", "is NULL");
  if (align == 0 || (align & (align - 1)) != 0) {
    return TSR__FAIL(ctx, TSR_EARG, op, "align", "%z is not a power of two", align);
  }
  return TSR_OK;
}

tsr_status tsr__plan_check_items(tsr_ctx *ctx, const char *op, int32_t n, const tsr_plan_item *items, size_t align) {
  tsr_status st = check_arguments(ctx, op, n, items, align);
  for (int32_t i = 0; i < n && st == TSR_OK; i++) st = check_item(ctx, op, n, items, i);
  /* Every circle has a reference to a later item; in real graphs hardly anything else has one. */
  for (int32_t i = 0; i < n && st == TSR_OK; i++) {
    if (items[i].in_place > i && runs_in_a_circle(n, items, i)) {
      st = TSR__FAIL(ctx, TSR_EARG, op, "items", "[%d].in_place leads into a circle", (int)i);
    }
  }
  return st;
}

/* ---- finished plans ---- */

/* Whether item b took the slot of item a, as it may. */
static bool shares_legally(const tsr_plan_item *items, int32_t a, int32_t b, size_t align) {
  return items[b].in_place == a + 1 && items[a].last == items[b].first && items[a].offset == items[b].offset &&
         tsr__align_up(items[b].bytes, align) <= tsr__align_up(items[a].bytes, align);
}

static bool clash(const tsr_plan_item *items, int32_t i, int32_t j, size_t align) {
  const tsr_plan_item *a = &items[i], *b = &items[j];
  if (a->bytes == 0 || b->bytes == 0) return false;
  if (a->last < b->first || b->last < a->first) return false;
  if (a->offset + a->bytes <= b->offset || b->offset + b->bytes <= a->offset) return false;
  return !shares_legally(items, i, j, align) && !shares_legally(items, j, i, align);
}

static tsr_status check_place(tsr_ctx *ctx, const char *op, const tsr_plan_item *items, int32_t i, size_t align,
                              size_t block_bytes) {
  const tsr_plan_item *item = &items[i];
  if ((item->offset & (align - 1)) != 0) {
    return TSR__FAIL(ctx, TSR_EALIGN, op, "items", "[%d] at %z is not aligned to %z", (int)i, item->offset, align);
  }
  if (item->bytes > block_bytes || item->offset > block_bytes - item->bytes) {
    return TSR__FAIL(ctx, TSR_ECAPACITY, op, "items", "[%d]: %z bytes at %z leave the block of %z", (int)i, item->bytes,
                     item->offset, block_bytes);
  }
  return TSR_OK;
}

tsr_status tsr_plan_check(tsr_ctx *ctx, int32_t n, const tsr_plan_item *items, size_t align, size_t block_bytes) {
  static const char op[] = "plan_check";
  if (align == 0) align = TSR_DATA_ALIGN;
  tsr_status st = tsr__plan_check_items(ctx, op, n, items, align);
  for (int32_t i = 0; i < n && st == TSR_OK; i++) st = check_place(ctx, op, items, i, align, block_bytes);
  for (int32_t i = 0; i < n && st == TSR_OK; i++) {
    for (int32_t j = i + 1; j < n; j++) {
      if (!clash(items, i, j, align)) continue;
      return TSR__FAIL(ctx, TSR_EOVERLAP, op, "items", "[%d] and [%d] are alive together and share bytes at %z", (int)i,
                       (int)j, items[i].offset > items[j].offset ? items[i].offset : items[j].offset);
    }
  }
  return st;
}
