/* Tensors one after the other: copies of each onto its part of the output. */
#include "core/operand.h"
#include "core/view.h"
#include "ops/move/target.h"

#include <tessera/move.h>

/* The name of an input in messages; long lists have no names. */
static const char *name_of(int i) {
  static const char *const names[] = {"in[0]", "in[1]", "in[2]", "in[3]", "in[4]", "in[5]", "in[6]", "in[7]"};
  return i < (int)(sizeof names / sizeof names[0]) ? names[i] : "in";
}

static tsr_status check_inputs(tsr_ctx *ctx, const char *op, int n, const tsr_tensor *const *in) {
  if (n < 1) return TSR__FAIL(ctx, TSR_EARG, op, "n", "is %d: there must be a tensor", n);
  if (in == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "in", "is NULL");
  for (int i = 0; i < n; i++) {
    if (in[i] == NULL) return TSR__FAIL(ctx, TSR_EARG, op, NULL, "in[%d] is NULL", i);
    const tsr_status st = tsr__check_input(ctx, op, name_of(i), in[i]);
    if (st != TSR_OK) return st;
    if (in[i]->dtype != in[0]->dtype)
      return TSR__FAIL(ctx, TSR_EDTYPE, op, NULL, "in[%d] is %t and in[0] is %t: cast one first", i, in[i], in[0]);
  }
  return TSR_OK;
}

/* Whether all are alike but for one axis (-1: none), and their lengths together along it. */
static tsr_status check_shapes(tsr_ctx *ctx, const char *op, int n, const tsr_tensor *const *in, int axis,
                               tsr_index *length) {
  *length = 0;
  for (int i = 0; i < n; i++) {
    bool alike = in[i]->ndim == in[0]->ndim;
    for (int k = 0; k < in[0]->ndim && alike; k++) alike = k == axis || in[i]->shape[k] == in[0]->shape[k];
    if (!alike && axis < 0)
      return TSR__FAIL(ctx, TSR_ESHAPE, op, NULL, "in[%d] is %t and in[0] is %t: the shapes differ", i, in[i], in[0]);
    if (!alike)
      return TSR__FAIL(ctx, TSR_ESHAPE, op, NULL, "in[%d] is %t and in[0] is %t: only axis %d may differ", i, in[i],
                       in[0], axis);
    if (axis >= 0 && !tsr__add_index(*length, in[i]->shape[axis], length))
      return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "in", "axis %d has more than %l indices together", axis,
                       (int64_t)TSR_INDEX_MAX);
  }
  return TSR_OK;
}

tsr_status tsr_concat(tsr_ctx *ctx, int n, const tsr_tensor *const *in, int axis, tsr_tensor *out) {
  TSR__OPERANDS(out);
  static const char op[] = "concat";
  tsr_index shape[TSR_MAX_DIMS], length;
  tsr__target target;
  tsr_status st = check_inputs(ctx, op, n, in);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis", axis, in[0]->ndim, &axis);
  if (st == TSR_OK) st = check_shapes(ctx, op, n, in, axis, &length);
  if (st != TSR_OK) return st;
  for (int k = 0; k < in[0]->ndim; k++) shape[k] = k == axis ? length : in[0]->shape[k];
  const tsr__result result = {in[0]->dtype, in[0]->layout, in[0]->ndim, shape, NULL};
  st = tsr__target_begin(ctx, op, &result, n, in, out, &target);
  if (st != TSR_OK) return st;
  tsr_index start = 0;
  for (int i = 0; i < n; i++) {
    const tsr_tensor *from = in[i];
    TSR__OPERANDS(from);
    const tsr_tensor part = tsr__part(&target.view, axis, start, from->shape[axis]);
    tsr__copy_part(ctx, from, &part, target.bytes);
    start += in[i]->shape[axis];
  }
  tsr__target_end(ctx, out, &target);
  return TSR_OK;
}

tsr_status tsr_stack(tsr_ctx *ctx, int n, const tsr_tensor *const *in, int axis, tsr_tensor *out) {
  TSR__OPERANDS(out);
  static const char op[] = "stack";
  tsr_index shape[TSR_MAX_DIMS + 1], length;
  tsr__target target;
  tsr_status st = check_inputs(ctx, op, n, in);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis", axis, in[0]->ndim + 1, &axis);
  if (st == TSR_OK) st = check_shapes(ctx, op, n, in, -1, &length);
  if (st != TSR_OK) return st;
  for (int k = 0; k <= in[0]->ndim; k++) shape[k] = k == axis ? n : in[0]->shape[k - (k > axis)];
  const tsr__result result = {in[0]->dtype, TSR_PLAIN, in[0]->ndim + 1, shape, NULL};
  st = tsr__target_begin(ctx, op, &result, n, in, out, &target);
  if (st != TSR_OK) return st;
  for (int i = 0; i < n; i++) {
    const tsr_tensor *from = in[i];
    TSR__OPERANDS(from);
    tsr_tensor part = tsr__part(&target.view, axis, i, 1);
    tsr__view_drop_axis(&part, axis);
    tsr__copy_part(ctx, from, &part, target.bytes);
  }
  tsr__target_end(ctx, out, &target);
  return TSR_OK;
}
