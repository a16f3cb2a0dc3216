/* The search for extremes: tiles of outputs, on the context's threads. */
#include "ops/reduce/arg.h"

#include "cpu/parallel.h"
#include "ops/cast/convert.h"
#include "ops/reduce/ops.h"
#include "ops/reduce/source.h"

#include <string.h>

typedef union element {
  int64_t i;
  float f;
#if TSR_HAVE_F64
  double d;
#endif
} element;

typedef struct engine {
  const tsr__arg_kernel *kernel;
  tsr_index count; /* elements of an output */
  tsr__reduce_plan plan;
  tsr__source source;
  char *memory; /* of all workers: what columns need, or the slabs of rows */
  size_t bytes, row;
  char *partial;            /* the best of the pieces of a long search, for all outputs: values, then indices */
  size_t piece_bytes, room; /* of one, and of all */
  tsr_index pieces, piece;
} engine;

/* ---- by rows ---- */

static int64_t search_output(const engine *e, tsr__reader *reader, tsr_index first, tsr_index end, element *best) {
  tsr_index count, at = first;
  for (tsr_index r = first; r < end; r += count) {
    const void *const row = tsr__reader_next(reader, r, end - r < TSR__ARG_SPAN ? end - r : TSR__ARG_SPAN, &count);
    const tsr_index place = e->kernel->row(count, row, r == first, best);
    if (place >= 0) at = r + place;
  }
  return (int64_t)at;
}

static void search_by_rows(const engine *e, const tsr__reduce_tile *tile, tsr_index first, tsr_index end, char *values,
                           int64_t *index, int worker) {
  tsr__reader reader;
  for (tsr_index j = 0; j < tile->width; j++) {
    element best;
    tsr__reader_init(&reader, &e->source, tile->x + (ptrdiff_t)j * e->plan.kept.step[0][0],
                     e->memory + e->bytes * (size_t)worker, worker);
    index[j] = search_output(e, &reader, first, end, &best);
    if (values != NULL) memcpy(values + (ptrdiff_t)j * e->source.item, &best, (size_t)e->source.item);
  }
}

/* ---- by columns ---- */

/* The rows of a worker: elements to convert to, the best of a block and their places, the best of all and their
 * indices. */
enum { BLOCK_BEST = TSR__ARG_ROWS, BLOCK_PLACE, BEST, INDEX, ROWS };

static char *worker_row(const engine *e, int worker, int number) {
  return e->memory + e->bytes * (size_t)worker + e->row * (size_t)number;
}

static const char *fetch(const engine *e, const tsr__reduce_tile *tile, tsr_index r, char *copy) {
  const ptrdiff_t step = e->plan.kept.step[0][0];
  const char *const at = tsr__source_at(&e->source, tile->x, r);
  if (e->source.same && step == e->source.item) return at;
  tsr__source_copy(&e->source, tile->width, at, step, copy);
  return copy;
}

/* The best of the rows first … end - 1, at most TSR__ARG_BLOCK of them. */
static void search_block(const engine *e, const tsr__reduce_tile *tile, tsr_index first, tsr_index end, int worker) {
  char *const best = worker_row(e, worker, BLOCK_BEST), *const place = worker_row(e, worker, BLOCK_PLACE);
  tsr_index r = first + 1;
  e->kernel->first(tile->width, fetch(e, tile, first, worker_row(e, worker, 0)), best, place);
  for (; r + TSR__ARG_ROWS <= end; r += TSR__ARG_ROWS) {
    const char *rows[TSR__ARG_ROWS];
    for (int k = 0; k < TSR__ARG_ROWS; k++) rows[k] = fetch(e, tile, r + k, worker_row(e, worker, k));
    e->kernel->rows(tile->width, rows, (int)(r - first), best, place);
  }
  for (; r < end; r++)
    e->kernel->one(tile->width, fetch(e, tile, r, worker_row(e, worker, 0)), (int)(r - first), best, place);
}

enum { FEWEST_ROWS = 3 }; /* that are worth a call of the kernel for more */

/* width outputs of few elements from at on, side by side whatever their strides. */
static void search_chunk(const engine *e, tsr_index width, const char *at, int64_t *index, int worker) {
  char *const best = worker_row(e, worker, BLOCK_BEST), *const place = worker_row(e, worker, BLOCK_PLACE);
  ptrdiff_t step;
  const char *const x =
      tsr__source_beside(&e->source, width, at, e->plan.kept.step[0][0], worker_row(e, worker, ROWS), &step);
  tsr_index r = 1;
  e->kernel->first(width, x, best, place);
  for (; r + FEWEST_ROWS <= e->count; r += TSR__ARG_ROWS) {
    const char *rows[TSR__ARG_ROWS];
    for (tsr_index k = 0; k < TSR__ARG_ROWS; k++) /* the last one again does not beat itself */
      rows[k] = x + (ptrdiff_t)(r + k < e->count ? r + k : e->count - 1) * step;
    e->kernel->rows(width, rows, (int)r, best, place);
  }
  for (; r < e->count; r++) e->kernel->one(width, x + (ptrdiff_t)r * step, (int)r, best, place);
  e->kernel->absorb(width, best, place, 0, true, worker_row(e, worker, BEST), index);
}

static tsr_index chunk_of(const engine *e) {
  return tsr__source_beside_width(&e->source, e->plan.kept.step[0][0], e->plan.width);
}

static void search_few(const engine *e, const tsr__reduce_tile *tile, int64_t *index, int worker) {
  const tsr_index most = chunk_of(e);
  for (tsr_index j = 0; j < tile->width; j += most)
    search_chunk(e, tile->width - j < most ? tile->width - j : most, tile->x + (ptrdiff_t)j * e->plan.kept.step[0][0],
                 index + j, worker);
}

static void search_by_columns(const engine *e, const tsr__reduce_tile *tile, tsr_index first, tsr_index end,
                              char *values, int64_t *index, int worker) {
  const tsr_index begin = first;
  for (; first < end; first += TSR__ARG_BLOCK) {
    search_block(e, tile, first, end - first < TSR__ARG_BLOCK ? end : first + TSR__ARG_BLOCK, worker);
    e->kernel->absorb(tile->width, worker_row(e, worker, BLOCK_BEST), worker_row(e, worker, BLOCK_PLACE),
                      (int64_t)first, first == begin, values, index);
  }
}

/* ---- one task a tile ---- */

static void store(const engine *e, const tsr__reduce_tile *tile, const int64_t *index) {
  const ptrdiff_t size = (ptrdiff_t)sizeof *index, step = e->plan.kept.step[1][0];
  if (TSR__ARG_INDEX_DTYPE == TSR_I64)
    tsr__move_row((size_t)size, tile->width, (const char *)index, size, tile->out, step);
  else
    tsr__convert_row(e->source.isa, TSR_I64, TSR__ARG_INDEX_DTYPE, tile->width, (const char *)index, size, tile->out,
                     step);
}

/* Where indices go: by columns a row of the worker's, else room. */
static int64_t *indices_of(const engine *e, int worker, int64_t *room) {
  return TSR__REDUCE_FAST && e->plan.columns ? (int64_t *)(void *)worker_row(e, worker, INDEX) : room;
}

static void run_tiles(void *arg, tsr_index begin, tsr_index end, int worker) {
  const engine *const e = arg;
  const bool columns = TSR__REDUCE_FAST && e->plan.columns;
  int64_t room[TSR__REDUCE_ROW_TILE];
  for (tsr_index task = begin; task < end; task++) {
    const tsr__reduce_tile tile = tsr__reduce_tile_at(&e->plan, task);
    int64_t *const index = indices_of(e, worker, room);
    if (TSR__REDUCE_FAST && e->plan.few)
      search_few(e, &tile, index, worker);
    else if (columns)
      search_by_columns(e, &tile, 0, e->count, worker_row(e, worker, BEST), index, worker);
    else
      search_by_rows(e, &tile, 0, e->count, NULL, index, worker);
    store(e, &tile, index);
  }
}

/* ---- few outputs of many elements: one task a piece ---- */

static char *piece_values(const engine *e, tsr_index piece) { return e->partial + e->piece_bytes * (size_t)piece; }
static int64_t *piece_index(const engine *e, tsr_index piece) {
  return (int64_t *)(void *)(piece_values(e, piece) + sizeof(element) * (size_t)e->plan.kept.size);
}

static void run_pieces(void *arg, tsr_index begin, tsr_index end, int worker) {
  const engine *const e = arg;
  const bool columns = TSR__REDUCE_FAST && e->plan.columns;
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index piece = task / e->plan.tasks, first = piece * e->piece;
    const tsr_index stop = e->count - first < e->piece ? e->count : first + e->piece;
    const tsr__reduce_tile tile = tsr__reduce_tile_at(&e->plan, task % e->plan.tasks);
    char *const values = piece_values(e, piece) + e->source.item * (ptrdiff_t)tile.first;
    int64_t *const index = piece_index(e, piece) + tile.first;
    if (columns)
      search_by_columns(e, &tile, first, stop, values, index, worker);
    else
      search_by_rows(e, &tile, first, stop, values, index, worker);
  }
}

/* The first of the best: pieces in order, and only what beats the earlier ones replaces them. */
static void merge_pieces(const engine *e) {
  const size_t item = (size_t)e->source.item;
  for (tsr_index j = 0; j < e->plan.kept.size; j++) {
    char *const best = piece_values(e, 0) + item * (size_t)j;
    for (tsr_index piece = 1; piece < e->pieces; piece++) {
      const char *const later = piece_values(e, piece) + item * (size_t)j;
      if (!e->kernel->beats(later, best)) continue;
      memcpy(best, later, item);
      piece_index(e, 0)[j] = piece_index(e, piece)[j];
    }
  }
}

static void run_in_pieces(const tsr_ctx *ctx, engine *e) {
  tsr__parallel_for(ctx, e->pieces * e->plan.tasks, 1, run_pieces, e);
  merge_pieces(e);
  for (tsr_index task = 0; task < e->plan.tasks; task++) {
    const tsr__reduce_tile tile = tsr__reduce_tile_at(&e->plan, task);
    store(e, &tile, piece_index(e, 0) + tile.first);
  }
}

/* ---- the run ---- */

/* Returns the temporary bytes that run_search needs. e stays where it is. */
static size_t prepare_search(const tsr_ctx *ctx, const tsr__reduce *r, const tsr_tensor *out, engine *e) {
  const int workers = TSR_HAVE_THREADS ? tsr__parallel(ctx)->max_workers : 1;
  *e = (engine){.count = r->terms.count};
  tsr__reduce_plan_init(&e->plan, r, out, false, false, workers);
  e->source = tsr__source_of(ctx, &e->plan.reduced, r->x->dtype, r->compute);
  if (e->plan.tasks == 0) return 0;
  e->piece = e->plan.piece;
  if (e->piece > 0) e->pieces = (e->count - 1) / e->piece + 1;
  e->piece_bytes = tsr__align_up(2 * sizeof(element) * (size_t)e->plan.kept.size, TSR_DATA_ALIGN);
  e->room = e->piece_bytes * (size_t)e->pieces;
  e->row = tsr__align_up(sizeof(element) * (size_t)e->plan.width, TSR_DATA_ALIGN);
  e->bytes = e->plan.columns ? e->row * ROWS : tsr__source_use_slabs(&e->source);
  if (TSR__REDUCE_FAST && e->plan.few) e->bytes += tsr__source_beside_bytes(&e->source, chunk_of(e));
  return e->room + e->bytes * (size_t)workers;
}

static void run_search(const tsr_ctx *ctx, const tsr__arg_op *op, int compute, engine *e, void *memory) {
  const tsr_index each = e->plan.width * e->count;
  if (e->plan.tasks == 0) return;
  e->kernel = op->tables[tsr__isa_of(ctx)][compute];
  e->partial = memory;
  e->memory = (char *)memory + e->room;
  if (e->piece > 0)
    run_in_pieces(ctx, e);
  else
    tsr__parallel_for(ctx, e->plan.tasks, each < TSR__REDUCE_TASK ? TSR__REDUCE_TASK / each : 1, run_tiles, e);
}

size_t tsr__arg_bytes(const tsr_ctx *ctx, const tsr__reduce *r, const tsr_tensor *out) {
  engine e;
  return prepare_search(ctx, r, out, &e);
}

void tsr__arg_into(const tsr_ctx *ctx, const tsr__arg_op *op, const tsr__reduce *r, const tsr_tensor *out,
                   void *memory) {
  engine e;
  prepare_search(ctx, r, out, &e);
  run_search(ctx, op, r->compute, &e, memory);
}

/* Integers of up to 16 bits are searched as i32. */
static int compute_dtype(int dtype) {
  const int compute = tsr__reduce_compute(dtype);
  return tsr_dtype_size(compute) < 4 ? TSR_I32 : compute;
}

tsr_status tsr__arg_begin(tsr__call *call, int axis, bool keepdims, tsr__reduce *r) {
  tsr_status st = tsr__reduce_begin_axis(call->ctx, call->op, call->in[0], axis, keepdims, r);
  if (st == TSR_OK) st = tsr__reduce_check_real(call->ctx, r);
  if (st == TSR_OK) st = tsr__reduce_check_some(call->ctx, r);
  if (st != TSR_OK) return st;
  r->compute = compute_dtype(r->x->dtype);
  r->out_dtype = TSR__ARG_INDEX_DTYPE;
  return TSR_OK;
}

tsr_status tsr__arg_call(tsr__call *call, const tsr__arg_op *op, const tsr__reduce *r) {
  tsr__reduce_frame frame;
  engine e;
  void *memory;
  tsr_status st = tsr__reduce_output(call, r, &frame);
  if (st == TSR_OK) st = tsr__call_scratch(call, prepare_search(call->ctx, &frame.r, call->out[0], &e), &memory);
  if (st == TSR_OK) st = tsr__reduce_start(call, r, &frame);
  if (st == TSR_OK) run_search(call->ctx, op, r->compute, &e, memory);
  return st;
}

tsr_status tsr__arg(tsr__call *call) {
  const tsr__argmin_attrs *const attrs = call->attrs;
  tsr__reduce r;
  const tsr_status st = tsr__arg_begin(call, attrs->axis, attrs->keepdims, &r);
  return st == TSR_OK ? tsr__arg_call(call, call->info->kernels, &r) : st;
}
