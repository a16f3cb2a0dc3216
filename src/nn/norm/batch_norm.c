#include "nn/norm/norm.h"
#include "nn/norm/ops.h"
#include "ops/promote.h"

static const tsr__norm_affine *const *const tables[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__batch_norm);

typedef struct batch_rows {
  const tsr__norm_affine *kernel;
  tsr_index n, channels;
  ptrdiff_t item;
  const char *mean, *factor, *bias; /* [C] */
} batch_rows;

/* A row of one channel. */
static void batch_channel(const void *arg, tsr_index number, const void *x, void *out) {
  const batch_rows *const c = arg;
  const ptrdiff_t at = (ptrdiff_t)(number % c->channels) * c->item;
  c->kernel->row(c->n, x, c->mean + at, c->factor + at, c->bias + at, out);
}

/* A row of all channels. */
static void batch_channels(const void *arg, tsr_index number, const void *x, void *out) {
  const batch_rows *const c = arg;
  (void)number;
  c->kernel->each(c->n, x, c->mean, c->factor, c->bias, out);
}

typedef struct arguments {
  const tsr_tensor *x, *scale, *bias, *mean, *variance;
  tsr_real eps;
} arguments;

static const char *const names[] = {"x", "mean", "variance", "scale", "bias"};

static tsr_status check_batch(tsr_ctx *ctx, const char *op, const arguments *a, int *channel) {
  const tsr_tensor *const tensors[] = {a->mean, a->variance, a->scale, a->bias};
  tsr_status st = tsr__norm_check(ctx, op, a->x, a->eps);
  if (st == TSR_OK) st = tsr__nn_channel_axis(ctx, op, a->x, channel);
  for (int i = 0; i < 4 && st == TSR_OK; i++)
    st = tsr__norm_check_param(ctx, op, names[i + 1], tensors[i], 1, &a->x->shape[*channel]);
  return st;
}

/* Rows of all channels where these are neighbours in memory, else rows of one channel. */
static bool channels_inside(const tsr_tensor *x, int channel) {
  const tsr_index step = x->stride[channel] < 0 ? -x->stride[channel] : x->stride[channel];
  for (int i = 0; i < x->ndim; i++) {
    const tsr_index other = x->stride[i] < 0 ? -x->stride[i] : x->stride[i];
    if (i != channel && x->shape[i] > 1 && other < step) return false;
  }
  return x->shape[channel] > 1;
}

static void rows_of(const arguments *a, int channel, tsr__rows *rows) {
  const tsr_tensor *const x = a->x;
  const bool inside = channels_inside(x, channel);
  *rows = (tsr__rows){.x = x, .run = inside ? batch_channels : batch_channel};
  for (int i = 0; i < x->ndim; i++)
    if (i != channel && (inside || i == 0)) tsr__rows_add(rows, false, i, x->shape[i], 1);
  tsr__rows_add(rows, inside, channel, x->shape[channel], 1);
  for (int i = 1; i < x->ndim && !inside; i++)
    if (i != channel) tsr__rows_add(rows, true, i, x->shape[i], 1);
}

/* Temporary memory for factor and bias of every channel. */
static size_t table_row(const tsr_tensor *x, int channel) {
  return tsr__align_up((size_t)x->shape[channel] * tsr_dtype_size(tsr__compute_of(x->dtype)), TSR_DATA_ALIGN);
}

static tsr__norm_params params_of(const arguments *a) {
  return (tsr__norm_params){
      .compute = tsr__compute_of(a->x->dtype), .count = 4, .tensor = {a->scale, a->bias, a->mean, a->variance}};
}

/* Fills the tables, with the params where they can be read. */
static batch_rows rows_with(const tsr_ctx *ctx, const arguments *a, int channel, const tsr__norm_params *params,
                            char *table) {
  const tsr_index channels = a->x->shape[channel];
  char *const bias = table + table_row(a->x, channel);
  batch_rows c = {.kernel = tables[tsr__isa_of(ctx)][params->compute], .channels = channels};
  c.kernel->factors(channels, params->data[0], params->data[1], params->data[3], a->eps, table, bias);
  c.mean = params->data[2];
  c.factor = table;
  c.bias = bias;
  c.item = (ptrdiff_t)tsr_dtype_size(params->compute);
  return c;
}

static tsr_status batch_norm(tsr__call *call) {
  const tsr__batch_norm_attrs *const attrs = call->attrs;
  const arguments a = {call->in[0], call->in[1], call->in[2], call->in[3], call->in[4], attrs->eps};
  const tsr__result result = tsr__result_like(a.x);
  tsr__norm_params params = params_of(&a);
  tsr__rows rows;
  tsr__rows_plan plan;
  void *table;
  int channel = 0;
  tsr_status st = check_batch(call->ctx, call->op, &a, &channel);
  if (st != TSR_OK) return st;
  rows_of(&a, channel, &rows);
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__norm_take(call, &params);
  if (st == TSR_OK) st = tsr__call_scratch(call, 2 * table_row(a.x, channel), &table);
  if (st == TSR_OK) st = tsr__rows_prepare(call, &rows, &plan);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  tsr__norm_bring(call->ctx, &params);
  batch_rows c = rows_with(call->ctx, &a, channel, &params, table);
  c.n = tsr__rows_length(&rows);
  rows.arg = &c;
  tsr__rows_run(&plan);
  return TSR_OK;
}

TSR__OP(batch_norm, batch_norm, 0)
tsr_status tsr_batch_norm(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale, const tsr_tensor *bias,
                          const tsr_tensor *mean, const tsr_tensor *variance, tsr_real eps, tsr_tensor *out) {
  return TSR__CALL(batch_norm, ctx, TSR__INPUTS(x, scale, bias, mean, variance), TSR__OUTPUTS(out), .eps = eps);
}
