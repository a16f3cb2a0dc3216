/* View or copy: reshape, flatten, contiguous. The result is a handle to release either way. */
#include "core/operand.h"
#include "core/order.h"
#include "core/tensor.h"
#include "core/view.h"
#include "core/view_reshape.h"
#include "ops/copy/copy.h"

#include <tessera/ops.h>

/* *out is empty, or the input. */
static tsr_status check_out(tsr_ctx *ctx, const char *op, const tsr_tensor *in, const tsr_tensor *out) {
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (out == in || tsr_is_empty(out)) return TSR_OK;
  return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "is %t: it must be empty or the input, because the result may be a view",
                   out);
}

/* A view of in becomes the result: with its own count, or in the place of the input that has one. In place it is the
 * same tensor, and keeps its name: a bundle finds it by that. */
static void give_view(const tsr_tensor *in, const tsr_tensor *view, tsr_tensor *out) {
  if (out == in) {
    const uint8_t flags = in->flags;
    const char *const name = in->name;
    *out = *view;
    out->flags = flags;
    out->name = name;
    return;
  }
  *out = *view;
  if (view->storage == NULL) return;
  out->storage = tsr_storage_share(view->storage);
  out->flags |= TSR_OWNS;
}

static void give_copy(const tsr_tensor *in, tsr_tensor *copy, tsr_tensor *out) {
  const char *const name = out == in ? in->name : NULL;
  if (out == in) tsr_release(out);
  *out = *copy;
  out->name = name;
}

/* The axes of a shape as order counts them; orders are their own inverse. */
static void shape_in_order(int ndim, const tsr_index *shape, tsr_order order, tsr_index *ordered) {
  tsr_tensor t;
  tsr__describe(TSR_U8, ndim, shape, &t);
  const tsr_tensor view = tsr__in_order(&t, order == TSR_MEMORY ? TSR_ROW_MAJOR : order, NULL);
  for (int i = 0; i < ndim; i++) ordered[i] = view.shape[i];
}

/* Copies in to a fresh tensor of shape, both counted in order. */
static tsr_status reshape_copy(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int ndim, const tsr_index *shape,
                               tsr_order order, tsr_tensor *copy) {
  TSR__OPERANDS(in);
  const tsr_tensor from = tsr__in_order(in, order, NULL);
  tsr_index ordered[TSR_MAX_DIMS];
  shape_in_order(ndim, shape, order, ordered);
  tsr_status st = tsr__check_desc(ctx, op, in->dtype, ndim, ordered);
  if (st != TSR_OK) return st;
  tsr_tensor fresh, as_input;
  tsr__describe(in->dtype, ndim, ordered, &fresh);
  tsr__strides_for(ndim, ordered, TSR_ROW_MAJOR, fresh.stride);
  st = tsr__allocate(ctx, op, NULL, TSR_HINT_DEFAULT, &fresh);
  if (st != TSR_OK) return st;
  (void)tsr__reshape_strides(&fresh, TSR_ROW_MAJOR, from.ndim, from.shape, &as_input); /* contiguous: always possible */
  tsr__copy_apart(ctx, &from, &as_input);
  const uint8_t flags = fresh.flags;
  *copy = order == TSR_MEMORY ? fresh : tsr__in_order(&fresh, order, NULL);
  copy->flags = flags;
  return TSR_OK;
}

static tsr_status reshape(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int ndim, const tsr_index *shape,
                          tsr_order order, tsr_tensor *out) {
  tsr_index resolved[TSR_MAX_DIMS];
  tsr_status st = tsr__check_given(ctx, op, "in", in);
  if (st == TSR_OK) st = tsr__check_order(ctx, op, order);
  if (st == TSR_OK) st = check_out(ctx, op, in, out);
  if (st == TSR_OK) st = tsr__resolve_shape(ctx, op, in, ndim, shape, resolved);
  if (st != TSR_OK) return st;
  tsr_tensor result;
  if (tsr__reshape_strides(in, order, ndim, resolved, &result)) {
    give_view(in, &result, out);
    return TSR_OK;
  }
  st = tsr__check_input(ctx, op, "in", in);
  if (st == TSR_OK) st = reshape_copy(ctx, op, in, ndim, resolved, order, &result);
  if (st == TSR_OK) give_copy(in, &result, out);
  return st;
}

tsr_status tsr_reshape(tsr_ctx *ctx, const tsr_tensor *in, int ndim, const tsr_index *shape, tsr_tensor *out) {
  return reshape(ctx, "reshape", in, ndim, shape, TSR_ROW_MAJOR, out);
}

tsr_status tsr_reshape_ordered(tsr_ctx *ctx, const tsr_tensor *in, int ndim, const tsr_index *shape, tsr_order order,
                               tsr_tensor *out) {
  return reshape(ctx, "reshape_ordered", in, ndim, shape, order, out);
}

tsr_status tsr_flatten(tsr_ctx *ctx, const tsr_tensor *in, tsr_order order, tsr_tensor *out) {
  static const char op[] = "flatten";
  const tsr_status st = tsr__check_given(ctx, op, "in", in);
  return st == TSR_OK ? reshape(ctx, op, in, 1, (const tsr_index[]){tsr_size(in)}, order, out) : st;
}

tsr_status tsr_contiguous(tsr_ctx *ctx, const tsr_tensor *in, tsr_tensor *out) {
  static const char op[] = "contiguous";
  tsr_status st = tsr__check_given(ctx, op, "in", in);
  if (st == TSR_OK) st = check_out(ctx, op, in, out);
  if (st != TSR_OK) return st;
  tsr_tensor result = *in;
  if (tsr_is_contiguous(in, TSR_ROW_MAJOR)) {
    result.flags &= (uint8_t)~TSR_OWNS;
    result.name = NULL;
    give_view(in, &result, out);
    return TSR_OK;
  }
  const uint8_t layout = in->layout;
  st = tsr__check_input(ctx, op, "in", in);
  if (st == TSR_OK) st = reshape_copy(ctx, op, in, in->ndim, in->shape, TSR_ROW_MAJOR, &result);
  if (st != TSR_OK) return st;
  give_copy(in, &result, out);
  out->layout = layout;
  return TSR_OK;
}
