/* Group norm, and instance norm: groups of one channel. */
#include "nn/norm/norm.h"
#include "ops/promote.h"

typedef struct call {
  tsr__norm_runs *kernel;
  tsr_index       groups, channels; /* of a sample; of a group */
  tsr_index       n;                /* elements of a channel */
  ptrdiff_t       item;
  const char     *scale, *bias;
  tsr_real        eps;
} call;

static void run_row(const void *arg, tsr_index number, const void *x, void *out) {
  const call *const c = arg;
  const ptrdiff_t   first = (ptrdiff_t)(number % c->groups * c->channels) * c->item;
  c->kernel(c->channels, c->n, x, c->scale != NULL ? c->scale + first : NULL,
            c->bias != NULL ? c->bias + first : NULL, c->eps, out);
}

/* Rows: (N, G) of (C / G, the other axes), channels first whatever the layout. */
static void rows_of(const tsr__group_norm *g, int channel, tsr_index groups, tsr__rows *rows) {
  const tsr_tensor *const x = g->x;
  const tsr_index         channels = x->shape[channel] / groups;
  *rows = (tsr__rows){.op = g->op, .x = x, .run = run_row};
  tsr__rows_add(rows, false, 0, x->shape[0], 1);
  tsr__rows_add(rows, false, channel, groups, channels);
  tsr__rows_add(rows, true, channel, channels, 1);
  for (int i = 1; i < x->ndim; i++)
    if (i != channel) tsr__rows_add(rows, true, i, x->shape[i], 1);
}

static tsr_status begin(tsr_ctx *ctx, const tsr__group_norm *g, tsr_index *groups, tsr__rows *rows,
                        tsr__norm_params *params) {
  int        channel = 0;
  tsr_status st = tsr__norm_check(ctx, g->op, g->x, g->eps);
  if (st == TSR_OK) st = tsr__nn_channel_axis(ctx, g->op, g->x, &channel);
  if (st != TSR_OK) return st;
  const tsr_index *const channels = &g->x->shape[channel];
  *groups = g->groups > 0 ? g->groups : *channels > 0 ? *channels : 1;
  if (g->groups < 0 || *channels % *groups != 0)
    return TSR__FAIL(ctx, TSR_EARG, g->op, "groups", "is %d, which does not divide the %l channels of %t", g->groups,
                     (int64_t)*channels, g->x);
  st = tsr__norm_check_param(ctx, g->op, "scale", g->scale, 1, channels);
  if (st == TSR_OK) st = tsr__norm_check_param(ctx, g->op, "bias", g->bias, 1, channels);
  if (st != TSR_OK) return st;
  rows_of(g, channel, *groups, rows);
  *params = (tsr__norm_params){0};
  tsr__norm_param(params, g->scale);
  tsr__norm_param(params, g->bias);
  return TSR_OK;
}

tsr_status tsr__group_norm_run(tsr_ctx *ctx, const tsr__group_norm *g, tsr_tensor *out) {
  tsr__rows        rows;
  tsr__norm_params params;
  tsr_index        groups = 1;
  tsr_status       st = begin(ctx, g, &groups, &rows, &params);
  if (st != TSR_OK) return st;
  const int compute = tsr__compute_of(g->x->dtype);
  st = tsr__norm_fix(ctx, g->op, compute, out, &params);
  if (st != TSR_OK) return st;
  const tsr_index length = tsr__rows_length(&rows), channels = rows.axes[2].length;
  const call      c = {.kernel = g->table[compute],
                       .groups = groups,
                       .channels = channels,
                       .n = channels > 0 ? length / channels : 0,
                       .item = (ptrdiff_t)tsr_dtype_size(compute),
                       .scale = params.data[0],
                       .bias = params.data[1],
                       .eps = g->eps};
  rows.arg = &c;
  st = tsr__rows_run(ctx, &rows, out);
  tsr__scratch_put(&params.scratch);
  return st;
}

tsr_status tsr__group_norm_workspace(tsr_ctx *ctx, const tsr__group_norm *g, size_t *bytes) {
  tsr__rows        rows;
  tsr__norm_params params;
  tsr_index        groups = 1;
  const tsr_status st = begin(ctx, g, &groups, &rows, &params);
  if (st != TSR_OK) return st;
  if (bytes == NULL) return TSR__FAIL(ctx, TSR_EARG, g->op, "bytes", "is NULL");
  *bytes = tsr__rows_workspace(ctx, &rows) + tsr__norm_params_workspace(tsr__compute_of(g->x->dtype), &params);
  return TSR_OK;
}
