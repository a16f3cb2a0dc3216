/* Channels last: a product whose rows are pixels, read where they lie, and whose columns are packed filters. */
#include "cpu/parallel.h"
#include "nn/conv/columns.h"
#include "nn/conv/conv.h"
#include "nn/conv/work.h"

#if TSR__CONV_FAST

enum { CHUNK = 48 }; /* pixels that meet a panel while it is in the cache; whole tiles of 6 and of 8 */

typedef struct pixels {
  const tsr__conv *c;
  const tsr__conv_data *d;
  const tsr__conv_tiles *tiles;
  tsr__conv_columns columns; /* of a group */
  const tsr_index *offset;   /* of the taps */
  tsr_index taps, length, count;
  tsr_index splits; /* tasks that share the panels of a chunk */
} pixels;

/* Taps of few channels are taken apart, a tap a channel. */
enum { SHORT = 48 };

static void set_taps(pixels *p, tsr_index *offset) {
  const tsr__conv *const c = p->c;
  const tsr_index *const xs = p->d->xs;
  const bool apart = c->i < SHORT;
  p->taps = apart ? c->kh * c->kw * c->i : c->kh * c->kw;
  p->length = apart ? 1 : c->i;
  p->offset = offset;
  for (tsr_index ky = 0; ky < c->kh; ky++)
    for (tsr_index kx = 0; kx < c->kw; kx++)
      for (tsr_index i = 0; i < (apart ? c->i : 1); i++) *offset++ = ky * c->dh * xs[2] + kx * c->dw * xs[3] + i;
}

/* The pixels of a chunk: where the first filter tap meets x, and where the output goes. */
static void locate(const pixels *p, tsr_index first, tsr_index count, const float **in, float **out) {
  const tsr__conv *const c = p->c;
  const tsr__conv_data *const d = p->d;
  tsr_index x = first % c->ow, y = first / c->ow % c->oh, n = first / c->ow / c->oh;
  for (tsr_index k = 0; k < count; k++) {
    in[k] = d->x + n * d->xs[0] + y * c->sh * d->xs[2] + x * c->sw * d->xs[3];
    out[k] = d->out + n * d->os[0] + y * d->os[2] + x * d->os[3];
    if (++x < c->ow) continue;
    x = 0;
    if (++y < c->oh) continue;
    y = 0;
    n++;
  }
}

/* One panel of one group with a chunk of pixels. */
static void run_panel(const pixels *p, tsr_index group, tsr_index number, tsr_index count, const float *const *in,
                      float *const *out) {
  const tsr__conv *const c = p->c;
  const tsr__conv_panel panel = tsr__conv_panel_at(&p->columns, number);
  const tsr_index k = p->taps * p->length, all = p->columns.vectors * p->columns.lanes;
  const float *a[TSR__CONV_ROWS];
  float *o[TSR__CONV_ROWS];
  tsr__conv_tile tile = {.a = a,
                         .out = o,
                         .offset = p->offset,
                         .taps = p->taps,
                         .length = p->length,
                         .vectors = panel.vectors,
                         .columns = panel.count};
  tile.panel = p->d->panels + (group * all + panel.first) * k;
  tile.bias_column = p->d->panels + c->groups * all * k + group * all + panel.first;
  tile.limits = p->d->limited ? p->d->limits : NULL;
  for (tsr_index done = 0; done < count; done += tile.rows) {
    tile.rows = (int)tsr__conv_min(count - done, p->tiles->rows[panel.vectors]);
    for (int r = 0; r < tile.rows; r++) {
      a[r] = in[done + r] + group * c->i;
      o[r] = out[done + r] + group * p->columns.count + panel.first;
    }
    p->tiles->run(&tile);
  }
}

static void run_tasks(void *arg, tsr_index begin, tsr_index end, int worker) {
  const pixels *const p = arg;
  const tsr_index panels = p->c->groups * p->columns.panels;
  (void)worker;
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index first = task / p->splits * CHUNK, part = task % p->splits;
    const tsr_index count = tsr__conv_min(p->count - first, CHUNK);
    const float *in[CHUNK];
    float *out[CHUNK];
    locate(p, first, count, in, out);
    for (tsr_index k = panels * part / p->splits; k < panels * (part + 1) / p->splits; k++)
      run_panel(p, k / p->columns.panels, k % p->columns.panels, count, in, out);
  }
}

void tsr__conv_run_pixels(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_data *d) {
  pixels p = {.c = c, .d = d, .tiles = tsr__conv_tiles_of(c->isa), .count = d->n * c->oh * c->ow};
  p.columns = tsr__conv_columns_of(p.tiles, c->o / c->groups);
  set_taps(&p, (tsr_index *)(void *)d->room);
  const tsr_index chunks = tsr__conv_ceil(p.count, CHUNK);
  p.splits = tsr__conv_splits(d->workers, chunks, c->groups * p.columns.panels);
  const tsr__conv_work each = {CHUNK, p.taps * p.length, c->o / p.splits};
  tsr__parallel_for(ctx, chunks * p.splits, tsr__conv_grain(&each), run_tasks, &p);
}

#endif
