/* The call of tsr_sort and tsr_argsort: keys, or keys with their indices, in twice the memory that they take. */
#include "ops/sort/lines.h"
#include "ops/sort/ops.h"
#include "ops/sort/radix.h"

tsr_status tsr__sort_call(tsr__call *call, tsr__line_fn *run, bool indices) {
  const tsr__sort_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0];
  int axis = attrs->axis;
  const tsr_status st = tsr__lines_check(call, &axis);
  if (st != TSR_OK) return st;
  const tsr__keys keys = tsr__keys_of(x->dtype, attrs->descending);
  tsr__sort_lines l = {.run = run, .arg = &keys, .elements = x->shape[axis]};
  const int dtype = indices ? TSR__INDEX_DTYPE : x->dtype;
  l.outputs[0] = (tsr__lines_out){{dtype, x->layout, x->ndim, x->shape, x}, 1u << axis, axis, !indices};
  l.each = 2 * (indices ? tsr__pair_bytes(tsr__pairs_wide(keys.bytes, l.elements)) : (size_t)keys.bytes);
  l.more = tsr__sort_tables(keys.bytes, l.elements);
  return tsr__lines_call(call, &l, (uint32_t)1 << axis);
}
