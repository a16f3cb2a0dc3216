/* What losses ask of their arguments. */
#include "nn/loss/loss.h"

tsr_status tsr__loss_check_reduction(tsr_ctx *ctx, const char *op, tsr_reduction reduction) {
  if (reduction == TSR_REDUCE_MEAN || reduction == TSR_REDUCE_SUM || reduction == TSR_REDUCE_NONE) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EARG, op, "reduction", "is %d, which is none of tsr_reduction", (int)reduction);
}

tsr_status tsr__loss_check_integers(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t) {
  const int class_ = tsr_dtype_describe(t->dtype)->class_;
  if (class_ == TSR_CLASS_INT || class_ == TSR_CLASS_UINT) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EDTYPE, op, arg, "is %t; classes are integers", t);
}

tsr_status tsr__loss_check_classes(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t, tsr_index count,
                                   const int64_t *ignored) {
  tsr__loss_walk walk;
  tsr__loss_walk_init(&walk, t->ndim, t->shape);
  tsr__loss_walk_add(&walk, t, -1);
  for (; walk.left > 0; tsr__loss_walk_next(&walk)) {
    const int64_t class_ = tsr__loss_class(t->dtype, tsr__loss_at(&walk, 0));
    if ((class_ >= 0 && class_ < count) || (ignored != NULL && class_ == *ignored)) continue;
    return TSR__FAIL(ctx, TSR_EINDEX, op, arg, "at %S is %l, there are %l classes", walk.ndim, walk.index, class_,
                     (int64_t)count);
  }
  return TSR_OK;
}
