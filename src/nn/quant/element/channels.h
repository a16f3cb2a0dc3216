/* What works element by element, with an operand that holds what belongs to each channel. */
#ifndef TSR_NN_QUANT_ELEMENT_CHANNELS_H
#define TSR_NN_QUANT_ELEMENT_CHANNELS_H

#include "core/call.h"
#include "nn/quant/element/rows.h"

/* Fills in one channel. The ratio of scales has been checked. */
typedef void tsr__quant_fill(const void *arg, tsr_index c, tsr__quant_channel *channel);

typedef struct tsr__quant_call {
  int axis;    /* of x; -1: one channel */
  int x_dtype; /* that the row reads */
  int out_dtype;
  tsr__row_fn *const *rows; /* by instruction set */
  tsr__quant_fill *fill;
  const void *arg;
} tsr__quant_call;

/* The rest of a call whose first input is x. */
tsr_status tsr__quant_elements(tsr__call *call, const tsr__quant_call *q);

/* The rest of any call that a row does, for its first input and b. */
tsr_status tsr__quant_rows(tsr__call *call, const tsr_tensor *b, tsr__row_fn *const *rows, tsr__quant_row *row);

#endif
