/* Losses of an element and its target. */
#include "nn/check.h"
#include "nn/loss/loss.h"
#include "nn/loss/math.h"
#include "nn/loss/ops.h"
#include "nn/unalias.h"

typedef tsr_real loss_fn(tsr_real x, tsr_real target, tsr_real attribute);

typedef struct loss {
  loss_fn *value;
  tsr_real attribute;
  bool of_probabilities; /* x is asked for them */
} loss;

static tsr_status check_loss(const tsr__call *call, tsr_reduction reduction) {
  const tsr_tensor *const x = call->in[0], *const target = call->in[1];
  const tsr_status st = tsr__nn_check_float(call->ctx, call->op, "x", x);
  if (st != TSR_OK) return st;
  if (target->dtype != x->dtype)
    return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, "target", "is %t, x is %t: they have one dtype", target, x);
  if (!tsr_same_shape(x, target))
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "target", "is %t, x is %t: they have one shape", target, x);
  return tsr__loss_check_reduction(call->ctx, call->op, reduction);
}

static tsr_status check_probabilities(tsr_ctx *ctx, const char *op, const tsr_tensor *x) {
  tsr__loss_walk walk;
  tsr__loss_walk_init(&walk, x->ndim, x->shape);
  tsr__loss_walk_add(&walk, x, -1);
  for (; walk.left > 0; tsr__loss_walk_next(&walk)) {
    const tsr_real value = tsr__loss_load(x->dtype, tsr__loss_at(&walk, 0));
    if (!(value >= 0 && value <= 1))
      return TSR__FAIL(ctx, TSR_ERANGE, op, "x", "at %S is %r, which is no probability", walk.ndim, walk.index, &value);
  }
  return TSR_OK;
}

static tsr_real value_at(const loss *l, int dtype, const tsr__loss_walk *walk) {
  return l->value(tsr__loss_load(dtype, tsr__loss_at(walk, 0)), tsr__loss_load(dtype, tsr__loss_at(walk, 1)),
                  l->attribute);
}

/* Every loss, or their total, which is there before it is written: then the output may overlap an input. */
static void walk_elements(const loss *l, tsr_reduction reduction, const tsr_tensor *x, const tsr_tensor *target,
                          const tsr_tensor *out) {
  const bool each = reduction == TSR_REDUCE_NONE;
  tsr__loss_sum sum = {0};
  tsr__loss_walk walk;
  tsr__loss_walk_init(&walk, x->ndim, x->shape);
  tsr__loss_walk_add(&walk, x, -1);
  tsr__loss_walk_add(&walk, target, -1);
  if (each) tsr__loss_walk_add(&walk, out, -1);
  for (; walk.left > 0; tsr__loss_walk_next(&walk)) {
    const tsr_real value = value_at(l, x->dtype, &walk);
    if (each)
      tsr__loss_store(x->dtype, value, tsr__loss_at(&walk, 2));
    else
      tsr__loss_add(&sum, value);
  }
  if (!each) tsr__loss_store(x->dtype, tsr__loss_total(&sum, reduction), out->data);
}

static tsr_status run_loss(tsr__call *call, const loss *l, tsr_reduction reduction) {
  const tsr_tensor *const x = call->in[0];
  const bool each = reduction == TSR_REDUCE_NONE;
  const tsr__result result = each ? tsr__result_like(x) : (tsr__result){.dtype = x->dtype, .layout = TSR_PLAIN};
  tsr__unaliased in[2] = {{.in = x}, {.in = call->in[1]}};
  tsr_status st = check_loss(call, reduction);
  if (st == TSR_OK) st = tsr__call_result(call, &result);
  for (int i = 0; i < 2 && each && st == TSR_OK; i++) st = tsr__unalias_take(call, call->in[i], true, &in[i]);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st == TSR_OK && l->of_probabilities) st = check_probabilities(call->ctx, call->op, x);
  if (st != TSR_OK) return st;
  for (int i = 0; i < 2; i++) tsr__unalias_fill(call->ctx, &in[i]);
  walk_elements(l, reduction, in[0].in, in[1].in, call->out[0]);
  return TSR_OK;
}

/* A loss without attributes of its own: its row has it. */
static tsr_status plain_loss(tsr__call *call) {
  const tsr__mse_loss_attrs *const attrs = call->attrs;
  return run_loss(call, call->info->kernels, attrs->reduction);
}

#define PLAIN_LOSS(name, ...)                                                                                 \
  static const loss name##_row = {__VA_ARGS__};                                                               \
  TSR__OP_ROW(name, mse_loss, plain_loss, &name##_row, 0)                                                     \
  tsr_status tsr_##name(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *target, tsr_reduction reduction, \
                        tsr_tensor *out) {                                                                    \
    return TSR__CALL(name, ctx, TSR__INPUTS(x, target), TSR__OUTPUTS(out), .reduction = reduction);           \
  }

/* ---- the losses ---- */

static tsr_real mse(tsr_real x, tsr_real target, tsr_real none) {
  const tsr_real d = x - target;
  (void)none;
  return d * d;
}
PLAIN_LOSS(mse_loss, .value = mse) /* tsr_mse_loss */

static tsr_real mae(tsr_real x, tsr_real target, tsr_real none) {
  (void)none;
  return tsr__loss_abs(x - target);
}
PLAIN_LOSS(mae_loss, .value = mae) /* tsr_mae_loss */

/* NaN stays. */
static tsr_real cut(tsr_real logarithm) { return logarithm < -100 ? -100 : logarithm; }

static tsr_real bce(tsr_real x, tsr_real target, tsr_real none) {
  (void)none;
  return (target - 1) * cut(tsr__loss_log1p(-x)) - target * cut(tsr__loss_log(x));
}
PLAIN_LOSS(bce_loss, .value = bce, .of_probabilities = true) /* tsr_bce_loss */

static tsr_real bce_logits(tsr_real x, tsr_real target, tsr_real none) {
  (void)none;
  return (1 - target) * x + (x < 0 ? -x : 0) + tsr__loss_log1p(tsr__loss_exp(-tsr__loss_abs(x)));
}
PLAIN_LOSS(bce_logits_loss, .value = bce_logits) /* tsr_bce_logits_loss */

static tsr_real huber(tsr_real x, tsr_real target, tsr_real delta) {
  const tsr_real d = tsr__loss_abs(x - target), half = (tsr_real)0.5;
  return d <= delta ? half * d * d : delta * (d - half * delta);
}

static tsr_status huber_loss(tsr__call *call) {
  const tsr__huber_loss_attrs *const attrs = call->attrs;
  const loss l = {.value = huber, .attribute = attrs->delta};
  if (!(attrs->delta > 0 && attrs->delta - attrs->delta == 0))
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "delta", "is %r, which is not a finite number above 0",
                     &attrs->delta);
  return run_loss(call, &l, attrs->reduction);
}

TSR__OP(huber_loss, huber_loss, 0)
tsr_status tsr_huber_loss(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *target, tsr_real delta,
                          tsr_reduction reduction, tsr_tensor *out) {
  return TSR__CALL(huber_loss, ctx, TSR__INPUTS(x, target), TSR__OUTPUTS(out), .delta = delta, .reduction = reduction);
}

static tsr_real kl(tsr_real x, tsr_real target, tsr_real none) {
  (void)none;
  return (target == 0 ? 0 : target * tsr__loss_log(target)) - target * x;
}

static tsr_real kl_logs(tsr_real x, tsr_real target, tsr_real none) {
  (void)none;
  return tsr__loss_exp(target) * (target - x);
}

static tsr_status kl_loss(tsr__call *call) {
  const tsr__kl_loss_attrs *const attrs = call->attrs;
  const loss l = {.value = attrs->log_target ? kl_logs : kl};
  return run_loss(call, &l, attrs->reduction);
}

TSR__OP(kl_loss, kl_loss, 0)
tsr_status tsr_kl_loss(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *target, bool log_target,
                       tsr_reduction reduction, tsr_tensor *out) {
  return TSR__CALL(kl_loss, ctx, TSR__INPUTS(x, target), TSR__OUTPUTS(out), .log_target = log_target,
                   .reduction = reduction);
}
