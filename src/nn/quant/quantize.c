#include "nn/check.h"
#include "nn/quant/channels.h"
#include "nn/quant/ops.h"

#define X(isa) tsr__quantize_row_##isa,
static tsr__row_fn *const rows[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X

static void fill(const void *arg, tsr_index c, tsr__quant_channel *channel) {
  const tsr_quant *const q = arg;
  channel->scale = tsr__quant_scale(q, c);
  channel->zero = tsr__quant_zero(q, c);
}

static tsr_status quantize(tsr__call *call) {
  const tsr_quant *const quant = ((const tsr__quantize_attrs *)call->attrs)->quant;
  const tsr_tensor *const x = call->in[0];
  tsr__quant_call q = {.count = 1, .x_dtype = TSR_F32, .fill = fill, .arg = quant};
  tsr_status st = tsr__nn_check_float(call->ctx, call->op, "x", x);
  if (st == TSR_OK) st = tsr__quant_check(call->ctx, call->op, "quant", quant, TSR__Q_SMALL);
  if (st == TSR_OK) st = tsr__quant_axis(call->ctx, call->op, "quant", quant, x, &q.axis);
  if (st != TSR_OK) return st;
  if (q.axis >= 0) q.count = quant->count;
  q.out_dtype = quant->dtype;
  q.row = rows[tsr__isa_of(call->ctx)];
  return tsr__quant_elements(call, &q);
}

TSR__OP(quantize, quantize, 0)
tsr_status tsr_quantize(tsr_ctx *ctx, const tsr_tensor *x, const tsr_quant *quant, tsr_tensor *out) {
  return TSR__CALL(quantize, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .quant = quant);
}
