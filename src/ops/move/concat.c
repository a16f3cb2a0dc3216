/* Tensors one after the other: copies of each onto its part of the output. */
#include "core/view.h"
#include "cpu/parallel.h"
#include "ops/move/ops.h"
#include "ops/move/target.h"

static tsr_status check_dtypes(const tsr__call *call) {
  const tsr_tensor *const *const in = call->in;
  for (int i = 1; i < call->inputs; i++)
    if (in[i]->dtype != in[0]->dtype)
      return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, NULL, "in[%d] is %t and in[0] is %t: cast one first", i, in[i],
                       in[0]);
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

/* ---- short rows ---- */

/* Rows of the output that are made at a time from all inputs, so that its lines are finished while they are at hand;
 * of parts that are whole lines each is written at once. */
enum { BLOCK_BYTES = 65536, LINE = 64, SHORT_BYTES = 4096 };

typedef struct joining {
  const tsr__call *call;
  const tsr__target *target;
  int axis;
  tsr_index rows; /* of a block */
} joining;

/* All inputs onto rows first … first + count - 1 along axis 0 of the target; count 0: onto all of it. */
static void join_parts(const joining *j, tsr_index first, tsr_index count) {
  tsr_index start = 0;
  for (int i = 0; i < j->call->inputs; i++) {
    const tsr_tensor *const in = j->call->in[i];
    const tsr_index length = in->shape[j->axis];
    const tsr_tensor part = tsr__part(&j->target->view, j->axis, start, length);
    start += length;
    if (count == 0) {
      tsr__copy_part(j->call->ctx, in, &part, j->target->bytes);
      continue;
    }
    const tsr_tensor from = tsr__part(in, 0, first, count), to = tsr__part(&part, 0, first, count);
    tsr__copy_part(j->call->ctx, &from, &to, j->target->bytes);
  }
}

static void join_blocks(void *arg, tsr_index begin, tsr_index end, int worker) {
  const joining *const j = arg;
  const tsr_index all = j->target->view.shape[0];
  (void)worker;
  for (tsr_index block = begin; block < end; block++) {
    const tsr_index first = block * j->rows;
    join_parts(j, first, all - first < j->rows ? all - first : j->rows);
  }
}

/* Rows of a block, or 0: they are not short, or there are few. */
static tsr_index rows_of_block(const joining *j) {
  const tsr_tensor *const out = &j->target->view;
  if (!TSR_HAVE_MALLOC || j->axis == 0 || out->shape[0] == 0 || tsr_size(out) == 0) return 0;
  const size_t bytes = tsr_nbytes(out), row = bytes / (size_t)out->shape[0];
  bool lines = true;
  size_t inner = tsr_dtype_size(out->dtype);
  for (int i = j->axis + 1; i < out->ndim; i++) inner *= (size_t)out->shape[i];
  for (int i = 0; i < j->call->inputs; i++) lines = lines && inner * (size_t)j->call->in[i]->shape[j->axis] % LINE == 0;
  return !lines && row <= SHORT_BYTES && bytes >= 2 * BLOCK_BYTES ? (tsr_index)(BLOCK_BYTES / row) : 0;
}

static void join(const tsr__call *call, const tsr__target *target, int axis) {
  joining j = {call, target, axis, 0};
  j.rows = rows_of_block(&j);
  if (j.rows == 0)
    join_parts(&j, 0, 0);
  else
    tsr__parallel_for(call->ctx, (target->view.shape[0] - 1) / j.rows + 1, 2, join_blocks, &j);
}

static tsr_status concat(tsr__call *call) {
  const tsr__concat_attrs *const attrs = call->attrs;
  const tsr_tensor *const *const in = call->in;
  tsr_index shape[TSR_MAX_DIMS], length;
  tsr__target target;
  int axis = attrs->axis;
  tsr_status st = check_dtypes(call);
  if (st == TSR_OK) st = tsr__call_axis(call, "axis", in[0]->ndim, &axis);
  if (st == TSR_OK) st = check_shapes(call->ctx, call->op, call->inputs, in, axis, &length);
  if (st != TSR_OK) return st;
  for (int k = 0; k < in[0]->ndim; k++) shape[k] = k == axis ? length : in[0]->shape[k];
  const tsr__result result = {in[0]->dtype, in[0]->layout, in[0]->ndim, shape, NULL};
  st = tsr__call_target(call, &result, &target);
  if (st != TSR_OK) return st;
  join(call, &target, axis);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

static tsr_status stack(tsr__call *call) {
  const tsr__concat_attrs *const attrs = call->attrs;
  const tsr_tensor *const *const in = call->in;
  tsr_index shape[TSR_MAX_DIMS + 1], length;
  tsr__target target;
  int axis = attrs->axis;
  tsr_status st = check_dtypes(call);
  if (st == TSR_OK) st = tsr__call_axis(call, "axis", in[0]->ndim + 1, &axis);
  if (st == TSR_OK) st = check_shapes(call->ctx, call->op, call->inputs, in, -1, &length);
  if (st != TSR_OK) return st;
  for (int k = 0; k <= in[0]->ndim; k++) shape[k] = k == axis ? call->inputs : in[0]->shape[k - (k > axis)];
  const tsr__result result = {in[0]->dtype, TSR_PLAIN, in[0]->ndim + 1, shape, NULL};
  st = tsr__call_target(call, &result, &target);
  if (st != TSR_OK) return st;
  for (int i = 0; i < call->inputs; i++) {
    tsr_tensor part = tsr__part(&target.view, axis, i, 1);
    tsr__view_drop_axis(&part, axis);
    tsr__copy_part(call->ctx, in[i], &part, target.bytes);
  }
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

/* A list of tensors, before the frame looks at each of them. */
static tsr_status check_list(tsr_ctx *ctx, const char *op, int n, const tsr_tensor *const *in) {
  if (n < 1) return TSR__FAIL(ctx, TSR_EARG, op, "n", "is %d: there must be a tensor", n);
  return in != NULL ? TSR_OK : TSR__FAIL(ctx, TSR_EARG, op, "in", "is NULL");
}

TSR__OP(concat, concat, 0)
tsr_status tsr_concat(tsr_ctx *ctx, int n, const tsr_tensor *const *in, int axis, tsr_tensor *out) {
  const tsr_status st = check_list(ctx, "concat", n, in);
  return st == TSR_OK ? tsr__call_many(ctx, &tsr__op_concat, &(const tsr__concat_attrs){.axis = axis}, n, in, out) : st;
}

TSR__OP_LIKE(stack, concat, stack, 0)
tsr_status tsr_stack(tsr_ctx *ctx, int n, const tsr_tensor *const *in, int axis, tsr_tensor *out) {
  const tsr_status st = check_list(ctx, "stack", n, in);
  return st == TSR_OK ? tsr__call_many(ctx, &tsr__op_stack, &(const tsr__stack_attrs){.axis = axis}, n, in, out) : st;
}
