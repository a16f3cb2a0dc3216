#include "nn/quant/element/channels.h"
#include "nn/quant/ops.h"

typedef struct ends {
  const tsr_quant *from, *to;
} ends;

static void fill(const void *arg, tsr_index c, tsr__quant_channel *channel) {
  const ends *const e = arg;
  channel->zero = tsr__quant_zero(e->from, c);
  channel->out_zero = tsr__quant_zero(e->to, c);
  (void)tsr__fixed_ratio(tsr__quant_scale(e->from, c), 1, tsr__quant_scale(e->to, c), &channel->fixed);
}

static tsr_status check_requantize(const tsr__call *call, const ends *e, tsr__quant_call *q) {
  const tsr_tensor *const x = call->in[0];
  tsr_ctx *const ctx = call->ctx;
  int axis, to_axis;
  tsr__fixed fixed;
  tsr_status st = tsr__quant_check(ctx, call->op, "from", e->from, TSR__Q_ANY);
  if (st == TSR_OK) st = tsr__quant_check(ctx, call->op, "to", e->to, TSR__Q_SMALL);
  if (st == TSR_OK) st = tsr__quant_check_dtype(ctx, call->op, "x", x, "from", e->from);
  if (st == TSR_OK) st = tsr__quant_axis(ctx, call->op, "from", e->from, x, &axis);
  if (st == TSR_OK) st = tsr__quant_axis(ctx, call->op, "to", e->to, x, &to_axis);
  if (st != TSR_OK) return st;
  if (axis >= 0 && to_axis >= 0 && axis != to_axis)
    return TSR__FAIL(ctx, TSR_EAXIS, call->op, "to", "has scales along axis %d, from along axis %d", to_axis, axis);
  q->axis = axis >= 0 ? axis : to_axis;
  const tsr_index count = q->axis >= 0 ? x->shape[q->axis] : 1;
  for (tsr_index c = 0; c < count && st == TSR_OK; c++)
    st = tsr__fixed_check(ctx, call->op, "from", tsr__quant_scale(e->from, c), 1, tsr__quant_scale(e->to, c), &fixed);
  return st;
}

static tsr_status requantize(tsr__call *call) {
  static tsr__row_fn *const rows[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__requantize_row);
  const tsr__requantize_attrs *const attrs = call->attrs;
  const ends e = {attrs->from, attrs->to};
  tsr__quant_call q = {.x_dtype = call->in[0]->dtype, .row = rows[tsr__isa_of(call->ctx)], .fill = fill, .arg = &e};
  const tsr_status st = check_requantize(call, &e, &q);
  if (st != TSR_OK) return st;
  q.out_dtype = e.to->dtype;
  return tsr__quant_elements(call, &q);
}

TSR__OP(requantize, requantize, 0)
tsr_status tsr_requantize(tsr_ctx *ctx, const tsr_tensor *x, const tsr_quant *from, const tsr_quant *to,
                          tsr_tensor *out) {
  return TSR__CALL(requantize, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .from = from, .to = to);
}
