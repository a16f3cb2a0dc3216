/* Plain kernels with vectors of bytes: from the dots to the results (mve.h). */
#include "cpu/fast_when_small.h"

#include "nn/quant/plain/plain.h"

#if defined(TSR__MVE)

static bool in_vectors(const tsr__q_run *q) {
  return tsr__q_patch_narrow(q) && q->high && !q->asymmetric && q->layer->out_dtype != TSR_I16 && q->os[1] == 1 &&
         q->c.o / q->c.groups >= 4;
}

static tsr__mve_filters filters_of(const tsr__q_run *q, tsr_index group) {
  const tsr_index filters = q->c.o / q->c.groups, first = group * filters;
  tsr__mve_filters f = tsr__q_plain_mve_ends(q, first, filters);
  f.k = tsr__q_patch_length(q);
  f.w = q->w + first * f.k;
  f.bias = q->table[TSR__Q_BIAS] + first;
  return f;
}

void tsr__q_plain_vectors(const tsr__q_plain *a, const tsr__q_place *p, tsr_index group, char *room) {
  const tsr__q_run *const q = a->q;
  const int8_t *const patch = (const int8_t *)tsr__q_patch_of(q, p, (ptrdiff_t)(group * q->c.i) * q->xs[1], room);
  tsr__mve_filters other;
  if (group > 0) other = filters_of(q, group);
  tsr__mve_run(group > 0 ? &other : &a->filters, patch, p->out + group * a->filters.count);
}

void tsr__q_plain_init(tsr__q_plain *a) {
  a->vectors = in_vectors(a->q);
  a->points = a->points && a->vectors;
  a->filters = filters_of(a->q, 0);
}

tsr_index tsr__q_plain_points(const tsr__q_plain *a, tsr__q_plain_worker *w, tsr_index most) {
  const tsr__q_place *const p = &w->p[0];
  const tsr__q_run *const q = a->q;
  const tsr_index in_row = (q->c.ow - p->x) / TSR__Q_PLAIN_BLOCK, blocks = in_row < most ? in_row : most;
  const ptrdiff_t step = (ptrdiff_t)q->c.sw * q->xs[3], out_step = q->os[3];
  const char *x = p->at;
  char *out = p->out;
  if (q->c.i <= 16)
    tsr__mve_points(&a->filters, x, step, out, out_step, blocks * TSR__Q_PLAIN_BLOCK);
  else
    for (tsr_index left = blocks * TSR__Q_PLAIN_BLOCK; left > 0; left--, x += step, out += out_step)
      tsr__mve_run(&a->filters, (const int8_t *)x, out);
  return blocks;
}

#endif
