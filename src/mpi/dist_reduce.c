/* Reductions. Where no axis that is reduced is divided, each rank does its own; integers and extremes are joined in any order; floats are
 * summed in blocks that begin where one process has them. docs/cluster.md has the table. */
#include "mpi/dist_flat.h"
#include "mpi/order.h"

#include <string.h>
#include <tessera/binary.h>
#include <tessera/reduce.h>
#include <tessera/registry.h>

typedef struct reduction {
  const tsr_op *op;
  const tsr_dist *x;
  int naxes;
  tsr_index axes[TSR_MAX_DIMS];
  uint32_t mask;
  bool keepdims, is_sum, is_mean;
  int joined;        /* a tsr_comm_reduction that joins parts exactly; -1 */
  tsr_tensor result; /* described: the whole */
} reduction;

static tsr_status call_op(tsr_ctx *ctx, const reduction *r, const tsr_tensor *x, tsr_tensor *out) {
  const tsr_attr attrs[] = {tsr_attr_ints("axes", r->naxes, r->axes), tsr_attr_bool("keepdims", r->keepdims)};
  return tsr_op_call(ctx, r->op, 1, &x, 2, attrs, 1, &out);
}

static int joins(const char *op, int dtype) {
  const int class_ = tsr_dtype_describe(dtype)->class_;
  if (strcmp(op, "min") == 0) return TSR_COMM_MIN;
  if (strcmp(op, "max") == 0) return TSR_COMM_MAX;
  if (strcmp(op, "any") == 0) return TSR_COMM_ANY;
  if (strcmp(op, "all") == 0) return TSR_COMM_ALL;
  if (strcmp(op, "count_nonzero") == 0) return TSR_COMM_SUM;
  if (strcmp(op, "sum") == 0 && class_ != TSR_CLASS_FLOAT && class_ != TSR_CLASS_COMPLEX) return TSR_COMM_SUM;
  if (strcmp(op, "prod") == 0 && class_ != TSR_CLASS_FLOAT && class_ != TSR_CLASS_COMPLEX) return TSR_COMM_PROD;
  return -1;
}

static tsr_status prepare(tsr__comm_call *call, const char *op, const tsr_dist *x, int naxes, const int *axes,
                          bool keepdims, reduction *r) {
  tsr_tensor whole = {0}, *out = &r->result;
  const tsr_tensor *const in = &whole;
  tsr_ctx inner;
  *r = (reduction){.x = x, .keepdims = keepdims, .joined = -1};
  tsr__comm_inner(call->ctx, &inner);
  r->op = op != NULL ? tsr_op_find(op) : NULL;
  if (r->op == NULL || tsr_op_attribute(r->op, "axes") == NULL || tsr_op_attribute(r->op, "keepdims") == NULL ||
      tsr_op_param_at(r->op, TSR_OP_INPUT, 1) != NULL)
    return tsr__comm_fail(call->ctx, TSR_ENAME, call->op, "op", "is \"%s\": no reduction of one tensor over axes",
                          op != NULL ? op : "");
  const int ndim = x->local.ndim;
  r->naxes = axes == NULL ? ndim : naxes;
  for (int i = 0; i < r->naxes && i < TSR_MAX_DIMS; i++) {
    const int axis = axes == NULL ? i : axes[i] + (axes[i] < 0 ? ndim : 0);
    if (axis < 0 || axis >= ndim)
      return tsr__comm_fail(call->ctx, TSR_EAXIS, call->op, "axes", "%d is out of range for rank %d", axes[i], ndim);
    r->axes[i] = axis;
    r->mask |= (uint32_t)1 << axis;
  }
  tsr_status st = tsr_desc_init(&inner, x->local.dtype, ndim, x->shape, &whole);
  const tsr_attr attrs[] = {tsr_attr_ints("axes", r->naxes, r->axes), tsr_attr_bool("keepdims", keepdims)};
  if (st == TSR_OK) st = tsr_op_infer(&inner, r->op, 1, &in, 2, attrs, 1, &out, NULL);
  if (st != TSR_OK) return tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
  const int class_ = tsr_dtype_describe(x->local.dtype)->class_;
  r->joined = joins(op, x->local.dtype);
  r->is_mean = strcmp(op, "mean") == 0;
  r->is_sum = strcmp(op, "sum") == 0 && class_ == TSR_CLASS_FLOAT;
  return TSR_OK;
}

/* How the result is divided where x is divided as d says, and no axis that is reduced is. */
static tsr__division result_division(const reduction *r, const tsr__division *d) {
  tsr__division out = {.ndim = r->result.ndim, .size = d->size};
  int at = 0;
  for (int i = 0; i < TSR_MAX_DIMS; i++) out.layout.grid[i] = 1;
  for (int i = 0; i < out.ndim; i++) out.shape[i] = r->result.shape[i];
  for (int i = 0; i < d->ndim; i++) {
    const bool is_reduced = (r->mask >> i & 1) != 0;
    if (is_reduced && !r->keepdims) continue;
    if (!is_reduced) out.layout.grid[at] = d->layout.grid[i];
    at++;
  }
  return out;
}

/* Each rank its own part, of x or of what was brought. */
static tsr_status reduce_own(tsr__comm_call *call, const reduction *r, const tsr_dist *x, tsr_dist *out) {
  const tsr__division has = tsr__dist_division(x), d = result_division(r, &has);
  tsr_tensor own = {0}, to = {0};
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  tsr_status st = tsr__dist_make(call, r->result.dtype, &d, out);
  const bool made = st == TSR_OK;
  if (st == TSR_OK) st = tsr_dist_own(call->ctx, x, &own);
  if (st == TSR_OK) st = tsr_dist_own(call->ctx, out, &to);
  if (st == TSR_OK && tsr_size(&to) > 0) {
    st = call_op(&inner, r, &own, &to);
    if (st != TSR_OK) st = tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
  }
  st = tsr__comm_agree_status(call, st);
  if (st != TSR_OK && made) tsr_dist_release(out);
  return st;
}

/* x with an axis divided (-1: none, all of it everywhere), then each rank its own. */
static tsr_status reduce_brought(tsr__comm_call *call, const reduction *r, int axis, tsr_dist *out) {
  tsr_dist brought = {.comm = NULL};
  tsr__division d = {0};
  tsr_dist_layout layout = {.grid = {0}};
  for (int i = 0; i < TSR_MAX_DIMS; i++) layout.grid[i] = 1;
  if (axis >= 0) layout.grid[axis] = call->comm->size;
  tsr_status st = tsr__dist_divide(call, r->x->local.ndim, r->x->shape, &layout, &d);
  st = tsr__dist_bring(call, st, r->x, &d, &brought);
  if (st == TSR_OK) st = reduce_own(call, r, &brought, out);
  tsr_dist_release(&brought);
  return st;
}

/* A result that all ranks have, in memory. */
static tsr_status make_result(tsr__comm_call *call, const reduction *r, tsr_dist *out) {
  tsr__division d = {.ndim = r->result.ndim, .size = call->comm->size};
  for (int i = 0; i < TSR_MAX_DIMS; i++) d.layout.grid[i] = 1;
  for (int i = 0; i < d.ndim; i++) d.shape[i] = r->result.shape[i];
  return tsr__dist_make(call, r->result.dtype, &d, out);
}

static tsr_status reduce_joined(tsr__comm_call *call, const reduction *r, tsr_dist *out) {
  tsr_tensor own = {0};
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  tsr_status st = make_result(call, r, out);
  const bool made = st == TSR_OK;
  if (st == TSR_OK) st = tsr_dist_own(call->ctx, r->x, &own);
  if (st == TSR_OK) {
    st = call_op(&inner, r, &own, &out->local);
    if (st != TSR_OK) st = tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
  }
  st = tsr__comm_agree_status(call, st);
  if (st == TSR_OK)
    st = tsr_comm_allreduce(call->ctx, call->comm, (tsr_comm_reduction)r->joined, &out->local, &out->local, NULL);
  if (st != TSR_OK && made) tsr_dist_release(out);
  return st;
}

/* The sums of a rank's blocks, one row for each. */
static tsr_status block_sums(tsr_ctx *ctx, const tsr__flat *f, tsr_tensor *sums) {
  const tsr_index length = f->part.shape[1], full = length / SUM_BLOCK, tail = length - full * SUM_BLOCK;
  tsr_tensor blocks = {0}, to = {0};
  tsr_status st = tsr_empty(ctx, f->dtype, TSR_SHAPE(full + (tail > 0), f->rows), sums);
  if (st == TSR_OK && full > 0) {
    st = tsr_narrow(ctx, &f->part, 1, 0, full * SUM_BLOCK, &blocks);
    if (st == TSR_OK) st = tsr_reshape_view(ctx, &blocks, TSR_SHAPE(f->rows, full, SUM_BLOCK), &blocks);
    if (st == TSR_OK) st = tsr_narrow(ctx, sums, 0, 0, full, &to);
    if (st == TSR_OK) st = tsr_transpose(ctx, &to, 0, 1, &to);
    if (st == TSR_OK) st = tsr_sum(ctx, &blocks, TSR_AXES(2), false, &to);
  }
  if (st == TSR_OK && tail > 0) {
    st = tsr_narrow(ctx, &f->part, 1, full * SUM_BLOCK, tail, &blocks);
    if (st == TSR_OK) st = tsr_select(ctx, sums, 0, full, &to);
    if (st == TSR_OK) st = tsr_sum(ctx, &blocks, TSR_AXES(1), false, &to);
  }
  return st;
}

static tsr_status finish_sum(tsr_ctx *ctx, const reduction *r, tsr_index length, const tsr_tensor *all,
                             tsr_tensor *out) {
  tsr_tensor sum = {0};
  tsr__order_tree(all->dtype, all->shape[0], all->shape[1], all->data);
  tsr_status st = tsr_select(ctx, all, 0, 0, &sum);
  if (st == TSR_OK && r->is_mean) st = tsr_div_scalar(ctx, &sum, (tsr_real)length, &sum);
  if (st == TSR_OK) st = tsr_reshape_view(ctx, &sum, out->ndim, out->shape, &sum);
  return st == TSR_OK ? tsr_copy(ctx, &sum, out) : st;
}

static tsr_status reduce_blocks(tsr__comm_call *call, const reduction *r, tsr_dist *out) {
  const int dtype = r->is_mean || r->x->local.dtype == TSR_F64 ? TSR_F64 : TSR_F32;
  tsr_tensor sums = {0}, all = {0};
  tsr__flat f;
  tsr_ctx inner;
  tsr__comm_inner(call->ctx, &inner);
  tsr_status st = tsr__flat_new(call, r->x, r->mask, dtype, SUM_BLOCK, &f);
  if (st != TSR_OK) return st;
  st = make_result(call, r, out);
  const bool made = st == TSR_OK;
  if (st == TSR_OK) {
    st = block_sums(&inner, &f, &sums);
    if (st != TSR_OK) st = tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
  }
  st = tsr__comm_agree_status(call, st);
  if (st == TSR_OK) st = tsr_comm_allgather(call->ctx, call->comm, 0, &sums, &all, NULL);
  if (st == TSR_OK) {
    st = finish_sum(&inner, r, f.length, &all, &out->local);
    if (st != TSR_OK) st = tsr__comm_fail_as(call->ctx, st, call->op, NULL, &inner);
  }
  tsr_release(&sums);
  tsr_release(&all);
  tsr__flat_release(&f);
  if (st != TSR_OK && made) tsr_dist_release(out);
  return st;
}

/* ---- which way ---- */

static tsr_status reduce(tsr__comm_call *call, const reduction *r, tsr_dist *out) {
  const tsr_dist *const x = r->x;
  bool is_divided = false, keeps = false, has_empty = false, whole_empty = false;
  int longest = -1;
  for (int i = 0; i < x->local.ndim; i++) {
    const bool is_reduced = (r->mask >> i & 1) != 0;
    if (x->layout.grid[i] > 1 && is_reduced) is_divided = true;
    if (x->layout.grid[i] > 1 && !is_reduced) keeps = true;
    if (x->shape[i] < x->layout.grid[i]) has_empty = true;
    if (x->shape[i] == 0) whole_empty = true;
    if (!is_reduced && x->shape[i] >= call->comm->size && (longest < 0 || x->shape[i] > x->shape[longest])) longest = i;
  }
  if (!is_divided) return reduce_own(call, r, x, out);
  if (whole_empty) return reduce_brought(call, r, -1, out);
  if (r->joined >= 0 && !keeps && !has_empty) return reduce_joined(call, r, out);
  if (longest >= 0) return reduce_brought(call, r, longest, out);
  if (r->is_sum || r->is_mean) return reduce_blocks(call, r, out);
  return reduce_brought(call, r, -1, out);
}

tsr_status tsr_dist_reduce(tsr_ctx *ctx, const char *op_name, const tsr_dist *x, int naxes, const int *axes,
                           bool keepdims, tsr_dist *out) {
  static const char op[] = "dist_reduce";
  tsr__comm_call call;
  reduction r = {.x = NULL};
  if (x == NULL || x->comm == NULL) return tsr__comm_fail(ctx, TSR_ESTATE, op, "x", "is empty");
  tsr_status st = tsr__dist_begin(ctx, x->comm, op, &call);
  if (st == TSR_OK) st = tsr__dist_check(&call, "x", x);
  if (st == TSR_OK) st = prepare(&call, op_name, x, naxes, axes, keepdims, &r);
  if (st == TSR_OK && (out == NULL || out->comm != NULL))
    st = tsr__comm_fail(ctx, TSR_ESTATE, op, "out", "is not empty: release it first");
  if (op_name != NULL) tsr__dist_note(&call, op_name, strlen(op_name));
  tsr__dist_note(&call, &r.mask, sizeof r.mask);
  st = tsr__comm_agree(&call, st);
  return st == TSR_OK ? reduce(&call, &r, out) : st;
}
