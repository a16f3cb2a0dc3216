/* C arrays in and out, in any order. */
#include "core/normalise.h"
#include "core/check.h"
#include "core/order.h"
#include "core/tensor.h"
#include "ops/copy/copy.h"

#include <tessera/ops.h>

static tsr_status check_count(tsr_ctx *ctx, const char *op, tsr_index count, const tsr_tensor *t) {
  if (count == tsr_size(t)) return TSR_OK;
  return TSR__FAIL(ctx, TSR_ESHAPE, op, "count", "%l is not the %l elements of %t", (int64_t)count,
                   (int64_t)tsr_size(t), t);
}

/* The array as a row-major tensor with the axes of a view in order. */
static tsr_status array_like(tsr_ctx *ctx, const char *op, const tsr_tensor *ordered, const void *values,
                             tsr_tensor *array) {
  tsr__describe(ordered->dtype, ordered->ndim, ordered->shape, array);
  tsr__strides_for(array->ndim, array->shape, TSR_ROW_MAJOR, array->stride);
  array->data = (void *)(uintptr_t)values;
  if (values == NULL && tsr_size(array) > 0) return TSR__FAIL(ctx, TSR_EARG, op, "values", "is NULL");
  return tsr__check_given(ctx, op, "values", array);
}

tsr_status tsr_from_array(tsr_ctx *ctx, const void *values, tsr_index count, int dtype, int ndim,
                          const tsr_index *shape, tsr_order order, tsr_tensor *out) {
  static const char op[] = "from_array";
  tsr_tensor want, array;
  tsr_status st = tsr__check_desc(ctx, op, dtype, ndim, shape);
  if (st == TSR_OK) st = tsr__check_order(ctx, op, order);
  if (st != TSR_OK) return st;
  tsr__describe(dtype, ndim, shape, &want);
  st = check_count(ctx, op, count, &want);
  if (st == TSR_OK) st = array_like(ctx, op, &want, values, &array); /* before the output: it can fail */
  const tsr__result result = {dtype, TSR_PLAIN, ndim, shape, NULL};
  if (st == TSR_OK) st = tsr__output(ctx, op, &result, out);
  if (st != TSR_OK) return st;
  const tsr_tensor ordered = tsr__in_order(out, order, NULL);
  st = array_like(ctx, op, &ordered, values, &array);
  return st == TSR_OK ? tsr__copy_host(ctx, op, &array, &ordered) : st;
}

tsr_status tsr_to_array(tsr_ctx *ctx, const tsr_tensor *in, tsr_order order, tsr_index count, void *values) {
  TSR__NORMALISE_ALL(in);
  static const char op[] = "to_array";
  tsr_status st = tsr__check_input(ctx, op, "in", in);
  if (st == TSR_OK) st = tsr__check_order(ctx, op, order);
  if (st == TSR_OK) st = check_count(ctx, op, count, in);
  if (st != TSR_OK) return st;
  const tsr_tensor ordered = tsr__in_order(in, order, NULL);
  tsr_tensor array;
  st = tsr__check_desc(ctx, op, in->dtype, in->ndim, in->shape);
  if (st == TSR_OK) st = array_like(ctx, op, &ordered, values, &array);
  return st == TSR_OK ? tsr__copy_host(ctx, op, &ordered, &array) : st;
}
