/* Plain kernels with pairs of i16: four patches at once, every filter (smlad.h). */
#include "nn/quant/plain/plain.h"

#if defined(TSR__SMLAD)

void tsr__q_plain_init(tsr__q_plain *a) {
  const tsr__q_run *const q = a->q;
  const tsr_index filters = q->c.o / q->c.groups, k = tsr__q_patch_length(q);
  const tsr_qlayer *const l = q->layer;
  const bool full = k % 16 == 0 && l->low == -128 && l->high == 127 && q->os[1] == 1;
  a->four = q->short_ends && !q->asymmetric;
  a->points = a->points && a->four && q->c.i % 4 == 0;
  a->run = full ? tsr__smlad_four_signed : k % 16 == 0 ? tsr__smlad_four_clamped : tsr__smlad_four_any;
  a->with.bias = q->table[TSR__Q_BIAS] + filters;
  a->with.multiplier = q->table[TSR__Q_MULTIPLIER] + filters;
  a->with.shift = q->table[TSR__Q_SHIFT] + filters;
  a->with.zero = 2 * (full ? l->out_zero : l->out_zero - l->low) + 1;
  a->with.step = q->os[1];
  a->with.w = q->w;
  a->with.rest = (int32_t)(k % 4);
  a->with.above = 255 - (l->high - l->low);
  a->with.below = l->high - 255;
}

/* Every filter of a group with the patches in f, whose results go to channel 0 of the outputs in f and those after. */
static void run_group(const tsr__q_plain *a, tsr_index group, tsr__smlad_four *f) {
  const tsr__q_run *const q = a->q;
  const tsr_index filters = q->c.o / q->c.groups;
  for (int i = 0; i < TSR__Q_PLAIN_BLOCK; i++) f->out[i] += (ptrdiff_t)filters * q->os[1];
  f->i = -(int32_t)filters;
  f->bias = a->with.bias + group * filters;
  f->multiplier = a->with.multiplier + group * filters;
  f->shift = a->with.shift + group * filters;
  f->w = a->with.w + group * filters * tsr__q_patch_length(q);
  a->run(f);
}

void tsr__q_plain_fours(const tsr__q_plain *a, tsr__q_plain_worker *w) {
  const tsr__q_run *const q = a->q;
  const tsr__q_place *const p = w->p;
  tsr__smlad_four *const f = &w->four;
  for (int i = 0; i < TSR__Q_PLAIN_BLOCK; i++) f->out[i] = p[i].out;
  for (tsr_index g = 0; g < q->c.groups; g++) {
    for (int i = 0; i < TSR__Q_PLAIN_BLOCK; i++)
      tsr__q_patch_of_four(q, &p[i], (ptrdiff_t)(g * q->c.i) * q->xs[1], i, f->patches);
    run_group(a, g, f);
  }
}

tsr_index tsr__q_plain_points(const tsr__q_plain *a, tsr__q_plain_worker *w, tsr_index most) {
  const tsr__q_run *const q = a->q;
  const tsr__q_place *const p = &w->p[0];
  tsr__smlad_four *const f = &w->four;
  const ptrdiff_t step = (ptrdiff_t)q->c.sw * q->xs[3], out_step = q->os[3];
  const tsr_index in_row = (q->c.ow - p->x) / TSR__Q_PLAIN_BLOCK, blocks = in_row < most ? in_row : most;
  const tsr_index channels = q->c.i;
  const int32_t past = -(int32_t)q->c.o;
  void (*const run)(tsr__smlad_four *) = a->run;
  const char *x = p->at;
  char *const patches = f->patches, *out = p->out + (ptrdiff_t)q->c.o * q->os[1];
  for (tsr_index left = blocks; left > 0;
       left--, x += TSR__Q_PLAIN_BLOCK * step, out += TSR__Q_PLAIN_BLOCK * out_step) {
    tsr__smlad_pairs_of_points(channels, x, step, patches);
    f->out[0] = out;
    f->out[1] = out + out_step;
    f->out[2] = out + 2 * out_step;
    f->out[3] = out + 3 * out_step;
    f->i = past;
    run(f);
  }
  return blocks;
}

#endif
