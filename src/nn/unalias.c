#include "nn/unalias.h"

#include "ops/copy/copy.h"

bool tsr__overlaps_given(const tsr__call *call, const tsr_tensor *t) {
  const tsr_tensor *const out = call->out[0];
  return tsr__call_was_given(call, 0) && out->data != NULL && t->data != NULL && tsr__overlap(t, out);
}

tsr_status tsr__unalias_take(tsr__call *call, const tsr_tensor *t, bool in_place, tsr__unaliased *unaliased) {
  unaliased->in = t;
  unaliased->of = NULL;
  if (t == NULL || !tsr__overlaps_given(call, t) || (in_place && tsr__same_view(t, call->out[0]))) return TSR_OK;
  unaliased->in = &unaliased->copy;
  unaliased->of = t;
  return tsr__call_copy_of(call, t, &unaliased->copy);
}

void tsr__unalias_fill(const tsr_ctx *ctx, const tsr__unaliased *unaliased) {
  if (unaliased->of != NULL) tsr__move_no_alias(ctx, unaliased->of, unaliased->in);
}
