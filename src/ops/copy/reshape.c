/* View or copy: reshape, flatten, contiguous. The result is a handle to release either way. A view is made as all views
 * are, whatever device it is of; only a copy is a call. */
#include "core/order.h"
#include "core/scope.h"
#include "core/tensor.h"
#include "core/view_reshape.h"
#include "ops/copy/copy.h"
#include "ops/copy/ops.h"

/* *out is empty, or the input. */
static tsr_status check_out(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *out) {
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (out == in || tsr_is_none(out)) return TSR_OK;
  return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "is %t: it must be empty or the input, because the result may be a view",
                   out);
}

/* A view of in becomes the result: with its own count, or in the place of the input that has one. In place it is the
 * same tensor, and keeps its name: a bundle finds it by that. */
static tsr_status give_view(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *view,
                            tsr_tensor *out) {
  const tsr_status st = tsr__scope_reserve(ctx, op, 1);
  if (st != TSR_OK) return st;
  if (out == in) {
    const uint8_t flags = in->flags;
    const char *const name = in->name;
    *out = *view;
    out->flags = flags;
    out->name = name;
    return TSR_OK;
  }
  *out = *view;
  if (view->storage == NULL) return TSR_OK;
  out->storage = tsr_storage_share(view->storage);
  out->flags |= TSR_OWNS;
  tsr__scope_take(ctx, out);
  return TSR_OK;
}

static void give_copy(const tsr_tensor *in, tsr_tensor *copy, tsr_tensor *out) {
  const char *const name = out == in ? in->name : NULL;
  if (out == in) tsr_release(out);
  *out = *copy;
  out->name = name;
}

/* ---- copies: the output of the call is a handle of its own, even where it takes the place of the input ---- */

/* The input's elements, counted in order, as a fresh tensor of shape. */
static tsr_status reshape_copy(tsr__call *call, int ndim, const tsr_index *shape, tsr_order order) {
  const tsr_tensor *const in = call->in[0];
  tsr_index resolved[TSR_MAX_DIMS];
  tsr_tensor like, as_input;
  tsr_status st = tsr__resolve_shape(call->ctx, call->op, in, ndim, shape, resolved);
  const tsr_order made = order == TSR_MEMORY ? TSR_ROW_MAJOR : order;
  if (st == TSR_OK) st = tsr__desc_ordered(call->ctx, call->op, in->dtype, ndim, resolved, made, &like);
  const tsr__result result = {in->dtype, TSR_PLAIN, ndim, resolved, &like};
  if (st == TSR_OK) st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  const tsr_tensor from = tsr__in_order(in, order, NULL), to = tsr__in_order(call->out[0], made, NULL);
  (void)tsr__reshape_strides(&to, TSR_ROW_MAJOR, from.ndim, from.shape, &as_input); /* contiguous: always possible */
  tsr__copy_no_alias(call->ctx, &from, &as_input);
  return TSR_OK;
}

static tsr_status reshape(tsr__call *call) {
  const tsr__reshape_attrs *const attrs = call->attrs;
  return reshape_copy(call, attrs->shape_count, attrs->shape, TSR_ROW_MAJOR);
}

static tsr_status reshape_ordered(tsr__call *call) {
  const tsr__reshape_ordered_attrs *const attrs = call->attrs;
  return reshape_copy(call, attrs->shape_count, attrs->shape, attrs->order);
}

static tsr_status flatten(tsr__call *call) {
  const tsr__flatten_attrs *const attrs = call->attrs;
  return reshape_copy(call, 1, (const tsr_index[]){tsr_size(call->in[0])}, attrs->order);
}

static tsr_status contiguous(tsr__call *call) {
  const tsr_tensor *const in = call->in[0];
  const tsr__result result = {in->dtype, in->layout, in->ndim, in->shape, NULL};
  const tsr_status st = tsr__call_result(call, &result);
  return st == TSR_OK ? tsr__call_copy(call, in) : st;
}

/* ---- the functions ---- */

/* What all of them ask first. */
static tsr_status check_operands(tsr_ctx *ctx, const char *op, const tsr_tensor *in, tsr_order order,
                                 const tsr_tensor *out) {
  tsr_status st = tsr__check_given(ctx, op, "in", in);
  if (st == TSR_OK) st = tsr__check_order(ctx, op, order);
  return st == TSR_OK ? check_out(ctx, op, in, out) : st;
}

/* Whether a copy is to be made; if not, *out is a view, or *st says what is wrong. */
static bool needs_copy(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int ndim, const tsr_index *shape,
                       tsr_order order, tsr_tensor *out, tsr_status *st) {
  tsr_index resolved[TSR_MAX_DIMS];
  tsr_tensor view;
  *st = check_operands(ctx, op, in, order, out);
  if (*st == TSR_OK) *st = tsr__resolve_shape(ctx, op, in, ndim, shape, resolved);
  if (*st != TSR_OK) return false;
  if (!tsr__reshape_strides(in, order, ndim, resolved, &view)) return true;
  *st = give_view(ctx, op, in, &view, out);
  return false;
}

/* A copy that takes the place of an input with a count is that handle's, and no open scope's. */
static struct tsr_scope *begin_copy(tsr_ctx *ctx, const tsr_tensor *in, const tsr_tensor *out) {
  return out == in && (in->flags & TSR_OWNS) != 0 ? tsr__scope_pause(ctx) : NULL;
}

/* The copy that a call made, or did not. */
static tsr_status give_made(tsr_ctx *ctx, struct tsr_scope *scope, const tsr_tensor *in, tsr_status st,
                            tsr_tensor *made, tsr_tensor *out) {
  tsr__scope_resume(ctx, scope);
  if (st == TSR_OK) give_copy(in, made, out);
  return st;
}

TSR__OP(reshape, reshape, 0)
tsr_status tsr_reshape(tsr_ctx *ctx, const tsr_tensor *in, int ndim, const tsr_index *shape, tsr_tensor *out) {
  tsr_status st;
  if (!needs_copy(ctx, "reshape", in, ndim, shape, TSR_ROW_MAJOR, out, &st)) return st;
  tsr_tensor made = TSR_EMPTY;
  struct tsr_scope *const scope = begin_copy(ctx, in, out);
  st = TSR__CALL(reshape, ctx, TSR__INPUTS(in), TSR__OUTPUTS(&made), .shape = shape, .shape_count = ndim);
  return give_made(ctx, scope, in, st, &made, out);
}

TSR__OP(reshape_ordered, reshape_ordered, 0)
tsr_status tsr_reshape_ordered(tsr_ctx *ctx, const tsr_tensor *in, int ndim, const tsr_index *shape, tsr_order order,
                               tsr_tensor *out) {
  tsr_status st;
  if (!needs_copy(ctx, "reshape_ordered", in, ndim, shape, order, out, &st)) return st;
  tsr_tensor made = TSR_EMPTY;
  struct tsr_scope *const scope = begin_copy(ctx, in, out);
  st = TSR__CALL(reshape_ordered, ctx, TSR__INPUTS(in), TSR__OUTPUTS(&made), .shape = shape, .shape_count = ndim,
                 .order = order);
  return give_made(ctx, scope, in, st, &made, out);
}

TSR__OP(flatten, flatten, 0)
tsr_status tsr_flatten(tsr_ctx *ctx, const tsr_tensor *in, tsr_order order, tsr_tensor *out) {
  const tsr_index size = in != NULL ? tsr_size(in) : 0;
  tsr_status st;
  if (!needs_copy(ctx, "flatten", in, 1, &size, order, out, &st)) return st;
  tsr_tensor made = TSR_EMPTY;
  struct tsr_scope *const scope = begin_copy(ctx, in, out);
  st = TSR__CALL(flatten, ctx, TSR__INPUTS(in), TSR__OUTPUTS(&made), .order = order);
  return give_made(ctx, scope, in, st, &made, out);
}

TSR__OP_LIKE(contiguous, copy, contiguous, 0)
tsr_status tsr_contiguous(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  tsr_status st = check_operands(ctx, "contiguous", in, TSR_ROW_MAJOR, out);
  if (st != TSR_OK) return st;
  if (tsr_is_contiguous(in, TSR_ROW_MAJOR)) {
    tsr_tensor view = *in;
    view.flags &= (uint8_t)~TSR_OWNS;
    view.name = NULL;
    return give_view(ctx, "contiguous", in, &view, out);
  }
  tsr_tensor made = TSR_EMPTY;
  struct tsr_scope *const scope = begin_copy(ctx, in, out);
  st = TSR__CALL(contiguous, ctx, TSR__INPUTS(in), TSR__OUTPUTS(&made), );
  return give_made(ctx, scope, in, st, &made, out);
}
