/* The orders in which blocks are tried, and the sort that makes them. */
#include "memory/planner.h"
#include <string.h>

/* Merges index[begin … middle) and index[middle … end) into out. */
static void merge(const uint64_t *key, const int32_t *index, int32_t begin, int32_t middle, int32_t end, int32_t *out) {
  int32_t left = begin, right = middle;
  for (int32_t at = begin; at < end; at++) {
    const bool from_left = left < middle && (right >= end || key[index[left]] >= key[index[right]]);
    out[at] = from_left ? index[left++] : index[right++];
  }
}

static int32_t smaller(int64_t a, int32_t b) { return a < b ? (int32_t)a : b; }

void tsr__plan_sort(const uint64_t *key, int32_t count, int32_t *index, int32_t *spare) {
  int32_t *from = index, *to = spare;
  for (int64_t width = 1; width < count; width *= 2) {
    for (int64_t begin = 0; begin < count; begin += 2 * width) {
      merge(key, from, (int32_t)begin, smaller(begin + width, count), smaller(begin + 2 * width, count), to);
    }
    int32_t *const swap = from;
    from = to;
    to = swap;
  }
  if (from != index) memcpy(index, from, (size_t)count * sizeof *index);
}

/* ---- keys ---- */

static const tsr__plan_rect *first_rect(const tsr__planner *planner, int32_t b) {
  return &planner->rect[planner->rect_begin[b]];
}

static uint64_t length_of(const tsr__planner *planner, int32_t b) {
  const int64_t last = planner->rect[planner->rect_begin[b + 1] - 1].last;
  return (uint64_t)(last - first_rect(planner, b)->first) + 1;
}

static uint64_t by_size(const tsr__planner *planner, int32_t b) { return first_rect(planner, b)->bytes; }

static uint64_t by_breadth(const tsr__planner *planner, int32_t b) { return tsr__plan_breadth(planner, b); }

static uint64_t by_length(const tsr__planner *planner, int32_t b) { return length_of(planner, b); }

static uint64_t by_first_use(const tsr__planner *planner, int32_t b) {
  return (uint64_t)((int64_t)INT32_MAX - first_rect(planner, b)->first);
}

/* Size times lifetime; cut at 2^64 - 1, on 32-bit machines too: the order must not depend on the machine. */
static uint64_t by_area(const tsr__planner *planner, int32_t b) {
  uint64_t area;
  return __builtin_mul_overflow(by_size(planner, b), length_of(planner, b), &area) ? UINT64_MAX : area;
}

typedef uint64_t key_fn(const tsr__planner *planner, int32_t b);

static void sort_by(tsr__planner *planner, key_fn *key) {
  for (int32_t b = 0; b < planner->blocks; b++) planner->key[b] = key(planner, b);
  tsr__plan_sort(planner->key, planner->blocks, planner->order, planner->spare);
}

/* The likeliest to reach the lower bound first. */
void tsr__plan_order(tsr__planner *planner, int kind) {
  static key_fn *const keys[TSR__PLAN_ORDERS] = {by_breadth, by_size, by_area, by_length, by_first_use};
  for (int32_t b = 0; b < planner->blocks; b++) planner->order[b] = b;
  sort_by(planner, by_size); /* decides between equals of the second sort, which is stable */
  if (keys[kind] != by_size) sort_by(planner, keys[kind]);
}
