/* Appending rows to a cache: a copy into a part of it. */
#include "core/operand.h"
#include "ops/copy/copy.h"

#include <tessera/kv_cache.h>

static const char op[] = "kv_append";

static tsr_status check_cache(tsr_ctx *ctx, const tsr_tensor *cache) {
  const tsr_status st = tsr__check_input(ctx, op, "cache", cache);
  if (st != TSR_OK) return st;
  if ((cache->flags & TSR_READONLY) != 0) return TSR__FAIL(ctx, TSR_EREADONLY, op, "cache", "%t is read-only", cache);
  if (tsr__self_overlaps(cache))
    return TSR__FAIL(ctx, TSR_EOVERLAP, op, "cache", "%t: its strides %S put two indices on one address", cache,
                     (int)cache->ndim, cache->stride);
  return TSR_OK;
}

static tsr_status check_shapes(tsr_ctx *ctx, const tsr_tensor *rows, tsr_index position, const tsr_tensor *cache) {
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

tsr_status tsr_kv_append(tsr_ctx *ctx, const tsr_tensor *rows, tsr_index position, tsr_tensor *cache) {
  TSR__OPERANDS(rows, cache);
  tsr_status st = tsr__check_input(ctx, op, "rows", rows);
  if (st == TSR_OK) st = check_cache(ctx, cache);
  if (st == TSR_OK) st = check_shapes(ctx, rows, position, cache);
  if (st != TSR_OK || tsr_size(rows) == 0) return st;
  const int        axis = cache->ndim - 2;
  const tsr_tensor part = tsr__part(cache, axis, position, rows->shape[axis]);
  if (tsr__overlap(rows, &part))
    return TSR__FAIL(ctx, TSR_EOVERLAP, op, "cache", "%t overlaps rows %t", cache, rows);
  tsr__copy_apart(ctx, rows, &part);
  return TSR_OK;
}
