/* Picking by index: one strided loop over the output, the input and the index, which do not move along each other's
 * axes. */
#include "core/view.h"
#include "cpu/iterate.h"
#include "cpu/move.h"
#include "ops/move/target.h"

#include <string.h>
#include <tessera/move.h>

/* ---- the indices: all of them are read and checked before anything is written ---- */

/* Counts negative indices from the front; the number of the first bad one, or -1. */
static tsr_index resolve(int64_t *index, tsr_index n, tsr_index length, bool is_unsigned) {
  for (tsr_index i = 0; i < n; i++) {
    if (index[i] < 0 && !is_unsigned) index[i] += length;
    if (index[i] < 0 || index[i] >= length) return i;
  }
  return -1;
}

static tsr_status refuse_index(tsr_ctx *ctx, const char *op, const tsr_tensor *index, const tsr_tensor *in, int axis,
                               tsr_index number, int64_t resolved) {
  if (resolved < 0 && index->dtype == TSR_U64) /* more than an int64_t says */
    return TSR__FAIL(ctx, TSR_EINDEX, op, "index", "number %l is beyond axis %d of in %t", (int64_t)number, axis, in);
  return TSR__FAIL(ctx, TSR_EINDEX, op, "index", "number %l is %l: out of range for axis %d of in %t", (int64_t)number,
                   resolved < 0 ? resolved - in->shape[axis] : resolved, axis, in);
}

/* A copy of index in temporary memory, as int64_t and in range of the input's axis. */
static tsr_status read_index(tsr_ctx *ctx, const char *op, const tsr_tensor *index, const tsr_tensor *in, int axis,
                             tsr__scratch *scratch, tsr_tensor *copy) {
  const tsr_index n = tsr_size(index), length = in->shape[axis];
  size_t bytes;
  if (!tsr__mul_size((size_t)n, sizeof(int64_t), &bytes))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "index", "%t does not fit the address space", index);
  const tsr_status st = tsr__scratch_get(ctx, op, bytes, scratch);
  if (st != TSR_OK || n == 0) return st;
  *copy = *index;
  copy->dtype = TSR_I64;
  copy->data = scratch->data;
  tsr__strides_for(copy->ndim, copy->shape, TSR_ROW_MAJOR, copy->stride);
  tsr__copy_apart(ctx, index, copy);
  const tsr_index bad = resolve(scratch->data, n, length, index->dtype == TSR_U64);
  if (bad < 0) return TSR_OK;
  const int64_t resolved = ((const int64_t *)scratch->data)[bad];
  tsr__scratch_put(scratch);
  return refuse_index(ctx, op, index, in, axis, bad, resolved);
}

/* ---- the loop ---- */

typedef struct taking {
  size_t    item;
  ptrdiff_t axis_step; /* of the input, in bytes */
} taking;

#define TAKE_EACH(bytes)                                                                        \
  for (tsr_index i = 0; i < n; i++) {                                                           \
    int64_t index;                                                                              \
    memcpy(&index, at[2] + (ptrdiff_t)i * step[2], sizeof index);                               \
    memcpy(at[0] + (ptrdiff_t)i * step[0],                                                      \
           at[1] + (ptrdiff_t)i * step[1] + (ptrdiff_t)index * t->axis_step, bytes);            \
  }

/* at[0] is the output, at[1] the input at index 0 of its axis, at[2] the index. */
static void take_row(void *arg, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const taking *const t = arg;
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

/* from and at have the output's shape, with stride 0 where they do not move. */
static void run_loop(const tsr_ctx *ctx, const tsr_tensor *in, int axis, const tsr_tensor *from, const tsr_tensor *at,
                     const tsr_tensor *out) {
  const size_t item = tsr_dtype_size(in->dtype);
  taking t = {item, (ptrdiff_t)in->stride[axis] * (ptrdiff_t)item};
  tsr__loop loop;
  tsr__loop_init(&loop, 3, (const tsr_tensor *[]){out, from, at});
  tsr__loop_run_parallel(ctx, &loop, TSR__COPY_GRAIN_BYTES / (tsr_index)item, take_row, &t);
}

/* What take and gather begin with. */
static tsr_status check(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *index, int *axis) {
  tsr_status st = tsr__check_input(ctx, op, "in", in);
  if (st == TSR_OK) st = tsr__check_input(ctx, op, "index", index);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis", *axis, in->ndim, axis);
  if (st != TSR_OK) return st;
  const int kind = tsr_dtype_describe(index->dtype)->class_;
  if (kind != TSR_CLASS_INT && kind != TSR_CLASS_UINT)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "index", "is %t; indices are integers", index);
  return TSR_OK;
}

/* The index over the output's shape: its axes begin at axis first there, and it repeats along all others. */
static tsr_tensor spread(const tsr_tensor *index, int first, const tsr_tensor *out) {
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

/* What they end with: the indices are read, the output is made, the loop runs. from is the input over the output's
 * shape. */
static tsr_status run(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *index, int axis, int first,
                      const tsr_tensor *from, int layout, tsr_tensor *out) {
  const tsr__result result = {in->dtype, layout, from->ndim, from->shape, NULL};
  tsr__scratch scratch;
  tsr__target target;
  tsr_tensor copy = *index;
  tsr_status st = tsr__output_check(ctx, op, &result, out);
  if (st == TSR_OK) st = read_index(ctx, op, index, in, axis, &scratch, &copy);
  if (st != TSR_OK) return st;
  st = tsr__target_begin(ctx, op, &result, 1, &in, out, &target);
  if (st == TSR_OK) {
    const tsr_tensor at = spread(&copy, first, &target.view);
    if (target.bytes > 0) run_loop(ctx, in, axis, from, &at, &target.view);
    tsr__target_end(ctx, out, &target);
  }
  tsr__scratch_put(&scratch);
  return st;
}

/* ---- take ---- */

tsr_status tsr_take(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index, int axis, tsr_tensor *out) {
  static const char op[] = "take";
  const tsr_status st = check(ctx, op, in, index, &axis);
  if (st != TSR_OK) return st;
  if (in->ndim - 1 + index->ndim > TSR_MAX_DIMS)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "index", "is %t and in is %t: the result would have rank %d", index, in,
                     in->ndim - 1 + index->ndim);
  tsr_tensor from = *in;
  tsr__view_drop_axis(&from, axis);
  for (int k = 0; k < index->ndim; k++) tsr__view_add_axis(&from, axis + k, index->shape[k], 0);
  return run(ctx, op, in, index, axis, axis, &from, index->ndim == 1 ? in->layout : TSR_PLAIN, out);
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

tsr_status tsr_gather(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index, int axis, tsr_tensor *out) {
  static const char op[] = "gather";
  tsr_tensor from;
  tsr_status st = check(ctx, op, in, index, &axis);
  if (st == TSR_OK) st = gather_shape(ctx, op, in, index, axis, &from);
  return st == TSR_OK ? run(ctx, op, in, index, axis, 0, &from, in->layout, out) : st;
}
