/* Conversion to, from and between layouts with blocks of channels. */
#ifndef TSR_OPS_COPY_BLOCKED_H
#define TSR_OPS_COPY_BLOCKED_H

#include "core/call.h"

/* Input and layout are checked; at least one of the two layouts is blocked. */
tsr_status tsr__layout_blocked(tsr__call *call, int layout, tsr_index channels);

#endif
