/* Copies: of any strides, to any dtype, into another shape or layout. */
#include "cuda/engines/engines.h"

#include "core/layout.h"
#include "core/order.h"
#include "core/view_reshape.h"
#include "ops/copy/ops.h"

tsr_status tsr__cuda_copy(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__cuda_view in = tsr__cuda_input(work, 0), out = tsr__cuda_output(work, 0);
  (void)op;
  return tsr__cuda_plan_cast(gpu, work->ctx, &in, &out, plan);
}

/* The input's elements, counted in order, to the output's. */
static tsr_status plan_reshape(tsr__cuda *gpu, const tsr_work *work, tsr_order order, tsr__cuda_plan *plan) {
  const tsr_order made = order == TSR_MEMORY ? TSR_ROW_MAJOR : order;
  tsr__cuda_view from = tsr__cuda_input(work, 0), to = tsr__cuda_output(work, 0);
  const tsr_tensor ordered = tsr__in_order(work->out[0], made, NULL);
  from.tensor = tsr__in_order(work->in[0], order, NULL);
  from.ref.offset += (const char *)from.tensor.data - (const char *)work->in[0]->data;
  if (tsr_size(work->in[0]) == 0) return TSR_OK;
  (void)tsr__reshape_strides(&ordered, TSR_ROW_MAJOR, from.tensor.ndim, from.tensor.shape, &to.tensor);
  to.tensor.dtype = ordered.dtype;
  return tsr__cuda_plan_cast(gpu, work->ctx, &from, &to, plan);
}

tsr_status tsr__cuda_reshape(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_reshape(gpu, work, TSR_ROW_MAJOR, plan);
}
tsr_status tsr__cuda_reshape_ordered(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work,
                                     tsr__cuda_plan *plan) {
  (void)op;
  return plan_reshape(gpu, work, ((const tsr__reshape_ordered_attrs *)work->attrs)->order, plan);
}
tsr_status tsr__cuda_flatten(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_reshape(gpu, work, ((const tsr__flatten_attrs *)work->attrs)->order, plan);
}

/* One order of axes to another; layouts with blocks of channels are the host's. */
tsr_status tsr__cuda_to_layout(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__to_layout_attrs *const attrs = work->attrs;
  const tsr_tensor *const in = work->in[0];
  const int layout = attrs->layout == TSR_AUTO ? tsr__layout_auto(in->ndim) : attrs->layout;
  tsr__cuda_view from = tsr__cuda_input(work, 0), to = tsr__cuda_output(work, 0);
  tsr_tensor view = {0};
  const int own = tsr__layout_of(in);
  if (own != layout && (tsr__layout_block(own) != 0 || tsr__layout_block(layout) != 0))
    return TSR__FAIL(work->ctx, TSR_EDEVICE, op->name, "layout", "%s: blocks of channels are made on the host",
                     tsr_layout_name(layout));
  const tsr_status st = tsr__layout_view(work->ctx, op->name, in, layout, &view);
  if (st != TSR_OK) return st;
  from.tensor = view;
  return tsr__cuda_plan_cast(gpu, work->ctx, &from, &to, plan);
}
