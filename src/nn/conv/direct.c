#include "nn/conv/direct.h"

#include "core/dtypes.h"
#include "cpu/parallel.h"
#include "nn/conv/work.h"
#include "ops/move/target.h"

enum { CHUNK = TSR_HAVE_MALLOC ? 256 : 32 }; /* outputs whose sums lie on the stack */

/* a / b rounded up; b > 0. */
static tsr_index over(tsr_index a, tsr_index b) { return a > 0 ? (a - 1) / b + 1 : -(-a / b); }

static tsr_index greater(tsr_index a, tsr_index b) { return a > b ? a : b; }
static tsr_index lesser(tsr_index a, tsr_index b) { return a < b ? a : b; }

/* A line of one element, or none, has steps that mean nothing: they may be too long to be bytes. */
static tsr__conv_direct_line line_of(tsr_index from, tsr_index step, tsr_index to, tsr_index to_step, tsr_index count) {
  return count > 1 ? (tsr__conv_direct_line){from, step, to, to_step, count}
                   : (tsr__conv_direct_line){from, 1, to, 1, count};
}

/* Indices s of one row and s·stride + offset of the other, both of them inside. */
tsr__conv_direct_line tsr__conv_direct_line_of(const tsr__conv_direct *t, tsr_index first, tsr_index n, tsr_index k) {
  const tsr__conv_direct_axis *const a = &t->axis[2];
  const tsr_index offset = k * a->dilation - a->before;
  if (t->transposed) { /* s in x, the other in the outputs */
    const tsr_index from = greater(0, over(first - offset, a->stride));
    const tsr_index end = lesser(a->in, over(first + n - offset, a->stride));
    if (end <= from) return line_of(0, 1, 0, 1, 0);
    return line_of(from, 1, from * a->stride + offset - first, a->stride, end - from);
  }
  const tsr_index from = greater(first, over(-offset, a->stride));
  const tsr_index end = lesser(first + n, over(a->in - offset, a->stride));
  if (end <= from) return line_of(0, 1, 0, 1, 0);
  return line_of(from * a->stride + offset, a->stride, from - first, 1, end - from);
}

#define TEMPLATE "nn/conv/direct.tmpl.h"
#include "nn/each_float.h"

static tsr__conv_direct_fn *const rows[TSR_DTYPE_COUNT] = {TSR__BY_FLOAT(row)};

typedef struct walk {
  const tsr__conv_direct *t;
  const char *x, *w, *bias;
  char *out;
  tsr__conv_direct_fn *row;
} walk;

/* Where filter o begins: a transposed convolution's are numbered inside their group, beside its channels. */
static ptrdiff_t filter_at(const tsr__conv_direct *t, tsr_index o) {
  const ptrdiff_t group = (ptrdiff_t)(o / t->made);
  if (!t->transposed) return t->ws[TSR__IMAGE_N] * (ptrdiff_t)o;
  return t->ws[TSR__IMAGE_C] * (ptrdiff_t)t->each * group + t->ws[TSR__IMAGE_N] * (ptrdiff_t)(o % t->made);
}

/* Rows (n, o, d, h). */
static void add_rows(void *arg, tsr_index begin, tsr_index end, int worker) {
  const walk *const k = arg;
  const tsr__conv_direct *const t = k->t;
  (void)worker;
  for (tsr_index task = begin; task < end; task++) {
    const tsr_index h = task % t->axis[1].out, above = task / t->axis[1].out, d = above % t->axis[0].out;
    const tsr_index o = above / t->axis[0].out % t->o, n = above / t->axis[0].out / t->o;
    const ptrdiff_t channel = (ptrdiff_t)(o / t->made * t->each);
    const tsr__conv_direct_row row = {.x = k->x + t->xs[TSR__IMAGE_N] * (ptrdiff_t)n + t->xs[TSR__IMAGE_C] * channel,
                                      .w = k->w + filter_at(t, o),
                                      .bias = k->bias != NULL ? k->bias + t->bias_step * (ptrdiff_t)o : NULL,
                                      .d = d,
                                      .h = h,
                                      .out = k->out + t->os[TSR__IMAGE_N] * (ptrdiff_t)n +
                                             t->os[TSR__IMAGE_C] * (ptrdiff_t)o + t->os[TSR__IMAGE_D] * (ptrdiff_t)d +
                                             t->os[TSR__IMAGE_H] * (ptrdiff_t)h};
    k->row(t, &row);
  }
}

/* Steps of filters: N from one to the next, C from one channel of x to the next. */
static void filter_steps(tsr__conv_direct *t) {
  const ptrdiff_t item = tsr__item(t->w);
  const int spatial = t->image.spatial, n = t->transposed ? 1 : 0;
  t->ws[TSR__IMAGE_N] = (ptrdiff_t)t->w->stride[n] * item;
  t->ws[TSR__IMAGE_C] = (ptrdiff_t)t->w->stride[1 - n] * item;
  for (int i = 0; i < 3; i++) {
    const int own = i - (3 - spatial);
    t->ws[TSR__IMAGE_D + i] = own >= 0 ? (ptrdiff_t)t->w->stride[2 + own] * item : 0;
  }
}

static void add_taps(const tsr_ctx *ctx, tsr__conv_direct *t, const tsr_tensor *out) {
  walk k = {t, t->x->data, t->w->data, t->bias != NULL ? t->bias->data : NULL, out->data, rows[t->x->dtype]};
  tsr__image_steps(&t->image, t->x, t->xs);
  tsr__image_steps(&t->image, out, t->os);
  filter_steps(t);
  if (t->bias != NULL) t->bias_step = (ptrdiff_t)t->bias->stride[0] * tsr__item(t->bias);
  if (tsr_size(t->x) == 0 || tsr_size(t->w) == 0) { /* nothing is read, but pointers are made */
    k.x = k.w = out->data;
    for (int i = 0; i < TSR__IMAGE_AXES; i++) t->xs[i] = t->ws[i] = 0;
  }
  const tsr_index taps = t->axis[0].kernel * t->axis[1].kernel * t->axis[2].kernel;
  const tsr__conv_work each = {t->axis[2].out, taps, t->each};
  const tsr_index count = t->image.shape[TSR__IMAGE_N] * t->o * t->axis[0].out * t->axis[1].out;
  tsr__parallel_for(ctx, count, tsr__conv_grain(&each), add_rows, &k);
}

tsr_status tsr__conv_direct_run(tsr__call *call, int spatial, bool transposed, const tsr__conv_direct_attrs *attrs) {
  const tsr_tensor *const *const in = call->in;
  tsr__conv_direct t = {.op = call->op, .transposed = transposed, .x = in[0], .w = in[1], .bias = in[2]};
  tsr_index shape[TSR__IMAGE_AXES];
  tsr__target target;
  tsr_status st = tsr__conv_direct_check(call->ctx, &t, spatial, attrs);
  if (st != TSR_OK) return st;
  const tsr_index lengths[TSR__IMAGE_AXES] = {t.image.shape[TSR__IMAGE_N], t.o, t.axis[0].out, t.axis[1].out,
                                              t.axis[2].out};
  tsr__image_shape(&t.image, lengths, shape);
  const tsr__result result = {in[0]->dtype, in[0]->layout, in[0]->ndim, shape, NULL};
  st = tsr__call_target(call, &result, &target);
  if (st != TSR_OK) return st;
  if (target.bytes > 0) add_taps(call->ctx, &t, &target.view);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}
