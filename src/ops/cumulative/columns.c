/* By columns: rows side by side go forward together, so that memory is read as it lies. The additions are those of
 * the rows. */
#include "cpu/parallel.h"
#include "ops/cumulative/engine.h"
#include "ops/reduce/reduce.h"

#include <string.h>

enum { FUSED = TSR__CUMULATIVE_FUSED, RUN = TSR__CUMULATIVE_RUN, CHUNK = TSR__CUMULATIVE_CHUNK, WIDEST = 2048 };

/* The rows of a worker: chunks before, runs before, both, the run so far; copies of elements, and of results. */
enum { BASE, SUM, BEFORE, RUNNING, IN, OUT = IN + FUSED, ROWS = OUT + FUSED };

typedef struct tile {
  const tsr__cumulative *c;
  tsr_index width;
  const char *x;
  char *out;
  char *memory;
  bool read, write; /* elements are read and written where they lie */
} tile;

static char *row_of(const tile *t, int number) {
  return t->memory + (size_t)number * (size_t)t->c->item * (size_t)t->c->width;
}

/* Rows first … first + count - 1. */
static void run_some(const tile *t, tsr_index first, int count) {
  const tsr__cumulative *const c = t->c;
  const char *x[FUSED];
  char *out[FUSED];
  for (int k = 0; k < count; k++) {
    x[k] = t->x + c->in_step * (ptrdiff_t)(first + k);
    out[k] = t->write ? t->out + c->out_step * (ptrdiff_t)(first + k) : row_of(t, OUT + k);
    if (t->read) continue;
    tsr__cumulative_fetch(c, t->width, x[k], c->kept.step[0][0], row_of(t, IN + k));
    x[k] = row_of(t, IN + k);
  }
  c->kernel->rows(t->width, count, x, row_of(t, RUNNING), row_of(t, BEFORE), out);
  for (int k = 0; k < count && !t->write; k++)
    tsr__cumulative_store(c, t->width, out[k], t->out + c->out_step * (ptrdiff_t)(first + k), c->kept.step[1][0]);
}

/* After the last row of a run. */
static void end_run(const tile *t, bool chunk) {
  const tsr__cumulative_kernel *const kernel = t->c->kernel;
  const size_t bytes = (size_t)t->c->item * (size_t)t->width;
  kernel->merge(t->width, row_of(t, SUM), row_of(t, RUNNING));
  kernel->start(t->width, row_of(t, RUNNING));
  if (chunk) {
    kernel->merge(t->width, row_of(t, BASE), row_of(t, SUM));
    kernel->start(t->width, row_of(t, SUM));
  }
  memcpy(row_of(t, BEFORE), row_of(t, BASE), bytes);
  kernel->merge(t->width, row_of(t, BEFORE), row_of(t, SUM));
}

static void run_tile(const tile *t) {
  const tsr_index length = t->c->length;
  for (int i = BASE; i <= RUNNING; i++) t->c->kernel->start(t->width, row_of(t, i));
  for (tsr_index r = 0; r < length; r += FUSED) {
    run_some(t, r, length - r < FUSED ? (int)(length - r) : FUSED);
    if ((r + FUSED) % RUN == 0) end_run(t, (r + FUSED) % CHUNK == 0);
  }
}

static void run_tiles(void *arg, tsr_index begin, tsr_index end, int worker) {
  const tsr__cumulative *const c = arg;
  tile t = {.c = c, .memory = c->memory + c->bytes * (size_t)worker};
  t.read = c->no_alias && c->kept.step[0][0] == c->item && tsr__reduce_reads(c->compute, c->in_dtype);
  t.write = c->kept.step[1][0] == c->item && tsr__reduce_reads(c->compute, c->out_dtype);
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index first = task % c->tiles * c->width, left = c->kept.length[0] - first;
    tsr__cumulative_at(c, 1, task / c->tiles, &t.x, &t.out);
    t.x += c->kept.step[0][0] * (ptrdiff_t)first;
    t.out += c->kept.step[1][0] * (ptrdiff_t)first;
    t.width = left < c->width ? left : c->width;
    run_tile(&t);
  }
}

/* Tiles as wide as the caches like, but enough of them for all workers. */
static void cut(tsr__cumulative *c, int workers) {
  const tsr_index length = c->kept.length[0], others = c->kept.size / length;
  c->width = length < WIDEST ? length : WIDEST;
  while (c->width > 128 && others * (length / c->width) < 2 * (tsr_index)workers && workers > 1) c->width /= 2;
  c->tiles = (length - 1) / c->width + 1;
}

size_t tsr__cumulative_plan_columns(tsr__cumulative *c, int workers) {
  cut(c, workers);
  c->bytes = tsr__align_up((size_t)c->item * (size_t)c->width * ROWS, TSR_DATA_ALIGN);
  return c->bytes * (size_t)workers;
}

void tsr__cumulative_columns(const tsr_ctx *ctx, tsr__cumulative *c) {
  const tsr_index each = c->width * c->length;
  tsr__parallel_for(ctx, c->kept.size / c->kept.length[0] * c->tiles, 1 + 32768 / each, run_tiles, c);
}
