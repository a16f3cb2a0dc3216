/* Rows that are normalised together: softmax and norms. */
#include "cuda/engines/engines.h"
#include "cuda/engines/fused.h"

#include "nn/check.h"
#include "nn/norm/ops.h"
#include "nn/softmax/ops.h"
#include "ops/promote.h"

#include <string.h>

/* As in kernels/rows.cuh. */
typedef enum row_kind { SOFTMAX, LOG_SOFTMAX, LAYER, RMS, GROUPS } row_kind;
typedef enum row_phase { WHOLE_ROW, FIND_TOPS, FIND_SUMS, JOIN_SUMS, WRITE_ROW } row_phase;

/* The host's struct row_args of kernels/rows.cuh. */
typedef struct row_args {
  uint64_t x, out, scale, bias;
  int64_t n, rows, run, channels, groups;
  int64_t length[8], step_x[8], step_out[8];
  int64_t kept[8], kept_x[8], kept_out[8];
  int32_t rank, kept_rank;
  double eps;
  uint64_t tops, sums, found; /* of rows in pieces */
  int64_t pieces, round;
} row_args;

/* What is computed: inner axes, the fastest first, make a row; outer ones number the rows. */
typedef struct rowwise {
  row_kind kind;
  tsr__cuda_view x, out, scale, bias;
  bool scaled, biased;
  bool over;   /* x is written over */
  bool across; /* rows lie side by side */
  row_args args;
  const tsr__cuda_made *made;  /* what x is made of, where it has no memory; else NULL */
  tsr__cuda_made_steps *steps; /* of each of its operands */
} rowwise;

static void add_axis(rowwise *r, bool inner, int64_t length, int64_t x, int64_t out) {
  row_args *const a = &r->args;
  int32_t *const rank = inner ? &a->rank : &a->kept_rank;
  int64_t *const lengths = inner ? a->length : a->kept, *const xs = inner ? a->step_x : a->kept_x,
                 *const outs = inner ? a->step_out : a->kept_out;
  *(inner ? &a->n : &a->rows) *= length;
  if (length == 1) return;
  const int last = *rank - 1;
  if (last >= 0 && x == xs[last] * lengths[last] && out == outs[last] * lengths[last]) {
    lengths[last] *= length;
    return;
  }
  lengths[*rank] = length;
  xs[*rank] = x;
  outs[(*rank)++] = out;
}

/* ---- kernels ---- */

enum { BLOCK = 4096, PADDED = BLOCK + 16 };

typedef struct row_way {
  row_phase phase;
  int compute, lanes, threads;
  bool contiguous, staged, copied;
  bool unit, even; /* steps along rows are 1; packs are of one channel */
  int each, whole; /* of short rows: elements a thread; of the shortest: elements of a row */
  int group, sure; /* of short rows: threads of one; how many of its elements a thread has in any case */
  int team;        /* of rows side by side: threads of one */
  int64_t rows;    /* of a block of threads */
  unsigned shared;
  uint8_t mode[TSR__GROUP_INPUTS]; /* how what x is made of lies, where rows are contiguous */
} row_way;

/* Shared memory that a row may take: the kernel has up to 8 KB of its own. */
static uint64_t staged_room(const tsr__cuda *gpu) { return (uint64_t)tsr__cuda_traits_of(gpu)->shared_block - 8192; }

/* Whether packs of so many elements can be made of all rows. */
static bool is_packed(const tsr__cuda_view *v, const int64_t *steps, int n, int64_t length, int width) {
  const uint64_t item = tsr_dtype_size(v->tensor.dtype), bytes = (uint64_t)width * item, pack = bytes < 16 ? bytes : 16;
  uint64_t bits = (uint64_t)tsr__cuda_place_of(v) | (uint64_t)length * item % pack;
  for (int d = 0; d < n; d++) bits |= (uint64_t)steps[d] * item;
  return bits % pack == 0;
}

static bool are_packed(const rowwise *r, const row_way *way, int width) {
  const row_args *const a = &r->args;
  return r->made == NULL && way->unit && a->n % width == 0 &&
         is_packed(&r->out, a->kept_out, a->kept_rank, a->n, width) &&
         is_packed(&r->x, a->kept_x, a->kept_rank, a->n, width);
}

/* How many elements a thread has: not each number of them is a kernel of its own. */
static void choose_each(int64_t n, row_way *way) {
  const int wide = way->contiguous ? way->lanes / way->group : 1;
  const int packs = (int)((n + (int64_t)way->group * wide - 1) / ((int64_t)way->group * wide));
  const int step = packs <= 16 ? 1 : packs <= 32 ? 2 : 4, all = (packs + step - 1) / step * step;
  way->each = all * wide;
  way->sure = (all - step) * wide;
}

/* Rows that fit the registers of the threads of one group: see kernels/rows_short.cuh. As few threads as may be, since what they tell each
 * other is work too. What elements are made by is in such a kernel as often as a thread has elements: a long text is not. */
static bool choose_short(const rowwise *r, row_way *way) {
  enum { THREADS = 128, MOST_WHOLE = 16, MOST_STEPS = 64 };
  const row_args *const a = &r->args;
  const int item = (int)tsr_dtype_size(way->compute), most = way->lanes < 32 ? way->lanes : 32;
  const bool sums = r->kind == SOFTMAX || r->kind == LOG_SOFTMAX;
  const bool lies = r->made == NULL && a->kept_rank <= 1 && way->unit &&
                    (a->rows == 1 || (a->kept_x[0] == a->n && a->kept_out[0] == a->n));
  if (a->rank > 1 || a->n > (sums ? 4096 / item : 1024)) return false;
  way->group = way->lanes / 4;
  while (way->group < most && (a->n > 128 / item * way->group || !are_packed(r, way, way->lanes / way->group)))
    way->group *= 2;
  way->contiguous = are_packed(r, way, way->lanes / way->group);
  choose_each(a->n, way);
  if (r->made != NULL && way->each * r->made->group->steps > MOST_STEPS) return way->each = 0, false;
  way->threads = THREADS;
  way->rows = THREADS / way->group;
  if (!sums || !lies || a->n > MOST_WHOLE) return true;
  way->contiguous = false;
  way->whole = way->each = (int)a->n;
  way->group = 1;
  way->rows = THREADS;
  return true;
}

/* Whether packs of 4 can be made of all operands along a row. */
static bool is_made_packed(const rowwise *r, row_way *way) {
  const row_args *const a = &r->args;
  bool packed = true;
  for (int k = 0; k < r->made->operands && packed; k++) {
    const tsr__cuda_made_steps *const s = &r->steps[k];
    way->mode[k] = s->inner[0] == 0 ? TSR__CUDA_REPEATS : TSR__CUDA_RUNS;
    if (s->inner[0] != 0) packed = s->inner[0] == 1 && tsr__cuda_made_aligned(r->made, k, 4, a->kept_rank, s->kept);
  }
  return packed;
}

/* Rows side by side: those that fit the registers of a team; others take the steps of rows in pieces, of a block each. */
static void choose_across(const row_args *a, row_way *way) {
  const int64_t most = 128 / (int64_t)tsr_dtype_size(way->compute); /* elements of a thread */
  way->team = a->n <= most ? 1 : a->n <= 4 * most ? 4 : 16;
  way->threads = way->team == 1 ? 128 : way->team == 4 ? 256 : 512;
  way->rows = way->threads / way->team;
  if (a->n > way->team * most) return;
  way->group = way->team;
  choose_each(a->n, way);
}

static row_way choose(const tsr__cuda *gpu, const rowwise *r) {
  const row_args *const a = &r->args;
  row_way way = {.compute = tsr__compute_of(r->out.tensor.dtype), .rows = 1};
  const size_t item = tsr_dtype_size(way.compute);
  const bool sums = r->kind == SOFTMAX || r->kind == LOG_SOFTMAX;
  way.lanes = sums ? 16 : item == 4 ? 64 : 32;
  way.unit = a->rank <= 1 && (a->n == 1 || (a->step_x[0] == 1 && a->step_out[0] == 1));
  if (r->across) {
    choose_across(a, &way);
    return way;
  }
  if (choose_short(r, &way)) {
    way.even = way.contiguous && a->run % (way.lanes / way.group) == 0;
    return way;
  }
  way.threads = a->n <= 1024 ? 64 : a->n <= 4096 ? 128 : a->n <= 8192 ? 256 : 512;
  way.contiguous = r->made != NULL ? way.unit && a->n % 4 == 0 && is_made_packed(r, &way) &&
                                         is_packed(&r->out, a->kept_out, a->kept_rank, a->n, 4)
                                   : are_packed(r, &way, 4);
  way.even = way.contiguous && a->run % 4 == 0;
  const uint64_t bytes = (uint64_t)((a->n + BLOCK - 1) / BLOCK) * PADDED * item;
  way.staged = bytes <= staged_room(gpu);
  way.copied = r->made == NULL && way.staged && way.contiguous && r->x.tensor.dtype == way.compute;
  way.shared = way.staged ? (unsigned)(a->n <= BLOCK ? (uint64_t)a->n * item : bytes) : 0;
  return way;
}

/* Blocks of threads of a multiprocessor, which is how many registers there are for one; 1: as many as it takes. */
static int resident(const rowwise *r, const row_way *w) {
  if (w->compute != TSR_F32 || w->each > 0 || (r->made != NULL && (r->across || !w->contiguous))) return 1;
  if (r->across) return 3;
  if (r->made != NULL && r->made->operands > 2) return 1024 / w->threads;
  return (w->staged ? 1536 : 1024) / w->threads; /* elements that come from memory wait in registers */
}

/* What the elements of x are made of, where they are: T is for a while what they are. */
static tsr_status add_made(const rowwise *r, tsr_ctx *ctx, const row_way *w, tsr__cuda_text *text) {
  tsr__cuda_text_format(text, "#define MADE %d\n", (int)(r->made != NULL));
  if (r->made == NULL) return TSR_OK;
  const tsr_status st = tsr__cuda_made_line(r->made, ctx, text);
  if (st != TSR_OK) return st;
  tsr__cuda_text_format(text, "#define T %s_mem\n", tsr__cuda_dtype(w->compute));
  tsr__cuda_made_source(r->made, w->contiguous ? w->mode : NULL, text);
  tsr__cuda_text_add(text, "#undef T\n");
  return TSR_OK;
}

static tsr_status write_text(const rowwise *r, tsr_ctx *ctx, const row_way *w, tsr__cuda_text *text) {
  const int dtype = r->out.tensor.dtype;
  const char *const c = tsr__cuda_dtype(w->compute), *const t = tsr__cuda_dtype(dtype);
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/prelude.cuh\"\n#include \"cuda/kernels/dtypes.cuh\"\n");
  tsr__cuda_text_add(text, r->over || (r->made != NULL && r->made->in_place) ? "#define LOAD(p) (*(p))\n"
                                                                             : "#define LOAD TSR__LOAD_CONST\n");
  tsr__cuda_text_expand(text,
                        "#define STORE(p, v) (*(p) = (v))\n"
                        "#include \"cuda/kernels/words.cuh\"\n#include \"cpu/math/bits.h\"\n");
  if (r->kind == SOFTMAX || r->kind == LOG_SOFTMAX)
    tsr__cuda_text_expand(
        text,
        "#include \"cpu/math/exp_f32.h\"\n#include \"cuda/kernels/elementary.cuh\"\n"
        "static inline float part_f32(float d) {\n  const float y = tsr__exp_in_range_f32(d);\n"
        "  return d < -87.0f ? 0.0f : y;\n}\n"
        "static inline double part_f64(double d) { return tsr__exp_f64(d); }\n#define PART(d) FN(part)(d)\n");
  const tsr_status st = add_made(r, ctx, w, text);
  if (st != TSR_OK) return st;
  tsr__cuda_text_format(text, "typedef %s_mem T;\ntypedef %s_mem C;\n#define FN(name) name##_%s\n", t, c, c);
  tsr__cuda_text_format(
      text, "#define KIND %d\n#define LANES %d\n#define THREADS %d\n#define CONTIGUOUS %d\n#define STAGED %d\n",
      (int)r->kind, w->lanes, w->threads, (int)w->contiguous, (int)w->staged);
  tsr__cuda_text_format(text, "#define PHASE %d\n#define ACROSS %d\n#define TEAM %d\n", (int)w->phase, (int)r->across,
                        w->team);
  tsr__cuda_text_format(text, "#define COPIED %d\n#define EVEN %d\n#define RESIDENT %d\n#define SHORT %d\n",
                        (int)w->copied, (int)w->even, resident(r, w), (int)(w->each > 0));
  tsr__cuda_text_format(text, "#define EACH %d\n#define SURE %d\n#define GROUP %d\n#define WHOLE %d\n#define UNIT %d\n",
                        w->each > 0 || r->across ? w->each : 1, w->sure, w->group, w->whole, (int)w->unit);
  tsr__cuda_text_format(text, "#define SCALED %d\n#define BIASED %d\nstatic __device__ inline C loaded(T t) { return ",
                        (int)r->scaled, (int)r->biased);
  tsr__cuda_add_cast(text, dtype, w->compute, "t");
  tsr__cuda_text_add(text, "; }\nstatic __device__ inline T stored(C c) { return ");
  tsr__cuda_add_cast(text, w->compute, dtype, "c");
  tsr__cuda_text_add(text, "; }\n#define LOADED(t) loaded(t)\n#define STORED(c) stored(c)\n");
  tsr__cuda_text_expand(text, "#include \"cuda/kernels/rows.cuh\"\n");
  return text->failed ? TSR__FAIL(ctx, TSR_ENOMEM, "rows", NULL, "no memory for the text of a kernel") : TSR_OK;
}

static tsr_status get_kernel(tsr__cuda *gpu, tsr_ctx *ctx, const rowwise *r, const row_way *w,
                             const tsr__cuda_kernel **kernel) {
  static const char maker;
  tsr__cuda_key key;
  memset(&key, 0, sizeof key);
  key.maker = &maker;
  key.part[0] = (uint8_t)r->kind;
  key.part[1] = r->out.tensor.dtype;
  key.part[2] = (uint8_t)(w->threads / 64);
  key.part[3] = (uint8_t)(w->contiguous | w->staged << 1 | r->scaled << 2 | r->biased << 3 | w->copied << 4 |
                          r->over << 5 | w->unit << 6 | w->even << 7);
  key.part[4] = (uint8_t)w->each;
  key.part[5] = (uint8_t)w->whole;
  key.part[6] = (uint8_t)w->group;
  key.part[7] = (uint8_t)w->sure;
  key.part[8] = (uint8_t)w->phase;
  key.part[9] = (uint8_t)w->team;
  if (r->made != NULL) {
    uint8_t all[sizeof key + sizeof w->mode] = {0};
    memcpy(all, &key, sizeof key);
    memcpy(all + sizeof key, w->mode, w->contiguous ? (size_t)r->made->operands : 0);
    key = tsr__cuda_made_key(r->made, all, sizeof all);
  }
  *kernel = tsr__cuda_kernel_find(gpu, &key);
  if (*kernel != NULL) return TSR_OK;
  tsr__cuda_text text = {0};
  tsr_status st = write_text(r, ctx, w, &text);
  const tsr__cuda_source source = {
      .text = text.data, .name = "tsr_rows", .shared = w->staged ? (unsigned)staged_room(gpu) : 0};
  if (st == TSR_OK) st = tsr__cuda_kernel_get(gpu, ctx, &key, &source, kernel);
  tsr__cuda_text_free(&text);
  return st;
}

/* ---- planning ---- */

/* A scale or bias as contiguous numbers of the compute type, which packs can be made of. */
static tsr_status bring(tsr__cuda *gpu, tsr_ctx *ctx, int compute, tsr__cuda_view *v, tsr__cuda_plan *plan) {
  if (v->tensor.dtype == compute && tsr_is_contiguous(&v->tensor, TSR_ROW_MAJOR) && tsr__cuda_place_of(v) % 16 == 0)
    return TSR_OK;
  const tsr__cuda_view copy = tsr__cuda_temporary(plan, compute, v->tensor.ndim, v->tensor.shape);
  const tsr_status st = tsr__cuda_plan_cast(gpu, ctx, v, &copy, plan);
  *v = copy;
  return st;
}

/* Where the steps of rows in pieces leave what they find. */
typedef struct row_scratch {
  size_t tops, sums, found;
} row_scratch;

/* Behind the arguments of rows that are made come those of what they are made of. */
static void plan_launch(const rowwise *r, const row_way *way, const tsr__cuda_kernel *kernel, int64_t blocks,
                        const row_scratch *left, tsr__cuda_plan *plan) {
  enum { AT = (sizeof(row_args) + 15) / 16 * 16 };
  _Alignas(16) char all[AT + TSR__CUDA_MADE_BYTES] = {0};
  const tsr__cuda_grid grid = {(unsigned)blocks, 1, 1};
  memcpy(all, &r->args, sizeof r->args);
  const size_t bytes = r->made != NULL ? AT + tsr__cuda_made_args(r->made, r->steps, all + AT) : sizeof r->args;
  tsr__cuda_plan_launch(plan, kernel, grid, (unsigned)way->threads, way->shared, all, bytes);
  if (r->made != NULL)
    tsr__cuda_made_addresses(r->made, AT, plan);
  else
    tsr__cuda_plan_address(plan, offsetof(row_args, x), r->x.ref);
  tsr__cuda_plan_address(plan, offsetof(row_args, out), r->out.ref);
  if (r->scaled) tsr__cuda_plan_address(plan, offsetof(row_args, scale), r->scale.ref);
  if (r->biased) tsr__cuda_plan_address(plan, offsetof(row_args, bias), r->bias.ref);
  if (left == NULL) return;
  tsr__cuda_plan_address(plan, offsetof(row_args, tops), tsr__cuda_scratch(left->tops));
  tsr__cuda_plan_address(plan, offsetof(row_args, sums), tsr__cuda_scratch(left->sums));
  tsr__cuda_plan_address(plan, offsetof(row_args, found), tsr__cuda_scratch(left->found));
}

static tsr_status plan_phase(tsr__cuda *gpu, tsr_ctx *ctx, const rowwise *r, row_way way, row_phase phase,
                             const row_scratch *left, tsr__cuda_plan *plan) {
  const tsr__cuda_kernel *kernel;
  const int64_t tiles = (r->args.rows + way.rows - 1) / way.rows;
  way.phase = phase;
  const tsr_status st = get_kernel(gpu, ctx, r, &way, &kernel);
  if (st != TSR_OK) return st;
  plan_launch(r, &way, kernel, phase == JOIN_SUMS ? tiles : tiles * r->args.pieces, left, plan);
  return TSR_OK;
}

/* Few rows, and longer than a block of threads holds: pieces of them are, which have as many chains as threads. And rows side by side. */
static bool goes_in_pieces(const tsr__cuda *gpu, const rowwise *r, const row_way *way) {
  if (way->each > 0 || way->staged) return false;
  return r->across || (r->args.n >= 16 * BLOCK && r->args.rows < tsr__cuda_traits_of(gpu)->multiprocessors);
}

/* Rows side by side join the sums of pieces where they need them. */
static tsr_status plan_phases(tsr__cuda *gpu, tsr_ctx *ctx, rowwise *r, const row_way *way, const row_scratch *left,
                              tsr__cuda_plan *plan) {
  const bool sums = r->kind == SOFTMAX || r->kind == LOG_SOFTMAX;
  const int rounds = sums || r->kind == RMS ? 1 : 2;
  tsr_status st = sums ? plan_phase(gpu, ctx, r, *way, FIND_TOPS, left, plan) : TSR_OK;
  for (r->args.round = 0; r->args.round < rounds && st == TSR_OK; r->args.round++) {
    st = plan_phase(gpu, ctx, r, *way, FIND_SUMS, left, plan);
    if (st == TSR_OK && !r->across) st = plan_phase(gpu, ctx, r, *way, JOIN_SUMS, left, plan);
  }
  return st == TSR_OK ? plan_phase(gpu, ctx, r, *way, WRITE_ROW, left, plan) : st;
}

static tsr_status plan_pieces(tsr__cuda *gpu, tsr_ctx *ctx, rowwise *r, row_way way, tsr__cuda_plan *plan) {
  enum { THREADS = 64, FOUND_BYTES = 32 };
  row_args *const a = &r->args;
  const size_t item = tsr_dtype_size(way.compute), blocks = (size_t)((a->n + BLOCK - 1) / BLOCK);
  if (!r->across) way.threads = THREADS;
  const int64_t piece = r->across ? BLOCK : (int64_t)BLOCK * (THREADS / (way.lanes < 32 ? way.lanes : 32));
  a->pieces = (a->n + piece - 1) / piece;
  if (a->pieces * a->rows > INT32_MAX)
    return TSR__FAIL(ctx, TSR_EDEVICE, "rows", NULL, "rows of %l elements are more than a grid has", a->n);
  const row_scratch left = {.tops = tsr__cuda_plan_scratch(plan, (size_t)(a->rows * a->pieces) * item),
                            .sums = tsr__cuda_plan_scratch(plan, (size_t)a->rows * 2 * blocks * item),
                            .found = tsr__cuda_plan_scratch(plan, (size_t)a->rows * FOUND_BYTES)};
  return plan_phases(gpu, ctx, r, &way, &left, plan);
}

static tsr_status plan_rowwise(tsr__cuda *gpu, tsr_ctx *ctx, rowwise *r, tsr__cuda_plan *plan) {
  const tsr__cuda_kernel *kernel;
  const row_way way = choose(gpu, r);
  tsr_status st = TSR_OK;
  if (r->scaled) st = bring(gpu, ctx, way.compute, &r->scale, plan);
  if (st == TSR_OK && r->biased) st = bring(gpu, ctx, way.compute, &r->bias, plan);
  if (st == TSR_OK && goes_in_pieces(gpu, r, &way)) return plan_pieces(gpu, ctx, r, way, plan);
  if (st == TSR_OK) st = get_kernel(gpu, ctx, r, &way, &kernel);
  if (st != TSR_OK) return st;
  const int64_t most = 1 << 30, blocks = (r->args.rows + way.rows - 1) / way.rows;
  const bool again = way.each == 0 && blocks > most; /* blocks that take another row */
  if (blocks > INT32_MAX && !again)
    return TSR__FAIL(ctx, TSR_EDEVICE, "rows", NULL, "%l rows are more than a grid has", r->args.rows);
  plan_launch(r, &way, kernel, again ? most : blocks, NULL, plan);
  return TSR_OK;
}

/* x and out, each row-major where its rows run along another axis than its memory: copied by tiles, which is faster than reading
 * across. Rows may be written over themselves; what overlaps otherwise is copied too. */
typedef struct placed_rows {
  rowwise r;
  tsr__cuda_view result;
  bool staged_out;
} placed_rows;

static bool lies_across(const tsr_tensor *t, uint32_t inner) {
  int fastest = -1;
  for (int d = 0; d < t->ndim; d++)
    if (t->shape[d] > 1 && (fastest < 0 || t->stride[d] < t->stride[fastest])) fastest = d;
  return fastest >= 0 && (inner >> fastest & 1) == 0 && t->shape[fastest] >= 32;
}

/* Temporary memory of a tensor's shape in which its inner axes are the fastest. */
static tsr__cuda_view temporary_rows(tsr__cuda_plan *plan, const tsr_tensor *t, uint32_t inner) {
  tsr__cuda_view view = tsr__cuda_temporary(plan, t->dtype, t->ndim, t->shape);
  tsr_index size = 1;
  for (int pass = 0; pass < 2; pass++)
    for (int d = t->ndim - 1; d >= 0; d--) {
      if ((int)(inner >> d & 1) == pass) continue;
      view.tensor.stride[d] = size;
      size *= t->shape[d];
    }
  return view;
}

/* Softmax along an axis that is not the fastest one, in x and out: rows side by side, enough of them for a warp. */
static bool are_beside(const rowwise *r, uint32_t inner) {
  const tsr_tensor *const x = &r->x.tensor, *const out = &r->out.tensor;
  if (r->kind != SOFTMAX && r->kind != LOG_SOFTMAX) return false;
  int d = x->ndim - 1;
  while (d >= 0 && ((inner >> d & 1) != 0 || x->shape[d] == 1)) d--;
  return d >= 0 && x->shape[d] >= 32 && x->stride[d] == 1 && out->stride[d] == 1;
}

static tsr_status begin(tsr__cuda *gpu, const tsr_work *work, row_kind kind, uint32_t inner, placed_rows *p,
                        tsr__cuda_plan *plan) {
  rowwise *const r = &p->r;
  *p = (placed_rows){
      .r = {
          .kind = kind, .x = tsr__cuda_input(work, 0), .out = tsr__cuda_output(work, 0), .args = {.n = 1, .rows = 1}}};
  const tsr_tensor *const x = &r->x.tensor, *const out = &r->out.tensor;
  p->result = r->out;
  tsr_status st = TSR_OK;
  const bool same =
      x->data != NULL && x->data == out->data && memcmp(x->stride, out->stride, sizeof(tsr_index) * x->ndim) == 0;
  r->over = same;
  if (!same) st = tsr__cuda_unaliased(gpu, work->ctx, &r->out, &r->x, plan);
  r->across = are_beside(r, inner);
  if (r->across || st != TSR_OK) return st;
  if (lies_across(x, inner)) {
    const tsr__cuda_view copy = temporary_rows(plan, x, inner);
    st = tsr__cuda_plan_cast(gpu, work->ctx, &r->x, &copy, plan);
    r->x = copy;
  }
  p->staged_out = lies_across(out, inner);
  if (p->staged_out) r->out = temporary_rows(plan, out, inner);
  return st;
}

static tsr_status end(tsr__cuda *gpu, const tsr_work *work, placed_rows *p, tsr__cuda_plan *plan) {
  if (p->r.args.n == 0 || p->r.args.rows == 0) return TSR_OK;
  const tsr_status st = plan_rowwise(gpu, work->ctx, &p->r, plan);
  return st == TSR_OK && p->staged_out ? tsr__cuda_plan_cast(gpu, work->ctx, &p->r.out, &p->result, plan) : st;
}

/* ---- the ops ---- */

static tsr_status plan_softmax(tsr__cuda *gpu, const tsr_work *work, row_kind kind, tsr__cuda_plan *plan) {
  const tsr__softmax_attrs *const attrs = work->attrs;
  const tsr_tensor *const x = work->in[0];
  const int axis = attrs->axis < 0 ? attrs->axis + x->ndim : attrs->axis;
  placed_rows p;
  const tsr_status st = begin(gpu, work, kind, 1u << axis, &p, plan);
  if (st != TSR_OK) return st;
  const tsr_tensor *const from = &p.r.x.tensor, *const to = &p.r.out.tensor;
  add_axis(&p.r, true, x->shape[axis], from->stride[axis], to->stride[axis]);
  for (int d = x->ndim - 1; d >= 0; d--)
    if (d != axis) add_axis(&p.r, false, x->shape[d], from->stride[d], to->stride[d]);
  return end(gpu, work, &p, plan);
}

tsr_status tsr__cuda_softmax(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_softmax(gpu, work, SOFTMAX, plan);
}
tsr_status tsr__cuda_log_softmax(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  (void)op;
  return plan_softmax(gpu, work, LOG_SOFTMAX, plan);
}

/* Along the last axis, of elements that are made: axes of rows stay as they are, so that all operands go along them. */
tsr_status tsr__cuda_plan_fused_softmax(tsr__cuda *gpu, const tsr_work *work, const tsr__cuda_made *m,
                                        tsr__cuda_plan *plan) {
  const tsr__group *const g = m->group;
  tsr__cuda_made_steps steps[TSR__GROUP_INPUTS] = {{{0}, {0}}};
  rowwise r = {.steps = steps,
               .kind = strcmp(g->ends->name, "softmax") == 0 ? SOFTMAX : LOG_SOFTMAX,
               .out = tsr__cuda_output(work, 0),
               .made = m,
               .args = {.n = 1, .rows = 1, .rank = 1}};
  const tsr_index *const stride = r.out.tensor.stride;
  row_args *const a = &r.args;
  const int last = g->ndim - 1;
  a->n = a->length[0] = g->shape[last];
  a->step_out[0] = stride[last];
  for (int k = 0; k < m->operands; k++) steps[k].inner[0] = m->in[k].tensor.stride[last];
  for (int d = last - 1; d >= 0; d--) {
    a->rows *= g->shape[d];
    if (g->shape[d] == 1) continue;
    for (int k = 0; k < m->operands; k++) steps[k].kept[a->kept_rank] = m->in[k].tensor.stride[d];
    a->kept[a->kept_rank] = g->shape[d];
    a->kept_out[a->kept_rank++] = stride[d];
  }
  a->step_x[0] = 1; /* of packs: where what x is made of runs along */
  return plan_rowwise(gpu, work->ctx, &r, plan);
}

static void set_param(const tsr_work *work, int k, bool *there, tsr__cuda_view *view) {
  *there = k < work->inputs && work->in[k] != NULL;
  if (*there) *view = tsr__cuda_input(work, k);
}

static tsr_status plan_layer(tsr__cuda *gpu, const tsr_work *work, row_kind kind, int axis, double eps,
                             tsr__cuda_plan *plan) {
  const tsr_tensor *const x = work->in[0];
  placed_rows p;
  if (axis < 0) axis += x->ndim;
  const tsr_status st = begin(gpu, work, kind, ~0u << axis, &p, plan);
  if (st != TSR_OK) return st;
  p.r.args.eps = eps;
  set_param(work, 1, &p.r.scaled, &p.r.scale);
  if (kind == LAYER) set_param(work, 2, &p.r.biased, &p.r.bias);
  for (int d = x->ndim - 1; d >= 0; d--)
    add_axis(&p.r, d >= axis, x->shape[d], p.r.x.tensor.stride[d], p.r.out.tensor.stride[d]);
  return end(gpu, work, &p, plan);
}

tsr_status tsr__cuda_layer_norm(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__layer_norm_attrs *const attrs = work->attrs;
  (void)op;
  return plan_layer(gpu, work, LAYER, attrs->axis, (double)attrs->eps, plan);
}
tsr_status tsr__cuda_rms_norm(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__rms_norm_attrs *const attrs = work->attrs;
  (void)op;
  return plan_layer(gpu, work, RMS, attrs->axis, (double)attrs->eps, plan);
}

/* Rows are (N, G) of (C / G, the other axes), channels first whatever the layout. groups 0: as many as channels. */
static tsr_status plan_group(tsr__cuda *gpu, const tsr_work *work, int64_t groups, double eps, tsr__cuda_plan *plan) {
  const tsr_tensor *const x = work->in[0];
  placed_rows p;
  int channel = 0;
  tsr_status st = tsr__nn_channel_axis(work->ctx, work->op, x, &channel);
  if (st == TSR_OK) st = begin(gpu, work, GROUPS, ~1u, &p, plan);
  if (st != TSR_OK) return st;
  const tsr_tensor *const from = &p.r.x.tensor, *const to = &p.r.out.tensor;
  const int64_t all = x->shape[channel], count = groups > 0 ? groups : all > 0 ? all : 1, each = all / count;
  p.r.args.eps = eps;
  p.r.args.channels = each;
  p.r.args.groups = count;
  set_param(work, 1, &p.r.scaled, &p.r.scale);
  set_param(work, 2, &p.r.biased, &p.r.bias);
  for (int d = x->ndim - 1; d > 0; d--)
    if (d != channel) add_axis(&p.r, true, x->shape[d], from->stride[d], to->stride[d]);
  p.r.args.run = p.r.args.n > 0 ? p.r.args.n : 1;
  add_axis(&p.r, true, each, from->stride[channel], to->stride[channel]);
  add_axis(&p.r, false, count, from->stride[channel] * each, to->stride[channel] * each);
  add_axis(&p.r, false, x->shape[0], from->stride[0], to->stride[0]);
  return end(gpu, work, &p, plan);
}

tsr_status tsr__cuda_group_norm(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__group_norm_attrs *const attrs = work->attrs;
  (void)op;
  return plan_group(gpu, work, attrs->groups, (double)attrs->eps, plan);
}
tsr_status tsr__cuda_instance_norm(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__instance_norm_attrs *const attrs = work->attrs;
  (void)op;
  return plan_group(gpu, work, 0, (double)attrs->eps, plan);
}
