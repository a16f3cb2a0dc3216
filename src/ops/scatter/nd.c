/* tsr_gather_nd, tsr_scatter_nd: lists of coordinates become offsets, and then they are indices of one axis whose steps
 * are elements. */
#include "core/view.h"
#include "ops/copy/copy.h"
#include "ops/move/indices.h"
#include "ops/move/over.h"
#include "ops/move/take.h"
#include "ops/move/target.h"
#include "ops/scatter/ops.h"
#include "ops/scatter/scatter.h"

typedef struct lists {
  int batch, q;    /* axes that belong together, numbers in a list */
  int rank;        /* axes of lists: index's without its last */
  tsr_index count; /* lists */
  int ndim;        /* axes of the slices that lists name, and all of index's but the last before them */
  tsr_index shape[TSR_MAX_DIMS];
} lists;

/* ---- checks ---- */

static tsr_status refuse_batch(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *index, int axis) {
  return TSR__FAIL(ctx, TSR_ESHAPE, op, "index", "is %t and in is %t: axis %d is %l against %l", index, in, axis,
                   (int64_t)index->shape[axis], (int64_t)in->shape[axis]);
}

/* What the lists say, and the shape of what they name. */
static tsr_status read_lists(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *index, int batch,
                             lists *l) {
  if (index->ndim == 0) return TSR__FAIL(ctx, TSR_ESHAPE, op, "index", "is %t; its last axis is that of a list", index);
  if (batch < 0 || (batch > 0 && (batch >= in->ndim || batch >= index->ndim)))
    return TSR__FAIL(ctx, TSR_EAXIS, op, "batch_dims", "is %d, in is %t and index is %t", batch, in, index);
  for (int k = 0; k < batch; k++)
    if (in->shape[k] != index->shape[k]) return refuse_batch(ctx, op, in, index, k);
  const tsr_index q = index->shape[index->ndim - 1];
  if (q > in->ndim - batch)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "index", "is %t: lists of %l for the %d axes of in %t", index, (int64_t)q,
                     in->ndim - batch, in);
  *l = (lists){.batch = batch, .q = (int)q, .rank = index->ndim - 1};
  const int more = in->ndim - batch - l->q;
  if (l->rank + more > TSR_MAX_DIMS)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "index", "is %t and in is %t: the result would have rank %d", index, in,
                     l->rank + more);
  for (int k = 0; k < l->rank; k++) l->shape[k] = index->shape[k];
  for (int k = 0; k < more; k++) l->shape[l->rank + k] = in->shape[batch + l->q + k];
  l->ndim = l->rank + more;
  return tsr__check_shape(ctx, op, "index", l->rank, l->shape, &l->count);
}

/* ---- offsets ---- */

/* Element 0 of the slice that belongs to list number number, by its batch. */
static tsr_index batch_offset(const lists *l, const tsr_tensor *where, tsr_index number) {
  tsr_index offset = 0;
  for (int k = l->rank - 1; k >= 0; k--) {
    if (k < l->batch) offset += number % l->shape[k] * where->stride[k];
    number /= l->shape[k];
  }
  return offset;
}

/* Whether every number is in range of its axis; those that are negative are counted from the end. */
static tsr_status check_lists(tsr_ctx *ctx, const char *op, const lists *l, const tsr_tensor *in,
                              const tsr_tensor *index, int64_t *numbers) {
  for (tsr_index i = 0; i < l->count; i++)
    for (int k = 0; k < l->q; k++) {
      int64_t *const number = &numbers[i * l->q + k];
      const tsr_index length = in->shape[l->batch + k];
      const int64_t value = *number;
      if (value < 0 && index->dtype != TSR_U64) *number += length;
      if (*number < 0 || *number >= length)
        return tsr__indices_refuse(ctx, op, index, in, l->batch + k, i * l->q + k, value);
    }
  return TSR_OK;
}

/* Lists to offsets in where's elements, in place; there is room for one where lists are empty. */
static void make_offsets(const lists *l, const tsr_tensor *where, int64_t *numbers) {
  for (tsr_index i = 0; i < l->count; i++) {
    int64_t offset = batch_offset(l, where, i);
    for (int k = 0; k < l->q; k++) offset += numbers[i * l->q + k] * where->stride[l->batch + k];
    numbers[i] = offset;
  }
}

/* Memory for the numbers of all lists, and for an offset of each. */
static tsr_status plan_lists(tsr__call *call, const lists *l, tsr_tensor *numbers) {
  const tsr_tensor *const index = call->in[1];
  size_t bytes;
  if (l->q > 0) return tsr__call_copy_as(call, index, TSR_I64, numbers);
  if (!tsr__mul_size((size_t)l->count, sizeof(int64_t), &bytes))
    return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, "index", "%t does not fit the address space", index);
  return tsr__call_scratch(call, bytes, &numbers->data);
}

static tsr_status read_numbers(const tsr__call *call, const lists *l, const tsr_tensor *numbers) {
  const tsr_tensor *const index = call->in[1];
  if (l->q == 0 || l->count == 0) return TSR_OK;
  tsr__copy_no_alias(call->ctx, index, numbers);
  return check_lists(call->ctx, call->op, l, call->in[0], index, numbers->data);
}

/* ---- gather ---- */

/* in over the output's shape, which moves along the axes that lists do not name; and the offsets, which move along the
 * others. */
static void gather_lists(const tsr_ctx *ctx, const lists *l, const tsr_tensor *in, int64_t *numbers,
                         const tsr_tensor *out) {
  tsr_tensor from = *out, at = *out;
  tsr_index stride = 1;
  make_offsets(l, in, numbers);
  from.data = in->data;
  at.data = numbers;
  at.dtype = TSR_I64;
  for (int k = l->ndim - 1; k >= 0; k--) {
    const bool listed = k < l->rank;
    from.stride[k] = listed ? 0 : in->stride[l->batch + l->q + k - l->rank];
    at.stride[k] = listed ? stride : 0;
    if (listed) stride *= l->shape[k];
  }
  tsr__take_loop(ctx, 1, &from, &at, out);
}

static tsr_status gather_nd(tsr__call *call) {
  const tsr__gather_nd_attrs *const attrs = call->attrs;
  const tsr_tensor *const in = call->in[0], *const index = call->in[1];
  tsr_tensor numbers;
  tsr__target target;
  lists l;
  tsr_status st = tsr__indices_check_dtype(call->ctx, call->op, index);
  if (st == TSR_OK) st = read_lists(call->ctx, call->op, in, index, attrs->batch_dims, &l);
  if (st != TSR_OK) return st;
  const tsr__result result = {in->dtype, TSR_PLAIN, l.ndim, l.shape, NULL};
  st = plan_lists(call, &l, &numbers);
  if (st == TSR_OK) st = tsr__call_target(call, &result, &target);
  if (st == TSR_OK) st = read_numbers(call, &l, &numbers);
  if (st != TSR_OK) return st;
  if (target.bytes > 0) gather_lists(call->ctx, &l, in, numbers.data, &target.view);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

TSR__OP(gather_nd, gather_nd, 0)
tsr_status tsr_gather_nd(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index, int batch_dims, tsr_tensor *out) {
  return TSR__CALL(gather_nd, ctx, TSR__INPUTS(in, index), TSR__OUTPUTS(out), .batch_dims = batch_dims);
}

/* ---- scatter ---- */

/* Whether the lists of src follow one another at one stride. */
static bool is_even(const lists *l, const tsr_tensor *src, tsr_index stride) {
  for (int k = l->rank - 1; k >= 0; k--) {
    if (l->shape[k] != 1 && src->stride[k] != stride) return false;
    if (!tsr__mul_index(stride, l->shape[k], &stride)) return false;
  }
  return true;
}

/* The axes of lists as one. */
static tsr_tensor flatten_lists(const lists *l, const tsr_tensor *src) {
  tsr_tensor flat = *src;
  if (l->rank == 0) return flat;
  const tsr_index stride = flat.stride[l->rank - 1];
  for (int k = 0; k < l->rank; k++) tsr__view_drop_axis(&flat, 0);
  tsr__view_add_axis(&flat, 0, l->count, stride);
  return flat;
}

static void scatter_lists(const tsr_ctx *ctx, const lists *l, const tsr_tensor *src, int64_t *numbers,
                          tsr_scatter_mode mode, const tsr_tensor *out) {
  const tsr_tensor flat = flatten_lists(l, src);
  tsr__scatter s = {.out = *out, .src = flat, .count = l->count, .at_stride = 1, .axis_stride = 1};
  make_offsets(l, out, numbers);
  s.combine = tsr__combine_of(mode, out->dtype);
  if (l->rank > 0) {
    s.src_stride = flat.stride[0];
    tsr__view_drop_axis(&s.src, 0);
  }
  for (int k = 0; k < l->q; k++) tsr__view_drop_axis(&s.out, 0);
  s.at = s.out;
  s.at.dtype = TSR_I64;
  s.at.data = numbers;
  for (int k = 0; k < s.at.ndim; k++) s.at.stride[k] = 0;
  tsr__scatter_run(ctx, &s);
}

static tsr_status scatter_nd(tsr__call *call) {
  const tsr__scatter_nd_attrs *const attrs = call->attrs;
  const tsr_tensor *const in = call->in[0];
  const tsr__result result = {in->dtype, in->layout, in->ndim, in->shape, NULL};
  tsr__scatter_target target;
  tsr_tensor src, numbers;
  lists l;
  tsr_status st = tsr__scatter_check(call, attrs->mode);
  if (st == TSR_OK) st = read_lists(call->ctx, call->op, in, call->in[1], 0, &l);
  if (st == TSR_OK) st = tsr__over(call->ctx, call->op, "src", call->in[2], l.ndim, l.shape, &src);
  if (st != TSR_OK) return st;
  const bool any = tsr_size(&src) > 0, gaps = any && l.rank > 0 && !is_even(&l, &src, src.stride[l.rank - 1]);
  st = tsr__scatter_plan(call, &result, &src, attrs->mode, gaps, &target);
  if (st == TSR_OK) st = plan_lists(call, &l, &numbers);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st == TSR_OK) st = read_numbers(call, &l, &numbers);
  if (st != TSR_OK) return st;
  tsr__scatter_fill(call, &src, &target);
  if (any) scatter_lists(call->ctx, &l, &target.src, numbers.data, attrs->mode, &target.view);
  tsr__scatter_end(call, &target);
  return TSR_OK;
}

TSR__OP(scatter_nd, scatter_nd, 0)
tsr_status tsr_scatter_nd(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *index, const tsr_tensor *src,
                          tsr_scatter_mode mode, tsr_tensor *out) {
  return TSR__CALL(scatter_nd, ctx, TSR__INPUTS(in, index, src), TSR__OUTPUTS(out), .mode = mode);
}
