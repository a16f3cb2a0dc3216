/* How well classes were read. */
#include "core/operand.h"
#include "nn/check.h"
#include "nn/loss/loss.h"
#include "ops/copy/copy.h"

/* Where the first NaN of a row is, else its first greatest element. */
static tsr_index best_of(const tsr_tensor *scores, const char *row) {
  const ptrdiff_t step = scores->shape[1] > 1 ? (ptrdiff_t)scores->stride[1] * tsr__item(scores) : 0;
  tsr_real        most = tsr__loss_load(scores->dtype, row);
  tsr_index       best = 0;
  for (tsr_index i = 1; i < scores->shape[1] && most == most; i++) {
    const tsr_real value = tsr__loss_load(scores->dtype, row + step * (ptrdiff_t)i);
    if (value <= most) continue;
    most = value;
    best = i;
  }
  return best;
}

static tsr_status check_accuracy(tsr_ctx *ctx, const char *op, const tsr_tensor *scores, const tsr_tensor *classes) {
  tsr_status st = tsr__check_input(ctx, op, "scores", scores);
  if (st == TSR_OK) st = tsr__nn_check_float(ctx, op, "scores", scores);
  if (st == TSR_OK) st = tsr__loss_check_integers(ctx, op, "classes", classes);
  if (st != TSR_OK) return st;
  if (scores->ndim != 2) return TSR__FAIL(ctx, TSR_ESHAPE, op, "scores", "is %t: it takes [N,C]", scores);
  if (classes->ndim != 1 || classes->shape[0] != scores->shape[0])
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "classes", "is %t, scores is %t: one class a row", classes, scores);
  return tsr__loss_check_classes(ctx, op, "classes", classes, scores->shape[1], NULL);
}

static tsr_index count_right(const tsr_tensor *scores, const tsr_tensor *classes) {
  tsr_index      right = 0;
  tsr__loss_walk walk;
  tsr__loss_walk_init(&walk, 1, scores->shape);
  tsr__loss_walk_add(&walk, scores, 1);
  tsr__loss_walk_add(&walk, classes, -1);
  for (; walk.left > 0; tsr__loss_walk_next(&walk))
    right += best_of(scores, tsr__loss_at(&walk, 0)) == tsr__loss_class(classes->dtype, tsr__loss_at(&walk, 1));
  return right;
}

tsr_status tsr_accuracy(tsr_ctx *ctx, const tsr_tensor *scores, const tsr_tensor *classes, tsr_tensor *out) {
  TSR__OPERANDS(scores, classes, out);
  static const char op[] = "accuracy";
  const tsr__result result = {TSR_F32, TSR_PLAIN, 0, NULL, NULL};
  tsr_status        st = check_accuracy(ctx, op, scores, classes);
  if (st != TSR_OK) return st;
  const tsr_index right = count_right(scores, classes), all = scores->shape[0];
  st = tsr__output(ctx, op, &result, out);
  if (st == TSR_OK) tsr__loss_store(TSR_F32, (tsr_real)right / (tsr_real)all, out->data);
  return st;
}

/* ---- confusion ---- */

static tsr_status check_confusion(tsr_ctx *ctx, const char *op, const tsr_tensor *is, const tsr_tensor *read,
                                  tsr_index classes) {
  tsr_status st = tsr__loss_check_integers(ctx, op, "is", is);
  if (st == TSR_OK) st = tsr__loss_check_integers(ctx, op, "read", read);
  if (st != TSR_OK) return st;
  if (is->ndim != 1) return TSR__FAIL(ctx, TSR_ESHAPE, op, "is", "is %t: it takes [N]", is);
  if (!tsr_same_shape(is, read))
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "read", "is %t, is is %t: they have one shape", read, is);
  if (classes < 1) return TSR__FAIL(ctx, TSR_EARG, op, "classes", "is %l: at least 1", (int64_t)classes);
  st = tsr__loss_check_classes(ctx, op, "is", is, classes, NULL);
  return st == TSR_OK ? tsr__loss_check_classes(ctx, op, "read", read, classes, NULL) : st;
}

tsr_status tsr_confusion_matrix(tsr_ctx *ctx, const tsr_tensor *is, const tsr_tensor *read, tsr_index classes,
                                tsr_tensor *out) {
  TSR__OPERANDS(is, read, out);
  static const char       op[] = "confusion_matrix";
  static const tsr_index  zero = 0;
  const tsr_index         shape[2] = {classes, classes};
  const tsr_tensor *const in[2] = {is, read};
  const tsr__result       result = {TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32, TSR_PLAIN, 2, shape, NULL};
  tsr__loss_inputs        inputs;
  tsr__loss_walk          walk;
  tsr_status              st = check_confusion(ctx, op, is, read, classes);
  if (st == TSR_OK) st = tsr__loss_begin(ctx, op, &result, in, false, out, &inputs);
  if (st != TSR_OK) return st;
  tsr__fill_host(ctx, out, &zero);
  tsr__loss_walk_init(&walk, 1, inputs.in[0].shape);
  tsr__loss_walk_add(&walk, &inputs.in[0], -1);
  tsr__loss_walk_add(&walk, &inputs.in[1], -1);
  for (; walk.left > 0; tsr__loss_walk_next(&walk)) {
    const tsr_index row = (tsr_index)tsr__loss_class(inputs.in[0].dtype, tsr__loss_at(&walk, 0));
    const tsr_index column = (tsr_index)tsr__loss_class(inputs.in[1].dtype, tsr__loss_at(&walk, 1));
    ++((tsr_index *)out->data)[row * out->stride[0] + column * out->stride[1]];
  }
  tsr__loss_end(&inputs);
  return TSR_OK;
}
