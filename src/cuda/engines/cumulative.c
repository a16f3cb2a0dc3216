/* Cumulative ops: by rows, a few short ones at a time, or side by side; chunks of few long rows apart. All give the host's bits. */
#include "cuda/engines/axes.h"
#include "cuda/engines/engines.h"

#include "core/tensor.h"
#include "ops/cumulative/ops.h"
#include "ops/reduce/reduce.h"

#include <string.h>

enum { RUN = 16, CHUNK = 16384, ROW_THREADS = 256, CHUNK_THREADS = 512, WARPS = 8, MOST_BESIDE = 256 };
enum { ROWS_KERNEL, SHORT_KERNEL, CHUNKS_KERNEL, FLAT_KERNEL, COLUMNS_KERNEL, BEFORE_KERNEL, PACKED_KERNEL };

/* The host's struct scan_args of kernels/cumulative.cuh. */
typedef struct scan_args {
  uint64_t x, out, before, totals, posts;
  int64_t n, rows, step, step_out;
  int64_t kept[TSR__CUDA_AXES], kept_step[2][TSR__CUDA_AXES];
  int32_t kept_rank;
  uint32_t pieces, beside, magic;
} scan_args;

/* An op, as text. merged: of a and b, the later one. */
typedef struct scan_op {
  const char *floats, *integers, *neutral; /* neutral NULL: that of the order */
  bool sums, max, any_order;
} scan_op;

typedef struct scan {
  tsr__cuda *gpu;
  tsr_ctx *ctx;
  const scan_op *op;
  tsr__cuda_view x, out;
  int compute;
  scan_args args;
  tsr__cuda_plan *plan;
} scan;

static int64_t ceil_div(int64_t n, int64_t d) { return n / d + (n % d != 0); }

/* ---- text ---- */

static void add_neutral(const scan *c, tsr__cuda_text *text) {
  const tsr_dtype_info *const d = tsr_dtype_describe(c->compute);
  const bool max = c->op->max, has_sign = d->class_ == TSR_CLASS_INT;
  const int bits = (int)tsr_dtype_size(c->compute) * 8;
  if (d->class_ == TSR_CLASS_FLOAT && c->op->neutral == NULL)
    tsr__cuda_text_format(text, "#define NEUTRAL ((C)%s__builtin_inff())\n", max ? "-" : "");
  else if (d->class_ == TSR_CLASS_FLOAT)
    tsr__cuda_text_format(text, "#define NEUTRAL (%s(C)%s)\n", c->op->neutral[0] == '0' ? "-" : "", c->op->neutral);
  else if (c->op->neutral != NULL)
    tsr__cuda_text_format(text, "#define NEUTRAL ((C)%s)\n", c->op->neutral);
  else if (has_sign)
    tsr__cuda_text_format(text, "#define NEUTRAL ((C)(((uint64_t)1 << %d)%s))\n", bits - 1, max ? "" : " - 1");
  else
    tsr__cuda_text_format(text, "#define NEUTRAL ((C)%s)\n", max ? "0" : "~(uint64_t)0");
}

static void write_text(const scan *c, int number, tsr__cuda_text *text) {
  const int in = c->x.tensor.dtype, out = c->out.tensor.dtype;
  const bool is_float = tsr_dtype_describe(c->compute)->class_ == TSR_CLASS_FLOAT;
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n");
  tsr__cuda_text_format(text, "typedef %s_mem T;\ntypedef %s_mem OUT;\ntypedef %s_mem C;\n", tsr__cuda_dtype(in),
                        tsr__cuda_dtype(out), tsr__cuda_dtype(c->compute));
  tsr__cuda_text_format(text, "#define KERNEL %d\n#define C_FLOAT %d\n#define ANY_ORDER %d\n", number, (int)is_float,
                        (int)(c->op->any_order || !is_float));
  add_neutral(c, text);
  tsr__cuda_text_add(text, "static __device__ inline C LOADED(T t) { return ");
  tsr__cuda_add_cast(text, in, c->compute, "t");
  tsr__cuda_text_add(text, "; }\nstatic __device__ inline OUT STORED(C v) { return ");
  tsr__cuda_add_cast(text, c->compute, out, "v");
  tsr__cuda_text_format(text, "; }\nstatic __device__ inline C MERGED(C a, C b) { return %s; }\n",
                        is_float ? c->op->floats : c->op->integers);
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/cumulative.cuh\"\n");
}

static tsr_status get_kernel(const scan *c, int number, const char *name, unsigned shared,
                             const tsr__cuda_kernel **kernel) {
  tsr__cuda_key key;
  tsr__cuda_text text = {0};
  memset(&key, 0, sizeof key);
  key.maker = c->op;
  key.part[0] = c->x.tensor.dtype;
  key.part[1] = c->out.tensor.dtype;
  key.part[2] = (uint8_t)number;
  *kernel = tsr__cuda_kernel_find(c->gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  write_text(c, number, &text);
  const tsr__cuda_source source = {.text = text.data, .name = name, .shared = shared};
  const tsr_status st = text.failed ? TSR_ENOMEM : tsr__cuda_kernel_get(c->gpu, c->ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

/* ---- launches ---- */

typedef struct launching {
  int number;
  const char *name;
  tsr__cuda_grid grid;
  unsigned threads, shared, most_shared;
  const tsr__cuda_ref *x, *out, *before, *totals, *posts; /* NULL: not used */
} launching;

static void set_address(const scan *c, size_t at, const tsr__cuda_ref *ref) {
  if (ref != NULL) tsr__cuda_plan_address(c->plan, at, *ref);
}

static tsr_status launch(const scan *c, const scan_args *args, const launching *l) {
  const tsr__cuda_kernel *kernel;
  const tsr_status st = get_kernel(c, l->number, l->name, l->most_shared, &kernel);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_launch(c->plan, kernel, l->grid, l->threads, l->shared, args, sizeof *args);
  set_address(c, offsetof(scan_args, x), l->x);
  set_address(c, offsetof(scan_args, out), l->out);
  set_address(c, offsetof(scan_args, before), l->before);
  set_address(c, offsetof(scan_args, totals), l->totals);
  set_address(c, offsetof(scan_args, posts), l->posts);
  return TSR_OK;
}

/* In one launch, or where chunks are apart in three: their totals, what is before each, results. */
static tsr_status plan_all(const scan *c, launching l, bool columns) {
  const scan_args *const a = &c->args;
  l.x = &c->x.ref;
  l.out = &c->out.ref;
  if (a->pieces == 1) return launch(c, a, &l);
  const size_t bytes = (size_t)(a->rows * a->pieces) * tsr_dtype_size(c->compute);
  const tsr__cuda_ref totals = tsr__cuda_scratch(tsr__cuda_plan_scratch(c->plan, bytes));
  const int64_t threads = columns ? a->rows : 32 * a->rows;
  scan_args between = *a;
  between.n = a->pieces;
  between.step = columns ? a->rows : 1;
  launching first = l, before = {.number = BEFORE_KERNEL,
                                 .name = "tsr_scan_before",
                                 .grid = {(unsigned)ceil_div(threads, 128), 1, 1},
                                 .threads = 128,
                                 .totals = &totals};
  first.out = NULL;
  first.totals = l.before = &totals;
  tsr_status st = launch(c, a, &first);
  if (st == TSR_OK) st = launch(c, &between, &before);
  return st == TSR_OK ? launch(c, a, &l) : st;
}

/* Few long rows leave most of a GPU idle, unless their chunks are apart. */
static uint32_t pieces_of(const scan *c, int64_t at_once) {
  const int64_t enough = 2 * (int64_t)tsr__cuda_traits_of(c->gpu)->multiprocessors;
  const int64_t pieces = ceil_div(c->args.n, CHUNK);
  return pieces > 1 && at_once < enough && pieces <= UINT32_MAX ? (uint32_t)pieces : 1;
}

static tsr_status plan_columns(scan *c) {
  const int64_t groups = ceil_div(c->args.rows, 32);
  c->args.pieces = pieces_of(c, groups);
  if (c->args.pieces > 65535) c->args.pieces = 1;
  return plan_all(c,
                  (launching){.number = COLUMNS_KERNEL,
                              .name = "tsr_scan_columns",
                              .grid = {(unsigned)groups, c->args.pieces, 1},
                              .threads = 32 * WARPS},
                  true);
}

static tsr_status plan_rows(scan *c) {
  c->args.pieces = pieces_of(c, c->args.rows);
  return plan_all(c,
                  (launching){.number = ROWS_KERNEL,
                              .name = "tsr_scan_rows",
                              .grid = {(unsigned)(c->args.rows * c->args.pieces), 1, 1},
                              .threads = ROW_THREADS},
                  false);
}

/* For numbers below 2^16 a quotient is the upper half of a product. */
static uint32_t magic_of(int64_t n) {
  return n > 1 ? (uint32_t)((((uint64_t)1 << 32) + (uint64_t)n - 1) / (uint64_t)n) : 0;
}

static tsr_status plan_short(scan *c, int64_t runs, bool packed) {
  const int64_t each = ceil_div(c->args.n, RUN), beside = runs / each;
  c->args.pieces = 1;
  c->args.beside = (uint32_t)(beside < MOST_BESIDE ? beside : MOST_BESIDE);
  c->args.magic = magic_of(packed ? c->args.n / 4 : c->args.n);
  return plan_all(c,
                  (launching){.number = packed ? PACKED_KERNEL : SHORT_KERNEL,
                              .name = packed ? "tsr_scan_packed" : "tsr_scan_short",
                              .grid = {(unsigned)ceil_div(c->args.rows, c->args.beside), 1, 1},
                              .threads = ROW_THREADS},
                  false);
}

/* Chunks as they lie in memory: elements of 4 bytes that are computed with as they are. */
static bool is_plain(const scan *c) {
  const scan_args *const a = &c->args;
  const int dtype = c->x.tensor.dtype;
  if (dtype != c->compute || dtype != c->out.tensor.dtype || tsr_dtype_size(dtype) != 4) return false;
  if (a->step != 1 || a->step_out != 1 || a->n % 4 != 0) return false;
  uint64_t bits = tsr__cuda_place_of(&c->x) | tsr__cuda_place_of(&c->out);
  for (int d = 0; d < a->kept_rank; d++) bits |= (uint64_t)(a->kept_step[0][d] | a->kept_step[1][d]) * 4;
  return bits % 16 == 0 && tsr__cuda_traits_of(c->gpu)->shared_block >= (CHUNK + CHUNK / RUN) * 4;
}

static tsr_status plan_chunks(scan *c) {
  const int64_t longest = c->args.n < CHUNK ? c->args.n : CHUNK, runs = ceil_div(longest, 4 * RUN) * 4;
  launching l = {.number = CHUNKS_KERNEL,
                 .name = "tsr_scan_chunks",
                 .grid = {(unsigned)c->args.rows, 1, 1},
                 .threads = CHUNK_THREADS,
                 .shared = (unsigned)(runs * (RUN + 1) * 4),
                 .most_shared = (CHUNK + CHUNK / RUN) * 4,
                 .x = &c->x.ref,
                 .out = &c->out.ref};
  c->args.beside = (uint32_t)runs;
  c->args.pieces = pieces_of(c, c->args.rows);
  if (c->args.pieces == 1) return launch(c, &c->args, &l);
  const int64_t items = c->args.rows * c->args.pieces;
  const size_t bytes = 8 + 16 * (size_t)items;
  const tsr__cuda_ref posts = tsr__cuda_scratch(tsr__cuda_plan_scratch(c->plan, bytes));
  tsr__cuda_plan_set(c->plan, posts, 0, bytes);
  l.number = FLAT_KERNEL;
  l.grid.x = (unsigned)(items + 1);
  l.posts = &posts;
  return launch(c, &c->args, &l);
}

/* ---- the call ---- */

/* Neighbours in memory belong to different rows. */
static bool by_columns(const scan_args *a) {
  const int64_t step = a->kept_step[0][0] < 0 ? -a->kept_step[0][0] : a->kept_step[0][0];
  const int64_t along = a->step < 0 ? -a->step : a->step;
  return a->kept[0] >= 8 && a->n > 1 && step != 0 && step < along;
}

static void set_axes(scan *c, int axis) {
  const tsr_tensor *const x = &c->x.tensor, *const out = &c->out.tensor;
  const tsr__cuda_axes kept = tsr__cuda_axes_of(x, out, axis, true);
  c->args.n = x->shape[axis];
  c->args.rows = 1;
  c->args.step = x->stride[axis];
  c->args.step_out = out->stride[axis];
  c->args.kept_rank = kept.rank;
  c->args.beside = c->args.pieces = 1;
  for (int d = 0; d < kept.rank; d++) c->args.rows *= kept.length[d];
  memcpy(c->args.kept, kept.length, sizeof kept.length);
  memcpy(c->args.kept_step, kept.step, sizeof kept.step);
}

static tsr_status plan_scan(scan *c, int axis) {
  const size_t item = tsr_dtype_size(c->compute);
  const int64_t runs = item <= 4 ? 512 : item == 8 ? 256 : 128; /* of a tile */
  set_axes(c, axis);
  if (c->args.rows * ceil_div(c->args.n, CHUNK) >= INT32_MAX)
    return TSR__FAIL(c->ctx, TSR_EDEVICE, "cumulative", "x", "has more rows than one launch takes");
  if (by_columns(&c->args)) return plan_columns(c);
  const bool plain = is_plain(c);
  if (c->args.n <= runs * RUN / 2) return plan_short(c, plain ? 256 : runs, plain);
  return plain ? plan_chunks(c) : plan_rows(c);
}

static tsr_status cumulative(tsr__cuda *gpu, const tsr_work *work, const scan_op *op, tsr__cuda_plan *plan) {
  const tsr__cumsum_attrs *const attrs = work->attrs;
  scan c = {.gpu = gpu,
            .ctx = work->ctx,
            .op = op,
            .x = tsr__cuda_input(work, 0),
            .out = tsr__cuda_output(work, 0),
            .plan = plan};
  const int dtype = c.x.tensor.dtype, axis = attrs->axis < 0 ? attrs->axis + c.x.tensor.ndim : attrs->axis;
  if (tsr_dtype_describe(dtype)->class_ == TSR_CLASS_COMPLEX)
    return TSR__FAIL(work->ctx, TSR_EDEVICE, work->op, "x", "is complex: the host computes with it");
  if (tsr_size(&c.out.tensor) == 0) return TSR_OK;
  c.compute = tsr__reduce_compute(op->sums ? tsr__reduce_sum_dtype(dtype) : dtype);
  tsr_status st = TSR_OK;
  if (c.x.tensor.data == NULL || c.out.tensor.data == NULL || !tsr__same_view(&c.x.tensor, &c.out.tensor))
    st = tsr__cuda_unaliased(gpu, work->ctx, &c.out, &c.x, plan);
  return st == TSR_OK ? plan_scan(&c, axis) : st;
}

#define CUMULATIVE(name, ...)                                                                                       \
  tsr_status tsr__cuda_##name(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) { \
    static const scan_op row = {__VA_ARGS__};                                                                       \
    (void)op;                                                                                                       \
    return cumulative(gpu, work, &row, plan);                                                                       \
  }
CUMULATIVE(cumsum, .floats = "a + b", .integers = "(C)((uint64_t)a + (uint64_t)b)", .neutral = "0", .sums = true)
CUMULATIVE(cumprod, .floats = "a * b", .integers = "(C)((uint64_t)a * (uint64_t)b)", .neutral = "1", .sums = true)
CUMULATIVE(cummin, .floats = "(b < a) | (b != b) ? b : a", .integers = "b < a ? b : a", .any_order = true)
CUMULATIVE(cummax, .floats = "(b > a) | (b != b) ? b : a", .integers = "b > a ? b : a", .max = true, .any_order = true)
