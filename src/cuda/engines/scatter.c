/* Writing by index: updates are sorted by where they go, then each element takes its own in their order (kernels/scatter.cuh). So sums
 * have the host's bits, and nothing depends on which block comes first. */
#include "cuda/engines/engines.h"
#include "cuda/engines/sort.h"
#include "ops/move/over.h"
#include "ops/promote.h"
#include "ops/scatter/ops.h"

#include <stdio.h>
#include <string.h>
#include <tessera/scatter.h>

static unsigned blocks_of(uint64_t all, unsigned threads) { return (unsigned)((all + threads - 1) / threads); }

/* ---- updates ---- */

/* How far an axis of the output moves each of them: in elements, or in numbers of places and lines. */
typedef struct moved {
  int64_t length, out, in, src, place, line;
} moved;

typedef struct updates {
  const tsr_work *work;
  tsr_scatter_mode mode;
  tsr__cuda_view in, src;
  uint64_t lines, count, length; /* each line has so many updates, which go to places 0 … length - 1 */
  int64_t src_step;              /* from one update to the next */
  moved axis[TSR_MAX_DIMS];
  tsr__cuda_view places;       /* (lines, count) */
  tsr__cuda_ref order, starts; /* of numbers of updates */
} updates;

static int place_dtype(uint64_t length) { return length >= UINT32_MAX ? TSR_U64 : TSR_U32; }
static int number_dtype(const updates *u) { return tsr__cuda_sort_index(u->count); }
static int bits_of(int dtype) { return 8 * (int)tsr_dtype_size(dtype); }

/* ---- where updates go ---- */

/* The index of an axis as places, in the order of its lines; one that is out of range goes behind the last place. */
static tsr_status plan_places(tsr__cuda *gpu, updates *u, int axis, tsr__cuda_plan *plan) {
  static const char function[] =
      "static inline int64_t tsr__place(const table_args &t, int64_t index, int64_t number) {\n"
      "  if (index < 0 && t.wraps) index += t.length;\n"
      "  if ((uint64_t)index < (uint64_t)t.length) return index;\n"
      "  tsr_fault_at(t.fault, (unsigned long long)number);\n"
      "  return t.length;\n}\n";
  static const char maker;
  const tsr_work *const work = u->work;
  const tsr__cuda_view all = tsr__cuda_input(work, 1);
  const tsr__cuda_rows index = tsr__cuda_rows_of(&all, 1u << axis);
  const tsr_tensor *const t = &index.view.tensor;
  const int dtype = place_dtype(u->length);
  int64_t number[TSR_MAX_DIMS] = {0}, size = 1;
  u->places = tsr__cuda_temporary(plan, dtype, t->ndim, t->shape);
  for (int d = t->ndim - 1; d >= 0; d--) { /* of the index as the caller has it */
    number[d == axis ? t->ndim - 1 : d < axis ? d : d - 1] = size;
    size *= all.tensor.shape[d];
  }
  tsr__cuda_elements e = {.maker = &maker, .out = u->places};
  tsr__cuda_add_view(&e, &index.view);
  tsr__cuda_add_position(&e, 0, number);
  e.table.there = true;
  e.table.wraps = t->dtype != TSR_U64;
  e.table.ref = index.view.ref;
  e.table.length = (int64_t)u->length;
  e.table.argument = "index";
  e.lines.steps = 1;
  e.lines.step[0] = (tsr__cuda_line_step){.line = "tsr__place(table, a, b)",
                                          .functions = function,
                                          .inputs = 2,
                                          .in = {0, 1},
                                          .dtype = {TSR_I64, TSR_I64},
                                          .compute = TSR_I64,
                                          .result = TSR_I64,
                                          .out = (uint8_t)dtype};
  return tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
}

/* Bytes of the numbers 0 … most. */
static int bytes_for(uint64_t most) {
  int bytes = 1;
  while (bytes < 8 && most >> 8 * bytes != 0) bytes++;
  return bytes;
}

static tsr_status text_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_key *key, tsr__cuda_text *text,
                              const char *name, const tsr__cuda_kernel **kernel) {
  const tsr__cuda_source source = {.text = text->data, .name = name};
  const tsr_status st = text->failed ? TSR_ENOMEM : tsr__cuda_kernel_get(gpu, ctx, key, &source, kernel);
  tsr__cuda_text_free(text);
  return st;
}

typedef struct starts_args { /* of kernels/scatter.cuh */
  uint64_t sorted, starts, lines, count, length;
} starts_args;

static tsr_status starts_kernel(tsr__cuda *gpu, const updates *u, const tsr__cuda_kernel **kernel) {
  static const char maker;
  tsr__cuda_key key;
  char words[128];
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)place_dtype(u->length);
  key.part[1] = (uint8_t)number_dtype(u);
  (void)snprintf(words, sizeof words, "#define PART 0\ntypedef uint%d_t PLACE;\ntypedef uint%d_t NUMBER;\n",
                 bits_of(key.part[0]), bits_of(key.part[1]));
  return tsr__cuda_sort_kernel(gpu, u->work->ctx, &key, words, "cuda/kernels/scatter.cuh", "tsr_update_starts", 0,
                               kernel);
}

/* Sorts the updates of each line by their places. */
static tsr_status plan_order(tsr__cuda *gpu, updates *u, tsr__cuda_plan *plan) {
  const int dtype = u->places.tensor.dtype, number = number_dtype(u);
  const tsr_index all = (tsr_index)(u->lines * u->count);
  const tsr__cuda_kernel *kernel;
  tsr__cuda_sorting s = {.keys = tsr__keys_of_dtype(dtype, false),
                         .rows = u->lines,
                         .length = u->count,
                         .passes = bytes_for(u->length),
                         .x = u->places,
                         .values = true,
                         .index = true,
                         .narrow = true};
  s.values_to = tsr__cuda_temporary(plan, dtype, 1, &all).ref;
  s.index_to = u->order = tsr__cuda_temporary(plan, number, 1, &all).ref;
  tsr_status st = tsr__cuda_plan_sort(gpu, u->work->ctx, &s, plan);
  if (st == TSR_OK) st = starts_kernel(gpu, u, &kernel);
  if (st != TSR_OK) return st;
  const tsr_index starts = (tsr_index)(u->lines * (u->length + 1));
  u->starts = tsr__cuda_temporary(plan, number, 1, &starts).ref;
  const starts_args args = {.lines = u->lines, .count = u->count, .length = u->length};
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){blocks_of((uint64_t)starts, 256), 1, 1}, 256, 0, &args,
                        sizeof args);
  tsr__cuda_plan_address(plan, offsetof(starts_args, sorted), s.values_to);
  tsr__cuda_plan_address(plan, offsetof(starts_args, starts), u->starts);
  return TSR_OK;
}

/* ---- combining ---- */

typedef struct scatter_args { /* of kernels/scatter.cuh */
  uint64_t in, src, out, order, starts;
  int64_t count, length, src_step;
  uint64_t units;
  int32_t rank, in_place;
  int64_t axis[8], out_step[8], in_step[8], update_step[8], place_step[8], line_step[8];
} scatter_args;

/* What is computed in: elements themselves, unsigned where integers wrap; f32 of smaller floats. */
static int compute_of(int dtype, tsr_scatter_mode mode) {
  if (dtype == TSR_BOOL) return TSR_U8;
  if (mode != TSR_SCATTER_ADD && mode != TSR_SCATTER_MUL) return tsr__compute_of(dtype);
  switch (dtype) {
    case TSR_I8: return TSR_U8;
    case TSR_I16: return TSR_U16;
    case TSR_I32: return TSR_U32;
    case TSR_I64: return TSR_U64;
    default: return tsr__compute_of(dtype);
  }
}

static const char *merge_of(int dtype, tsr_scatter_mode mode) {
  static const char least[] = "(b < a) | (b != b) ? b : a", most[] = "(b > a) | (b != b) ? b : a";
  switch (mode) {
    case TSR_SCATTER_ADD: return dtype == TSR_BOOL ? most : "a + b";
    case TSR_SCATTER_MUL: return dtype == TSR_BOOL ? least : "1u * a * b";
    case TSR_SCATTER_MIN: return least;
    default: return most;
  }
}

static const char *word_of(int bytes) {
  return bytes == 16 ? "uint4" : bytes == 8 ? "uint2" : bytes == 4 ? "uint32_t" : bytes == 2 ? "uint16_t" : "uint8_t";
}

static void write_numbers(tsr__cuda_text *text, int dtype, tsr_scatter_mode mode) {
  const int compute = compute_of(dtype, mode), as = dtype == TSR_BOOL ? TSR_U8 : dtype;
  const bool floats = tsr_dtype_describe(dtype)->class_ == TSR_CLASS_FLOAT;
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/dtypes.cuh\"\n");
  tsr__cuda_text_format(text, "typedef %s_mem T;\ntypedef %s_mem C;\n", tsr__cuda_dtype(floats ? dtype : compute),
                        tsr__cuda_dtype(compute));
  tsr__cuda_text_add(text, "static inline C loaded(T t) { return ");
  tsr__cuda_add_cast(text, floats ? as : compute, compute, "t");
  tsr__cuda_text_add(text, "; }\nstatic inline T stored(C c) { return ");
  tsr__cuda_add_cast(text, compute, floats ? as : compute, "c");
  const char *const merge = merge_of(dtype, mode);
  tsr__cuda_text_format(text, "; }\nstatic inline C merged(C a, C b) { return (C)(%s); }\n",
                        floats && mode == TSR_SCATTER_MUL ? "a * b" : merge);
}

static tsr_status scatter_kernel(tsr__cuda *gpu, const updates *u, int pack, bool wide,
                                 const tsr__cuda_kernel **kernel) {
  static const char maker;
  const int dtype = u->in.tensor.dtype, bytes = (int)tsr_dtype_size(dtype);
  const bool set = u->mode == TSR_SCATTER_SET;
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)(set ? bytes : 32 + dtype);
  key.part[1] = (uint8_t)u->mode;
  key.part[2] = (uint8_t)pack;
  key.part[3] = (uint8_t)number_dtype(u);
  key.part[4] = wide;
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  tsr__cuda_text_expand(&text,
                        "#include \"cuda/kernels/prelude.cuh\"\n#define LOAD(p) (*(p))\n#define STORE TSR__STORE\n"
                        "#define PART 1\ntypedef uint32_t PLACE;\n");
  tsr__cuda_text_format(&text,
                        "#define PACK %d\n#define LAST_ONLY %d\ntypedef uint%d_t NUMBER;\ntypedef uint%d_t COUNT;\n",
                        pack, (int)set, bits_of(number_dtype(u)), wide ? 64 : 32);
  if (set)
    tsr__cuda_text_format(&text,
                          "typedef %s T;\ntypedef T C;\nstatic inline C loaded(T t) { return t; }\n"
                          "static inline C merged(C, C b) { return b; }\n",
                          word_of(bytes));
  else
    write_numbers(&text, dtype, u->mode);
  tsr__cuda_text_expand(&text, "#include \"cuda/kernels/scatter.cuh\"\n");
  return text_kernel(gpu, u->work->ctx, &key, &text, "tsr_scatter", kernel);
}

/* The output's axes, the fastest first; neighbours that all move alike are one. */
static int merge_axes(const updates *u, moved *axes) {
  int rank = 0;
  for (int d = u->in.tensor.ndim - 1; d >= 0; d--) {
    const moved m = u->axis[d];
    moved *const last = rank > 0 ? &axes[rank - 1] : NULL;
    if (m.length == 1) continue;
    if (last != NULL && m.out == last->out * last->length && m.in == last->in * last->length &&
        m.src == last->src * last->length && m.place == last->place * last->length &&
        m.line == last->line * last->length)
      last->length *= m.length;
    else
      axes[rank++] = m;
  }
  return rank;
}

/* How many elements along the fastest axis go as one: 16 bytes at the most. */
static int pack_of(const updates *u, const tsr__cuda_view *out, int rank, const moved *axes) {
  const int64_t item = (int64_t)tsr_dtype_size(out->tensor.dtype);
  if (rank == 0 || axes[0].out != 1 || axes[0].in != 1 || axes[0].src != 1) return 1;
  if (axes[0].place != 0 || axes[0].line != 0) return 1;
  uint64_t bits = (uint64_t)tsr__cuda_place_of(out) | (uint64_t)tsr__cuda_place_of(&u->in) |
                  (uint64_t)tsr__cuda_place_of(&u->src) | (uint64_t)(axes[0].length * item) |
                  (uint64_t)(u->src_step * item);
  for (int d = 1; d < rank; d++)
    bits |= (uint64_t)(axes[d].out * item) | (uint64_t)(axes[d].in * item) | (uint64_t)(axes[d].src * item);
  int64_t unit = 16;
  while (unit > item && bits % (uint64_t)unit != 0) unit /= 2;
  return (int)(unit / item);
}

static tsr_status plan_combining(tsr__cuda *gpu, updates *u, tsr__cuda_plan *plan) {
  const tsr__cuda_view out = tsr__cuda_output(u->work, 0);
  const tsr_tensor *const t = &out.tensor;
  const tsr__cuda_kernel *kernel;
  moved axes[TSR_MAX_DIMS];
  const int rank = merge_axes(u, axes), pack = pack_of(u, &out, rank, axes);
  const uint64_t units = (uint64_t)tsr_size(t) / (uint64_t)pack;
  const tsr_status st = scatter_kernel(gpu, u, pack, units >> 31 != 0, &kernel);
  if (st != TSR_OK) return st;
  scatter_args args = {.count = (int64_t)u->count,
                       .length = (int64_t)u->length,
                       .src_step = u->src_step,
                       .units = units,
                       .rank = rank,
                       .in_place = u->in.ref.place == TSR__CUDA_IN && t->data != NULL && u->in.tensor.data == t->data};
  for (int d = 0; d < rank; d++) {
    const int64_t by = d == 0 ? pack : 1;
    args.axis[d] = axes[d].length / by;
    args.out_step[d] = axes[d].out * by;
    args.in_step[d] = axes[d].in * by;
    args.update_step[d] = axes[d].src * by;
    args.place_step[d] = axes[d].place * by;
    args.line_step[d] = axes[d].line * by;
  }
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){blocks_of(units, 256), 1, 1}, 256, 0, &args, sizeof args);
  tsr__cuda_plan_address(plan, offsetof(scatter_args, in), u->in.ref);
  tsr__cuda_plan_address(plan, offsetof(scatter_args, src), u->src.ref);
  tsr__cuda_plan_address(plan, offsetof(scatter_args, out), out.ref);
  tsr__cuda_plan_address(plan, offsetof(scatter_args, order), u->order);
  tsr__cuda_plan_address(plan, offsetof(scatter_args, starts), u->starts);
  return TSR_OK;
}

/* The input where the output does not lie over it in another way, and the updates where it does not. */
static tsr_status see_overlap(tsr__cuda *gpu, updates *u, tsr__cuda_plan *plan) {
  const tsr__cuda_view out = tsr__cuda_output(u->work, 0);
  tsr_ctx *const ctx = u->work->ctx;
  u->in = tsr__cuda_input(u->work, 0);
  tsr_status st = TSR_OK;
  if (out.tensor.data == NULL || !tsr__same_view(&u->in.tensor, &out.tensor))
    st = tsr__cuda_unaliased(gpu, ctx, &out, &u->in, plan);
  return st == TSR_OK ? tsr__cuda_unaliased(gpu, ctx, &out, &u->src, plan) : st;
}

/* What stands: in goes to the output as it is. */
static tsr_status copy_through(tsr__cuda *gpu, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__cuda_view in = tsr__cuda_input(work, 0), out = tsr__cuda_output(work, 0);
  if (out.tensor.data != NULL && tsr__same_view(&in.tensor, &out.tensor)) return TSR_OK;
  return tsr__cuda_plan_cast(gpu, work->ctx, &in, &out, plan);
}

/* ---- along an axis ---- */

/* The steps of the output's axes. over: src over the shape of the updates; slices: the index is a vector. */
static void move_along(updates *u, int axis, bool slices) {
  const tsr_tensor *const in = &u->in.tensor, *const out = u->work->out[0], *const index = u->work->in[1];
  const tsr_tensor *const src = &u->src.tensor;
  int64_t line = 1;
  for (int d = in->ndim - 1; d >= 0; d--) {
    const bool along = d == axis, own = !slices && !along && index->shape[d] == in->shape[d];
    u->axis[d] = (moved){.length = in->shape[d],
                         .out = out->stride[d],
                         .in = in->stride[d],
                         .src = along ? 0 : src->stride[d],
                         .place = along,
                         .line = own ? line : 0};
    if (!slices && !along) line *= index->shape[d];
  }
  u->src_step = src->stride[axis];
}

static tsr_status plan_along(tsr__cuda *gpu, const tsr_work *work, int axis, tsr_scatter_mode mode, bool slices,
                             tsr__cuda_plan *plan) {
  const tsr_tensor *const in = work->in[0], *const index = work->in[1];
  updates u = {.work = work, .mode = mode};
  tsr_index shape[TSR_MAX_DIMS];
  axis = tsr__cuda_axis(axis, in->ndim);
  const int own = slices ? 0 : axis;
  u.count = (uint64_t)index->shape[own];
  u.length = (uint64_t)in->shape[axis];
  u.lines = u.count == 0 ? 0 : (uint64_t)tsr_size(index) / u.count;
  if (u.lines == 0) return tsr_size(in) == 0 ? TSR_OK : copy_through(gpu, work, plan);
  tsr_status st = plan_places(gpu, &u, own, plan);
  if (st != TSR_OK || tsr_size(in) == 0) return st;
  for (int d = 0; d < in->ndim; d++) shape[d] = d == axis ? (tsr_index)u.count : in->shape[d];
  u.src = tsr__cuda_input(work, 2);
  st = tsr__over(work->ctx, work->op, "src", work->in[2], in->ndim, shape, &u.src.tensor);
  if (st == TSR_OK) st = see_overlap(gpu, &u, plan);
  if (st == TSR_OK) st = plan_order(gpu, &u, plan);
  if (st != TSR_OK) return st;
  move_along(&u, axis, slices);
  return plan_combining(gpu, &u, plan);
}

tsr_status tsr__cuda_scatter(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__scatter_attrs *const attrs = work->attrs;
  (void)op;
  return plan_along(gpu, work, attrs->axis, attrs->mode, false, plan);
}
tsr_status tsr__cuda_put(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__scatter_attrs *const attrs = work->attrs;
  (void)op;
  return plan_along(gpu, work, attrs->axis, attrs->mode, true, plan);
}
tsr_status tsr__cuda_index_add(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__index_add_attrs *const attrs = work->attrs;
  (void)op;
  return plan_along(gpu, work, attrs->axis, TSR_SCATTER_ADD, true, plan);
}

/* ---- by coordinates ---- */

typedef struct lists_args { /* of kernels/lists.cuh */
  uint64_t numbers, out, fault[2], count;
  int64_t length[8], factor[8], batch_inner[8], batch_length[8], batch_factor[8];
  int64_t first, bad;
  int32_t q, batch, wraps;
} lists_args;

static tsr_status lists_kernel(tsr__cuda *gpu, tsr_ctx *ctx, int dtype, const tsr__cuda_kernel **kernel) {
  static const char maker;
  tsr__cuda_key key;
  char words[64];
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)dtype;
  (void)snprintf(words, sizeof words, "typedef %s PLACE;\n", dtype == TSR_U32 ? "uint32_t" : "int64_t");
  return tsr__cuda_sort_kernel(gpu, ctx, &key, words, "cuda/kernels/lists.cuh", "tsr_lists", 0, kernel);
}

/* The lists of input 1, with the lengths and factors of args. */
static tsr_status plan_lists(tsr__cuda *gpu, const tsr_work *work, lists_args *args, const tsr__cuda_view *out,
                             tsr__cuda_plan *plan) {
  const tsr_tensor *const index = work->in[1];
  tsr__cuda_view numbers = tsr__cuda_input(work, 1);
  const tsr__cuda_kernel *kernel;
  args->q = (int32_t)index->shape[index->ndim - 1];
  args->wraps = index->dtype != TSR_U64;
  args->count = (uint64_t)tsr_size(&out->tensor);
  tsr_status st = lists_kernel(gpu, work->ctx, out->tensor.dtype, &kernel);
  if (st == TSR_OK && args->q > 0 && (index->dtype != TSR_I64 || !tsr_is_contiguous(index, TSR_ROW_MAJOR))) {
    numbers = tsr__cuda_temporary(plan, TSR_I64, index->ndim, index->shape);
    const tsr__cuda_view given = tsr__cuda_input(work, 1);
    st = tsr__cuda_plan_cast(gpu, work->ctx, &given, &numbers, plan);
  }
  if (st != TSR_OK) return st;
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){blocks_of(args->count, 128), 1, 1}, 128, 0, args, sizeof *args);
  if (args->q > 0) tsr__cuda_plan_address(plan, offsetof(lists_args, numbers), numbers.ref);
  tsr__cuda_plan_address(plan, offsetof(lists_args, out), out->ref);
  tsr__cuda_plan_fault(plan, offsetof(lists_args, fault), "index");
  return TSR_OK;
}

/* Whether the lists of src, its first axes, follow one another at one stride. */
static bool is_even(const tsr_tensor *src, int rank) {
  tsr_index stride = rank > 0 ? src->stride[rank - 1] : 0;
  for (int k = rank - 1; k >= 0; k--) {
    if (src->shape[k] != 1 && src->stride[k] != stride) return false;
    stride *= src->shape[k];
  }
  return true;
}

static tsr_status even_src(tsr__cuda *gpu, updates *u, int rank, tsr__cuda_plan *plan) {
  const tsr_tensor t = u->src.tensor;
  if (is_even(&t, rank)) return TSR_OK;
  const tsr__cuda_view copy = tsr__cuda_temporary(plan, t.dtype, t.ndim, t.shape);
  const tsr_status st = tsr__cuda_plan_cast(gpu, u->work->ctx, &u->src, &copy, plan);
  u->src = copy;
  return st;
}

static void move_lists(updates *u, int rank, int q) {
  const tsr_tensor *const in = &u->in.tensor, *const out = u->work->out[0], *const src = &u->src.tensor;
  int64_t place = 1;
  for (int d = in->ndim - 1; d >= 0; d--) {
    u->axis[d] = (moved){.length = in->shape[d],
                         .out = out->stride[d],
                         .in = in->stride[d],
                         .src = d < q ? 0 : src->stride[rank + d - q],
                         .place = d < q ? place : 0};
    if (d < q) place *= in->shape[d];
  }
  u->src_step = rank > 0 ? src->stride[rank - 1] : 0;
}

tsr_status tsr__cuda_scatter_nd(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__scatter_nd_attrs *const attrs = work->attrs;
  const tsr_tensor *const in = work->in[0], *const index = work->in[1];
  const int rank = index->ndim - 1, q = (int)index->shape[rank];
  updates u = {.work = work, .mode = attrs->mode, .lines = 1, .count = 1, .length = 1};
  tsr_index shape[TSR_MAX_DIMS];
  lists_args args = {.q = q};
  (void)op;
  for (int k = 0; k < rank; k++) u.count *= (uint64_t)(shape[k] = index->shape[k]);
  for (int d = q; d < in->ndim; d++) shape[rank + d - q] = in->shape[d];
  for (int d = q - 1; d >= 0; d--) {
    args.length[d] = in->shape[d];
    args.factor[d] = (int64_t)u.length;
    u.length *= (uint64_t)in->shape[d];
  }
  if (u.count == 0) return tsr_size(in) == 0 ? TSR_OK : copy_through(gpu, work, plan);
  args.bad = (int64_t)u.length;
  u.places = tsr__cuda_temporary(plan, place_dtype(u.length), 1, (tsr_index[]){(tsr_index)u.count});
  tsr_status st = plan_lists(gpu, work, &args, &u.places, plan);
  if (st != TSR_OK || tsr_size(in) == 0) return st;
  u.src = tsr__cuda_input(work, 2);
  st = tsr__over(work->ctx, work->op, "src", work->in[2], rank + in->ndim - q, shape, &u.src.tensor);
  if (st == TSR_OK) st = see_overlap(gpu, &u, plan);
  if (st == TSR_OK) st = even_src(gpu, &u, rank, plan);
  if (st == TSR_OK) st = plan_order(gpu, &u, plan);
  if (st != TSR_OK) return st;
  move_lists(&u, rank, q);
  return plan_combining(gpu, &u, plan);
}

static int64_t divisor_of(int64_t a, int64_t b) {
  while (b != 0) {
    const int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

/* Lists become numbers of units of memory, counted from the least address that they can name. */
typedef struct offsets {
  int64_t unit, least,
      reach; /* elements of a unit, those from the first element to the least address, and units in all */
} offsets;

static offsets set_offsets(const tsr_tensor *in, const tsr_tensor *index, int batch, lists_args *args) {
  offsets o = {0, 0, 1};
  int64_t inner = 1;
  for (int k = 0; k < batch + args->q; k++)
    if (in->shape[k] > 1) o.unit = divisor_of(o.unit, in->stride[k]);
  if (o.unit == 0) o.unit = 1;
  for (int k = 0; k < batch + args->q; k++) {
    const int64_t step = in->shape[k] > 1 ? in->stride[k] / o.unit : 0, far = step * (in->shape[k] - 1);
    if (far < 0) o.least += far * o.unit;
    o.reach += far < 0 ? -far : far;
    *(k < batch ? &args->batch_factor[k] : &args->factor[k - batch]) = step;
    *(k < batch ? &args->batch_length[k] : &args->length[k - batch]) = in->shape[k];
  }
  for (int k = index->ndim - 2; k >= 0; k--) {
    if (k < batch) args->batch_inner[k] = inner;
    inner *= index->shape[k];
  }
  args->batch = batch;
  args->first = -o.least / o.unit;
  return o;
}

/* Slices of in over the output, which move along the axes that lists do not name; the numbers of lists, which move along the others. */
static tsr_status pick_slices(tsr__cuda *gpu, const tsr_work *work, const tsr__cuda_view *in, const offsets *o,
                              int named, const tsr__cuda_view *numbers, tsr__cuda_plan *plan) {
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  const int rank = work->in[1]->ndim - 1;
  tsr__cuda_view from = *in, at = *numbers;
  tsr_index stride = 1;
  const ptrdiff_t least = (ptrdiff_t)o->least * (ptrdiff_t)tsr_dtype_size(in->tensor.dtype);
  from.ref.offset += least;
  if (from.tensor.data != NULL) from.tensor.data = (char *)from.tensor.data + least;
  at.tensor.ndim = from.tensor.ndim = out.tensor.ndim;
  for (int d = out.tensor.ndim - 1; d >= 0; d--) {
    const bool listed = d < rank;
    from.tensor.shape[d] = at.tensor.shape[d] = out.tensor.shape[d];
    from.tensor.stride[d] = listed ? 0 : in->tensor.stride[named + d - rank];
    at.tensor.stride[d] = listed ? stride : 0;
    if (listed) stride *= out.tensor.shape[d];
  }
  return tsr__cuda_plan_picked(gpu, work->ctx, &from, &at, o->unit, o->reach, &out, plan);
}

tsr_status tsr__cuda_gather_nd(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__gather_nd_attrs *const attrs = work->attrs;
  const tsr_tensor *const index = work->in[1];
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  tsr__cuda_view in = tsr__cuda_input(work, 0);
  lists_args args = {.q = (int32_t)index->shape[index->ndim - 1]};
  tsr_index count = 1;
  (void)op;
  for (int k = 0; k < index->ndim - 1; k++) count *= index->shape[k];
  if (count == 0) return TSR_OK;
  tsr_status st = tsr__cuda_unaliased(gpu, work->ctx, &out, &in, plan);
  if (st != TSR_OK) return st;
  const offsets o = set_offsets(&in.tensor, index, attrs->batch_dims, &args);
  const tsr__cuda_view numbers = tsr__cuda_temporary(plan, TSR_I64, 1, &count);
  st = plan_lists(gpu, work, &args, &numbers, plan);
  if (st != TSR_OK || tsr_size(&out.tensor) == 0) return st;
  return pick_slices(gpu, work, &in, &o, attrs->batch_dims + args.q, &numbers, plan);
}
