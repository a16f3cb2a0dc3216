/* What is picked from rows: the k best, parts around a place, quantiles. Long rows are not sorted for the first two. */
#include "cuda/engines/engines.h"
#include "cuda/engines/sort.h"
#include "ops/sort/ops.h"

#include <stdio.h>
#include <string.h>

static unsigned blocks_of(uint64_t all, unsigned threads) { return (unsigned)((all + threads - 1) / threads); }

/* ---- without sorting ---- */

enum { SELECT_THREADS = 512, BINS = 2048, BIN_BITS = 11, STATE_BYTES = 40 };
enum { COUNT_KERNEL, LIST_KERNEL, ELEMENT_KERNEL };

typedef struct select_args { /* of kernels/select.cuh */
  uint64_t x, states, counts, list, elements, flip, limit, length, k;
  uint32_t blocks, first, top, by_place, exact;
} select_args;

typedef struct selecting {
  const tsr__cuda_sorting *s;
  tsr__cuda_ref states, counts, to;
  select_args args;
} selecting;

bool tsr__cuda_selects(const tsr__cuda_sorting *s) {
  return s->length > 4096 && tsr__cuda_sort_index(s->length) == TSR_U32;
}

static tsr_status select_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_sorting *s, int part,
                                const tsr__cuda_kernel **kernel) {
  static const char *const names[] = {"tsr_select_count", "tsr_select_list", "tsr_select_element"};
  static const char maker;
  const int place = 8 * (int)tsr_dtype_size(tsr__cuda_sort_index(s->length));
  tsr__cuda_key key;
  char words[128];
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)s->keys.bytes;
  key.part[1] = s->keys.floats;
  key.part[2] = (uint8_t)part;
  key.part[3] = (uint8_t)place;
  (void)snprintf(words, sizeof words, "#define BITS %d\n#define FLOATS %d\n#define PART %d\ntypedef uint%d_t PLACE;\n",
                 8 * s->keys.bytes, (int)s->keys.floats, part, place);
  return tsr__cuda_sort_kernel(gpu, ctx, &key, words, "cuda/kernels/select.cuh", names[part], 0, kernel);
}

static tsr_status launch_select(tsr__cuda *gpu, tsr_ctx *ctx, const selecting *l, int part, unsigned blocks,
                                tsr__cuda_plan *plan) {
  const tsr__cuda_kernel *kernel;
  const tsr_status st = select_kernel(gpu, ctx, l->s, part, &kernel);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){blocks, 1, 1}, SELECT_THREADS, 0, &l->args, sizeof l->args);
  tsr__cuda_plan_address(plan, offsetof(select_args, states), l->states);
  if (part != ELEMENT_KERNEL) tsr__cuda_plan_address(plan, offsetof(select_args, x), l->s->x.ref);
  if (part == COUNT_KERNEL) tsr__cuda_plan_address(plan, offsetof(select_args, counts), l->counts);
  if (part == LIST_KERNEL) tsr__cuda_plan_address(plan, offsetof(select_args, list), l->to);
  if (part == ELEMENT_KERNEL) tsr__cuda_plan_address(plan, offsetof(select_args, elements), l->to);
  return TSR_OK;
}

/* So many bits from the top, some at a time. */
static tsr_status plan_digits(tsr__cuda *gpu, tsr_ctx *ctx, selecting *l, int bits, bool by_place,
                              tsr__cuda_plan *plan) {
  tsr_status st = TSR_OK;
  for (int top = bits; top > 0 && st == TSR_OK; top -= BIN_BITS) {
    l->args.first = !by_place && top == bits;
    l->args.top = (uint32_t)top;
    l->args.by_place = by_place;
    st = launch_select(gpu, ctx, l, COUNT_KERNEL, (unsigned)(l->args.blocks * l->s->rows), plan);
  }
  return st;
}

tsr_status tsr__cuda_plan_select(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_sorting *s, uint64_t k, bool element,
                                 tsr__cuda_ref to, tsr__cuda_plan *plan) {
  const uint64_t most = 4u * (uint64_t)tsr__cuda_traits_of(gpu)->multiprocessors,
                 enough = (most + s->rows - 1) / s->rows;
  const uint64_t blocks = (s->length + 16 * SELECT_THREADS - 1) / (16 * SELECT_THREADS);
  const size_t states = (size_t)s->rows * STATE_BYTES, counts = (size_t)s->rows * BINS * sizeof(uint32_t);
  const size_t at = tsr__cuda_plan_scratch(plan, states + counts);
  selecting l = {.s = s, .states = tsr__cuda_scratch(at), .counts = tsr__cuda_scratch(at + states), .to = to};
  int place_bits = 1;
  while ((s->length - 1) >> place_bits != 0) place_bits++;
  l.args = (select_args){.flip = s->keys.flip,
                         .limit = s->keys.limit,
                         .length = s->length,
                         .k = k,
                         .blocks = (uint32_t)(blocks < enough ? blocks : enough),
                         .exact = element};
  tsr__cuda_plan_set(plan, l.states, 0, states + counts);
  tsr_status st = plan_digits(gpu, ctx, &l, 8 * s->keys.bytes, false, plan);
  if (st == TSR_OK && !element) st = plan_digits(gpu, ctx, &l, place_bits, true, plan);
  if (st != TSR_OK) return st;
  if (!element) return launch_select(gpu, ctx, &l, LIST_KERNEL, (unsigned)(l.args.blocks * s->rows), plan);
  l.args.length = s->rows;
  return launch_select(gpu, ctx, &l, ELEMENT_KERNEL, blocks_of(s->rows, SELECT_THREADS), plan);
}

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

/* Of rows x, length apart, the elements at places, step apart, and those places: values (NULL: not wanted) and index. */
static tsr_status plan_pick(tsr__cuda *gpu, const best *b, int bytes, const pick_args *args, tsr__cuda_ref x,
                            tsr__cuda_ref places, const tsr__cuda_ref *values, const tsr__cuda_ref *index,
                            tsr__cuda_plan *plan) {
  const bool wide = tsr__cuda_sort_index(b->in.length) == TSR_U64;
  const tsr__cuda_kernel *kernel;
  const tsr_status st = pick_kernel(gpu, b->work->ctx, bytes, wide, &kernel);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){blocks_of(args->all, 256), 1, 1}, 256, 0, args, sizeof *args);
  tsr__cuda_plan_address(plan, offsetof(pick_args, x), x);
  tsr__cuda_plan_address(plan, offsetof(pick_args, places), places);
  if (values != NULL) tsr__cuda_plan_address(plan, offsetof(pick_args, values), *values);
  if (index != NULL) tsr__cuda_plan_address(plan, offsetof(pick_args, index), *index);
  return TSR_OK;
}

static pick_args picks_of(const best *b, uint64_t length, uint64_t step) {
  return (pick_args){.length = length, .step = step, .count = b->k, .all = b->k * b->in.rows};
}

/* Values and places to the outputs. */
static tsr_status plan_picks(tsr__cuda *gpu, const best *b, tsr__cuda_plan *plan) {
  const tsr_work *const work = b->work;
  const pick_args args = picks_of(b, b->in.length, b->step);
  tsr__cuda_rows out[2];
  const tsr__cuda_ref *to[2] = {NULL, NULL};
  for (int i = 0; i < 2; i++) {
    if (work->out[i] == NULL) continue;
    out[i] = tsr__cuda_rows_out(work, i, b->axes, plan);
    to[i] = &out[i].view.ref;
  }
  tsr_status st =
      plan_pick(gpu, b, (int)tsr_dtype_size(work->in[0]->dtype), &args, b->in.view.ref, b->places, to[0], to[1], plan);
  for (int i = 0; i < 2 && st == TSR_OK; i++)
    if (work->out[i] != NULL) st = tsr__cuda_rows_end(gpu, work, i, b->axes, &out[i], plan);
  return st;
}

/* Room for something of each of the k best. */
static tsr__cuda_view room_of(const best *b, int dtype, tsr__cuda_plan *plan) {
  return tsr__cuda_temporary(plan, dtype, 2, (tsr_index[]){(tsr_index)b->in.rows, (tsr_index)b->k});
}

/* Places (rows, k), in their order. */
static tsr_status sort_places(tsr__cuda *gpu, best *b, const tsr__cuda_view *places, tsr__cuda_plan *plan) {
  const int dtype = places->tensor.dtype;
  tsr__cuda_sorting s = {.keys = tsr__keys_of_dtype(dtype, false), .rows = b->in.rows, .length = b->k, .x = *places};
  s.values = true;
  s.values_to = b->places = room_of(b, dtype, plan).ref;
  b->step = b->k;
  return tsr__cuda_plan_sort(gpu, b->work->ctx, &s, plan);
}

/* The places of the k best, first by elements, then in the order of the places. */
static tsr_status order_places(tsr__cuda *gpu, best *b, tsr__cuda_plan *plan) {
  const int dtype = tsr__cuda_sort_index(b->in.length);
  const tsr_index rows = (tsr_index)b->in.rows, k = (tsr_index)b->k, step = (tsr_index)b->step;
  const tsr__cuda_view from = {.tensor = {.dtype = (uint8_t)dtype, .ndim = 2, .shape = {rows, k}, .stride = {step, 1}},
                               .ref = b->places};
  const tsr__cuda_view first = room_of(b, dtype, plan);
  const tsr_status st = tsr__cuda_plan_cast(gpu, b->work->ctx, &from, &first, plan);
  return st == TSR_OK ? sort_places(gpu, b, &first, plan) : st;
}

static tsr_status plan_by_sorting(tsr__cuda *gpu, best *b, const tsr__cuda_sorting *all, bool sorted,
                                  tsr__cuda_plan *plan) {
  const tsr_tensor *const t = &b->in.view.tensor;
  tsr__cuda_sorting s = *all;
  s.index = s.narrow = true;
  s.index_to = b->places = tsr__cuda_temporary(plan, tsr__cuda_sort_index(s.length), t->ndim, t->shape).ref;
  b->step = s.length;
  const tsr_status st = tsr__cuda_plan_sort(gpu, b->work->ctx, &s, plan);
  return st == TSR_OK && !sorted ? order_places(gpu, b, plan) : st;
}

/* Places in their order to places in the order of their elements. */
static tsr_status order_elements(tsr__cuda *gpu, best *b, const tsr__cuda_sorting *all, tsr__cuda_plan *plan) {
  const int dtype = b->in.view.tensor.dtype, place = tsr__cuda_sort_index(b->in.length);
  const tsr__cuda_view elements = room_of(b, dtype, plan), order = room_of(b, place, plan);
  const tsr__cuda_view ordered = room_of(b, place, plan);
  const pick_args from_x = picks_of(b, b->in.length, b->k), from_places = picks_of(b, b->k, b->k);
  tsr__cuda_sorting s = *all;
  s.length = b->k;
  s.x = elements;
  s.index = s.narrow = true;
  s.index_to = order.ref;
  tsr_status st = plan_pick(gpu, b, s.keys.bytes, &from_x, b->in.view.ref, b->places, &elements.ref, NULL, plan);
  if (st == TSR_OK) st = tsr__cuda_plan_sort(gpu, b->work->ctx, &s, plan);
  if (st == TSR_OK)
    st = plan_pick(gpu, b, (int)tsr_dtype_size(place), &from_places, b->places, order.ref, &ordered.ref, NULL, plan);
  b->places = ordered.ref;
  return st;
}

static tsr_status plan_by_selecting(tsr__cuda *gpu, best *b, const tsr__cuda_sorting *s, bool sorted,
                                    tsr__cuda_plan *plan) {
  const tsr__cuda_view list = room_of(b, tsr__cuda_sort_index(s->length), plan);
  tsr_status st = tsr__cuda_plan_select(gpu, b->work->ctx, s, b->k, false, list.ref, plan);
  if (st == TSR_OK) st = sort_places(gpu, b, &list, plan);
  return st == TSR_OK && sorted ? order_elements(gpu, b, s, plan) : st;
}

enum { SELECTED = 2048 }; /* more of a row are not listed but sorted */

tsr_status tsr__cuda_topk(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__topk_attrs *const attrs = work->attrs;
  const tsr_tensor *const x = work->in[0];
  best b = {.work = work, .axes = 1u << tsr__cuda_axis(attrs->axis, x->ndim), .k = (uint64_t)attrs->k};
  (void)op;
  if (tsr_size(x) == 0 || attrs->k == 0) return TSR_OK;
  tsr_status st = tsr__cuda_rows_in(gpu, work, b.axes, false, &b.in, plan);
  if (st != TSR_OK) return st;
  const tsr__cuda_sorting s = tsr__cuda_sorting_of(&b.in, attrs->largest);
  st = b.k <= SELECTED && tsr__cuda_selects(&s) ? plan_by_selecting(gpu, &b, &s, attrs->sorted, plan)
                                                : plan_by_sorting(gpu, &b, &s, attrs->sorted, plan);
  return st == TSR_OK ? plan_picks(gpu, &b, plan) : st;
}

/* ---- parts ---- */

/* The element at place of each row's sorted order. */
static tsr_status plan_pivots(tsr__cuda *gpu, tsr_ctx *ctx, tsr__cuda_sorting *s, const tsr_tensor *t, uint64_t place,
                              tsr__cuda_plan *plan) {
  const tsr_index rows = (tsr_index)s->rows;
  const tsr__cuda_view pivots = tsr__cuda_temporary(plan, t->dtype, 1, &rows);
  s->pivot = pivots.ref;
  if (tsr__cuda_selects(s)) return tsr__cuda_plan_select(gpu, ctx, s, place + 1, true, pivots.ref, plan);
  tsr__cuda_sorting all = *s;
  all.values = true;
  const tsr__cuda_view sorted = tsr__cuda_temporary(plan, t->dtype, t->ndim, t->shape);
  all.values_to = sorted.ref;
  tsr__cuda_view column = {.tensor = {.dtype = t->dtype, .ndim = 1, .shape = {rows}, .stride = {(tsr_index)s->length}},
                           .ref = sorted.ref};
  column.ref.offset += (ptrdiff_t)place * s->keys.bytes;
  const tsr_status st = tsr__cuda_plan_sort(gpu, ctx, &all, plan);
  return st == TSR_OK ? tsr__cuda_plan_cast(gpu, ctx, &column, &pivots, plan) : st;
}

static tsr_status plan_partition(tsr__cuda *gpu, const tsr_work *work, bool index, tsr__cuda_plan *plan) {
  const tsr__partition_attrs *const attrs = work->attrs;
  const tsr_tensor *const x = work->in[0];
  const int axis = tsr__cuda_axis(attrs->axis, x->ndim);
  const uint32_t axes = 1u << axis;
  const tsr_index place = attrs->place < 0 ? attrs->place + x->shape[axis] : attrs->place;
  tsr__cuda_rows in;
  if (tsr_size(x) == 0) return TSR_OK;
  tsr_status st = tsr__cuda_rows_in(gpu, work, axes, !index, &in, plan);
  if (st != TSR_OK) return st;
  tsr__cuda_sorting s = tsr__cuda_sorting_of(&in, false);
  st = plan_pivots(gpu, work->ctx, &s, &in.view.tensor, (uint64_t)place, plan);
  if (st != TSR_OK) return st;
  const tsr__cuda_rows out = tsr__cuda_rows_out(work, 0, axes, plan);
  s.pivots = true;
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
