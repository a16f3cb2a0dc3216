/* Real memory in another layout. */
#include "core/layout.h"

#include "ops/copy/blocked.h"
#include "ops/copy/copy.h"
#include "ops/copy/ops.h"

/* One order of axes to another. */
static tsr_status permute_copy(tsr__call *call, int layout) {
  tsr_tensor view = {0};
  tsr_status st = tsr__layout_view(call->ctx, call->op, call->in[0], layout, &view);
  if (st != TSR_OK) return st;
  const tsr__result result = {view.dtype, layout, view.ndim, view.shape, NULL};
  st = tsr__call_result(call, &result);
  return st == TSR_OK ? tsr__call_copy(call, &view) : st;
}

static int resolve_layout(int layout, const tsr_tensor *in) {
  return layout == TSR_AUTO ? tsr__layout_auto(in->ndim) : layout;
}

static tsr_status to_layout(tsr__call *call) {
  const tsr__to_layout_attrs *const attrs = call->attrs;
  const tsr_tensor *const in = call->in[0];
  const int layout = resolve_layout(attrs->layout, in), from = tsr__layout_of(in);
  const tsr_status st = tsr__check_layout(call->ctx, call->op, "layout", layout);
  if (st != TSR_OK) return st;
  if (in->layout != TSR_PLAIN && tsr_layout_rank(in->layout) != in->ndim)
    return TSR__FAIL(call->ctx, TSR_ELAYOUT, call->op, "in", "%t is tagged %s, which has %d axes", in,
                     tsr_layout_name(in->layout), tsr_layout_rank(in->layout));
  if (from == layout || (tsr__layout_block(from) == 0 && tsr__layout_block(layout) == 0))
    return permute_copy(call, layout);
  return tsr__layout_blocked(call, layout, attrs->channels);
}

/* The layout is the one thing that is written to a given output's struct. */
TSR__OP(to_layout, to_layout, 0)
tsr_status tsr_to_layout(tsr_ctx *ctx, const tsr_tensor *in, int layout, tsr_index channels, tsr_tensor *out) {
  const tsr_status st =
      TSR__CALL(to_layout, ctx, TSR__INPUTS(in), TSR__OUTPUTS(out), .layout = layout, .channels = channels);
  if (st == TSR_OK) out->layout = (uint8_t)resolve_layout(layout, in);
  return st;
}
