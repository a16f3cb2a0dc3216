/* What works element by element, with an operand that holds what belongs to each channel. */
#ifndef TSR_NN_QUANT_CHANNELS_H
#define TSR_NN_QUANT_CHANNELS_H

#include "core/call.h"
#include "nn/quant/rows.h"

/* Fills in one channel. The ratio of scales has been checked. */
typedef void tsr__quant_fill(const void *arg, tsr_index c, tsr__quant_channel *channel);

typedef struct tsr__quant_call {
  int axis;        /* -1: one channel */
  tsr_index count; /* of channels */
  int x_dtype;     /* that the row reads */
  int out_dtype;
  tsr__row_fn *row;
  tsr__quant_fill *fill;
  const void *arg;
} tsr__quant_call;

/* The rest of a call whose first input is x. */
tsr_status tsr__quant_elements(tsr__call *call, const tsr__quant_call *q);

#endif
