/* The call of tsr_sort and tsr_argsort: keys, or keys with their indices, in twice the memory that they take. */
#include "ops/sort/lines.h"
#include "ops/sort/ops.h"
#include "ops/sort/radix.h"

#if TSR_HAVE_MALLOC
/* Short lines of contiguous elements, in registers from end to end. */
static tsr_index sort_batch(const tsr__sort_lines *l, tsr_index count, char *const *at) {
  const tsr__keys *const k = l->arg;
  const tsr__sorter *const s = k->bytes >= 4 ? tsr__sorter_of(k->isa, k->bytes) : NULL;
  const ptrdiff_t *const step = l->step, src_step = l->kept.step[0][0], dst_step = l->kept.step[1][0];
  const ptrdiff_t bytes = (ptrdiff_t)l->length * k->bytes;
  if (s == NULL || l->length > s->row_most || step[0] != k->bytes || step[1] != k->bytes) return 0;
  const tsr__row_batch batch = {
      (int)l->length, count, at[0], at[1], src_step, dst_step, src_step == bytes && dst_step == bytes};
  return s->rows(k, &batch);
}
#endif

tsr_status tsr__sort_call(tsr__call *call, tsr__line_fn *run, bool indices) {
  const tsr__sort_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0];
  int axis = attrs->axis;
  const tsr_status st = tsr__lines_check(call, &axis);
  if (st != TSR_OK) return st;
  const tsr_index length = x->shape[axis];
  tsr__keys keys = tsr__keys_of(call->ctx, x->dtype, attrs->descending);
  tsr__sort_lines l = {.run = run, .arg = &keys, .elements = length};
#if TSR_HAVE_MALLOC
  if (!indices) l.batch = sort_batch;
  l.one_by_one = length > 0 && tsr__keys_share(&keys, call->ctx, tsr_size(x) / length, length);
#endif
  const int dtype = indices ? TSR__INDEX_DTYPE : x->dtype;
  l.outputs[0] = (tsr__lines_out){{dtype, x->layout, x->ndim, x->shape, x}, 1u << axis, axis, !indices};
  l.each = indices ? tsr__argsort_each(&keys, l.elements) : 2 * (size_t)keys.bytes;
  l.more = tsr__sort_tables(&keys, l.elements);
  return tsr__lines_call(call, &l, (uint32_t)1 << axis);
}
