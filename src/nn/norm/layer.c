#include "nn/norm/layer.h"

#include "ops/promote.h"

typedef struct call {
  tsr__norm_row *kernel;
  tsr_index      n;
  const void    *scale, *bias;
  tsr_real       eps;
} call;

static void run_row(const void *arg, tsr_index number, const void *x, void *out) {
  const call *const c = arg;
  (void)number;
  c->kernel(c->n, x, c->scale, c->bias, c->eps, out);
}

static tsr_status begin(tsr_ctx *ctx, const tsr__layer_norm *l, tsr__rows *rows, tsr__norm_params *params) {
  const tsr_tensor *const x = l->x;
  int                     axis = l->axis;
  tsr_status              st = tsr__norm_check(ctx, l->op, x, l->eps);
  if (st == TSR_OK) st = tsr__check_axis(ctx, l->op, "axis", axis, x->ndim, &axis);
  if (st == TSR_OK) st = tsr__norm_check_param(ctx, l->op, "scale", l->scale, x->ndim - axis, x->shape + axis);
  if (st == TSR_OK) st = tsr__norm_check_param(ctx, l->op, "bias", l->bias, x->ndim - axis, x->shape + axis);
  if (st != TSR_OK) return st;
  *rows = (tsr__rows){.op = l->op, .x = x, .run = run_row};
  for (int i = 0; i < x->ndim; i++) tsr__rows_add(rows, i >= axis, i, x->shape[i], 1);
  *params = (tsr__norm_params){0};
  tsr__norm_param(params, l->scale);
  tsr__norm_param(params, l->bias);
  return TSR_OK;
}

tsr_status tsr__layer_norm_run(tsr_ctx *ctx, const tsr__layer_norm *l, tsr__norm_row *const *table, tsr_tensor *out) {
  tsr__rows        rows;
  tsr__norm_params params;
  tsr_status       st = begin(ctx, l, &rows, &params);
  if (st != TSR_OK) return st;
  const int compute = tsr__compute_of(l->x->dtype);
  st = tsr__norm_fix(ctx, l->op, compute, out, &params);
  if (st != TSR_OK) return st;
  const call c = {table[compute], tsr__rows_length(&rows), params.data[0], params.data[1], l->eps};
  rows.arg = &c;
  st = tsr__rows_run(ctx, &rows, out);
  tsr__scratch_put(&params.scratch);
  return st;
}

tsr_status tsr__layer_norm_workspace(tsr_ctx *ctx, const tsr__layer_norm *l, size_t *bytes) {
  tsr__rows        rows;
  tsr__norm_params params;
  const tsr_status st = begin(ctx, l, &rows, &params);
  if (st != TSR_OK) return st;
  if (bytes == NULL) return TSR__FAIL(ctx, TSR_EARG, l->op, "bytes", "is NULL");
  *bytes = tsr__rows_workspace(ctx, &rows) + tsr__norm_params_workspace(tsr__compute_of(l->x->dtype), &params);
  return TSR_OK;
}
