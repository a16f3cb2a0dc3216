/* Quantised convolutions: what a call means, its memory, and the run. */
#include "core/tensor.h"
#include "nn/quant/layer/layer.h"
#include "nn/quant/ops.h"
#include "ops/elementwise/kernels.h"
#include "ops/move/target.h"

static void set_steps(const tsr_tensor *t, bool last, ptrdiff_t *steps) {
  tsr_index strides[4];
  tsr__conv_strides(t, last, strides);
  for (int k = 0; k < 4; k++) steps[k] = (ptrdiff_t)strides[k] * tsr__item(t);
}

/* The shape of the result, in the axes of x. */
TSR__ALWAYS_INLINE tsr_status resolve(const tsr__call *call, const tsr__q_filters *f, tsr__q_run *run,
                                      tsr_index *shape) {
  const tsr_tensor *const x = call->in[0];
  tsr_conv_packed filters; /* whose panels and kernel are not looked at */
  filters.options = run->layer->options;
  filters.filter[0] = f->o;
  filters.filter[1] = f->i;
  filters.filter[2] = f->kh;
  filters.filter[3] = f->kw;
  filters.dtype = x->dtype;
  filters.rank = 4;
  filters.channels_last = x->layout == TSR_NHWC;
  const tsr_status st = tsr__conv_resolve_packed(call->ctx, call->op, x, &filters, &run->c);
  if (st != TSR_OK) return st;
  const tsr__conv *const c = &run->c;
  shape[0] = c->n;
  shape[c->last ? 3 : 1] = c->o;
  shape[c->last ? 1 : 2] = c->oh;
  shape[c->last ? 2 : 3] = c->ow;
  set_steps(x, c->last, run->xs);
  return TSR_OK;
}

TSR__ALWAYS_INLINE tsr_status finish(tsr__call *call, const tsr__q_filters *f, tsr__q_run *run,
                                     tsr__q_scratch_fn *needs, tsr__planned_fn *all) {
  const tsr_tensor *const x = call->in[0];
  tsr_index shape[4];
  tsr__target target;
  void *scratch;
  tsr_status st = resolve(call, f, run, shape);
  if (st != TSR_OK) return st;
  const tsr__result result = {run->layer->out_dtype, x->layout, 4, shape, x};
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__call_scratch(call, needs(call->ctx, run), &scratch);
  if (st == TSR_OK) st = tsr__call_target_of(call, result.dtype, tsr__call_overlaps(call), &target);
  if (st != TSR_OK) return st;
  run->x = x->data;
  run->out = target.view.data;
  run->scratch = scratch;
  set_steps(&target.view, run->c.last, run->os);
  return tsr__target_finish(call, &target, all, run, sizeof *run);
}

tsr_status tsr__q_conv_finish(tsr__call *call, const tsr__q_filters *f, tsr__q_run *run, tsr__q_scratch_fn *needs,
                              tsr__planned_fn *all) {
  return finish(call, f, run, needs, all);
}

static tsr_status qconv2d(tsr__call *call) {
  tsr__q_filters f;
  tsr__q_run run;
  const tsr_status st = tsr__q_run_init(call, 4, &f, &run);
  return st == TSR_OK ? finish(call, &f, &run, tsr__q_run_scratch, tsr__q_run_all) : st;
}

TSR__OP(qconv2d, qconv2d, TSR__OP_PREPARES)
tsr_status tsr_qconv2d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_qlayer *layer, tsr_tensor *out) {
  return tsr__q_layer_call(ctx, &tsr__op_qconv2d, x, layer, out);
}
