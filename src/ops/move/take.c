/* Picking by index: one strided loop over the output, the input and the index, which do not move along each other's
 * axes. */
#include "core/view.h"
#include "cpu/iterate.h"
#include "cpu/move.h"
#include "ops/move/indices.h"
#include "ops/move/ops.h"
#include "ops/move/take.h"
#include "ops/move/target.h"

#include <string.h>

/* ---- the loop ---- */

typedef struct taking {
  size_t item;
  ptrdiff_t axis_step; /* of the input, in bytes */
} taking;

#define TAKE_EACH(bytes)                                                                                             \
  for (tsr_index i = 0; i < n; i++) {                                                                                \
    int64_t index;                                                                                                   \
    memcpy(&index, at[2] + (ptrdiff_t)i * step[2], sizeof index);                                                    \
    memcpy(at[0] + (ptrdiff_t)i * step[0], at[1] + (ptrdiff_t)i * step[1] + (ptrdiff_t)index * t->axis_step, bytes); \
  }

/* at[0] is the output, at[1] the input at index 0 of its axis, at[2] the index. */
static void take_row(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const taking *const t = args->param;
  if (step[2] == 0) {
    int64_t index;
    memcpy(&index, at[2], sizeof index);
    tsr__move_row(t->item, n, at[1] + (ptrdiff_t)index * t->axis_step, step[1], at[0], step[0]);
    return;
  }
  switch (t->item) {
    case 1: TAKE_EACH(1); break;
    case 2: TAKE_EACH(2); break;
    case 4: TAKE_EACH(4); break;
    case 8: TAKE_EACH(8); break;
    default: TAKE_EACH(16); break;
  }
}

void tsr__take_loop(const tsr_ctx *ctx, tsr_index stride, const tsr_tensor *from, const tsr_tensor *at,
                    const tsr_tensor *out) {
  const size_t item = tsr_dtype_size(out->dtype);
  taking t = {item, (ptrdiff_t)stride * (ptrdiff_t)item};
  tsr__loop loop;
  tsr__loop_init(&loop, 3, (const tsr_tensor *[]){out, from, at});
  tsr__loop_run_parallel(ctx, &loop, TSR__COPY_GRAIN_BYTES / (tsr_index)item, take_row, &t);
}

/* What take and gather begin with. */
static tsr_status check_take(const tsr__call *call, int *axis) {
  const tsr__take_attrs *const attrs = call->attrs;
  const tsr_status st = tsr__indices_check_dtype(call->ctx, call->op, call->in[1]);
  *axis = attrs->axis;
  return st == TSR_OK ? tsr__call_axis(call, "axis", call->in[0]->ndim, axis) : st;
}

/* The index over the output's shape: its axes begin at axis first there, and it repeats along all others. */
static tsr_tensor broadcast_view(const tsr_tensor *index, int first, const tsr_tensor *out) {
  tsr_tensor view = *out;
  view.dtype = TSR_I64;
  view.data = index->data;
  for (int k = 0; k < view.ndim; k++) {
    const int own = k - first;
    const bool moves = own >= 0 && own < index->ndim && index->shape[own] == view.shape[k];
    view.stride[k] = moves ? index->stride[own] : 0;
  }
  return view;
}

/* What they end with: the output is made, the indices are read, the loop runs. from is the input over the output's
 * shape. */
static tsr_status take_from(tsr__call *call, int axis, int first, const tsr_tensor *from, int layout) {
  const tsr_tensor *const in = call->in[0];
  const tsr__result result = {in->dtype, layout, from->ndim, from->shape, NULL};
  tsr__indices indices;
  tsr__target target;
  tsr__call_may_take(call, (size_t)tsr_size(call->in[1]) * sizeof(int64_t));
  tsr_status st = tsr__call_target(call, &result, &target);
  if (st != TSR_OK) return st;
  st = tsr__indices_read(call->ctx, call->op, call->in[1], in, axis, call->out[0], &indices);
  if (st == TSR_OK) {
    const tsr_tensor at = broadcast_view(&indices.view, first, &target.view);
    if (target.bytes > 0) tsr__take_loop(call->ctx, in->stride[axis], from, &at, &target.view);
    tsr__target_end(call->ctx, call->out[0], &target);
  }
  tsr__scratch_put(&indices.scratch);
  return st;
}

/* ---- take ---- */

static tsr_status take(tsr__call *call) {
  const tsr_tensor *const in = call->in[0], *const index = call->in[1];
  int axis = 0;
  const tsr_status st = check_take(call, &axis);
  if (st != TSR_OK) return st;
  if (in->ndim - 1 + index->ndim > TSR_MAX_DIMS)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "index", "is %t and in is %t: the result would have rank %d",
                     index, in, in->ndim - 1 + index->ndim);
  tsr_tensor from = *in;
  tsr__view_drop_axis(&from, axis);
  for (int k = 0; k < index->ndim; k++) tsr__view_add_axis(&from, axis + k, index->shape[k], 0);
  return take_from(call, axis, axis, &from, index->ndim == 1 ? in->layout : TSR_PLAIN);
}

TSR__OP(take, take, 0)
tsr_status tsr_take(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index, int axis, tsr_tensor *out) {
  return TSR__CALL(take, ctx, TSR__INPUTS(in, index), TSR__OUTPUTS(out), .axis = axis);
}

/* ---- gather ---- */

/* The lengths that the two broadcast to; along the axis the index alone counts. */
static tsr_status gather_shape(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *index, int axis,
                               tsr_tensor *from) {
  if (index->ndim != in->ndim)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "index", "is %t and in is %t: the ranks differ", index, in);
  *from = *in;
  for (int k = 0; k < in->ndim; k++) {
    const tsr_index own = in->shape[k], other = index->shape[k];
    if (k != axis && own != other && own != 1 && other != 1)
      return TSR__FAIL(ctx, TSR_ESHAPE, op, "index", "is %t and in is %t: axis %d is %l against %l", index, in, k,
                       (int64_t)other, (int64_t)own);
    if (k != axis && (own == other || other == 1)) continue;
    from->shape[k] = other;
    from->stride[k] = 0;
  }
  return TSR_OK;
}

static tsr_status gather(tsr__call *call) {
  const tsr_tensor *const in = call->in[0];
  tsr_tensor from;
  int axis = 0;
  tsr_status st = check_take(call, &axis);
  if (st == TSR_OK) st = gather_shape(call->ctx, call->op, in, call->in[1], axis, &from);
  return st == TSR_OK ? take_from(call, axis, 0, &from, in->layout) : st;
}

TSR__OP_LIKE(gather, take, gather, 0)
tsr_status tsr_gather(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index, int axis, tsr_tensor *out) {
  return TSR__CALL(gather, ctx, TSR__INPUTS(in, index), TSR__OUTPUTS(out), .axis = axis);
}
