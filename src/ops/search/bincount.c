/* tsr_bincount: how often each of 0, 1, 2 … occurs, or what weighs each. */
#include "ops/copy/copy.h"
#include "ops/search/blocks.h"
#include "ops/sort/lines.h"
#include "ops/sort/ops.h"

#define REAL_DTYPE (TSR_REAL_BITS == 64 ? TSR_F64 : TSR_F32)

/* ---- the least and the greatest number ---- */

typedef struct span {
  int64_t low, high;
} span;

/* One for each worker, in temporary memory. */
static void widen_span(void *arg, tsr_index n, const void *values, int worker) {
  span *const s = (span *)arg + worker;
  const int64_t *const v = values;
  int64_t low = s->low, high = s->high;
  for (tsr_index i = 0; i < n; i++) {
    low = v[i] < low ? v[i] : low;
    high = v[i] > high ? v[i] : high;
  }
  *s = (span){low, high};
}

static span find_span(const tsr_ctx *ctx, const tsr_tensor *x, int workers, span *spans) {
  for (int i = 0; i < workers; i++) spans[i] = (span){INT64_MAX, -1};
  tsr__values_run(ctx, x, TSR_I64, workers, widen_span, spans);
  span found = spans[0];
  for (int i = 1; i < workers; i++) {
    if (spans[i].low < found.low) found.low = spans[i].low;
    if (spans[i].high > found.high) found.high = spans[i].high;
  }
  return found;
}

/* How long the result is. */
static tsr_status find_length(tsr__call *call, const span *s, tsr_index *length) {
  const tsr__bincount_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0];
  if (tsr_size(x) > 0 && s->low < 0 && x->dtype == TSR_U64)
    return TSR__FAIL(call->ctx, TSR_EINDEX, call->op, "x", "%t holds a number beyond i64", x);
  if (tsr_size(x) > 0 && s->low < 0)
    return TSR__FAIL(call->ctx, TSR_EINDEX, call->op, "x", "%t holds %l; what is counted is not negative", x, s->low);
  if (s->high >= TSR_INDEX_MAX || s->high >= (int64_t)UINT32_MAX)
    return TSR__FAIL(call->ctx, TSR_ERANGE, call->op, "x", "%t holds %l: too many bins", x, s->high);
  *length = (tsr_index)s->high + 1 > attrs->minlength ? (tsr_index)s->high + 1 : attrs->minlength;
  return TSR_OK;
}

/* ---- counts ---- */

static void count_block(void *arg, tsr_index n, const void *values, int worker) {
  uint32_t bins[TSR__BLOCK_VALUES];
  for (tsr_index i = 0; i < n; i++) bins[i] = (uint32_t)((const int64_t *)values)[i];
  tsr__tables_count(arg, n, bins, worker);
}

static tsr_status count_all(tsr__call *call, tsr_index bins) {
  tsr__tables tables;
  if (bins == 0) return TSR_OK;
  const tsr_status st = tsr__tables_new(call, call->in[0], (size_t)bins, &tables);
  if (st != TSR_OK) return st;
  tsr__tables_clear(&tables);
  tsr__values_run(call->ctx, call->in[0], TSR_I64, tables.workers, count_block, &tables);
  tsr__tables_store(&tables, call->out[0]);
  return TSR_OK;
}

/* ---- weights: added in row-major order on one thread, so that the sums are the same everywhere ---- */

static tsr_status add_weights(tsr__call *call, tsr_index bins) {
  const tsr_tensor *const x = call->in[0], *const weights = call->in[1], *const out = call->out[0];
  tsr_tensor numbers, weighed;
  void *memory;
  size_t bytes;
  if (!tsr__mul_size((size_t)bins, sizeof(tsr_real), &bytes) || bytes > PTRDIFF_MAX)
    return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, NULL, "%l bins do not fit the address space", (int64_t)bins);
  tsr_status st = tsr__call_scratch(call, bytes, &memory);
  if (st == TSR_OK) st = tsr__call_copy_as(call, x, TSR_I64, &numbers);
  if (st == TSR_OK) st = tsr__call_copy_as(call, weights, REAL_DTYPE, &weighed);
  if (st != TSR_OK) return st;
  tsr_real *const sum = memory;
  const tsr_index n = tsr_size(x);
  tsr__copy_no_alias(call->ctx, x, &numbers);
  tsr__copy_no_alias(call->ctx, weights, &weighed);
  for (tsr_index i = 0; i < bins; i++) sum[i] = 0;
  for (tsr_index i = 0; i < n; i++) sum[((int64_t *)numbers.data)[i]] += ((tsr_real *)weighed.data)[i];
  for (tsr_index i = 0; i < bins; i++) ((tsr_real *)out->data)[i * out->stride[0]] = sum[i];
  return TSR_OK;
}

/* ---- the call ---- */

static tsr_status check_bincount(const tsr__call *call) {
  const tsr__bincount_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[0], *const weights = call->in[1];
  tsr_status st = tsr__check_real(call, 0);
  if (st == TSR_OK && weights != NULL) st = tsr__check_real(call, 1);
  if (st != TSR_OK) return st;
  if (tsr_dtype_describe(x->dtype)->class_ == TSR_CLASS_FLOAT)
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "x", "is %t; what is counted is integers", x);
  if (weights != NULL && !tsr_same_shape(x, weights))
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "weights", "is %t and x is %t: the shapes differ", weights, x);
  if (attrs->minlength < 0)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "minlength", "is %l", (int64_t)attrs->minlength);
  return TSR_OK;
}

static tsr_status bincount(tsr__call *call) {
  const tsr_tensor *const x = call->in[0];
  const bool weighed = call->in[1] != NULL;
  const int workers = tsr__values_workers(call->ctx, x);
  tsr_index length = 0;
  void *spans;
  tsr_status st = check_bincount(call);
  if (st == TSR_OK) st = tsr__call_outputs(call);
  if (st == TSR_OK) st = tsr__call_scratch(call, sizeof(span) * (size_t)workers, &spans);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  const span found = find_span(call->ctx, x, workers, spans);
  st = find_length(call, &found, &length);
  if (st != TSR_OK) return st;
  const tsr__result result = {weighed ? REAL_DTYPE : TSR__INDEX_DTYPE, TSR_PLAIN, 1, &length, NULL};
  st = tsr__call_result(call, &result);
  if (st != TSR_OK) return st;
  return weighed ? add_weights(call, length) : count_all(call, length);
}

TSR__OP(bincount, bincount, TSR__OP_DATA_SIZED)
tsr_status tsr_bincount(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *weights, tsr_index minlength,
                        tsr_tensor *out) {
  return TSR__CALL(bincount, ctx, TSR__INPUTS(x, weights), TSR__OUTPUTS(out), .minlength = minlength);
}
