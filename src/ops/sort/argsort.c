/* tsr_argsort: keys with their indices, sorted; the indices. */
#include "ops/sort/lines.h"
#include "ops/sort/ops.h"
#include "ops/sort/radix.h"

static void argsort_line(const tsr__sort_lines *l, char *const *at, char *memory) {
  const tsr__keys *const k = l->arg;
  const tsr_index n = l->length;
  const bool wide = tsr__pairs_wide(k->bytes, n);
  char *const a = memory + tsr__sort_tables(k->bytes, n), *const b = a + (size_t)n * tsr__pair_bytes(wide);
  (void)tsr__keys_fetch(k, n, at[0], l->step[0], b);
  tsr__pairs_make(k->bytes, wide, n, b, NULL, a);
  const void *const sorted = tsr__sort_pairs(k->bytes, wide, n, a, b, (size_t *)(void *)memory);
  for (tsr_index i = 0; i < n; i++)
    *(tsr_index *)(void *)(at[1] + (ptrdiff_t)i * l->step[1]) = tsr__pair_index(wide, sorted, i);
}

static tsr_status argsort(tsr__call *call) { return tsr__sort_call(call, argsort_line, true); }

TSR__OP_LIKE(argsort, sort, argsort, 0)
tsr_status tsr_argsort(tsr_ctx *ctx, const tsr_tensor *x, int axis, bool descending, tsr_tensor *out) {
  return TSR__CALL(argsort, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .axis = axis, .descending = descending);
}
