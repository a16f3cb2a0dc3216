/* tsr_argsort: keys with their indices, sorted; the indices. */
#include "core/operand.h"
#include "ops/sort/lines.h"
#include "ops/sort/radix.h"

#include <tessera/sort.h>

static void argsort_line(const tsr__lines *l, char *const *at, char *memory) {
  const tsr__keys *const k = l->arg;
  const tsr_index  n = l->length;
  const bool       wide = tsr__pairs_wide(k->bytes, n);
  char *const      a = memory + tsr__sort_tables(k->bytes, n), *const b = a + (size_t)n * tsr__pair_bytes(wide);
  (void)tsr__keys_fetch(k, n, at[0], l->step[0], b);
  tsr__pairs_make(k->bytes, wide, n, b, NULL, a);
  const void *const sorted = tsr__sort_pairs(k->bytes, wide, n, a, b, (size_t *)(void *)memory);
  for (tsr_index i = 0; i < n; i++)
    *(tsr_index *)(void *)(at[1] + (ptrdiff_t)i * l->step[1]) = tsr__pair_index(wide, sorted, i);
}

tsr_status tsr_argsort(tsr_ctx *ctx, const tsr_tensor *x, int axis, bool descending, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  static const char op[] = "argsort";
  tsr_status        st = tsr__lines_check(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis", axis, x->ndim, &axis);
  if (st != TSR_OK) return st;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  const tsr__keys keys = tsr__keys_of(x->dtype, descending);
  tsr__lines      l = {.op = op, .run = argsort_line, .arg = &keys, .count = 1, .elements = x->shape[axis]};
  l.outputs[0] =
      (tsr__lines_out){{TSR__INDEX_DTYPE, x->layout, x->ndim, x->shape, x}, 1u << axis, axis, false, "out", out};
  l.each = 2 * tsr__pair_bytes(tsr__pairs_wide(keys.bytes, l.elements));
  l.more = tsr__sort_tables(keys.bytes, l.elements);
  return tsr__lines_run(ctx, &l, x, axis);
}
