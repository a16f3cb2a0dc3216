#include "core/normalise.h"
#include "nn/quant/channels.h"

#define X(isa) tsr__requantize_row_##isa,
static tsr__row_fn *const rows[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X

typedef struct ends {
  const tsr_quant *from, *to;
} ends;

static void fill(const void *arg, tsr_index c, tsr__quant_channel *channel) {
  const ends *const e = arg;
  channel->zero = tsr__quant_zero(e->from, c);
  channel->out_zero = tsr__quant_zero(e->to, c);
  (void)tsr__fixed_ratio(tsr__quant_scale(e->from, c), 1, tsr__quant_scale(e->to, c), &channel->fixed);
}

static tsr_status check_requantize(tsr_ctx *ctx, tsr__quant_call *call, const ends *e) {
  int axis, to_axis;
  tsr__fixed fixed;
  tsr_status st = tsr__check_input(ctx, call->op, "x", call->x);
  if (st == TSR_OK) st = tsr__quant_check(ctx, call->op, "from", e->from, TSR__Q_ANY);
  if (st == TSR_OK) st = tsr__quant_check(ctx, call->op, "to", e->to, TSR__Q_SMALL);
  if (st == TSR_OK && call->x->dtype != e->from->dtype)
    st = TSR__FAIL(ctx, TSR_EDTYPE, call->op, "x", "is %t, from is for %y", call->x, (int)e->from->dtype);
  if (st == TSR_OK) st = tsr__quant_axis(ctx, call->op, "from", e->from, call->x, &axis);
  if (st == TSR_OK) st = tsr__quant_axis(ctx, call->op, "to", e->to, call->x, &to_axis);
  if (st != TSR_OK) return st;
  if (axis >= 0 && to_axis >= 0 && axis != to_axis)
    return TSR__FAIL(ctx, TSR_EAXIS, call->op, "to", "has scales along axis %d, from along axis %d", to_axis, axis);
  call->axis = axis >= 0 ? axis : to_axis;
  call->count = call->axis >= 0 ? call->x->shape[call->axis] : 1;
  for (tsr_index c = 0; c < call->count && st == TSR_OK; c++)
    st = tsr__fixed_check(ctx, call->op, "from", tsr__quant_scale(e->from, c), 1, tsr__quant_scale(e->to, c), &fixed);
  return st;
}

tsr_status tsr_requantize(tsr_ctx *ctx, const tsr_tensor *x, const tsr_quant *from, const tsr_quant *to,
                          tsr_tensor *out) {
  TSR__NORMALISE_ALL(x, out);
  const ends e = {from, to};
  tsr__quant_call call = {.op = "requantize", .x = x, .fill = fill, .arg = &e};
  const tsr_status st = check_requantize(ctx, &call, &e);
  if (st != TSR_OK) return st;
  call.x_dtype = x->dtype;
  call.out_dtype = to->dtype;
  call.row = rows[tsr__isa_of(ctx)];
  return tsr__quant_run(ctx, &call, out);
}
