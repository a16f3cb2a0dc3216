#include "nn/apart.h"

#include "ops/copy/copy.h"

bool tsr__overlaps_given(const tsr__call *call, const tsr_tensor *t) {
  const tsr_tensor *const out = call->out[0];
  return tsr__call_was_given(call, 0) && out->data != NULL && t->data != NULL && tsr__overlap(t, out);
}

tsr_status tsr__apart_take(tsr__call *call, const tsr_tensor *t, bool in_place, tsr__apart *apart) {
  apart->in = t;
  apart->of = NULL;
  if (t == NULL || !tsr__overlaps_given(call, t) || (in_place && tsr__same_view(t, call->out[0]))) return TSR_OK;
  apart->in = &apart->copy;
  apart->of = t;
  return tsr__call_copy_of(call, t, &apart->copy);
}

void tsr__apart_fill(const tsr_ctx *ctx, const tsr__apart *apart) {
  if (apart->of != NULL) tsr__move_apart(ctx, apart->of, apart->in);
}
