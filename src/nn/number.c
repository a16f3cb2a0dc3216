#include "nn/number.h"

#include "nn/lines.h"

tsr_status tsr__number_check_dtype(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t) {
  const int class_ = tsr_dtype_describe(t->dtype)->class_;
  if (class_ == TSR_CLASS_INT || class_ == TSR_CLASS_UINT) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EDTYPE, op, arg, "is %t; it takes integers", t);
}

static tsr_status refuse(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t, tsr_index number,
                         int64_t value, tsr_index count, const char *what) {
  tsr_index index[TSR_MAX_DIMS];
  for (int i = t->ndim - 1; i >= 0; i--) {
    index[i] = number % t->shape[i];
    number /= t->shape[i];
  }
  return TSR__FAIL(ctx, TSR_EINDEX, op, arg, "at %S is %l: there are %l %s", (int)t->ndim, index, value, (int64_t)count,
                   what);
}

tsr_status tsr__number_check(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t, tsr_index count,
                             const char *what) {
  tsr__lines lines;
  tsr__lines_init(&lines, t->ndim, t->shape);
  tsr__lines_add(&lines, t, 0);
  tsr__lines_merge(&lines);
  for (tsr_index i = 0; i < lines.count; i++) {
    const int64_t value = tsr__number_at(t->dtype, tsr__lines_at(&lines, 0, i));
    if (value < 0 || value >= count) return refuse(ctx, op, arg, t, i, value, count, what);
  }
  return TSR_OK;
}
