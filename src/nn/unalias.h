/* Inputs that an op reads while it writes its output. */
#ifndef TSR_NN_UNALIAS_H
#define TSR_NN_UNALIAS_H

#include "core/call.h"

/* An input, or a copy of it where the caller gave an output that overlaps it. */
typedef struct tsr__unaliased {
  const tsr_tensor *in; /* what is to be read: NULL for NULL */
  const tsr_tensor *of; /* not NULL: in is a copy of it */
  tsr_tensor copy;
} tsr__unaliased;

/* Whether t may share a byte with the call's first output, which is the caller's. */
bool tsr__overlaps_given(const tsr__call *call, const tsr_tensor *t);

/* After tsr__call_outputs: takes memory for the copy where one is needed. in_place: t may be the same view as the
 * output. */
tsr_status tsr__unalias_take(tsr__call *call, const tsr_tensor *t, bool in_place, tsr__unaliased *unaliased);

/* After tsr__call_start: makes the copy. */
void tsr__unalias_fill(const tsr_ctx *ctx, const tsr__unaliased *unaliased);

#endif
