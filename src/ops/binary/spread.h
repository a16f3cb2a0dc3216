/* The small call with broadcasting. */
#ifndef TSR_OPS_BINARY_SPREAD_H
#define TSR_OPS_BINARY_SPREAD_H

#include "ops/elementwise/elementwise.h"

/* What tsr__elementwise_dense does for inputs of one shape, for two that broadcast: both without gaps in row-major
 * order, of the kernel's dtype, on the host; the output empty, or given in the same way and apart from them. Inputs may
 * be unchecked. False: nothing was done and nothing is said. True: *status is the op's. */
bool tsr__binary_spread(tsr_ctx *ctx, const tsr__elementwise *e, tsr_tensor *out, tsr_status *status);

#endif
