#include "ops/summary/part.h"

tsr_status tsr__check_summary(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *x) {
  const tsr_status st = tsr__check_input(ctx, op, arg, x);
  if (st != TSR_OK) return st;
  if (tsr_dtype_describe(x->dtype)->class_ == TSR_CLASS_COMPLEX)
    return TSR__FAIL(ctx, TSR_EDTYPE, op, arg, "is %y: take its parts with tsr_complex_part", (int)x->dtype);
  if (!tsr_dtype_supported(x->dtype))
    return TSR__FAIL(ctx, TSR_EDTYPE, op, arg, "is %y, which this build does not compute with", (int)x->dtype);
  return TSR_OK;
}
