/* tsr_scatter, tsr_put, tsr_index_add: along one axis. */
#include "ops/scatter/scatter.h"

#include "core/operand.h"
#include "core/view.h"
#include "ops/move/indices.h"
#include "ops/move/over.h"

/* src and the indices over the shape of updates: in's, with count along the axis. */
typedef struct call {
  const char      *op;
  int              axis;
  tsr_scatter_mode mode;
  tsr_index        count;
  bool             slices; /* index is a vector, one for whole slices */
} call;

static tsr_status spread_index(tsr_ctx *ctx, const call *c, const tsr_tensor *index, int ndim, const tsr_index *shape,
                               tsr_tensor *view) {
  tsr_tensor vector = *index;
  if (!c->slices) return tsr__over(ctx, c->op, "index", index, ndim, shape, view);
  for (int k = c->axis + 1; k < ndim; k++) tsr__view_add_axis(&vector, vector.ndim, 1, 0);
  return tsr__over(ctx, c->op, "index", &vector, ndim, shape, view);
}

/* Takes the axis out of all three. */
static void run(const tsr_ctx *ctx, const call *c, const tsr_tensor *src, const tsr_tensor *at, const tsr_tensor *out) {
  tsr__scatter s = {.out = *out, .src = *src, .at = *at, .count = c->count};
  s.src_stride = src->stride[c->axis];
  s.at_stride = at->stride[c->axis];
  s.axis_stride = out->stride[c->axis];
  s.combine = tsr__combine_of(c->mode, out->dtype);
  tsr__view_drop_axis(&s.out, c->axis);
  tsr__view_drop_axis(&s.src, c->axis);
  tsr__view_drop_axis(&s.at, c->axis);
  tsr__scatter_run(ctx, &s);
}

static tsr_status put_updates(tsr_ctx *ctx, const call *c, const tsr_tensor *in, const tsr_tensor *index,
                              const tsr_tensor *src, tsr_tensor *out) {
  const tsr__result   result = {in->dtype, in->layout, in->ndim, in->shape, NULL};
  tsr__scatter_target target = {0};
  tsr__indices        indices;
  tsr_tensor          from, at;
  tsr_index           shape[TSR_MAX_DIMS];
  for (int k = 0; k < in->ndim; k++) shape[k] = k == c->axis ? c->count : in->shape[k];
  tsr_status st = tsr__over(ctx, c->op, "src", src, in->ndim, shape, &from);
  if (st == TSR_OK) st = spread_index(ctx, c, index, in->ndim, shape, &at);
  if (st == TSR_OK) st = tsr__output_check(ctx, c->op, &result, out);
  if (st != TSR_OK) return st;
  if (c->mode == TSR_SCATTER_ADD && tsr__scatter_quick(ctx, c->op, in, index, src, out, &st)) return st;
  st = tsr__indices_read(ctx, c->op, index, in, c->axis, out, &indices);
  if (st == TSR_OK) st = tsr__scatter_begin(ctx, c->op, in, src, c->mode, out, &target);
  if (st == TSR_OK && tsr_size(in) > 0 && c->count > 0) {
    (void)tsr__over(ctx, c->op, "src", &target.src, in->ndim, shape, &from);
    (void)spread_index(ctx, c, &indices.view, in->ndim, shape, &at);
    run(ctx, c, &from, &at, &target.view);
  }
  tsr__scatter_end(ctx, st == TSR_OK, out, &target);
  tsr__scratch_put(&indices.scratch);
  return st;
}

static tsr_status check(tsr_ctx *ctx, call *c, const tsr_tensor *in, const tsr_tensor *index, const tsr_tensor *src) {
  tsr_status st = tsr__scatter_check(ctx, c->op, in, src, c->mode);
  if (st == TSR_OK) st = tsr__indices_check(ctx, c->op, index);
  return st == TSR_OK ? tsr__check_axis(ctx, c->op, "axis", c->axis, in->ndim, &c->axis) : st;
}

tsr_status tsr_scatter(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index, const tsr_tensor *src, int axis,
                       tsr_scatter_mode mode, tsr_tensor *out) {
  TSR__OPERANDS(in, index, src, out);
  call             c = {.op = "scatter", .axis = axis, .mode = mode};
  const tsr_status st = check(ctx, &c, in, index, src);
  if (st != TSR_OK) return st;
  if (index->ndim != in->ndim)
    return TSR__FAIL(ctx, TSR_ESHAPE, c.op, "index", "is %t and in is %t: the ranks differ", index, in);
  c.count = index->shape[c.axis];
  return put_updates(ctx, &c, in, index, src, out);
}

static tsr_status put_slices(tsr_ctx *ctx, call *c, const tsr_tensor *in, const tsr_tensor *index,
                             const tsr_tensor *src, tsr_tensor *out) {
  const tsr_status st = check(ctx, c, in, index, src);
  if (st != TSR_OK) return st;
  if (index->ndim != 1) return TSR__FAIL(ctx, TSR_ESHAPE, c->op, "index", "is %t; it has one axis", index);
  c->count = index->shape[0];
  return put_updates(ctx, c, in, index, src, out);
}

tsr_status tsr_put(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index, const tsr_tensor *src, int axis,
                   tsr_scatter_mode mode, tsr_tensor *out) {
  TSR__OPERANDS(in, index, src, out);
  call c = {.op = "put", .axis = axis, .mode = mode, .slices = true};
  return put_slices(ctx, &c, in, index, src, out);
}

tsr_status tsr_index_add(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index, const tsr_tensor *src, int axis,
                         tsr_tensor *out) {
  TSR__OPERANDS(in, index, src, out);
  call c = {.op = "index_add", .axis = axis, .mode = TSR_SCATTER_ADD, .slices = true};
  return put_slices(ctx, &c, in, index, src, out);
}
