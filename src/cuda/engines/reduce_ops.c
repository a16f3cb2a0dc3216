/* Reductions: what each is made of, and over which elements. */
#include "cuda/engines/engines.h"
#include "cuda/engines/fused.h"
#include "cuda/engines/product.h"
#include "cuda/engines/reduce.h"

#include "cuda/lines.h"
#include "ops/parts.h"
#include "ops/reduce/ops.h"
#include "ops/reduce/real.h"

#include <string.h>

/* ---- folds ---- */

static const char *const names[TSR__FOLD_KINDS] = {
    "sum",     "prod",    "min",       "max",  "any",         "all",    "count",
    "total",   "mean",    "deviation", "root", "magnitude",   "square", "squares",
    "max_abs", "min_abs", "power",     "peak", "exponential", "argmin", "argmax"};

/* How elements are added up in f64 (ops/reduce/real.kernel.c and its like). */
static const char reals[] =
    "static inline double squared(double x) { const double product = x * x; return product; }\n"
    "static inline double absolute(double x) { return x < 0 ? -x : x + 0.0; }\n"
    "static inline double raised(double x, double p) { return p == 0 ? (x != 0 ? 1.0 : 0.0) : pow(fabs(x), p); }\n";

const char tsr__cuda_exponentials[] =
    "#include \"cuda/kernels/elementary.cuh\"\n#include \"cuda/kernels/exponential.cuh\"\n";

typedef struct real_fold {
  const char *neutral, *step, *merge, *finish;
} real_fold;

static const real_fold real_folds[TSR__FOLD_KINDS] = {
    [TSR__FOLD_TOTAL] = {"-0.0", "a + (double)x", "a + b", "v"},
    [TSR__FOLD_MEAN] = {"-0.0", "a + (double)x", "a + b", "v / s.count"},
    [TSR__FOLD_DEVIATION] = {"-0.0", "a + squared((double)x - p)", "a + b", "v / s.over"},
    [TSR__FOLD_DEVIATION_ROOT] = {"-0.0", "a + squared((double)x - p)", "a + b", "__builtin_sqrt(v / s.over)"},
    [TSR__FOLD_MAGNITUDE] = {"-0.0", "a + absolute((double)x)", "a + b", "v + 0.0"},
    [TSR__FOLD_SQUARE] = {"-0.0", "a + squared((double)x)", "a + b", "__builtin_sqrt(v + 0.0)"},
    [TSR__FOLD_SQUARES] = {"-0.0", "a + squared((double)x)", "a + b", "v"},
    [TSR__FOLD_MAX_ABS] = {"0.0", "(absolute((double)x) > a) | (x != x) ? absolute((double)x) : a",
                           "(b > a) | (b != b) ? b : a", "v"},
    [TSR__FOLD_MIN_ABS] = {"__builtin_inf()", "(absolute((double)x) < a) | (x != x) ? absolute((double)x) : a",
                           "(b < a) | (b != b) ? b : a", "v"},
    [TSR__FOLD_POWER] = {"-0.0", "a + raised((double)x, p)", "a + b",
                         "s.power == 0 ? v + 0.0 : pow(v + 0.0, 1 / s.power)"},
    /* A peak that is infinite or NaN is the result, whatever the sum then is. */
    [TSR__FOLD_PEAK] = {"-(C)__builtin_inff()", "FN(tsr__highest)(a, x)", "FN(tsr__highest)(a, b)", "v"},
    [TSR__FOLD_EXPONENTIAL] = {"-0.0", "FN(tsr__plus_exp)(a, (C)x - (C)p)", "a + b",
                               "p - p == 0 ? tsr__log_f64(v + 0.0) + p : p"}};

static tsr__cuda_fold real_fold_of(tsr__cuda_fold_kind kind, int compute) {
  const real_fold *const f = &real_folds[kind];
  const bool peak = kind == TSR__FOLD_PEAK, narrow = peak && compute == TSR_F32;
  const char *const type = narrow ? "float" : "double";
  return (tsr__cuda_fold){.name = names[kind],
                          .lane = type,
                          .value = type,
                          .neutral = f->neutral,
                          .step = f->step,
                          .merge = f->merge,
                          .finish = f->finish,
                          .needs = peak || kind == TSR__FOLD_EXPONENTIAL ? tsr__cuda_exponentials : reals,
                          .result = "v",
                          .value_dtype = narrow ? TSR_F32 : TSR_F64,
                          .value_bytes = narrow ? 4 : 8,
                          .any_order = peak};
}

static bool is_float(int dtype) { return dtype == TSR_F32 || dtype == TSR_F64; }

/* Integers in 64 bits, which wrap; floats in their own type. */
static tsr__cuda_fold own_fold_of(tsr__cuda_fold_kind kind, int compute) {
  const bool with_sign = tsr_dtype_describe(compute)->class_ == TSR_CLASS_INT;
  const char *const type = compute == TSR_F64   ? "double"
                           : compute == TSR_F32 ? "float"
                           : with_sign          ? "int64_t"
                                                : "uint64_t";
  const int dtype = is_float(compute) ? compute : with_sign ? TSR_I64 : TSR_U64;
  const bool floats = is_float(compute), narrow = compute == TSR_F32;
  tsr__cuda_fold f = {.name = names[kind],
                      .lane = type,
                      .value = type,
                      .finish = "v",
                      .result = "v",
                      .value_dtype = dtype,
                      .value_bytes = tsr_dtype_size(dtype),
                      .any_order = kind == TSR__FOLD_MIN || kind == TSR__FOLD_MAX};
  switch ((int)kind) {
    case TSR__FOLD_SUM:
      f.neutral = floats ? "-(LANE)0" : "0";
      f.step = floats ? "a + x" : "(LANE)((uint64_t)a + (uint64_t)(LANE)x)";
      f.merge = floats ? "a + b" : "(VALUE)((uint64_t)a + (uint64_t)b)";
      f.finish = "s.count == 0 ? (VALUE)0 : v";
      break;
    case TSR__FOLD_PROD:
      f.neutral = "1";
      f.step = floats ? "a * x" : "(LANE)((uint64_t)a * (uint64_t)(LANE)x)";
      f.merge = floats ? "a * b" : "(VALUE)((uint64_t)a * (uint64_t)b)";
      break;
    case TSR__FOLD_MIN:
      f.neutral = floats ? "__builtin_inff()" : with_sign ? "0x7fffffffffffffffll" : "0xffffffffffffffffull";
      f.step = narrow ? "tsr__lowest_f32(a, x)" : "x != x ? (LANE)x : (LANE)x < a ? (LANE)x : a";
      f.merge = narrow ? "tsr__lowest_f32(a, b)" : "b != b ? b : b < a ? b : a";
      f.needs = narrow ? tsr__cuda_exponentials : NULL;
      break;
    default:
      f.neutral = floats ? "-__builtin_inff()" : with_sign ? "(-0x7fffffffffffffffll - 1)" : "0ull";
      f.step = narrow ? "tsr__highest_f32(a, x)" : "x != x ? (LANE)x : (LANE)x > a ? (LANE)x : a";
      f.merge = narrow ? "tsr__highest_f32(a, b)" : "b != b ? b : b > a ? b : a";
      f.needs = narrow ? tsr__cuda_exponentials : NULL;
  }
  return f;
}

/* Of bools. */
static tsr__cuda_fold truth_fold_of(tsr__cuda_fold_kind kind) {
  const bool counts = kind == TSR__FOLD_COUNT, all = kind == TSR__FOLD_ALL;
  const char *const type = counts ? "int64_t" : "uint8_t";
  return (tsr__cuda_fold){.name = names[kind],
                          .lane = type,
                          .value = type,
                          .neutral = all ? "1" : "0",
                          .step = counts ? "a + x"
                                  : all  ? "(LANE)(a & x)"
                                         : "(LANE)(a | x)",
                          .merge = counts ? "a + b"
                                   : all  ? "(VALUE)(a & b)"
                                          : "(VALUE)(a | b)",
                          .finish = "v",
                          .result = "v",
                          .value_dtype = counts ? TSR_I64 : TSR_BOOL,
                          .value_bytes = counts ? 8 : 1};
}

/* Where the extreme is: NaN beats all numbers, and of those that are equal the first is meant. */
static const char places[] =
    "struct alignas(16) place { PLACED best; int64_t index; };\n"
    "static __device__ inline place made(PLACED best, int64_t index) { place p; p.best = best; p.index = index; return "
    "p; }\n"
    "static __device__ inline place nearer(place a, place b) {\n"
    "  const bool odd = b.best != b.best, was = a.best != a.best;\n"
    "  const bool beats = odd ? !was : !was && BEATS(b.best, a.best), alike = odd ? was : b.best == a.best;\n"
    "  return a.index < 0 || (b.index >= 0 && (beats || (alike && b.index < a.index))) ? b : a;\n}\n";
static const char is_greater[] = "#define BEATS(x, y) ((x) > (y))\n";
static const char is_less[] = "#define BEATS(x, y) ((x) < (y))\n";

tsr__cuda_fold tsr__cuda_fold_of(tsr__cuda_fold_kind kind, int compute) {
  if (kind == TSR__FOLD_ANY || kind == TSR__FOLD_ALL || kind == TSR__FOLD_COUNT) return truth_fold_of(kind);
  return kind <= TSR__FOLD_MAX ? own_fold_of(kind, compute) : real_fold_of(kind, compute);
}

/* ---- the axes and dtypes of a call, as the host finds them ---- */

typedef struct reducing {
  tsr__reduce r;
  tsr__cuda_view x, out;
  const tsr__cuda_made *made; /* what x is made of; NULL: it is in memory */
  int compute;                /* the dtype that elements become; TSR_NONE: that of the rule */
} reducing;

static tsr_status begin(const tsr_work *work, int naxes, const int *axes, bool keepdims, reducing *a) {
  const tsr_status st = tsr__reduce_begin(work->ctx, work->op, work->in[0], naxes, axes, keepdims, &a->r);
  a->x = tsr__cuda_input(work, 0);
  a->out = tsr__cuda_output(work, 0);
  a->made = NULL;
  a->compute = TSR_NONE;
  return st;
}

/* The dtype that kernels read (ops/reduce/check.c has the same rules). */
static int compute_of(tsr__reduce_rule rule, int dtype, int out) {
  switch (rule) {
    case TSR__REDUCE_TRUTH:
    case TSR__REDUCE_COUNTS: return TSR_BOOL;
    case TSR__REDUCE_PRODUCTS: return tsr__reduce_compute(tsr__reduce_sum_dtype(dtype));
    case TSR__REDUCE_REALS: return out == TSR_F64 ? TSR_F64 : TSR_F32;
    default: return tsr__reduce_compute(dtype);
  }
}

typedef struct reduce_row {
  tsr__cuda_fold_kind first, second;
  tsr__reduce_rule rule;
  bool two; /* passes */
} reduce_row;

static const reduce_row rows[] = {{TSR__FOLD_SUM, 0, TSR__REDUCE_SUMS, false},
                                  {TSR__FOLD_PROD, 0, TSR__REDUCE_PRODUCTS, false},
                                  {TSR__FOLD_MIN, 0, TSR__REDUCE_OWN, false},
                                  {TSR__FOLD_MAX, 0, TSR__REDUCE_OWN, false},
                                  {TSR__FOLD_ANY, 0, TSR__REDUCE_TRUTH, false},
                                  {TSR__FOLD_ALL, 0, TSR__REDUCE_TRUTH, false},
                                  {TSR__FOLD_COUNT, 0, TSR__REDUCE_COUNTS, false},
                                  {TSR__FOLD_MEAN, 0, TSR__REDUCE_REALS, false},
                                  {TSR__FOLD_MEAN, TSR__FOLD_DEVIATION, TSR__REDUCE_REALS, true},
                                  {TSR__FOLD_MEAN, TSR__FOLD_DEVIATION_ROOT, TSR__REDUCE_REALS, true},
                                  {TSR__FOLD_MAGNITUDE, 0, TSR__REDUCE_REALS, false},
                                  {TSR__FOLD_SQUARE, 0, TSR__REDUCE_REALS, false},
                                  {TSR__FOLD_MAX_ABS, 0, TSR__REDUCE_REALS, false},
                                  {TSR__FOLD_MIN_ABS, 0, TSR__REDUCE_REALS, false},
                                  {TSR__FOLD_POWER, 0, TSR__REDUCE_REALS, false},
                                  {TSR__FOLD_PEAK, TSR__FOLD_EXPONENTIAL, TSR__REDUCE_REALS, true},
                                  {TSR__FOLD_SQUARES, 0, TSR__REDUCE_REALS, false}};
enum {
  ROW_SUM,
  ROW_PROD,
  ROW_MIN,
  ROW_MAX,
  ROW_ANY,
  ROW_ALL,
  ROW_COUNT,
  ROW_MEAN,
  ROW_VAR,
  ROW_STD,
  ROW_NORM1,
  ROW_NORM2,
  ROW_NORM_INF,
  ROW_NORM_LEAST,
  ROW_NORM,
  ROW_LOGSUMEXP,
  ROW_SQUARES /* of complex numbers */
};

/* A row-major view of one f64 for each output, in temporary memory. */
static tsr__cuda_view room_of(tsr__cuda_plan *plan, const reducing *a) {
  tsr_tensor like = tsr__reduce_result_as(&a->r, TSR_F64);
  return tsr__cuda_temporary(plan, TSR_F64, like.ndim, like.shape);
}

static tsr_status plan_row(tsr__cuda *gpu, const tsr_work *work, const reduce_row *row, reducing *a, int ddof,
                           double power, const void *initial, tsr__cuda_plan *plan) {
  const int compute =
      a->compute != TSR_NONE ? a->compute : compute_of(row->rule, a->x.tensor.dtype, a->out.tensor.dtype);
  const tsr__cuda_fold first = tsr__cuda_fold_of(row->first, compute);
  const tsr_index count = a->r.terms.count, over = count > ddof ? count - ddof : 0;
  tsr_status st = a->made == NULL ? tsr__cuda_unaliased(gpu, work->ctx, &a->out, &a->x, plan) : TSR_OK;
  tsr__cuda_reduction r = {.fold = &first,
                           .compute = compute,
                           .x = a->x,
                           .made = a->made,
                           .axes = a->r.axes,
                           .out = a->out,
                           .count = (double)count,
                           .over = (double)over,
                           .power = power,
                           .initial = initial};
  if (st != TSR_OK || !row->two) return st == TSR_OK ? tsr__cuda_plan_reduction(gpu, work->ctx, &r, plan) : st;
  const tsr__cuda_fold second = tsr__cuda_fold_of(row->second, compute);
  if (tsr__cuda_is_staged(gpu, &r)) {
    r.second = &second;
    return tsr__cuda_plan_reduction(gpu, work->ctx, &r, plan);
  }
  r.out = room_of(plan, a);
  st = tsr__cuda_plan_reduction(gpu, work->ctx, &r, plan);
  r.fold = &second;
  r.param = r.out.ref;
  r.with_param = true;
  r.out = a->out;
  return st == TSR_OK ? tsr__cuda_plan_reduction(gpu, work->ctx, &r, plan) : st;
}

/* ---- complex numbers: parts or absolute values, as the host does it ---- */

static tsr__cuda_view part_of(const tsr__cuda_view *v, int part) {
  tsr__cuda_view one = *v;
  one.tensor = tsr__part_of(&v->tensor, part);
  if (v->tensor.data == NULL) one.tensor.data = NULL;
  one.ref.offset += part * (ptrdiff_t)tsr_dtype_size(one.tensor.dtype);
  return one;
}

tsr_status tsr__cuda_plan_sum(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *x, uint32_t axes, bool truth,
                              const tsr__cuda_view *out, tsr__cuda_plan *plan) {
  const int dtype = x->tensor.dtype, parts = 1 + tsr__is_complex(dtype);
  double count = 1;
  for (int d = 0; d < x->tensor.ndim; d++)
    if ((axes >> d & 1) != 0) count *= (double)x->tensor.shape[d];
  const int compute = truth ? TSR_BOOL : tsr__cuda_sum_dtype(tsr__part_dtype(dtype));
  const tsr__cuda_fold fold = tsr__cuda_fold_of(truth ? TSR__FOLD_ANY : TSR__FOLD_SUM, compute);
  tsr_status st = TSR_OK;
  for (int part = 0; part < parts && st == TSR_OK; part++) {
    const tsr__cuda_reduction r = {.fold = &fold,
                                   .compute = compute,
                                   .x = parts == 2 ? part_of(x, part) : *x,
                                   .axes = axes,
                                   .out = parts == 2 ? part_of(out, part) : *out,
                                   .count = count};
    st = tsr__cuda_plan_reduction(gpu, ctx, &r, plan);
  }
  return st;
}

static tsr_status plan_part(tsr__cuda *gpu, const tsr_work *work, int row, const reducing *whole, int part,
                            const tsr__cuda_view *out, int ddof, tsr__cuda_plan *plan) {
  reducing a = *whole;
  a.x = part_of(&whole->x, part);
  a.out = *out;
  a.r.x = &a.x.tensor;
  return plan_row(gpu, work, &rows[row], &a, ddof, 0, NULL, plan);
}

static tsr_status plan_line_of(tsr__cuda *gpu, const tsr_work *work, const char *line, int compute, int inputs,
                               const tsr__cuda_view *in, const tsr__cuda_view *out, tsr__cuda_plan *plan) {
  tsr__cuda_elements e = {.maker = line, .out = *out};
  for (int k = 0; k < inputs; k++) tsr__cuda_add_view(&e, &in[k]);
  e.lines.steps = 1;
  e.lines.step[0] = (tsr__cuda_line_step){.line = line,
                                          .inputs = (uint8_t)inputs,
                                          .in = {0, 1},
                                          .dtype = {(uint8_t)compute, (uint8_t)compute},
                                          .compute = (uint8_t)compute,
                                          .result = (uint8_t)compute,
                                          .out = out->tensor.dtype};
  return tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
}

/* Sums of both parts, added in f64; the root of that. Results lie without the reduced axes. */
static tsr_status plan_added(tsr__cuda *gpu, const tsr_work *work, int row, const reducing *a, int ddof, bool root,
                             tsr__cuda_plan *plan) {
  static const char added[] = "a + b", rooted[] = "__builtin_sqrt(a + b + 0.0)";
  const tsr__cuda_view sums[2] = {room_of(plan, a), room_of(plan, a)};
  reducing whole = *a;
  whole.compute = tsr__part_dtype(a->x.tensor.dtype);
  tsr_status st = TSR_OK;
  for (int part = 0; part < 2 && st == TSR_OK; part++)
    st = plan_part(gpu, work, row, &whole, part, &sums[part], ddof, plan);
  return st == TSR_OK ? plan_line_of(gpu, work, root ? rooted : added, TSR_F64, 2, sums, &a->out, plan) : st;
}

/* Absolute values in temporary memory, and what is made of those. */
static tsr_status plan_sizes(tsr__cuda *gpu, const tsr_work *work, int row, const reducing *a, double power,
                             tsr__cuda_plan *plan) {
  const tsr__cuda_line *const line = &tsr__cuda_line_of[TSR__LINE_abs];
  const int part = tsr__part_dtype(a->x.tensor.dtype);
  const tsr__dtypes dtypes = {a->x.tensor.dtype, part, part};
  reducing of = *a;
  tsr__cuda_elements e = {.maker = line, .out = tsr__cuda_temporary(plan, part, a->x.tensor.ndim, a->x.tensor.shape)};
  tsr__cuda_add_view(&e, &a->x);
  tsr__cuda_add_step(&e.lines, line, &dtypes, 1, (const int[]){0});
  const tsr_status st = tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
  of.x = e.out;
  of.r.x = &of.x.tensor;
  return st == TSR_OK ? plan_row(gpu, work, &rows[row], &of, 0, power, NULL, plan) : st;
}

/* Elements first … first + n of the last axis. */
static tsr__cuda_view some_of(const tsr__cuda_view *v, tsr_index first, tsr_index n) {
  tsr__cuda_view some = *v;
  const int last = v->tensor.ndim - 1;
  some.ref.offset += (ptrdiff_t)(first * v->tensor.stride[last]) * (ptrdiff_t)tsr_dtype_size(v->tensor.dtype);
  some.tensor.shape[last] = n;
  return some;
}

/* A copy with the reduced axes last, as one; then the first half of what is left times the second, until one is left. */
static tsr_status plan_product(tsr__cuda *gpu, const tsr_work *work, const reducing *a, tsr__cuda_plan *plan) {
  const tsr__cuda_line *const line = &tsr__cuda_line_of[TSR__LINE_mul];
  const int dtype = a->x.tensor.dtype;
  const tsr__dtypes dtypes = {dtype, dtype, dtype};
  const tsr_index count = a->r.terms.count;
  tsr__cuda_view view = a->x, out = a->out;
  int n = 0, kept = 0;
  for (int reduced = 0; reduced < 2; reduced++)
    for (int i = 0; i < a->x.tensor.ndim; i++) {
      if ((int)(a->r.axes >> i & 1) != reduced) continue;
      view.tensor.shape[n] = a->x.tensor.shape[i];
      view.tensor.stride[n++] = a->x.tensor.stride[i];
      kept += !reduced;
    }
  const tsr__cuda_view copy = tsr__cuda_temporary(plan, dtype, n, view.tensor.shape);
  tsr__cuda_view rows_of = copy; /* (outputs of each kept axis …, count) */
  rows_of.tensor.ndim = (uint8_t)(kept + 1);
  for (int d = 0; d < kept; d++) rows_of.tensor.stride[d] = copy.tensor.stride[d];
  rows_of.tensor.shape[kept] = count;
  rows_of.tensor.stride[kept] = 1;
  tsr_status st = tsr__cuda_plan_cast(gpu, work->ctx, &view, &copy, plan);
  for (tsr_index left = count; left > 1 && st == TSR_OK; left -= left / 2) {
    const tsr__cuda_view first = some_of(&rows_of, 0, left / 2), second = some_of(&rows_of, left - left / 2, left / 2);
    tsr__cuda_elements e = {.maker = line, .out = first};
    e.lines.in_place = true;
    tsr__cuda_add_view(&e, &first);
    tsr__cuda_add_view(&e, &second);
    tsr__cuda_add_step(&e.lines, line, &dtypes, 2, (const int[]){0, 1});
    st = tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
  }
  if (st != TSR_OK) return st;
  rows_of.tensor.ndim = out.tensor.ndim; /* the output's axes: reduced ones of length 1 or none */
  for (int d = 0, k = 0; d < out.tensor.ndim; d++) {
    const bool one = out.tensor.ndim == a->x.tensor.ndim && (a->r.axes >> d & 1) != 0;
    rows_of.tensor.shape[d] = out.tensor.shape[d];
    rows_of.tensor.stride[d] = one ? 0 : copy.tensor.stride[k++];
  }
  return tsr__cuda_plan_cast(gpu, work->ctx, &rows_of, &out, plan);
}

static tsr_status plan_complex(tsr__cuda *gpu, const tsr_work *work, int row, reducing *a, int ddof, double power,
                               tsr__cuda_plan *plan) {
  tsr_status st = tsr__cuda_unaliased(gpu, work->ctx, &a->out, &a->x, plan);
  if (st != TSR_OK || tsr_size(&a->out.tensor) == 0) return st;
  a->r.x = &a->x.tensor;
  switch (row) {
    case ROW_SUM:
    case ROW_MEAN:
      for (int part = 0; part < 2 && st == TSR_OK; part++) {
        const tsr__cuda_view out = part_of(&a->out, part);
        st = plan_part(gpu, work, row, a, part, &out, 0, plan);
      }
      return st;
    case ROW_PROD:
      if (a->r.terms.count > 0) return plan_product(gpu, work, a, plan);
      static const double one[2] = {1, 0};
      static const float one_f32[2] = {1, 0};
      return tsr__cuda_plan_fill(gpu, work->ctx, a->out.tensor.dtype == TSR_C64 ? (const void *)one_f32 : one, &a->out,
                                 plan);
    case ROW_VAR: return plan_added(gpu, work, ROW_VAR, a, ddof, false, plan);
    case ROW_STD: return plan_added(gpu, work, ROW_VAR, a, ddof, true, plan);
    case ROW_NORM2: return plan_added(gpu, work, ROW_SQUARES, a, 0, true, plan);
    default: return plan_sizes(gpu, work, row, a, power, plan);
  }
}

/* Any elements. */
static tsr_status plan_call(tsr__cuda *gpu, const tsr_work *work, int row, reducing *a, int ddof, double power,
                            tsr__cuda_plan *plan) {
  const tsr__reduce_rule rule = rows[row].rule;
  if (tsr__is_complex(a->x.tensor.dtype) && rule != TSR__REDUCE_TRUTH && rule != TSR__REDUCE_COUNTS)
    return plan_complex(gpu, work, row, a, ddof, power, plan);
  return plan_row(gpu, work, &rows[row], a, ddof, power, NULL, plan);
}

static tsr_status plan_reduction(tsr__cuda *gpu, const tsr_work *work, int row, tsr__cuda_plan *plan) {
  const tsr__reduction_attrs *const attrs = work->attrs;
  reducing a;
  const tsr_status st = begin(work, attrs->axes_count, attrs->axes, attrs->keepdims, &a);
  return st == TSR_OK ? plan_call(gpu, work, row, &a, 0, 0, plan) : st;
}

#define REDUCTION(name, row)                                                                                        \
  tsr_status tsr__cuda_##name(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) { \
    (void)op;                                                                                                       \
    return plan_reduction(gpu, work, row, plan);                                                                    \
  }
REDUCTION(sum, ROW_SUM)
REDUCTION(prod, ROW_PROD)
REDUCTION(min, ROW_MIN)
REDUCTION(max, ROW_MAX)
REDUCTION(any, ROW_ANY)
REDUCTION(all, ROW_ALL)
REDUCTION(count_nonzero, ROW_COUNT)
REDUCTION(mean, ROW_MEAN)
REDUCTION(norm1, ROW_NORM1)
REDUCTION(norm2, ROW_NORM2)
REDUCTION(norm_inf, ROW_NORM_INF)
REDUCTION(logsumexp, ROW_LOGSUMEXP)

static tsr_status plan_variance(tsr__cuda *gpu, const tsr_work *work, int row, tsr__cuda_plan *plan) {
  const tsr__var_attrs *const attrs = work->attrs;
  reducing a;
  const tsr_status st = begin(work, attrs->axes_count, attrs->axes, attrs->keepdims, &a);
  return st == TSR_OK ? plan_call(gpu, work, row, &a, attrs->ddof, 0, plan) : st;
}
tsr_status tsr__cuda_var(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_variance(gpu, work, ROW_VAR, plan);
}
tsr_status tsr__cuda_std(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_variance(gpu, work, ROW_STD, plan);
}

static int norm_row(double p) {
  const bool infinite = p - p != 0;
  return p == 1 ? ROW_NORM1 : p == 2 ? ROW_NORM2 : infinite ? (p > 0 ? ROW_NORM_INF : ROW_NORM_LEAST) : ROW_NORM;
}

tsr_status tsr__cuda_norm(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__norm_attrs *const attrs = work->attrs;
  const double p = (double)attrs->p;
  const int row = norm_row(p);
  reducing a;
  (void)op;
  const tsr_status st = begin(work, attrs->axes_count, attrs->axes, attrs->keepdims, &a);
  return st == TSR_OK ? plan_call(gpu, work, row, &a, 0, p, plan) : st;
}

/* ---- of elements that are made ---- */

static const char *const row_names[] = {"sum",           "prod", "min",  "max",      "any",   "all",
                                        "count_nonzero", "mean", "var",  "std",      "norm1", "norm2",
                                        "norm_inf",      "",     "norm", "logsumexp"};

static int row_of(const char *name) {
  for (int i = 0; i < (int)(sizeof row_names / sizeof row_names[0]); i++)
    if (strcmp(row_names[i], name) == 0) return i;
  return -1;
}

/* The value that the group ends with, as a row-major tensor of no memory. */
static tsr_tensor virtual_tensor(const tsr__group *g) {
  tsr_tensor t = {.dtype = g->value[g->ended].dtype, .ndim = (uint8_t)g->ndim};
  tsr_index size = 1;
  for (int d = g->ndim - 1; d >= 0; d--) {
    t.shape[d] = g->shape[d];
    t.stride[d] = size;
    size *= g->shape[d];
  }
  return t;
}

tsr_status tsr__cuda_plan_fused_reduction(tsr__cuda *gpu, const tsr_work *work, const tsr__cuda_made *m,
                                          tsr__cuda_plan *plan) {
  const tsr__group *const g = m->group;
  reducing a = {.r = g->reduce, .x = {.tensor = virtual_tensor(g)}, .out = tsr__cuda_output(work, 0), .made = m};
  const double power = (double)g->reduce.terms.power;
  int row = row_of(g->ends->name);
  if (row < 0)
    return TSR__FAIL(work->ctx, TSR_EDEVICE, g->ends->name, NULL, "is no reduction that elements are made for");
  if (row == ROW_NORM) row = norm_row(power);
  a.r.x = &a.x.tensor;
  return plan_row(gpu, work, &rows[row], &a, a.r.terms.ddof, power, NULL, plan);
}

/* ---- where the minimum and the maximum are ---- */

tsr_status tsr__cuda_plan_place(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_view *x, uint32_t axes, bool is_least,
                                const tsr__cuda_view *out, tsr__cuda_plan *plan) {
  tsr__cuda_text needs = {0};
  const int compute = tsr__reduce_compute(x->tensor.dtype);
  /* as wide as an index, so that no byte of a place is unused */
  const char *const wide = is_float(compute)                                      ? "double"
                           : tsr_dtype_describe(compute)->class_ == TSR_CLASS_INT ? "int64_t"
                                                                                  : "uint64_t";
  tsr__cuda_text_format(&needs, "typedef %s PLACED;\n%s%s", wide, is_least ? is_less : is_greater, places);
  const tsr__cuda_fold fold = {.name = names[is_least ? TSR__FOLD_ARGMIN : TSR__FOLD_ARGMAX],
                               .lane = "place",
                               .value = "place",
                               .neutral = "made(0, -1)",
                               .step = "nearer(a, made(x, r))",
                               .merge = "nearer(a, b)",
                               .finish = "v",
                               .needs = needs.data,
                               .result = "v.index",
                               .value_dtype = TSR_I64,
                               .value_bytes = 16};
  const tsr__cuda_reduction r = {.fold = &fold, .compute = compute, .x = *x, .axes = axes, .out = *out};
  const tsr_status st = needs.failed ? TSR_ENOMEM : tsr__cuda_plan_reduction(gpu, ctx, &r, plan);
  tsr__cuda_text_free(&needs);
  return st;
}

static tsr_status plan_place(tsr__cuda *gpu, const tsr_work *work, bool is_least, tsr__cuda_plan *plan) {
  const tsr__argmin_attrs *const attrs = work->attrs;
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  tsr__cuda_view x = tsr__cuda_input(work, 0);
  tsr__reduce r;
  tsr_status st = tsr__reduce_begin_axis(work->ctx, work->op, work->in[0], attrs->axis, attrs->keepdims, &r);
  if (st == TSR_OK) st = tsr__cuda_unaliased(gpu, work->ctx, &out, &x, plan);
  return st == TSR_OK ? tsr__cuda_plan_place(gpu, work->ctx, &x, r.axes, is_least, &out, plan) : st;
}

tsr_status tsr__cuda_argmin(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_place(gpu, work, true, plan);
}
tsr_status tsr__cuda_argmax(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_place(gpu, work, false, plan);
}
