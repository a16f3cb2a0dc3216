/* Channels first: a product whose rows are filters and whose columns are pixels, gathered into a panel. */
#include "cpu/parallel.h"
#include "nn/conv/columns.h"
#include "nn/conv/conv.h"
#include "nn/conv/work.h"

#if TSR__CONV_FAST

typedef struct filters {
  const tsr__conv       *c;
  const tsr__conv_data  *d;
  const tsr__conv_tiles *tiles;
  tsr__conv_columns      columns; /* the pixels of an image */
  tsr_index              splits;  /* tasks that share the filters of a panel */
} filters;

/* The pixels of a panel as runs along the rows of x. */
static void find_runs(const filters *f, const tsr__conv_panel *panel, tsr__conv_runs *runs) {
  const tsr__conv *const c = f->c;
  const tsr_index        row = c->sh * f->d->xs[2], end = panel->first + panel->count;
  runs->runs = 0;
  runs->step = c->sw;
  for (tsr_index at = panel->first; at < end;) {
    const tsr_index y = at / c->ow, x = at % c->ow, count = tsr__conv_min(c->ow - x, end - at);
    const tsr_index offset = y * row + x * c->sw, last = runs->runs - 1;
    if (last >= 0 && offset == runs->offset[last] + runs->count[last] * c->sw) {
      runs->count[last] += (int)count;
    } else {
      runs->offset[runs->runs] = offset;
      runs->count[runs->runs++] = (int)count;
    }
    at += count;
  }
}

/* What the filters of a group meet at the pixels of a panel: (i, kh, kw, pixels). */
static void gather(const filters *f, const float *x, const tsr__conv_runs *runs, tsr_index width, float *to) {
  const tsr__conv *const c = f->c;
  const tsr_index *const xs = f->d->xs;
  for (tsr_index i = 0; i < c->i; i++)
    for (tsr_index ky = 0; ky < c->kh; ky++)
      for (tsr_index kx = 0; kx < c->kw; kx++, to += width)
        f->tiles->gather(x + i * xs[1] + ky * c->dh * xs[2] + kx * c->dw, runs, to);
}

/* Filters first ≤ o < end with a panel. */
static void run_rows(const filters *f, const tsr__conv_panel *panel, const float *gathered, tsr_index first,
                     tsr_index end, float *out) {
  const tsr__conv_data *const d = f->d;
  const tsr_index             k = f->c->i * f->c->kh * f->c->kw, none = 0;
  const float                *a[TSR__CONV_ROWS];
  float                      *o[TSR__CONV_ROWS];
  tsr__conv_tile tile = {.a = a, .out = o, .offset = &none, .taps = 1, .length = k, .panel = gathered,
                         .vectors = panel->vectors, .columns = panel->count};
  tile.limits = d->limited ? d->limits : NULL;
  for (tsr_index row = first; row < end; row += tile.rows) {
    tile.rows = (int)tsr__conv_min(end - row, f->tiles->rows[panel->vectors]);
    tile.bias_row = d->panels + f->c->o * k + row;
    for (int r = 0; r < tile.rows; r++) {
      a[r] = d->panels + (row + r) * k;
      o[r] = out + (row + r) * d->os[1] + panel->first;
    }
    f->tiles->run(&tile);
  }
}

static void run_task(const filters *f, tsr_index n, tsr_index number, tsr_index part, float *room) {
  const tsr__conv *const      c = f->c;
  const tsr__conv_data *const d = f->d;
  const tsr__conv_panel       panel = tsr__conv_panel_at(&f->columns, number);
  const tsr_index             each = c->o / c->groups;
  tsr__conv_runs              runs;
  find_runs(f, &panel, &runs);
  for (tsr_index g = 0; g < c->groups; g++) {
    gather(f, d->x + n * d->xs[0] + g * c->i * d->xs[1], &runs, (tsr_index)panel.vectors * f->columns.lanes, room);
    run_rows(f, &panel, room, g * each + each * part / f->splits, g * each + each * (part + 1) / f->splits,
             d->out + n * d->os[0]);
  }
}

static void run_tasks(void *arg, tsr_index begin, tsr_index end, int worker) {
  const filters *const f = arg;
  float *const         room = (float *)(void *)(f->d->room + f->d->shared + f->d->each * (size_t)worker);
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index panel = task / f->splits;
    run_task(f, panel / f->columns.panels, panel % f->columns.panels, task % f->splits, room);
  }
}

void tsr__conv_run_filters(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_data *d) {
  filters f = {.c = c, .d = d, .tiles = tsr__conv_tiles_of(c->isa)};
  f.columns = tsr__conv_columns_of(f.tiles, c->oh * c->ow);
  const tsr_index panels = d->n * f.columns.panels, each = c->o / c->groups;
  f.splits = tsr__conv_splits(d->workers, panels, tsr__conv_ceil(each, 32));
  const tsr__conv_work work = {f.tiles->lanes * f.tiles->vectors, c->i * c->kh * c->kw, c->o / f.splits};
  tsr__parallel_for(ctx, panels * f.splits, tsr__conv_grain(&work), run_tasks, &f);
}

#endif
