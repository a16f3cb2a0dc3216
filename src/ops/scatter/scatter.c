/* tsr_scatter, tsr_put, tsr_index_add: along one axis. */
#include "ops/scatter/scatter.h"

#include "core/view.h"
#include "ops/copy/copy.h"
#include "ops/move/indices.h"
#include "ops/move/over.h"
#include "ops/scatter/ops.h"

/* src and the indices over the shape of updates: in's, with count along the axis. */
typedef struct updates {
  int axis;
  tsr_scatter_mode mode;
  tsr_index count;
  bool slices; /* index is a vector, one for whole slices */
  tsr_index shape[TSR_MAX_DIMS];
} updates;

static tsr_status broadcast_src(const tsr__call *call, const updates *u, const tsr_tensor *src, tsr_tensor *view) {
  return tsr__over(call->ctx, call->op, "src", src, call->in[0]->ndim, u->shape, view);
}

static tsr_status broadcast_index(const tsr__call *call, const updates *u, const tsr_tensor *index, tsr_tensor *view) {
  const int ndim = call->in[0]->ndim;
  tsr_tensor vector = *index;
  for (int k = u->axis + 1; k < ndim && u->slices; k++) tsr__view_add_axis(&vector, vector.ndim, 1, 0);
  return tsr__over(call->ctx, call->op, "index", &vector, ndim, u->shape, view);
}

/* Takes the axis out of all three. */
static void scatter_along(const tsr_ctx *ctx, const updates *u, const tsr_tensor *src, const tsr_tensor *at,
                          const tsr_tensor *out) {
  tsr__scatter s = {.out = *out, .src = *src, .at = *at, .count = u->count};
  s.src_stride = src->stride[u->axis];
  s.at_stride = at->stride[u->axis];
  s.axis_stride = out->stride[u->axis];
  s.combine = tsr__combine_of(u->mode, out->dtype);
  tsr__view_drop_axis(&s.out, u->axis);
  tsr__view_drop_axis(&s.src, u->axis);
  tsr__view_drop_axis(&s.at, u->axis);
  tsr__scatter_run(ctx, &s);
}

/* The indices are known: updates one after another. */
static void put_all(const tsr__call *call, const updates *u, const tsr_tensor *index,
                    const tsr__scatter_target *target) {
  tsr_tensor from, at;
  tsr__scatter_fill(call, call->in[2], target);
  if (tsr_size(call->in[0]) > 0 && u->count > 0) {
    (void)broadcast_src(call, u, &target->src, &from);
    (void)broadcast_index(call, u, index, &at);
    scatter_along(call->ctx, u, &from, &at, &target->view);
  }
  tsr__scatter_end(call, target);
}

static tsr_status put_updates(tsr__call *call, updates *u) {
  const tsr_tensor *const in = call->in[0], *const index = call->in[1], *const src = call->in[2];
  const tsr__result result = {in->dtype, in->layout, in->ndim, in->shape, NULL};
  const bool fast = u->mode == TSR_SCATTER_ADD && tsr__scatter_has_fast_path(in, index, src);
  tsr__scatter_target target;
  tsr__indices indices;
  tsr_tensor view, sums;
  for (int k = 0; k < in->ndim; k++) u->shape[k] = k == u->axis ? u->count : in->shape[k];
  tsr_status st = broadcast_src(call, u, src, &view);
  if (st == TSR_OK) st = broadcast_index(call, u, index, &view);
  if (st == TSR_OK) st = tsr__scatter_plan(call, &result, src, u->mode, false, &target);
  if (st == TSR_OK && fast) st = tsr__call_copy_of(call, in, &sums);
  tsr__call_may_take(call, (size_t)tsr_size(index) * sizeof(int64_t));
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK || (fast && tsr__scatter_fast_path(call, &sums))) return st;
  st = tsr__indices_read(call->ctx, call->op, index, in, u->axis, call->out[0], &indices);
  if (st == TSR_OK) put_all(call, u, &indices.view, &target);
  tsr__scratch_put(&indices.scratch);
  return st;
}

static tsr_status check_updates(const tsr__call *call, updates *u) {
  const tsr_status st = tsr__scatter_check(call, u->mode);
  return st == TSR_OK ? tsr__call_axis(call, "axis", call->in[0]->ndim, &u->axis) : st;
}

/* ---- the ops ---- */

static tsr_status scatter(tsr__call *call) {
  const tsr__scatter_attrs *const attrs = call->attrs;
  const tsr_tensor *const in = call->in[0], *const index = call->in[1];
  updates u = {.axis = attrs->axis, .mode = attrs->mode};
  const tsr_status st = check_updates(call, &u);
  if (st != TSR_OK) return st;
  if (index->ndim != in->ndim)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "index", "is %t and in is %t: the ranks differ", index, in);
  u.count = index->shape[u.axis];
  return put_updates(call, &u);
}

TSR__OP(scatter, scatter, 0)
tsr_status tsr_scatter(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index, const tsr_tensor *src, int axis,
                       tsr_scatter_mode mode, tsr_tensor *out) {
  return TSR__CALL(scatter, ctx, TSR__INPUTS(in, index, src), TSR__OUTPUTS(out), .axis = axis, .mode = mode);
}

static tsr_status put_slices(tsr__call *call, int axis, tsr_scatter_mode mode) {
  const tsr_tensor *const index = call->in[1];
  updates u = {.axis = axis, .mode = mode, .slices = true};
  const tsr_status st = check_updates(call, &u);
  if (st != TSR_OK) return st;
  if (index->ndim != 1) return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "index", "is %t; it has one axis", index);
  u.count = index->shape[0];
  return put_updates(call, &u);
}

static tsr_status put(tsr__call *call) {
  const tsr__scatter_attrs *const attrs = call->attrs;
  return put_slices(call, attrs->axis, attrs->mode);
}

TSR__OP_LIKE(put, scatter, put, 0)
tsr_status tsr_put(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index, const tsr_tensor *src, int axis,
                   tsr_scatter_mode mode, tsr_tensor *out) {
  return TSR__CALL(put, ctx, TSR__INPUTS(in, index, src), TSR__OUTPUTS(out), .axis = axis, .mode = mode);
}

static tsr_status index_add(tsr__call *call) {
  const tsr__index_add_attrs *const attrs = call->attrs;
  return put_slices(call, attrs->axis, TSR_SCATTER_ADD);
}

TSR__OP(index_add, index_add, 0)
tsr_status tsr_index_add(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index, const tsr_tensor *src, int axis,
                         tsr_tensor *out) {
  return TSR__CALL(index_add, ctx, TSR__INPUTS(in, index, src), TSR__OUTPUTS(out), .axis = axis);
}
