/* How well classes were read. */
#include "nn/check.h"
#include "nn/loss/loss.h"
#include "nn/loss/ops.h"
#include "nn/unalias.h"
#include "ops/copy/copy.h"

/* Where the first NaN of a row is, else its first greatest element. */
static tsr_index best_of(const tsr_tensor *scores, const char *row) {
  const ptrdiff_t step = scores->shape[1] > 1 ? (ptrdiff_t)scores->stride[1] * tsr__item(scores) : 0;
  tsr_real most = tsr__loss_load(scores->dtype, row);
  tsr_index best = 0;
  for (tsr_index i = 1; i < scores->shape[1] && most == most; i++) {
    const tsr_real value = tsr__loss_load(scores->dtype, row + step * (ptrdiff_t)i);
    if (value <= most) continue;
    most = value;
    best = i;
  }
  return best;
}

static tsr_status check_accuracy(tsr_ctx *ctx, const char *op, const tsr_tensor *scores, const tsr_tensor *classes) {
  tsr_status st = tsr__nn_check_float(ctx, op, "scores", scores);
  if (st == TSR_OK) st = tsr__loss_check_integers(ctx, op, "classes", classes);
  if (st != TSR_OK) return st;
  if (scores->ndim != 2) return TSR__FAIL(ctx, TSR_ESHAPE, op, "scores", "is %t: it takes [N,C]", scores);
  if (classes->ndim != 1 || classes->shape[0] != scores->shape[0])
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "classes", "is %t, scores is %t: one class a row", classes, scores);
  return TSR_OK;
}

static tsr_index count_right(const tsr_tensor *scores, const tsr_tensor *classes) {
  tsr_index right = 0;
  tsr__loss_walk walk;
  tsr__loss_walk_init(&walk, 1, scores->shape);
  tsr__loss_walk_add(&walk, scores, 1);
  tsr__loss_walk_add(&walk, classes, -1);
  for (; walk.left > 0; tsr__loss_walk_next(&walk))
    right += best_of(scores, tsr__loss_at(&walk, 0)) == tsr__loss_class(classes->dtype, tsr__loss_at(&walk, 1));
  return right;
}

static tsr_status accuracy(tsr__call *call) {
  const tsr_tensor *const scores = call->in[0], *const classes = call->in[1];
  const tsr__result result = {TSR_F32, TSR_PLAIN, 0, NULL, NULL};
  tsr_status st = check_accuracy(call->ctx, call->op, scores, classes);
  if (st == TSR_OK) st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st == TSR_OK) st = tsr__loss_check_classes(call->ctx, call->op, "classes", classes, scores->shape[1], NULL);
  if (st != TSR_OK) return st;
  const tsr_real right = (tsr_real)count_right(scores, classes);
  tsr__loss_store(TSR_F32, right / (tsr_real)scores->shape[0], call->out[0]->data);
  return TSR_OK;
}

TSR__OP(accuracy, accuracy, 0)
tsr_status tsr_accuracy(tsr_ctx *ctx, const tsr_tensor *scores, const tsr_tensor *classes, tsr_tensor *out) {
  return TSR__CALL(accuracy, ctx, TSR__INPUTS(scores, classes), TSR__OUTPUTS(out), );
}

/* ---- confusion ---- */

static tsr_status check_confusion(tsr_ctx *ctx, const char *op, const tsr_tensor *target, const tsr_tensor *predicted,
                                  tsr_index classes) {
  tsr_status st = tsr__loss_check_integers(ctx, op, "target", target);
  if (st == TSR_OK) st = tsr__loss_check_integers(ctx, op, "predicted", predicted);
  if (st != TSR_OK) return st;
  if (target->ndim != 1) return TSR__FAIL(ctx, TSR_ESHAPE, op, "target", "is %t: it takes [N]", target);
  if (!tsr_same_shape(target, predicted))
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "predicted", "is %t, target is %t: they have one shape", predicted, target);
  if (classes < 1) return TSR__FAIL(ctx, TSR_EARG, op, "classes", "is %l: at least 1", (int64_t)classes);
  return TSR_OK;
}

static void count_pairs(const tsr_ctx *ctx, const tsr_tensor *target, const tsr_tensor *predicted,
                        const tsr_tensor *out) {
  static const tsr_index zero = 0;
  tsr__loss_walk walk;
  tsr__fill_host(ctx, out, &zero);
  tsr__loss_walk_init(&walk, 1, target->shape);
  tsr__loss_walk_add(&walk, target, -1);
  tsr__loss_walk_add(&walk, predicted, -1);
  for (; walk.left > 0; tsr__loss_walk_next(&walk)) {
    const tsr_index row = (tsr_index)tsr__loss_class(target->dtype, tsr__loss_at(&walk, 0));
    const tsr_index column = (tsr_index)tsr__loss_class(predicted->dtype, tsr__loss_at(&walk, 1));
    ++((tsr_index *)out->data)[row * out->stride[0] + column * out->stride[1]];
  }
}

static tsr_status confusion_matrix(tsr__call *call) {
  const tsr_index classes = ((const tsr__confusion_matrix_attrs *)call->attrs)->classes;
  const tsr_index shape[2] = {classes, classes};
  const tsr_tensor *const target = call->in[0], *const predicted = call->in[1];
  const tsr__result result = {TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32, TSR_PLAIN, 2, shape, NULL};
  tsr__unaliased in[2];
  tsr_status st = check_confusion(call->ctx, call->op, target, predicted, classes);
  if (st == TSR_OK) st = tsr__call_result(call, &result);
  for (int i = 0; i < 2 && st == TSR_OK; i++) st = tsr__unalias_take(call, call->in[i], false, &in[i]);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st == TSR_OK) st = tsr__loss_check_classes(call->ctx, call->op, "target", target, classes, NULL);
  if (st == TSR_OK) st = tsr__loss_check_classes(call->ctx, call->op, "predicted", predicted, classes, NULL);
  if (st != TSR_OK) return st;
  for (int i = 0; i < 2; i++) tsr__unalias_fill(call->ctx, &in[i]);
  count_pairs(call->ctx, in[0].in, in[1].in, call->out[0]);
  return TSR_OK;
}

TSR__OP(confusion_matrix, confusion_matrix, 0)
tsr_status tsr_confusion_matrix(tsr_ctx *ctx, const tsr_tensor *target, const tsr_tensor *predicted, tsr_index classes,
                                tsr_tensor *out) {
  return TSR__CALL(confusion_matrix, ctx, TSR__INPUTS(target, predicted), TSR__OUTPUTS(out), .classes = classes);
}
