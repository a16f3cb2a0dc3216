#include "nn/quant/channels.h"

#include "ops/elementwise/elementwise.h"

/* Channels as an operand of i32 that is one element wide along the axis; the loops never look inside. */
static tsr_tensor as_operand(const tsr__quant_call *q, int ndim, tsr__quant_channel *channels) {
  tsr_tensor t = {.dtype = TSR_I32, .data = channels};
  if (q->axis < 0) return t;
  t.ndim = (uint8_t)ndim;
  for (int i = 0; i < t.ndim; i++) t.shape[i] = 1;
  t.shape[q->axis] = q->count;
  t.stride[q->axis] = (tsr_index)(sizeof *channels / sizeof(int32_t));
  return t;
}

/* On the host: elsewhere there is no memory for them. */
static void fill_channels(const tsr__quant_call *q, tsr__quant_channel *channels) {
  for (tsr_index c = 0; c < q->count; c++) {
    channels[c] = (tsr__quant_channel){0};
    q->fill(q->arg, c, &channels[c]);
  }
}

tsr_status tsr__quant_elements(tsr__call *call, const tsr__quant_call *q) {
  static const char *const names[] = {"x", "quant"};
  const tsr_tensor *const x = call->in[0];
  tsr__quant_channel one;
  void *channels = &one;
  if (q->axis >= 0) {
    const tsr_status st = tsr__call_scratch(call, (size_t)q->count * sizeof one, &channels);
    if (st != TSR_OK) return st;
  }
  if (!TSR_HAVE_OPS || call->device == NULL) fill_channels(q, channels);
  const tsr_tensor operand = as_operand(q, x->ndim, channels);
  tsr__quant_row row = {.x_dtype = q->x_dtype, .out_dtype = q->out_dtype};
  const tsr__elementwise e = {.op = call->op,
                              .inputs = 2,
                              .in = {x, &operand},
                              .compute = TSR_I32,
                              .first = q->x_dtype,
                              .result = q->out_dtype,
                              .out_dtype = q->out_dtype,
                              .kernel = q->row,
                              .param = &row,
                              .grain = TSR__GRAIN_HEAVY};
  return tsr__elementwise_call(call, &e, names);
}
