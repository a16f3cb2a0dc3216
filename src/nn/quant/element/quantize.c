/* Floats as quantised numbers, and back. */
#include "nn/check.h"
#include "nn/quant/element/channels.h"
#include "nn/quant/ops.h"

static void fill(const void *arg, tsr_index c, tsr__quant_channel *channel) {
  const tsr_quant *const q = arg;
  channel->scale = tsr__quant_scale(q, c);
  channel->zero = tsr__quant_zero(q, c);
}

/* The rest of both: quant has been checked, but for its axis. */
static tsr_status run_either(tsr__call *call, const tsr_quant *quant, int x_dtype, int out_dtype, tsr__row_fn *row) {
  tsr__quant_call q = {.x_dtype = x_dtype, .out_dtype = out_dtype, .row = row, .fill = fill, .arg = quant};
  const tsr_status st = tsr__quant_axis(call->ctx, call->op, "quant", quant, call->in[0], &q.axis);
  return st == TSR_OK ? tsr__quant_elements(call, &q) : st;
}

static tsr_status quantize(tsr__call *call) {
  static tsr__row_fn *const rows[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__quantize_row);
  const tsr_quant *const quant = ((const tsr__quantize_attrs *)call->attrs)->quant;
  tsr_status st = tsr__nn_check_float(call->ctx, call->op, "x", call->in[0]);
  if (st == TSR_OK) st = tsr__quant_check(call->ctx, call->op, "quant", quant, TSR__Q_SMALL);
  return st == TSR_OK ? run_either(call, quant, TSR_F32, quant->dtype, rows[tsr__isa_of(call->ctx)]) : st;
}

TSR__OP(quantize, quantize, 0)
tsr_status tsr_quantize(tsr_ctx *ctx, const tsr_tensor *x, const tsr_quant *quant, tsr_tensor *out) {
  return TSR__CALL(quantize, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .quant = quant);
}

static tsr_status dequantize(tsr__call *call) {
  static tsr__row_fn *const rows[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__dequantize_row);
  const tsr_quant *const quant = ((const tsr__dequantize_attrs *)call->attrs)->quant;
  tsr_status st = tsr__quant_check(call->ctx, call->op, "quant", quant, TSR__Q_ANY);
  if (st == TSR_OK) st = tsr__quant_check_dtype(call->ctx, call->op, "x", call->in[0], "quant", quant);
  return st == TSR_OK ? run_either(call, quant, quant->dtype, TSR_F32, rows[tsr__isa_of(call->ctx)]) : st;
}

TSR__OP(dequantize, dequantize, 0)
tsr_status tsr_dequantize(tsr_ctx *ctx, const tsr_tensor *x, const tsr_quant *quant, tsr_tensor *out) {
  return TSR__CALL(dequantize, ctx, TSR__INPUTS(x), TSR__OUTPUTS(out), .quant = quant);
}
