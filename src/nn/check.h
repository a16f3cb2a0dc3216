/* Checks that the ops of neural networks share. */
#ifndef TSR_NN_CHECK_H
#define TSR_NN_CHECK_H

#include "core/check.h"

/* A result as x is, whose order in memory a fresh output takes. */
static inline tsr__result tsr__result_like(const tsr_tensor *x) {
  return (tsr__result){x->dtype, x->layout, x->ndim, x->shape, x};
}

/* Refuses what is not a float of this build: TSR_EDTYPE. */
tsr_status tsr__nn_check_float(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t);

/* The channel axis of x by its tag: TSR_ELAYOUT, TSR_ESHAPE. */
tsr_status tsr__nn_channel_axis(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int *axis);

#endif
