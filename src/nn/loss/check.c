/* What losses ask of their arguments, and their outputs. */
#include "nn/loss/loss.h"

#include "ops/copy/copy.h"

tsr_status tsr__loss_check_reduction(tsr_ctx *ctx, const char *op, tsr_reduction reduction) {
  if (reduction == TSR_REDUCE_MEAN || reduction == TSR_REDUCE_SUM || reduction == TSR_REDUCE_NONE) return TSR_OK;
  return TSR__FAIL(ctx, TSR_EARG, op, "reduction", "is %d, which is none of tsr_reduction", (int)reduction);
}

tsr_status tsr__loss_check_integers(tsr_ctx *ctx, const char *op, const char *arg, const tsr_tensor *t) {
  const tsr_status st = tsr__check_input(ctx, op, arg, t);
  if (st != TSR_OK) return st;
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

static bool in_the_way(const tsr_tensor *in, const tsr_tensor *out, bool in_place) {
  if (out->data == NULL || tsr_size(in) == 0 || tsr_size(out) == 0 || !tsr__overlap(in, out)) return false;
  return !(in_place && tsr__same_view(in, out));
}

tsr_status tsr__loss_begin(tsr_ctx *ctx, const char *op, const tsr__result *result, const tsr_tensor *const *in,
                           bool in_place, tsr_tensor *out, tsr__loss_inputs *inputs) {
  tsr_status st = tsr__output_check(ctx, op, result, out);
  *inputs = (tsr__loss_inputs){.in = {*in[0], *in[1]}};
  for (int i = 0; i < 2 && st == TSR_OK; i++)
    if (in_the_way(in[i], out, in_place))
      st = tsr__copy_to_scratch(ctx, op, in[i], &inputs->scratch[i], &inputs->in[i]);
  if (st == TSR_OK) st = tsr__output(ctx, op, result, out);
  if (st != TSR_OK) tsr__loss_end(inputs);
  return st;
}

void tsr__loss_end(tsr__loss_inputs *inputs) {
  tsr__scratch_put(&inputs->scratch[1]);
  tsr__scratch_put(&inputs->scratch[0]);
}
