/* Depthwise convolutions on hosts: rows of outputs, shared out to threads. */
#include "nn/quant/fast/depthwise.h"

#include "cpu/parallel.h"
#include "nn/conv/work.h"
#include "nn/quant/fast/fast.h"

#include <string.h>

#if TSR__Q_FAST

bool tsr__q_fast_depthwise_fits(const tsr__q_run *q) {
  return q->depthwise && q->c.o == q->c.c && !q->asymmetric && q->c.last && q->c.kh <= TSR__Q_TAPS_HIGH &&
         q->xs[1] == tsr__quant_item(q->layer->x_dtype) && q->os[1] == tsr__quant_item(q->layer->out_dtype);
}

size_t tsr__q_fast_depthwise_scratch(const tsr__q_run *q) { return (size_t)q->c.c * 2; }

typedef struct work {
  const tsr__q_run *q;
  void (*kernel)(const tsr__q_depthwise *d);
} work;

static work work_of(const tsr__q_run *q, int isa) {
  static const tsr__q_depthwise_kernels *const all[TSR__ISA_COUNT] = TSR__AT_FOR_ISAS(tsr__q_depthwise);
  const tsr_qlayer *const l = q->layer;
  const bool three = q->high && q->c.kh == 3 && q->c.kw == 3 && q->c.dh == 1 && q->c.dw == 1 && l->x_dtype != TSR_I16 &&
                     l->out_dtype != TSR_I16;
  const bool dots = three && all[isa]->dots_3 != NULL && tsr__isa_has_byte_dots();
  return (work){q, dots ? all[isa]->dots_3 : all[isa]->any};
}

static void run_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const work *const w = arg;
  const tsr__q_run *const q = w->q;
  const tsr__conv *const c = &q->c;
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
                        .weights = q->w,
                        .end = tsr__q_ends_of(q->layer, q->high, q->table[TSR__Q_BIAS], q->table[TSR__Q_MULTIPLIER],
                                              q->table[TSR__Q_SHIFT]),
                        .x_dtype = q->layer->x_dtype,
                        .out_step = q->os[3]};
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

void tsr__q_fast_depthwise(const tsr_ctx *ctx, const tsr__q_run *q) {
  work w = work_of(q, tsr__isa_of(ctx));
  const tsr__conv_work each = {q->c.ow, q->c.kh * q->c.kw, q->c.o};
  const int dtype = q->layer->x_dtype;
  for (tsr_index i = 0; i < q->c.c; i++)
    tsr__quant_store(dtype, q->scratch + (ptrdiff_t)i * tsr__quant_item(dtype), q->layer->x_zero);
  tsr__parallel_for(ctx, q->c.n * q->c.oh, tsr__conv_grain(&each), run_rows, &w);
}

#endif
