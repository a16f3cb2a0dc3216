/* Losses of an element and its target. */
#include "core/operand.h"
#include "nn/check.h"
#include "nn/loss/loss.h"
#include "nn/loss/math.h"

typedef tsr_real loss_fn(tsr_real x, tsr_real target, tsr_real attribute);

typedef struct loss {
  const char       *op;
  const tsr_tensor *x, *target;
  loss_fn          *value;
  tsr_real          attribute;
  tsr_reduction     reduction;
} loss;

static tsr_status check(tsr_ctx *ctx, const loss *l) {
  tsr_status st = tsr__check_input(ctx, l->op, "x", l->x);
  if (st == TSR_OK) st = tsr__check_input(ctx, l->op, "target", l->target);
  if (st == TSR_OK) st = tsr__nn_check_float(ctx, l->op, "x", l->x);
  if (st != TSR_OK) return st;
  if (l->target->dtype != l->x->dtype)
    return TSR__FAIL(ctx, TSR_EDTYPE, l->op, "target", "is %t, x is %t: they have one dtype", l->target, l->x);
  if (!tsr_same_shape(l->x, l->target))
    return TSR__FAIL(ctx, TSR_ESHAPE, l->op, "target", "is %t, x is %t: they have one shape", l->target, l->x);
  return tsr__loss_check_reduction(ctx, l->op, l->reduction);
}

static tsr_real value_at(const loss *l, const tsr__loss_walk *walk) {
  const int dtype = l->x->dtype;
  return l->value(tsr__loss_load(dtype, tsr__loss_at(walk, 0)), tsr__loss_load(dtype, tsr__loss_at(walk, 1)),
                  l->attribute);
}

static tsr_status run_each(tsr_ctx *ctx, const loss *l, tsr_tensor *out) {
  const int               dtype = l->x->dtype;
  const tsr__result       result = {dtype, l->x->layout, l->x->ndim, l->x->shape, l->x};
  const tsr_tensor *const in[2] = {l->x, l->target};
  tsr__loss_inputs        inputs;
  tsr__loss_walk          walk;
  const tsr_status        st = tsr__loss_begin(ctx, l->op, &result, in, true, out, &inputs);
  if (st != TSR_OK) return st;
  const loss mine = {l->op, &inputs.in[0], &inputs.in[1], l->value, l->attribute, l->reduction};
  tsr__loss_walk_init(&walk, out->ndim, out->shape);
  tsr__loss_walk_add(&walk, mine.x, -1);
  tsr__loss_walk_add(&walk, mine.target, -1);
  tsr__loss_walk_add(&walk, out, -1);
  for (; walk.left > 0; tsr__loss_walk_next(&walk))
    tsr__loss_store(dtype, value_at(&mine, &walk), tsr__loss_at(&walk, 2));
  tsr__loss_end(&inputs);
  return TSR_OK;
}

/* The total is there before the output is: they may overlap. */
static tsr_status run_total(tsr_ctx *ctx, const loss *l, tsr_tensor *out) {
  const int         dtype = l->x->dtype;
  const tsr__result result = {dtype, TSR_PLAIN, 0, NULL, NULL};
  tsr__loss_sum     sum = {0};
  tsr__loss_walk    walk;
  const tsr_tensor  x = *l->x, target = *l->target; /* either may be out */
  const loss        mine = {l->op, &x, &target, l->value, l->attribute, l->reduction};
  const tsr_status  st = tsr__output(ctx, l->op, &result, out);
  if (st != TSR_OK) return st;
  tsr__loss_walk_init(&walk, x.ndim, x.shape);
  tsr__loss_walk_add(&walk, &x, -1);
  tsr__loss_walk_add(&walk, &target, -1);
  for (; walk.left > 0; tsr__loss_walk_next(&walk)) tsr__loss_add(&sum, value_at(&mine, &walk));
  tsr__loss_store(dtype, tsr__loss_total(&sum, l->reduction), out->data);
  return TSR_OK;
}

static tsr_status run(tsr_ctx *ctx, const loss *l, tsr_tensor *out) {
  return l->reduction == TSR_REDUCE_NONE ? run_each(ctx, l, out) : run_total(ctx, l, out);
}

/* ---- the losses ---- */

static tsr_real mse(tsr_real x, tsr_real target, tsr_real none) {
  const tsr_real d = x - target;
  (void)none;
  return d * d;
}

tsr_status tsr_mse_loss(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *target, tsr_reduction reduction,
                        tsr_tensor *out) {
  TSR__OPERANDS(x, target, out);
  const loss       l = {"mse_loss", x, target, mse, 0, reduction};
  const tsr_status st = check(ctx, &l);
  return st == TSR_OK ? run(ctx, &l, out) : st;
}

static tsr_real mae(tsr_real x, tsr_real target, tsr_real none) {
  (void)none;
  return tsr__loss_abs(x - target);
}

tsr_status tsr_mae_loss(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *target, tsr_reduction reduction,
                        tsr_tensor *out) {
  TSR__OPERANDS(x, target, out);
  const loss       l = {"mae_loss", x, target, mae, 0, reduction};
  const tsr_status st = check(ctx, &l);
  return st == TSR_OK ? run(ctx, &l, out) : st;
}

static tsr_real huber(tsr_real x, tsr_real target, tsr_real delta) {
  const tsr_real d = tsr__loss_abs(x - target), half = (tsr_real)0.5;
  return d <= delta ? half * d * d : delta * (d - half * delta);
}

tsr_status tsr_huber_loss(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *target, tsr_real delta,
                          tsr_reduction reduction, tsr_tensor *out) {
  TSR__OPERANDS(x, target, out);
  const loss       l = {"huber_loss", x, target, huber, delta, reduction};
  const tsr_status st = check(ctx, &l);
  if (st != TSR_OK) return st;
  if (!(delta > 0 && delta - delta == 0))
    return TSR__FAIL(ctx, TSR_EARG, l.op, "delta", "is %r, which is not a finite number above 0", &delta);
  return run(ctx, &l, out);
}

/* NaN stays. */
static tsr_real cut(tsr_real logarithm) { return logarithm < -100 ? -100 : logarithm; }

static tsr_real bce(tsr_real x, tsr_real target, tsr_real none) {
  (void)none;
  return (target - 1) * cut(tsr__loss_log1p(-x)) - target * cut(tsr__loss_log(x));
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

tsr_status tsr_bce_loss(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *target, tsr_reduction reduction,
                        tsr_tensor *out) {
  TSR__OPERANDS(x, target, out);
  const loss l = {"bce_loss", x, target, bce, 0, reduction};
  tsr_status st = check(ctx, &l);
  if (st == TSR_OK) st = check_probabilities(ctx, l.op, x);
  return st == TSR_OK ? run(ctx, &l, out) : st;
}

static tsr_real bce_logits(tsr_real x, tsr_real target, tsr_real none) {
  (void)none;
  return (1 - target) * x + (x < 0 ? -x : 0) + tsr__loss_log1p(tsr__loss_exp(-tsr__loss_abs(x)));
}

tsr_status tsr_bce_logits_loss(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *target, tsr_reduction reduction,
                               tsr_tensor *out) {
  TSR__OPERANDS(x, target, out);
  const loss       l = {"bce_logits_loss", x, target, bce_logits, 0, reduction};
  const tsr_status st = check(ctx, &l);
  return st == TSR_OK ? run(ctx, &l, out) : st;
}

static tsr_real kl(tsr_real x, tsr_real target, tsr_real none) {
  (void)none;
  return (target == 0 ? 0 : target * tsr__loss_log(target)) - target * x;
}

static tsr_real kl_logs(tsr_real x, tsr_real target, tsr_real none) {
  (void)none;
  return tsr__loss_exp(target) * (target - x);
}

tsr_status tsr_kl_loss(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *target, bool log_target,
                       tsr_reduction reduction, tsr_tensor *out) {
  TSR__OPERANDS(x, target, out);
  const loss       l = {"kl_loss", x, target, log_target ? kl_logs : kl, 0, reduction};
  const tsr_status st = check(ctx, &l);
  return st == TSR_OK ? run(ctx, &l, out) : st;
}
