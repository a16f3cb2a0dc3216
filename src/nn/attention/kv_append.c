/* Appending rows to a cache: a copy into a part of it. */
#include "core/normalise.h"
#include "nn/attention/ops.h"
#include "ops/copy/copy.h"

static tsr_status check_append(tsr_ctx *ctx, const char *op, const tsr_tensor *rows, tsr_index position,
                               const tsr_tensor *cache) {
  const int axis = cache->ndim - 2;
  if (rows->dtype != cache->dtype)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "rows", "is %t, cache is %t: they have one dtype", rows, cache);
  if (axis < 0 || rows->ndim != cache->ndim)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "rows", "is %t, cache is %t: [...,T,D] goes into [...,S,D]", rows, cache);
  for (int i = 0; i < cache->ndim; i++)
    if (i != axis && rows->shape[i] != cache->shape[i])
      return TSR__FAIL(ctx, TSR_ESHAPE, op, "rows", "is %t, cache is %t: axis %d is %l against %l", rows, cache, i,
                       (int64_t)rows->shape[i], (int64_t)cache->shape[i]);
  const tsr_index all = cache->shape[axis], more = rows->shape[axis];
  if (position < 0 || more > all || position > all - more)
    return TSR__FAIL(ctx, TSR_EINDEX, op, "position", "is %l: %l rows from there on are not in the %l of cache %t",
                     (int64_t)position, (int64_t)more, (int64_t)all, cache);
  return TSR_OK;
}

/* The cache is there before the call: the frame would make one. */
static tsr_status check_there(tsr_ctx *ctx, const char *op, const tsr_tensor *cache) {
  return cache != NULL && cache->data != NULL ? TSR_OK : tsr__check_given(ctx, op, "cache", cache);
}

static tsr_status kv_append(tsr__call *call) {
  const tsr__kv_append_attrs *const attrs = call->attrs;
  const tsr_tensor *const rows = call->in[0], *const cache = call->out[0];
  tsr_status st = check_there(call->ctx, call->op, cache);
  if (st != TSR_OK) return st;
  const tsr__result result = {cache->dtype, cache->layout, cache->ndim, cache->shape, NULL};
  st = tsr__call_output(call, 0, &result);
  if (st == TSR_OK) st = check_append(call->ctx, call->op, rows, attrs->position, cache);
  if (st != TSR_OK) return st;
  const int axis = cache->ndim - 2;
  const bool none = tsr__has_no_elements(rows);
  const tsr_tensor part = tsr__part(cache, axis, attrs->position, rows->shape[axis]);
  if (!none && tsr__overlap(rows, &part))
    return TSR__FAIL(call->ctx, TSR_EOVERLAP, call->op, "cache", "%t overlaps rows %t", cache, rows);
  st = tsr__call_outputs(call);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st == TSR_OK && !none) tsr__copy_no_alias(call->ctx, rows, &part);
  return st;
}

TSR__OP(kv_append, kv_append, 0)
tsr_status tsr_kv_append(tsr_ctx *ctx, const tsr_tensor *rows, tsr_index position, tsr_tensor *cache) {
  return TSR__CALL(kv_append, ctx, TSR__INPUTS(rows), TSR__OUTPUTS(cache), .position = position);
}
