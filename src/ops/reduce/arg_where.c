/* tsr_argmin_where, tsr_argmax_where: a search in which what is not chosen is the worst there can be. */
#include "ops/copy/copy.h"
#include "ops/reduce/arg.h"
#include "ops/reduce/where.h"

typedef struct search {
  tsr__where where;
  tsr__reduce r;
  tsr_tensor copy, bools, found; /* of x; which are chosen; indices, contiguous */
  void *memory;                  /* of the search */
} search;

static tsr_status get_search_room(tsr__call *call, search *s) {
  tsr_status st = tsr__where_room(call, &s->where, tsr__reduce_compute(s->r.x->dtype), &s->copy);
  if (st == TSR_OK) st = tsr__where_room(call, &s->where, TSR_BOOL, &s->bools);
  s->found = tsr__reduce_result_as(&s->r, TSR__ARG_INDEX_DTYPE);
  if (st == TSR_OK) st = tsr__call_scratch(call, tsr_nbytes(&s->found), &s->found.data);
  s->r.x = &s->copy;
  return st == TSR_OK ? tsr__call_scratch(call, tsr__arg_bytes(call->ctx, &s->r, &s->found), &s->memory) : st;
}

/* A result that is not chosen is as bad as all that are: the first of those is meant. */
static tsr_status look_again(const tsr__call *call, const search *s) {
  const bool *const bools = s->bools.data;
  tsr_index *const found = s->found.data;
  const tsr_index results = tsr_size(&s->found), length = s->r.terms.count;
  tsr_index inner = 1;
  for (int k = s->copy.ndim - 1; k >= 0 && (s->r.axes >> k & 1) == 0; k--) inner *= s->copy.shape[k];
  for (tsr_index i = 0; i < results; i++) {
    const bool *const line = bools + i / inner * inner * length + i % inner;
    tsr_index at = 0;
    if (line[found[i] * inner]) continue;
    while (at < length && !line[at * inner]) at++;
    if (at == length)
      return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "x", "is %t: nothing is chosen for result number %l",
                       s->where.x, (int64_t)i);
    found[i] = at;
  }
  return TSR_OK;
}

static tsr_status arg_of_chosen(tsr__call *call, const tsr__arg_op *op, search *s) {
  static const unsigned char no = 0;
  unsigned char fill[16] = {0};
  tsr__reduce_frame frame;
  tsr_status st = tsr__reduce_result(call, &s->r, &frame);
  if (st == TSR_OK) st = get_search_room(call, s);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  tsr__where_limit(s->copy.dtype, op->least, fill);
  tsr__where_fill(call->ctx, &s->where, TSR__TAKE_ELEMENT, NULL, fill, &s->copy);
  tsr__where_fill(call->ctx, &s->where, TSR__TAKE_ONE, NULL, &no, &s->bools);
  tsr__arg_into(call->ctx, op, &s->r, &s->found, s->memory);
  st = look_again(call, s);
  if (st == TSR_OK && tsr_size(&s->found) > 0) tsr__copy_no_alias(call->ctx, &s->found, call->out[0]);
  return st;
}

static tsr_status arg_where(tsr__call *call) {
  const tsr__argmin_where_attrs *const attrs = call->attrs;
  const tsr__op_info *const over_all = call->info->kernels;
  search s;
  tsr_status st = tsr__arg_begin(call, attrs->axis, attrs->keepdims, &s.r);
  if (st == TSR_OK) st = tsr__where_check(call, attrs->selection, &s.where);
  if (st != TSR_OK) return st;
  return tsr__where_filters(&s.where) ? arg_of_chosen(call, over_all->kernels, &s)
                                      : tsr__arg_call(call, over_all->kernels, &s.r);
}

TSR__OP_ROW(argmin_where, argmin_where, arg_where, &tsr__op_argmin, 0)
tsr_status tsr_argmin_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection, int axis, bool keepdims,
                            tsr_tensor *out) {
  return TSR__CALL(argmin_where, ctx, TSR__WHERE_INPUTS(x, selection), TSR__OUTPUTS(out), .selection = selection,
                   .axis = axis, .keepdims = keepdims);
}

TSR__OP_ROW(argmax_where, argmin_where, arg_where, &tsr__op_argmax, 0)
tsr_status tsr_argmax_where(tsr_ctx *ctx, const tsr_tensor *x, const tsr_selection *selection, int axis, bool keepdims,
                            tsr_tensor *out) {
  return TSR__CALL(argmax_where, ctx, TSR__WHERE_INPUTS(x, selection), TSR__OUTPUTS(out), .selection = selection,
                   .axis = axis, .keepdims = keepdims);
}
