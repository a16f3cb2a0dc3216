/* One-hot vectors: off everywhere, then on at the place that each index names. */
#include "cpu/iterate.h"
#include "ops/cast/convert.h"
#include "ops/copy/copy.h"
#include "ops/create/ops.h"

#include <string.h>

static tsr_status check_one_hot(tsr_ctx *ctx, const char *op, const tsr_tensor *index, tsr_index classes, int dtype) {
  const tsr_status st = tsr__check_dtype(ctx, op, "dtype", dtype);
  if (st != TSR_OK) return st;
  const int kind = tsr_dtype_describe(index->dtype)->class_;
  if (kind != TSR_CLASS_INT && kind != TSR_CLASS_UINT)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "index", "is %t; indices are integers", index);
  if (index->ndim == TSR_MAX_DIMS)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "index", "%t: the result would have rank %d", index, index->ndim + 1);
  if (classes < 0) return TSR__FAIL(ctx, TSR_EARG, op, "classes", "is %l", (int64_t)classes);
  return TSR_OK;
}

/* Temporary memory for the indices as int64_t. */
static tsr_status make_room(tsr__call *call, tsr_tensor *copy) {
  const tsr_tensor *const index = call->in[0];
  size_t bytes;
  if (!tsr__mul_size((size_t)tsr_size(index), sizeof(int64_t), &bytes))
    return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, "index", "%t does not fit the address space", index);
  *copy = *index;
  copy->flags = 0;
  copy->dtype = TSR_I64;
  tsr__strides_for(copy->ndim, copy->shape, TSR_ROW_MAJOR, copy->stride);
  return tsr__call_scratch(call, bytes, &copy->data);
}

/* Reads the indices, and checks that each is in range. */
static tsr_status read_index(const tsr__call *call, tsr_index classes, const tsr_tensor *copy) {
  const tsr_tensor *const index = call->in[0];
  const int64_t *const at = copy->data;
  const tsr_index n = tsr_size(index);
  if (n > 0) tsr__copy_no_alias(call->ctx, index, copy);
  for (tsr_index i = 0; i < n; i++) {
    if (at[i] >= 0 && at[i] < classes) continue;
    if (at[i] < 0 && index->dtype == TSR_U64) /* more than an int64_t says */
      return TSR__FAIL(call->ctx, TSR_EINDEX, call->op, "index", "number %l is beyond %l classes", (int64_t)i,
                       (int64_t)classes);
    return TSR__FAIL(call->ctx, TSR_EINDEX, call->op, "index", "number %l is %l: out of range for %l classes",
                     (int64_t)i, at[i], (int64_t)classes);
  }
  return TSR_OK;
}

typedef struct marking {
  size_t item;
  ptrdiff_t class_step; /* in bytes */
  unsigned char on[16];
} marking;

/* at[0] is the output at class 0, at[1] the index. */
static void mark_row(const tsr__row_args *args, tsr_index n, char *const *at, const ptrdiff_t *step) {
  const marking *const m = args->param;
  for (tsr_index i = 0; i < n; i++) {
    int64_t index;
    memcpy(&index, at[1] + (ptrdiff_t)i * step[1], sizeof index);
    memcpy(at[0] + (ptrdiff_t)i * step[0] + (ptrdiff_t)index * m->class_step, m->on, m->item);
  }
}

static void mark(const tsr_tensor *out, const tsr_tensor *index, marking *m) {
  tsr_tensor first = *out;
  tsr__loop loop;
  m->class_step = (ptrdiff_t)out->stride[out->ndim - 1] * (ptrdiff_t)m->item;
  tsr__view_drop_axis(&first, out->ndim - 1);
  tsr__loop_init(&loop, 2, (const tsr_tensor *[]){&first, index});
  tsr__loop_run(&loop, mark_row, m);
}

/* The indices are copied: the output may lie over them. */
static tsr_status one_hot(tsr__call *call) {
  const tsr__one_hot_attrs *const attrs = call->attrs;
  const tsr_tensor *const index = call->in[0];
  marking m = {.item = tsr_dtype_size(attrs->dtype)};
  unsigned char nothing[16];
  tsr_index shape[TSR_MAX_DIMS];
  tsr_tensor copy;
  tsr_status st = check_one_hot(call->ctx, call->op, index, attrs->classes, attrs->dtype);
  if (st == TSR_OK) st = tsr__scalar_from_real(call->ctx, call->op, "on", attrs->dtype, attrs->on, m.on);
  if (st == TSR_OK) st = tsr__scalar_from_real(call->ctx, call->op, "off", attrs->dtype, attrs->off, nothing);
  if (st != TSR_OK) return st;
  for (int k = 0; k < index->ndim; k++) shape[k] = index->shape[k];
  shape[index->ndim] = attrs->classes;
  const tsr__result result = {attrs->dtype, TSR_PLAIN, index->ndim + 1, shape, NULL};
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = make_room(call, &copy);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st == TSR_OK) st = read_index(call, attrs->classes, &copy);
  if (st != TSR_OK || tsr_size(call->out[0]) == 0) return st;
  tsr__fill_host(call->ctx, call->out[0], nothing);
  mark(call->out[0], &copy, &m);
  return TSR_OK;
}

TSR__OP(one_hot, one_hot, 0)
tsr_status tsr_one_hot(tsr_ctx *ctx, const tsr_tensor *index, tsr_index classes, tsr_real on, tsr_real off, int dtype,
                       tsr_tensor *out) {
  return TSR__CALL(one_hot, ctx, TSR__INPUTS(index), TSR__OUTPUTS(out), .classes = classes, .on = on, .off = off,
                   .dtype = dtype);
}
