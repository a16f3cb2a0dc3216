/* Quantised convolutions: what a call means, its memory, and the run. */
#include "core/normalise.h"
#include "core/tensor.h"
#include "nn/quant/layer.h"
#include "ops/move/target.h"

static void set_steps(const tsr_tensor *t, bool last, ptrdiff_t *steps) {
  tsr_index strides[4];
  tsr__conv_strides(t, last, strides);
  for (int k = 0; k < 4; k++) steps[k] = (ptrdiff_t)strides[k] * tsr__item(t);
}

/* The shape of the result, in the axes of x. */
static tsr_status resolve(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_qlayer *layer, tsr__q_run *run,
                          tsr_index *shape) {
  tsr__q_filters f;
  tsr_status st = tsr__q_run_init(ctx, op, layer, &f, run);
  if (st != TSR_OK) return st;
  if (layer->w.ndim != 4) return TSR__FAIL(ctx, TSR_ESTATE, op, "layer", "is dense: its weights are %t", &layer->w);
  if (x->dtype != layer->x_dtype)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "x", "is %t, the layer is for %y", x, (int)layer->x_dtype);
  tsr_conv_packed filters; /* whose panels and kernel are not looked at */
  filters.options = layer->options;
  filters.filter[0] = f.o;
  filters.filter[1] = f.i;
  filters.filter[2] = f.kh;
  filters.filter[3] = f.kw;
  filters.dtype = x->dtype;
  filters.rank = 4;
  filters.channels_last = x->layout == TSR_NHWC;
  st = tsr__conv_resolve_packed(ctx, op, x, &filters, &run->c);
  if (st != TSR_OK) return st;
  const tsr__conv *const c = &run->c;
  shape[0] = c->n;
  shape[c->last ? 3 : 1] = c->o;
  shape[c->last ? 1 : 2] = c->oh;
  shape[c->last ? 2 : 3] = c->ow;
  set_steps(x, c->last, run->xs);
  return TSR_OK;
}

tsr_status tsr_qconv2d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_qlayer *layer, tsr_tensor *out) {
  TSR__NORMALISE_ALL(x, out);
  static const char op[] = "qconv2d";
  tsr__q_run run;
  tsr_index shape[4];
  tsr__target target;
  tsr__scratch scratch;
  tsr_status st = tsr__check_input(ctx, op, "x", x);
  if (st == TSR_OK) st = resolve(ctx, op, x, layer, &run, shape);
  if (st != TSR_OK) return st;
  const size_t bytes = tsr__q_scratch(ctx, &run);
  const tsr__result result = {layer->out_dtype, x->layout, 4, shape, x};
  st = tsr__output_check(ctx, op, &result, out);
  if (st == TSR_OK) st = tsr__scratch_get(ctx, op, bytes, &scratch);
  if (st != TSR_OK) return st;
  const tsr_tensor *const read[] = {x, &layer->w, &layer->table, &layer->panels};
  st = tsr__target_begin(ctx, op, &result, 4, read, out, &target);
  if (st == TSR_OK) {
    run.x = x->data;
    run.out = target.view.data;
    run.scratch = scratch.data;
    set_steps(&target.view, run.c.last, run.os);
    if (target.bytes > 0) tsr__q_dispatch(ctx, &run);
    tsr__target_end(ctx, out, &target);
  }
  tsr__scratch_put(&scratch);
  return st;
}

tsr_status tsr_qconv2d_workspace_size(tsr_ctx *ctx, const tsr_tensor *x, const tsr_qlayer *layer, size_t *bytes) {
  TSR__NORMALISE_ALL(x);
  static const char op[] = "qconv2d_workspace_size";
  tsr__q_run run;
  tsr_index shape[4];
  if (x == NULL || bytes == NULL) return TSR__FAIL(ctx, TSR_EARG, op, x == NULL ? "x" : "bytes", "is NULL");
  tsr_tensor described = *x;
  tsr_status st = tsr__check_desc(ctx, op, x->dtype, x->ndim, x->shape);
  if (st != TSR_OK) return st;
  if (x->data == NULL) tsr__default_strides(&described);
  st = resolve(ctx, op, &described, layer, &run, shape);
  if (st == TSR_OK) *bytes = tsr__q_with_slack(tsr__q_scratch(ctx, &run));
  return st;
}
