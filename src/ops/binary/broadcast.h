/* The small call with broadcasting. */
#ifndef TSR_OPS_BINARY_BROADCAST_H
#define TSR_OPS_BINARY_BROADCAST_H

#include "ops/elementwise/elementwise.h"

/* What tsr__elementwise_contiguous does for inputs of one shape, for two that broadcast: both contiguous in row-major
 * order, of the kernel's dtype, on the host; the output empty, or given in the same way and apart from them. Inputs may
 * be unchecked. False: nothing was done and nothing is said. True: *status is the op's. */
bool tsr__binary_broadcast(tsr_ctx *ctx, const tsr__elementwise *e, tsr_tensor *out, tsr_status *status);

#endif
