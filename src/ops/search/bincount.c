/* tsr_bincount: how often each of 0, 1, 2 … occurs, or what weighs each. */
#include "core/operand.h"
#include "ops/copy/copy.h"
#include "ops/search/blocks.h"
#include "ops/sort/lines.h"

#include <tessera/sort.h>

#define REAL_DTYPE (TSR_REAL_BITS == 64 ? TSR_F64 : TSR_F32)

/* ---- the least and the greatest number ---- */

typedef struct span {
  int64_t low, high;
} span;

/* One for each worker, in temporary memory. */
static void widen_span(void *arg, tsr_index n, const void *values, int worker) {
  span *const          s = (span *)arg + worker;
  const int64_t *const v = values;
  int64_t              low = s->low, high = s->high;
  for (tsr_index i = 0; i < n; i++) {
    low = v[i] < low ? v[i] : low;
    high = v[i] > high ? v[i] : high;
  }
  *s = (span){low, high};
}

static tsr_status find_span(tsr_ctx *ctx, const char *op, const tsr_tensor *x, span *found) {
  const int        workers = tsr__values_workers(ctx, x);
  tsr__scratch     scratch;
  const tsr_status st = tsr__scratch_get(ctx, op, sizeof(span) * (size_t)workers, &scratch);
  if (st != TSR_OK) return st;
  span *const spans = scratch.data;
  for (int i = 0; i < workers; i++) spans[i] = (span){INT64_MAX, -1};
  tsr__values_run(ctx, x, TSR_I64, workers, widen_span, spans);
  *found = spans[0];
  for (int i = 1; i < workers; i++) {
    if (spans[i].low < found->low) found->low = spans[i].low;
    if (spans[i].high > found->high) found->high = spans[i].high;
  }
  tsr__scratch_put(&scratch);
  return TSR_OK;
}

/* How long the result is. */
static tsr_status find_length(tsr_ctx *ctx, const char *op, const tsr_tensor *x, tsr_index minlength,
                              tsr_index *length) {
  span             s;
  const tsr_status st = find_span(ctx, op, x, &s);
  if (st != TSR_OK) return st;
  if (tsr_size(x) > 0 && s.low < 0 && x->dtype == TSR_U64)
    return TSR__FAIL(ctx, TSR_EINDEX, op, "x", "%t holds a number beyond i64", x);
  if (tsr_size(x) > 0 && s.low < 0)
    return TSR__FAIL(ctx, TSR_EINDEX, op, "x", "%t holds %l; what is counted is not negative", x, s.low);
  if (s.high >= TSR_INDEX_MAX || s.high >= (int64_t)UINT32_MAX)
    return TSR__FAIL(ctx, TSR_ERANGE, op, "x", "%t holds %l: too many bins", x, s.high);
  *length = (tsr_index)s.high + 1 > minlength ? (tsr_index)s.high + 1 : minlength;
  return TSR_OK;
}

/* ---- counts ---- */

static void count_block(void *arg, tsr_index n, const void *values, int worker) {
  uint32_t bins[TSR__BLOCK_VALUES];
  for (tsr_index i = 0; i < n; i++) bins[i] = (uint32_t)((const int64_t *)values)[i];
  tsr__tables_count(arg, n, bins, worker);
}

static tsr_status run_counts(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr__result *result,
                             tsr_tensor *out) {
  tsr__tables  tables;
  tsr__scratch scratch;
  tsr_status   st = tsr__output(ctx, op, result, out);
  if (st != TSR_OK || result->shape[0] == 0) return st;
  st = tsr__tables_new(ctx, op, x, (size_t)result->shape[0], &tables, &scratch);
  if (st != TSR_OK) return st;
  tsr__values_run(ctx, x, TSR_I64, tables.workers, count_block, &tables);
  tsr__tables_store(&tables, out);
  tsr__scratch_put(&scratch);
  return TSR_OK;
}

/* ---- weights: added in row-major order on one thread, so that the sums are the same everywhere ---- */

static tsr_status converted(tsr_ctx *ctx, const char *op, const tsr_tensor *t, int dtype, tsr__scratch *scratch) {
  tsr_tensor copy = *t;
  size_t     bytes;
  if (!tsr__mul_size((size_t)tsr_size(t), tsr__item_sizes[dtype], &bytes) || bytes > PTRDIFF_MAX)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, NULL, "a copy of %t does not fit the address space", t);
  const tsr_status st = tsr__scratch_get(ctx, op, bytes, scratch);
  if (st != TSR_OK || bytes == 0) return st;
  copy.dtype = (uint8_t)dtype;
  copy.data = scratch->data;
  tsr__strides_for(copy.ndim, copy.shape, TSR_ROW_MAJOR, copy.stride);
  tsr__copy_apart(ctx, t, &copy);
  return TSR_OK;
}

static tsr_status run_weights(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_tensor *weights,
                              const tsr__result *result, tsr_tensor *out) {
  const tsr_index bins = result->shape[0], n = tsr_size(x);
  tsr__scratch    sums = {0}, numbers = {0}, weighed = {0};
  size_t          bytes;
  tsr_status      st = TSR_OK;
  if (!tsr__mul_size((size_t)bins, sizeof(tsr_real), &bytes) || bytes > PTRDIFF_MAX)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, NULL, "%l bins do not fit the address space", (int64_t)bins);
  st = tsr__output(ctx, op, result, out);
  if (st == TSR_OK) st = tsr__scratch_get(ctx, op, bytes, &sums);
  if (st == TSR_OK) st = converted(ctx, op, x, TSR_I64, &numbers);
  if (st == TSR_OK) st = converted(ctx, op, weights, REAL_DTYPE, &weighed);
  if (st == TSR_OK) {
    tsr_real *const sum = sums.data;
    for (tsr_index i = 0; i < bins; i++) sum[i] = 0;
    for (tsr_index i = 0; i < n; i++) sum[((int64_t *)numbers.data)[i]] += ((tsr_real *)weighed.data)[i];
    for (tsr_index i = 0; i < bins; i++) ((tsr_real *)out->data)[i * out->stride[0]] = sum[i];
  }
  tsr__scratch_put(&weighed);
  tsr__scratch_put(&numbers);
  tsr__scratch_put(&sums);
  return st;
}

/* ---- the call ---- */

static tsr_status check(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_tensor *weights,
                        tsr_index minlength, const tsr_tensor *out) {
  tsr_status st = tsr__lines_check(ctx, op, "x", x);
  if (st == TSR_OK && weights != NULL) st = tsr__lines_check(ctx, op, "weights", weights);
  if (st != TSR_OK) return st;
  const int kind = tsr_dtype_describe(x->dtype)->class_;
  if (kind == TSR_CLASS_FLOAT) return TSR__FAIL(ctx, TSR_EDTYPE, op, "x", "is %t; what is counted is integers", x);
  if (weights != NULL && !tsr_same_shape(x, weights))
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "weights", "is %t and x is %t: the shapes differ", weights, x);
  if (minlength < 0) return TSR__FAIL(ctx, TSR_EARG, op, "minlength", "is %l", (int64_t)minlength);
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  return TSR_OK;
}

tsr_status tsr_bincount(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *weights, tsr_index minlength,
                        tsr_tensor *out) {
  TSR__OPERANDS(x, weights, out);
  static const char op[] = "bincount";
  tsr_index         length;
  tsr_status        st = check(ctx, op, x, weights, minlength, out);
  if (st == TSR_OK) st = find_length(ctx, op, x, minlength, &length);
  if (st != TSR_OK) return st;
  const tsr__result result = {weights != NULL ? REAL_DTYPE : TSR__INDEX_DTYPE, TSR_PLAIN, 1, &length, NULL};
  st = tsr__output_check(ctx, op, &result, out);
  if (st != TSR_OK) return st;
  const tsr_tensor before = *out;
  st = weights != NULL ? run_weights(ctx, op, x, weights, &result, out) : run_counts(ctx, op, x, &result, out);
  if (st != TSR_OK) tsr__lines_undo(&before, out);
  return st;
}
