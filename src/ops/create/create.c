/* Tensors that are all one value, or none yet. */
#include "core/operand.h"
#include "core/check.h"
#include "core/tensor.h"
#include "ops/cast/convert.h"
#include "ops/copy/copy.h"

#include <tessera/ops.h>

/* What a function that is given a shape will write; the layout is the output's own. */
static tsr__result result_of(int dtype, int ndim, const tsr_index *shape) {
  return (tsr__result){dtype, TSR_PLAIN, ndim, shape, NULL};
}

/* What a function that is given a tensor to resemble will write. */
static tsr_status result_like(tsr_ctx *ctx, const char *op, const tsr_tensor *like, tsr__result *result) {
  if (like == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "like", "is NULL");
  if (like->dtype == TSR_NONE) return TSR__FAIL(ctx, TSR_ESTATE, op, "like", "is empty");
  *result = (tsr__result){like->dtype, like->layout, like->ndim, like->shape, like};
  return TSR_OK;
}

/* The output, with the bytes at pattern (NULL: as they are) in every element. */
static tsr_status create(tsr_ctx *ctx, const char *op, const tsr__result *result, const void *pattern, tsr_tensor *out) {
  const tsr_status st = tsr__output(ctx, op, result, out);
  if (st == TSR_OK && pattern != NULL) tsr__fill_host(ctx, out, pattern);
  return st;
}

static const unsigned char zero_pattern[16];

tsr_status tsr_empty(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  const tsr__result result = result_of(dtype, ndim, shape);
  return create(ctx, "empty", &result, NULL, out);
}

tsr_status tsr_zeros(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  const tsr__result result = result_of(dtype, ndim, shape);
  return create(ctx, "zeros", &result, zero_pattern, out);
}

tsr_status tsr_zeros_ordered(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_order order,
                             tsr_tensor *out) {
  static const char op[] = "zeros_ordered";
  tsr_tensor described;
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (!tsr_is_empty(out)) return TSR__FAIL(ctx, TSR_ESTATE, op, "out", "is %t: it has an order of its own", out);
  tsr_status st = tsr__desc_ordered(ctx, op, dtype, ndim, shape, order, &described);
  if (st == TSR_OK) st = tsr__allocate(ctx, op, NULL, TSR_HINT_DEFAULT, &described);
  if (st != TSR_OK) return st;
  tsr__fill_host(ctx, &described, zero_pattern);
  *out = described;
  return TSR_OK;
}

tsr_status tsr_ones(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_tensor *out) {
  unsigned char one[16];
  const tsr__result result = result_of(dtype, ndim, shape);
  const tsr_status st = tsr__scalar_from_i64(ctx, "ones", "value", dtype, 1, one);
  return st == TSR_OK ? create(ctx, "ones", &result, one, out) : st;
}

tsr_status tsr_full(tsr_ctx *ctx, int dtype, int ndim, const tsr_index *shape, tsr_real value, tsr_tensor *out) {
  unsigned char element[16];
  const tsr__result result = result_of(dtype, ndim, shape);
  const tsr_status st = tsr__scalar_from_real(ctx, "full", "value", dtype, value, element);
  return st == TSR_OK ? create(ctx, "full", &result, element, out) : st;
}

tsr_status tsr_empty_like(tsr_ctx *ctx, const tsr_tensor *like, tsr_tensor *out) {
  TSR__OPERANDS(like);
  static const char op[] = "empty_like";
  tsr__result result;
  const tsr_status st = result_like(ctx, op, like, &result);
  return st == TSR_OK ? create(ctx, op, &result, NULL, out) : st;
}

tsr_status tsr_zeros_like(tsr_ctx *ctx, const tsr_tensor *like, tsr_tensor *out) {
  TSR__OPERANDS(like);
  static const char op[] = "zeros_like";
  tsr__result result;
  const tsr_status st = result_like(ctx, op, like, &result);
  return st == TSR_OK ? create(ctx, op, &result, zero_pattern, out) : st;
}

tsr_status tsr_ones_like(tsr_ctx *ctx, const tsr_tensor *like, tsr_tensor *out) {
  TSR__OPERANDS(like);
  static const char op[] = "ones_like";
  unsigned char one[16];
  tsr__result result;
  tsr_status st = result_like(ctx, op, like, &result);
  if (st == TSR_OK) st = tsr__scalar_from_i64(ctx, op, "value", like->dtype, 1, one);
  return st == TSR_OK ? create(ctx, op, &result, one, out) : st;
}

tsr_status tsr_full_like(tsr_ctx *ctx, const tsr_tensor *like, tsr_real value, tsr_tensor *out) {
  TSR__OPERANDS(like);
  static const char op[] = "full_like";
  unsigned char element[16];
  tsr__result result;
  tsr_status st = result_like(ctx, op, like, &result);
  if (st == TSR_OK) st = tsr__scalar_from_real(ctx, op, "value", like->dtype, value, element);
  return st == TSR_OK ? create(ctx, op, &result, element, out) : st;
}
