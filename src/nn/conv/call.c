#include "nn/conv/call.h"

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

tsr_status tsr__conv_epilogue(tsr__call *call, const tsr__conv *c) {
  const tsr_tensor *const *const in = call->in;
  tsr__activation activation;
  tsr__conv_plan plan;
  void *scratch;
  const tsr__result result = {c->dtype, in[0]->layout, c->rank, c->shape, NULL};
  tsr_status st = tsr__activation_init(call->ctx, c->op, &c->activation, c->isa, c->compute, &activation);
  if (st == TSR_OK) st = tsr__call_output(call, 0, &result);
  if (st == TSR_OK) st = check_no_alias(call);
  if (st == TSR_OK) st = tsr__call_outputs(call);
  if (st == TSR_OK) st = tsr__conv_plan_init(call->ctx, c, in[0], call->out[0], &plan);
  if (st == TSR_OK) st = tsr__call_scratch(call, tsr_size(call->out[0]) > 0 ? plan.total : 0, &scratch);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  const tsr__conv_call run = {.c = c,
                              .plan = &plan,
                              .x = in[0],
                              .w = c->packed ? NULL : in[1],
                              .bias = c->packed ? NULL : in[2],
                              .out = call->out[0],
                              .panels = c->packed ? in[1]->data : NULL,
                              .activation = &activation,
                              .scratch = scratch};
  tsr__conv_run(call->ctx, &run);
  return TSR_OK;
}

tsr_status tsr__conv_check_shape_only(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t) {
  if (t == NULL) return TSR__FAIL(ctx, TSR_EARG, op, arg, "is NULL");
  if (t->dtype == TSR_NONE) return TSR__FAIL(ctx, TSR_ESTATE, op, arg, "is empty");
  const tsr_status st = tsr__check_dtype(ctx, op, arg, t->dtype);
  return st == TSR_OK ? tsr__check_shape(ctx, op, arg, t->ndim, t->shape, NULL) : st;
}
