/* Losses of rows of numbers and the classes that they should name: axis 1 of x are the classes. */
#include "cuda/engines/engines.h"
#include "cuda/engines/loss.h"

#include "nn/loss/ops.h"

#include <tessera/loss.h>

typedef struct class_loss {
  tsr__cuda_view x, classes, own;      /* own: x of each row's class */
  tsr__cuda_view most, log_sum, below; /* of each row */
  int ndim;
  tsr_index shape[TSR_MAX_DIMS]; /* x's without its classes */
  int64_t ignored;
  double smoothing;
  bool entropy;
  tsr_reduction reduction;
} class_loss;

static tsr__cuda_view room_of(const class_loss *l, int dtype, tsr__cuda_plan *plan) {
  return tsr__cuda_temporary(plan, dtype, l->ndim, l->shape);
}

/* ---- of each row ---- */

static tsr__cuda_reduction reduction_of(const class_loss *l, const tsr__cuda_fold *fold, const tsr__cuda_view *out) {
  return (tsr__cuda_reduction){.fold = fold,
                               .compute = l->x.tensor.dtype == TSR_F64 ? TSR_F64 : TSR_F32,
                               .x = l->x,
                               .axes = 2,
                               .out = *out,
                               .count = (double)l->x.tensor.shape[1]};
}

static tsr_status plan_after_most(tsr__cuda *gpu, tsr_ctx *ctx, const class_loss *l, const tsr__cuda_fold *fold,
                                  const tsr__cuda_view *out, tsr__cuda_plan *plan) {
  tsr__cuda_reduction r = reduction_of(l, fold, out);
  r.with_param = true;
  r.param = l->most.ref;
  return tsr__cuda_plan_reduction(gpu, ctx, &r, plan);
}

/* The maximum of a row, and with it the sums: one kernel where a row fits. */
static tsr_status plan_most_and(tsr__cuda *gpu, tsr_ctx *ctx, class_loss *l, const tsr__cuda_fold *sums,
                                tsr__cuda_plan *plan) {
  const tsr__cuda_fold max = tsr__cuda_fold_of(TSR__FOLD_MAX, l->x.tensor.dtype == TSR_F64 ? TSR_F64 : TSR_F32);
  tsr__cuda_reduction r = reduction_of(l, &max, &l->most);
  if (!tsr__cuda_is_staged(gpu, &r)) {
    const tsr_status st = tsr__cuda_plan_reduction(gpu, ctx, &r, plan);
    return st == TSR_OK ? plan_after_most(gpu, ctx, l, sums, &l->log_sum, plan) : st;
  }
  r.second = sums;
  r.out = l->log_sum;
  r.firsts = l->most.ref;
  r.with_firsts = true;
  return tsr__cuda_plan_reduction(gpu, ctx, &r, plan);
}

/* The maximum of a row, the logarithm of the sum of e^(x - max), and the mean of x - max. What f64 loses of a sum shows in results that
 * are f64 alone: there it is kept beside it, as the host keeps it. */
static tsr_status plan_sums(tsr__cuda *gpu, tsr_ctx *ctx, class_loss *l, tsr__cuda_plan *plan) {
  static const tsr__cuda_fold wide_sums = {.name = "entropy",
                                           .lane = "pair",
                                           .value = "pair",
                                           .neutral = "made(0.0, 0.0)",
                                           .step = "joined_pair(a, made(exp((double)x - p), 0.0))",
                                           .merge = "joined_pair(a, b)",
                                           .finish = "made(log(finished(v, 1.0).sum), 0.0)",
                                           .needs = tsr__cuda_pairs,
                                           .result = "v.sum",
                                           .value_dtype = TSR_F64,
                                           .value_bytes = 16};
  static const tsr__cuda_fold sums = {.name = "narrow entropy",
                                      .lane = "double",
                                      .value = "double",
                                      .neutral = "0.0",
                                      .step = "tsr__plus_wide_exp(a, x, p)",
                                      .merge = "a + b",
                                      .finish = "p - p == 0 ? log(v) : __builtin_nan(\"\")",
                                      .needs = tsr__cuda_exponentials,
                                      .result = "v",
                                      .value_dtype = TSR_F64,
                                      .value_bytes = 8};
  static const tsr__cuda_fold means = {.name = "below",
                                       .lane = "pair",
                                       .value = "pair",
                                       .neutral = "made(0.0, 0.0)",
                                       .step = "joined_pair(a, made((double)x - p, 0.0))",
                                       .merge = "joined_pair(a, b)",
                                       .finish = "finished(v, s.count)",
                                       .needs = tsr__cuda_pairs,
                                       .result = "v.sum",
                                       .value_dtype = TSR_F64,
                                       .value_bytes = 16};
  l->most = room_of(l, TSR_F64, plan);
  l->log_sum = room_of(l, TSR_F64, plan);
  const tsr_status st = plan_most_and(gpu, ctx, l, l->x.tensor.dtype == TSR_F64 ? &wide_sums : &sums, plan);
  if (st != TSR_OK || l->smoothing == 0) return st;
  l->below = room_of(l, TSR_F64, plan);
  return plan_after_most(gpu, ctx, l, &means, &l->below, plan);
}

static void add_step(tsr__cuda_lines *lines, const char *line, int inputs, const uint8_t *in, uint8_t first) {
  tsr__cuda_line_step *const step = &lines->step[lines->steps++];
  *step = (tsr__cuda_line_step){
      .line = line, .inputs = (uint8_t)inputs, .compute = TSR_F64, .result = TSR_F64, .out = TSR_F64};
  for (int i = 0; i < inputs; i++) {
    step->in[i] = in[i];
    step->dtype[i] = i < 2 ? first : TSR_F64;
  }
}

/* The losses, 0 where a class is ignored. */
static tsr_status plan_values(tsr__cuda *gpu, const tsr_work *work, const class_loss *l, const tsr__cuda_view *to,
                              tsr__cuda_plan *plan) {
  static const char makers[3];
  tsr__cuda_elements e = {.maker = &makers[l->entropy ? (l->smoothing != 0 ? 2 : 1) : 0], .out = *to};
  tsr__cuda_add_view(&e, &l->classes);
  tsr__cuda_add_number(&e, TSR_I64, &l->ignored);
  tsr__cuda_add_view(&e, &l->own);
  if (l->entropy) tsr__cuda_add_view(&e, &l->log_sum);
  if (l->entropy) tsr__cuda_add_view(&e, &l->most);
  if (l->entropy && l->smoothing != 0) tsr__cuda_add_view(&e, &l->below);
  if (l->entropy && l->smoothing != 0) tsr__cuda_add_number(&e, TSR_F64, &l->smoothing);
  const uint8_t n = (uint8_t)e.lines.inputs;
  if (l->entropy)
    add_step(&e.lines, "b - (a - c)", 3, (const uint8_t[]){2, 3, 4}, TSR_F64);
  else
    add_step(&e.lines, "-a", 1, (const uint8_t[]){2}, TSR_F64);
  if (l->entropy && l->smoothing != 0)
    add_step(&e.lines, "(1 - p) * a + p * (b - c)", 4, (const uint8_t[]){n, 3, 5, 6}, TSR_F64);
  add_step(&e.lines, "a == b ? 0.0 : c", 3, (const uint8_t[]){0, 1, (uint8_t)(n + e.lines.steps - 1)}, TSR_I64);
  e.lines.step[e.lines.steps - 1].out = to->tensor.dtype;
  return tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
}

/* ---- of all ---- */

/* Sum and count of what is not ignored. */
static tsr_status plan_all(tsr__cuda *gpu, const tsr_work *work, const class_loss *l, const tsr__cuda_view *each,
                           tsr__cuda_plan *plan) {
  static const char maker, end_makers[2];
  const bool mean = l->reduction == TSR_REDUCE_MEAN;
  const tsr__cuda_view sum = tsr__cuda_temporary(plan, TSR_F64, 0, NULL),
                       count = tsr__cuda_temporary(plan, TSR_F64, 0, NULL);
  const tsr__cuda_view counts = room_of(l, TSR_BOOL, plan);
  const tsr__cuda_fold fold = tsr__cuda_fold_of(TSR__FOLD_COUNT, TSR_BOOL);
  const tsr__cuda_reduction r = {.fold = &fold, .compute = TSR_BOOL, .x = counts, .axes = ~0u, .out = count};
  tsr__cuda_elements e = {.maker = &maker, .out = counts};
  tsr__cuda_add_view(&e, &l->classes);
  tsr__cuda_add_number(&e, TSR_I64, &l->ignored);
  e.lines.steps = 1;
  e.lines.step[0] = (tsr__cuda_line_step){.line = "a != b",
                                          .inputs = 2,
                                          .in = {0, 1},
                                          .dtype = {TSR_I64, TSR_I64},
                                          .compute = TSR_I64,
                                          .result = TSR_BOOL,
                                          .out = TSR_BOOL};
  tsr_status st = tsr__cuda_plan_total(gpu, work->ctx, each, 1, &sum, plan);
  if (st == TSR_OK) st = tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
  if (st == TSR_OK) st = tsr__cuda_plan_reduction(gpu, work->ctx, &r, plan);
  if (st != TSR_OK) return st;
  tsr__cuda_elements end = {.maker = &end_makers[mean], .out = tsr__cuda_output(work, 0)};
  tsr__cuda_add_view(&end, &sum);
  tsr__cuda_add_view(&end, &count);
  add_step(&end.lines, mean ? "a / b" : "a", 2, (const uint8_t[]){0, 1}, TSR_F64);
  end.lines.step[0].out = end.out.tensor.dtype;
  return tsr__cuda_plan_elements(gpu, work->ctx, &end, plan);
}

static tsr_status plan_class_loss(tsr__cuda *gpu, const tsr_work *work, class_loss *l, tsr__cuda_plan *plan) {
  const tsr_tensor *const x = work->in[0];
  const bool each = l->reduction == TSR_REDUCE_NONE;
  l->x = tsr__cuda_input(work, 0);
  l->classes = tsr__cuda_input(work, 1);
  l->ndim = x->ndim - 1;
  for (int d = 0; d < l->ndim; d++) l->shape[d] = x->shape[d == 0 ? 0 : d + 1];
  tsr_status st = TSR_OK;
  l->own = room_of(l, x->dtype, plan);
  if (tsr_size(x) > 0) st = tsr__cuda_plan_classes(gpu, work->ctx, &l->x, &l->classes, l->ignored, &l->own, plan);
  if (st == TSR_OK && l->entropy && tsr_size(x) > 0) st = plan_sums(gpu, work->ctx, l, plan);
  const tsr__cuda_view to = room_of(l, each ? x->dtype : TSR_F64, plan), out = tsr__cuda_output(work, 0);
  if (st == TSR_OK && tsr_size(x) > 0) st = plan_values(gpu, work, l, &to, plan);
  if (st != TSR_OK) return st;
  return each ? tsr__cuda_plan_cast(gpu, work->ctx, &to, &out, plan) : plan_all(gpu, work, l, &to, plan);
}

tsr_status tsr__cuda_nll_loss(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__nll_loss_attrs *const attrs = work->attrs;
  class_loss l = {.ignored = attrs->ignore_index, .reduction = attrs->reduction};
  (void)op;
  return plan_class_loss(gpu, work, &l, plan);
}

tsr_status tsr__cuda_cross_entropy(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__cross_entropy_attrs *const attrs = work->attrs;
  class_loss l = {.ignored = attrs->ignore_index,
                  .reduction = attrs->reduction,
                  .smoothing = (double)attrs->smoothing,
                  .entropy = true};
  (void)op;
  return plan_class_loss(gpu, work, &l, plan);
}
