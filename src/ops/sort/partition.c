/* tsr_partition and tsr_argpartition: the key at the place, then one walk along the line. */
#include "ops/sort/lines.h"
#include "ops/sort/ops.h"
#include "ops/sort/select.h"

#include "cpu/move.h"

#include <string.h>

typedef struct partitioning {
  tsr__keys keys;
  tsr_index place;
  bool indices;
} partitioning;

static void partition_line(const tsr__sort_lines *l, char *const *at, char *memory) {
  const partitioning *const p = l->arg;
  const size_t item = (size_t)p->keys.bytes;
  char *const keys = memory + TSR__SELECT_BYTES, *const room = keys + (size_t)l->length * item;
  (void)tsr__keys_fetch(&p->keys, l->length, at[0], l->step[0], keys);
  tsr__parts parts = tsr__parts_of(p->keys.bytes, l->length, keys, p->place, room, (size_t *)(void *)memory);
  if (!p->indices) tsr__move_row(item, l->length, at[0], l->step[0], room, p->keys.bytes); /* it may be in place */
  for (tsr_index i = 0; i < l->length; i++) {
    char *const to = at[1] + (ptrdiff_t)tsr__parts_take(&parts, tsr__key_at(p->keys.bytes, keys, i)) * l->step[1];
    if (p->indices)
      memcpy(to, &i, sizeof i);
    else
      memcpy(to, room + (size_t)i * item, item);
  }
}

static tsr_status partition_lines(tsr__call *call, bool indices) {
  const tsr__partition_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0];
  const tsr_index place = attrs->place;
  int axis = attrs->axis;
  const tsr_status st = tsr__lines_check(call, &axis);
  if (st != TSR_OK) return st;
  const tsr_index length = x->shape[axis];
  if (place < -length || place >= length)
    return TSR__FAIL(call->ctx, TSR_EINDEX, call->op, "place", "%l is out of range for axis %d of x %t", (int64_t)place,
                     axis, x);
  const partitioning p = {tsr__keys_of(call->ctx, x->dtype, false), place < 0 ? place + length : place, indices};
  tsr__sort_lines l = {.run = partition_line, .arg = &p, .elements = length};
  const int dtype = indices ? TSR__INDEX_DTYPE : x->dtype;
  l.outputs[0] = (tsr__lines_out){{dtype, x->layout, x->ndim, x->shape, x}, 1u << axis, axis, !indices};
  l.each = 2 * (size_t)p.keys.bytes;
  l.more = TSR__SELECT_BYTES;
  return tsr__lines_call(call, &l, (uint32_t)1 << axis);
}

static tsr_status partition(tsr__call *call) { return partition_lines(call, false); }

TSR__OP(partition, partition, 0)
tsr_status tsr_partition(tsr_ctx *ctx, const tsr_tensor *x, tsr_index place, int axis, tsr_tensor *out) {
  return TSR__CALL(partition, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .place = place, .axis = axis);
}

static tsr_status argpartition(tsr__call *call) { return partition_lines(call, true); }

TSR__OP_LIKE(argpartition, partition, argpartition, 0)
tsr_status tsr_argpartition(tsr_ctx *ctx, const tsr_tensor *x, tsr_index place, int axis, tsr_tensor *out) {
  return TSR__CALL(argpartition, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .place = place, .axis = axis);
}
