#include "nn/quant/element/channels.h"

/* Channels as an operand of i32 that is one element wide along the axis; the loops never look inside. */
static tsr_tensor as_operand(const tsr__quant_call *q, int ndim, tsr_index count, tsr__quant_channel *channels) {
  tsr_tensor t = {.dtype = TSR_I32, .data = channels};
  if (q->axis < 0) return t;
  t.ndim = (uint8_t)ndim;
  for (int i = 0; i < t.ndim; i++) t.shape[i] = 1;
  t.shape[q->axis] = count;
  t.stride[q->axis] = (tsr_index)(sizeof *channels / sizeof(int32_t));
  return t;
}

/* Channels are filled in on the host: elsewhere there is no memory for them. */
tsr_status tsr__quant_elements(tsr__call *call, const tsr__quant_call *q) {
  static const char *const names[] = {"x", "quant"};
  const tsr_tensor *const x = call->in[0];
  const tsr_index count = q->axis >= 0 ? x->shape[q->axis] : 1;
  tsr__quant_channel one, *channels = &one;
  void *memory;
  if (q->axis >= 0) {
    const tsr_status st = tsr__call_scratch(call, (size_t)count * sizeof one, &memory);
    if (st != TSR_OK) return st;
    channels = memory;
  }
  for (tsr_index c = 0; c < count && (!TSR_HAVE_OPS || call->device == NULL); c++) {
    channels[c] = (tsr__quant_channel){0};
    q->fill(q->arg, c, &channels[c]);
  }
  const tsr_tensor operand = as_operand(q, x->ndim, count, channels);
  tsr__quant_row row = {.x_dtype = q->x_dtype, .b_dtype = TSR_I32, .out_dtype = q->out_dtype};
  return tsr__quant_rows(call, false, names, &operand, q->row, &row, &row, 0);
}
