/* Quantised layers in plain loops. The numbers of x that an output meets are gathered into a patch, which then meets the
 * filters; where instructions allow, four patches at once. */
#include "cpu/dsp.h"

#if !defined(TSR__SMLAD) /* whose loops are by hand */
#include "cpu/fast_when_small.h"
#endif

#include "nn/quant/plain/plain.h"
#include "cpu/parallel.h"

enum { BLOCK = TSR__Q_PLAIN_BLOCK };

static void place_at(const tsr__q_run *q, tsr_index n, tsr_index y, tsr_index x, tsr__q_place *p) {
  const tsr__conv *const c = &q->c;
  p->n = n;
  p->y = y;
  p->x = x;
  p->at = q->x + (ptrdiff_t)n * q->xs[0] + (ptrdiff_t)(y * c->sh - c->top) * q->xs[2] +
          (ptrdiff_t)(x * c->sw - c->left) * q->xs[3];
  p->out = q->out + (ptrdiff_t)n * q->os[0] + (ptrdiff_t)y * q->os[2] + (ptrdiff_t)x * q->os[3];
}

/* The output steps after this one; steps do not leave the row, or are 1. */
static inline void go_on(const tsr__q_run *q, const tsr__q_place *p, tsr_index steps, tsr__q_place *next) {
  if (p->x + steps < q->c.ow) {
    next->n = p->n;
    next->y = p->y;
    next->x = p->x + steps;
    next->at = p->at + (ptrdiff_t)(steps * q->c.sw) * q->xs[3];
    next->out = p->out + (ptrdiff_t)steps * q->os[3];
  } else {
    const bool below = p->y + 1 < q->c.oh;
    place_at(q, below ? p->n : p->n + 1, below ? p->y + 1 : 0, 0, next);
  }
}

/* The block from w->p[0] on, of count outputs; w->p[0] becomes the one after them. */
static void run_block(const tsr__q_plain *a, int count, tsr__q_plain_worker *w) {
  const tsr__q_run *const q = a->q;
  tsr__q_place *const p = w->p;
  for (int i = 1; i < count; i++) go_on(q, &p[i - 1], 1, &p[i]);
#if defined(TSR__SMLAD)
  if (a->four && count > 2) {
    if (count == 3) p[3] = p[2]; /* done twice */
    tsr__q_plain_fours(a, w);
    go_on(q, &p[count - 1], 1, &p[0]);
    return;
  }
#endif
  for (tsr_index g = 0; g < q->c.groups; g++)
    for (int i = 0; i < count; i++)
#if defined(TSR__MVE)
      if (a->vectors)
        tsr__q_plain_vectors(a, &p[i], g, w->room);
      else
#endif
        tsr__q_plain_one(q, &p[i], g, w->room);
  go_on(q, &p[count - 1], 1, &p[0]);
}

static void run_blocks(void *arg, tsr_index begin, tsr_index end, int worker) {
  const tsr__q_plain *const a = arg;
  const tsr__q_run *const q = a->q;
  const tsr_index first = begin * BLOCK, size = q->c.oh * q->c.ow;
  tsr__q_plain_worker w;
  w.room = q->scratch + (size_t)worker * q->each;
#if defined(TSR__SMLAD)
  w.four = a->with;
  w.four.patches = w.room;
  w.four.end = w.room + (size_t)tsr__q_patch_length(q) / 4 * 32;
#endif
  place_at(q, first / size, first % size / q->c.ow, first % q->c.ow, &w.p[0]);
  for (tsr_index block = begin; block < end;) {
#if defined(TSR__SMLAD) || defined(TSR__MVE)
    if (a->points && w.p[0].x + BLOCK <= q->c.ow) {
      const tsr_index blocks = tsr__q_plain_points(a, &w, end - block);
      go_on(q, &w.p[0], blocks * BLOCK, &w.p[0]);
      block += blocks;
      continue;
    }
#endif
    const tsr_index left = a->outputs - block * BLOCK;
    run_block(a, left < BLOCK ? (int)left : BLOCK, &w);
    block++;
  }
}

size_t tsr__q_plain_filters_scratch(const tsr__q_run *q) {
  size_t patch;
  if (!tsr__q_patch_bytes(q, &patch)) return SIZE_MAX;
#if defined(TSR__SMLAD)
  const bool four = q->c.n * q->c.oh * q->c.ow > 2;
  if (!tsr__mul_size(patch, four ? tsr__q_patch_in_pairs(q) ? 4 : 5 : 1, &patch)) return SIZE_MAX;
#endif
  return patch;
}

size_t tsr__q_plain_scratch(const tsr_ctx *ctx, tsr__q_run *q) {
  size_t all;
  q->each = 0;
  if (q->depthwise) return tsr__q_plain_depthwise_scratch(q);
  q->each = tsr__q_plain_filters_scratch(q);
  return tsr__mul_size(q->each, (size_t)tsr__parallel(ctx)->max_workers, &all) ? all : SIZE_MAX;
}

#if TSR_HAVE_OPS

size_t tsr__q_plain_scratch_anywhere(const tsr__q_run *q) {
  size_t patch;
  if (q->depthwise) return tsr__q_plain_depthwise_scratch(q);
  if (!tsr__mul_size((size_t)tsr__q_patch_length(q), 2, &patch) || patch > SIZE_MAX / 8) return SIZE_MAX;
  patch = tsr__align_up(patch, 8);
  if (q->c.n * q->c.oh * q->c.ow <= 2) return patch;
  return patch * (q->layer->x_dtype != TSR_I16 && q->xs[1] == 1 && q->c.i % 4 == 0 ? 4 : 5);
}

#endif

void tsr__q_plain_filters(const tsr_ctx *ctx, const tsr__q_run *q) {
  tsr__q_plain a;
  a.q = q;
  a.outputs = q->c.n * q->c.oh * q->c.ow;
#if defined(TSR__SMLAD) || defined(TSR__MVE)
  a.points = q->c.groups == 1 && q->layer->x_dtype == TSR_I8 && q->xs[1] == 1 && tsr__q_patch_is_point(q);
  tsr__q_plain_init(&a);
#endif
  const tsr_index each = BLOCK * q->c.o * tsr__q_patch_length(q) + 1;
  tsr__parallel_for(ctx, a.outputs / BLOCK + (a.outputs % BLOCK != 0), TSR__Q_PLAIN_GRAIN / each + 1, run_blocks, &a);
}

void tsr__q_plain_rows(const tsr__q_run *q) {
  tsr__q_place p = {.at = q->x, .out = q->out};
#if defined(TSR__MVE)
  tsr__q_plain a = {.q = q};
  tsr__q_plain_init(&a);
#endif
  for (tsr_index n = q->c.n; n > 0; n--, p.at += q->xs[0], p.out += q->os[0])
#if defined(TSR__MVE)
    if (a.vectors)
      tsr__q_plain_vectors(&a, &p, 0, q->scratch);
    else
#endif
      tsr__q_plain_one(q, &p, 0, q->scratch);
}

void tsr__q_plain_run(const tsr_ctx *ctx, const tsr__q_run *q) {
  if (q->depthwise)
    tsr__q_plain_depthwise(ctx, q);
  else
    tsr__q_plain_filters(ctx, q);
}
