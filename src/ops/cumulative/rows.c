/* By rows: along the axis, a chunk after another; chunks of few long rows on threads. */
#include "cpu/parallel.h"
#include "ops/cumulative/engine.h"
#include "ops/reduce/reduce.h"

#include <string.h>

/* Values at a time, where elements are not read or written as they lie; a multiple of a run. */
enum { BUFFER = TSR_HAVE_MALLOC ? 256 : 16, CHUNK = TSR__CUMULATIVE_CHUNK };

/* n elements, at most a chunk; base is what comes before, *sum grows from nothing. to NULL: nothing but that. */
static void run_chunk(const tsr__cumulative *c, tsr_index n, const char *x, const void *base, void *sum, char *to) {
  const bool read = c->no_alias && c->in_step == c->item && tsr__reduce_reads(c->compute, c->in_dtype);
  const bool write = to == NULL || (c->out_step == c->item && tsr__reduce_reads(c->compute, c->out_dtype));
  tsr__cumulative_cell in[BUFFER], out[BUFFER];
  c->kernel->start(1, sum);
  if (read && write) {
    c->kernel->row(n, x, base, sum, to);
    return;
  }
  for (tsr_index i = 0; i < n; i += BUFFER) {
    const tsr_index count = n - i < BUFFER ? n - i : BUFFER;
    const char *const from = x + c->in_step * (ptrdiff_t)i;
    char *const at = to == NULL ? NULL : to + c->out_step * (ptrdiff_t)i;
    if (!read) tsr__cumulative_fetch(c, count, from, c->in_step, (char *)in);
    c->kernel->row(count, read ? (const void *)from : in, base, sum, write ? at : (char *)out);
    if (!write) tsr__cumulative_store(c, count, (const char *)out, at, c->out_step);
  }
}

/* ---- one task a row ---- */

static void run_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const tsr__cumulative *const c = arg;
  (void)worker;
  for (tsr_index row = begin; row < end; row++) {
    const char *x;
    char *out;
    tsr__cumulative_cell base, sum;
    tsr__cumulative_at(c, 0, row, &x, &out);
    c->kernel->start(1, &base);
    for (tsr_index i = 0; i < c->length; i += CHUNK) {
      run_chunk(c, c->length - i < CHUNK ? c->length - i : CHUNK, x + c->in_step * (ptrdiff_t)i, &base, &sum,
                out + c->out_step * (ptrdiff_t)i);
      c->kernel->merge(1, &base, &sum);
    }
  }
}

/* ---- one task a chunk: totals first, then what comes before each, then the elements ---- */

typedef struct pass {
  const tsr__cumulative *c;
  bool totals;
} pass;

static void run_chunks(void *arg, tsr_index begin, tsr_index end, int worker) {
  const pass *const p = arg;
  const tsr__cumulative *const c = p->c;
  tsr__cumulative_cell *const cells = (tsr__cumulative_cell *)(void *)c->memory;
  (void)worker;
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index first = task % c->chunks * CHUNK, left = c->length - first;
    const char *x;
    char *out;
    tsr__cumulative_cell sum;
    tsr__cumulative_at(c, 0, task / c->chunks, &x, &out);
    out += c->out_step * (ptrdiff_t)first;
    run_chunk(c, left < CHUNK ? left : CHUNK, x + c->in_step * (ptrdiff_t)first, &cells[task], &sum,
              p->totals ? NULL : out);
    if (p->totals) cells[task] = sum;
  }
}

/* Every chunk's total becomes what comes before it. */
static void accumulate(const tsr__cumulative *c) {
  tsr__cumulative_cell *cell = (tsr__cumulative_cell *)(void *)c->memory;
  for (tsr_index row = 0; row < c->kept.size; row++) {
    tsr__cumulative_cell base, total;
    c->kernel->start(1, &base);
    for (tsr_index i = 0; i < c->chunks; i++, cell++) {
      total = *cell;
      *cell = base;
      c->kernel->merge(1, &base, &total);
    }
  }
}

static void run_in_chunks(const tsr_ctx *ctx, const tsr__cumulative *c) {
  tsr__cumulative_cell *const cells = (tsr__cumulative_cell *)(void *)c->memory;
  const tsr_index tasks = c->kept.size * c->chunks;
  pass p = {c, true};
  for (tsr_index i = 0; i < tasks; i++) cells[i] = (tsr__cumulative_cell){0};
  tsr__parallel_for(ctx, tasks, 1, run_chunks, &p);
  accumulate(c);
  p.totals = false;
  tsr__parallel_for(ctx, tasks, 1, run_chunks, &p);
}

size_t tsr__cumulative_plan_rows(tsr__cumulative *c, int workers) {
  const tsr_index chunks = (c->length - 1) / CHUNK + 1;
  if (TSR__CUMULATIVE_FAST && workers > 1 && c->kept.size < workers && chunks > 2) c->chunks = chunks;
  return sizeof(tsr__cumulative_cell) * (size_t)(c->kept.size * c->chunks);
}

void tsr__cumulative_rows(const tsr_ctx *ctx, tsr__cumulative *c) {
  if (c->chunks > 0)
    run_in_chunks(ctx, c);
  else
    tsr__parallel_for(ctx, c->kept.size, 1 + 32768 / c->length, run_rows, c);
}
