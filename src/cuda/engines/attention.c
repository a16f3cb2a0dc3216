/* Attention: which kernel, what is copied for it, and parts of the keys. */
#include "cuda/engines/attention.h"

#include "cuda/engines/engines.h"
#include "cuda/engines/product.h"
#include "nn/attention/attention.h"
#include "nn/attention/ops.h"
#include "ops/promote.h"

#include <string.h>

/* The kernels: any strides and dtypes; tiles in f32, and in f16 and bf16 by products of warps, or of groups of four (sm_90); few queries; those of
 * f16 and bf16 that share keys; parts that become one. */
typedef enum attention_kind { OF_ANY, OF_F32, OF_HALF, OF_GROUP, OF_FEW, OF_SHARED, JOIN } attention_kind;
static const char *const files[] = {
    "#include \"cuda/kernels/attention_any.cuh\"\n",  "#include \"cuda/kernels/attention_f32.cuh\"\n",
    "#include \"cuda/kernels/attention_half.cuh\"\n", "#include \"cuda/kernels/attention_group.cuh\"\n",
    "#include \"cuda/kernels/attention_few.cuh\"\n",  "#include \"cuda/kernels/attention_shared.cuh\"\n",
    "#include \"cuda/kernels/attention_join.cuh\"\n"};
enum { NO_MASK, OF_BOOL, ADDED, SCALED }; /* as in kernels/attention.cuh */

/* The kernels' struct attention_args. */
typedef struct attention_args {
  uint64_t q, k, v, mask, out, tops, sums;
  int64_t h, heads, group, t, s, d, dv, columns;
  int64_t q_step[4], k_step[4], v_step[4], mask_step[4], out_step[4];
  int64_t offset;
  int64_t blocks, slices, parts, part;
  union {
    float f32;
    double f64;
  } unit;
} attention_args;

typedef struct attention {
  tsr__attention of;
  tsr__cuda_view q, k, v, mask, out;
  bool with_mask;
  attention_kind kind;
  int mask_kind;
  int dtype, compute; /* of q, k and v as the kernel reads them */
  int width, rows;    /* columns of a tile, or threads of a key; queries of a block */
  attention_args args;
} attention;

static int64_t up(int64_t x, int64_t unit) { return (x + unit - 1) / unit; }
static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* ---- kernels ---- */

static void add_value(tsr__cuda_text *text, const char *name, int from, int to) {
  tsr__cuda_text_format(text, "static __device__ inline %s_mem %s(%s_mem x) { return ", tsr__cuda_dtype(to), name,
                        tsr__cuda_dtype(from));
  tsr__cuda_add_cast(text, from, to, "x");
  tsr__cuda_text_add(text, "; }\n");
}

/* Keys of a tile, and blocks a multiprocessor: what registers allow, of which masks take some. */
static int group_keys(const attention *a) { return a->width == 64 || a->mask_kind != NO_MASK ? 64 : 128; }
static int group_blocks(const attention *a) { return a->width == 64 && a->mask_kind == NO_MASK ? 2 : 1; }

static void add_text(tsr__cuda_text *text, const attention *a, attention_kind kind, int mask, int mask_kind) {
  const int out = a->out.tensor.dtype;
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n");
  tsr__cuda_text_format(text, "typedef %s_mem T;\ntypedef %s_mem TM;\ntypedef %s_mem TO;\ntypedef %s_mem C;\n",
                        tsr__cuda_dtype(a->dtype), tsr__cuda_dtype(mask), tsr__cuda_dtype(out),
                        tsr__cuda_dtype(a->compute));
  add_value(text, "LOADED", a->dtype, a->compute);
  add_value(text, "MASKED", mask_kind == ADDED ? mask : a->compute, a->compute);
  add_value(text, "STORED", a->compute, out);
  tsr__cuda_text_format(text, "#define MASK %d\n#define W %d\n#define LANES %d\n#define ROWS %d\n#define BRAIN %d\n",
                        mask_kind, a->width, a->width, a->rows, a->dtype == TSR_BF16);
  if (kind == OF_F32) tsr__cuda_text_add(text, "#undef ROWS\n");
  if (kind == OF_GROUP)
    tsr__cuda_text_format(text, "#define GROUP_KEYS %d\n#define GROUP_BLOCKS %d\n", group_keys(a), group_blocks(a));
  tsr__cuda_text_expand(text, files[kind]);
}

static unsigned shared_of(const attention *a, attention_kind kind) {
  const unsigned w = (unsigned)a->width, rows = (unsigned)a->rows;
  if (kind == OF_F32) return (w * rows + 2 * 64 * w + 64 * rows) * 4;
  if (kind == OF_HALF) return (rows + 4 * 64) * w * 2;
  if (kind == OF_GROUP) return (rows + 4 * (unsigned)group_keys(a)) * w * 2 + 1024; /* which it aligns to 1024 */
  if (kind == OF_SHARED) return 4 * 3 * 2 * 16 * w * 2;                             /* warps, stages, keys and values */
  return 0;
}

static tsr_status get_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const attention *a, attention_kind kind,
                             const tsr__cuda_kernel **kernel) {
  static const char maker;
  const int mask_kind = kind == JOIN ? NO_MASK : a->mask_kind;
  const int mask = mask_kind == OF_BOOL || mask_kind == ADDED ? a->mask.tensor.dtype : TSR_BOOL;
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)a->dtype;
  key.part[1] = a->out.tensor.dtype;
  key.part[2] = (uint8_t)mask;
  key.part[3] = (uint8_t)mask_kind;
  key.part[4] = (uint8_t)kind;
  key.part[5] = (uint8_t)(kind == JOIN ? 0 : a->width);
  key.part[6] = (uint8_t)(kind == OF_FEW ? a->rows : 0);
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  add_text(&text, a, kind, mask, mask_kind);
  const tsr__cuda_source source = {
      .text = text.data, .name = kind == JOIN ? "tsr_attention_join" : "tsr_attention", .shared = shared_of(a, kind)};
  const tsr_status st = text.failed ? TSR_ENOMEM : tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

/* ---- operands ---- */

/* An operand's steps by (batch, head, row, column), 0 along axes that are left out or broadcast. */
static void set_steps(const tsr_tensor *t, const int64_t *length, int64_t *step) {
  for (int i = 0; i < 4; i++) {
    const int axis = i - (4 - t->ndim);
    step[i] = axis >= 0 && (length == NULL || t->shape[axis] == length[i]) ? t->stride[axis] : 0;
  }
}

/* Whether rows are contiguous packs of 16 bytes. */
static bool is_packed(const tsr__cuda_view *v, int pack) {
  const tsr_tensor *const t = &v->tensor;
  const int last = t->ndim - 1;
  if (tsr__cuda_place_of(v) % 16 != 0 || t->shape[last] % pack != 0 || (t->shape[last] > 1 && t->stride[last] != 1))
    return false;
  for (int d = 0; d < last; d++)
    if (t->shape[d] > 1 && t->stride[d] % pack != 0) return false;
  return true;
}

/* The view itself, or a copy of it with such rows, zeros behind them, in another dtype where that is smaller than what kernels read. */
static tsr_status pack_rows(tsr__cuda *gpu, tsr_ctx *ctx, int dtype, tsr__cuda_view *v, tsr__cuda_plan *plan) {
  const int last = v->tensor.ndim - 1, pack = 16 / (int)tsr_dtype_size(dtype);
  tsr_index shape[TSR_MAX_DIMS];
  if (v->tensor.dtype == dtype && is_packed(v, pack)) return TSR_OK;
  for (int d = 0; d < last; d++) shape[d] = v->tensor.shape[d];
  shape[last] = up(v->tensor.shape[last], pack) * pack;
  tsr__cuda_view copy = tsr__cuda_temporary(plan, dtype, v->tensor.ndim, shape);
  tsr__cuda_view part = copy;
  part.tensor.shape[last] = v->tensor.shape[last];
  if (shape[last] != v->tensor.shape[last]) tsr__cuda_plan_set(plan, copy.ref, 0, tsr_nbytes(&copy.tensor));
  const tsr_status st = tsr__cuda_plan_cast(gpu, ctx, v, &part, plan);
  *v = copy;
  return st;
}

static tsr_status pack_operands(tsr__cuda *gpu, tsr_ctx *ctx, attention *a, tsr__cuda_plan *plan) {
  tsr_status st = TSR_OK;
  if (a->kind == OF_ANY) return TSR_OK;
  st = pack_rows(gpu, ctx, a->dtype, &a->q, plan);
  if (st == TSR_OK) st = pack_rows(gpu, ctx, a->dtype, &a->k, plan);
  if (st == TSR_OK) st = pack_rows(gpu, ctx, a->dtype, &a->v, plan);
  return st;
}

/* ---- which kernel ---- */

static int power_of_2(int64_t least_of, int first) {
  int x = first;
  while (x < least_of) x *= 2;
  return x;
}

/* Tiles have at least 128 queries or 64; fewer than a few take as long, and read keys and values from one block of threads. */
static void choose_kind(const tsr__cuda *gpu, attention *a) {
  enum { FEW = 16, WIDEST = 128 };
  const tsr__attention *const of = &a->of;
  const int64_t wide = most(of->d, of->dv), rows = of->group * of->t;
  const bool small = tsr_dtype_size(of->dtype) == 1, half = of->dtype != TSR_F32 && of->compute == TSR_F32;
  a->compute = of->compute;
  a->dtype = small ? TSR_F16 : of->dtype;
  const int pack = 16 / (int)tsr_dtype_size(a->dtype);
  const bool is_new = tsr__cuda_traits_of(gpu)->capability >= 80;
  if (half && rows > 1 && rows <= FEW && wide <= WIDEST && is_new) {
    a->kind = OF_SHARED;
    a->width = power_of_2(wide, 64);
    a->rows = FEW;
  } else if (of->compute == TSR_F32 && rows <= FEW && wide <= 32 * pack) {
    a->kind = OF_FEW;
    a->width = power_of_2(up(wide, pack), 1);
    a->rows = power_of_2(least(rows, 8), 1);
  } else if (of->compute == TSR_F32 && wide <= WIDEST && is_new) {
    const bool is_group = half && tsr__cuda_traits_of(gpu)->capability == 90;
    a->kind = is_group ? OF_GROUP : half ? OF_HALF : OF_F32;
    a->width = power_of_2(wide, half ? 64 : 32);
    a->rows = is_group || a->width <= 64 ? 128 : 64;
  } else {
    a->kind = OF_ANY;
    a->dtype = of->dtype;
    a->rows = 16;
  }
}

/* Enough blocks for all multiprocessors, of keys that are worth one. */
static void cut_keys(const tsr__cuda *gpu, attention *a, int64_t blocks) {
  enum { FEWEST = 128, MOST = 256 };
  attention_args *const args = &a->args;
  const int64_t wanted = 4 * tsr__cuda_traits_of(gpu)->multiprocessors;
  args->parts = 1;
  args->part = most(args->s, 1);
  if ((a->kind != OF_ANY && a->kind != OF_FEW && a->kind != OF_SHARED) || blocks >= wanted) return;
  const int64_t parts = least(least(up(wanted, blocks), MOST), args->s / FEWEST);
  if (parts <= 1) return;
  args->part = up(up(args->s, parts), 64) * 64;
  args->parts = up(args->s, args->part);
}

static void set_args(attention *a) {
  const tsr__attention *const of = &a->of;
  attention_args *const args = &a->args;
  const int64_t scores[4] = {of->b, of->h, of->t, of->s};
  args->h = of->h;
  args->heads = of->hkv;
  args->group = of->group;
  args->t = of->t;
  args->s = of->s;
  args->d = a->kind == OF_ANY ? of->d : a->q.tensor.shape[a->q.tensor.ndim - 1];
  args->dv = a->kind == OF_ANY ? of->dv : a->v.tensor.shape[a->v.tensor.ndim - 1];
  args->columns = of->dv;
  args->offset = of->causal ? of->offset : of->s;
  set_steps(&a->q.tensor, NULL, args->q_step);
  set_steps(&a->k.tensor, NULL, args->k_step);
  set_steps(&a->v.tensor, NULL, args->v_step);
  set_steps(&a->out.tensor, NULL, args->out_step);
  if (a->with_mask) set_steps(&a->mask.tensor, scores, args->mask_step);
  const double unit = (double)of->scale * 1.4426950408889634074;
  if (a->compute == TSR_F64)
    args->unit.f64 = unit;
  else
    args->unit.f32 = (float)unit;
}

/* ---- launches ---- */

static void plan_addresses(const attention *a, size_t tops, size_t sums, tsr__cuda_plan *plan) {
  tsr__cuda_plan_address(plan, offsetof(attention_args, q), a->q.ref);
  tsr__cuda_plan_address(plan, offsetof(attention_args, k), a->k.ref);
  tsr__cuda_plan_address(plan, offsetof(attention_args, v), a->v.ref);
  if (a->with_mask) tsr__cuda_plan_address(plan, offsetof(attention_args, mask), a->mask.ref);
  tsr__cuda_plan_address(plan, offsetof(attention_args, out), a->out.ref);
  if (a->args.parts == 1) return;
  tsr__cuda_plan_address(plan, offsetof(attention_args, tops), tsr__cuda_scratch(tops));
  tsr__cuda_plan_address(plan, offsetof(attention_args, sums), tsr__cuda_scratch(sums));
}

static tsr_status plan_launches(tsr__cuda *gpu, tsr_ctx *ctx, const char *op, attention *a, tsr__cuda_plan *plan) {
  const tsr__attention *const of = &a->of;
  attention_args *const args = &a->args;
  const tsr__cuda_kernel *kernel, *join = NULL;
  const bool by_head = a->kind == OF_F32 || a->kind == OF_HALF || a->kind == OF_GROUP;
  const int64_t rows = of->b * of->h * of->t;
  args->blocks = up(by_head ? of->t : of->group * of->t, a->rows);
  args->slices = a->kind == OF_ANY ? up(of->dv, 64) : 1;
  int64_t blocks = of->b * (by_head ? of->h : of->hkv) * args->blocks * args->slices;
  cut_keys(gpu, a, blocks);
  blocks *= args->parts;
  if (blocks > INT32_MAX || rows > INT32_MAX)
    return TSR__FAIL(ctx, TSR_EDEVICE, op, "q", "has %l queries: more than a grid has blocks", rows);
  tsr_status st = get_kernel(gpu, ctx, a, a->kind, &kernel);
  if (st == TSR_OK && args->parts > 1) st = get_kernel(gpu, ctx, a, JOIN, &join);
  if (st != TSR_OK) return st;
  const size_t item = tsr_dtype_size(a->compute), states = args->parts > 1 ? (size_t)(rows * args->parts) : 0;
  const size_t tops = tsr__cuda_plan_scratch(plan, states * 2 * item),
               sums = tsr__cuda_plan_scratch(plan, states * (size_t)of->dv * item);
  const unsigned threads = a->kind == OF_ANY || a->kind == OF_GROUP ? 256 : 128;
  tsr__cuda_plan_launch(plan, kernel, (tsr__cuda_grid){(unsigned)blocks, 1, 1}, threads, shared_of(a, a->kind), args,
                        sizeof *args);
  plan_addresses(a, tops, sums, plan);
  if (join == NULL) return TSR_OK;
  tsr__cuda_plan_launch(plan, join, (tsr__cuda_grid){(unsigned)rows, 1, 1}, 128, 0, args, sizeof *args);
  plan_addresses(a, tops, sums, plan);
  return TSR_OK;
}

tsr_status tsr__cuda_plan_attention(tsr__cuda *gpu, tsr_ctx *ctx, const char *op, const tsr__cuda_view *const *in,
                                    const tsr_attention_options *options, const tsr__cuda_view *out,
                                    tsr__cuda_plan *plan) {
  const tsr_tensor *tensors[TSR__ATTENTION_INPUTS];
  attention a = {.out = *out, .with_mask = in[TSR__ATTENTION_MASK] != NULL};
  tsr_index shape[4];
  for (int i = 0; i < TSR__ATTENTION_INPUTS; i++) tensors[i] = in[i] != NULL ? &in[i]->tensor : NULL;
  tsr_status st = tsr__attention_check(ctx, op, tensors, options, &a.of, shape);
  if (st != TSR_OK || tsr_size(&out->tensor) == 0) return st;
  a.q = *in[TSR__ATTENTION_Q];
  a.k = *in[TSR__ATTENTION_K];
  a.v = *in[TSR__ATTENTION_V];
  if (a.with_mask) a.mask = *in[TSR__ATTENTION_MASK];
  a.mask_kind = a.with_mask ? a.mask.tensor.dtype == TSR_BOOL ? OF_BOOL : ADDED : a.of.scale > 0 ? NO_MASK : SCALED;
  choose_kind(gpu, &a);
  st = tsr__cuda_unaliased(gpu, ctx, out, &a.q, plan);
  if (st == TSR_OK) st = tsr__cuda_unaliased(gpu, ctx, out, &a.k, plan);
  if (st == TSR_OK) st = tsr__cuda_unaliased(gpu, ctx, out, &a.v, plan);
  if (st == TSR_OK && a.with_mask) st = tsr__cuda_unaliased(gpu, ctx, out, &a.mask, plan);
  if (st == TSR_OK) st = pack_operands(gpu, ctx, &a, plan);
  if (st != TSR_OK) return st;
  set_args(&a);
  return plan_launches(gpu, ctx, op, &a, plan);
}

/* ---- the ops ---- */

tsr_status tsr__cuda_attention(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__attention_attrs *const attrs = work->attrs;
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  tsr__cuda_view views[TSR__ATTENTION_INPUTS];
  const tsr__cuda_view *in[TSR__ATTENTION_INPUTS] = {NULL};
  (void)op;
  for (int i = 0; i < TSR__ATTENTION_INPUTS; i++) {
    if (work->in[i] == NULL || work->in[i]->dtype == TSR_NONE) continue;
    views[i] = tsr__cuda_input(work, i);
    in[i] = &views[i];
  }
  return tsr__cuda_plan_attention(gpu, work->ctx, work->op, in, attrs->options, &out, plan);
}

/* Rows into a part of the cache, which does not overlap them. */
tsr_status tsr__cuda_kv_append(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__kv_append_attrs *const attrs = work->attrs;
  const tsr__cuda_view rows = tsr__cuda_input(work, 0);
  tsr__cuda_view part = tsr__cuda_output(work, 0);
  tsr_tensor *const t = &part.tensor;
  const int axis = t->ndim - 2;
  const ptrdiff_t bytes = (ptrdiff_t)(attrs->position * t->stride[axis]) * (ptrdiff_t)tsr_dtype_size(t->dtype);
  (void)op;
  if (tsr_size(&rows.tensor) == 0) return TSR_OK;
  part.ref.offset += bytes;
  if (t->data != NULL) t->data = (char *)t->data + bytes;
  t->shape[axis] = rows.tensor.shape[axis];
  return tsr__cuda_plan_cast(gpu, work->ctx, &rows, &part, plan);
}

/* ---- with projections: four dense layers around an attention ---- */

enum { X, WQ, WK, WV, WO, BQ }; /* the inputs: as in ops.def; biases from BQ on, then the mask */
enum { TO_Q, TO_K, TO_V, OF_V, PROJECTIONS, MASK = BQ + PROJECTIONS };

typedef struct heads {
  tsr_index b, t, count[PROJECTIONS], columns[PROJECTIONS]; /* heads, and columns of one */
} heads;

static heads heads_of(const tsr_work *work) {
  const tsr__multi_head_attention_attrs *const attrs = work->attrs;
  const tsr_tensor *const x = work->in[X];
  const tsr_index d = work->in[WQ]->shape[0] / attrs->heads, kv = work->in[WK]->shape[0] / d,
                  dv = work->in[WV]->shape[0] / kv;
  return (heads){.b = x->ndim == 3 ? x->shape[0] : 1,
                 .t = x->shape[x->ndim - 2],
                 .count = {attrs->heads, kv, kv, attrs->heads},
                 .columns = {d, d, dv, dv}};
}

/* A projection's memory as dense layers see it, (B, T, heads · columns); and as attention does, (B, heads, T, columns). */
static tsr__cuda_view projection_rows(const tsr_work *work, const heads *s, int which, tsr__cuda_plan *plan) {
  const tsr_index shape[3] = {s->b, s->t, s->count[which] * s->columns[which]};
  const int rank = work->in[X]->ndim;
  return tsr__cuda_temporary(plan, work->in[X]->dtype, rank, shape + 3 - rank);
}
static tsr__cuda_view projection_heads(const tsr__cuda_view *rows, const heads *s, int which) {
  const tsr_index c = s->columns[which], n = s->count[which];
  tsr__cuda_view v = *rows;
  v.tensor.ndim = 4;
  v.tensor.shape[0] = s->b, v.tensor.stride[0] = s->t * n * c;
  v.tensor.shape[1] = n, v.tensor.stride[1] = c;
  v.tensor.shape[2] = s->t, v.tensor.stride[2] = n * c;
  v.tensor.shape[3] = c, v.tensor.stride[3] = 1;
  return v;
}

static tsr_status project(tsr__cuda *gpu, const tsr_work *work, const tsr__cuda_view *x, int which,
                          const tsr__cuda_view *out, tsr__cuda_plan *plan) {
  const tsr__cuda_view weights = tsr__cuda_input(work, WQ + which);
  tsr__cuda_view bias;
  const bool biased = work->in[BQ + which] != NULL && work->in[BQ + which]->dtype != TSR_NONE;
  if (biased) bias = tsr__cuda_input(work, BQ + which);
  return tsr__cuda_plan_dense(gpu, work, x, &weights, biased ? &bias : NULL, out, plan);
}

tsr_status tsr__cuda_multi_head_attention(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work,
                                          tsr__cuda_plan *plan) {
  const tsr__multi_head_attention_attrs *const attrs = work->attrs;
  const tsr__cuda_view x = tsr__cuda_input(work, X), out = tsr__cuda_output(work, 0);
  const bool masked = work->in[MASK] != NULL && work->in[MASK]->dtype != TSR_NONE;
  tsr__cuda_view rows[PROJECTIONS], by_head[PROJECTIONS], mask;
  tsr_status st = TSR_OK;
  (void)op;
  if (tsr_size(&out.tensor) == 0) return TSR_OK;
  const heads s = heads_of(work);
  for (int i = 0; i < PROJECTIONS; i++) {
    rows[i] = projection_rows(work, &s, i, plan);
    by_head[i] = projection_heads(&rows[i], &s, i);
  }
  for (int i = TO_Q; i <= TO_V && st == TSR_OK; i++) st = project(gpu, work, &x, i, &rows[i], plan);
  if (masked) mask = tsr__cuda_input(work, MASK);
  const tsr__cuda_view *const in[] = {&by_head[TO_Q], &by_head[TO_K], &by_head[TO_V], masked ? &mask : NULL};
  if (st == TSR_OK) st = tsr__cuda_plan_attention(gpu, work->ctx, work->op, in, attrs->options, &by_head[OF_V], plan);
  return st == TSR_OK ? project(gpu, work, &rows[OF_V], OF_V, &out, plan) : st;
}
