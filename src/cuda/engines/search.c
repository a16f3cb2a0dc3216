/* Searches among what is sorted: searchsorted, and lines through points. */
#include "cuda/engines/axes.h"
#include "cuda/engines/engines.h"

#include "ops/parts.h"
#include "ops/series/ops.h"
#include "ops/sort/keys.h"
#include "ops/sort/ops.h"

#include <string.h>

enum { THREADS = 256 };
enum { KEYS_KERNEL, SORTED_KERNEL, RISING_KERNEL, LINES_KERNEL, STAGED_KERNEL };
enum { STAGED_THREADS = 1024, STAGED_EACH = 4, MOST_STAGED = 96 << 10 };

/* The host's struct search_args of kernels/search.cuh. */
typedef struct search_args {
  uint64_t x, sorted, out, keys, sorter, xp, fp;
  int64_t n, count, sorted_step, sorter_step;
  int64_t length[TSR__CUDA_AXES], step[2][TSR__CUDA_AXES];
  int32_t rank, floats, right, sided, many;
  uint64_t flip, limit;
  double left, beyond;
  uint64_t fault[2];
} search_args;

typedef struct search {
  tsr__cuda *gpu;
  tsr_ctx *ctx;
  tsr__cuda_plan *plan;
  tsr__cuda_view x, out;
  int in_dtype, out_dtype; /* as kernels see them */
  search_args args;
} search;

static tsr_status get_kernel(const search *s, int number, const tsr__cuda_kernel **kernel) {
  static const char *const names[] = {"tsr_search_keys", "tsr_search_sorted", "tsr_search_rising", "tsr_search_lines",
                                      "tsr_search_staged"};
  static const char maker;
  const bool lines = number == LINES_KERNEL;
  tsr__cuda_key key;
  tsr__cuda_text text = {0};
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)s->in_dtype;
  key.part[1] = (uint8_t)s->out_dtype;
  key.part[2] = (uint8_t)number;
  *kernel = tsr__cuda_kernel_find(s->gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text_expand(&text,
                        "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n"
                        "#include \"cuda/kernels/fault.cuh\"\n");
  tsr__cuda_text_format(&text, "typedef %s_mem T;\ntypedef %s_mem OUT;\n#define KERNEL %d\n",
                        tsr__cuda_dtype(s->in_dtype), tsr__cuda_dtype(s->out_dtype), number);
  if (lines) {
    tsr__cuda_text_add(&text, "static __device__ inline double LOADED(T t) { return ");
    tsr__cuda_add_cast(&text, s->in_dtype, TSR_F64, "t");
    tsr__cuda_text_add(&text, "; }\nstatic __device__ inline OUT STORED(double v) { return ");
    tsr__cuda_add_cast(&text, TSR_F64, s->out_dtype, "v");
    tsr__cuda_text_add(&text, "; }\n");
  }
  tsr__cuda_text_expand(&text, "#include \"cuda/kernels/search.cuh\"\n");
  const tsr__cuda_source source = {
      .text = text.data, .name = names[number], .shared = number == STAGED_KERNEL ? MOST_STAGED : 0};
  const tsr_status st = text.failed ? TSR_ENOMEM : tsr__cuda_kernel_get(s->gpu, s->ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

/* A launch of a thread each; addresses are added behind it. */
static tsr_status launch(const search *s, int number, int64_t threads) {
  const tsr__cuda_kernel *kernel;
  const int64_t blocks = threads / THREADS + (threads % THREADS != 0);
  if (blocks > INT32_MAX)
    return TSR__FAIL(s->ctx, TSR_EDEVICE, "search", NULL, "has more elements than one launch takes");
  const tsr_status st = get_kernel(s, number, &kernel);
  if (st == TSR_OK)
    tsr__cuda_plan_launch(s->plan, kernel, (tsr__cuda_grid){(unsigned)blocks, 1, 1}, THREADS, 0, &s->args,
                          sizeof s->args);
  return st;
}

static void set_axes(search *s) {
  const tsr__cuda_axes axes = tsr__cuda_axes_of(&s->x.tensor, &s->out.tensor, -1, true);
  s->args.count = tsr_size(&s->x.tensor);
  s->args.rank = axes.rank;
  memcpy(s->args.length, axes.length, sizeof axes.length);
  memcpy(s->args.step, axes.step, sizeof axes.step);
}

/* ---- searchsorted ---- */

static int as_bits(int dtype) {
  switch (tsr_dtype_size(dtype)) {
    case 1: return TSR_U8;
    case 2: return TSR_U16;
    case 4: return TSR_U32;
    default: return TSR_U64;
  }
}

/* Keys in the order of the sorter, all of whose indices are checked. */
static tsr_status plan_keys(search *s, const tsr__cuda_view *sorted, const tsr_work *work, tsr__cuda_ref *keys) {
  tsr__cuda_view sorter = tsr__cuda_input(work, 2);
  tsr_status st = TSR_OK;
  if (sorter.tensor.dtype != TSR_I64) {
    const tsr__cuda_view wide = tsr__cuda_temporary(s->plan, TSR_I64, 1, sorter.tensor.shape);
    st = tsr__cuda_plan_cast(s->gpu, s->ctx, &sorter, &wide, s->plan);
    sorter = wide;
  }
  *keys = tsr__cuda_scratch(tsr__cuda_plan_scratch(s->plan, (size_t)s->args.n * tsr_dtype_size(s->in_dtype)));
  s->args.sorter_step = sorter.tensor.stride[0];
  if (st == TSR_OK) st = launch(s, KEYS_KERNEL, s->args.n);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_address(s->plan, offsetof(search_args, sorted), sorted->ref);
  tsr__cuda_plan_address(s->plan, offsetof(search_args, keys), *keys);
  tsr__cuda_plan_address(s->plan, offsetof(search_args, sorter), sorter.ref);
  tsr__cuda_plan_fault(s->plan, offsetof(search_args, fault), "sorter");
  return TSR_OK;
}

/* Whether keys fit shared memory, and enough is looked for that every multiprocessor may bring them there. */
static bool is_staged(const search *s) {
  const size_t bytes = (size_t)s->args.n * tsr_dtype_size(s->in_dtype);
  const bool fits =
      s->args.n < MOST_STAGED && bytes <= MOST_STAGED && tsr__cuda_traits_of(s->gpu)->shared_block >= MOST_STAGED;
  return fits && s->args.n > 0 && s->args.many && s->args.count >= 16 * STAGED_THREADS &&
         s->args.count >= 4 * s->args.n;
}

static tsr_status launch_staged(const search *s) {
  const int64_t each = STAGED_THREADS * STAGED_EACH, all = (s->args.count + each - 1) / each;
  const int64_t most = 2 * (int64_t)tsr__cuda_traits_of(s->gpu)->multiprocessors;
  const tsr__cuda_kernel *kernel;
  const tsr_status st = get_kernel(s, STAGED_KERNEL, &kernel);
  if (st == TSR_OK)
    tsr__cuda_plan_launch(s->plan, kernel, (tsr__cuda_grid){(unsigned)(all < most ? all : most), 1, 1}, STAGED_THREADS,
                          (unsigned)((size_t)s->args.n * tsr_dtype_size(s->in_dtype)), &s->args, sizeof s->args);
  return st;
}

static tsr_status plan_search(search *s, const tsr__cuda_view *sorted, const tsr_work *work) {
  const bool by_sorter = work->in[2] != NULL && s->args.n > 0;
  tsr__cuda_ref keys = tsr__cuda_scratch(0);
  tsr_status st = by_sorter ? plan_keys(s, sorted, work, &keys) : TSR_OK;
  if (st == TSR_OK && s->args.count > 0) st = is_staged(s) ? launch_staged(s) : launch(s, SORTED_KERNEL, s->args.count);
  if (st != TSR_OK || s->args.count == 0) return st;
  tsr__cuda_plan_address(s->plan, offsetof(search_args, x), s->x.ref);
  tsr__cuda_plan_address(s->plan, offsetof(search_args, out), s->out.ref);
  if (by_sorter)
    tsr__cuda_plan_address(s->plan, offsetof(search_args, keys), keys);
  else if (s->args.n > 0)
    tsr__cuda_plan_address(s->plan, offsetof(search_args, sorted), sorted->ref);
  return TSR_OK;
}

tsr_status tsr__cuda_searchsorted(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__searchsorted_attrs *const attrs = work->attrs;
  tsr__cuda_view sorted = tsr__cuda_input(work, 0);
  const int dtype = sorted.tensor.dtype;
  const tsr__keys keys = tsr__keys_of_dtype(dtype, false);
  search s = {.gpu = gpu,
              .ctx = work->ctx,
              .plan = plan,
              .x = tsr__cuda_input(work, 1),
              .out = tsr__cuda_output(work, 0),
              .in_dtype = as_bits(dtype),
              .out_dtype = TSR_I64};
  (void)op;
  s.args.n = sorted.tensor.shape[0];
  s.args.sorted_step = sorted.tensor.stride[0];
  s.args.floats = keys.floats;
  s.args.right = attrs->right;
  s.args.many = s.args.n > 0 && tsr_size(&s.x.tensor) >= 8 && tsr_size(&s.x.tensor) >= s.args.n / 32;
  s.args.flip = keys.flip;
  s.args.limit = keys.limit;
  tsr_status st = tsr__cuda_unaliased(gpu, work->ctx, &s.out, &sorted, plan);
  if (st == TSR_OK) st = tsr__cuda_unaliased(gpu, work->ctx, &s.out, &s.x, plan);
  if (st != TSR_OK) return st;
  s.args.sorted_step = sorted.tensor.stride[0];
  set_axes(&s);
  return plan_search(&s, &sorted, work);
}

/* ---- interp ---- */

/* A vector as contiguous f64. */
static tsr_status widen(const search *s, const tsr_work *work, int k, tsr__cuda_view *wide) {
  const tsr__cuda_view in = tsr__cuda_input(work, k);
  *wide = tsr__cuda_temporary(s->plan, TSR_F64, 1, in.tensor.shape);
  return tsr__cuda_plan_cast(s->gpu, s->ctx, &in, wide, s->plan);
}

tsr_status tsr__cuda_interp(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__interp_attrs *const attrs = work->attrs;
  const tsr_real *const left = attrs->left, *const right = attrs->right;
  search s = {
      .gpu = gpu, .ctx = work->ctx, .plan = plan, .x = tsr__cuda_input(work, 0), .out = tsr__cuda_output(work, 0)};
  tsr__cuda_view xp, fp;
  (void)op;
  if (tsr__is_complex(work->in[2]->dtype))
    return TSR__FAIL(work->ctx, TSR_EDEVICE, work->op, "fp", "is complex: the host computes with it");
  s.in_dtype = s.x.tensor.dtype;
  s.out_dtype = s.out.tensor.dtype;
  s.args.n = work->in[1]->shape[0];
  s.args.sided = (left != NULL) | (right != NULL) << 1;
  s.args.left = left != NULL ? (double)*left : 0;
  s.args.beyond = right != NULL ? (double)*right : 0;
  tsr_status st = widen(&s, work, 1, &xp);
  if (st == TSR_OK) st = widen(&s, work, 2, &fp);
  if (st == TSR_OK) st = tsr__cuda_unaliased(gpu, work->ctx, &s.out, &s.x, plan);
  if (st == TSR_OK) st = launch(&s, RISING_KERNEL, s.args.n);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_address(plan, offsetof(search_args, xp), xp.ref);
  tsr__cuda_plan_fault_as(plan, offsetof(search_args, fault), "xp", TSR_EARG, "a point that falls");
  set_axes(&s);
  if (s.args.count == 0) return TSR_OK;
  st = launch(&s, LINES_KERNEL, s.args.count);
  if (st != TSR_OK) return st;
  tsr__cuda_plan_address(plan, offsetof(search_args, x), s.x.ref);
  tsr__cuda_plan_address(plan, offsetof(search_args, out), s.out.ref);
  tsr__cuda_plan_address(plan, offsetof(search_args, xp), xp.ref);
  tsr__cuda_plan_address(plan, offsetof(search_args, fp), fp.ref);
  return TSR_OK;
}
