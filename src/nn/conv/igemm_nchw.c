/* Channels first: a product whose rows are filters and whose columns are pixels, gathered into a panel. */
#include "cpu/parallel.h"
#include "nn/conv/algorithm.h"
#include "nn/conv/columns.h"
#include "nn/conv/work.h"

#include <string.h>

#if TSR__CONV_FAST

enum { ROWS = 48 }; /* of a call: whole tiles of 6 and of 8 */

typedef struct igemm {
  const tsr__conv *c;
  const tsr__conv_data *d;
  const tsr__conv_tiles *tiles;
  tsr__conv_columns columns; /* the pixels of an image */
  tsr_index splits;          /* tasks that share the filters of a panel */
} igemm;

/* The pixels of a panel as runs along the rows of x. */
static void find_runs(const igemm *f, const tsr__conv_panel *panel, tsr__conv_gather *g) {
  const tsr__conv *const c = f->c;
  const tsr_index row = c->sh * f->d->xs[2], end = panel->first + panel->count;
  for (tsr_index at = panel->first; at < end;) {
    const tsr_index y = at / c->ow, x = at % c->ow, count = tsr__conv_min(c->ow - x, end - at);
    const tsr_index start = y * row + x * c->sw, last = g->runs - 1;
    if (last >= 0 && start == g->start[last] + g->count[last] * c->sw) {
      g->count[last] += (int)count;
    } else {
      g->start[g->runs] = start;
      g->count[g->runs++] = (int)count;
    }
    at += count;
  }
}

/* What a filter meets, from its first element on: (i, kh, kw). */
static void set_offsets(const tsr__conv *c, const tsr__conv_data *d, tsr_index *offset) {
  for (tsr_index i = 0; i < c->i; i++)
    for (tsr_index ky = 0; ky < c->kh; ky++)
      for (tsr_index kx = 0; kx < c->kw; kx++) *offset++ = i * d->xs[1] + ky * c->dh * d->xs[2] + kx * c->dw;
}

/* Filters first ≤ o < end with a panel. */
static void run_rows(const igemm *f, const tsr__conv_panel *panel, const float *gathered, tsr_index first,
                     tsr_index end, float *out) {
  const tsr__conv_data *const d = f->d;
  const tsr_index k = f->c->i * f->c->kh * f->c->kw, none = 0;
  const float *a[ROWS];
  float *o[ROWS];
  tsr__conv_tile tile = {.a = a,
                         .out = o,
                         .offset = &none,
                         .taps = 1,
                         .length = k,
                         .panel = gathered,
                         .vectors = panel->vectors,
                         .limits = d->limits,
                         .columns = panel->count};
  for (tsr_index row = first; row < end; row += tile.rows) {
    tile.rows = (int)tsr__conv_min(end - row, ROWS);
    tile.bias_row = d->panels + f->c->o * k + row;
    for (int r = 0; r < tile.rows; r++) {
      a[r] = d->panels + (row + r) * k;
      o[r] = out + (row + r) * d->os[1] + panel->first;
    }
    f->tiles->run(&tile);
  }
}

/* Columns past the last pixel go through the tiles with the rest of their vector, and are not stored. They are zero, not what
 * the memory held before, which might be slow numbers. */
static void clear_rest(const tsr__conv_gather *g, tsr_index count) {
  for (tsr_index k = 0; k < g->rows; k++)
    for (tsr_index i = count; i < g->width; i++) g->to[k * g->width + i] = 0;
}

static void run_task(const igemm *f, tsr_index n, tsr_index number, tsr_index part, float *room) {
  const tsr__conv *const c = f->c;
  const tsr__conv_data *const d = f->d;
  const tsr__conv_panel panel = tsr__conv_panel_at(&f->columns, number);
  const tsr_index each = c->o / c->groups;
  tsr__conv_gather g;
  g.offset = (const tsr_index *)(const void *)d->room;
  g.rows = c->i * c->kh * c->kw;
  g.width = (tsr_index)panel.vectors * f->columns.lanes;
  g.step = c->sw;
  g.to = room;
  g.runs = 0;
  find_runs(f, &panel, &g);
  clear_rest(&g, panel.count);
  for (tsr_index group = 0; group < c->groups; group++) {
    const tsr_index first = group * each;
    g.from = d->x + n * d->xs[0] + group * c->i * d->xs[1];
    f->tiles->gather(&g);
    run_rows(f, &panel, room, first + each * part / f->splits, first + each * (part + 1) / f->splits,
             d->out + n * d->os[0]);
  }
}

static void run_tasks(void *arg, tsr_index begin, tsr_index end, int worker) {
  const igemm *const f = arg;
  float *const room = tsr__conv_room(f->d, worker);
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index panel = task / f->splits;
    run_task(f, panel / f->columns.panels, panel % f->columns.panels, task % f->splits, room);
  }
}

static void run_igemm(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_data *d) {
  igemm f = {.c = c, .d = d, .tiles = tsr__conv_tiles_of(c->isa)};
  f.columns = tsr__conv_columns_of(f.tiles, c->oh * c->ow);
  set_offsets(c, d, (tsr_index *)(void *)d->room);
  const tsr_index panels = d->n * f.columns.panels, each = c->o / c->groups;
  f.splits = tsr__conv_splits(d->plan->workers, panels, tsr__conv_ceil(each, 32));
  const tsr__conv_work work = {f.tiles->lanes * f.tiles->vectors, c->i * c->kh * c->kw, c->o / f.splits};
  tsr__parallel_for(ctx, panels * f.splits, tsr__conv_grain(&work), run_tasks, &f);
}

/* ---- the row ---- */

static bool able(const tsr__conv *c) { return !c->last; }

static void stage(const tsr__conv *c, const tsr_index *xs, const tsr_index *os, tsr__conv_plan *plan) {
  if (!tsr__conv_is_unit(c->w, xs[3]) || tsr__conv_is_padded(c)) plan->stage_x = true;
  if (c->oh > 1 && os[2] != c->ow) plan->stage_out = true; /* panels go over the end of a row */
}

/* Offsets; a panel of pixels. */
static bool room(const tsr__conv *c, tsr__conv_plan *plan) {
  const tsr__conv_tiles *const tiles = tsr__conv_tiles_of(c->isa);
  size_t taps, k;
  if (!tsr__mul_size((size_t)c->kh, (size_t)c->kw, &taps) || !tsr__mul_size(taps, (size_t)c->i, &k)) return false;
  return tsr__mul_size(k, sizeof(tsr_index), &plan->shared) &&
         tsr__mul_size(k, (size_t)(tiles->lanes * tiles->vectors) * sizeof(float), &plan->each);
}

/* As they are: (o, i, kh, kw). */
static void pack(const tsr__conv *c, const float *from, float *to) {
  memcpy(to, from, (size_t)(c->o * c->i * c->kh * c->kw) * sizeof *to);
}

const tsr__conv_algorithm tsr__conv_igemm_nchw = {.name = "igemm_nchw",
                                                  .options = 1 << TSR_CONV_AUTO | 1 << TSR_CONV_GEMM,
                                                  .number = 2,
                                                  .able = able,
                                                  .stage = stage,
                                                  .room = room,
                                                  .pack = pack,
                                                  .run = run_igemm};

#endif
