/* Global pooling: reductions over the axes that are neither samples nor channels. */
#ifndef TSR_NN_POOL_GLOBAL_H
#define TSR_NN_POOL_GLOBAL_H

#include "core/check.h"

/* Checks x and lists the axes; at most TSR_MAX_DIMS. */
tsr_status tsr__global_axes(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int *naxes, int *axes);

#endif
