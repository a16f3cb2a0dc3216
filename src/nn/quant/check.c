#include "nn/quant/quant.h"

static tsr_status check_scale(tsr_ctx *ctx, const char *op, const char *arg, float scale) {
  const tsr_real value = (tsr_real)scale;
  if (scale > 0 && scale - scale == 0) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EARG, op, arg, "has a scale of %r, which is not a finite number above 0", &value);
}

static tsr_status check_zero(tsr_ctx *ctx, const char *op, const char *arg, int dtype, int32_t zero) {
  if (dtype == TSR_I32 ? zero == 0 : tsr__quant_has(dtype, zero)) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EARG, op, arg, "has a zero point of %l, which is none of %y", (int64_t)zero, dtype);
}

tsr_status tsr__quant_check(tsr_ctx *ctx, const char *op, const char *arg, const tsr_quant *q, int allowed) {
  if (q == NULL) return TSR__FAIL(ctx, TSR_EARG, op, arg, "is NULL");
  if (q->dtype >= TSR_DTYPE_COUNT || (allowed & 1 << q->dtype) == 0)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, arg, "is for %y; it takes %s", (int)q->dtype,
                     allowed == TSR__Q_BYTES ? "i8 and u8"
                     : allowed == TSR__Q_ANY ? "i8, u8, i16 and i32"
                                             : "i8, u8 and i16");
  if (q->scales != NULL && q->count < 0) return TSR__FAIL(ctx, TSR_EARG, op, arg, "has %l scales", (int64_t)q->count);
  const tsr_index count = q->scales != NULL ? q->count : 1;
  tsr_status st = TSR_OK;
  for (tsr_index i = 0; i < count && st == TSR_OK; i++) {
    st = check_scale(ctx, op, arg, tsr__quant_scale(q, i));
    if (st == TSR_OK) st = check_zero(ctx, op, arg, q->dtype, tsr__quant_zero(q, i));
  }
  return st;
}

tsr_status tsr__quant_check_whole(tsr_ctx *ctx, const char *op, const char *arg, const tsr_quant *q, int allowed) {
  const tsr_status st = tsr__quant_check(ctx, op, arg, q, allowed);
  if (st != TSR_OK || q->scales == NULL) return st;
  return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, arg, "has %l scales; it takes one for the whole tensor",
                   (int64_t)q->count);
}

tsr_status tsr__quant_axis(tsr_ctx *ctx, const char *op, const char *arg, const tsr_quant *q, const tsr_tensor *t,
                           int *axis) {
  *axis = -1;
  if (q->scales == NULL) return TSR_OK;
  const tsr_status st = tsr__check_axis(ctx, op, arg, q->axis, t->ndim, axis);
  if (st != TSR_OK) return st;
  if (t->shape[*axis] != q->count)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, arg, "has %l scales, axis %d of %t has %l", (int64_t)q->count, *axis, t,
                     (int64_t)t->shape[*axis]);
  return TSR_OK;
}
