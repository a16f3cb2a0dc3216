/* Winograd's convolution: transform tiles of the input, 36 products, transform back. A block of tiles stays in the
 * cache from one step to the next; few tiles are transformed first, and their products shared out by filters. */
#include "nn/conv/winograd.h"

#include "cpu/parallel.h"
#include "nn/conv/columns.h"
#include "nn/conv/conv.h"
#include "nn/conv/work.h"

#if TSR__CONV_FAST

const tsr__winograd *tsr__winograd_of(int isa) {
#define X(name) &tsr__winograd_##name,
  static const tsr__winograd *const all[] = {TSR_ISA_LIST(X)};
#undef X
  return all[isa];
}

enum { BLOCK_BYTES = 768 << 10, LEAST_TILES = 12, MOST_TILES = 96, MOST_WIDTH = 64, LINE = 16 };

static const float zeros[MOST_WIDTH];

typedef struct winograd {
  const tsr__conv *c;
  const tsr__conv_data *d;
  const tsr__conv_tiles *tiles;
  const tsr__winograd *kernels;
  tsr__conv_columns columns;
  tsr__conv_tiling t;
  tsr_index count; /* tiles of all images */
} winograd;

/* ---- scratch: transformed inputs (all or a worker's), then a worker's products ---- */

/* Tiles at a time, of so many. */
static void set_block(tsr__conv_tiling *t, tsr_index count, int workers) {
  const tsr_index each = 36 * (tsr_index)sizeof(float) * (t->channels + MOST_WIDTH);
  tsr_index block = BLOCK_BYTES / each;
  block = block < LEAST_TILES ? LEAST_TILES : tsr__conv_min(block, MOST_TILES);
  tsr_index blocks = tsr__conv_ceil(count, block);
  t->shared = workers > 1 && count < 2 * LEAST_TILES * (tsr_index)workers;
  if (!t->shared && workers > 1) blocks = tsr__conv_ceil(blocks, workers) * workers; /* so that none waits */
  t->block = blocks > 0 ? tsr__conv_ceil(count, blocks) : 1;
  t->step[0] = t->block * t->channels + LINE; /* not a power of two: those share a place in the cache */
  t->step[1] = t->block * MOST_WIDTH + LINE;
}

bool tsr__conv_plan_winograd(const tsr__conv *c, tsr__conv_plan *plan) {
  tsr__conv_tiling *const t = &plan->tiling;
  const tsr_index lanes = tsr__conv_tiles_of(c->isa)->lanes;
  t->across = tsr__conv_ceil(c->ow, 4);
  t->down = tsr__conv_ceil(c->oh, 4);
  t->channels = tsr__conv_ceil(c->c, lanes) * lanes;
  const tsr_index count = plan->images * t->across * t->down;
  set_block(t, count, plan->workers);
  const tsr_index blocks = t->shared ? tsr__conv_ceil(count, t->block) : 1;
  size_t inputs, rows = 36 * sizeof(float);
  if (!tsr__mul_size((size_t)t->step[0], rows, &inputs) || !tsr__mul_size(inputs, (size_t)blocks, &inputs))
    return false;
  plan->shared = t->shared ? inputs : 0;
  return tsr__add_size((size_t)t->step[1] * rows, t->shared ? 0 : inputs, &plan->each);
}

/* ---- steps ---- */

/* Where tile number tile stands in its image. */
typedef struct place {
  tsr_index n, y, x; /* of its first output */
} place;

static place place_of(const winograd *w, tsr_index tile) {
  const tsr_index row = tile / w->t.across;
  return (place){row / w->t.down, row % w->t.down * 4, tile % w->t.across * 4};
}

static void transform_input(const winograd *w, tsr_index tile, float *to) {
  const tsr_index *const xs = w->d->xs;
  const place p = place_of(w, tile);
  w->kernels->input(w->d->x + p.n * xs[0] + p.y * xs[2] + p.x * xs[3], xs[2], xs[3], w->t.channels, to, w->t.step[0]);
}

/* The 36 products of count tiles with one panel: (36, tiles, channels) by (36, channels, width). */
static void multiply(const winograd *w, tsr_index count, const float *inputs, const tsr__conv_panel *panel,
                     float *products) {
  const tsr_index width = (tsr_index)panel->vectors * w->columns.lanes, none = 0, channels = w->c->c;
  const float *a[MOST_TILES];
  float *o[MOST_TILES];
  for (tsr_index t = 0; t < count; t++) {
    a[t] = inputs + t * w->t.channels;
    o[t] = products + t * width;
  }
  tsr__conv_tile tile = {.a = a,
                         .out = o,
                         .offset = &none,
                         .taps = 1,
                         .length = channels,
                         .bias_column = zeros,
                         .rows = (int)count,
                         .vectors = panel->vectors,
                         .columns = width};
  for (int k = 0; k < 36; k++) {
    tile.panel = w->d->panels + (36 * panel->first + k * width) * channels;
    tile.a_first = k * w->t.step[0];
    tile.out_first = k * w->t.step[1];
    w->tiles->run(&tile);
  }
}

static void transform_output(const winograd *w, tsr_index tile, const float *products, const tsr__conv_panel *panel) {
  const tsr__conv *const c = w->c;
  const tsr__conv_data *const d = w->d;
  const tsr_index *const os = d->os;
  const place p = place_of(w, tile);
  tsr__winograd_out o = {.channel = c->last ? 1 : os[1], .row = os[2], .pixel = c->last ? os[3] : 1};
  o.out = d->out + p.n * os[0] + p.y * os[2] + p.x * os[3] + panel->first * o.channel;
  o.rows = tsr__conv_min(c->oh - p.y, 4);
  o.pixels = tsr__conv_min(c->ow - p.x, 4);
  o.channels = panel->count;
  o.bias = d->panels + 36 * c->c * w->columns.vectors * w->columns.lanes + panel->first;
  o.limits = d->limited ? d->limits : NULL;
  w->kernels->output(products, w->t.step[1], &o);
}

/* Tiles first … of one block with panels from … to. */
static void run_block(const winograd *w, tsr_index first, const float *inputs, tsr_index from, tsr_index to,
                      float *products) {
  const tsr_index count = tsr__conv_min(w->count - first, w->t.block);
  for (tsr_index k = from; k < to; k++) {
    const tsr__conv_panel panel = tsr__conv_panel_at(&w->columns, k);
    multiply(w, count, inputs, &panel, products);
    for (tsr_index t = 0; t < count; t++)
      transform_output(w, first + t, products + t * panel.vectors * w->columns.lanes, &panel);
  }
}

/* ---- one task a block ---- */

static void run_blocks(void *arg, tsr_index begin, tsr_index end, int worker) {
  const winograd *const w = arg;
  float *const products = tsr__conv_room(w->d, worker), *const inputs = products + 36 * w->t.step[1];
  for (tsr_index b = begin; b < end; b++) {
    const tsr_index first = b * w->t.block, count = tsr__conv_min(w->count - first, w->t.block);
    for (tsr_index t = 0; t < count; t++) transform_input(w, first + t, inputs + t * w->t.channels);
    run_block(w, first, inputs, 0, w->columns.panels, products);
  }
}

/* ---- few tiles: one task a panel and block ---- */

static float *shared_inputs(const winograd *w, tsr_index block) {
  return (float *)(void *)w->d->room + block * 36 * w->t.step[0];
}

static void run_inputs(void *arg, tsr_index begin, tsr_index end, int worker) {
  const winograd *const w = arg;
  (void)worker;
  for (tsr_index t = begin; t < end; t++)
    transform_input(w, t, shared_inputs(w, t / w->t.block) + t % w->t.block * w->t.channels);
}

static void run_panels(void *arg, tsr_index begin, tsr_index end, int worker) {
  const winograd *const w = arg;
  for (tsr_index k = begin; k < end; k++) {
    const tsr_index block = k / w->columns.panels, panel = k % w->columns.panels;
    run_block(w, block * w->t.block, shared_inputs(w, block), panel, panel + 1, tsr__conv_room(w->d, worker));
  }
}

void tsr__conv_run_winograd(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_data *d) {
  winograd w = {c, d, tsr__conv_tiles_of(c->isa), tsr__winograd_of(c->isa), .t = d->plan->tiling};
  w.columns = tsr__conv_columns_of(w.tiles, c->o);
  w.count = d->n * w.t.across * w.t.down;
  const tsr_index blocks = tsr__conv_ceil(w.count, w.t.block);
  const tsr__conv_work tile = {w.t.channels, 36, 16}, block = {w.t.block * 36, c->c, c->o};
  const tsr__conv_work panel = {w.t.block * 36, c->c, MOST_WIDTH};
  if (!w.t.shared) {
    tsr__parallel_for(ctx, blocks, tsr__conv_grain(&block), run_blocks, &w);
    return;
  }
  tsr__parallel_for(ctx, w.count, tsr__conv_grain(&tile), run_inputs, &w);
  tsr__parallel_for(ctx, blocks * w.columns.panels, tsr__conv_grain(&panel), run_panels, &w);
}

#endif
