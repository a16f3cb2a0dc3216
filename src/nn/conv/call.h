/* What calls with filters and with packed ones share. */
#ifndef TSR_NN_CONV_CALL_H
#define TSR_NN_CONV_CALL_H

#include "core/call.h"
#include "nn/conv/conv.h"

/* The rest of a call: its inputs are x, then w and bias or the panels of packed filters. */
tsr_status tsr__conv_epilogue(tsr__call *call, const tsr__conv *c);

/* Whether t has a dtype and a shape; it may have no data. */
tsr_status tsr__conv_check_shape_only(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t);

#endif
