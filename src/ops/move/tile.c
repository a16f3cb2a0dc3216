/* Repeating: the whole tensor, or every element. */
#include "core/view.h"
#include "ops/move/ops.h"
#include "ops/move/target.h"

/* ---- tile ---- */

static tsr_status refuse_long(tsr_ctx *ctx, const char *op, const tsr_tensor *in) {
  return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "in", "%t: an axis would have more than %l indices", in,
                   (int64_t)TSR_INDEX_MAX);
}

/* The input with leading axes of length 1, and the result's shape. */
static tsr_status tile_shape(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int n, const tsr_index *reps,
                             tsr_tensor *view, tsr_index *shape) {
  if (n < 0 || n > TSR_MAX_DIMS) return TSR__FAIL(ctx, TSR_EARG, op, "n", "is %d, not 0 to %d", n, TSR_MAX_DIMS);
  if (n > 0 && reps == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "reps", "is NULL");
  *view = *in;
  while (view->ndim < n) tsr__view_add_axis(view, 0, 1, 0);
  for (int k = 0; k < view->ndim; k++) {
    const int own = k - (view->ndim - n);
    const tsr_index times = own >= 0 ? reps[own] : 1;
    if (times < 0) return TSR__FAIL(ctx, TSR_EARG, op, "reps", "[%d] is %l", own, (int64_t)times);
    if (!tsr__mul_index(view->shape[k], times, &shape[k])) return refuse_long(ctx, op, in);
  }
  return TSR_OK;
}

/* Repeats the first filled indices of an axis to its end, twice as many every time. */
static void repeat_along(const tsr_ctx *ctx, const tsr_tensor *t, int axis, tsr_index filled, size_t bytes) {
  const tsr_index length = t->shape[axis];
  while (filled < length) {
    const tsr_index more = filled < length - filled ? filled : length - filled;
    const tsr_tensor from = tsr__part(t, axis, 0, more), to = tsr__part(t, axis, filled, more);
    tsr__copy_part(ctx, &from, &to, bytes);
    filled += more;
  }
}

/* The input into the corner, then along one axis after the other, the last first. */
static void tile_axes(const tsr_ctx *ctx, const tsr_tensor *in, const tsr__target *target) {
  tsr_tensor part = target->view;
  for (int k = 0; k < part.ndim; k++) part.shape[k] = in->shape[k];
  tsr__copy_part(ctx, in, &part, target->bytes);
  for (int k = part.ndim - 1; k >= 0; k--) {
    part.shape[k] = target->view.shape[k];
    repeat_along(ctx, &part, k, in->shape[k], target->bytes);
  }
}

static tsr_status tile(tsr__call *call) {
  const tsr__tile_attrs *const attrs = call->attrs;
  const tsr_tensor *const in = call->in[0];
  tsr_tensor view;
  tsr_index shape[TSR_MAX_DIMS];
  tsr__target target;
  tsr_status st = tile_shape(call->ctx, call->op, in, attrs->reps_count, attrs->reps, &view, shape);
  if (st != TSR_OK) return st;
  const int layout = view.ndim == in->ndim ? in->layout : TSR_PLAIN;
  const tsr__result result = {in->dtype, layout, view.ndim, shape, NULL};
  st = tsr__call_target(call, &result, &target);
  if (st != TSR_OK) return st;
  if (target.bytes > 0) tile_axes(call->ctx, &view, &target);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

TSR__OP(tile, tile, 0)
tsr_status tsr_tile(tsr_ctx *ctx, const tsr_tensor *in, int n, const tsr_index *reps, tsr_tensor *out) {
  return TSR__CALL(tile, ctx, TSR__INPUTS(in), TSR__OUTPUTS(out), .reps = reps, .reps_count = n);
}

/* ---- repeat ---- */

/* The output's axis as [n, count], where a tensor has an axis left for that: one copy. Else count copies. */
static void repeat_each(const tsr_ctx *ctx, const tsr_tensor *in, int axis, tsr_index count,
                        const tsr__target *target) {
  tsr_tensor from = *in, to = target->view;
  const tsr_index step = to.stride[axis];
  to.shape[axis] = in->shape[axis];
  to.stride[axis] = step * count;
  if (in->ndim < TSR_MAX_DIMS) {
    tsr__view_add_axis(&from, axis + 1, count, 0);
    tsr__view_add_axis(&to, axis + 1, count, step);
    tsr__copy_part(ctx, &from, &to, target->bytes);
    return;
  }
  for (tsr_index i = 0; i < count; i++) {
    tsr__copy_part(ctx, &from, &to, target->bytes);
    tsr__view_move(&to, 1, step);
  }
}

static tsr_status repeat(tsr__call *call) {
  const tsr__repeat_attrs *const attrs = call->attrs;
  const tsr_tensor *const in = call->in[0];
  const tsr_index count = attrs->count;
  tsr_index shape[TSR_MAX_DIMS];
  tsr__target target;
  int axis = attrs->axis;
  tsr_status st = tsr__call_axis(call, "axis", in->ndim, &axis);
  if (st != TSR_OK) return st;
  if (count < 0) return TSR__FAIL(call->ctx, TSR_EARG, call->op, "count", "is %l", (int64_t)count);
  for (int k = 0; k < in->ndim; k++) shape[k] = in->shape[k];
  if (!tsr__mul_index(shape[axis], count, &shape[axis])) return refuse_long(call->ctx, call->op, in);
  const tsr__result result = {in->dtype, in->layout, in->ndim, shape, NULL};
  st = tsr__call_target(call, &result, &target);
  if (st != TSR_OK) return st;
  if (target.bytes > 0) repeat_each(call->ctx, in, axis, count, &target);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

TSR__OP(repeat, repeat, 0)
tsr_status tsr_repeat(tsr_ctx *ctx, const tsr_tensor *in, tsr_index count, int axis, tsr_tensor *out) {
  return TSR__CALL(repeat, ctx, TSR__INPUTS(in), TSR__OUTPUTS(out), .count = count, .axis = axis);
}
