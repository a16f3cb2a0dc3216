/* f32 convolutions where flash and RAM are small. Outputs whose filters meet the same taps of x, all of them away from
 * its edges, are one rectangle: any four of its outputs share a block. */
#include "nn/conv/blocks.h"

#include "nn/conv/conv.h"

#if !TSR_HAVE_MALLOC

enum { SIDE = TSR__CONV_BLOCK };

/* Outputs first … first + outs of an axis that meet taps tap … tap + taps of their filter. */
typedef struct span {
  tsr_index first, outs, tap, taps;
} span;

/* An axis of x: how outputs and taps lie on it. */
typedef struct axis {
  tsr_index in, out, kernel, stride, dilation, before;
} axis;

/* The taps that output number at meets. */
static span span_at(const axis *a, tsr_index at) {
  const tsr_index from = at * a->stride - a->before, skipped = from < 0 ? (-from + a->dilation - 1) / a->dilation : 0;
  const tsr_index inside = from < a->in ? (a->in - 1 - from) / a->dilation + 1 : 0;
  const tsr_index end = inside < a->kernel ? inside : a->kernel;
  return (span){at, 1, skipped, end > skipped ? end - skipped : 0};
}

/* The span that begins at output number at. */
static span next_span(const axis *a, tsr_index at) {
  span s = span_at(a, at);
  for (; at + s.outs < a->out; s.outs++) {
    const span more = span_at(a, at + s.outs);
    if (more.tap != s.tap || more.taps != s.taps) break;
  }
  return s;
}

typedef struct blocks {
  const tsr__conv *c;
  const tsr__conv_blocks *kernels;
  tsr__conv_tensors t; /* not a pointer: that is a load more for each filter */
  const float *x;      /* of one image */
  float *out;
  tsr__conv_block block; /* steps and counts are those of the rectangle */
} blocks;

/* Axes of length 1 do not count: the innermost one is to be long. */
static void drop_short_axes(tsr__conv_block *b) {
  for (int k = 0; k < 2 && b->count[2] == 1; k++)
    for (int i = 2; i > 0; i--) {
      b->count[i] = b->count[i - 1];
      b->x_step[i] = b->x_step[i - 1];
      b->w_step[i] = b->w_step[i - 1];
      b->count[i - 1] = 1;
    }
}

/* Axis i of a block: so many taps, their steps in x and in a filter. */
static void set_axis(tsr__conv_block *b, int i, tsr_index count, tsr_index x_step, tsr_index w_step) {
  b->count[i] = count;
  b->x_step[i] = x_step;
  b->w_step[i] = w_step;
}

/* Channels inside, where they lie side by side in x and in filters; columns and they are one line where that has no gaps.
 * Returns whether it is so. */
static bool set_lines(blocks *k, const span *y, const span *x) {
  const tsr__conv *const c = k->c;
  tsr__conv_block *const b = &k->block;
  const tsr_index column = c->dw * k->t.xs[3];
  if (k->t.xs[1] != 1 || k->t.ws[1] != 1 || c->i == 1) return false;
  set_axis(b, 0, y->taps, c->dh * k->t.xs[2], k->t.ws[2]);
  if (column == c->i && k->t.ws[3] == c->i) {
    set_axis(b, 1, 1, 0, 0);
    set_axis(b, 2, x->taps * c->i, 1, 1);
  } else {
    set_axis(b, 1, x->taps, column, k->t.ws[3]);
    set_axis(b, 2, c->i, 1, 1);
  }
  return true;
}

static void set_taps(blocks *k, const span *y, const span *x) {
  const tsr__conv *const c = k->c;
  tsr__conv_block *const b = &k->block;
  *b = (tsr__conv_block){.o_step = k->t.os[1]};
  if (!set_lines(k, y, x)) {
    set_axis(b, 0, c->i, k->t.xs[1], k->t.ws[1]);
    set_axis(b, 1, y->taps, c->dh * k->t.xs[2], k->t.ws[2]);
    set_axis(b, 2, x->taps, c->dw * k->t.xs[3], k->t.ws[3]);
    drop_short_axes(b);
  }
  for (int i = 0; i < 2; i++) { /* from where the axis inside leads to */
    b->x_step[i] -= b->count[i + 1] * b->x_step[i + 1];
    b->w_step[i] -= b->count[i + 1] * b->w_step[i + 1];
  }
}

/* A way through a rectangle of outputs, row by row. */
typedef struct walk {
  const float *x;
  float *out;
  tsr_index left, rows;                   /* of this row and of the rectangle */
  tsr_index x_step, x_row, o_step, o_row; /* to the next output, and from the end of a row to the next row */
  tsr_index columns;
} walk;

static walk walk_of(const blocks *k, const span *y, const span *x, const float *from, float *to) {
  const tsr__conv *const c = k->c;
  const tsr_index iy = y->first * c->sh - c->top + y->tap * c->dh, ix = x->first * c->sw - c->left + x->tap * c->dw;
  walk w = {.left = x->outs, .rows = y->outs, .columns = x->outs};
  w.x = from + iy * k->t.xs[2] + ix * k->t.xs[3];
  w.out = to + y->first * k->t.os[2] + x->first * k->t.os[3];
  w.x_step = c->sw * k->t.xs[3];
  w.o_step = k->t.os[3];
  w.x_row = c->sh * k->t.xs[2] - x->outs * w.x_step;
  w.o_row = k->t.os[2] - x->outs * w.o_step;
  return w;
}

/* n outputs further on in this row. */
static void walk_on(walk *w, int n) {
  w->left -= n;
  if (w->left > 0) return;
  w->left = w->columns;
  w->rows--;
  w->x += w->x_row;
  w->out += w->o_row;
}

/* The next four outputs, or as many as are left and the first of them again. Returns how many. */
static int take_outputs(walk *w, const float **x, float **out) {
  int n = 0;
  if (w->left >= SIDE) {
    for (; n < SIDE; n++, w->x += w->x_step, w->out += w->o_step) {
      x[n] = w->x;
      out[n] = w->out;
    }
    walk_on(w, SIDE);
    return SIDE;
  }
  for (; n < SIDE && w->rows > 0; n++) {
    x[n] = w->x;
    out[n] = w->out;
    w->x += w->x_step;
    w->out += w->o_step;
    walk_on(w, 1);
  }
  for (int i = n; i < SIDE; i++) {
    x[i] = x[0];
    out[i] = out[0];
  }
  return n;
}

/* No tap lies inside x. */
static void store_start(const tsr__conv_block *b, int filters) {
  for (int p = 0; p < SIDE; p++)
    for (int f = 0; f < filters; f++) b->out[p][f * b->o_step] = b->start[f];
}

/* Filters o … o + filters, all of one group, over a rectangle: four of them, or one. */
static void run_filters(blocks *k, const span *y, const span *x, tsr_index o, int filters) {
  const tsr__conv *const c = k->c;
  const tsr_index group = o / (c->o / c->groups);
  const bool some = c->i > 0 && y->taps > 0 && x->taps > 0;
  tsr__conv_block *const b = &k->block;
  walk w = walk_of(k, y, x, k->x + group * c->i * k->t.xs[1], k->out + o * k->t.os[1]);
  for (int f = 0; f < filters; f++) {
    b->w[f] = (const float *)k->t.w + (o + f) * k->t.ws[0] + y->tap * k->t.ws[2] + x->tap * k->t.ws[3];
    b->start[f] = k->t.bias != NULL ? ((const float *)k->t.bias)[(o + f) * k->t.bias_step] : 0.0f;
  }
  while (w.rows > 0) {
    const int n = take_outputs(&w, b->x, b->out);
    if (!some)
      store_start(b, filters);
    else if (filters == 1)
      k->kernels->one(b);
    else
      (n > 2 ? k->kernels->four : k->kernels->pair)(b);
  }
}

static void run_rectangle(blocks *k, const span *y, const span *x) {
  const tsr__conv *const c = k->c;
  const tsr_index each = c->o / c->groups;
  set_taps(k, y, x);
  for (tsr_index o = 0; o < c->o;) {
    const int filters = each - o % each >= SIDE ? SIDE : 1;
    run_filters(k, y, x, o, filters);
    o += filters;
  }
}

static void run_image(blocks *k) {
  const tsr__conv *const c = k->c;
  const axis rows = {c->h, c->oh, c->kh, c->sh, c->dh, c->top}, columns = {c->w, c->ow, c->kw, c->sw, c->dw, c->left};
  for (tsr_index y = 0; y < c->oh;) {
    const span down = next_span(&rows, y);
    for (tsr_index x = 0; x < c->ow;) {
      const span right = next_span(&columns, x);
      run_rectangle(k, &down, &right);
      x += right.outs;
    }
    y += down.outs;
  }
}

void tsr__conv_run_blocks(const tsr_ctx *ctx, const tsr__conv *c, const tsr__conv_tensors *t) {
  static const tsr__conv_blocks *const all[] = TSR__AT_FOR_ISAS(tsr__conv_blocks);
  blocks k = {.c = c, .kernels = all[c->isa], .t = *t, .x = t->x, .out = t->out};
  (void)ctx;
  for (tsr_index n = 0; n < c->n; n++) {
    run_image(&k);
    k.x += t->xs[0];
    k.out += t->os[0];
  }
}

#endif
