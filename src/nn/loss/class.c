/* Losses of rows of numbers and the classes that they should name. */
#include "nn/check.h"
#include "nn/loss/loss.h"
#include "nn/loss/math.h"
#include "nn/loss/ops.h"
#include "nn/unalias.h"

typedef struct loss loss;

/* The loss of one row: C numbers, step bytes apart. */
typedef tsr_real row_fn(const loss *l, const char *row, tsr_index class_);

struct loss {
  row_fn *value;
  int64_t ignored;
  tsr_real smoothing;
  tsr_reduction reduction;
  /* from here on filled in */
  const tsr_tensor *x, *classes;
  int dtype;
  tsr_index count; /* of classes */
  ptrdiff_t step;
};

/* shape: x's without its classes. */
static tsr_status check_rows(const tsr__call *call, tsr_reduction reduction, int *ndim, tsr_index *shape) {
  const tsr_tensor *const x = call->in[0], *const classes = call->in[1];
  tsr_status st = tsr__nn_check_float(call->ctx, call->op, "x", x);
  if (st == TSR_OK) st = tsr__loss_check_integers(call->ctx, call->op, "classes", classes);
  if (st != TSR_OK) return st;
  if (x->ndim < 2) return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "x", "is %t: it takes [N,C,...]", x);
  *ndim = x->ndim - 1;
  for (int i = 0; i < *ndim; i++) shape[i] = x->shape[i == 0 ? 0 : i + 1];
  bool same = classes->ndim == *ndim;
  for (int i = 0; same && i < *ndim; i++) same = classes->shape[i] == shape[i];
  if (!same)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "classes", "is %t, not %S as x %t has it", classes, *ndim, shape,
                     x);
  return tsr__loss_check_reduction(call->ctx, call->op, reduction);
}

/* Writes every loss, or the total, which is there before it is written. */
static void walk_rows(const loss *l, tsr__loss_walk *walk, const tsr_tensor *out) {
  const bool each = l->reduction == TSR_REDUCE_NONE;
  tsr__loss_sum sum = {0};
  tsr__loss_walk_add(walk, l->x, 1);
  tsr__loss_walk_add(walk, l->classes, -1);
  if (each) tsr__loss_walk_add(walk, out, -1);
  for (; walk->left > 0; tsr__loss_walk_next(walk)) {
    const int64_t class_ = tsr__loss_class(l->classes->dtype, tsr__loss_at(walk, 1));
    const bool ignored = class_ == l->ignored;
    const tsr_real value = ignored ? 0 : l->value(l, tsr__loss_at(walk, 0), (tsr_index)class_);
    if (each)
      tsr__loss_store(l->dtype, value, tsr__loss_at(walk, 2));
    else if (!ignored)
      tsr__loss_add(&sum, value);
  }
  if (!each) tsr__loss_store(l->dtype, tsr__loss_total(&sum, l->reduction), out->data);
}

static tsr_status run_rows(tsr__call *call, loss *l) {
  const tsr_tensor *const x = call->in[0], *const classes = call->in[1];
  const bool each = l->reduction == TSR_REDUCE_NONE;
  tsr__unaliased in[2] = {{.in = x}, {.in = classes}};
  tsr_index shape[TSR_MAX_DIMS];
  int ndim = 0;
  tsr__loss_walk walk;
  tsr_status st = check_rows(call, l->reduction, &ndim, shape);
  const tsr__result result = {x->dtype, TSR_PLAIN, each ? ndim : 0, shape, NULL};
  if (st == TSR_OK) st = tsr__call_result(call, &result);
  for (int i = 0; i < 2 && each && st == TSR_OK; i++) st = tsr__unalias_take(call, call->in[i], false, &in[i]);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st == TSR_OK) st = tsr__loss_check_classes(call->ctx, call->op, "classes", classes, x->shape[1], &l->ignored);
  if (st != TSR_OK) return st;
  for (int i = 0; i < 2; i++) tsr__unalias_fill(call->ctx, &in[i]);
  l->x = in[0].in;
  l->classes = in[1].in;
  l->dtype = x->dtype;
  l->count = x->shape[1];
  l->step = l->count > 1 ? (ptrdiff_t)l->x->stride[1] * tsr__item(x) : 0;
  tsr__loss_walk_init(&walk, ndim, shape);
  walk_rows(l, &walk, call->out[0]);
  return TSR_OK;
}

/* ---- the losses ---- */

static tsr_real nll(const loss *l, const char *row, tsr_index class_) {
  return -tsr__loss_load(l->dtype, row + l->step * (ptrdiff_t)class_);
}

static tsr_status nll_loss(tsr__call *call) {
  const tsr__nll_loss_attrs *const attrs = call->attrs;
  loss l = {.value = nll, .ignored = attrs->ignore_index, .reduction = attrs->reduction};
  return run_rows(call, &l);
}

TSR__OP(nll_loss, nll_loss, 0)
tsr_status tsr_nll_loss(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *classes, int64_t ignore_index,
                        tsr_reduction reduction, tsr_tensor *out) {
  return TSR__CALL(nll_loss, ctx, TSR__INPUTS(x, classes), TSR__OUTPUTS(out), .ignore_index = ignore_index,
                   .reduction = reduction);
}

static tsr_real row_max(const loss *l, const char *row) {
  tsr_real most = tsr__loss_load(l->dtype, row);
  for (tsr_index i = 1; i < l->count; i++) {
    const tsr_real value = tsr__loss_load(l->dtype, row + l->step * (ptrdiff_t)i);
    if (value > most) most = value;
  }
  return most;
}

/* log Σ e^(x - most) - (x - most) of the class; spread is the mean of that over all classes. NaN, and most = ±inf, make
 * the exponents NaN. */
static tsr_real entropy(const loss *l, const char *row, tsr_index class_) {
  const tsr_real most = row_max(l, row);
  tsr__loss_sum sum = {0}, below = {0};
  for (tsr_index i = 0; i < l->count; i++) {
    const tsr_real d = tsr__loss_load(l->dtype, row + l->step * (ptrdiff_t)i) - most;
    tsr__loss_add(&sum, tsr__loss_exp(d));
    tsr__loss_add(&below, d);
  }
  const tsr_real log_sum = tsr__loss_log(tsr__loss_total(&sum, TSR_REDUCE_SUM));
  const tsr_real own = log_sum - (tsr__loss_load(l->dtype, row + l->step * (ptrdiff_t)class_) - most);
  if (l->smoothing == 0) return own;
  const tsr_real spread = log_sum - tsr__loss_total(&below, TSR_REDUCE_MEAN);
  return (1 - l->smoothing) * own + l->smoothing * spread;
}

static tsr_status cross_entropy(tsr__call *call) {
  const tsr__cross_entropy_attrs *const attrs = call->attrs;
  loss l = {
      .value = entropy, .ignored = attrs->ignore_index, .smoothing = attrs->smoothing, .reduction = attrs->reduction};
  if (!(l.smoothing >= 0 && l.smoothing <= 1))
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "smoothing", "is %r, which is not in 0 ... 1", &l.smoothing);
  return run_rows(call, &l);
}

TSR__OP(cross_entropy, cross_entropy, 0)
tsr_status tsr_cross_entropy(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *classes, int64_t ignore_index,
                             tsr_real smoothing, tsr_reduction reduction, tsr_tensor *out) {
  return TSR__CALL(cross_entropy, ctx, TSR__INPUTS(x, classes), TSR__OUTPUTS(out), .ignore_index = ignore_index,
                   .smoothing = smoothing, .reduction = reduction);
}
