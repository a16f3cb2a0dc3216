/* Outputs that are states: there before a call, which moves them on. */
#ifndef TSR_NN_QUANT_ALONG_STATE_H
#define TSR_NN_QUANT_ALONG_STATE_H

#include "core/prepare.h"
#include "core/normalise.h"
#include "core/tensor.h"

/* The frame would make one. */
static inline tsr_status tsr__call_check_state(const tsr__call *call, const char *arg, const tsr_tensor *state) {
  return state != NULL && state->data != NULL ? TSR_OK : tsr__check_given(call->ctx, call->op, arg, state);
}

/* Whether what is written lies apart from what is read, and from each other: TSR_EOVERLAP. */
static inline tsr_status tsr__call_check_apart(const tsr__call *call) {
  for (int k = 0; k < call->outputs; k++) {
    const tsr_tensor *const out = call->out[k];
    if (out->data == NULL || tsr__has_no_elements(out)) continue;
    for (int i = 0; i < call->inputs + k; i++) {
      const tsr_tensor *const t = i < call->inputs ? call->in[i] : call->out[i - call->inputs];
      if (t == NULL || t->data == NULL || tsr__has_no_elements(t) || !tsr__overlap(t, out)) continue;
      return TSR__FAIL(call->ctx, TSR_EOVERLAP, call->op, tsr__call_output_name(call, k), "%t overlaps %t", out, t);
    }
  }
  return TSR_OK;
}

#endif
