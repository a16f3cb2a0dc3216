/* Depthwise convolutions: rows of outputs, shared out to threads. */
#include "nn/conv/depthwise.h"

#include "cpu/parallel.h"
#include "nn/conv/algorithm.h"
#include "nn/conv/columns.h"
#include "nn/conv/work.h"

#include <string.h>

#if TSR__CONV_FAST

enum { ROWS = 4 }; /* of outputs in a task: whole tiles */

typedef struct depthwise {
  const tsr__conv *c;
  const tsr__conv_data *d;
  const tsr__depthwise *kernels;
  tsr_index strips; /* of an image */
} depthwise;

static const tsr__depthwise *kernels_of(int isa) {
  static const tsr__depthwise *const all[] = TSR__AT_FOR_ISAS(tsr__depthwise);
  return all[isa];
}

static tsr__depthwise_rows rows_of(const tsr__conv *c, const tsr__conv_data *d) {
  tsr__depthwise_rows k = {.c = *c, .weights = d->panels, .limits = d->limits, .y1 = c->oh};
  k.bias = d->panels + c->kh * c->kw * c->o;
  k.zeros = (const float *)(const void *)d->room;
  k.x_row = d->xs[2];
  k.x_pixel = d->xs[3];
  k.out_row = d->os[2];
  k.out_pixel = d->os[3];
  return k;
}

/* One task: a strip of rows of one image. */
static void run_last(void *arg, tsr_index begin, tsr_index end, int worker) {
  const depthwise *const w = arg;
  const tsr__conv_data *const d = w->d;
  tsr__depthwise_rows k = rows_of(w->c, d);
  (void)worker;
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index n = task / w->strips;
    k.y0 = task % w->strips * ROWS;
    k.y1 = tsr__conv_min(k.y0 + ROWS, w->c->oh);
    k.x = d->x + n * d->xs[0];
    k.out = d->out + n * d->os[0];
    w->kernels->last(&k);
  }
}

/* One task: a plane. */
static void run_first(void *arg, tsr_index begin, tsr_index end, int worker) {
  const depthwise *const w = arg;
  const tsr__conv *const c = w->c;
  const tsr__conv_data *const d = w->d;
  const tsr_index taps = c->kh * c->kw, each = c->o / c->groups;
  tsr__depthwise_rows k = rows_of(c, d);
  (void)worker;
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index n = task / c->o, o = task % c->o;
    k.weights = d->panels + o * taps;
    k.bias = d->panels + c->o * taps + o;
    k.x = d->x + n * d->xs[0] + o / each * d->xs[1];
    k.out = d->out + n * d->os[0] + o * d->os[1];
    w->kernels->first(&k);
  }
}

static void run_depthwise(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_data *d) {
  depthwise w = {c, d, kernels_of(c->isa), tsr__conv_ceil(c->oh, ROWS)};
  if (c->last) {
    const tsr__conv_work each = {ROWS * c->ow, c->kh * c->kw, c->o};
    memset(d->room, 0, d->plan->shared);
    tsr__parallel_for(ctx, d->n * w.strips, tsr__conv_grain(&each), run_last, &w);
  } else {
    const tsr__conv_work each = {c->oh * c->ow, c->kh * c->kw, 1};
    tsr__parallel_for(ctx, d->n * c->o, tsr__conv_grain(&each), run_first, &w);
  }
}

/* ---- the row ---- */

static bool able(const tsr__conv *c) { return c->i == 1 && c->groups > 1; }

/* x without padding. Channels last: as many channels as filters, and no gaps between pixels. */
static void stage(const tsr__conv *c, const tsr_index *xs, const tsr_index *os, tsr__conv_plan *plan) {
  (void)os;
  plan->copy = (tsr__conv_copy){.c = c->c, .h = c->h, .w = c->w, .last = c->last, .times = 1};
  if (c->last) {
    plan->copy.c = c->o;
    plan->copy.times = c->o / c->c;
  }
  if (c->last ? c->o != c->c || !tsr__conv_is_unit(c->c, xs[1]) || xs[3] != c->c : !tsr__conv_is_unit(c->w, xs[3]))
    plan->stage_x = true;
}

/* A row of zeros. */
static bool room(const tsr__conv *c, tsr__conv_plan *plan) {
  return !c->last || tsr__mul_size((size_t)c->o, TSR__DEPTHWISE_ZEROS * sizeof(float), &plan->shared);
}

/* Channels last: (kh, kw, o), else (o, kh, kw). */
static void pack(const tsr__conv *c, const float *from, float *to) {
  const tsr_index taps = c->kh * c->kw;
  for (tsr_index o = 0; o < c->o; o++)
    for (tsr_index tap = 0; tap < taps; tap++) to[c->last ? tap * c->o + o : o * taps + tap] = from[o * taps + tap];
}

const tsr__conv_algorithm tsr__conv_depthwise = {.name = "depthwise",
                                                 .options = 1 << TSR_CONV_AUTO | 1 << TSR_CONV_GEMM,
                                                 .number = 4,
                                                 .able = able,
                                                 .stage = stage,
                                                 .room = room,
                                                 .pack = pack,
                                                 .run = run_depthwise};

#endif
