#include "nn/quant/channels.h"
#include "nn/quant/ops.h"

#define X(isa) tsr__dequantize_row_##isa,
static tsr__row_fn *const rows[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X

static void fill(const void *arg, tsr_index c, tsr__quant_channel *channel) {
  const tsr_quant *const q = arg;
  channel->scale = tsr__quant_scale(q, c);
  channel->zero = tsr__quant_zero(q, c);
}

static tsr_status dequantize(tsr__call *call) {
  const tsr_quant *const quant = ((const tsr__dequantize_attrs *)call->attrs)->quant;
  const tsr_tensor *const x = call->in[0];
  tsr__quant_call q = {.count = 1, .out_dtype = TSR_F32, .fill = fill, .arg = quant};
  tsr_status st = tsr__quant_check(call->ctx, call->op, "quant", quant, TSR__Q_ANY);
  if (st == TSR_OK && x->dtype != quant->dtype)
    st = TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "x", "is %t, quant is for %y", x, (int)quant->dtype);
  if (st == TSR_OK) st = tsr__quant_axis(call->ctx, call->op, "quant", quant, x, &q.axis);
  if (st != TSR_OK) return st;
  if (q.axis >= 0) q.count = quant->count;
  q.x_dtype = x->dtype;
  q.row = rows[tsr__isa_of(call->ctx)];
  return tsr__quant_elements(call, &q);
}

TSR__OP(dequantize, dequantize, 0)
tsr_status tsr_dequantize(tsr_ctx *ctx, const tsr_tensor *x, const tsr_quant *quant, tsr_tensor *out) {
  return TSR__CALL(dequantize, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .quant = quant);
}
