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

static tsr_status argsort(tsr__call *call) {
  const tsr__sort_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0];
  int axis = attrs->axis;
  const tsr_status st = tsr__lines_check(call, &axis);
  if (st != TSR_OK) return st;
  const tsr__keys keys = tsr__keys_of(x->dtype, attrs->descending);
  tsr__sort_lines l = {.run = argsort_line, .arg = &keys, .elements = x->shape[axis]};
  l.outputs[0] = (tsr__lines_out){{TSR__INDEX_DTYPE, x->layout, x->ndim, x->shape, x}, 1u << axis, axis, false};
  l.each = 2 * tsr__pair_bytes(tsr__pairs_wide(keys.bytes, l.elements));
  l.more = tsr__sort_tables(keys.bytes, l.elements);
  return tsr__lines_call(call, &l, (uint32_t)1 << axis);
}

TSR__OP_LIKE(argsort, sort, argsort, 0)
tsr_status tsr_argsort(tsr_ctx *ctx, const tsr_tensor *x, int axis, bool descending, tsr_tensor *out) {
  return TSR__CALL(argsort, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .axis = axis, .descending = descending);
}
