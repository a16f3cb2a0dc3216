/* tsr_sort: the keys of a line, sorted, back to values. */
#include "ops/sort/lines.h"
#include "ops/sort/ops.h"
#include "ops/sort/radix.h"

#include "cpu/move.h"

#include <string.h>

/* Keys do not tell zeros of both signs apart, nor NaN: these come from the line itself, in their order. */
static void sort_specials(const tsr__sort_lines *l, const tsr__keys *k, char *const *at, char *sorted, char *room) {
  const size_t item = (size_t)k->bytes;
  const tsr_index n = l->length;
  const tsr__keys_runs runs = tsr__keys_collect(k, n, sorted, at[0], l->step[0], room);
  const size_t zeros = (size_t)(runs.after_zeros - runs.zeros) * item;
  tsr__keys_values(k, n, sorted, sorted);
  memcpy(sorted + (size_t)runs.zeros * item, room, zeros);
  memcpy(sorted + (size_t)runs.nans * item, room + (size_t)runs.nans * item, (size_t)(n - runs.nans) * item);
  tsr__move_row(item, n, sorted, k->bytes, at[1], l->step[1]);
}

static void sort_line(const tsr__sort_lines *l, char *const *at, char *memory) {
  const tsr__keys *const k = l->arg;
  const tsr_index n = l->length;
  char *const a = memory + tsr__sort_tables(k, n), *const b = a + (size_t)n * (size_t)k->bytes;
  const bool special = tsr__keys_fetch(k, n, at[0], l->step[0], a);
  char *const sorted = tsr__sort_keys(k, n, a, b, (size_t *)(void *)memory);
  if (special) {
    sort_specials(l, k, at, sorted, sorted == a ? b : a);
    return;
  }
  const bool contiguous = l->step[1] == k->bytes;
  tsr__keys_values(k, n, sorted, contiguous ? at[1] : sorted);
  if (!contiguous) tsr__move_row((size_t)k->bytes, n, sorted, k->bytes, at[1], l->step[1]);
}

static tsr_status sort(tsr__call *call) { return tsr__sort_call(call, sort_line, false); }

TSR__OP(sort, sort, 0)
tsr_status tsr_sort(tsr_ctx *ctx, const tsr_tensor *x, int axis, bool descending, tsr_tensor *out) {
  return TSR__CALL(sort, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .axis = axis, .descending = descending);
}
