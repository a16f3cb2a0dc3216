/* What works element by element, with an operand that holds what belongs to each channel. */
#ifndef TSR_NN_QUANT_ELEMENT_CHANNELS_H
#define TSR_NN_QUANT_ELEMENT_CHANNELS_H

#include "core/call.h"
#include "nn/quant/element/rows.h"
#include "ops/elementwise/elementwise.h"

/* Fills in one channel. The ratio of scales has been checked. */
typedef void tsr__quant_fill(const void *arg, tsr_index c, tsr__quant_channel *channel);

typedef struct tsr__quant_call {
  int axis;    /* of x; -1: one channel */
  int x_dtype; /* that the row reads */
  int out_dtype;
  tsr__row_fn *row;
  tsr__quant_fill *fill;
  const void *arg;
} tsr__quant_call;

/* What a call of qadd computes. */
tsr_status tsr__qadd_row_of(const tsr__call *call, tsr__quant_row *row);

/* The rest of a call whose first input is x. */
tsr_status tsr__quant_elements(tsr__call *call, const tsr__quant_call *q);

#if TSR_PACKED_CALLS
tsr_status tsr__quant_rows(tsr__call *call, bool as_is, const char *const *names, const tsr_tensor *b,
                           tsr__row_fn *kernel, const tsr__quant_row *row, void *param, size_t bytes);
#else
/* The rest of any call that a row does, for its first input and b, of these names; param is the row function's, of so many
 * bytes; 0: it points elsewhere. as_is: no dtype is converted, a constant. */
static inline tsr_status tsr__quant_rows(tsr__call *call, bool as_is, const char *const *names, const tsr_tensor *b,
                                         tsr__row_fn *kernel, const tsr__quant_row *row, void *param, size_t bytes) {
  const tsr__elementwise e = {.op = call->op,
                              .inputs = 2,
                              .in = {call->in[0], b},
                              .first = row->x_dtype,
                              .compute = row->b_dtype,
                              .result = row->out_dtype,
                              .out_dtype = row->out_dtype,
                              .kernel = kernel,
                              .param = param,
                              .param_bytes = bytes,
                              .grain = TSR__GRAIN_HEAVY};
  return as_is ? tsr__elementwise_call_as_is(call, &e, names) : tsr__elementwise_call(call, &e, names);
}
#endif

#endif
