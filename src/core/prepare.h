/* Prepared calls inside: what an op does instead of its run. */
#ifndef TSR_CORE_PREPARE_H
#define TSR_CORE_PREPARE_H

#include "core/call.h"

#include <tessera/prepare.h>

/* The run of an op whose plan holds everything: addresses, steps, the choice of a kernel. */
typedef void tsr__planned_fn(const tsr_ctx *ctx, const void *plan);

/* Reached by address, so that programs which prepare nothing hold none of it. */
struct tsr_prepared_table {
  tsr_status (*keep)(tsr__call *call, tsr__planned_fn *run, const void *plan, size_t bytes);
  tsr_status (*refuse)(const tsr__call *call, const char *why);
};

static inline const struct tsr_prepared_table *tsr__preparing(const tsr__call *call) {
  return call->ctx != NULL && call->ctx->prepared != NULL ? call->ctx->prepared->table : NULL;
}

/* The end of an op that can be prepared (TSR__OP_PREPARES): its run, or a copy of the plan is kept for later ones. odd: why
 * the plan is good for this call alone, NULL: it is not. */
static inline tsr_status tsr__call_finish(tsr__call *call, const char *odd, tsr__planned_fn *run, const void *plan,
                                          size_t bytes) {
  const struct tsr_prepared_table *const table = tsr__preparing(call);
  if (table != NULL) return odd != NULL ? table->refuse(call, odd) : table->keep(call, run, plan, bytes);
  run(call->ctx, plan);
  return TSR_OK;
}

#endif
