/* Inputs that an op reads while it writes its output. */
#ifndef TSR_NN_APART_H
#define TSR_NN_APART_H

#include "core/call.h"

/* An input, or a copy of it where the caller gave an output that overlaps it. */
typedef struct tsr__apart {
  const tsr_tensor *in; /* what is to be read: NULL for NULL */
  const tsr_tensor *of; /* not NULL: in is a copy of it */
  tsr_tensor        copy;
} tsr__apart;

/* Whether t may share a byte with the call's first output, which is the caller's. */
bool tsr__overlaps_given(const tsr__call *call, const tsr_tensor *t);

/* After tsr__call_outputs: takes memory for the copy where one is needed. in_place: t may be the same view as the
 * output. */
tsr_status tsr__apart_take(tsr__call *call, const tsr_tensor *t, bool in_place, tsr__apart *apart);

/* After tsr__call_start: makes the copy. */
void tsr__apart_fill(const tsr_ctx *ctx, const tsr__apart *apart);

#endif
