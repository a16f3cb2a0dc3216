#include "core/normalise.h"
#include "nn/check.h"
#include "nn/quant/channels.h"

#define X(isa) tsr__quantize_row_##isa,
static tsr__row_fn *const rows[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X

static void fill(const void *arg, tsr_index c, tsr__quant_channel *channel) {
  const tsr_quant *const q = arg;
  channel->scale = tsr__quant_scale(q, c);
  channel->zero = tsr__quant_zero(q, c);
}

tsr_status tsr_quantize(tsr_ctx *ctx, const tsr_tensor *x, const tsr_quant *quant, tsr_tensor *out) {
  TSR__NORMALISE_ALL(x, out);
  tsr__quant_call call = {.op = "quantize", .x = x, .count = 1, .x_dtype = TSR_F32, .fill = fill, .arg = quant};
  tsr_status st = tsr__check_input(ctx, call.op, "x", x);
  if (st == TSR_OK) st = tsr__nn_check_float(ctx, call.op, "x", x);
  if (st == TSR_OK) st = tsr__quant_check(ctx, call.op, "quant", quant, TSR__Q_SMALL);
  if (st == TSR_OK) st = tsr__quant_axis(ctx, call.op, "quant", quant, x, &call.axis);
  if (st != TSR_OK) return st;
  if (call.axis >= 0) call.count = quant->count;
  call.out_dtype = quant->dtype;
  call.row = rows[tsr__isa_of(ctx)];
  return tsr__quant_run(ctx, &call, out);
}
