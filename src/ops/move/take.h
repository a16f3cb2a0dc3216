/* The loop that picks elements. */
#ifndef TSR_OPS_MOVE_TAKE_H
#define TSR_OPS_MOVE_TAKE_H

#include "core/check.h"

/* out = the element of from that is at·stride elements further on. from, and at, which is i64, have out's shape, with
 * stride 0 where they do not move. out overlaps neither. */
void tsr__take_loop(const tsr_ctx *ctx, tsr_index stride, const tsr_tensor *from, const tsr_tensor *at,
                    const tsr_tensor *out);

#endif
