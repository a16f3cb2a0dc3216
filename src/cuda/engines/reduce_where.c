/* Reductions over some of the elements, as the host makes them: a copy in which the others change nothing, and then the reduction of it. */
#include "cuda/engines/engines.h"
#include "cuda/engines/reduce.h"

#include "ops/reduce/where.h"

#include <math.h>
#include <string.h>

typedef struct choosing {
  tsr__reduce r;
  tsr__cuda_view x, mask, out;
  bool masked, skip_nan, has_initial;
  bool nothing_is_nan; /* as asked for: of numbers that have no NaN too */
  double initial;
} choosing;

static tsr_status begin(const tsr_work *work, const tsr_selection *selection, int naxes, const int *axes, bool keepdims,
                        choosing *c) {
  *c = (choosing){.x = tsr__cuda_input(work, 0), .out = tsr__cuda_output(work, 0), .masked = work->in[1] != NULL};
  if (c->masked) c->mask = tsr__cuda_input(work, 1);
  if (selection != NULL) {
    c->skip_nan = selection->skip_nan && tsr_dtype_describe(c->x.tensor.dtype)->class_ == TSR_CLASS_FLOAT;
    c->nothing_is_nan = selection->skip_nan;
    c->has_initial = selection->has_initial;
    c->initial = (double)selection->initial;
  }
  return tsr__reduce_begin(work->ctx, work->op, work->in[0], naxes, axes, keepdims, &c->r);
}

/* What goes into a copy: value of a (x as dtype), where x is chosen, else fill. mean: of every element's result, or NULL. */
static tsr_status plan_choice(tsr__cuda *gpu, tsr_ctx *ctx, const choosing *c, const char *maker, const char *line,
                              int dtype, const void *fill, const tsr__cuda_view *mean, tsr__cuda_view *copy,
                              tsr__cuda_plan *plan) {
  const uint8_t of = (uint8_t)dtype, yes = 1;
  const double number = 0;
  *copy = tsr__cuda_temporary(plan, dtype, c->x.tensor.ndim, c->x.tensor.shape);
  tsr__cuda_elements e = {.maker = maker, .out = *copy};
  tsr__cuda_add_view(&e, &c->x);
  if (c->masked)
    tsr__cuda_add_view(&e, &c->mask);
  else
    tsr__cuda_add_number(&e, TSR_BOOL, &yes);
  tsr__cuda_add_number(&e, dtype, fill);
  if (!c->skip_nan) tsr__cuda_add_number(&e, TSR_F64, &number);
  const uint8_t seen = c->skip_nan ? 0 : 3;
  if (mean != NULL) tsr__cuda_add_view(&e, mean);
  if (mean != NULL) /* the deviation first, which is then chosen */
    e.lines.step[e.lines.steps++] = (tsr__cuda_line_step){.line = "a - b",
                                                          .inputs = 2,
                                                          .in = {0, (uint8_t)(e.lines.inputs - 1)},
                                                          .dtype = {TSR_F64, TSR_F64},
                                                          .compute = TSR_F64,
                                                          .result = TSR_F64,
                                                          .out = TSR_F64};
  const uint8_t first = mean != NULL ? (uint8_t)e.lines.inputs : 0;
  e.lines.step[e.lines.steps++] = (tsr__cuda_line_step){.line = line,
                                                        .inputs = 4,
                                                        .in = {first, 1, 2, seen},
                                                        .dtype = {of, TSR_BOOL, of, TSR_F64},
                                                        .compute = of,
                                                        .result = of,
                                                        .out = of};
  return tsr__cuda_plan_elements(gpu, ctx, &e, plan);
}

static const char taken[] = "b != 0 && p == p ? a : c";
static const char counted[] = "b != 0 && p == p ? 1 : c";
static const char makers[4][2];

/* The copy reduced by a fold, into out. */
static tsr_status plan_fold(tsr__cuda *gpu, tsr_ctx *ctx, const choosing *c, tsr__cuda_fold_kind kind,
                            const tsr__cuda_view *copy, const tsr__cuda_view *out, const void *initial,
                            tsr__cuda_plan *plan) {
  const tsr__cuda_fold fold = tsr__cuda_fold_of(kind, copy->tensor.dtype);
  const tsr__cuda_reduction r = {.fold = &fold,
                                 .compute = copy->tensor.dtype,
                                 .x = *copy,
                                 .axes = c->r.axes,
                                 .out = *out,
                                 .count = (double)c->r.terms.count,
                                 .initial = initial};
  return tsr__cuda_plan_reduction(gpu, ctx, &r, plan);
}

/* Results with the reduced axes as axes of length 1, over x. */
static tsr__cuda_view room_of(const choosing *c, int dtype, tsr__cuda_plan *plan) {
  tsr_index shape[TSR_MAX_DIMS];
  for (int d = 0; d < c->x.tensor.ndim; d++) shape[d] = (c->r.axes >> d & 1) != 0 ? 1 : c->x.tensor.shape[d];
  return tsr__cuda_temporary(plan, dtype, c->x.tensor.ndim, shape);
}

/* How many are chosen for each result. */
static tsr_status plan_counts(tsr__cuda *gpu, tsr_ctx *ctx, const choosing *c, tsr__cuda_view *counts,
                              tsr__cuda_plan *plan) {
  static const unsigned char no[16];
  tsr__cuda_view bools;
  *counts = room_of(c, TSR_F64, plan);
  const tsr_status st = plan_choice(gpu, ctx, c, makers[1], counted, TSR_BOOL, no, NULL, &bools, plan);
  return st == TSR_OK ? plan_fold(gpu, ctx, c, TSR__FOLD_COUNT, &bools, counts, NULL, plan) : st;
}

/* The output's shape over results that have the reduced axes too. */
static tsr__cuda_view as_output(const choosing *c, const tsr__cuda_view *results) {
  tsr__cuda_view view = *results;
  int n = 0;
  if (c->out.tensor.ndim == results->tensor.ndim) return view;
  for (int d = 0; d < results->tensor.ndim; d++)
    if ((c->r.axes >> d & 1) == 0) {
      view.tensor.shape[n] = results->tensor.shape[d];
      view.tensor.stride[n++] = results->tensor.stride[d];
    }
  view.tensor.ndim = (uint8_t)n;
  return view;
}

/* A line of a value and its count, to the output or over x. */
static tsr_status plan_end(tsr__cuda *gpu, tsr_ctx *ctx, const char *maker, const char *line,
                           const tsr__cuda_view *value, const tsr__cuda_view *count, double number,
                           const tsr__cuda_view *out, tsr__cuda_plan *plan) {
  tsr__cuda_elements e = {.maker = maker, .out = *out};
  tsr__cuda_add_view(&e, value);
  tsr__cuda_add_view(&e, count);
  tsr__cuda_add_number(&e, TSR_F64, &number);
  e.lines.steps = 1;
  e.lines.step[0] = (tsr__cuda_line_step){.line = line,
                                          .inputs = 3,
                                          .in = {0, 1, 2},
                                          .dtype = {TSR_F64, TSR_F64, TSR_F64},
                                          .compute = TSR_F64,
                                          .result = TSR_F64,
                                          .out = out->tensor.dtype};
  return tsr__cuda_plan_elements(gpu, ctx, &e, plan);
}

/* ---- one pass ---- */

typedef struct chosen_row {
  const char *op;
  tsr__cuda_fold_kind kind;
  tsr__reduce_neutral neutral;
} chosen_row;

static const chosen_row rows[] = {{"sum_where", TSR__FOLD_SUM, TSR__NEUTRAL_ZERO},
                                  {"prod_where", TSR__FOLD_PROD, TSR__NEUTRAL_ONE},
                                  {"min_where", TSR__FOLD_MIN, TSR__NEUTRAL_MAX},
                                  {"max_where", TSR__FOLD_MAX, TSR__NEUTRAL_MIN},
                                  {"any_where", TSR__FOLD_ANY, TSR__NEUTRAL_ZERO},
                                  {"all_where", TSR__FOLD_ALL, TSR__NEUTRAL_ONE},
                                  {"count_nonzero_where", TSR__FOLD_COUNT, TSR__NEUTRAL_ZERO}};

static int compute_of(tsr__cuda_fold_kind kind, int dtype) {
  if (kind == TSR__FOLD_ANY || kind == TSR__FOLD_ALL || kind == TSR__FOLD_COUNT) return TSR_BOOL;
  return tsr__reduce_compute(kind == TSR__FOLD_PROD ? tsr__reduce_sum_dtype(dtype) : dtype);
}

/* A number of the fold's value, by way of the result's dtype. */
static void make_initial(const choosing *c, int value, unsigned char *bytes) {
  const double x = c->initial;
  const float narrow = c->out.tensor.dtype == TSR_F64 ? 0 : (float)x;
  const int64_t whole = value == TSR_I64 ? (int64_t)x : 0;
  const uint64_t natural = value == TSR_U64 ? (uint64_t)x : 0;
  memcpy(bytes,
         value == TSR_F64   ? (const void *)&x
         : value == TSR_F32 ? (const void *)&narrow
         : value == TSR_I64 ? (const void *)&whole
                            : &natural,
         tsr_dtype_size(value));
}

tsr_status tsr__cuda_selected(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__selected_attrs *const attrs = work->attrs;
  const chosen_row *row = rows;
  choosing c;
  tsr__cuda_view copy, counts;
  _Alignas(16) unsigned char fill[16] = {0}, initial[16] = {0};
  while (strcmp(row->op, op->name) != 0) row++;
  tsr_status st = begin(work, attrs->selection, attrs->axes_count, attrs->axes, attrs->keepdims, &c);
  if (st != TSR_OK || tsr_size(&c.out.tensor) == 0) return st;
  const int compute = compute_of(row->kind, c.x.tensor.dtype);
  const bool truth = compute == TSR_BOOL, extreme = row->kind == TSR__FOLD_MIN || row->kind == TSR__FOLD_MAX;
  if (row->neutral == TSR__NEUTRAL_ONE) {
    const double one = 1;
    const float narrow = 1;
    const uint64_t whole = 1;
    memcpy(fill,
           compute == TSR_F64   ? (const void *)&one
           : compute == TSR_F32 ? (const void *)&narrow
                                : &whole,
           tsr_dtype_size(compute));
  } else if (row->neutral != TSR__NEUTRAL_ZERO) {
    tsr__where_limit(compute, row->neutral == TSR__NEUTRAL_MAX, fill);
  }
  const tsr__cuda_fold fold = tsr__cuda_fold_of(row->kind, compute);
  const bool starts = c.has_initial && !truth;
  if (starts) make_initial(&c, fold.value_dtype, initial);
  st = plan_choice(gpu, work->ctx, &c, makers[0], taken, compute, fill, NULL, &copy, plan);
  if (st != TSR_OK) return st;
  if (!extreme || !c.skip_nan || c.has_initial)
    return plan_fold(gpu, work->ctx, &c, row->kind, &copy, &c.out, starts ? initial : NULL, plan);
  tsr__cuda_view values = room_of(&c, c.out.tensor.dtype, plan); /* of no number there is NaN */
  st = plan_counts(gpu, work->ctx, &c, &counts, plan);
  if (st == TSR_OK) st = plan_fold(gpu, work->ctx, &c, row->kind, &copy, &values, NULL, plan);
  if (st != TSR_OK) return st;
  values = as_output(&c, &values);
  counts = as_output(&c, &counts);
  return plan_end(gpu, work->ctx, &makers[2][0], "b != 0 ? a : c", &values, &counts, NAN, &c.out, plan);
}

/* ---- means and variances ---- */

static tsr_status plan_moments(tsr__cuda *gpu, const tsr_work *work, choosing *c, int ddof, int kind,
                               tsr__cuda_plan *plan) {
  static const unsigned char zero[16];
  static const char *const ends[3][2] = {
      {"a / b", "a / b"},
      {"a / (b - c > 0 ? b - c : 0.0)", "b - c > 0 ? a / (b - c) : __builtin_nan(\"\")"},
      {"__builtin_sqrt(a / (b - c > 0 ? b - c : 0.0))",
       "b - c > 0 ? __builtin_sqrt(a / (b - c)) : __builtin_nan(\"\")"}};
  static const char end_makers[3][2];
  tsr__cuda_view copy, counts, totals = room_of(c, TSR_F64, plan);
  if (tsr_size(&c->out.tensor) == 0) return TSR_OK;
  const int compute = kind > 0 || c->out.tensor.dtype == TSR_F64 ? TSR_F64 : TSR_F32;
  tsr_status st = plan_counts(gpu, work->ctx, c, &counts, plan);
  if (st == TSR_OK) st = plan_choice(gpu, work->ctx, c, makers[0], taken, compute, zero, NULL, &copy, plan);
  if (st == TSR_OK) st = plan_fold(gpu, work->ctx, c, TSR__FOLD_TOTAL, &copy, &totals, NULL, plan);
  if (st != TSR_OK) return st;
  if (kind > 0) {
    const tsr__cuda_view means = room_of(c, TSR_F64, plan), squares = room_of(c, TSR_F64, plan);
    st = plan_end(gpu, work->ctx, &makers[3][0], ends[0][0], &totals, &counts, 0, &means, plan);
    if (st == TSR_OK) st = plan_choice(gpu, work->ctx, c, makers[0], taken, TSR_F64, zero, &means, &copy, plan);
    if (st == TSR_OK) st = plan_fold(gpu, work->ctx, c, TSR__FOLD_SQUARES, &copy, &squares, NULL, plan);
    if (st != TSR_OK) return st;
    totals = squares;
  }
  const tsr__cuda_view values = as_output(c, &totals), over = as_output(c, &counts);
  return plan_end(gpu, work->ctx, &end_makers[kind][c->nothing_is_nan], ends[kind][c->nothing_is_nan], &values, &over,
                  (double)ddof, &c->out, plan);
}

tsr_status tsr__cuda_mean_where(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__selected_attrs *const attrs = work->attrs;
  choosing c;
  (void)op;
  const tsr_status st = begin(work, attrs->selection, attrs->axes_count, attrs->axes, attrs->keepdims, &c);
  return st == TSR_OK ? plan_moments(gpu, work, &c, 0, 0, plan) : st;
}

static tsr_status plan_variance(tsr__cuda *gpu, const tsr_work *work, bool root, tsr__cuda_plan *plan) {
  const tsr__var_where_attrs *const attrs = work->attrs;
  choosing c;
  const tsr_status st = begin(work, attrs->selection, attrs->axes_count, attrs->axes, attrs->keepdims, &c);
  return st == TSR_OK ? plan_moments(gpu, work, &c, attrs->ddof, root ? 2 : 1, plan) : st;
}
tsr_status tsr__cuda_var_where(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_variance(gpu, work, false, plan);
}
tsr_status tsr__cuda_std_where(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_variance(gpu, work, true, plan);
}
