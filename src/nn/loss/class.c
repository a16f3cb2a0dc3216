/* Losses of rows of numbers and the classes that they should name. */
#include "core/operand.h"
#include "nn/check.h"
#include "nn/loss/loss.h"
#include "nn/loss/math.h"

typedef struct loss loss;

/* The loss of one row: C numbers, step bytes apart. */
typedef tsr_real row_fn(const loss *l, const char *row, tsr_index class_);

struct loss {
  const char       *op;
  const tsr_tensor *x, *classes;
  row_fn           *value;
  int64_t           ignored;
  tsr_real          smoothing;
  tsr_reduction     reduction;
  /* from here on filled in */
  int       dtype;
  tsr_index count; /* of classes */
  ptrdiff_t step;
};

static tsr_status check(tsr_ctx *ctx, const loss *l, int *ndim, tsr_index *shape) {
  const tsr_tensor *const x = l->x;
  tsr_status              st = tsr__check_input(ctx, l->op, "x", x);
  if (st == TSR_OK) st = tsr__nn_check_float(ctx, l->op, "x", x);
  if (st == TSR_OK) st = tsr__loss_check_integers(ctx, l->op, "classes", l->classes);
  if (st != TSR_OK) return st;
  if (x->ndim < 2) return TSR__FAIL(ctx, TSR_ESHAPE, l->op, "x", "is %t: it takes [N,C,...]", x);
  *ndim = x->ndim - 1;
  for (int i = 0; i < *ndim; i++) shape[i] = x->shape[i == 0 ? 0 : i + 1];
  bool same = l->classes->ndim == *ndim;
  for (int i = 0; same && i < *ndim; i++) same = l->classes->shape[i] == shape[i];
  if (!same)
    return TSR__FAIL(ctx, TSR_ESHAPE, l->op, "classes", "is %t, not %S as x %t has it", l->classes, *ndim, shape, x);
  st = tsr__loss_check_reduction(ctx, l->op, l->reduction);
  return st == TSR_OK ? tsr__loss_check_classes(ctx, l->op, "classes", l->classes, x->shape[1], &l->ignored) : st;
}

/* Writes every loss, or the total. */
static void walk_rows(const loss *l, tsr__loss_walk *walk, const tsr_tensor *out) {
  const bool    each = l->reduction == TSR_REDUCE_NONE;
  tsr__loss_sum sum = {0};
  tsr__loss_walk_add(walk, l->x, 1);
  tsr__loss_walk_add(walk, l->classes, -1);
  if (each) tsr__loss_walk_add(walk, out, -1);
  for (; walk->left > 0; tsr__loss_walk_next(walk)) {
    const int64_t  class_ = tsr__loss_class(l->classes->dtype, tsr__loss_at(walk, 1));
    const bool     ignored = class_ == l->ignored;
    const tsr_real value = ignored ? 0 : l->value(l, tsr__loss_at(walk, 0), (tsr_index)class_);
    if (each)
      tsr__loss_store(l->dtype, value, tsr__loss_at(walk, 2));
    else if (!ignored)
      tsr__loss_add(&sum, value);
  }
  if (!each) tsr__loss_store(l->dtype, tsr__loss_total(&sum, l->reduction), out->data);
}

static tsr_status run(tsr_ctx *ctx, loss *l, tsr_tensor *out) {
  tsr_index        shape[TSR_MAX_DIMS];
  int              ndim = 0;
  tsr__loss_inputs inputs;
  tsr__loss_walk   walk;
  tsr_status       st = check(ctx, l, &ndim, shape);
  if (st != TSR_OK) return st;
  const tsr_tensor *const in[2] = {l->x, l->classes};
  const bool              each = l->reduction == TSR_REDUCE_NONE;
  const tsr__result       result = {l->x->dtype, TSR_PLAIN, each ? ndim : 0, shape, NULL};
  st = tsr__loss_begin(ctx, l->op, &result, in, false, out, &inputs);
  if (st != TSR_OK) return st;
  l->x = &inputs.in[0];
  l->classes = &inputs.in[1];
  l->dtype = l->x->dtype;
  l->count = l->x->shape[1];
  l->step = l->count > 1 ? (ptrdiff_t)l->x->stride[1] * tsr__item(l->x) : 0;
  tsr__loss_walk_init(&walk, ndim, shape);
  walk_rows(l, &walk, out);
  l->x = l->classes = NULL; /* the inputs end here */
  tsr__loss_end(&inputs);
  return TSR_OK;
}

/* ---- the losses ---- */

static tsr_real nll(const loss *l, const char *row, tsr_index class_) {
  return -tsr__loss_load(l->dtype, row + l->step * (ptrdiff_t)class_);
}

tsr_status tsr_nll_loss(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *classes, int64_t ignore_index,
                        tsr_reduction reduction, tsr_tensor *out) {
  TSR__OPERANDS(x, classes, out);
  loss l = {.op = "nll_loss", .x = x, .classes = classes, .value = nll, .ignored = ignore_index,
            .reduction = reduction};
  return run(ctx, &l, out);
}

static tsr_real greatest(const loss *l, const char *row) {
  tsr_real most = tsr__loss_load(l->dtype, row);
  for (tsr_index i = 1; i < l->count; i++) {
    const tsr_real value = tsr__loss_load(l->dtype, row + l->step * (ptrdiff_t)i);
    if (value > most) most = value;
  }
  return most;
}

/* log Σ e^(x - most) - (x - most) of the class; spread is the mean of that over all classes. NaN, and most = ±inf, make
 * the exponents NaN. */
static tsr_real cross_entropy(const loss *l, const char *row, tsr_index class_) {
  const tsr_real most = greatest(l, row);
  tsr__loss_sum  sum = {0}, below = {0};
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

tsr_status tsr_cross_entropy(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *classes, int64_t ignore_index,
                             tsr_real smoothing, tsr_reduction reduction, tsr_tensor *out) {
  TSR__OPERANDS(x, classes, out);
  loss l = {.op = "cross_entropy", .x = x, .classes = classes, .value = cross_entropy, .ignored = ignore_index,
            .smoothing = smoothing, .reduction = reduction};
  if (!(smoothing >= 0 && smoothing <= 1))
    return TSR__FAIL(ctx, TSR_EARG, l.op, "smoothing", "is %r, which is not in 0 ... 1", &smoothing);
  return run(ctx, &l, out);
}
