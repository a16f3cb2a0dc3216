/* Depthwise convolutions on hosts: rows of outputs, shared out to threads. */
#include "nn/quant/depthwise.h"

#include "cpu/parallel.h"
#include "nn/conv/work.h"
#include "nn/quant/panels.h"

#include <string.h>

#if TSR__Q_FAST

bool tsr__q_depthwise_fits(const tsr__q_run *q) {
  const ptrdiff_t item = q->layer->x_dtype == TSR_I16 ? 2 : 1, out = q->layer->out_dtype == TSR_I16 ? 2 : 1;
  return q->depthwise && q->c.o == q->c.c && !q->asymmetric && q->c.last && q->xs[1] == item &&
         q->c.kh <= TSR__Q_TAPS_HIGH && q->os[1] == out;
}

size_t tsr__q_depthwise_scratch(const tsr__q_run *q) { return (size_t)q->c.c * 2; }

static tsr__q_depthwise_fn *kernel_of(const tsr__q_run *q, int isa) {
#define X(isa) tsr__q_depthwise_##isa,
  static tsr__q_depthwise_fn *const any[TSR__ISA_COUNT] = {TSR_ISA_LIST(X)};
#undef X
#if defined(TSR_WITH_avx512)
  const tsr_qlayer *const l = q->layer;
  if (tsr__q_has_bytes(isa) && q->high && q->c.kh == 3 && q->c.kw == 3 && q->c.dh == 1 && q->c.dw == 1 &&
      l->x_dtype != TSR_I16 && l->out_dtype != TSR_I16)
    return tsr__q_depthwise_3_avx512;
#endif
  (void)q;
  return any[isa];
}

typedef struct work {
  const tsr__q_run *q;
  tsr__q_depthwise_fn *kernel;
} work;

static void run_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const work *const w = arg;
  const tsr__q_run *const q = w->q;
  const tsr__conv *const c = &q->c;
  const tsr_qlayer *const l = q->layer;
  (void)worker;
  tsr__q_depthwise d = {.zeros = q->scratch,
                        .channels = c->c,
                        .w = c->w,
                        .ow = c->ow,
                        .kh = c->kh,
                        .kw = c->kw,
                        .stride = c->sw,
                        .dilation = c->dw,
                        .left = c->left,
                        .weights = q->w};
  d.bias = q->table[TSR__Q_BIAS];
  d.multiplier = q->table[TSR__Q_MULTIPLIER];
  d.shift = q->table[TSR__Q_SHIFT];
  d.zero = l->out_zero;
  d.low = l->low;
  d.high = l->high;
  d.x_dtype = l->x_dtype;
  d.out_dtype = l->out_dtype;
  d.fast_end = q->high;
  d.out_step = q->os[3];
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index n = task / c->oh, y = task % c->oh;
    for (tsr_index ky = 0; ky < c->kh; ky++) {
      const tsr_index iy = y * c->sh - c->top + ky * c->dh;
      const bool inside = iy >= 0 && iy < c->h;
      d.row[ky] = inside ? q->x + (ptrdiff_t)n * q->xs[0] + (ptrdiff_t)iy * q->xs[2] : d.zeros;
      d.step[ky] = inside ? q->xs[3] : 0;
    }
    d.out = q->out + (ptrdiff_t)n * q->os[0] + (ptrdiff_t)y * q->os[2];
    w->kernel(&d);
  }
}

void tsr__q_run_depthwise(const tsr_ctx *ctx, const tsr__q_run *q) {
  work w = {q, kernel_of(q, tsr__isa_of(ctx))};
  const tsr__conv_work each = {q->c.ow, q->c.kh * q->c.kw, q->c.o};
  for (tsr_index i = 0; i < q->c.c; i++) {
    if (q->layer->x_dtype == TSR_I16)
      ((int16_t *)(void *)q->scratch)[i] = (int16_t)q->layer->x_zero;
    else
      q->scratch[i] = (char)q->layer->x_zero;
  }
  tsr__parallel_for(ctx, q->c.n * q->c.oh, tsr__conv_grain(&each), run_rows, &w);
}

#else

bool tsr__q_depthwise_fits(const tsr__q_run *q) {
  (void)q;
  return false;
}

size_t tsr__q_depthwise_scratch(const tsr__q_run *q) {
  (void)q;
  return 0;
}

void tsr__q_run_depthwise(const tsr_ctx *ctx, const tsr__q_run *q) { (void)ctx, (void)q; }

#endif
