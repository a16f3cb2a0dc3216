/* tsr_partition and tsr_argpartition: the key at the place, then one walk along the line. */
#include "core/operand.h"
#include "ops/sort/lines.h"
#include "ops/sort/select.h"

#include "cpu/move.h"

#include <string.h>
#include <tessera/sort.h>

typedef struct partition {
  tsr__keys keys;
  tsr_index place;
  bool      indices;
} partition;

static void partition_line(const tsr__lines *l, char *const *at, char *memory) {
  const partition *const p = l->arg;
  const size_t item = (size_t)p->keys.bytes;
  char *const  keys = memory + TSR__SELECT_BYTES, *const room = keys + (size_t)l->length * item;
  (void)tsr__keys_fetch(&p->keys, l->length, at[0], l->step[0], keys);
  tsr__parts parts = tsr__parts_of(p->keys.bytes, l->length, keys, p->place, room, (size_t *)(void *)memory);
  if (!p->indices) tsr__move_row(item, l->length, at[0], l->step[0], room, p->keys.bytes); /* it may be in place */
  for (tsr_index i = 0; i < l->length; i++) {
    char *const to = at[1] + (ptrdiff_t)tsr__parts_take(&parts, tsr__key_at(p->keys.bytes, keys, i)) * l->step[1];
    if (p->indices) memcpy(to, &i, sizeof i);
    else memcpy(to, room + (size_t)i * item, item);
  }
}

static tsr_status run(tsr_ctx *ctx, const char *op, const tsr_tensor *x, tsr_index place, int axis, bool indices,
                      tsr_tensor *out) {
  tsr_status st = tsr__lines_check(ctx, op, "x", x);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis", axis, x->ndim, &axis);
  if (st != TSR_OK) return st;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  const tsr_index length = x->shape[axis];
  if (place < -length || place >= length)
    return TSR__FAIL(ctx, TSR_EINDEX, op, "place", "%l is out of range for axis %d of x %t", (int64_t)place, axis, x);
  const partition p = {tsr__keys_of(x->dtype, false), place < 0 ? place + length : place, indices};
  tsr__lines      l = {.op = op, .run = partition_line, .arg = &p, .count = 1, .elements = length};
  l.outputs[0] = (tsr__lines_out){
      {indices ? TSR__INDEX_DTYPE : x->dtype, x->layout, x->ndim, x->shape, x}, 1u << axis, axis, !indices, "out", out};
  l.each = 2 * (size_t)p.keys.bytes;
  l.more = TSR__SELECT_BYTES;
  return tsr__lines_run(ctx, &l, x, axis);
}

tsr_status tsr_partition(tsr_ctx *ctx, const tsr_tensor *x, tsr_index place, int axis, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return run(ctx, "partition", x, place, axis, false, out);
}

tsr_status tsr_argpartition(tsr_ctx *ctx, const tsr_tensor *x, tsr_index place, int axis, tsr_tensor *out) {
  TSR__OPERANDS(x, out);
  return run(ctx, "argpartition", x, place, axis, true, out);
}
