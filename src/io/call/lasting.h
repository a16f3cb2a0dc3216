/* Handles that outlive the call that makes them. */
#ifndef TSR_IO_CALL_LASTING_H
#define TSR_IO_CALL_LASTING_H

#include "core/check.h"

/* The context for what stays: temporary memory is the allocator's, never the context's scratch. Its record of errors is
 * its own: see tsr__lasting_end. */
static inline tsr_ctx tsr__lasting_start(tsr_ctx *ctx) {
  tsr_ctx lasting = *tsr__ctx(ctx);
  lasting.allocator = tsr__allocator(ctx);
  lasting.scratch = NULL;
  return lasting;
}

/* Hands the record over when st is not TSR_OK; returns st. */
static inline tsr_status tsr__lasting_end(tsr_ctx *ctx, const tsr_ctx *lasting, tsr_status st) {
  if (st != TSR_OK) tsr__ctx(ctx)->error = lasting->error;
  return st;
}

#endif
