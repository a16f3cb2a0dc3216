/* The engine: tiles of outputs, or pieces of long reductions, on the context's threads. */
#include "cpu/move.h"
#include "cpu/parallel.h"
#include "ops/cast/convert.h"
#include "ops/reduce/engine.h"

#include <string.h>

typedef tsr__reduce_engine engine;

static void fold_tile(const engine *e, const tsr__reduce_kernel *kernel, const tsr__reduce_tile *tile, tsr_index first,
                      tsr_index end, const char *param, char *values, int worker) {
  if (TSR__REDUCE_FAST && e->plan.few)
    tsr__reduce_by_few(e, kernel, tile, param, values, worker);
  else if (TSR__REDUCE_FAST && e->plan.columns)
    tsr__reduce_by_columns(e, kernel, tile, first, end, param, values, worker);
  else
    tsr__reduce_by_rows(e, kernel, tile, first, end, param, values, worker);
}

static void merge_initial(const tsr__reduce *r, const tsr__reduce_kernel *kernel, tsr_index n, char *values) {
  const size_t size = tsr__reduce_value_size(kernel);
  for (tsr_index i = 0; i < n; i++) kernel->merge(1, values + size * (size_t)i, r->initial);
}

static void finish(const engine *e, const tsr__reduce_pass *pass, tsr_index n, void *values, const void *param) {
  if (pass->finish != NULL) pass->finish(&e->r->terms, n, values, param);
  if (e->r->initial != NULL) merge_initial(e->r, pass->kernel, n, values);
}

static void store(const engine *e, const tsr__reduce_tile *tile, const char *values) {
  const tsr__reduce *const r = e->r;
  const int from = r->pass[r->passes - 1].kernel->dtype;
  const ptrdiff_t size = tsr__item_sizes[from], step = e->plan.kept.step[1][0];
  if (from == r->out_dtype)
    tsr__move_row((size_t)size, tile->width, values, size, tile->out, step);
  else
    tsr__convert_row(e->source.isa, from, r->out_dtype, tile->width, values, size, tile->out, step);
}

/* The param of the first pass for n outputs, in room, or NULL. */
static const char *first_param(const engine *e, tsr_index n, char *room) {
  tsr__reduce_real *const powers = (tsr__reduce_real *)(void *)room;
  if (!e->r->with_power) return NULL;
  for (tsr_index i = 0; i < n; i++) powers[i] = e->r->terms.power;
  return room;
}

/* ---- one task a tile ---- */

/* Where the results of a pass go: by columns a row of the worker's, else room. */
static char *results_of(const engine *e, int worker, int pass, void *room) {
  return TSR__REDUCE_FAST && e->plan.columns ? tsr__reduce_columns_row(e, worker, pass) : room;
}

static void run_tiles(void *arg, tsr_index begin, tsr_index end, int worker) {
  const engine *const e = arg;
  const tsr__reduce *const r = e->r;
  tsr__reduce_cell room[2][TSR__REDUCE_ROW_TILE];
  for (tsr_index task = begin; task < end; task++) {
    const tsr__reduce_tile tile = tsr__reduce_tile_at(&e->plan, task);
    const char *param = first_param(e, tile.width, results_of(e, worker, 1, room[1]));
    char *values = NULL;
    for (int i = 0; i < r->passes; i++) {
      values = results_of(e, worker, i, room[i]);
      fold_tile(e, r->pass[i].kernel, &tile, 0, r->terms.count, param, values, worker);
      finish(e, &r->pass[i], tile.width, values, param);
      param = values;
    }
    store(e, &tile, values);
  }
}

/* ---- few outputs of many elements: one task a piece ---- */

/* A piece is a power of two of blocks, so that its value is a node of the tree over all blocks. */
typedef struct pieces {
  const engine *e;
  const tsr__reduce_kernel *kernel;
  char *partial; /* values of all outputs, a row a piece */
  size_t row;    /* its bytes */
  const char *param;
} pieces;

static void run_pieces(void *arg, tsr_index begin, tsr_index end, int worker) {
  const pieces *const p = arg;
  const engine *const e = p->e;
  const size_t size = tsr__reduce_value_size(p->kernel);
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index piece = task / e->plan.tasks, first = piece * e->plan.piece;
    const tsr_index left = e->r->terms.count - first;
    const tsr__reduce_tile tile = tsr__reduce_tile_at(&e->plan, task % e->plan.tasks);
    const size_t at = size * (size_t)tile.first;
    fold_tile(e, p->kernel, &tile, first, left < e->plan.piece ? e->r->terms.count : first + e->plan.piece,
              p->param != NULL ? p->param + at : NULL, p->partial + p->row * (size_t)piece + at, worker);
  }
}

/* Piece 0 becomes the sum of all: the tree over blocks, from where the pieces end. */
static void merge_pieces(const pieces *p) {
  for (tsr_index apart = 1; apart < p->e->pieces; apart *= 2)
    for (tsr_index i = 0; i + apart < p->e->pieces; i += 2 * apart)
      p->kernel->merge(p->e->plan.kept.size, p->partial + p->row * (size_t)i,
                       p->partial + p->row * (size_t)(i + apart));
}

static void store_all(const engine *e, const char *values) {
  const tsr__reduce *const r = e->r;
  const size_t size = tsr__reduce_value_size(r->pass[r->passes - 1].kernel);
  for (tsr_index task = 0; task < e->plan.tasks; task++) {
    const tsr__reduce_tile tile = tsr__reduce_tile_at(&e->plan, task);
    store(e, &tile, values + size * (size_t)tile.first);
  }
}

/* room: rows for all outputs; the results of the passes first, then the pieces. */
static void run_in_pieces(const tsr_ctx *ctx, const engine *e, char *room) {
  const size_t outputs = (size_t)e->plan.kept.size, row = sizeof(tsr__reduce_cell) * outputs;
  pieces p = {.e = e, .partial = room + 2 * row, .row = row};
  p.param = first_param(e, e->plan.kept.size, room + row);
  for (int i = 0; i < e->r->passes; i++) {
    char *const results = room + row * (size_t)i;
    p.kernel = e->r->pass[i].kernel;
    tsr__parallel_for(ctx, e->pieces * e->plan.tasks, 1, run_pieces, &p);
    merge_pieces(&p);
    memcpy(results, p.partial, tsr__reduce_value_size(p.kernel) * outputs);
    finish(e, &e->r->pass[i], e->plan.kept.size, results, p.param);
    p.param = results;
  }
  store_all(e, p.param);
}

/* ---- the run ---- */

/* Whether all of it is one call of the kernel: few contiguous elements, reduced along the last axes. */
static bool is_small(const tsr__reduce *r, const tsr_tensor *out) {
  const tsr__reduce_kernel *const kernel = r->pass[0].kernel;
  const tsr_tensor *const x = r->x;
  const uint32_t all = ((uint32_t)1 << x->ndim) - 1;
  return r->produced == NULL && r->passes == 1 && !r->with_power && r->initial == NULL && r->axes != 0 &&
         (r->axes | (r->axes - 1)) == all && r->terms.count > 0 &&
         (!tsr__reduce_is_short(tsr_size(x) / r->terms.count, r->terms.count) ||
          (!kernel->any_order && tsr__reduce_fills_lanes(r->terms.count))) &&
         r->terms.count <= tsr__reduce_most(kernel) && tsr_size(x) <= TSR__REDUCE_TASK &&
         tsr__reduce_reads(r->compute, x->dtype) && kernel->dtype == r->out_dtype &&
         tsr_is_contiguous(x, TSR_ROW_MAJOR) && tsr_is_contiguous(out, TSR_ROW_MAJOR);
}

static void run_small(const tsr__reduce *r, const tsr_tensor *out) {
  const tsr_index outputs = tsr_size(out);
  const ptrdiff_t step = (ptrdiff_t)r->terms.count * tsr__item(r->x);
  r->pass[0].kernel->many(outputs, r->terms.count, r->x->data, step, NULL, out->data);
  if (r->pass[0].finish != NULL) r->pass[0].finish(&r->terms, outputs, out->data, NULL);
}

/* Whether the kernels are quick with rows of few elements, one by one. The greatest and the sum of exponentials are
 * not. */
static bool has_row_way(const tsr__reduce *r) {
  return !TSR__REDUCE_FAST || r->passes == 1 || !r->pass[0].kernel->any_order;
}

/* Tasks that one worker should take at least. */
static tsr_index grain_of(const engine *e) {
  const tsr_index each = e->plan.width * (e->r->terms.count > 0 ? e->r->terms.count : 1);
  return each > 0 && each < TSR__REDUCE_TASK ? TSR__REDUCE_TASK / each : 1;
}

/* Pieces and what workers need; returns the bytes of all of it. */
static size_t divide(engine *e, int workers) {
  const size_t outputs = sizeof(tsr__reduce_cell) * (size_t)e->plan.kept.size;
  e->pieces = e->plan.piece > 0 ? (e->r->terms.count - 1) / e->plan.piece + 1 : 0;
  e->room = e->pieces > 0 ? tsr__align_up(outputs * (size_t)(e->pieces + 2), TSR_DATA_ALIGN) : 0;
  if (TSR__REDUCE_FAST && e->plan.few)
    tsr__reduce_short_memory(e);
  else if (TSR__REDUCE_FAST && e->plan.columns)
    tsr__reduce_columns_memory(e, e->pieces > 0 ? e->plan.piece : e->r->terms.count);
  else
    e->bytes = tsr__source_use_slabs(&e->source);
  return e->room + e->bytes * (size_t)workers;
}

size_t tsr__reduce_prepare(const tsr_ctx *ctx, const tsr__reduce *r, const tsr_tensor *out, engine *e) {
  e->r = r;
  e->small = TSR__REDUCE_FAST && is_small(r, out) ? out : NULL;
  if (e->small != NULL) return 0;
  const int workers = TSR_HAVE_THREADS ? tsr__parallel(ctx)->max_workers : 1;
  bool any_order = true;
  for (int i = 0; i < r->passes; i++) any_order = any_order && r->pass[i].kernel->any_order;
  tsr__reduce_plan_init(&e->plan, r, out, any_order, has_row_way(r), workers);
  e->source = tsr__source_of(ctx, &e->plan.reduced, r->x->dtype, r->compute);
  e->source.unordered = any_order;
  e->source.produced = r->produced;
  e->source.origin = r->x->data;
  return e->plan.tasks > 0 ? divide(e, workers) : 0;
}

void tsr__reduce_execute(const tsr_ctx *ctx, engine *e, void *memory) {
  if (e->small != NULL) {
    run_small(e->r, e->small);
    return;
  }
  if (e->plan.tasks == 0) return;
  e->memory = (char *)memory + e->room;
  if (e->pieces > 0)
    run_in_pieces(ctx, e, memory);
  else
    tsr__parallel_for(ctx, e->plan.tasks, grain_of(e), run_tiles, e);
}

size_t tsr__reduce_bytes(const tsr_ctx *ctx, const tsr__reduce *r, const tsr_tensor *out) {
  engine e;
  return tsr__reduce_prepare(ctx, r, out, &e);
}

void tsr__reduce_into(const tsr_ctx *ctx, const tsr__reduce *r, const tsr_tensor *out, void *memory) {
  engine e;
  tsr__reduce_prepare(ctx, r, out, &e);
  tsr__reduce_execute(ctx, &e, memory);
}
