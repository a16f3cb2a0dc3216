/* Depthwise convolutions: rows of outputs, shared out to threads. */
#include "nn/conv/depthwise.h"

#include "cpu/parallel.h"
#include "nn/conv/columns.h"
#include "nn/conv/conv.h"
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
#define X(name) &tsr__depthwise_##name,
  static const tsr__depthwise *const all[] = {TSR_ISA_LIST(X)};
#undef X
  return all[isa];
}

/* One task: a strip of rows of one image. */
static void run_last(void *arg, tsr_index begin, tsr_index end, int worker) {
  const depthwise *const w = arg;
  const tsr__conv *const c = w->c;
  const tsr__conv_data *const d = w->d;
  (void)worker;
  tsr__depthwise_last k = {.channels = c->o,
                           .h = c->h,
                           .w = c->w,
                           .ow = c->ow,
                           .kh = c->kh,
                           .kw = c->kw,
                           .sh = c->sh,
                           .sw = c->sw,
                           .dh = c->dh,
                           .dw = c->dw,
                           .top = c->top,
                           .left = c->left};
  k.weights = d->panels;
  k.bias = d->panels + c->kh * c->kw * c->o;
  k.limits = d->limited ? d->limits : NULL;
  k.zeros = (const float *)(const void *)d->room;
  k.x_row = d->xs[2];
  k.x_pixel = d->xs[3];
  k.out_row = d->os[2];
  k.out_pixel = d->os[3];
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index n = task / w->strips;
    k.y0 = task % w->strips * ROWS;
    k.y1 = tsr__conv_min(k.y0 + ROWS, c->oh);
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
  (void)worker;
  tsr__depthwise_first k = {.h = c->h,
                            .w = c->w,
                            .ow = c->ow,
                            .kh = c->kh,
                            .kw = c->kw,
                            .sh = c->sh,
                            .sw = c->sw,
                            .dh = c->dh,
                            .dw = c->dw,
                            .top = c->top,
                            .left = c->left,
                            .y0 = 0,
                            .y1 = c->oh};
  k.limits = d->limited ? d->limits : NULL;
  k.x_row = d->xs[2];
  k.out_row = d->os[2];
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index n = task / c->o, o = task % c->o;
    k.weights = d->panels + o * taps;
    k.bias = d->panels[c->o * taps + o];
    k.x = d->x + n * d->xs[0] + o / each * d->xs[1];
    k.out = d->out + n * d->os[0] + o * d->os[1];
    w->kernels->first(&k);
  }
}

void tsr__conv_run_depthwise(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_data *d) {
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

#endif
