/* By columns: rows side by side go forward together, so that memory is read as it lies. Where x or the output lies the
 * other way, some elements of some rows are transposed at a time; so are rows of few elements, which cost more to begin than
 * to add. The additions are those of the rows. */
#include "cpu/parallel.h"
#include "cpu/touch.h"
#include "ops/cast/convert.h"
#include "ops/cumulative/engine.h"
#include "ops/reduce/reduce.h"

#include <string.h>

enum { FUSED = TSR__CUMULATIVE_FUSED, RUN = TSR__CUMULATIVE_RUN, CHUNK = TSR__CUMULATIVE_CHUNK, WIDEST = 2048 };

/* Elements along the axis that are transposed at a time, where x or the output lies the other way; and of a tile then: what
 * is transposed stays in the first caches. */
enum { GROUP = 64, TRANSPOSED = 1024 };

/* The rows of a worker: chunks before, runs before, both, the run so far; then copies of elements, and of results, and
 * what is converted before it is transposed. */
enum { BASE, SUM, BEFORE, RUNNING, ROWS };

typedef struct tile {
  const tsr__cumulative *c;
  tsr_index width;
  const char *x;
  char *out;
  char *memory;
  bool read, write; /* elements are read and written where they lie */
} tile;

/* Some elements of a tile: element r of all of them is a row, step bytes from the one before. */
typedef struct rows {
  char *at;
  ptrdiff_t step;
} rows;

static char *row_of(const tile *t, int number) {
  return t->memory + (size_t)number * (size_t)t->c->item * (size_t)t->c->width;
}

static tsr_index group_of(const tsr__cumulative *c) {
  const tsr_index length = (c->length + FUSED - 1) / FUSED * FUSED;
  return length < GROUP ? length : GROUP;
}

/* From one row of a group to the next: no power of two, whose rows would fall into the same places of a cache. */
static ptrdiff_t group_step(const tsr__cumulative *c) { return (ptrdiff_t)c->width * c->item + TSR_DATA_ALIGN; }

static size_t group_bytes(const tsr__cumulative *c) { return (size_t)group_step(c) * (size_t)group_of(c); }

/* Room for a group: 0 of elements, 1 of results, 2 of what is converted. */
static char *room_of(const tile *t, int number) { return row_of(t, ROWS) + group_bytes(t->c) * (size_t)number; }

/* n rows that are contiguous along the axis, one after another at to: elements of x converted, or results. */
static void convert_lines(const tile *t, tsr_index n, int from_dtype, const char *from, ptrdiff_t from_step,
                          int to_dtype, char *to, ptrdiff_t to_step) {
  const ptrdiff_t from_item = tsr__item_sizes[from_dtype], to_item = tsr__item_sizes[to_dtype];
  const bool dense = from_step == (ptrdiff_t)n * from_item && to_step == (ptrdiff_t)n * to_item;
  const tsr_index lines = dense ? 1 : t->width, each = dense ? n * t->width : n;
  for (tsr_index j = 0; j < lines; j++)
    tsr__convert_row(t->c->isa, from_dtype, to_dtype, each, from + (ptrdiff_t)j * from_step, from_item,
                     to + (ptrdiff_t)j * to_step, to_item);
}

/* Elements first … first + n - 1 of the tile. */
static rows fetch_group(const tile *t, tsr_index first, tsr_index n) {
  const tsr__cumulative *const c = t->c;
  const ptrdiff_t kept = c->kept.step[0][0], size = tsr__item_sizes[c->in_dtype];
  const rows group = {room_of(t, 0), group_step(c)};
  const char *x = t->x + c->in_step * (ptrdiff_t)first;
  ptrdiff_t line = kept;
  if (kept == size || c->in_step != size) {
    for (tsr_index r = 0; r < n; r++)
      tsr__cumulative_fetch(c, t->width, x + c->in_step * (ptrdiff_t)r, kept, group.at + group.step * (ptrdiff_t)r);
    return group;
  }
  if (kept == (ptrdiff_t)n * size) tsr__touch_rows(x, (size_t)t->width, (size_t)kept);
  if (!tsr__reduce_reads(c->compute, c->in_dtype)) {
    line = (ptrdiff_t)n * c->item;
    convert_lines(t, n, c->in_dtype, x, kept, c->compute, room_of(t, 2), line);
    x = room_of(t, 2);
  }
  c->move->transpose(
      &(tsr__block){x, group.at, {t->width, n}, {line, c->item}, {c->item, group.step}, (size_t)c->item, false, NULL});
  return group;
}

/* The results of the same elements, which room 1 has, to the output. */
static void store_group(const tile *t, tsr_index first, tsr_index n) {
  const tsr__cumulative *const c = t->c;
  const ptrdiff_t kept = c->kept.step[1][0], size = tsr__item_sizes[c->out_dtype], step = group_step(c);
  const char *const results = room_of(t, 1);
  char *const out = t->out + c->out_step * (ptrdiff_t)first;
  if (kept == size || c->out_step != size) {
    for (tsr_index r = 0; r < n; r++)
      tsr__cumulative_store(c, t->width, results + step * (ptrdiff_t)r, out + c->out_step * (ptrdiff_t)r, kept);
    return;
  }
  const bool same = tsr__reduce_reads(c->compute, c->out_dtype);
  const ptrdiff_t line = same ? kept : (ptrdiff_t)n * c->item;
  char *const to = same ? out : room_of(t, 2);
  c->move->transpose(
      &(tsr__block){results, to, {n, t->width}, {step, c->item}, {c->item, line}, (size_t)c->item, false, NULL});
  if (!same) convert_lines(t, n, c->compute, to, line, c->out_dtype, out, kept);
}

/* Rows first … first + count - 1 of a group. */
static void run_some(const tile *t, rows in, rows out, tsr_index first, int count) {
  const char *x[FUSED];
  char *to[FUSED];
  for (int k = 0; k < count; k++) {
    x[k] = in.at + in.step * (ptrdiff_t)(first + k);
    to[k] = out.at + out.step * (ptrdiff_t)(first + k);
  }
  t->c->kernel->rows(t->width, count, x, row_of(t, RUNNING), row_of(t, BEFORE), to);
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

/* Elements first … first + n - 1; n is no more than a group where they are transposed. */
static void run_group(const tile *t, tsr_index first, tsr_index n) {
  const tsr__cumulative *const c = t->c;
  rows in = {(char *)(uintptr_t)t->x + c->in_step * (ptrdiff_t)first, c->in_step};
  rows out = {t->out + c->out_step * (ptrdiff_t)first, c->out_step};
  if (!t->read) in = fetch_group(t, first, n);
  if (!t->write) out = (rows){room_of(t, 1), group_step(c)};
  for (tsr_index r = 0; r < n; r += FUSED) {
    const tsr_index end = first + r + FUSED;
    run_some(t, in, out, r, n - r < FUSED ? (int)(n - r) : FUSED);
    if (end % RUN == 0 && end < c->length) end_run(t, end % CHUNK == 0);
  }
  if (!t->write) store_group(t, first, n);
}

static void run_tile(const tile *t) {
  const tsr_index length = t->c->length, most = t->read && t->write ? length : GROUP;
  for (int i = BASE; i <= RUNNING; i++) t->c->kernel->start(t->width, row_of(t, i));
  for (tsr_index r = 0; r < length; r += most) run_group(t, r, length - r < most ? length - r : most);
}

/* Whether rows of x, and of the output, are used where they lie. */
static bool reads(const tsr__cumulative *c) {
  return c->no_alias && c->kept.step[0][0] == c->item && tsr__reduce_reads(c->compute, c->in_dtype);
}
static bool writes(const tsr__cumulative *c) {
  return c->kept.step[1][0] == c->item && tsr__reduce_reads(c->compute, c->out_dtype);
}

static void run_tiles(void *arg, tsr_index begin, tsr_index end, int worker) {
  const tsr__cumulative *const c = arg;
  tile t = {.c = c, .memory = c->memory + c->bytes * (size_t)worker, .read = reads(c), .write = writes(c)};
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index first = task % c->tiles * c->width, left = c->kept.length[0] - first;
    tsr__cumulative_at(c, 1, task / c->tiles, &t.x, &t.out);
    t.x += c->kept.step[0][0] * (ptrdiff_t)first;
    t.out += c->kept.step[1][0] * (ptrdiff_t)first;
    t.width = left < c->width ? left : c->width;
    run_tile(&t);
  }
}

/* Elements of a tile that is transposed, side by side: whole vectors of them. */
static tsr_index tile_of(const tsr__cumulative *c) {
  const tsr_index line = (tsr_index)(64 / c->item), most = TRANSPOSED / group_of(c) / line * line;
  return most > line ? most : line;
}

/* Tiles as wide as the caches like, but enough of them for all workers. */
static void cut(tsr__cumulative *c, int workers) {
  const tsr_index length = c->kept.length[0], others = c->kept.size / length;
  const tsr_index most = reads(c) && writes(c) ? WIDEST : tile_of(c);
  c->width = length < most ? length : most;
  while (c->width > 128 && others * (length / c->width) < 2 * (tsr_index)workers && workers > 1) c->width /= 2;
  c->tiles = (length - 1) / c->width + 1;
}

size_t tsr__cumulative_plan_columns(tsr__cumulative *c, int workers) {
  cut(c, workers);
  const size_t rooms = reads(c) && writes(c) ? 0 : 3;
  c->bytes = tsr__align_up((size_t)c->item * (size_t)c->width * ROWS + rooms * group_bytes(c), TSR_DATA_ALIGN);
  return c->bytes * (size_t)workers;
}

void tsr__cumulative_columns(const tsr_ctx *ctx, tsr__cumulative *c) {
  const tsr_index each = c->width * c->length;
  tsr__parallel_for(ctx, c->kept.size / c->kept.length[0] * c->tiles, 1 + 32768 / each, run_tiles, c);
}
