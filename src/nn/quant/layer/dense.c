/* Quantised dense layers: rows are images of one pixel. */
#include "core/tensor.h"
#include "nn/lines.h"
#include "nn/quant/layer/layer.h"
#include "nn/quant/ops.h"
#include "ops/copy/copy.h"
#include "ops/elementwise/kernels.h"
#include "ops/move/target.h"

void tsr__q_run_rows(const tsr__call *call, tsr_index n, tsr_index k, tsr_index o, tsr__q_run *run) {
  tsr__conv *const c = &run->c;
  c->op = call->op; /* what kernels look at, not the whole struct: small machines clear memory byte by byte */
  c->rank = 4;
  c->last = true;
  c->n = n;
  c->c = c->i = k;
  c->o = o;
  c->top = c->left = 0;
  c->h = c->w = c->kh = c->kw = c->oh = c->ow = c->ph = c->pw = 1;
  c->sh = c->sw = c->dh = c->dw = c->groups = 1;
}

/* How many rows there are, and the shape of the result. */
TSR__ALWAYS_INLINE tsr_status resolve(const tsr__call *call, const tsr__q_filters *f, tsr__q_run *run,
                                      tsr_index *shape) {
  const tsr_tensor *const x = call->in[0];
  if (x->ndim == 0 || x->shape[x->ndim - 1] != f->i)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "x", "is %t, the layer takes %l features", x, (int64_t)f->i);
  tsr_index rows = 1;
  for (int k = 0; k + 1 < x->ndim; k++) rows *= shape[k] = x->shape[k];
  shape[x->ndim - 1] = f->o;
  tsr__q_run_rows(call, rows, f->i, f->o, run);
  return TSR_OK;
}

/* From row to row and from element to element, in bytes; false where rows do not lie evenly. */
static bool set_steps(const tsr_tensor *t, ptrdiff_t *steps) {
#if TSR_PACKED_CALLS
  steps[1] = tsr__item(t);
  steps[0] = steps[1] * (ptrdiff_t)t->shape[t->ndim - 1];
  steps[2] = steps[3] = 0;
  return true;
#endif
  tsr__lines rows;
  steps[1] = (ptrdiff_t)t->stride[t->ndim - 1] * tsr__item(t);
  steps[2] = steps[3] = 0;
  if (t->ndim <= 2) {
    steps[0] = t->ndim == 2 ? (ptrdiff_t)t->stride[0] * tsr__item(t) : 0;
    return true;
  }
  tsr__lines_init(&rows, t->ndim - 1, t->shape);
  tsr__lines_add(&rows, t, 0);
  tsr__lines_merge(&rows);
  steps[0] = rows.step[0][0];
  return rows.ndim <= 1;
}

/* Temporary memory: a copy of x where its rows do not lie evenly, and the run's own. */
TSR__ALWAYS_INLINE tsr_status get_memory(tsr__call *call, tsr_tensor *x, tsr__q_scratch_fn *needs, tsr__q_run *run) {
  tsr_status st = TSR_OK;
  void *scratch;
  tsr__copy_view(call->in[0], x);
  if (!set_steps(x, run->xs) && !TSR_PACKED_CALLS) {
    st = tsr__call_copy_of(call, call->in[0], x);
    (void)set_steps(x, run->xs);
  }
  if (st == TSR_OK) st = tsr__call_scratch(call, needs(call->ctx, run), &scratch);
  if (st != TSR_OK) return st;
  run->x = x->data;
  run->scratch = scratch;
  return TSR_OK;
}

/* The result goes to temporary memory first where the output's rows do not lie evenly. */
TSR__ALWAYS_INLINE tsr_status finish(tsr__call *call, const tsr__q_filters *f, tsr__q_run *run,
                                     tsr__q_scratch_fn *needs, tsr__planned_fn *all) {
  const tsr_tensor *const out = call->out[0];
  tsr_index shape[TSR_MAX_DIMS];
  tsr__target target;
  tsr_tensor x;
  tsr_status st = resolve(call, f, run, shape);
  if (st != TSR_OK) return st;
  const tsr__result result = {run->layer->out_dtype, TSR_PLAIN, call->in[0]->ndim, shape, NULL};
  st = tsr__call_result(call, &result);
  target.bytes = 0;
  if (st == TSR_OK) st = get_memory(call, &x, needs, run);
  if (st == TSR_OK)
    st = tsr__call_target_of(call, result.dtype, tsr__call_overlaps(call) || !set_steps(out, run->os), &target);
  if (st != TSR_OK || target.bytes == 0) return st;
  if (!TSR_PACKED_CALLS && x.data != call->in[0]->data) {
    if (tsr__preparing(call) != NULL) return tsr__preparing(call)->refuse(call, "x does not lie evenly");
    tsr__move_seldom(call->ctx, call->in[0], &x);
  }
  if (target.staged) (void)set_steps(&target.view, run->os);
  run->out = target.view.data;
  return tsr__target_finish(call, &target, all, run, sizeof *run);
}

tsr_status tsr__q_dense_finish(tsr__call *call, const tsr__q_filters *f, tsr__q_run *run, tsr__q_scratch_fn *needs,
                               tsr__planned_fn *all) {
  return finish(call, f, run, needs, all);
}

static tsr_status qdense(tsr__call *call) {
  tsr__q_filters f;
  tsr__q_run run;
  const tsr_status st = tsr__q_run_init(call, 2, &f, &run);
  return st == TSR_OK ? finish(call, &f, &run, tsr__q_run_scratch, tsr__q_run_dense) : st;
}

TSR__OP_LIKE(qdense, qconv2d, qdense, TSR__OP_PREPARES)
tsr_status tsr_qdense(tsr_ctx *ctx, const tsr_tensor *x, const tsr_qlayer *layer, tsr_tensor *out) {
  return tsr__q_layer_call(ctx, &tsr__op_qdense, x, layer, out);
}
