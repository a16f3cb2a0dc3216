#include "nn/norm/layer.h"

#include "ops/promote.h"

typedef struct layer_rows {
  tsr__norm_layer kernel;
  tsr_index n;
  const void *scale, *bias;
  tsr_real eps;
} layer_rows;

static void layer_row(const void *arg, tsr_index number, const void *x, void *out) {
  const layer_rows *const r = arg;
  (void)number;
  r->kernel.row(r->n, x, r->scale, r->bias, r->eps, out);
}

#if TSR__NORM_HAS_COLUMNS
static void layer_columns(const void *arg, tsr_index width, const void *x, ptrdiff_t x_step, void *out,
                          ptrdiff_t out_step, void *memory) {
  const layer_rows *const r = arg;
  r->kernel.columns(r->n, width, x, x_step, r->scale, r->bias, r->eps, out, out_step, memory);
}

/* Rows that are long go one by one. */
static void use_columns(tsr__rows *rows, int compute) {
  if (tsr__rows_length(rows) > TSR__NORM_SHORT) return;
  rows->columns = layer_columns;
  rows->column_bytes = TSR__NORM_COLUMN_BYTES(tsr_dtype_size(compute));
}
#endif

static tsr_status check_layer(tsr_ctx *ctx, const char *op, const tsr__layer_norm *l, tsr__rows *rows,
                              tsr__norm_params *params) {
  const tsr_tensor *const x = l->x;
  int axis = l->axis;
  tsr_status st = tsr__norm_check(ctx, op, x, l->eps);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axis", axis, x->ndim, &axis);
  if (st == TSR_OK) st = tsr__norm_check_param(ctx, op, "scale", l->scale, x->ndim - axis, x->shape + axis);
  if (st == TSR_OK) st = tsr__norm_check_param(ctx, op, "bias", l->bias, x->ndim - axis, x->shape + axis);
  if (st != TSR_OK) return st;
  *rows = (tsr__rows){.x = x, .run = layer_row};
  for (int i = 0; i < x->ndim; i++) tsr__rows_add(rows, i >= axis, i, x->shape[i], 1);
  *params = (tsr__norm_params){.compute = tsr__compute_of(x->dtype), .count = 2, .tensor = {l->scale, l->bias}};
#if TSR__NORM_HAS_COLUMNS
  use_columns(rows, params->compute);
#endif
  return TSR_OK;
}

tsr_status tsr__layer_norm_call(tsr__call *call, const tsr__layer_norm *l, const tsr__norm_layer *table) {
  const tsr__result result = tsr__result_like(l->x);
  tsr__rows rows;
  tsr__rows_plan plan;
  tsr__norm_params params;
  tsr_status st = check_layer(call->ctx, call->op, l, &rows, &params);
  if (st == TSR_OK) st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__norm_take(call, &params);
  if (st == TSR_OK) st = tsr__rows_prepare(call, &rows, &plan);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  const layer_rows r = {table[params.compute], tsr__rows_length(&rows), params.data[0], params.data[1], l->eps};
  rows.arg = &r;
  tsr__norm_bring(call->ctx, &params);
  tsr__rows_run(&plan);
  return TSR_OK;
}
