/* Winograd's convolution: transform tiles of the input, 36 products, transform back. A block of tiles stays in the
 * cache from one step to the next; few tiles are transformed first, and their products shared out by filters. */
#include "nn/conv/winograd.h"

#include "cpu/parallel.h"
#include "nn/conv/algorithm.h"
#include "nn/conv/columns.h"
#include "nn/conv/work.h"

#if TSR__CONV_FAST

static const tsr__winograd *kernels_of(int isa) {
  static const tsr__winograd *const all[] = TSR__AT_FOR_ISAS(tsr__winograd);
  return all[isa];
}

enum { BLOCK_BYTES = 768 << 10, LEAST_TILES = 12, MOST_TILES = 96, MOST_WIDTH = 64, LINE = 16 };

static const float zeros[MOST_WIDTH];

/* Tiles of the images of a plan. */
typedef struct tiling {
  tsr_index across, down; /* of an image */
  tsr_index block;        /* at a time */
  tsr_index channels;     /* whole vectors */
  tsr_index step[2];      /* between the 36 rows: of inputs, of products */
  tsr_index blocks;       /* of all images */
  bool shared;            /* all inputs are transformed before the first product */
} tiling;

typedef struct winograd {
  const tsr__conv *c;
  const tsr__conv_data *d;
  const tsr__conv_tiles *tiles;
  const tsr__winograd *kernels;
  tsr__conv_columns columns;
  tiling t;
  tsr_index count; /* tiles of all images */
} winograd;

/* ---- scratch: transformed inputs (all or a worker's), then a worker's products ---- */

static tiling tiling_of(const tsr__conv *c, const tsr__conv_plan *plan) {
  const tsr_index lanes = tsr__conv_tiles_of(c->isa)->lanes, workers = plan->workers;
  tiling t = {.across = tsr__conv_ceil(c->ow, 4), .down = tsr__conv_ceil(c->oh, 4)};
  t.channels = tsr__conv_ceil(c->c, lanes) * lanes;
  const tsr_index count = plan->images * t.across * t.down;
  const tsr_index fit = BLOCK_BYTES / (36 * (tsr_index)sizeof(float) * (t.channels + MOST_WIDTH));
  tsr_index blocks = tsr__conv_ceil(count, fit < LEAST_TILES ? LEAST_TILES : tsr__conv_min(fit, MOST_TILES));
  t.shared = workers > 1 && count < 2 * LEAST_TILES * workers;
  if (!t.shared && workers > 1) blocks = tsr__conv_ceil(blocks, workers) * workers; /* so that none waits */
  t.block = blocks > 0 ? tsr__conv_ceil(count, blocks) : 1;
  t.step[0] = t.block * t.channels + LINE; /* not a power of two: those share a place in the cache */
  t.step[1] = t.block * MOST_WIDTH + LINE;
  t.blocks = tsr__conv_ceil(count, t.block);
  return t;
}

static bool room(const tsr__conv *c, tsr__conv_plan *plan) {
  const tiling t = tiling_of(c, plan);
  size_t inputs, rows = 36 * sizeof(float);
  if (!tsr__mul_size((size_t)t.step[0], rows, &inputs) ||
      !tsr__mul_size(inputs, (size_t)(t.shared ? t.blocks : 1), &inputs))
    return false;
  plan->shared = t.shared ? inputs : 0;
  return tsr__add_size((size_t)t.step[1] * rows, t.shared ? 0 : inputs, &plan->each);
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
  o.limits = d->limits;
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

static void run_winograd(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_data *d) {
  winograd w = {c, d, tsr__conv_tiles_of(c->isa), kernels_of(c->isa), .t = tiling_of(c, d->plan)};
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

/* ---- the row ---- */

static bool able(const tsr__conv *c) {
  return c->kh == 3 && c->kw == 3 && c->sh == 1 && c->sw == 1 && c->dh == 1 && c->dw == 1 && c->groups == 1;
}

/* Enough channels on both sides to fill the vectors, and tiles for the filters to meet: 3 × 4 outputs. Whether as many
 * outputs as there are fit an index is not known yet. */
static bool pays(const tsr__conv *c) {
  return c->c >= 16 && c->o >= 16 && c->oh >= 3 && c->ow >= 3 && (c->oh > 3 || c->ow > 3);
}

/* Whole tiles of whole vectors. */
static void stage(const tsr__conv *c, const tsr_index *xs, const tsr_index *os, tsr__conv_plan *plan) {
  const int lanes = tsr__conv_tiles_of(c->isa)->lanes;
  (void)xs, (void)os;
  plan->stage_x = true;
  plan->copy.c = tsr__conv_ceil(c->c, lanes) * lanes;
  plan->copy.h = tsr__conv_ceil(c->oh, 4) * 4 + 2;
  plan->copy.w = tsr__conv_ceil(c->ow, 4) * 4 + 2;
  plan->copy.last = true;
}

/* For each panel: (36, i, columns of the panel). */
static void pack(const tsr__conv *c, const float *from, float *to) {
  const tsr__conv_columns columns = tsr__conv_columns_of(tsr__conv_tiles_of(c->isa), c->o);
  for (tsr_index p = 0; p < columns.panels; p++) {
    const tsr__conv_panel panel = tsr__conv_panel_at(&columns, p);
    const tsr_index width = (tsr_index)panel.vectors * columns.lanes;
    kernels_of(c->isa)->filters(c->i, panel.count, width, from + panel.first * c->i * 9, to);
    to += 36 * c->i * width;
  }
}

const tsr__conv_algorithm tsr__conv_winograd = {.name = "winograd",
                                                .only = "3x3 filters with stride 1, dilation 1 and one group",
                                                .options = 1 << TSR_CONV_AUTO | 1 << TSR_CONV_WINOGRAD,
                                                .number = 3,
                                                .taps = 36,
                                                .whole = true,
                                                .able = able,
                                                .pays = pays,
                                                .stage = stage,
                                                .room = room,
                                                .pack = pack,
                                                .run = run_winograd};

#endif
