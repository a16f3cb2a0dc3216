#include "nn/quant/channels.h"

#include "ops/elementwise/elementwise.h"

/* Channels as an operand of i32 that is one element wide along the axis; the loops never look inside. */
static tsr_tensor as_operand(const tsr__quant_call *call, tsr__quant_channel *channels) {
  tsr_tensor t = {.dtype = TSR_I32, .data = channels};
  if (call->axis < 0) return t;
  t.ndim = call->x->ndim;
  for (int i = 0; i < t.ndim; i++) t.shape[i] = 1;
  t.shape[call->axis] = call->count;
  t.stride[call->axis] = (tsr_index)(sizeof *channels / sizeof(int32_t));
  return t;
}

tsr_status tsr__quant_run(tsr_ctx *ctx, const tsr__quant_call *call, tsr_tensor *out) {
  static const char *const names[] = {"x", "quant"};
  tsr__quant_channel one, *channels = &one;
  tsr__scratch scratch = {0};
  if (call->axis >= 0) {
    const tsr_status st = tsr__scratch_get(ctx, call->op, (size_t)call->count * sizeof *channels, &scratch);
    if (st != TSR_OK) return st;
    channels = scratch.data;
  }
  for (tsr_index c = 0; c < call->count; c++) {
    channels[c] = (tsr__quant_channel){0};
    call->fill(call->arg, c, &channels[c]);
  }
  const tsr_tensor operand = as_operand(call, channels);
  tsr__quant_row row = {.x_dtype = call->x_dtype, .out_dtype = call->out_dtype};
  const tsr__elementwise e = {.op = call->op,
                              .inputs = 2,
                              .in = {call->x, &operand},
                              .compute = TSR_I32,
                              .first = call->x_dtype,
                              .result = call->out_dtype,
                              .out_dtype = call->out_dtype,
                              .kernel = call->row,
                              .param = &row,
                              .grain = TSR__GRAIN_HEAVY};
  const tsr_status st = tsr__elementwise_run(ctx, &e, names, out);
  tsr__scratch_put(&scratch);
  return st;
}
