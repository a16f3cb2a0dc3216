/* Plain loops: a row of outputs at a time, read and written where they lie. */
#include "nn/conv/loops.h"

#include "cpu/parallel.h"
#include "nn/conv/conv.h"
#include "nn/conv/work.h"

typedef struct loops {
  const tsr__conv *c;
  tsr__conv_row_fn *row;
  tsr_index xs[4], ws[4], os[4], bias_step;
  const char *x, *w, *bias;
  char *out;
  ptrdiff_t item;
} loops;

static tsr__conv_row_fn *row_of(int isa, int dtype) {
#define X(name) tsr__conv_rows_##name,
  static tsr__conv_row_fn *const *const all[] = {TSR_ISA_LIST(X)};
#undef X
  return all[isa][dtype];
}

/* Row number task of (n, o, oh). */
static void run_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const loops *const l = arg;
  const tsr__conv *const c = l->c;
  (void)worker;
  tsr__conv_row r = {.channels = c->i,
                     .h = c->h,
                     .width = c->w,
                     .kh = c->kh,
                     .kw = c->kw,
                     .sw = c->sw,
                     .dh = c->dh,
                     .dw = c->dw,
                     .left = c->left,
                     .count = c->ow,
                     .step = l->os[3]};
  for (int k = 0; k < 4; k++) {
    r.xs[k] = l->xs[k];
    r.ws[k] = l->ws[k];
  }
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index y = task % c->oh, o = task / c->oh % c->o, n = task / c->oh / c->o, g = o / (c->o / c->groups);
    r.x = l->x + l->item * (n * l->xs[0] + g * c->i * l->xs[1]);
    r.w = l->w + l->item * o * l->ws[0];
    r.bias = l->bias != NULL ? l->bias + l->item * o * l->bias_step : NULL;
    r.out = l->out + l->item * (n * l->os[0] + o * l->os[1] + y * l->os[2]);
    r.y = y * c->sh - c->top;
    l->row(&r);
  }
}

void tsr__conv_run_loops(const tsr_ctx *ctx, const tsr__conv *c, const tsr_tensor *x, const tsr_tensor *w,
                         const tsr_tensor *bias, const tsr_tensor *out) {
  loops l = {.c = c, .row = row_of(c->isa, x->dtype), .x = x->data, .w = w->data, .out = out->data};
  tsr__conv_strides(x, c->last, l.xs);
  tsr__conv_filter_strides(w, l.ws);
  tsr__conv_strides(out, c->last, l.os);
  if (tsr_size(x) == 0 || tsr_size(w) == 0) { /* nothing is read, but pointers are made */
    l.x = l.w = out->data;
    for (int k = 0; k < 4; k++) l.xs[k] = l.ws[k] = 0;
  }
  l.item = tsr__item(x);
  l.bias = bias != NULL ? bias->data : NULL;
  l.bias_step = bias != NULL ? bias->stride[0] : 0;
  const tsr__conv_work each = {16 * c->ow, c->kh * c->kw, c->i};
  tsr__parallel_for(ctx, c->n * c->o * c->oh, tsr__conv_grain(&each), run_rows, &l);
}
