/* Conversion to, from and between layouts with blocks of channels. */
#ifndef TSR_OPS_COPY_BLOCKED_H
#define TSR_OPS_COPY_BLOCKED_H

#include "core/check.h"

/* in and layout are checked; at least one of the two layouts is blocked; *out does not overlap in. */
tsr_status tsr__layout_blocked(tsr_ctx *ctx, const char *op, const tsr_tensor *in, int layout, tsr_index channels,
                               tsr_tensor *out);

#endif
