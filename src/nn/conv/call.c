/* What the public functions share: checks, memory, work. */
#include "nn/conv/call.h"

#include "core/storage.h"

/* The shape of the output, in the order of x. */
static void output_shape(const tsr__conv *c, tsr_index *shape) {
  if (c->rank == 3) {
    shape[0] = c->n;
    shape[1] = c->last ? c->ow : c->o;
    shape[2] = c->last ? c->o : c->ow;
    return;
  }
  shape[0] = c->n;
  shape[1] = c->last ? c->oh : c->o;
  shape[2] = c->last ? c->ow : c->oh;
  shape[3] = c->last ? c->o : c->ow;
}

/* The dtype that is summed in. */
static int sum_dtype(const tsr__conv *c) {
  const tsr_dtype_info *const info = tsr_dtype_describe(c->dtype);
  return info->class_ == TSR_CLASS_FLOAT && info->bytes < 4 ? TSR_F32 : c->dtype;
}

static tsr_status check_apart(tsr_ctx *ctx, const tsr__conv *c, const char *arg, const tsr_tensor *in,
                              const tsr_tensor *out) {
  if (in == NULL || out->data == NULL || tsr_size(in) == 0 || tsr_size(out) == 0 || !tsr__overlap(in, out))
    return TSR_OK;
  return TSR__FAIL(ctx, TSR_EOVERLAP, c->op, "out", "%t overlaps %s %t: a convolution is not done in place", out, arg,
                   in);
}

/* Everything that can be wrong with the output. */
static tsr_status check_output(tsr_ctx *ctx, const tsr__conv_request *r, const tsr__result *result) {
  tsr_status st = tsr__output_check(ctx, r->c.op, result, r->out);
  if (st == TSR_OK) st = check_apart(ctx, &r->c, "x", r->x, r->out);
  if (st == TSR_OK) st = check_apart(ctx, &r->c, "w", r->w, r->out);
  if (st == TSR_OK) st = check_apart(ctx, &r->c, "bias", r->bias, r->out);
  if (st == TSR_OK && r->packed != NULL) st = check_apart(ctx, &r->c, "packed", &r->packed->panels, r->out);
  return st;
}

/* Memory for the output and scratch; then the work. */
static tsr_status allocate_and_run(tsr_ctx *ctx, const tsr__conv_request *r, const tsr__result *result,
                                   const tsr__activation *activation) {
  const tsr_tensor before = *r->out;
  tsr__conv_plan plan;
  tsr__scratch scratch = {0};
  tsr_status st = tsr__output(ctx, r->c.op, result, r->out);
  if (st != TSR_OK) return st;
  st = tsr__conv_plan_init(ctx, &r->c, r->x, r->out, r->packed != NULL, &plan);
  if (st == TSR_OK) st = tsr__scratch_get(ctx, r->c.op, tsr_size(r->out) > 0 ? plan.total : 0, &scratch);
  if (st != TSR_OK) {
    if (before.data == NULL && r->out->data != NULL) {
      tsr_release(r->out);
      *r->out = before;
    }
    return st;
  }
  const tsr__conv_call call = {
      &r->c,      &plan,       r->x, r->w, r->bias, r->out, r->packed != NULL ? r->packed->panels.data : NULL,
      activation, scratch.data};
  tsr__conv_run(ctx, &call);
  tsr__scratch_put(&scratch);
  return TSR_OK;
}

tsr_status tsr__conv_finish(tsr_ctx *ctx, const tsr__conv_request *r) {
  const tsr__conv *const c = &r->c;
  tsr__activation activation;
  tsr_index shape[4];
  output_shape(c, shape);
  const tsr__result result = {c->dtype, r->x->layout, c->rank, shape, NULL};
  tsr_status st = tsr__activation_init(ctx, c->op, &c->activation, c->isa, sum_dtype(c), &activation);
  if (st == TSR_OK) st = check_output(ctx, r, &result);
  return st == TSR_OK ? allocate_and_run(ctx, r, &result, &activation) : st;
}

tsr_status tsr__conv_workspace(tsr_ctx *ctx, const tsr__conv_request *r, size_t *bytes) {
  tsr__conv_plan plan;
  const tsr_status st = tsr__conv_plan_init(ctx, &r->c, r->x, NULL, r->packed != NULL, &plan);
  if (st == TSR_OK) *bytes = plan.total > 0 ? plan.total + TSR_DATA_ALIGN - 1 : 0;
  return st;
}

tsr_status tsr__conv_check_shape_only(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t) {
  if (t == NULL) return TSR__FAIL(ctx, TSR_EARG, op, arg, "is NULL");
  if (t->dtype == TSR_NONE) return TSR__FAIL(ctx, TSR_ESTATE, op, arg, "is empty");
  const tsr_status st = tsr__check_dtype(ctx, op, arg, t->dtype);
  return st == TSR_OK ? tsr__check_shape(ctx, op, arg, t->ndim, t->shape, NULL) : st;
}
