/* One tensor over the shape of another. */
#ifndef TSR_OPS_MOVE_OVER_H
#define TSR_OPS_MOVE_OVER_H

#include "core/check.h"

/* t over a shape, with stride 0 where it repeats: TSR_ESHAPE. */
tsr_status tsr__over(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t, int ndim,
                     const tsr_index *shape, tsr_tensor *view);

#endif
