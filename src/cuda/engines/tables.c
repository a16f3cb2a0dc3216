/* Tables that the host makes, for the bits that it gives: windows, and the angles of rotary embedding. They travel with the plan. */
#include "cuda/engines/engines.h"

#include "core/tensor.h"
#include "fft/window.h"
#include "nn/rotary/ops.h"
#include "nn/rotary/tables.h"

#include <stdlib.h>

/* A row-major tensor like out, in memory of the host; data NULL: there is none. */
static tsr_tensor on_host(const tsr_tensor *out, int dtype) {
  tsr_tensor t = {.dtype = (uint8_t)dtype, .ndim = out->ndim};
  for (int d = 0; d < out->ndim; d++) t.shape[d] = out->shape[d];
  tsr__strides_for(t.ndim, t.shape, TSR_ROW_MAJOR, t.stride);
  t.data = malloc(tsr_nbytes(&t));
  return t;
}

static tsr_status plan_table(tsr__cuda *gpu, const tsr_work *work, const tsr_tensor *table, int output,
                             tsr__cuda_plan *plan) {
  const tsr__cuda_view out = tsr__cuda_output(work, output);
  tsr__cuda_view from = {.tensor = *table};
  from.ref = tsr__cuda_scratch(tsr__cuda_plan_constant(plan, table->data, tsr_nbytes(table)));
  from.tensor.data = NULL;
  return tsr__cuda_plan_cast(gpu, work->ctx, &from, &out, plan);
}

static tsr_status no_memory(const tsr_work *work) {
  return TSR__FAIL(work->ctx, TSR_ENOMEM, work->op, NULL, "no memory of the host for %t", work->out[0]);
}

tsr_status tsr__cuda_window(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  if (tsr_size(work->out[0]) == 0) return TSR_OK;
  const tsr_tensor weights = on_host(work->out[0], TSR_F64);
  if (weights.data == NULL) return no_memory(work);
  tsr__window_weights(work->attrs, weights.data);
  const tsr_status st = plan_table(gpu, work, &weights, 0, plan);
  free(weights.data);
  return st;
}

tsr_status tsr__cuda_rotary_tables(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__rotary_tables_attrs *const attrs = work->attrs;
  (void)op;
  if (tsr_size(work->out[0]) == 0) return TSR_OK;
  const tsr_tensor cosine = on_host(work->out[0], attrs->dtype), sine = on_host(work->out[0], attrs->dtype);
  tsr_status st = cosine.data == NULL || sine.data == NULL ? no_memory(work) : TSR_OK;
  if (st == TSR_OK) {
    tsr__rotary_fill(attrs->features, attrs->base, &cosine, &sine);
    st = plan_table(gpu, work, &cosine, 0, plan);
  }
  if (st == TSR_OK) st = plan_table(gpu, work, &sine, 1, plan);
  free(cosine.data);
  free(sine.data);
  return st;
}
