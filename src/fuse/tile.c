#include "fuse/tile.h"

#include "cpu/parallel.h"
#include "fuse/pass.h"
#include "ops/cast/convert.h"

#if TSR_HAVE_OPS

enum {
  TILE_BYTES = TSR_HAVE_MALLOC ? 24 * 1024 : 2048, /* of all blocks and operands of a tile: most of a first cache */
  TILE_MOST_BYTES =
      TSR_HAVE_MALLOC ? 4096
                      : 512, /* of a block: operands often lie alike in pages, and then each takes a way of the cache */
  TILE_NONTEMPORAL_BYTES = 1024, /* where results go out by non-temporal stores: longer bursts hold up the reads */
  TILE_NONTEMPORAL_STEPS = 4,    /* of longer groups twice as many: calling a kernel has its price */
  TILE_LEAST = TSR_HAVE_MALLOC ? 128 : 64,
  TILE_IN_REGISTERS = 8192 /* elements, where nothing is in blocks between the inputs and the outputs */
};

/* Operands that are larger in all come from memory: what is wanted soon is asked for, because every step begins anew and
 * processors see no long rows of reads in it. */
enum { FAR_BYTES = 4 * 1024 * 1024, AHEAD_BYTES = 8 * 1024 };

/* A chain that runs over long rows asks by itself: processors see them, but the next reads come too late behind many steps, or
 * after rows of other inputs. */
enum { AHEAD_STEPS = 4, AHEAD_ELEMENTS = 512 };

static tsr_index smaller(tsr_index a, tsr_index b) { return a < b ? a : b; }

/* ---- what is decided before ---- */

/* Whether a chain reads or writes a value, and no kernel does: then rows of a tile may have gaps or repeat. */
static bool is_of_chains(const tsr__group *g, int v) {
  const tsr__group_value *const value = &g->value[v];
  return g->stages > 0 && !value->flat &&
         (value->source != TSR__GROUP_STEP || g->step[value->number].lanes != TSR_NONE);
}

/* The value of the group that operand k is. */
static int value_at(const tsr__fused_run *run, int k) {
  return k < run->outputs ? run->group->output[k] : run->group->input[k - run->outputs];
}

/* Whether operand k is used where it lies, in a tile of n elements. */
static bool is_direct(const tsr__fused_run *run, int k, const tsr_index *n) {
  const tsr__tile_way way = tsr__tile_way_of(&run->loop, k, n);
  const bool by_rows = run->rows && is_of_chains(run->group, value_at(run, k));
  if (k >= run->outputs) return way <= TSR__TILE_REPEATED || (by_rows && way <= TSR__TILE_FILLED);
  return !run->nontemporal[k] && (way == TSR__TILE_DIRECT || (by_rows && way == TSR__TILE_ROWS));
}

static bool needs_slot(const tsr__fused_run *run, int k) {
  const tsr_index one[2] = {run->tiling.most[0], 1};
  return !is_direct(run, k, run->tiling.most) || !is_direct(run, k, one);
}

/* Bytes of operand k that are touched in all. */
static size_t touched(const tsr__group_loop *loop, int k) {
  size_t bytes = loop->item[k];
  for (int axis = 0; axis < loop->ndim; axis++)
    if (loop->step[k][axis] != 0) bytes *= (size_t)loop->length[axis];
  return bytes;
}

/* Whether an output that is to be written by non-temporal stores can be by a chain: whole lines, and nobody reads it again. */
static bool can_stream(const tsr__fused_run *run, int k) {
  const tsr__group *const g = run->group;
  const tsr__group_loop *const loop = &run->loop;
  const tsr__group_value *const value = &g->value[g->output[k]];
  const tsr__group_step *const maker = &g->step[value->number];
  bool lines = (uintptr_t)loop->base[k] % 64 == 0, read = false;
  for (int axis = 1; axis < loop->ndim; axis++) lines = lines && loop->step[k][axis] % 64 == 0;
  for (int i = 0; i < g->steps; i++)
    for (int j = 0; j < g->step[i].inputs; j++) read = read || g->step[i].in[j] == g->output[k];
  return lines && !read && maker->lanes == value->dtype && tsr__pass_streams(run->isa, maker->lanes);
}

static void choose_streams(tsr__fused_run *run, const tsr_ctx *ctx) {
  const tsr__group_loop *const loop = &run->loop;
  size_t read = 0;
  for (int k = run->outputs; k < loop->operands; k++) read += touched(loop, k);
  run->far = read > FAR_BYTES;
  for (int k = 0; k < run->group->outputs; k++) {
    const bool wanted = run->group->end == TSR__ENDS_ELEMENTWISE && loop->step[k][0] == (ptrdiff_t)loop->item[k] &&
                        tsr__is_nontemporal(ctx, touched(loop, k), read, run->group->heavy);
    run->streams[k] = wanted && can_stream(run, k);
    run->nontemporal[k] = wanted && !run->streams[k];
  }
}

/* Whether all that a tile needs is its operands, as they lie. */
static bool is_all_in_registers(const tsr__fused_run *run) {
  const tsr__group_loop *const loop = &run->loop;
  bool all = run->group->slots == 0 && run->group->stages > 0 && loop->length[0] >= TSR__STAGE_MOST_BLOCK;
  for (int i = 0; i < run->group->steps; i++) all = all && run->group->step[i].lanes != TSR_NONE;
  for (int k = 0; k < loop->operands; k++) {
    const ptrdiff_t step = loop->step[k][0];
    all = all && (step == (ptrdiff_t)loop->item[k] || (k >= run->outputs && step == 0));
    all = all && (k >= run->outputs || !run->nontemporal[k]);
  }
  return all;
}

/* How many elements ahead the program of one chain asks for inputs. A reduction along another axis than the last goes from row to
 * row. */
static tsr_index find_ahead(const tsr__fused_run *run) {
  const tsr__group *const g = run->group;
  if (!run->far || !is_all_in_registers(run) || !tsr__group_is_one_chain(g)) return 0;
  if (run->loop.ndim == 1 && g->end == TSR__ENDS_ELEMENTWISE && g->steps < AHEAD_STEPS) return 0;
  const bool by_columns = g->end == TSR__ENDS_REDUCTION && (g->reduce.axes >> (g->ndim - 1) & 1u) == 0;
  return by_columns ? g->shape[g->ndim - 1] : AHEAD_ELEMENTS;
}

/* Elements of a tile: all that it touches at once fits the cache. */
static tsr_index tile_elements(const tsr__fused_run *run) {
  const tsr__group_loop *const loop = &run->loop;
  if (is_all_in_registers(run)) return TILE_IN_REGISTERS;
  size_t each = (size_t)run->group->slots * run->group->widest;
  for (int k = 0; k < loop->operands; k++)
    if (loop->step[k][0] != 0) each += loop->item[k];
  const size_t nontemporal =
      run->group->steps <= TILE_NONTEMPORAL_STEPS ? TILE_NONTEMPORAL_BYTES : 2 * TILE_NONTEMPORAL_BYTES;
  const tsr_index most = (tsr_index)((run->nontemporal[0] ? nontemporal : TILE_MOST_BYTES) / run->group->widest);
  const tsr_index fits = (tsr_index)(TILE_BYTES / (each > 0 ? each : 1)) & -(tsr_index)64;
  return fits < TILE_LEAST ? TILE_LEAST : fits > most ? most : fits;
}

void tsr__fused_run_init(tsr__fused_run *run, const tsr_ctx *ctx, const tsr__group *group, int outputs,
                         const tsr_tensor *const *tensors) {
  run->group = group;
  run->isa = tsr__isa_of(ctx);
  run->move = tsr__move_kernels_of(ctx);
  run->outputs = outputs;
  run->bytes = 0;
  tsr__group_loop_init(&run->loop, outputs + group->inputs, tensors);
  if (run->loop.size == 0) return;
  choose_streams(run, ctx);
  run->elements = tile_elements(run);
  run->ahead = find_ahead(run);
  tsr__tiling_init(&run->tiling, &run->loop, run->elements, group->end != TSR__ENDS_ELEMENTWISE);
  run->flat = run->loop.ndim == 1 && is_all_in_registers(run) && tsr__group_is_one_chain(group);
  run->rows = run->tiling.most[0] == run->loop.length[0] && run->loop.length[0] >= TSR__STAGE_MOST_BLOCK;
  int slots = group->slots;
  for (int k = 0; k < run->loop.operands; k++) run->slot[k] = (int16_t)(needs_slot(run, k) ? slots++ : -1);
  const tsr_index most = run->tiling.most[0] * run->tiling.most[1];
  if (group->end == TSR__ENDS_ELEMENTWISE && most < run->elements) run->elements = most;
  const tsr_index least = group->stages > 0 ? TSR__STAGE_MOST_BLOCK : 1;
  run->slot_bytes =
      tsr__align_up((size_t)(run->elements > least ? run->elements : least) * group->widest, TSR_DATA_ALIGN);
  run->padded = group->stages > 0 ? group->outputs + group->inputs : 0;
  run->bytes = run->slot_bytes * (size_t)slots + tsr__fused_chain_bytes(group, run->padded);
}

size_t tsr__fused_chain_bytes(const tsr__group *g, int padded) {
  if (g->stages == 0) return 0;
  return tsr__align_up((size_t)g->stages * sizeof(tsr__stage), TSR_DATA_ALIGN) +
         (size_t)padded * TSR__STAGE_BLOCK_BYTES;
}

void tsr__fused_tile_init(tsr__fused_tile *tile, const tsr__fused_run *run, char *memory) {
  const tsr__group *const g = run->group;
  const size_t chain = tsr__fused_chain_bytes(g, run->padded);
  tile->run = run;
  tile->is_ready = false;
  tile->program = (tsr__stage *)(void *)memory;
  tile->pads = memory + (ptrdiff_t)chain - (ptrdiff_t)run->padded * TSR__STAGE_BLOCK_BYTES;
  memory += (ptrdiff_t)chain;
  tile->memory = memory;
  for (int v = 0; v < g->values; v++) {
    const tsr__group_value *const value = &g->value[v];
    tile->step[v] = 0;
    if (value->source == TSR__GROUP_NUMBER) tile->at[v] = (char *)(uintptr_t)g->constant[value->number].bytes;
    if (value->slot >= 0) tile->at[v] = memory + (ptrdiff_t)run->slot_bytes * value->slot;
  }
  for (int k = 0; k < run->loop.operands; k++) tile->loaded[k] = NULL;
}

/* ---- loads and stores ---- */

/* Operand k as a block of contiguous rows: to the slot, or from it. */
static tsr__block block_of(const tsr__fused_run *run, int k, const tsr_index *n) {
  const ptrdiff_t item = (ptrdiff_t)run->loop.item[k];
  return (tsr__block){.n = {n[0], n[1]},
                      .src_step = {run->loop.step[k][0], run->loop.ndim > 1 ? run->loop.step[k][1] : 0},
                      .dst_step = {item, item * (ptrdiff_t)n[0]},
                      .item = (size_t)item};
}

static void load_tile(const tsr__fused_run *run, int k, tsr__tile_way way, const char *from, const tsr_index *n,
                      char *slot) {
  tsr__block block = block_of(run, k, n);
  block.src = from;
  block.dst = slot;
  if (way == TSR__TILE_FILLED) {
    for (tsr_index row = 0; row < n[1]; row++)
      tsr__fill_row(block.item, n[0], from + (ptrdiff_t)row * block.src_step[1],
                    slot + (ptrdiff_t)row * block.dst_step[1]);
  } else if (way == TSR__TILE_ROWS) {
    run->move->rows(&block);
  } else if (way == TSR__TILE_TRANSPOSED) {
    run->move->transpose(&block);
  } else {
    run->move->strided(&block);
  }
}

static void store_tile(const tsr__fused_run *run, int k, const char *slot, const tsr_index *n, char *to) {
  tsr__block block = block_of(run, k, n);
  if (run->nontemporal[k]) {
    for (tsr_index row = 0; row < n[1]; row++)
      run->move->stream(to + (ptrdiff_t)row * block.src_step[1], slot + (ptrdiff_t)row * block.dst_step[1],
                        (size_t)n[0] * block.item);
    return;
  }
  for (int axis = 0; axis < 2; axis++) {
    const ptrdiff_t step = block.src_step[axis];
    block.src_step[axis] = block.dst_step[axis];
    block.dst_step[axis] = step;
  }
  block.src = slot;
  block.dst = to;
  run->move->strided(&block);
}

/* ---- a tile ---- */

/* As many bytes as a tile has, some way on. */
static void ask_ahead(const char *at, size_t bytes) {
  const uintptr_t from = (uintptr_t)at + AHEAD_BYTES; /* may be past the end: nothing is read */
  for (size_t i = 0; i < bytes; i += 64) __builtin_prefetch((const char *)(from + i), 0, 2);
}

/* Operand k in its slot, which may hold it already. */
static char *fill_slot(tsr__fused_tile *tile, int k, tsr__tile_way way, const char *at, const tsr_index *n) {
  const tsr__fused_run *const run = tile->run;
  char *const slot = tile->memory + (ptrdiff_t)run->slot_bytes * run->slot[k];
  const bool is_there = way <= TSR__TILE_FILLED && tile->loaded[k] == at && tile->loaded_n[k] == n[0] * n[1];
  if (!is_there) load_tile(run, k, way, at, n, slot);
  tile->loaded[k] = run->loop.ndim > 1 && run->loop.step[k][1] == 0 ? at : NULL; /* else it is not met again */
  tile->loaded_n[k] = n[0] * n[1];
  return slot;
}

static void begin_inputs(tsr__fused_tile *tile, char *const *at, const tsr_index *n) {
  const tsr__fused_run *const run = tile->run;
  for (int i = 0; i < run->group->inputs; i++) {
    const int k = run->outputs + i, v = run->group->input[i];
    const ptrdiff_t item = (ptrdiff_t)run->loop.item[k];
    const tsr__tile_way way = tsr__tile_way_of(&run->loop, k, n);
    const bool direct = is_direct(run, k, n);
    const bool repeats = way == TSR__TILE_REPEATED || (direct && way == TSR__TILE_FILLED);
    if (way == TSR__TILE_DIRECT && run->far && run->ahead == 0)
      ask_ahead(at[k], (size_t)(n[0] * n[1]) * run->loop.item[k]);
    tile->at[v] = direct ? at[k] : fill_slot(tile, k, way, at[k], n);
    tile->step[v] = repeats ? 0 : item;
    tile->in_row[i] = direct && n[1] > 1 ? run->loop.step[k][1] : tile->step[v] * (ptrdiff_t)n[0];
  }
}

static void run_kernel(const tsr__fused_tile *tile, const tsr__group_step *s, tsr_index n) {
  static const ptrdiff_t next[TSR__MAX_OPERANDS];
  const tsr__row_args args = {
      .count = 1, .next = next, .param = s->has_param ? (void *)(uintptr_t)s->param.bytes : NULL};
  char *at[TSR__MAX_OPERANDS];
  ptrdiff_t step[TSR__MAX_OPERANDS];
  at[0] = tile->at[s->out];
  step[0] = (ptrdiff_t)tsr__item_sizes[tile->run->group->value[s->out].dtype];
  for (int k = 0; k < s->inputs; k++) {
    at[k + 1] = tile->at[s->in[k]];
    step[k + 1] = tile->step[s->in[k]];
  }
  s->tables[tile->run->isa][s->compute](&args, n, at, step);
}

static void run_conversion(const tsr__fused_tile *tile, const tsr__group_step *s, tsr_index n) {
  const tsr__group_value *const value = tile->run->group->value;
  const int from = value[s->in[0]].dtype, to = value[s->out].dtype;
  tsr__convert_row(tile->run->isa, from, to, n, tile->at[s->in[0]], tile->step[s->in[0]], tile->at[s->out],
                   (ptrdiff_t)tsr__item_sizes[to]);
}

/* A result of elements that all repeat is computed once, unless somebody wants all of it. */
static void run_step(tsr__fused_tile *tile, const tsr__group_step *s, tsr_index n) {
  const tsr__group *const g = tile->run->group;
  bool repeats = g->value[s->out].output < 0 && g->value[s->out].slot >= 0;
  for (int k = 0; k < s->inputs; k++) repeats = repeats && tile->step[s->in[k]] == 0;
  tile->step[s->out] = repeats ? 0 : (ptrdiff_t)tsr__item_sizes[g->value[s->out].dtype];
  if (s->tables != NULL)
    run_kernel(tile, s, repeats ? 1 : n);
  else
    run_conversion(tile, s, repeats ? 1 : n);
}

void tsr__fused_steps_run(tsr__fused_tile *tile, const tsr_index *n) {
  const tsr__group *const g = tile->run->group;
  for (int i = 0; i < g->steps; i++) {
    const int first = i;
    while (tsr__group_goes_on(g, i)) i++;
    if (g->step[i].lanes == TSR_NONE)
      run_step(tile, &g->step[i], n[0] * n[1]);
    else
      tsr__pass_run_tile(tile, first, i, n);
  }
}

void tsr__fused_tile_run(tsr__fused_tile *tile, char *const *at, const tsr_index *n) {
  const tsr__fused_run *const run = tile->run;
  const tsr__group *const g = run->group;
  begin_inputs(tile, at, n);
  for (int k = 0; k < g->outputs; k++) {
    const bool direct = is_direct(run, k, n);
    if (direct && run->far && run->ahead == 0 && !run->streams[k])
      ask_ahead(at[k], (size_t)(n[0] * n[1]) * run->loop.item[k]);
    tile->at[g->output[k]] = direct ? at[k] : tile->memory + (ptrdiff_t)run->slot_bytes * run->slot[k];
    tile->out_row[k] = direct && n[1] > 1 ? run->loop.step[k][1] : (ptrdiff_t)run->loop.item[k] * (ptrdiff_t)n[0];
  }
  tsr__fused_steps_run(tile, n);
  for (int k = 0; k < g->outputs; k++)
    if (!is_direct(run, k, n)) store_tile(run, k, tile->at[g->output[k]], n, at[k]);
}

/* ---- elements one after the other ---- */

/* The program of all elements, with operands where they begin. */
static void make_flat(tsr__fused_tile *tile) {
  const tsr__fused_run *const run = tile->run;
  const tsr__group *const g = run->group;
  for (int k = 0; k < run->loop.operands; k++) {
    const int v = value_at(run, k);
    tile->at[v] = run->loop.base[k];
    tile->step[v] = run->loop.step[k][0];
  }
  for (int k = 0; k < g->inputs; k++) tile->in_row[k] = 0;
  for (int k = 0; k < g->outputs; k++) tile->out_row[k] = 0;
  tsr__pass_init(&tile->flat, tile, 0, g->steps - 1, run->loop.size, run->ahead);
  tile->is_ready = true;
}

void tsr__fused_tiles_run(tsr__fused_tile *tile, tsr_index begin, tsr_index end) {
  const tsr__fused_run *const run = tile->run;
  char *at[TSR__GROUP_OPERANDS + 1];
  tsr_index n[2];
  if (run->flat && begin < end) {
    const tsr_index first = begin * run->tiling.most[0], last = smaller(end * run->tiling.most[0], run->loop.size);
    if (!tile->is_ready) make_flat(tile);
    tsr__pass_run_part(&tile->flat, first, last);
    return;
  }
  for (tsr_index number = begin; number < end; number++) {
    tsr__tile_at(&run->tiling, &run->loop, number, at, n);
    tsr__fused_tile_run(tile, at, n);
  }
}

/* ---- elements in order ---- */

static void produce_flat(tsr__fused_tile *tile, tsr_index first, tsr_index n, char *out) {
  if (!tile->is_ready) make_flat(tile);
  tsr__stage *const store = &tile->program[tile->flat.store[0]];
  store->at[0] = out - store->step[0] * (ptrdiff_t)first;
  tsr__pass_run_part(&tile->flat, first, first + n);
}

void tsr__fused_end_in(tsr__fused_tile *tile, tsr_index first, int rows, tsr_index row, tsr__stage_fn *stage,
                       char *at) {
  if (!tile->is_ready) make_flat(tile);
  tsr__stage *const store = &tile->program[tile->flat.store[0]];
  const tsr__stage kept = *store;
  store->run = stage;
  store->at[0] = at;
  /* Rows that take turns hide how long additions wait for each other. From memory nothing waits as long as reads of so many
   * places do. */
  const int turns = tile->run->far ? 1 : rows;
  for (int k = 0; k < rows; k += turns) tile->flat.stages->run_side_by_side(tile->program, first + k * row, turns, row);
  *store = kept;
}

void tsr__fused_produce(tsr__fused_tile *tile, tsr_index first, tsr_index n, char *out) {
  const tsr__fused_run *const run = tile->run;
  const tsr__group_loop *const loop = &run->loop;
  const tsr_index row = loop->length[0];
  char *at[TSR__GROUP_OPERANDS + 1];
  if (run->flat && n >= TSR__STAGE_MOST_BLOCK) {
    produce_flat(tile, first, n, out);
    return;
  }
  tile->is_ready = false; /* the program becomes another */
  while (n > 0) {
    const tsr_index begin = tsr__group_loop_at(loop, first, at);
    tsr_index part[2] = {smaller(row - begin, smaller(n, run->elements)), 1};
    if (part[0] == row && loop->ndim > 1) {
      const tsr_index left = loop->length[1] - first / row % loop->length[1];
      part[1] = smaller(left, smaller(n, run->elements) / row);
    }
    at[0] = out;
    tsr__fused_tile_run(tile, at, part);
    const tsr_index made = part[0] * part[1];
    out += (ptrdiff_t)made * (ptrdiff_t)loop->item[0];
    first += made;
    n -= made;
  }
}

#endif
