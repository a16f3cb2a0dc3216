/* Plain loops: a row of outputs at a time, read and written where they lie. */
#include "nn/conv/loops.h"

#include "cpu/parallel.h"
#include "nn/conv/algorithm.h"
#include "nn/conv/work.h"

typedef struct loops {
  const tsr__conv *c;
  const tsr__conv_tensors *t;
  tsr__conv_row_fn *row;
  ptrdiff_t item;
} loops;

static tsr__conv_row_fn *row_of(int isa, int dtype) {
  static tsr__conv_row_fn *const *const all[] = TSR__FOR_ISAS(tsr__conv_rows);
  return all[isa][dtype];
}

/* Row number task of (n, o, oh). */
static void run_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const loops *const l = arg;
  const tsr__conv *const c = l->c;
  const tsr__conv_tensors *const t = l->t;
  (void)worker;
  tsr__conv_row r = {.c = c, .t = t};
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index y = task % c->oh, o = task / c->oh % c->o, n = task / c->oh / c->o, g = o / (c->o / c->groups);
    r.x = (const char *)t->x + l->item * (n * t->xs[0] + g * c->i * t->xs[1]);
    r.w = (const char *)t->w + l->item * o * t->ws[0];
    r.bias = t->bias != NULL ? (const char *)t->bias + l->item * o * t->bias_step : NULL;
    r.out = (char *)t->out + l->item * (n * t->os[0] + o * t->os[1] + y * t->os[2]);
    r.y = y * c->sh - c->top;
    l->row(&r);
  }
}

void tsr__conv_run_loops(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_tensors *t) {
  loops l = {c, t, row_of(c->isa, c->compute), (ptrdiff_t)tsr_dtype_describe(c->compute)->bytes};
  const tsr__conv_work each = {16 * c->ow, c->kh * c->kw, c->i};
  tsr__parallel_for(ctx, c->n * c->o * c->oh, tsr__conv_grain(&each), run_rows, &l);
}

#if TSR__CONV_FAST
const tsr__conv_algorithm tsr__conv_loops = {
    .name = "loops",
    .options = 1 << TSR_CONV_AUTO | 1 << TSR_CONV_DIRECT | 1 << TSR_CONV_GEMM,
    .run_tensors = tsr__conv_run_loops,
};
#endif
