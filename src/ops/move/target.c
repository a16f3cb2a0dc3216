#include "ops/move/target.h"

#include "core/tensor.h"

bool tsr__call_overlaps(const tsr__call *call) {
  const tsr_tensor *const out = call->out[0];
  uintptr_t low, high, from, to;
  if (!tsr__call_was_given(call, 0)) return false;
  tsr__span(out, &low, &high);
  for (int k = 0; k < call->inputs; k++) {
    if (call->in[k] == NULL) continue;
    tsr__span(call->in[k], &from, &to); /* of no elements: no bytes */
    if (from < to && low < high && from < high && low < to) return true;
  }
  return false;
}

#if TSR_PACKED_CALLS
static TSR__COLD tsr_status use_staging(const tsr__call *call, int dtype, const tsr_tensor *view) {
  (void)dtype, (void)view;
  return TSR__FAIL(call->ctx, TSR_EOVERLAP, call->op, "out", "overlaps an input, or needs memory beside it");
}
#else
/* Memory for the whole result beside the output: simpler than copies of those inputs that need one, and no larger. */
static tsr_status use_staging(tsr__call *call, int dtype, tsr_tensor *view) {
  const tsr_tensor *const out = call->out[0];
  tsr__describe(dtype, out->ndim, out->shape, view);
  tsr__strides_for(view->ndim, view->shape, TSR_ROW_MAJOR, view->stride);
  return tsr__call_scratch(call, tsr_nbytes(view), &view->data);
}
#endif

tsr_status tsr__call_target_of(tsr__call *call, int dtype, bool staged, tsr__target *target) {
  tsr_status st = TSR_OK;
  target->staged = staged;
  tsr__copy_view(call->out[0], &target->view);
  target->view.layout = TSR_PLAIN;
  target->bytes = tsr_nbytes(call->out[0]);
  if (staged) st = use_staging(call, dtype, &target->view);
  return st == TSR_OK ? tsr__call_start(call) : st;
}

tsr_status tsr__call_target_as(tsr__call *call, const tsr__result *result, int dtype, bool no_alias,
                               tsr__target *target) {
  const tsr_status st = tsr__call_result(call, result);
  if (st != TSR_OK) return st;
  return tsr__call_target_of(call, dtype, dtype != result->dtype || (!no_alias && tsr__call_overlaps(call)), target);
}

tsr_status tsr__call_target(tsr__call *call, const tsr__result *result, tsr__target *target) {
  return tsr__call_target_as(call, result, result->dtype, false, target);
}

tsr_status tsr__target_finish(tsr__call *call, const tsr__target *target, tsr__planned_fn *run, const void *plan,
                              size_t bytes) {
  if (target->bytes == 0) return TSR_OK;
  const tsr_status st =
      tsr__call_finish(call, target->staged ? "its output overlaps an input" : NULL, run, plan, bytes);
  if (!TSR_PACKED_CALLS && st == TSR_OK && target->staged) tsr__move_seldom(call->ctx, &target->view, call->out[0]);
  return st;
}

void tsr__target_end(const tsr_ctx *ctx, const tsr_tensor *out, const tsr__target *target) {
  if (!TSR_PACKED_CALLS && target->staged) tsr__copy_no_alias(ctx, &target->view, out);
}
