#include "ops/move/target.h"

#include "core/tensor.h"

static bool overlaps_any(int inputs, const tsr_tensor *const *in, const tsr_tensor *out) {
  if (out->data == NULL || tsr_size(out) == 0) return false;
  for (int i = 0; i < inputs; i++)
    if (tsr_size(in[i]) > 0 && tsr__overlap(in[i], out)) return true;
  return false;
}

/* Memory for the whole result beside the output: simpler than copies of those inputs that need one, and no larger. */
static tsr_status stage(tsr_ctx *ctx, const char *op, const tsr__result *result, int dtype, tsr__target *target) {
  tsr_tensor *const view = &target->view;
  tsr__describe(dtype, result->ndim, result->shape, view);
  tsr__strides_for(view->ndim, view->shape, TSR_ROW_MAJOR, view->stride);
  const tsr_status st = tsr__scratch_get(ctx, op, tsr_nbytes(view), &target->scratch);
  view->data = target->scratch.data;
  return st;
}

tsr_status tsr__target_begin(tsr_ctx *ctx, const char *op, const tsr__result *result, int inputs,
                             const tsr_tensor *const *in, tsr_tensor *out, tsr__target *target) {
  return tsr__target_begin_as(ctx, op, result, result->dtype, inputs, in, out, target);
}

tsr_status tsr__target_begin_as(tsr_ctx *ctx, const char *op, const tsr__result *result, int dtype, int inputs,
                                const tsr_tensor *const *in, tsr_tensor *out, tsr__target *target) {
  target->staged = false;
  target->scratch = (tsr__scratch){0};
  tsr_status st = tsr__output_check(ctx, op, result, out);
  if (st != TSR_OK) return st;
  if (dtype != result->dtype || overlaps_any(inputs, in, out)) {
    target->staged = true;
    st = stage(ctx, op, result, dtype, target);
    if (st != TSR_OK) return st;
  }
  st = tsr__output(ctx, op, result, out);
  if (st != TSR_OK) {
    tsr__scratch_put(&target->scratch);
    return st;
  }
  if (!target->staged) target->view = *out;
  target->view.flags = 0;
  target->view.layout = TSR_PLAIN;
  target->bytes = tsr_nbytes(out);
  return TSR_OK;
}

void tsr__target_end(const tsr_ctx *ctx, const tsr_tensor *out, tsr__target *target) {
  if (target->staged) tsr__copy_no_alias(ctx, &target->view, out);
  tsr__scratch_put(&target->scratch);
}

/* ---- in a frame ---- */

static bool overlaps_inputs(const tsr__call *call) {
  const tsr_tensor *const out = call->out[0];
  if (!tsr__call_was_given(call, 0) || tsr_size(out) == 0) return false;
  for (int k = 0; k < call->inputs; k++)
    if (call->in[k] != NULL && tsr_size(call->in[k]) > 0 && tsr__overlap(call->in[k], out)) return true;
  return false;
}

static tsr_status use_staging(tsr__call *call, int dtype, tsr_tensor *view) {
  const tsr_tensor *const out = call->out[0];
  tsr__describe(dtype, out->ndim, out->shape, view);
  tsr__strides_for(view->ndim, view->shape, TSR_ROW_MAJOR, view->stride);
  return tsr__call_scratch(call, tsr_nbytes(view), &view->data);
}

tsr_status tsr__call_target_as(tsr__call *call, const tsr__result *result, int dtype, bool no_alias,
                               tsr__target *target) {
  tsr_status st = tsr__call_result(call, result);
  if (st != TSR_OK) return st;
  target->scratch = (tsr__scratch){0};
  target->staged = dtype != result->dtype || (!no_alias && overlaps_inputs(call));
  target->view = *call->out[0];
  target->view.flags = 0;
  target->view.layout = TSR_PLAIN;
  target->bytes = tsr_nbytes(call->out[0]);
  if (target->staged) st = use_staging(call, dtype, &target->view);
  return st == TSR_OK ? tsr__call_start(call) : st;
}

tsr_status tsr__call_target(tsr__call *call, const tsr__result *result, tsr__target *target) {
  return tsr__call_target_as(call, result, result->dtype, false, target);
}
