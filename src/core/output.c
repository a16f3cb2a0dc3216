/* Outputs: empty ones are allocated, described ones are allocated as described, given ones are checked. */
#include "core/check.h"
#include "core/tensor.h"

static tsr_status check_described(tsr_ctx *ctx, const char *op, const tsr_tensor *out) {
  tsr_tensor t = *out;
  tsr__default_strides(&t);
  if (tsr_is_contiguous(&t, TSR_MEMORY)) return TSR_OK;
  return TSR__FAIL(ctx, TSR_ESTRIDE, op, "out", "%t: its described strides %S leave gaps or overlap", out,
                   (int)out->ndim, out->stride);
}

static tsr_status check_writable(tsr_ctx *ctx, const char *op, const tsr_tensor *out) {
  const tsr_status st = tsr__check_input(ctx, op, "out", out);
  if (st != TSR_OK) return st;
  if ((out->flags & TSR_READONLY) != 0) return TSR__FAIL(ctx, TSR_EREADONLY, op, "out", "%t is read-only", out);
  if (tsr__self_overlaps(out))
    return TSR__FAIL(ctx, TSR_EOVERLAP, op, "out", "%t: its strides %S put two indices on one address", out,
                     (int)out->ndim, out->stride);
  return TSR_OK;
}

/* A view of the result's shape, for comparing and for messages. */
static tsr_tensor as_tensor(const tsr__result *result) {
  tsr_tensor t;
  tsr__describe(result->dtype, result->ndim, result->shape, &t);
  return t;
}

tsr_status tsr__output_check(tsr_ctx *ctx, const char *op, const tsr__result *result, const tsr_tensor *out) {
  if (out == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "out", "is NULL");
  if (tsr_is_empty(out)) return tsr__check_desc(ctx, op, result->dtype, result->ndim, result->shape);
  const tsr_tensor want = as_tensor(result);
  if (out->dtype != result->dtype)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, "out", "is %t, the result is %t", out, &want);
  if (!tsr_same_shape(out, &want)) return TSR__FAIL(ctx, TSR_ESHAPE, op, "out", "is %t, the result is %t", out, &want);
  if (out->data != NULL || tsr_size(out) == 0) return check_writable(ctx, op, out);
  const tsr_status st = tsr__check_desc(ctx, op, out->dtype, out->ndim, out->shape);
  return st == TSR_OK ? check_described(ctx, op, out) : st;
}

/* Strides of a fresh output: row-major, or the order of another tensor's axes in memory. */
static void choose_strides(const tsr_tensor *like, tsr_tensor *t) {
  int axes[TSR_MAX_DIMS];
  if (like == NULL || like->ndim != t->ndim) {
    tsr__strides_for(t->ndim, t->shape, TSR_ROW_MAJOR, t->stride);
    return;
  }
  tsr__axes_by_stride(like, axes);
  tsr__strides_permuted(t, axes);
}

static tsr_status allocate_fresh(tsr_ctx *ctx, const char *op, const tsr__result *result, tsr_tensor *out) {
  tsr_tensor fresh = as_tensor(result);
  choose_strides(result->like, &fresh);
  const tsr_status st = tsr__allocate(ctx, op, NULL, TSR_HINT_DEFAULT, &fresh);
  if (st != TSR_OK) return st;
  fresh.layout = (uint8_t)result->layout;
  *out = fresh;
  return TSR_OK;
}

tsr_status tsr__output(tsr_ctx *ctx, const char *op, const tsr__result *result, tsr_tensor *out) {
  const tsr_status st = tsr__output_check(ctx, op, result, out);
  if (st != TSR_OK) return st;
  if (tsr_is_empty(out)) return allocate_fresh(ctx, op, result, out);
  if (out->data != NULL || tsr_size(out) == 0) return TSR_OK;
  tsr_tensor ready = *out;
  tsr__default_strides(&ready);
  const tsr_status allocated = tsr__allocate(ctx, op, NULL, TSR_HINT_DEFAULT, &ready);
  if (allocated == TSR_OK) *out = ready;
  return allocated;
}
