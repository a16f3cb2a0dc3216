/* What is picked from sorted rows: the k best, parts around a place, quantiles. */
#include "cuda/engines/engines.h"
#include "cuda/engines/sort.h"
#include "ops/sort/ops.h"

#include <stdio.h>
#include <string.h>

static unsigned blocks_of(uint64_t all, unsigned threads) { return (unsigned)((all + threads - 1) / threads); }

/* ---- the k best ---- */

typedef struct pick_args { /* of kernels/pick_rows.cuh */
  uint64_t x, places, values, index, length, step, count, all;
} pick_args;

typedef struct best {
  const tsr_work *work;
  tsr__cuda_rows in;
  uint32_t axes;
  uint64_t k;
  tsr__cuda_ref places; /* of the best in each row */
  uint64_t step;
} best;

static tsr_status pick_kernel(tsr__cuda *gpu, tsr_ctx *ctx, int bytes, bool wide, const tsr__cuda_kernel **kernel) {
  static const char maker;
  tsr__cuda_key key;
  char words[96];
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)bytes;
  key.part[1] = wide;
  (void)snprintf(words, sizeof words, "typedef uint%d_t U;\ntypedef uint%d_t PLACE;\n", 8 * bytes, wide ? 64 : 32);
  return tsr__cuda_sort_kernel(gpu, ctx, &key, words, "cuda/kernels/pick_rows.cuh", "tsr_pick_rows", 0, kernel);
}

/* Values and places to the outputs. */
static tsr_status plan_picks(tsr__cuda *gpu, const best *b, tsr__cuda_plan *plan) {
  const tsr_work *const work = b->work;
  const bool wide = tsr__cuda_sort_index(b->in.length) == TSR_U64;
  const tsr__cuda_kernel *kernel;
  tsr__cuda_rows out[2];
  const pick_args args = {.length = b->in.length, .step = b->step, .count = b->k, .all = b->k * b->in.rows};
  tsr_status st = pick_kernel(gpu, work->ctx, (int)tsr_dtype_size(work->in[0]->dtype), wide, &kernel);
  if (st != TSR_OK) return st;
  for (int i = 0; i < 2; i++)
    if (work->out[i] != NULL) out[i] = tsr__cuda_rows_out(work, i, b->axes, plan);
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){blocks_of(args.all, 256), 1, 1}, 256, 0, &args, sizeof args);
  tsr__cuda_plan_address(plan, offsetof(pick_args, x), b->in.view.ref);
  tsr__cuda_plan_address(plan, offsetof(pick_args, places), b->places);
  for (int i = 0; i < 2; i++)
    if (work->out[i] != NULL)
      tsr__cuda_plan_address(plan, i == 0 ? offsetof(pick_args, values) : offsetof(pick_args, index), out[i].view.ref);
  for (int i = 0; i < 2 && st == TSR_OK; i++)
    if (work->out[i] != NULL) st = tsr__cuda_rows_end(gpu, work, i, b->axes, &out[i], plan);
  return st;
}

/* The places of the k best, in the order of the places. */
static tsr_status order_places(tsr__cuda *gpu, tsr_ctx *ctx, best *b, tsr__cuda_plan *plan) {
  const int dtype = tsr__cuda_sort_index(b->in.length);
  const tsr_index rows = (tsr_index)b->in.rows, k = (tsr_index)b->k, step = (tsr_index)b->step;
  const tsr__cuda_view from = {.tensor = {.dtype = (uint8_t)dtype, .ndim = 2, .shape = {rows, k}, .stride = {step, 1}},
                               .ref = b->places};
  const tsr__cuda_view first = tsr__cuda_temporary(plan, dtype, 2, (tsr_index[]){rows, k});
  const tsr_status st = tsr__cuda_plan_cast(gpu, ctx, &from, &first, plan);
  if (st != TSR_OK) return st;
  tsr__cuda_sorting s = {.keys = tsr__keys_of_dtype(dtype, false), .rows = b->in.rows, .length = b->k, .x = first};
  s.values = true;
  s.values_to = b->places = tsr__cuda_temporary(plan, dtype, 2, (tsr_index[]){rows, k}).ref;
  b->step = b->k;
  return tsr__cuda_plan_sort(gpu, ctx, &s, plan);
}

tsr_status tsr__cuda_topk(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__topk_attrs *const attrs = work->attrs;
  const tsr_tensor *const x = work->in[0];
  best b = {.work = work, .axes = 1u << tsr__cuda_axis(attrs->axis, x->ndim), .k = (uint64_t)attrs->k};
  (void)op;
  if (tsr_size(x) == 0 || attrs->k == 0) return TSR_OK;
  tsr_status st = tsr__cuda_rows_in(gpu, work, b.axes, false, &b.in, plan);
  if (st != TSR_OK) return st;
  tsr__cuda_sorting s = tsr__cuda_sorting_of(&b.in, attrs->largest);
  s.index = s.narrow = true;
  s.index_to = b.places =
      tsr__cuda_temporary(plan, tsr__cuda_sort_index(s.length), x->ndim, b.in.view.tensor.shape).ref;
  b.step = s.length;
  st = tsr__cuda_plan_sort(gpu, work->ctx, &s, plan);
  if (st == TSR_OK && !attrs->sorted) st = order_places(gpu, work->ctx, &b, plan);
  return st == TSR_OK ? plan_picks(gpu, &b, plan) : st;
}

/* ---- parts ---- */

static tsr_status plan_partition(tsr__cuda *gpu, const tsr_work *work, bool index, tsr__cuda_plan *plan) {
  const tsr__partition_attrs *const attrs = work->attrs;
  const tsr_tensor *const x = work->in[0];
  const int axis = tsr__cuda_axis(attrs->axis, x->ndim);
  const uint32_t axes = 1u << axis;
  tsr__cuda_rows in;
  if (tsr_size(x) == 0) return TSR_OK;
  tsr_status st = tsr__cuda_rows_in(gpu, work, axes, !index, &in, plan);
  if (st != TSR_OK) return st;
  tsr__cuda_sorting s = tsr__cuda_sorting_of(&in, false);
  const tsr_tensor *const t = &in.view.tensor;
  s.values = true;
  s.values_to = tsr__cuda_temporary(plan, t->dtype, t->ndim, t->shape).ref;
  st = tsr__cuda_plan_sort(gpu, work->ctx, &s, plan);
  if (st != TSR_OK) return st;
  const tsr__cuda_rows out = tsr__cuda_rows_out(work, 0, axes, plan);
  s.pivots = true;
  s.sorted = s.values_to;
  s.place = (uint64_t)(attrs->place < 0 ? attrs->place + x->shape[axis] : attrs->place);
  s.values = !index;
  s.index = index;
  s.values_to = s.index_to = out.view.ref;
  st = tsr__cuda_plan_sort(gpu, work->ctx, &s, plan);
  return st == TSR_OK ? tsr__cuda_rows_end(gpu, work, 0, axes, &out, plan) : st;
}

tsr_status tsr__cuda_partition(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_partition(gpu, work, false, plan);
}
tsr_status tsr__cuda_argpartition(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_partition(gpu, work, true, plan);
}

/* ---- quantiles ---- */

enum { QUANTILES = 16 }; /* of a launch */

typedef struct quantile_args { /* of kernels/quantile.cuh */
  uint64_t sorted, out, flip, limit, rows, length, count;
  double q[QUANTILES];
  int32_t mode, skip_nan;
} quantile_args;

typedef struct quantiling {
  const tsr_real *q;
  int count, naxes;
  const int *axes;
  tsr_interpolation mode;
  bool skip_nan;
} quantiling;

static tsr_status quantile_kernel(tsr__cuda *gpu, tsr_ctx *ctx, int dtype, int out, const tsr__cuda_kernel **kernel) {
  static const char maker;
  const tsr__keys k = tsr__keys_of_dtype(dtype, false);
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)dtype;
  key.part[1] = (uint8_t)out;
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  tsr__cuda_text_expand(&text, "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n");
  tsr__cuda_text_format(&text, "typedef %s_mem T;\ntypedef %s_mem RESULT;\n#define SAME %d\n#define BITS %d\n",
                        tsr__cuda_dtype(dtype), tsr__cuda_dtype(out), (int)(dtype == out), 8 * k.bytes);
  tsr__cuda_text_format(&text, "#define FLOATS %d\nstatic __device__ inline RESULT stored(double v) { return ",
                        (int)k.floats);
  tsr__cuda_add_cast(&text, TSR_F64, out, "v");
  tsr__cuda_text_add(&text, "; }\nstatic __device__ inline double loaded(T t) { return ");
  tsr__cuda_add_cast(&text, dtype, TSR_F64, "t");
  tsr__cuda_text_expand(&text, "; }\n#include \"cuda/kernels/quantile.cuh\"\n");
  const tsr__cuda_source source = {.text = text.data, .name = "tsr_quantile"};
  const tsr_status st = text.failed ? TSR_ENOMEM : tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

static void plan_quantiles(const quantiling *u, const tsr__cuda_kernel *kernel, const tsr__cuda_sorting *s,
                           const tsr__cuda_view *out, tsr__cuda_plan *plan) {
  for (int first = 0; first < u->count; first += QUANTILES) {
    const int count = u->count - first < QUANTILES ? u->count - first : QUANTILES;
    quantile_args args = {.flip = s->keys.flip,
                          .limit = s->keys.limit,
                          .rows = s->rows,
                          .length = s->length,
                          .count = (uint64_t)count,
                          .mode = (int32_t)u->mode,
                          .skip_nan = u->skip_nan};
    for (int i = 0; i < count; i++) args.q[i] = (double)u->q[first + i];
    tsr__cuda_ref to = out->ref;
    to.offset += (ptrdiff_t)((uint64_t)first * s->rows * tsr_dtype_size(out->tensor.dtype));
    tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){blocks_of(args.rows * args.count, 128), 1, 1}, 128, 0, &args,
                          sizeof args);
    tsr__cuda_plan_address(plan, offsetof(quantile_args, sorted), s->values_to);
    tsr__cuda_plan_address(plan, offsetof(quantile_args, out), to);
  }
}

static tsr_status quantile_rows(tsr__cuda *gpu, const tsr_work *work, const quantiling *u, tsr__cuda_plan *plan) {
  const tsr_tensor *const x = work->in[0];
  tsr__cuda_rows in;
  const tsr__cuda_kernel *kernel;
  uint32_t axes = 0;
  (void)tsr__resolve_axes(x->ndim, u->naxes, u->axes, &axes);
  if (tsr_size(work->out[0]) == 0) return TSR_OK;
  tsr_status st = tsr__cuda_rows_in(gpu, work, axes, false, &in, plan);
  if (st == TSR_OK) st = quantile_kernel(gpu, work->ctx, x->dtype, work->out[0]->dtype, &kernel);
  if (st != TSR_OK) return st;
  const tsr__cuda_rows out = tsr__cuda_rows_out(work, 0, 0, plan);
  const tsr_tensor *const t = &in.view.tensor;
  tsr__cuda_sorting s = tsr__cuda_sorting_of(&in, false);
  s.values = true;
  s.values_to = tsr__cuda_temporary(plan, t->dtype, t->ndim, t->shape).ref;
  st = tsr__cuda_plan_sort(gpu, work->ctx, &s, plan);
  if (st != TSR_OK) return st;
  plan_quantiles(u, kernel, &s, &out.view, plan);
  return tsr__cuda_rows_end(gpu, work, 0, 0, &out, plan);
}

static tsr_status plan_quantile(tsr__cuda *gpu, const tsr_work *work, bool skip_nan, tsr__cuda_plan *plan) {
  const tsr__quantile_attrs *const a = work->attrs;
  const quantiling u = {
      .q = &a->q, .count = 1, .naxes = a->axes_count, .axes = a->axes, .mode = a->mode, .skip_nan = skip_nan};
  return quantile_rows(gpu, work, &u, plan);
}
tsr_status tsr__cuda_quantile(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_quantile(gpu, work, false, plan);
}
tsr_status tsr__cuda_nanquantile(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_quantile(gpu, work, true, plan);
}

tsr_status tsr__cuda_quantiles(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__quantiles_attrs *const a = work->attrs;
  const quantiling u = {.q = a->q, .count = a->q_count, .naxes = a->axes_count, .axes = a->axes, .mode = a->mode};
  (void)op;
  return quantile_rows(gpu, work, &u, plan);
}

static tsr_status plan_median(tsr__cuda *gpu, const tsr_work *work, bool skip_nan, tsr__cuda_plan *plan) {
  static const tsr_real half = (tsr_real)0.5;
  const tsr__median_attrs *const a = work->attrs;
  const quantiling u = {.q = &half,
                        .count = 1,
                        .naxes = a->axes_count,
                        .axes = a->axes,
                        .mode = TSR_INTERPOLATE_LINEAR,
                        .skip_nan = skip_nan};
  return quantile_rows(gpu, work, &u, plan);
}
tsr_status tsr__cuda_median(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_median(gpu, work, false, plan);
}
tsr_status tsr__cuda_nanmedian(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_median(gpu, work, true, plan);
}
