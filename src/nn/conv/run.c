/* A call after its checks: the output, scratch, copies in, an algorithm, the activation, copies out. */
#include "core/prepare.h"
#include "cpu/iterate.h"
#include "nn/conv/algorithm.h"
#include "nn/conv/columns.h"
#include "ops/copy/copy.h"
#include "ops/elementwise/elementwise.h"

#include <string.h>

static void activate(const tsr_ctx *ctx, const tsr__activation *activation, const tsr_tensor *out) {
  tsr__loop loop;
  if (activation->row == NULL) return;
  tsr__loop_init(&loop, 2, (const tsr_tensor *[]){out, out});
  tsr__loop_run_parallel(ctx, &loop, TSR__GRAIN_HEAVY, activation->row, (void *)(uintptr_t)activation->param);
}

/* ---- where things lie ---- */

static void bind(const tsr__conv *c, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                 const tsr_tensor *out, tsr__conv_tensors *t) {
  t->x = x->data;
  t->w = w->data;
  t->out = out->data;
  tsr__conv_strides(x, c->last, t->xs);
  tsr__conv_filter_strides(w, t->ws);
  tsr__conv_strides(out, c->last, t->os);
  if (tsr_size(x) == 0 || tsr_size(w) == 0) {
    t->x = t->w = out->data;
    for (int k = 0; k < 4; k++) t->xs[k] = t->ws[k] = 0;
  }
  t->bias = bias != NULL ? bias->data : NULL;
  t->bias_step = bias != NULL ? bias->stride[0] : 0;
}

static void run_tensors(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_tensors *t) {
  if (TSR__CONV_FAST)
    c->algorithm->run_tensors(ctx, c, t);
  else if (!TSR_HAVE_INTEGER_PRODUCTS || c->compute == TSR_F32)
    tsr__conv_run_blocks(ctx, c, t);
  else
    tsr__conv_run_loops(ctx, c, t);
}

/* ---- kept for later ---- */

typedef struct kept {
  tsr__conv c;
  tsr__conv_tensors t;
  tsr__activation activation;
  tsr_tensor out;
} kept;

static void run_kept(const tsr_ctx *ctx, const void *plan) {
  const kept *const k = plan;
  run_tensors(ctx, &k->c, &k->t);
  activate(ctx, &k->activation, &k->out);
}

static tsr_status keep(tsr__call *call, const tsr__conv *c, const tsr__activation *activation, bool widened) {
  kept k = {.c = *c, .activation = *activation, .out = *call->out[0]};
  bind(c, call->in[0], call->in[1], call->in[2], call->out[0], &k.t);
  return tsr__call_finish(call, widened ? "its dtype needs copies" : NULL, run_kept, &k, sizeof k);
}

/* Small floats as f32 copies of x, w, bias and out. */
static tsr_status run_in_place(tsr__call *call, const tsr__conv *c, const tsr__activation *activation) {
  enum { X, W, BIAS, OUT, ALL };
  const tsr_tensor *at[ALL] = {call->in[0], call->in[1], call->in[2], call->out[0]};
  const bool some = tsr_size(at[OUT]) > 0, widened = TSR_HAVE_SMALL_FLOATS && some && c->compute != c->dtype;
  tsr_tensor wide[ALL];
  tsr__conv_tensors t;
  tsr_status st = TSR_OK;
  for (int k = 0; k < ALL && widened && st == TSR_OK; k++)
    if (at[k] != NULL) st = tsr__call_copy_as(call, at[k], TSR_F32, &wide[k]);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK || !some) return st;
  if (tsr__preparing(call) != NULL) return keep(call, c, activation, widened);
  for (int k = 0; k < ALL && widened; k++) {
    if (k != OUT && at[k] != NULL) tsr__copy_no_alias(call->ctx, at[k], &wide[k]);
    if (at[k] != NULL) at[k] = &wide[k];
  }
  bind(c, at[X], at[W], at[BIAS], at[OUT], &t);
  run_tensors(call->ctx, c, &t);
  activate(call->ctx, activation, at[OUT]);
  if (widened) tsr__copy_no_alias(call->ctx, at[OUT], call->out[0]);
  return TSR_OK;
}

#if TSR__CONV_FAST

/* ---- by images ---- */

/* relu and clip are bounds that the kernels put on what they store. */
static const float *limits_of(const tsr_activation *a, float *limits) {
  if (a->kind == NULL || !(a->kind->bounds || a->kind == TSR_RELU)) return NULL;
  limits[0] = a->kind->bounds ? (float)a->alpha : 0.0f;
  limits[1] = a->kind->bounds ? (float)a->beta : __builtin_inff();
  return limits;
}

/* A call whose memory is there. */
typedef struct by_images {
  const tsr_ctx *ctx;
  const tsr__conv *c;
  const tsr__activation *activation;
  const tsr__conv_plan *plan;
  const tsr_tensor *x, *w, *bias, *out;
  float *scratch;
} by_images;

/* Images first … first + d->n: the algorithm writes them to out_room, dense f32, or to the output itself. */
static void run_some(const by_images *b, tsr_index first, float *x_room, float *out_room, tsr__conv_data *d) {
  const tsr__conv *const c = b->c;
  const tsr_tensor *const x = b->x, out = tsr__part(b->out, 0, first, d->n);
  tsr_tensor target = out;
  if (d->plan->stage_out) {
    target.dtype = TSR_F32;
    target.data = out_room;
    tsr__strides_for(target.ndim, target.shape, TSR_ROW_MAJOR, target.stride);
  }
  if (d->plan->stage_x) {
    tsr__conv_stage(b->ctx, c, x, first, x_room, d);
  } else {
    const bool none = tsr_size(x) == 0; /* and perhaps no data: nothing is read, but pointers are made */
    tsr__conv_strides(x, c->last, d->xs);
    if (none) memset(d->xs, 0, sizeof d->xs);
    d->x = none ? target.data : (const float *)x->data + first * d->xs[0];
  }
  d->out = target.data;
  tsr__conv_strides(&target, c->last, d->os);
  c->algorithm->run(b->ctx, c, d);
  if (d->limits == NULL) activate(b->ctx, b->activation, &target);
  if (d->plan->stage_out) tsr__copy_no_alias(b->ctx, &target, &out);
}

static void run_images(const by_images *b) {
  const tsr__conv *const c = b->c;
  const tsr__conv_plan *const plan = b->plan;
  float limits[2];
  float *const panels = b->scratch, *const filters = panels + plan->panels / sizeof(float);
  float *const x = filters + plan->filters / sizeof(float), *const out = x + plan->x / sizeof(float);
  tsr__conv_data d = {.plan = plan, .panels = c->packed ? b->w->data : panels, .room = (char *)out + plan->out};
  d.limits = limits_of(&c->activation, limits);
  if (!c->packed) tsr__conv_pack_filters(b->ctx, c, &plan->size, b->w, b->bias, filters, panels);
  for (tsr_index first = 0; first < c->n; first += plan->images) {
    d.n = tsr__conv_min(plan->images, c->n - first);
    run_some(b, first, x, out, &d);
  }
}

/* All that it points to. */
typedef struct kept_images {
  tsr__conv c;
  tsr__activation activation;
  tsr__conv_plan plan;
  tsr_tensor x, w, bias, out;
  bool has_bias;
  float *scratch;
} kept_images;

static void run_kept_images(const tsr_ctx *ctx, const void *plan) {
  const kept_images *const k = plan;
  run_images(&(by_images){ctx, &k->c, &k->activation, &k->plan, &k->x, &k->w, k->has_bias ? &k->bias : NULL, &k->out,
                          k->scratch});
}

static tsr_status keep_images(tsr__call *call, const by_images *b) {
  kept_images k = {.c = *b->c, .activation = *b->activation, .plan = *b->plan, .x = *b->x, .w = *b->w, .out = *b->out};
  k.scratch = b->scratch;
  k.has_bias = b->bias != NULL;
  if (k.has_bias) k.bias = *b->bias;
  return tsr__call_finish(call, NULL, run_kept_images, &k, sizeof k);
}

static tsr_status run_by_images(tsr__call *call, const tsr__conv *c, const tsr__activation *activation) {
  const bool some = tsr_size(call->out[0]) > 0;
  tsr__conv_plan plan;
  void *scratch;
  tsr_status st = tsr__conv_plan_init(call->ctx, c, call->in[0], call->out[0], &plan);
  if (st == TSR_OK) st = tsr__call_scratch(call, some ? plan.total : 0, &scratch);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK || !some) return st;
  const by_images b = {
      call->ctx, c, activation, &plan, call->in[0], call->in[1], c->packed ? NULL : call->in[2], call->out[0], scratch};
  if (tsr__preparing(call) != NULL) return keep_images(call, &b);
  run_images(&b);
  return TSR_OK;
}

#endif

/* ---- the call ---- */

static tsr_status check_no_alias(const tsr__call *call) {
  const tsr_tensor *const out = call->out[0];
  if (out->data == NULL || tsr_size(out) == 0) return TSR_OK;
  for (int k = 0; k < call->inputs; k++) {
    const tsr_tensor *const in = call->in[k];
    if (in == NULL || tsr_size(in) == 0 || !tsr__overlap(in, out)) continue;
    return TSR__FAIL(call->ctx, TSR_EOVERLAP, call->op, "out", "%t overlaps %s %t: a convolution is not done in place",
                     out, tsr__call_input_name(call, k), in);
  }
  return TSR_OK;
}

tsr_status tsr__conv_call(tsr__call *call, const tsr__conv *c) {
  const tsr__result result = {c->dtype, call->in[0]->layout, c->rank, c->shape, NULL};
  tsr__activation activation;
  tsr_status st = tsr__activation_init(call->ctx, c->op, &c->activation, c->isa, c->compute, &activation);
  if (st == TSR_OK) st = tsr__call_output(call, 0, &result);
  if (st == TSR_OK) st = check_no_alias(call);
  if (st == TSR_OK) st = tsr__call_outputs(call);
  if (st != TSR_OK) return st;
#if TSR__CONV_FAST
  if (c->algorithm->run_tensors == NULL) return run_by_images(call, c, &activation);
#endif
  return run_in_place(call, c, &activation);
}
