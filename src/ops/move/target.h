/* Where an op writes that reads elements in another order than it writes them. */
#ifndef TSR_OPS_MOVE_TARGET_H
#define TSR_OPS_MOVE_TARGET_H

#include "core/prepare.h"
#include "ops/copy/copy.h"

typedef struct tsr__target {
  tsr_tensor view; /* write here: the output, or temporary memory of its shape */
  size_t bytes;    /* of all of it */
  bool staged;     /* it is that memory */
} tsr__target;

/* The output of a call, which may read and write as soon as this is TSR_OK; then comes tsr__target_end. */
tsr_status tsr__call_target(tsr__call *call, const tsr__result *result, tsr__target *target);

/* The same for an op that writes another dtype, which converts to the result's: then it writes to temporary memory.
 * no_alias: no input can overlap the output in a way that matters. */
tsr_status tsr__call_target_as(tsr__call *call, const tsr__result *result, int dtype, bool no_alias,
                               tsr__target *target);

/* The same where the output has its memory (tsr__call_result) and the op says whether it writes to temporary memory. */
tsr_status tsr__call_target_of(tsr__call *call, int dtype, bool staged, tsr__target *target);

/* Whether an input overlaps the first output. */
bool tsr__call_overlaps(const tsr__call *call);

/* tsr__call_finish, and what was written to temporary memory, in the dtype of the output, goes there; nothing where there are
 * no elements. */
tsr_status tsr__target_finish(tsr__call *call, const tsr__target *target, tsr__planned_fn *run, const void *plan,
                              size_t bytes);

/* Moves what was written to temporary memory to the output. */
void tsr__target_end(const tsr_ctx *ctx, const tsr_tensor *out, const tsr__target *target);

#endif
