/* Loops over more than the first cache holds. */
#ifndef TSR_OPS_ELEMENTWISE_CACHES_H
#define TSR_OPS_ELEMENTWISE_CACHES_H

#include "ops/elementwise/elementwise.h"

/* Runs the op's kernel over a loop whose operands have the kernel's dtypes, on the context's threads. The loop's
 * axes may change their places. The output is not an input's memory when apart. */
void tsr__run_cached(const tsr_ctx *ctx, const tsr__elementwise *e, tsr__loop *loop, bool apart);

#endif
