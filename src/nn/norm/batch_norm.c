#include "core/operand.h"
#include "nn/norm/norm.h"
#include "ops/promote.h"

#include <tessera/norm.h>

#define X(isa) tsr__batch_norm_##isa,
static const tsr__norm_affine *const *const tables[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X

typedef struct call {
  const tsr__norm_affine *kernel;
  tsr_index               n, channels;
  ptrdiff_t               item;
  const char             *mean, *factor, *bias; /* [C] */
} call;

/* A row of one channel. */
static void run_channel(const void *arg, tsr_index number, const void *x, void *out) {
  const call *const c = arg;
  const ptrdiff_t   at = (ptrdiff_t)(number % c->channels) * c->item;
  c->kernel->row(c->n, x, c->mean + at, c->factor + at, c->bias + at, out);
}

/* A row of all channels. */
static void run_channels(const void *arg, tsr_index number, const void *x, void *out) {
  const call *const c = arg;
  (void)number;
  c->kernel->each(c->n, x, c->mean, c->factor, c->bias, out);
}

typedef struct arguments {
  const char       *op;
  const tsr_tensor *x, *scale, *bias, *mean, *variance;
  tsr_real          eps;
} arguments;

static tsr_status check(tsr_ctx *ctx, const arguments *a, int *channel) {
  tsr_status st = tsr__norm_check(ctx, a->op, a->x, a->eps);
  if (st == TSR_OK) st = tsr__nn_channel_axis(ctx, a->op, a->x, channel);
  if (st != TSR_OK) return st;
  if (a->mean == NULL) return TSR__FAIL(ctx, TSR_EARG, a->op, "mean", "is NULL");
  if (a->variance == NULL) return TSR__FAIL(ctx, TSR_EARG, a->op, "variance", "is NULL");
  const tsr_tensor *const tensors[] = {a->scale, a->bias, a->mean, a->variance};
  static const char *const names[] = {"scale", "bias", "mean", "variance"};
  for (int i = 0; i < 4 && st == TSR_OK; i++)
    st = tsr__norm_check_param(ctx, a->op, names[i], tensors[i], 1, &a->x->shape[*channel]);
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
  const bool              inside = channels_inside(x, channel);
  *rows = (tsr__rows){.op = a->op, .x = x, .run = inside ? run_channels : run_channel};
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
  tsr__norm_params params = {0};
  tsr__norm_param(&params, a->scale);
  tsr__norm_param(&params, a->bias);
  tsr__norm_param(&params, a->mean);
  tsr__norm_param(&params, a->variance);
  return params;
}

static tsr_status run(tsr_ctx *ctx, const arguments *a, int channel, const tsr__norm_params *params, char *table,
                      tsr_tensor *out) {
  tsr__rows       rows;
  const int       compute = tsr__compute_of(a->x->dtype);
  const tsr_index channels = a->x->shape[channel];
  char *const     bias = table + table_row(a->x, channel);
  call            c = {.kernel = tables[tsr__isa_of(ctx)][compute], .channels = channels};
  c.kernel->factors(channels, params->data[0], params->data[1], params->data[3], a->eps, table, bias);
  c.mean = params->data[2];
  c.factor = table;
  c.bias = bias;
  c.item = (ptrdiff_t)tsr_dtype_size(compute);
  rows_of(a, channel, &rows);
  c.n = tsr__rows_length(&rows);
  rows.arg = &c;
  return tsr__rows_run(ctx, &rows, out);
}

tsr_status tsr_batch_norm(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale, const tsr_tensor *bias,
                          const tsr_tensor *mean, const tsr_tensor *variance, tsr_real eps, tsr_tensor *out) {
  TSR__OPERANDS(x, scale, bias, mean, variance, out);
  const arguments  a = {"batch_norm", x, scale, bias, mean, variance, eps};
  tsr__norm_params params;
  tsr__scratch     table = {0};
  int              channel = 0;
  tsr_status       st = check(ctx, &a, &channel);
  if (st != TSR_OK) return st;
  params = params_of(&a);
  st = tsr__norm_fix(ctx, a.op, tsr__compute_of(x->dtype), out, &params);
  if (st != TSR_OK) return st;
  st = tsr__scratch_get(ctx, a.op, 2 * table_row(x, channel), &table);
  if (st == TSR_OK) st = run(ctx, &a, channel, &params, table.data, out);
  tsr__scratch_put(&table);
  tsr__scratch_put(&params.scratch);
  return st;
}

tsr_status tsr_batch_norm_workspace_size(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *scale,
                                         const tsr_tensor *bias, const tsr_tensor *mean, const tsr_tensor *variance,
                                         tsr_real eps, size_t *bytes) {
  TSR__OPERANDS(x, scale, bias, mean, variance);
  const arguments  a = {"batch_norm_workspace_size", x, scale, bias, mean, variance, eps};
  int              channel = 0;
  tsr__rows        rows;
  const tsr_status st = check(ctx, &a, &channel);
  if (st != TSR_OK) return st;
  if (bytes == NULL) return TSR__FAIL(ctx, TSR_EARG, a.op, "bytes", "is NULL");
  const tsr__norm_params params = params_of(&a);
  rows_of(&a, channel, &rows);
  *bytes = tsr__rows_workspace(ctx, &rows) + tsr__norm_params_workspace(tsr__compute_of(x->dtype), &params) +
           2 * table_row(x, channel) + (TSR_DATA_ALIGN - 1);
  return TSR_OK;
}
