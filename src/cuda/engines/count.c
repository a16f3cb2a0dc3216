/* Histograms and counts of whole numbers. */
#include "cuda/engines/axes.h"
#include "cuda/engines/engines.h"
#include "cuda/engines/reduce.h"

#include "ops/promote.h"
#include "ops/sort/ops.h"

#include <string.h>

enum { THREADS = 512, CLEAR_THREADS = 256, EDGE_THREADS = 256, WEIGHT_THREADS = 256, SPANS = 1024 };
enum { SPAN_KERNEL, EDGES_KERNEL, BINS_KERNEL, NUMBERS_KERNEL, CLEAR_KERNEL, WEIGHTS_KERNEL };

/* The host's struct count_args of kernels/count.cuh. */
typedef struct count_args {
  uint64_t x;
  int64_t n, bins;
  int64_t length[TSR__CUDA_AXES], step[TSR__CUDA_AXES];
  int32_t rank, spans;
  uint64_t span;
  double low, high;
  uint64_t edge, edges, counts, found, weights, sums;
  int64_t edges_step, counts_step;
  uint64_t fault[2];
} count_args;

typedef struct counting {
  tsr__cuda *gpu;
  tsr_ctx *ctx;
  tsr__cuda_plan *plan;
  tsr__cuda_view x;
  int compared, edge_dtype; /* what elements are compared in: f32, f64, or i64 for whole numbers */
  bool packed;
  count_args args;
} counting;

static int64_t ceil_div(int64_t n, int64_t d) { return n / d + (n % d != 0); }

/* ---- kernels ---- */

static void write_text(const counting *c, int number, tsr__cuda_text *text) {
  const int in = c->x.tensor.dtype;
  const char *const edge = tsr__cuda_dtype(c->edge_dtype);
  tsr__cuda_text_expand(text,
                        "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n"
                        "#define STORE(p, v) (*(p) = (v))\n#define LOAD(p) (*(p))\n"
                        "#include \"cuda/kernels/words.cuh\"\n#include \"cuda/kernels/fault.cuh\"\n");
  tsr__cuda_text_format(text, "typedef %s_mem T;\ntypedef %s_mem P;\ntypedef %s_mem EDGE;\n", tsr__cuda_dtype(in),
                        tsr__cuda_dtype(c->compared), edge);
  tsr__cuda_text_format(text, "#define KERNEL %d\n#define PACKED %d\n#define P_BITS %d\n", number, (int)c->packed,
                        (int)tsr_dtype_size(c->compared) * 8);
  tsr__cuda_text_add(text, "static __device__ inline P LOADED(T t) { return ");
  tsr__cuda_add_cast(text, in, c->compared, "t");
  tsr__cuda_text_add(text, "; }\nstatic __device__ inline EDGE ROUNDED(double v) { return ");
  tsr__cuda_add_cast(text, TSR_F64, c->edge_dtype, "v");
  tsr__cuda_text_add(text, "; }\nstatic __device__ inline double EXACT(EDGE v) { return ");
  tsr__cuda_add_cast(text, c->edge_dtype, TSR_F64, "v");
  tsr__cuda_text_add(text, "; }\n");
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/count.cuh\"\n");
}

static tsr_status get_kernel(const counting *c, int number, const tsr__cuda_kernel **kernel) {
  static const char *const names[] = {"tsr_count_span",    "tsr_count_edges", "tsr_count_bins",
                                      "tsr_count_numbers", "tsr_count_clear", "tsr_count_weights"};
  static const char maker;
  tsr__cuda_key key;
  tsr__cuda_text text = {0};
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = c->x.tensor.dtype;
  key.part[1] = (uint8_t)c->compared;
  key.part[2] = (uint8_t)c->edge_dtype;
  key.part[3] = (uint8_t)number;
  key.part[4] = c->packed;
  *kernel = tsr__cuda_kernel_find(c->gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  write_text(c, number, &text);
  const tsr__cuda_source source = {.text = text.data, .name = names[number]};
  const tsr_status st = text.failed ? TSR_ENOMEM : tsr__cuda_kernel_get(c->gpu, c->ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

typedef struct placed {
  size_t at;
  tsr__cuda_ref ref;
} placed;

/* Elements in any order: as they lie. Or in their own, for weights. */
static void set_elements(counting *c, bool by_step) {
  const tsr_tensor *const x = &c->x.tensor;
  const tsr__cuda_axes axes = tsr__cuda_axes_of(x, NULL, -1, by_step);
  c->args.n = tsr_size(x);
  c->args.rank = axes.rank;
  memcpy(c->args.length, axes.length, sizeof axes.length);
  memcpy(c->args.step, axes.step[0], sizeof axes.step[0]);
  c->packed = by_step && axes.rank == 1 && axes.step[0][0] == 1 && tsr__cuda_place_of(&c->x) % 16 == 0;
}

static tsr_status launch(const counting *c, int number, int64_t blocks, unsigned threads, int count,
                         const placed *addresses) {
  const tsr__cuda_kernel *kernel;
  const tsr_status st = get_kernel(c, number, &kernel);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_launch(c->plan, kernel, (tsr__cuda_grid){(unsigned)blocks, 1, 1}, threads, 0, &c->args,
                        sizeof c->args);
  for (int i = 0; i < count; i++) tsr__cuda_plan_address(c->plan, addresses[i].at, addresses[i].ref);
  return TSR_OK;
}
#define AT(member, ref) \
  { offsetof(count_args, member), ref }
#define LAUNCH(c, number, blocks, threads, ...)                                               \
  launch(c, number, blocks, threads, (int)(sizeof((placed[]){__VA_ARGS__}) / sizeof(placed)), \
         (const placed[]){__VA_ARGS__})

/* Blocks that go through all elements: as many as multiprocessors hold, and no more than have something to do. */
static int64_t blocks_of(const counting *c) {
  const int64_t each = THREADS * 4 * (c->packed ? 16 / (int64_t)tsr_dtype_size(c->x.tensor.dtype) : 1);
  const int64_t most = (c->compared == TSR_F32 ? 3 : 2) * (int64_t)tsr__cuda_traits_of(c->gpu)->multiprocessors;
  const int64_t all = ceil_div(c->args.n, each);
  return all < most ? all : most;
}

/* ---- histogram ---- */

static void add_fault(const counting *c) {
  tsr__cuda_plan_fault_as(c->plan, offsetof(count_args, fault), "x", TSR_ERANGE,
                          "a number that is not finite, and no range was given");
}

/* The range that x has, as many blocks see it. */
static tsr_status plan_span(counting *c, tsr__cuda_ref *span) {
  const int64_t blocks = blocks_of(c) < SPANS ? blocks_of(c) : SPANS;
  c->args.spans = (int32_t)blocks;
  *span = tsr__cuda_scratch(tsr__cuda_plan_scratch(c->plan, 2 * (size_t)blocks * tsr_dtype_size(c->compared)));
  const tsr_status st = LAUNCH(c, SPAN_KERNEL, blocks, THREADS, AT(x, c->x.ref), AT(span, *span));
  if (st == TSR_OK) add_fault(c);
  return st;
}

static tsr_status plan_edges(counting *c, const tsr_work *work, bool given, tsr__cuda_ref edge) {
  const tsr_tensor *const edges = work->out[1];
  tsr__cuda_ref span = tsr__cuda_scratch(0);
  tsr_status st = TSR_OK;
  if (!given && c->args.n > 0) st = plan_span(c, &span);
  if (st != TSR_OK) return st;
  c->args.edges_step = edges != NULL ? edges->stride[0] : 0;
  st = LAUNCH(c, EDGES_KERNEL, ceil_div(c->args.bins + 1, EDGE_THREADS), EDGE_THREADS, AT(edge, edge), AT(span, span));
  if (st == TSR_OK && edges != NULL) tsr__cuda_plan_address(c->plan, offsetof(count_args, edges), tsr__cuda_out(1));
  if (st == TSR_OK) add_fault(c);
  return st;
}

static tsr_status plan_counts(counting *c, const tsr_tensor *counts, tsr__cuda_ref edge) {
  const int64_t most = 4 * (int64_t)tsr__cuda_traits_of(c->gpu)->multiprocessors;
  const int64_t blocks = ceil_div(c->args.bins, CLEAR_THREADS);
  c->args.counts_step = counts->stride[0];
  const tsr_status st =
      LAUNCH(c, CLEAR_KERNEL, blocks < most ? blocks : most, CLEAR_THREADS, AT(counts, tsr__cuda_out(0)));
  if (st != TSR_OK || c->args.n == 0) return st;
  return LAUNCH(c, BINS_KERNEL, blocks_of(c), THREADS, AT(x, c->x.ref), AT(edge, edge), AT(counts, tsr__cuda_out(0)));
}

tsr_status tsr__cuda_histogram(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__histogram_attrs *const attrs = work->attrs;
  const tsr_real *const range = attrs->range;
  counting c = {.gpu = gpu, .ctx = work->ctx, .plan = plan, .x = tsr__cuda_input(work, 0)};
  (void)op;
  c.edge_dtype = tsr__float_of(c.x.tensor.dtype);
  c.compared = c.edge_dtype == TSR_F64 ? TSR_F64 : TSR_F32;
  c.args.bins = attrs->bins;
  c.args.low = range != NULL ? (double)range[0] : 0;
  c.args.high = range != NULL ? (double)range[1] : 1;
  tsr_status st = TSR_OK;
  for (int k = 0; k < 2 && st == TSR_OK; k++) {
    const tsr__cuda_view out = work->out[k] != NULL ? tsr__cuda_output(work, k) : (tsr__cuda_view){0};
    if (work->out[k] != NULL) st = tsr__cuda_unaliased(gpu, work->ctx, &out, &c.x, plan);
  }
  if (st != TSR_OK) return st;
  set_elements(&c, true);
  const tsr__cuda_ref edge =
      tsr__cuda_scratch(tsr__cuda_plan_scratch(plan, ((size_t)c.args.bins + 2) * sizeof(double)));
  st = plan_edges(&c, work, range != NULL, edge);
  return st == TSR_OK && work->out[0] != NULL ? plan_counts(&c, work->out[0], edge) : st;
}

/* ---- bincount ---- */

static tsr_status size_bincount(const tsr_work *work, const int64_t *found, tsr__cuda_size *sizes) {
  const tsr__bincount_attrs *const attrs = work->attrs;
  const tsr_tensor *const x = work->in[0];
  const bool any = tsr_size(x) > 0;
  if (any && found[0] < 0 && x->dtype == TSR_U64)
    return TSR__FAIL(work->ctx, TSR_EINDEX, work->op, "x", "%t holds a number beyond i64", x);
  if (any && found[0] < 0)
    return TSR__FAIL(work->ctx, TSR_EINDEX, work->op, "x", "%t holds %l; what is counted is not negative", x, found[0]);
  if (any && found[1] >= (int64_t)UINT32_MAX)
    return TSR__FAIL(work->ctx, TSR_ERANGE, work->op, "x", "%t holds %l: too many bins", x, found[1]);
  const tsr_index length = any ? found[1] + 1 : 0;
  *sizes = (tsr__cuda_size){.dtype = work->in[1] != NULL ? TSR_F64 : TSR_I64,
                            .ndim = 1,
                            .shape = {length > attrs->minlength ? length : attrs->minlength}};
  return TSR_OK;
}

/* The least and the greatest number. */
static tsr_status plan_found(const counting *c, tsr__cuda_ref found) {
  const tsr__cuda_fold fold[2] = {tsr__cuda_fold_of(TSR__FOLD_MIN, TSR_I64), tsr__cuda_fold_of(TSR__FOLD_MAX, TSR_I64)};
  tsr_status st = TSR_OK;
  if (c->args.n == 0) {
    tsr__cuda_plan_set(c->plan, found, 0xff, TSR__CUDA_FOUND * sizeof(int64_t)); /* -1 */
    return TSR_OK;
  }
  for (int k = 0; k < 2 && st == TSR_OK; k++) {
    tsr__cuda_reduction r = {.fold = &fold[k], .compute = TSR_I64, .x = c->x, .axes = ~0u};
    r.out = (tsr__cuda_view){.tensor = {.dtype = TSR_I64}, .ref = found};
    r.out.ref.offset += k * (ptrdiff_t)sizeof(int64_t);
    st = tsr__cuda_plan_reduction(c->gpu, c->ctx, &r, c->plan);
  }
  return st;
}

static tsr_status plan_weights(counting *c, const tsr_work *work, tsr__cuda_ref found) {
  const tsr__cuda_view weights = tsr__cuda_input(work, 1);
  const tsr__cuda_view wide = tsr__cuda_temporary(c->plan, TSR_F64, weights.tensor.ndim, weights.tensor.shape);
  tsr_status st = c->args.n > 0 ? tsr__cuda_plan_cast(c->gpu, c->ctx, &weights, &wide, c->plan) : TSR_OK;
  set_elements(c, false);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_sized(c->plan, found, size_bincount);
  return LAUNCH(c, WEIGHTS_KERNEL, 2 * (int64_t)tsr__cuda_traits_of(c->gpu)->multiprocessors, WEIGHT_THREADS,
                AT(x, c->x.ref), AT(weights, wide.ref), AT(found, found), AT(sums, tsr__cuda_out(0)));
}

static tsr_status plan_numbers(counting *c, tsr__cuda_ref found) {
  tsr__cuda_plan_sized(c->plan, found, size_bincount);
  const tsr_status st = LAUNCH(c, CLEAR_KERNEL, 4 * (int64_t)tsr__cuda_traits_of(c->gpu)->multiprocessors,
                               CLEAR_THREADS, AT(counts, tsr__cuda_out(0)), AT(found, found));
  if (st != TSR_OK || c->args.n == 0) return st;
  return LAUNCH(c, NUMBERS_KERNEL, blocks_of(c), THREADS, AT(x, c->x.ref), AT(found, found),
                AT(counts, tsr__cuda_out(0)));
}

tsr_status tsr__cuda_bincount(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__bincount_attrs *const attrs = work->attrs;
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  counting c = {.gpu = gpu,
                .ctx = work->ctx,
                .plan = plan,
                .x = tsr__cuda_input(work, 0),
                .compared = TSR_I64,
                .edge_dtype = TSR_F64};
  (void)op;
  c.args.bins = attrs->minlength;
  c.args.counts_step =
      out.tensor.dtype != TSR_NONE && out.tensor.ndim == 1 && out.tensor.stride[0] != 0 ? out.tensor.stride[0] : 1;
  tsr_status st = tsr__cuda_unaliased(gpu, work->ctx, &out, &c.x, plan);
  if (st != TSR_OK) return st;
  set_elements(&c, true);
  const tsr__cuda_ref found = tsr__cuda_scratch(tsr__cuda_plan_scratch(plan, TSR__CUDA_FOUND * sizeof(int64_t)));
  st = plan_found(&c, found);
  if (st != TSR_OK) return st;
  return work->in[1] != NULL ? plan_weights(&c, work, found) : plan_numbers(&c, found);
}
