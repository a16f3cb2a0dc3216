/* Group norm, and instance norm: groups of one channel. */
#include "nn/norm/norm.h"
#include "ops/promote.h"

typedef struct group_rows {
  tsr__norm_runs *kernel;
  tsr_index groups, channels; /* of a sample; of a group */
  tsr_index n;                /* elements of a channel */
  ptrdiff_t item;
  const char *scale, *bias;
  tsr_real eps;
} group_rows;

static void group_row(const void *arg, tsr_index number, const void *x, void *out) {
  const group_rows *const c = arg;
  const ptrdiff_t first = (ptrdiff_t)(number % c->groups * c->channels) * c->item;
  c->kernel(c->channels, c->n, x, c->scale != NULL ? c->scale + first : NULL, c->bias != NULL ? c->bias + first : NULL,
            c->eps, out);
}

/* Rows: (N, G) of (C / G, the other axes), channels first whatever the layout. */
static void rows_of(const tsr__group_norm *g, int channel, tsr_index groups, tsr__rows *rows) {
  const tsr_tensor *const x = g->x;
  const tsr_index channels = x->shape[channel] / groups;
  *rows = (tsr__rows){.x = x, .run = group_row};
  tsr__rows_add(rows, false, 0, x->shape[0], 1);
  tsr__rows_add(rows, false, channel, groups, channels);
  tsr__rows_add(rows, true, channel, channels, 1);
  for (int i = 1; i < x->ndim; i++)
    if (i != channel) tsr__rows_add(rows, true, i, x->shape[i], 1);
}

static tsr_status check_group(tsr_ctx *ctx, const char *op, const tsr__group_norm *g, tsr__rows *rows,
                              tsr__norm_params *params) {
  int channel = 0;
  tsr_status st = tsr__norm_check(ctx, op, g->x, g->eps);
  if (st == TSR_OK) st = tsr__nn_channel_axis(ctx, op, g->x, &channel);
  if (st != TSR_OK) return st;
  const tsr_index *const channels = &g->x->shape[channel];
  const tsr_index groups = g->groups > 0 ? g->groups : *channels > 0 ? *channels : 1;
  if (g->groups < 0 || *channels % groups != 0)
    return TSR__FAIL(ctx, TSR_EARG, op, "groups", "is %d, which does not divide the %l channels of %t", g->groups,
                     (int64_t)*channels, g->x);
  st = tsr__norm_check_param(ctx, op, "scale", g->scale, 1, channels);
  if (st == TSR_OK) st = tsr__norm_check_param(ctx, op, "bias", g->bias, 1, channels);
  if (st != TSR_OK) return st;
  rows_of(g, channel, groups, rows);
  *params = (tsr__norm_params){.compute = tsr__compute_of(g->x->dtype), .count = 2, .tensor = {g->scale, g->bias}};
  return TSR_OK;
}

tsr_status tsr__group_norm_call(tsr__call *call, const tsr__group_norm *g) {
  const tsr__result result = tsr__result_like(g->x);
  tsr__rows rows;
  tsr__rows_plan plan;
  tsr__norm_params params;
  tsr_status st = check_group(call->ctx, call->op, g, &rows, &params);
  if (st == TSR_OK) st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__norm_take(call, &params);
  if (st == TSR_OK) st = tsr__rows_prepare(call, &rows, &plan);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  const tsr_index length = tsr__rows_length(&rows), channels = rows.axes[2].length;
  const group_rows c = {.kernel = g->table[params.compute],
                        .groups = rows.axes[1].length,
                        .channels = channels,
                        .n = channels > 0 ? length / channels : 0,
                        .item = (ptrdiff_t)tsr_dtype_size(params.compute),
                        .scale = params.data[0],
                        .bias = params.data[1],
                        .eps = g->eps};
  rows.arg = &c;
  tsr__norm_bring(call->ctx, &params);
  tsr__rows_run(&plan);
  return TSR_OK;
}
