/* Channels last: a product whose rows are pixels, read where they lie, and whose columns are packed filters. Pixels
 * whose filter reaches over the edge have a list of where each tap is, or zeros. */
#include "cpu/parallel.h"
#include "nn/conv/algorithm.h"
#include "nn/conv/columns.h"
#include "nn/conv/work.h"

#if TSR__CONV_FAST

/* Taps of fewer channels are taken apart, a tap a channel. */
enum { SHORT = 48 };

enum { CHUNK = 96 }; /* pixels that meet a panel while it is in the cache; whole tiles of 6 and of 8 */

typedef struct span {
  tsr_index first, end;
} span;

typedef struct igemm {
  const tsr__conv *c;
  const tsr__conv_data *d;
  const tsr__conv_tiles *tiles;
  tsr__conv_columns columns; /* of a group */
  const tsr_index *offset;   /* of the taps */
  tsr_index taps, length, count;
  tsr_index splits; /* tasks that share the panels of a chunk */
  const float *zeros;
  span rows, line; /* outputs away from the edges: rows of them, and places in a row */
} igemm;

/* Pixels of an output and where their filters begin: first … first + count. NULL in in: over the edge. */
typedef struct chunk {
  tsr_index first, count;
  const float *in[CHUNK];
  float *out[CHUNK];
  const float **each; /* room for the taps of a tile */
} chunk;

static void set_taps(igemm *p, tsr_index *offset) {
  const tsr__conv *const c = p->c;
  const tsr_index *const xs = p->d->xs;
  const bool by_channel = c->i < SHORT;
  p->taps = by_channel ? c->kh * c->kw * c->i : c->kh * c->kw;
  p->length = by_channel ? 1 : c->i;
  p->offset = offset;
  for (tsr_index ky = 0; ky < c->kh; ky++)
    for (tsr_index kx = 0; kx < c->kw; kx++)
      for (tsr_index i = 0; i < (by_channel ? c->i : 1); i++) *offset++ = ky * c->dh * xs[2] + kx * c->dw * xs[3] + i;
}

/* Where along an axis the filter of an output begins, in x or in its copy; over the edge: below 0 or past last. */
static tsr_index begin_of(const igemm *p, tsr_index at, tsr_index stride, tsr_index pad) {
  return at * stride - (p->d->plan->stage_x ? 0 : pad);
}

/* The outputs of an axis whose filter lies inside x, or its copy: first ≤ at < end. */
static span inside_of(const igemm *p, tsr_index out, tsr_index in, tsr_index reach, tsr_index stride, tsr_index pad) {
  if (p->d->plan->stage_x) return (span){0, out};
  const tsr_index last = in - 1 - reach + pad; /* where the last of them begins */
  return (span){tsr__conv_min(tsr__conv_ceil(pad, stride), out), last < 0 ? 0 : tsr__conv_min(last / stride + 1, out)};
}

static void locate(const igemm *p, chunk *k) {
  const tsr__conv *const c = p->c;
  const tsr__conv_data *const d = p->d;
  tsr_index x = k->first % c->ow, line = k->first / c->ow;
  for (tsr_index i = 0; i < k->count; x = 0, line++) {
    const tsr_index y = line % c->oh, n = line / c->oh, end = tsr__conv_min(i + c->ow - x, k->count);
    const bool over = y < p->rows.first || y >= p->rows.end;
    const tsr_index row = begin_of(p, y, c->sh, c->top), col = begin_of(p, 0, c->sw, c->left);
    const tsr_index start = n * d->xs[0] + row * d->xs[2] + col * d->xs[3], step = c->sw * d->xs[3];
    float *const out = d->out + n * d->os[0] + y * d->os[2];
    for (; i < end; i++, x++) {
      k->in[i] = over || x < p->line.first || x >= p->line.end ? NULL : d->x + (start + x * step);
      k->out[i] = out + x * d->os[3];
    }
  }
}

/* Every tap of a pixel, rows apart. */
static void locate_taps(const igemm *p, tsr_index pixel, tsr_index group, int rows, const float **each) {
  const tsr__conv *const c = p->c;
  const tsr__conv_data *const d = p->d;
  const tsr_index n = pixel / c->ow / c->oh;
  const tsr_index row = begin_of(p, pixel / c->ow % c->oh, c->sh, c->top),
                  col = begin_of(p, pixel % c->ow, c->sw, c->left);
  for (tsr_index ky = 0; ky < c->kh; ky++)
    for (tsr_index kx = 0; kx < c->kw; kx++, each += rows) {
      const tsr_index y = row + ky * c->dh, x = col + kx * c->dw;
      const bool inside = y >= 0 && y < c->h && x >= 0 && x < c->w;
      *each = inside ? d->x + n * d->xs[0] + y * d->xs[2] + x * d->xs[3] + group * c->i : p->zeros;
    }
}

/* A tile that reaches over the edge: where the taps of its pixels lie. */
static void set_taps_of(const igemm *p, const chunk *k, tsr_index done, tsr_index group, tsr__conv_tile *tile) {
  for (int r = 0; r < tile->rows; r++) locate_taps(p, k->first + done + r, group, tile->rows, k->each + r);
  tile->each = k->each;
}

/* Pixels from done on that need no list of taps: whole tiles, or all that are left. */
static tsr_index plain_from(const chunk *k, tsr_index done, tsr_index rows) {
  for (tsr_index i = done; i < k->count; i++)
    if (k->in[i] == NULL) return (i - done) / rows * rows;
  return k->count - done;
}

/* One panel of one group with a chunk of pixels. */
static void run_panel(const igemm *p, tsr_index group, tsr_index number, const chunk *at) {
  const tsr__conv *const c = p->c;
  const tsr__conv_panel panel = tsr__conv_panel_at(&p->columns, number);
  const tsr_index k = p->taps * p->length, all = p->columns.vectors * p->columns.lanes;
  const tsr_index most = p->tiles->rows[panel.vectors];
  tsr__conv_tile tile = {.a_first = group * c->i,
                         .out_first = group * p->columns.count + panel.first,
                         .offset = p->offset,
                         .taps = p->taps,
                         .length = p->length,
                         .vectors = panel.vectors,
                         .columns = panel.count};
  tile.panel = p->d->panels + (group * all + panel.first) * k;
  tile.bias_column = p->d->panels + c->groups * all * k + group * all + panel.first;
  tile.limits = p->d->limits;
  for (tsr_index done = 0; done < at->count; done += tile.rows) {
    const tsr_index plain = plain_from(at, done, most);
    tile.rows = (int)(plain > 0 ? plain : tsr__conv_min(at->count - done, most));
    tile.a = at->in + done;
    tile.out = at->out + done;
    tile.each = NULL;
    if (plain == 0) set_taps_of(p, at, done, group, &tile);
    p->tiles->run(&tile);
  }
}

static void run_tasks(void *arg, tsr_index begin, tsr_index end, int worker) {
  const igemm *const p = arg;
  const tsr_index panels = p->c->groups * p->columns.panels;
  chunk at;
  at.each = tsr__conv_room(p->d, worker);
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index part = task % p->splits;
    at.first = task / p->splits * CHUNK;
    at.count = tsr__conv_min(p->count - at.first, CHUNK);
    locate(p, &at);
    for (tsr_index k = panels * part / p->splits; k < panels * (part + 1) / p->splits; k++)
      run_panel(p, k / p->columns.panels, k % p->columns.panels, &at);
  }
}

static void run_igemm(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_data *d) {
  igemm p = {.c = c, .d = d, .tiles = tsr__conv_tiles_of(c->isa), .count = d->n * c->oh * c->ow};
  p.columns = tsr__conv_columns_of(p.tiles, c->o / c->groups);
  set_taps(&p, (tsr_index *)(void *)d->room);
  float *const zeros = (float *)(void *)(d->room + (size_t)(p.taps * p.length) * sizeof(tsr_index));
  for (tsr_index i = 0; i < c->i; i++) zeros[i] = 0;
  p.zeros = zeros;
  p.rows = inside_of(&p, c->oh, c->h, (c->kh - 1) * c->dh, c->sh, c->top);
  p.line = inside_of(&p, c->ow, c->w, (c->kw - 1) * c->dw, c->sw, c->left);
  const tsr_index chunks = tsr__conv_ceil(p.count, CHUNK);
  p.splits = tsr__conv_splits(d->plan->workers, chunks, c->groups * p.columns.panels);
  const tsr__conv_work each = {CHUNK, p.taps * p.length, c->o / p.splits};
  tsr__parallel_for(ctx, chunks * p.splits, tsr__conv_grain(&each), run_tasks, &p);
}

/* ---- the row ---- */

static bool able(const tsr__conv *c) { return c->last; }

/* Zeros around x, which pixels of many channels do without. */
static void stage(const tsr__conv *c, const tsr_index *xs, const tsr_index *os, tsr__conv_plan *plan) {
  (void)os;
  if (!tsr__conv_is_unit(c->c, xs[1]) || (c->i < SHORT && tsr__conv_is_padded(c))) plan->stage_x = true;
}

/* Offsets and zeros; the taps of a tile. */
static bool room(const tsr__conv *c, tsr__conv_plan *plan) {
  size_t taps, k;
  if (!tsr__mul_size((size_t)c->kh, (size_t)c->kw, &taps) || !tsr__mul_size(taps, (size_t)c->i, &k)) return false;
  return tsr__mul_size(k > taps ? k : taps, sizeof(tsr_index) + sizeof(float), &plan->shared) &&
         tsr__mul_size(taps, TSR__CONV_ROWS * sizeof(float *), &plan->each);
}

/* One panel of filters: (kh, kw, i, columns of the panel). */
static float *pack_panel(const tsr__conv *c, const float *from, const tsr__conv_panel *p, int lanes, float *to) {
  const tsr_index taps = c->kh * c->kw, k = c->i * taps, width = (tsr_index)p->vectors * lanes;
  for (tsr_index tap = 0; tap < taps; tap++)
    for (tsr_index i = 0; i < c->i; i++, to += width) {
      const float *const at = from + p->first * k + i * taps + tap;
      for (tsr_index j = 0; j < width; j++) to[j] = j < p->count ? at[j * k] : 0;
    }
  return to;
}

/* For each group and panel. */
static void pack(const tsr__conv *c, const float *from, float *to) {
  const tsr_index each = c->o / c->groups;
  const tsr__conv_columns columns = tsr__conv_columns_of(tsr__conv_tiles_of(c->isa), each);
  for (tsr_index g = 0; g < c->groups; g++)
    for (tsr_index p = 0; p < columns.panels; p++) {
      const tsr__conv_panel panel = tsr__conv_panel_at(&columns, p);
      to = pack_panel(c, from + g * each * c->i * c->kh * c->kw, &panel, columns.lanes, to);
    }
}

const tsr__conv_algorithm tsr__conv_igemm_nhwc = {.name = "igemm_nhwc",
                                                  .options = 1 << TSR_CONV_AUTO | 1 << TSR_CONV_GEMM,
                                                  .number = 1,
                                                  .whole = true,
                                                  .able = able,
                                                  .stage = stage,
                                                  .room = room,
                                                  .pack = pack,
                                                  .run = run_igemm};

#endif
