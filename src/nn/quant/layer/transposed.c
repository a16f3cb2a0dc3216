/* Transposed convolutions: with strides s, the outputs whose row and column leave the same remainders by s are a convolution of x with
 * stride 1 and every s-th tap of the filters, back to front. Each of these phases runs by the kernels of convolutions. */
#include "core/normalise.h"
#include "core/table.h"
#include "core/tensor.h"
#include "nn/image.h"
#include "nn/quant/layer/layer.h"
#include "nn/quant/ops.h"
#include "nn/quant/plain/plain.h"
#include "ops/move/target.h"

#include <tessera/layout.h>

/* ---- phases ---- */

/* One axis of all: outputs i = phase + stride · j. */
typedef struct axis {
  tsr_index in, out, kernel, stride, dilation, before;
} axis;

/* One axis of a phase: taps first, first + step … of the filter, count of them; the last of them meets x at j - before, each one
 * before it dilation further on. */
typedef struct phase {
  tsr_index first, step, count, out, before, dilation;
} phase;

static tsr_index common_of(tsr_index a, tsr_index b) {
  while (b > 0) {
    const tsr_index rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static phase phase_of(const axis *a, tsr_index number) {
  const tsr_index common = common_of(a->stride, a->dilation), at = number + a->before;
  phase p = {.step = a->stride / common, .dilation = a->dilation / common};
  p.out = number < a->out ? (a->out - number - 1) / a->stride + 1 : 0;
  while (p.first < a->kernel && p.first < p.step && (at - p.first * a->dilation) % a->stride != 0) p.first++;
  if (p.first >= a->kernel || p.first >= p.step) return p;
  p.count = (a->kernel - 1 - p.first) / p.step + 1;
  p.before = (p.count - 1) * p.dilation - (at - p.first * a->dilation) / a->stride;
  return p;
}

/* The attributes of a layer, 0 being the defaults, and its filters. */
static void set_axes(const tsr_conv_options *options, const tsr__q_filters *f, axis *axes) {
  for (int k = 0; k < 2; k++)
    axes[k] = (axis){.kernel = k == 0 ? f->kh : f->kw,
                     .stride = options->stride[k] + (options->stride[k] == 0),
                     .dilation = options->dilation[k] + (options->dilation[k] == 0),
                     .before = options->pad_before[k]};
}

enum { MOST = 1 << 14 }; /* of stride, dilation and padding: phases are counted in 32 bits */

static tsr_status check_numbers(tsr_ctx *ctx, const char *op, const tsr_conv_options *o) {
  const tsr_index *const lists[] = {o->stride, o->dilation, o->pad_before};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 2; i++)
      if (lists[k][i] < 0 || lists[k][i] > MOST || o->pad_after[i] < -MOST || o->pad_after[i] > MOST)
        return TSR__FAIL(ctx, TSR_EARG, op, "options",
                         "have a stride, dilation or padding that is negative, or more than %d", (int)MOST);
  return TSR_OK;
}

/* ---- how they are made ---- */

static tsr_status plan_phases(tsr_ctx *ctx, tsr__q_packing *p) {
  axis axes[2];
  const tsr_status st = check_numbers(ctx, p->op, p->options);
  if (st != TSR_OK) return st;
  if (p->f.kh < 1 || p->f.kw < 1)
    return TSR__FAIL(ctx, TSR_ESHAPE, p->op, "w", "is %t: filters without elements", p->w);
  set_axes(p->options, &p->f, axes);
  p->kernel = TSR__Q_KERNEL_PLAIN;
  p->number = TSR__Q_KERNEL_PHASES;
  p->tables = axes[0].stride * axes[1].stride;
  p->bytes = tsr__q_weight_bytes(TSR__Q_KERNEL_PLAIN, 0, &p->f);
  return TSR_OK;
}

/* The filters of a phase, as they are given: taps back to front. */
static tsr__q_packing taps_of(const tsr__q_packing *p, const phase *y, const phase *x, tsr_tensor *w) {
  tsr__q_packing part = *p;
  const tsr_index last_y = y->first + (y->count - 1) * y->step, last_x = x->first + (x->count - 1) * x->step;
  *w = *p->w;
  if (y->count > 0 && x->count > 0)
    w->data = (char *)w->data + (ptrdiff_t)(last_y * p->f.stride[2] + last_x * p->f.stride[3]);
  part.w = w;
  part.f.kh = y->count;
  part.f.kw = x->count;
  part.f.stride[2] = -y->step * p->f.stride[2];
  part.f.stride[3] = -x->step * p->f.stride[3];
  return part;
}

static tsr_status fill_phases(tsr_ctx *ctx, const tsr__q_packing *p, int32_t *table, void *panels) {
  axis axes[2];
  int8_t *to = panels;
  if (table == NULL) return tsr__q_table(ctx, p, NULL); /* sums of some of the taps are no larger */
  set_axes(p->options, &p->f, axes);
  for (tsr_index number = 0; number < p->tables; number++) {
    const phase y = phase_of(&axes[0], number / axes[1].stride), x = phase_of(&axes[1], number % axes[1].stride);
    tsr_tensor w;
    const tsr__q_packing part = taps_of(p, &y, &x, &w);
    const tsr_status st = tsr__q_table(ctx, &part, table);
    if (st != TSR_OK) return st;
    table += TSR__Q_TABLE_ROWS * p->f.o;
    if (to == NULL) continue;
    tsr__q_packing_weights(&part, NULL, to);
    to += part.f.o * part.f.i * part.f.kh * part.f.kw;
  }
  return TSR_OK;
}

/* Filters [C,O,KH,KW] as [O,C,KH,KW]; those tagged TSR_OHWI as they are. */
static tsr_tensor as_filters(const tsr_tensor *w) {
  tsr_tensor t = *w;
  if (w->ndim != 4 || w->layout == TSR_OHWI) return t;
  for (int k = 0; k < 2; k++) {
    t.shape[k] = w->shape[1 - k];
    t.stride[k] = w->stride[1 - k];
  }
  return t;
}

/* What the options of transposed convolutions have besides goes into pad_after. */
static tsr_conv_options as_options(const tsr_conv_transpose_options *given) {
  tsr_conv_options o = {.groups = given->groups};
  for (int k = 0; k < 2; k++) {
    o.stride[k] = given->stride[k];
    o.dilation[k] = given->dilation[k];
    o.pad_before[k] = given->pad_before[k];
    o.pad_after[k] = given->pad_after[k] - given->output_padding[k];
  }
  return o;
}

static tsr_status check_given(tsr_ctx *ctx, const char *op, const tsr_tensor *w, const tsr_conv_transpose_options *o) {
  tsr_status st = tsr__check_reserved(ctx, op, TSR__ROOM(o));
  if (st == TSR_OK && o->groups != 0 && o->groups != 1)
    st = TSR__FAIL(ctx, o->groups < 0 ? TSR_EARG : TSR_EUNSUPPORTED, op, "groups", "is %l: filters meet every channel",
                   (int64_t)o->groups);
  if (st == TSR_OK) st = tsr__check_input(ctx, op, "w", w);
  if (st == TSR_OK && w->layout != TSR_PLAIN && w->layout != TSR_OHWI)
    st = TSR__FAIL(ctx, TSR_ELAYOUT, op, "w", "is %t with layout %s: only plain, [C,O,KH,KW], and OHWI", w,
                   tsr_layout_name(w->layout));
  for (int k = 0; k < 2 && st == TSR_OK; k++) {
    const tsr_index stride = o->stride[k] > 0 ? o->stride[k] : 1, dilation = o->dilation[k] > 0 ? o->dilation[k] : 1;
    if (o->pad_after[k] < 0 || o->pad_after[k] > MOST || o->output_padding[k] < 0 ||
        (o->output_padding[k] > 0 && o->output_padding[k] >= stride && o->output_padding[k] >= dilation))
      st = TSR__FAIL(ctx, TSR_EARG, op, "options",
                     "have a padding that is negative or too large; output_padding is less than stride or dilation");
  }
  return st;
}

tsr_status tsr_qconv_transpose_pack(tsr_ctx *ctx, const tsr_tensor *w, const tsr_tensor *bias,
                                    const tsr_conv_transpose_options *options, const tsr_qscheme *scheme,
                                    tsr_qlayer *layer) {
  TSR__NORMALISE_ALL(w, bias);
  static const tsr_conv_transpose_options none = {.groups = 0};
  static const char op[] = "qconv_transpose_pack";
  if (options == NULL) options = &none;
  const tsr_status st = check_given(ctx, op, w, options);
  if (st != TSR_OK) return st;
  const tsr_conv_options own = as_options(options);
  const tsr_tensor filters = as_filters(w);
  tsr_qscheme s = {.activation = 0};
  if (scheme != NULL) {
    s = *scheme;
    if (w->layout != TSR_OHWI && s.w.scales != NULL && w->ndim == 4) { /* outputs are its second axis */
      if (s.w.axis != 1 && s.w.axis != -3)
        return TSR__FAIL(ctx, TSR_EAXIS, op, "scheme.w", "has scales along axis %d of %t, outputs are axis 1",
                         (int)s.w.axis, w);
      s.w.axis = 0;
    }
  }
  tsr__q_packing p = {.op = op,
                      .w = &filters,
                      .bias = bias,
                      .options = &own,
                      .scheme = scheme != NULL ? &s : NULL,
                      .plan = plan_phases,
                      .fill = fill_phases};
  return tsr__q_pack(ctx, &p, 4, layer);
}

/* ---- a call ---- */

typedef struct plan {
  tsr__q_run run; /* whose weights, table and places are the first phase's */
  axis axes[2];
} plan;

static bool measure(axis *a, tsr_index in, tsr_index after) {
  tsr_index reach, span;
  a->in = in;
  if (!tsr__mul_index(in, a->stride, &reach) || !tsr__mul_index(a->kernel - 1, a->dilation, &span) ||
      !tsr__add_index(reach, span, &span) || !tsr__add_index(span, 2 * (tsr_index)MOST, &reach))
    return false;
  a->out = span + 1 - a->stride - a->before - after;
  return true;
}

static tsr_status resolve(const tsr__call *call, plan *p, tsr__image *image) {
  const tsr_tensor *const x = call->in[0];
  tsr_ctx *const ctx = call->ctx;
  tsr__q_filters f;
  tsr_status st = tsr__q_own_init(call, 4, TSR__Q_KERNEL_PHASES, &f, &p->run);
  if (st == TSR_OK) st = check_numbers(ctx, call->op, &p->run.layer->options);
  if (st == TSR_OK) st = tsr__image_init(ctx, call->op, x, 2, 2, image);
  if (st != TSR_OK) return st;
  set_axes(&p->run.layer->options, &f, p->axes);
  st = tsr__q_own_parts(call, &f, p->axes[0].stride * p->axes[1].stride,
                        tsr__q_weight_bytes(TSR__Q_KERNEL_PLAIN, 0, &f), &p->run);
  if (st != TSR_OK) return st;
  if (image->shape[TSR__IMAGE_C] != f.i)
    return TSR__FAIL(ctx, TSR_ESHAPE, call->op, "x", "is %t, the layer takes %l channels", x, (int64_t)f.i);
  for (int k = 0; k < 2; k++) {
    if (!measure(&p->axes[k], image->shape[TSR__IMAGE_H + k], p->run.layer->options.pad_after[k]))
      return TSR__FAIL(ctx, TSR_EOVERFLOW, call->op, "x", "is %t: its result is too large", x);
    if (p->axes[k].in < 1 || p->axes[k].out < 1)
      return TSR__FAIL(ctx, TSR_ESHAPE, call->op, "x", "is %t: the padding leaves no output along its %s", x,
                       k == 0 ? "height" : "width");
  }
  tsr__conv *const c = &p->run.c;
  *c = (tsr__conv){
      .op = call->op, .rank = 4, .last = image->last, .n = image->shape[TSR__IMAGE_N], .c = f.i, .i = f.i, .o = f.o};
  c->h = p->axes[0].in;
  c->w = p->axes[1].in;
  c->sh = c->sw = c->groups = 1;
  return TSR_OK;
}

/* The run of a phase; false: it has no outputs. */
static bool run_of(const plan *p, tsr_index number, const int8_t **w, tsr__q_run *run) {
  const axis *const axes = p->axes;
  const tsr_index at_y = number / axes[1].stride, at_x = number % axes[1].stride;
  const phase y = phase_of(&axes[0], at_y), x = phase_of(&axes[1], at_x);
  tsr__conv *const c = &run->c;
  *run = p->run;
  c->kh = x.count > 0 ? y.count : 0;
  c->kw = y.count > 0 ? x.count : 0;
  c->dh = y.dilation;
  c->dw = x.dilation;
  c->oh = c->ph = y.out;
  c->ow = c->pw = x.out;
  c->top = y.before;
  c->left = x.before;
  run->w = *w;
  *w += c->o * c->i * c->kh * c->kw;
  for (int k = 0; k < TSR__Q_TABLE_ROWS; k++) run->table[k] += number * TSR__Q_TABLE_ROWS * c->o;
  run->out += (ptrdiff_t)at_y * run->os[2] + (ptrdiff_t)at_x * run->os[3];
  run->os[2] *= (ptrdiff_t)axes[0].stride;
  run->os[3] *= (ptrdiff_t)axes[1].stride;
  return y.out > 0 && x.out > 0;
}

static size_t scratch_of(const tsr_ctx *ctx, const plan *p) {
  const int8_t *w = p->run.w;
  size_t most = 0;
  tsr__q_run run;
  for (tsr_index number = 0; number < p->axes[0].stride * p->axes[1].stride; number++) {
    if (!run_of(p, number, &w, &run) || run.c.kh == 0) continue;
    const size_t bytes = tsr__q_plain_scratch(ctx, &run);
    if (bytes > most) most = bytes;
  }
  return most;
}

/* Outputs that no tap meets: the bias. */
static void run_bias(const tsr__q_run *q) {
  for (tsr_index n = 0; n < q->c.n; n++)
    for (tsr_index y = 0; y < q->c.oh; y++)
      for (tsr_index x = 0; x < q->c.ow; x++) {
        char *const out = q->out + (ptrdiff_t)n * q->os[0] + (ptrdiff_t)y * q->os[2] + (ptrdiff_t)x * q->os[3];
        for (tsr_index o = 0; o < q->c.o; o += TSR__Q_PLAIN_CHANNELS)
          tsr__q_plain_end(q, o, (int)(q->c.o - o < TSR__Q_PLAIN_CHANNELS ? q->c.o - o : TSR__Q_PLAIN_CHANNELS),
                           q->table[TSR__Q_BIAS] + o, out);
      }
}

static void run_all(const tsr_ctx *ctx, const void *of) {
  const plan *const p = of;
  const int8_t *w = p->run.w;
  tsr__q_run run;
  for (tsr_index number = 0; number < p->axes[0].stride * p->axes[1].stride; number++) {
    if (!run_of(p, number, &w, &run)) continue;
    if (run.c.kh == 0) {
      run_bias(&run);
      continue;
    }
    (void)tsr__q_plain_scratch(ctx, &run); /* what each worker has */
    tsr__q_plain_filters(ctx, &run);
  }
}

static void set_steps(const tsr__image *image, const tsr_tensor *t, ptrdiff_t *steps) {
  ptrdiff_t all[TSR__IMAGE_AXES];
  tsr__image_steps(image, t, all);
  steps[0] = all[TSR__IMAGE_N];
  steps[1] = all[TSR__IMAGE_C];
  steps[2] = all[TSR__IMAGE_H];
  steps[3] = all[TSR__IMAGE_W];
}

static tsr_status qconv_transpose2d(tsr__call *call) {
  const tsr_tensor *const x = call->in[0];
  plan p;
  tsr__image image;
  tsr__target target;
  tsr_index shape[TSR_MAX_DIMS];
  void *scratch;
  tsr_status st = resolve(call, &p, &image);
  if (st != TSR_OK) return st;
  const tsr_index lengths[TSR__IMAGE_AXES] = {p.run.c.n, p.run.c.o, 1, p.axes[0].out, p.axes[1].out};
  tsr__image_shape(&image, lengths, shape);
  const tsr__result result = {p.run.layer->out_dtype, x->layout, 4, shape, x};
  set_steps(&image, x, p.run.xs);
  p.run.x = x->data;
  p.run.out = NULL;
  for (int k = 0; k < 4; k++) p.run.os[k] = 0;
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__call_scratch(call, scratch_of(call->ctx, &p), &scratch);
  if (st == TSR_OK) st = tsr__call_target_of(call, result.dtype, tsr__call_overlaps(call), &target);
  if (st != TSR_OK) return st;
  p.run.out = target.view.data;
  p.run.scratch = scratch;
  set_steps(&image, &target.view, p.run.os);
  return tsr__target_finish(call, &target, run_all, &p, sizeof p);
}

TSR__OP_LIKE(qconv_transpose2d, qconv2d, qconv_transpose2d, TSR__OP_PREPARES)
tsr_status tsr_qconv_transpose2d(tsr_ctx *ctx, const tsr_tensor *x, const tsr_qlayer *layer, tsr_tensor *out) {
  return tsr__q_layer_call(ctx, &tsr__op_qconv_transpose2d, x, layer, out);
}
