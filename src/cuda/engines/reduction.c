/* Passes of reductions: which kernels, and where their elements lie. */
#include "cuda/engines/reduce.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 16 };                           /* elements of an output, where columns are not worth it */
enum { MOST_TINY = 16, TINY_THREADS = 128 }; /* of the shortest rows */
enum { ROWS_THREADS = 256, BLOCK = 1024, TREE = 32768, REST = 32, MOST_ROWS_LOG = 3 };
enum { LANES_THREADS = 128, MOST_LANES_LOG = 6, PIECE_LOG = 3 }; /* a thread a lane: 16 are a block */

/* The host's struct reduce_args of kernels/reduce.cuh; an initial value of 8 bytes at most. */
typedef struct reduce_args {
  uint64_t x, out, partial, param;
  int64_t n, outputs;
  int64_t length[8], step[8];
  int64_t kept[8], step_x[8], step_out[8];
  int32_t rank, kept_rank;
  uint32_t pieces, rows_log;
  double count, over, power;
  uint64_t initial;
} reduce_args;

typedef struct reduce_way {
  reduce_args args;
  bool columns, packed, many_axes;
  int width;
  const tsr__cuda_made_steps *made; /* of the operands that elements are made of */
  uint8_t mode[TSR__GROUP_INPUTS];  /* where it is packed: how they lie */
} reduce_way;

/* ---- axes ---- */

typedef struct axis {
  int64_t length, x, out;
  int d; /* its number */
} axis;

/* Whether an axis runs on from the one before it, of x and of all that x is made of. */
static bool is_mergeable(const tsr__cuda_reduction *r, const axis *before, const axis *next) {
  if (next->x != before->x * before->length || next->out != before->out * before->length) return false;
  for (int k = 0; r->made != NULL && k < r->made->operands; k++) {
    const tsr_index *const stride = r->made->in[k].tensor.stride;
    if (stride[next->d] != stride[before->d] * before->length) return false;
  }
  return true;
}

/* Axes that run on from one another become one; the fastest comes first. */
static int merge(const tsr__cuda_reduction *r, axis *axes, int n) {
  int last = -1;
  for (int i = 0; i < n; i++) {
    if (axes[i].length == 1) continue;
    axis *const before = last >= 0 ? &axes[last] : NULL;
    if (before != NULL && is_mergeable(r, before, &axes[i]))
      before->length *= axes[i].length;
    else
      axes[++last] = axes[i];
  }
  return last + 1;
}

/* The steps of what x is made of, along the axes of the kernel. */
static void set_made_axes(const tsr__cuda_reduction *r, const axis *axes, int n, bool inner,
                          tsr__cuda_made_steps *steps) {
  for (int k = 0; r->made != NULL && k < r->made->operands; k++)
    for (int d = 0; d < 8; d++)
      (inner ? steps[k].inner : steps[k].kept)[d] = d < n ? r->made->in[k].tensor.stride[axes[d].d] : 0;
}

/* Kept axes as x lies in memory, the fastest first. */
static void sort_axes(axis *axes, int n) {
  for (int i = 1; i < n; i++)
    for (int k = i; k > 0 && llabs(axes[k].x) < llabs(axes[k - 1].x); k--) {
      const axis other = axes[k];
      axes[k] = axes[k - 1];
      axes[k - 1] = other;
    }
}

/* Reduced axes keep their logical order. Kept ones too where numbers of each output come from elsewhere, in that order; else that of memory,
 * so that neighbours read neighbours. */
static void set_axes(const tsr__cuda_reduction *r, reduce_way *way, tsr__cuda_made_steps *steps) {
  const tsr_tensor *const x = &r->x.tensor, *const out = &r->out.tensor;
  axis reduced[8], kept[8];
  int n = 0, m = 0, o = out->ndim;
  const bool keeps = out->ndim == x->ndim;
  way->args.n = way->args.outputs = 1;
  for (int d = x->ndim - 1; d >= 0; d--) {
    const bool gone = (r->axes >> d & 1) != 0;
    if (!gone || keeps) o--;
    if (gone)
      reduced[n++] = (axis){x->shape[d], x->stride[d], 0, d};
    else
      kept[m++] = (axis){x->shape[d], x->stride[d], out->stride[o], d};
    *(gone ? &way->args.n : &way->args.outputs) *= x->shape[d];
  }
  if (!r->with_param && !r->with_firsts && r->made == NULL && way->args.n > FEW) sort_axes(kept, m);
  way->args.rank = merge(r, reduced, n);
  way->args.kept_rank = merge(r, kept, m);
  for (int d = 0; d < way->args.rank; d++) {
    way->args.length[d] = reduced[d].length;
    way->args.step[d] = reduced[d].x;
  }
  for (int d = 0; d < way->args.kept_rank; d++) {
    way->args.kept[d] = kept[d].length;
    way->args.step_x[d] = kept[d].x;
    way->args.step_out[d] = kept[d].out;
  }
  set_made_axes(r, reduced, way->args.rank, true, steps);
  set_made_axes(r, kept, way->args.kept_rank, false, steps);
  way->made = steps;
  if (way->args.kept_rank == 0) way->args.kept[0] = 1, way->args.kept_rank = 1;
  way->many_axes = way->args.rank > 1;
}

/* ---- the way ---- */

static bool is_aligned(const tsr__cuda_reduction *r, const int64_t *steps, int n, int width) {
  const uint64_t item = tsr_dtype_size(r->x.tensor.dtype), bytes = item * (uint64_t)width;
  uint64_t bits = tsr__cuda_place_of(&r->x);
  for (int d = 0; d < n; d++) bits |= (uint64_t)steps[d] * item;
  return bits % (bytes < 16 ? bytes : 16) == 0;
}

/* Whether packs can be made: each operand runs along the packs' axis, or repeats. */
static bool is_made_packed(const tsr__cuda_reduction *r, reduce_way *way) {
  const reduce_args *const a = &way->args;
  bool packed = way->columns ? a->kept[0] % way->width == 0 : a->rank == 1 && a->step[0] == 1;
  for (int k = 0; k < r->made->operands && packed; k++) {
    const tsr__cuda_made_steps *const s = &way->made[k];
    const int64_t along = way->columns ? s->kept[0] : s->inner[0];
    way->mode[k] = along == 0 ? TSR__CUDA_REPEATS : TSR__CUDA_RUNS;
    if (along == 0) continue;
    packed = along == 1;
    if (way->columns)
      packed = packed && tsr__cuda_made_aligned(r->made, k, way->width, a->kept_rank - 1, s->kept + 1) &&
               tsr__cuda_made_aligned(r->made, k, way->width, a->rank, s->inner);
    else
      packed = packed && tsr__cuda_made_aligned(r->made, k, 4, a->kept_rank, s->kept);
  }
  return packed;
}

/* Whether packs of the way's width can be read. */
static bool is_packed(const tsr__cuda_reduction *r, reduce_way *way) {
  const reduce_args *const a = &way->args;
  if (r->made != NULL) return is_made_packed(r, way);
  if (!way->columns) return a->rank == 1 && a->step[0] == 1 && is_aligned(r, a->step_x, a->kept_rank, 4);
  return a->kept[0] % way->width == 0 && is_aligned(r, a->step_x + 1, a->kept_rank - 1, way->width) &&
         is_aligned(r, a->step, a->rank, way->width);
}

/* Columns where outputs are neighbours and the elements of one are not; else rows. Of columns a thread has as many as lie in packs, and
 * one where there would be too few threads otherwise. */
static void choose(const tsr__cuda *gpu, const tsr__cuda_reduction *r, reduce_way *way) {
  const reduce_args *const a = &way->args;
  const size_t item = tsr_dtype_size(r->x.tensor.dtype);
  const bool along = a->rank == 0 || (a->rank == 1 && a->step[0] == 1);
  way->columns = !along && a->step_x[0] == 1 && a->kept[0] >= 32 && a->n > FEW && a->outputs / a->kept[0] < 65536 &&
                 a->n / BLOCK < 65535;
  way->width = item <= 4 ? 4 : item == 8 ? 2 : 1;
  const int64_t blocks = a->outputs / (32 * way->width) * (a->n / BLOCK + 1);
  if (way->columns && blocks < 2 * tsr__cuda_traits_of(gpu)->multiprocessors) way->width = 1;
  while (!(way->packed = is_packed(r, way)) && way->columns && way->width > 1) way->width /= 2;
}

/* ---- text ---- */

/* Kernels that join partial values read no elements. */
enum { ROWS_KERNEL, SHORT_KERNEL, TREE_KERNEL, REST_KERNEL, COLUMNS_KERNEL, STAGED_KERNEL, TINY_KERNEL, LANES_KERNEL };
static const tsr__cuda_made *made_for(const tsr__cuda_reduction *r, int number) {
  return number == TREE_KERNEL || number == REST_KERNEL ? NULL : r->made;
}

static tsr_status write_text(const tsr__cuda_reduction *r, tsr_ctx *ctx, const reduce_way *way, int number,
                             bool initial, tsr__cuda_text *text) {
  static const char words[] =
      "#define C %s\n#define C_BITS %d\n#define C_FLOAT %d\n#define C_SIGNED 1\n#define FN(name) name##_%s\n";
  const tsr__cuda_fold *const f = r->fold, *const last = r->second != NULL ? r->second : f;
  const tsr__cuda_made *const made = made_for(r, number);
  const int in = r->x.tensor.dtype;
  const char *const c = tsr__cuda_dtype(r->compute);
  const bool wide = r->compute == TSR_F64, is_float = wide || r->compute == TSR_F32;
  tsr__cuda_text_expand(text,
                        "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n"
                        "#define STORE(p, v) (*(p) = (v))\n");
  tsr__cuda_text_add(text,
                     made != NULL && made->in_place ? "#define LOAD(p) (*(p))\n" : "#define LOAD TSR__LOAD_CONST\n");
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/words.cuh\"\n");
  if (f->needs != NULL) tsr__cuda_text_expand(text, f->needs);
  if (last->needs != NULL && last->needs != f->needs) tsr__cuda_text_expand(text, last->needs);
  if (made != NULL) {
    const tsr_status st = tsr__cuda_made_line(made, ctx, text);
    if (st != TSR_OK) return st;
  }
  tsr__cuda_text_format(text, words,
                        wide       ? "double"
                        : is_float ? "float"
                                   : "int64_t",
                        wide ? 64 : 32, (int)is_float, c);
  tsr__cuda_text_format(
      text,
      "typedef %s_mem T;\ntypedef %s LANE;\ntypedef %s VALUE;\ntypedef %s_mem OUT;\n#define NEUTRAL %s\n"
      "#define MANY_AXES %d\n#define PACKED %d\n#define INITIAL %d\n#define WIDTH %d\n#define MADE %d\n",
      tsr__cuda_dtype(in), f->lane, f->value, tsr__cuda_dtype(r->raw ? last->value_dtype : r->out.tensor.dtype),
      f->neutral, (int)way->many_axes, (int)way->packed, (int)initial, way->width, (int)(made != NULL));
  if (made != NULL) tsr__cuda_made_source(made, way->packed ? way->mode : NULL, text);
  tsr__cuda_text_format(text, "static __device__ inline %s_mem loaded(T t) { return ", c);
  tsr__cuda_add_cast(text, in, r->compute, "t");
  tsr__cuda_text_format(
      text, "; }\nstatic __device__ inline LANE stepped(LANE a, %s_mem x, double p, int64_t r) { return %s; }\n", c,
      f->step);
  tsr__cuda_text_format(text, "static __device__ inline VALUE merged(VALUE a, VALUE b) { return %s; }\n", f->merge);
  tsr__cuda_text_format(text, "static __device__ inline OUT stored(%s v) { return ", last->value);
  tsr__cuda_add_cast(text, last->value_dtype, r->raw ? last->value_dtype : r->out.tensor.dtype, last->result);
  tsr__cuda_text_add(text,
                     "; }\n#define LOADED(x) loaded(x)\n#define STEP(a, x, p, r) stepped(a, x, p, r)\n#define MERGE(a, "
                     "b) merged(a, b)\n"
                     "#define STORED(v) stored(v)\n");
  tsr__cuda_text_format(text, "#define FINISH(v, p) (%s)\n#define KERNEL %d\n", f->finish, number);
  tsr__cuda_text_format(text, "#define COPIED %d\n#define WHOLE %d\n#define TURNED %d\n",
                        (int)(made == NULL && way->packed && in == r->compute),
                        number == TINY_KERNEL ? (int)way->args.n : 0,
                        (int)(made != NULL && made->operands > 1 && way->packed && tsr_dtype_size(in) <= 4));
  if (r->second != NULL)
    tsr__cuda_text_format(
        text,
        "typedef %s LANE2;\ntypedef %s VALUE2;\n#define NEUTRAL2 %s\n#define FINISH2(v, p) (%s)\n#define ANY_ORDER %d\n"
        "static __device__ inline LANE2 stepped2(LANE2 a, %s_mem x, double p, int64_t r) { return %s; }\n"
        "static __device__ inline VALUE2 merged2(VALUE2 a, VALUE2 b) { return %s; }\n"
        "#define STEP2(a, x, p, r) stepped2(a, x, p, r)\n#define MERGE2(a, b) merged2(a, b)\n",
        last->lane, last->value, last->neutral, last->finish, (int)f->any_order, c, last->step, last->merge);
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/reduce.cuh\"\n");
  return text->failed ? TSR__FAIL(ctx, TSR_ENOMEM, f->name, NULL, "no memory for the text of a kernel") : TSR_OK;
}

/* Shared memory that a row may take, beside the values of its blocks. */
static uint64_t staged_room(const tsr__cuda *gpu) { return (uint64_t)tsr__cuda_traits_of(gpu)->shared_block - 3072; }

static uint64_t staged_bytes(const tsr__cuda_reduction *r, int64_t n) {
  return (uint64_t)((n + BLOCK - 1) / BLOCK) * (BLOCK + 16) * tsr_dtype_size(r->compute);
}

static tsr_status get_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_reduction *r, const reduce_way *way,
                             const char *name, uint8_t number, const tsr__cuda_kernel **kernel) {
  const tsr__cuda_made *const made = made_for(r, number);
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = r->fold->name;
  key.part[0] = r->x.tensor.dtype;
  key.part[1] = r->out.tensor.dtype;
  key.part[2] = (uint8_t)r->compute;
  key.part[3] = number;
  key.part[4] =
      (uint8_t)(way->many_axes | way->packed << 1 | (r->initial != NULL) << 2 | r->raw << 3 | (r->second != NULL) << 4);
  key.part[5] = (uint8_t)way->width;
  key.part[6] = r->second != NULL ? (uint8_t)r->second->name[0] : 0;
  key.part[7] = number == TINY_KERNEL ? (uint8_t)way->args.n : 0;
  if (made != NULL) {
    uint8_t all[sizeof key + sizeof way->mode] = {0};
    memcpy(all, &key, sizeof key);
    memcpy(all + sizeof key, way->mode, way->packed ? (size_t)made->operands : 0);
    key = tsr__cuda_made_key(made, all, sizeof all);
  }
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  tsr_status st = write_text(r, ctx, way, number, r->initial != NULL, &text);
  const tsr__cuda_source source = {
      .text = text.data, .name = name, .shared = r->second != NULL ? (unsigned)staged_room(gpu) : 0};
  if (st == TSR_OK) st = tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

/* ---- launches ---- */

typedef struct launching {
  tsr__cuda *gpu;
  tsr_ctx *ctx;
  const tsr__cuda_reduction *r;
  const reduce_way *way;
  tsr__cuda_plan *plan;
} launching;

/* The launch itself: behind the arguments of a kernel whose elements are made come those of what they are made of. */
static void plan_launch(const launching *l, int number, const tsr__cuda_kernel *kernel, const reduce_args *args,
                        tsr__cuda_grid grid, unsigned threads, unsigned shared) {
  enum { AT = (sizeof(reduce_args) + 15) / 16 * 16 };
  const tsr__cuda_made *const made = made_for(l->r, number);
  _Alignas(16) char all[AT + TSR__CUDA_MADE_BYTES];
  if (made == NULL) {
    tsr__cuda_plan_launch(l->plan, kernel, grid, threads, shared, args, sizeof *args);
    return;
  }
  memset(all, 0, AT);
  memcpy(all, args, sizeof *args);
  const size_t bytes = AT + tsr__cuda_made_args(made, l->way->made, all + AT);
  tsr__cuda_plan_launch(l->plan, kernel, grid, threads, shared, all, bytes);
  tsr__cuda_made_addresses(made, AT, l->plan);
}

/* Where a kernel reads elements; NULL: they are made. */
static const tsr__cuda_ref *elements_of(const launching *l) { return l->r->made == NULL ? &l->r->x.ref : NULL; }

/* x, param: where the kernel reads; partial NULL: it stores results. */
static tsr_status launch(const launching *l, const char *name, uint8_t number, const reduce_args *args,
                         tsr__cuda_grid grid, unsigned threads, const tsr__cuda_ref *x, const tsr__cuda_ref *param,
                         const tsr__cuda_ref *partial) {
  const tsr__cuda_kernel *kernel;
  const tsr_status st = get_kernel(l->gpu, l->ctx, l->r, l->way, name, number, &kernel);
  if (st != TSR_OK) return st;
  plan_launch(l, number, kernel, args, grid, threads, 0);
  if (x != NULL) tsr__cuda_plan_address(l->plan, offsetof(reduce_args, x), *x);
  if (param != NULL) tsr__cuda_plan_address(l->plan, offsetof(reduce_args, param), *param);
  if (partial != NULL)
    tsr__cuda_plan_address(l->plan, offsetof(reduce_args, partial), *partial);
  else
    tsr__cuda_plan_address(l->plan, offsetof(reduce_args, out), l->r->out.ref);
  return TSR_OK;
}

static int64_t ceil_div(int64_t n, int64_t d) { return n / d + (n % d != 0); }

static tsr__cuda_ref take(const launching *l, int64_t values) {
  return tsr__cuda_scratch(tsr__cuda_plan_scratch(l->plan, (size_t)values * l->r->fold->value_bytes));
}

/* Partial values of pieces to results, in as many levels of the tree as it takes. rows: pieces of an output lie together. */
static tsr_status plan_tree(const launching *l, tsr__cuda_ref partial, int64_t pieces, bool rows) {
  const tsr__cuda_ref *const param = l->r->with_param ? &l->r->param : NULL;
  reduce_args args = l->way->args;
  const int64_t at_once = rows ? TREE : REST;
  while (pieces > 1) {
    const int64_t left = ceil_div(pieces, at_once);
    const tsr__cuda_ref next = left > 1 ? take(l, left * args.outputs) : partial;
    const tsr__cuda_grid grid = {(unsigned)(rows ? args.outputs : ceil_div(args.outputs, 256)), (unsigned)left, 1};
    const unsigned tree_threads = pieces < 1024 ? (unsigned)ceil_div(pieces, 32) * 32 : 1024;
    args.n = pieces;
    const tsr_status st = launch(l, rows ? "tsr_reduce_tree" : "tsr_reduce_rest", rows ? TREE_KERNEL : REST_KERNEL,
                                 &args, grid, rows ? tree_threads : 256, &partial, param, left > 1 ? &next : NULL);
    if (st != TSR_OK) return st;
    partial = next;
    pieces = left;
  }
  return TSR_OK;
}

static tsr_status plan_columns(const launching *l) {
  const reduce_args *const a = &l->way->args;
  const int64_t blocks = ceil_div(a->n, BLOCK);
  const tsr__cuda_grid grid = {(unsigned)ceil_div(a->kept[0], 32 * l->way->width), (unsigned)blocks,
                               (unsigned)(a->outputs / a->kept[0])};
  const tsr__cuda_ref *const param = l->r->with_param ? &l->r->param : NULL;
  const tsr__cuda_ref partial = blocks > 1 ? take(l, blocks * a->outputs) : tsr__cuda_scratch(0);
  const tsr_status st = launch(l, "tsr_reduce_columns", COLUMNS_KERNEL, a, grid, 512, elements_of(l), param,
                               blocks > 1 ? &partial : NULL);
  return st == TSR_OK && blocks > 1 ? plan_tree(l, partial, blocks, false) : st;
}

/* Whether four threads a block of elements would leave most of the GPU idle. */
static bool is_small(const launching *l, const reduce_args *args) {
  const int64_t most =
      (int64_t)tsr__cuda_traits_of(l->gpu)->multiprocessors * (tsr__cuda_traits_of(l->gpu)->threads / 16);
  return args->outputs <= most && args->outputs * ceil_div(args->n, BLOCK) <= most;
}

/* One launch where an output's blocks fit a block of threads; else pieces of few, so that many multiprocessors take part. */
static tsr_status plan_lanes(const launching *l, reduce_args args) {
  const tsr__cuda_ref *const param = l->r->with_param ? &l->r->param : NULL;
  const int64_t blocks = ceil_div(args.n, BLOCK);
  while (args.rows_log < MOST_LANES_LOG && (int64_t)1 << args.rows_log < blocks) args.rows_log++;
  if ((int64_t)1 << args.rows_log < blocks) args.rows_log = PIECE_LOG;
  args.pieces = blocks > 0 ? (uint32_t)ceil_div(blocks, (int64_t)1 << args.rows_log) : 1;
  const unsigned threads = args.rows_log > PIECE_LOG ? 16u << args.rows_log : LANES_THREADS;
  const int64_t items = args.outputs * args.pieces;
  const tsr__cuda_grid grid = {(unsigned)ceil_div(items, threads / 16 >> args.rows_log), 1, 1};
  const tsr__cuda_ref partial = args.pieces > 1 ? take(l, items) : tsr__cuda_scratch(0);
  const tsr_status st = launch(l, "tsr_reduce_lanes", LANES_KERNEL, &args, grid, threads, elements_of(l), param,
                               args.pieces > 1 ? &partial : NULL);
  return st == TSR_OK && args.pieces > 1 ? plan_tree(l, partial, args.pieces, true) : st;
}

static tsr_status plan_rows(const launching *l, reduce_args args) {
  const tsr__cuda_ref *const param = l->r->with_param ? &l->r->param : NULL;
  const bool lies =
      l->r->made == NULL && args.rank == 1 && args.step[0] == 1 && args.kept_rank == 1 && args.step_x[0] == args.n;
  if (args.n > 1 && args.n <= MOST_TINY && lies) {
    const tsr__cuda_grid grid = {(unsigned)ceil_div(args.outputs, TINY_THREADS), 1, 1};
    return launch(l, "tsr_reduce_tiny", TINY_KERNEL, &args, grid, TINY_THREADS, &l->r->x.ref, param, NULL);
  }
  if (is_small(l, &args)) return plan_lanes(l, args);
  if (args.n <= BLOCK) {
    const tsr__cuda_grid grid = {(unsigned)ceil_div(args.outputs, 64), 1, 1};
    return launch(l, "tsr_reduce_short", SHORT_KERNEL, &args, grid, ROWS_THREADS, elements_of(l), param, NULL);
  }
  const int64_t warps = ceil_div(args.n, 8 * BLOCK);
  while (args.rows_log < MOST_ROWS_LOG && (int64_t)1 << args.rows_log < warps) args.rows_log++;
  args.pieces = (uint32_t)ceil_div(warps, (int64_t)1 << args.rows_log);
  const int64_t items = args.outputs * args.pieces;
  const tsr__cuda_grid grid = {(unsigned)ceil_div(items, 8 >> args.rows_log), 1, 1};
  const tsr__cuda_ref partial = args.pieces > 1 ? take(l, items) : tsr__cuda_scratch(0);
  const tsr_status st = launch(l, "tsr_reduce_rows", ROWS_KERNEL, &args, grid, ROWS_THREADS, elements_of(l), param,
                               args.pieces > 1 ? &partial : NULL);
  return st == TSR_OK && args.pieces > 1 ? plan_tree(l, partial, args.pieces, true) : st;
}

/* Rows that are neither so short that a block of threads is too much for one, nor so long that they do not fit. */
bool tsr__cuda_is_staged(const tsr__cuda *gpu, const tsr__cuda_reduction *r) {
  reduce_way way = {.args = {.pieces = 1}};
  tsr__cuda_made_steps steps[TSR__GROUP_INPUTS] = {0};
  set_axes(r, &way, steps);
  if (way.args.n < BLOCK || way.args.n > 64 * BLOCK || way.args.outputs > INT32_MAX) return false;
  choose(gpu, r, &way);
  return !way.columns && staged_bytes(r, way.args.n) <= staged_room(gpu);
}

static tsr_status plan_staged(const launching *l) {
  const reduce_args *const a = &l->way->args;
  const tsr__cuda_grid grid = {(unsigned)a->outputs, 1, 1};
  const tsr__cuda_kernel *kernel;
  const tsr_status st = get_kernel(l->gpu, l->ctx, l->r, l->way, "tsr_reduce_staged", STAGED_KERNEL, &kernel);
  if (st != TSR_OK) return st;
  plan_launch(l, STAGED_KERNEL, kernel, a, grid, ROWS_THREADS, (unsigned)staged_bytes(l->r, a->n));
  if (l->r->made == NULL) tsr__cuda_plan_address(l->plan, offsetof(reduce_args, x), l->r->x.ref);
  tsr__cuda_plan_address(l->plan, offsetof(reduce_args, out), l->r->out.ref);
  if (l->r->with_firsts) tsr__cuda_plan_address(l->plan, offsetof(reduce_args, partial), l->r->firsts);
  return TSR_OK;
}

tsr_status tsr__cuda_plan_reduction(tsr__cuda *gpu, tsr_ctx *ctx, const tsr__cuda_reduction *r, tsr__cuda_plan *plan) {
  reduce_way way = {.args = {.pieces = 1, .count = r->count, .over = r->over, .power = r->power}};
  tsr__cuda_made_steps steps[TSR__GROUP_INPUTS];
  if (tsr_size(&r->out.tensor) == 0) return TSR_OK;
  set_axes(r, &way, steps);
  if (r->initial != NULL) memcpy(&way.args.initial, r->initial, tsr_dtype_size(r->fold->value_dtype));
  if (way.args.n > 0) choose(gpu, r, &way);
  const launching l = {gpu, ctx, r, &way, plan};
  if (r->second != NULL) return plan_staged(&l);
  if (way.columns) return plan_columns(&l);
  return plan_rows(&l, way.args);
}
