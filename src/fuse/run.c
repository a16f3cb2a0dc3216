/* The op that a group of calls becomes: its run on the host. */
#include "fuse/tile.h"

#include "core/tensor.h"
#include "cpu/parallel.h"
#include "ops/cast/convert.h"
#include "ops/reduce/engine.h"

#if TSR_HAVE_OPS

/* Blocks of small runs are on the stack. */
enum { STACK_BYTES = TSR_HAVE_MALLOC ? 4096 : 1024 };

/* Elements that are worth a thread. */
enum { FUSED_GRAIN = 8192, FUSED_HEAVY_GRAIN = 2048 };

static int workers_of(const tsr_ctx *ctx) { return TSR_HAVE_THREADS ? tsr__parallel(ctx)->max_workers : 1; }

/* ---- element by element ---- */

static void run_tiles(void *arg, tsr_index begin, tsr_index end, int worker) {
  const tsr__fused_run *const run = arg;
  tsr__fused_tile tile;
  bool nontemporal = false;
  tsr__fused_tile_init(&tile, run, run->memory + run->bytes * (size_t)worker);
  tsr__fused_tiles_run(&tile, begin, end);
  for (int k = 0; k < run->group->outputs; k++) nontemporal = nontemporal || run->nontemporal[k] || run->streams[k];
  if (nontemporal) run->move->fence();
}

static tsr_index tiles_worth_a_thread(const tsr__fused_run *run) {
  const tsr_index grain = run->group->heavy ? FUSED_HEAVY_GRAIN : FUSED_GRAIN, each = run->elements;
  return each < grain ? grain / each : 1;
}

/* ---- small runs ---- */

/* Whether t is contiguous in row-major order, or one element for all: then its step in bytes, else -1. */
static ptrdiff_t flat_step(const tsr_tensor *t) {
  tsr_index next = 1;
  bool moves = false, rests = false;
  for (int i = t->ndim - 1; i >= 0; i--) {
    if (t->shape[i] == 1) continue;
    if (t->stride[i] != next && t->stride[i] != 0) return -1;
    moves = moves || t->stride[i] != 0;
    rests = rests || t->stride[i] == 0;
    next *= t->shape[i];
  }
  return moves && rests ? -1 : rests ? 0 : tsr__item(t);
}

/* Elements of a piece whose blocks fit the stack, beside what chains need; all of them where they do. 0: too few do. */
static tsr_index small_piece(const tsr__group *g, size_t chains) {
  const size_t each = (size_t)g->slots * g->widest;
  if (chains > STACK_BYTES) return 0;
  const tsr_index fits = each > 0 ? (tsr_index)((STACK_BYTES - chains) / each) : g->size;
  if (g->size <= fits) return g->size;
  const tsr_index rest =
      g->stages > 0 ? TSR__STAGE_MOST_BLOCK : 0; /* the last piece takes what would be less than a block */
  return fits < rest ? 0 : (fits - rest) & -(tsr_index)64;
}

/* The steps on all elements, piece by piece. */
static void run_pieces(const tsr__group *g, tsr__fused_tile *tile, tsr_index piece) {
  const tsr_index rest = g->stages > 0 ? TSR__STAGE_MOST_BLOCK : 1;
  for (tsr_index first = 0, count = 0; first < g->size; first += count) {
    const tsr_index left = g->size - first;
    count = left < piece + rest ? left : piece;
    tsr__fused_steps_run(tile, (const tsr_index[2]){count, 1});
    for (int k = 0; k < g->inputs; k++) tile->at[g->input[k]] += tile->step[g->input[k]] * (ptrdiff_t)count;
    for (int k = 0; k < g->outputs; k++) tile->at[g->output[k]] += tile->step[g->output[k]] * (ptrdiff_t)count;
  }
}

/* Few elements, that lie alike: all steps, piece by piece, without loops around them. ended: where the value goes that the
 * group ends with; NULL: it has outputs. False: it is another run. */
static bool run_small(const tsr__call *call, const tsr__group *g, char *ended) {
  _Alignas(64) char stack[STACK_BYTES];
  tsr__fused_run run; /* of which steps need a few fields; all of it would be much to clear for a few elements */
  tsr__fused_tile tile;
  if (call->device != NULL || g->size == 0 || g->size > (g->heavy ? FUSED_HEAVY_GRAIN : FUSED_GRAIN)) return false;
  run.padded = g->stages > 0 ? g->outputs : 0;
  run.ahead = 0;
  const tsr_index piece = small_piece(g, tsr__fused_chain_bytes(g, run.padded));
  if (piece == 0) return false;
  run.group = g;
  run.isa = tsr__isa_of(call->ctx);
  run.loop.operands = 0; /* there is no loop */
  run.slot_bytes = (size_t)(piece < g->size && g->stages > 0 ? piece + TSR__STAGE_MOST_BLOCK : piece) * g->widest;
  tsr__fused_tile_init(&tile, &run, stack);
  for (int k = 0; k < g->inputs; k++) {
    const int v = g->input[k];
    tile.at[v] = call->in[k]->data;
    tile.step[v] = flat_step(call->in[k]);
    tile.in_row[k] = 0;
    if (tile.step[v] < 0) return false;
  }
  for (int k = 0; k < g->outputs; k++) {
    if (ended == NULL && flat_step(call->out[k]) <= 0) return false;
    tile.at[g->output[k]] = ended != NULL ? ended : call->out[k]->data;
    tile.out_row[k] = 0;
    run.streams[k] = false;
  }
  run_pieces(g, &tile, piece);
  return true;
}

/* ---- runs ---- */

static tsr_status run_elementwise(tsr__call *call, const tsr__group *g) {
  if (run_small(call, g, NULL)) return TSR_OK;
  const tsr_tensor *operands[TSR__GROUP_OPERANDS];
  tsr__fused_run run;
  _Alignas(TSR_DATA_ALIGN) char stack[STACK_BYTES];
  void *memory = stack;
  for (int k = 0; k < g->outputs; k++) operands[k] = call->out[k];
  for (int k = 0; k < g->inputs; k++) operands[g->outputs + k] = call->in[k];
  tsr__fused_run_init(&run, call->ctx, g, g->outputs, operands);
  const bool small = run.loop.size == 0 || (run.tiling.tiles == 1 && run.bytes <= sizeof stack);
  tsr_status st = TSR_OK;
  if (!small) st = tsr__call_scratch(call, run.bytes * (size_t)workers_of(call->ctx), &memory);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK || run.loop.size == 0) return st;
  run.memory = memory;
  tsr__parallel_for(call->ctx, run.tiling.tiles, tiles_worth_a_thread(&run), run_tiles, &run);
  return TSR_OK;
}

/* ---- a reduction ---- */

/* Elements of a group as a reduction wants them. */
typedef struct produced_group {
  tsr__produced base;
  tsr__fused_tile *tiles; /* one a worker */
} produced_group;

static void produce(const tsr__produced *self, int worker, tsr_index first, tsr_index n, void *at) {
  const produced_group *const p = (const produced_group *)(const void *)self;
  tsr__fused_produce(&p->tiles[worker], first, n, at);
}

#if TSR__REDUCE_FAST
/* Blocks are known by their numbers in all of x, so that those of an output have to begin with a group. */
static bool fold(const tsr__produced *self, int worker, tsr_index first, const tsr__reduce_kernel *kernel,
                 void *states) {
  const produced_group *const p = (const produced_group *)(const void *)self;
  tsr__fused_tile *const tile = &p->tiles[worker];
  if (!tile->run->flat || first % (TSR__REDUCE_GROUP * TSR__REDUCE_BLOCK) != 0) return false;
  tsr__fused_end_in(tile, first, TSR__REDUCE_GROUP, TSR__REDUCE_BLOCK, kernel->stage, states);
  return true;
}
#endif

/* The value that the group ends with, as a tensor: row-major, at an address of no memory. */
static tsr_tensor virtual_tensor(const tsr__group *g) {
  tsr_tensor t;
  tsr__describe(g->value[g->ended].dtype, g->ndim, g->shape, &t);
  tsr__strides_for(g->ndim, g->shape, TSR_ROW_MAJOR, t.stride);
  t.data = (void *)(uintptr_t)(1u << 20);
  return t;
}

/* Memory for the tiles and blocks of all workers. */
typedef struct worker_memory {
  tsr__fused_tile *tiles;
  char *blocks;
} worker_memory;

static tsr_status take_workers(tsr__call *call, const tsr__fused_run *run, int workers, worker_memory *w) {
  void *memory = NULL;
  const size_t tiles = tsr__align_up(sizeof *w->tiles * (size_t)workers, TSR_DATA_ALIGN);
  const tsr_status st = tsr__call_scratch(call, tiles + run->bytes * (size_t)workers, &memory);
  w->tiles = memory;
  w->blocks = st == TSR_OK ? (char *)memory + tiles : NULL;
  return st;
}

static void start_workers(const tsr__fused_run *run, int workers, const worker_memory *w) {
  for (int i = 0; i < workers && run->loop.size > 0; i++)
    tsr__fused_tile_init(&w->tiles[i], run, w->blocks + run->bytes * (size_t)i);
}

/* The loop of a group that ends otherwise than element by element: over x, in its order. */
static void begin_ended(const tsr__call *call, const tsr__group *g, const tsr_tensor *x, tsr__fused_run *run) {
  const tsr_tensor *operands[TSR__GROUP_OPERANDS] = {x};
  for (int k = 0; k < g->inputs; k++) operands[1 + k] = call->in[k];
  tsr__fused_run_init(run, call->ctx, g, 1, operands);
}

/* The reduction of x, whose elements are there or are produced. */
static void prepare_reduction(const tsr__call *call, const tsr__group *g, const tsr_tensor *x, tsr__reduce *r) {
  *r = g->reduce;
  r->op = call->op;
  r->x = x;
  tsr__reduce_choose(call->ctx, r);
}

/* Few elements: made on the stack, and then reduced there. False: it is another run. */
static bool reduce_small(tsr__call *call, const tsr__group *g) {
  _Alignas(64) char made[STACK_BYTES];
  tsr__reduce r;
  tsr__reduce_engine engine;
  tsr_tensor x = virtual_tensor(g);
  x.data = made;
  if (call->device != NULL || (size_t)g->size * tsr__item_sizes[x.dtype] > sizeof made) return false;
  prepare_reduction(call, g, &x, &r);
  (void)tsr__reduce_prepare(call->ctx, &r, call->out[0], &engine);
  if (engine.small == NULL || !run_small(call, g, made)) return false;
  tsr__reduce_execute(call->ctx, &engine, NULL);
  return true;
}

static tsr_status run_reduction(tsr__call *call, const tsr__group *g) {
  if (reduce_small(call, g)) return TSR_OK;
  const tsr_tensor x = virtual_tensor(g);
  const int workers = workers_of(call->ctx);
  tsr__fused_run run;
  tsr__reduce_engine engine;
  worker_memory w;
  void *memory = NULL;
  produced_group source = {.base = {.make = produce}};
#if TSR__REDUCE_FAST
  source.base.fold = fold;
#endif
  tsr__reduce r;
  prepare_reduction(call, g, &x, &r);
  r.produced = &source.base;
  begin_ended(call, g, &x, &run);
  tsr_status st = take_workers(call, &run, workers, &w);
  if (st == TSR_OK) st = tsr__call_scratch(call, tsr__reduce_prepare(call->ctx, &r, call->out[0], &engine), &memory);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  start_workers(&run, workers, &w);
  source.tiles = w.tiles;
  tsr__reduce_execute(call->ctx, &engine, memory);
  return TSR_OK;
}

/* ---- softmax along the last axis ---- */

enum { SOFTMAX_ELEMENTS = TSR_HAVE_MALLOC ? 4096 : 64 }; /* of rows that are made at a time, where one is shorter */

typedef struct softmax_run {
  const tsr__fused_run *run;
  tsr__softmax_row *row;
  tsr_index length, rows, at_once; /* elements of a row; rows, and how many are made at a time */
  const tsr_tensor *out;
  worker_memory workers;
  char *lines; /* at_once rows a worker */
  size_t line_bytes;
} softmax_run;

/* Where row number number of the output begins. */
static char *output_row(const tsr_tensor *out, tsr_index number) {
  char *at = out->data;
  for (int axis = out->ndim - 2; axis >= 0; axis--) {
    at += (ptrdiff_t)(number % out->shape[axis] * out->stride[axis]) * tsr__item(out);
    number /= out->shape[axis];
  }
  return at;
}

/* One row from where it was made, to the output: in place first, where that has another dtype or gaps. */
static void finish_row(const softmax_run *s, char *line, tsr_index number) {
  const int compute = s->run->group->value[s->run->group->ended].dtype;
  const ptrdiff_t step = (ptrdiff_t)s->out->stride[s->out->ndim - 1] * tsr__item(s->out);
  char *const to = output_row(s->out, number);
  if (compute == s->out->dtype && (step == tsr__item(s->out) || s->length == 1)) {
    s->row(s->length, line, to);
    return;
  }
  s->row(s->length, line, line);
  tsr__convert_row(s->run->isa, compute, s->out->dtype, s->length, line, (ptrdiff_t)tsr__item_sizes[compute], to, step);
}

static void run_softmax_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const softmax_run *const s = arg;
  const ptrdiff_t bytes = (ptrdiff_t)s->length * (ptrdiff_t)s->run->loop.item[0];
  char *const lines = s->lines + s->line_bytes * (size_t)worker;
  for (tsr_index first = begin; first < end; first += s->at_once) {
    const tsr_index count = end - first < s->at_once ? end - first : s->at_once;
    tsr__fused_produce(&s->workers.tiles[worker], first * s->length, count * s->length, lines);
    for (tsr_index i = 0; i < count; i++) finish_row(s, lines + bytes * (ptrdiff_t)i, first + i);
  }
}

static tsr_status run_softmax(tsr__call *call, const tsr__group *g) {
  const tsr_tensor x = virtual_tensor(g);
  const int workers = workers_of(call->ctx);
  tsr__fused_run run;
  void *memory = NULL;
  begin_ended(call, g, &x, &run);
  softmax_run s = {.run = &run, .length = g->shape[g->ndim - 1], .out = call->out[0]};
  s.rows = s.length > 0 ? run.loop.size / s.length : 0;
  s.at_once = s.length > 0 && s.length < SOFTMAX_ELEMENTS ? SOFTMAX_ELEMENTS / s.length : 1;
  s.line_bytes = tsr__align_up((size_t)(s.at_once * s.length) * tsr__item_sizes[x.dtype], TSR_DATA_ALIGN);
  s.row = g->softmax[run.isa][x.dtype].row;
  tsr_status st = take_workers(call, &run, workers, &s.workers);
  if (st == TSR_OK) st = tsr__call_scratch(call, s.line_bytes * (size_t)workers, &memory);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK || s.rows == 0) return st;
  start_workers(&run, workers, &s.workers);
  s.lines = memory;
  const tsr_index grain = FUSED_HEAVY_GRAIN * 4 / s.length;
  tsr__parallel_for(call->ctx, s.rows, grain > 0 ? grain : 1, run_softmax_rows, &s);
  return TSR_OK;
}

/* ---- the op ---- */

static tsr_status fused(tsr__call *call) {
  const tsr__group *const g = ((const tsr__fused_attrs *)call->attrs)->group;
  const bool elementwise = g->end == TSR__ENDS_ELEMENTWISE;
  tsr__result result[TSR__GROUP_OUTPUTS];
  tsr_status st = TSR_OK;
  for (int k = 0; k < g->outputs && st == TSR_OK; k++) {
    if (elementwise)
      result[k] = (tsr__result){g->value[g->output[k]].dtype, call->out[k]->layout, g->ndim, g->shape, NULL};
    else
      result[k] = (tsr__result){g->out_dtype, call->out[k]->layout, g->out_ndim, g->out_shape, NULL};
    if (g->outputs > 1) st = tsr__call_output(call, k, &result[k]);
  }
  if (st == TSR_OK) st = g->outputs > 1 ? tsr__call_outputs(call) : tsr__call_result(call, &result[0]);
  if (st != TSR_OK) return st;
  if (elementwise) return run_elementwise(call, g);
  return g->end == TSR__ENDS_REDUCTION ? run_reduction(call, g) : run_softmax(call, g);
}

static const tsr__attr_pointer *fused_pointers(void) {
  static const tsr__attr_pointer pointers[] = {
      {offsetof(tsr__fused_attrs, group), offsetof(tsr__fused_attrs, bytes), 1, 0},
      {sizeof(tsr__fused_attrs), TSR__ATTR_END, 0, 0}};
  return pointers;
}

static const tsr__operand_info fused_operands[] = {{TSR__OPERAND_NAME("in") TSR__OPERAND_MANY},
                                                   {TSR__OPERAND_NAME("out") TSR__OPERAND_OUTPUT | TSR__OPERAND_MANY}};

const tsr__op_info tsr__op_fused = {.name = "fused",
                                    .run = fused,
                                    .operands = fused_operands,
                                    .flags = TSR__OP_STRIDES | TSR__OP_IN_PLACE,
                                    .inputs = 1,
                                    .outputs = 1,
                                    .pointers = fused_pointers};

#endif
