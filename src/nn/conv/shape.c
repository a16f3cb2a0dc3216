/* Attributes and shapes: what a call means, or why it means nothing. */
#include "nn/conv/conv.h"
#include "core/table.h"

#include <tessera/layout.h>

/* ---- axes ---- */

/* The position of the axes n, c, h, w (or o, i, kh, kw) in a tensor with three or four axes; -1: it has none. */
typedef struct axes {
  int at[4];
} axes;

static const axes first_4 = {{0, 1, 2, 3}}, last_4 = {{0, 3, 1, 2}}, hwio = {{3, 2, 0, 1}};
static const axes first_3 = {{0, 1, -1, 2}}, last_3 = {{0, 2, -1, 1}};

static const axes *axes_of(int rank, bool last) {
  if (rank == 3) return last ? &last_3 : &first_3;
  return last ? &last_4 : &first_4;
}

static const axes *filter_axes(const tsr_tensor *w) {
  if (w->layout == TSR_HWIO) return &hwio;
  return axes_of(w->ndim, w->layout == TSR_OHWI || w->layout == TSR_NLC);
}

static void in_order(const axes *a, const tsr_index *values, tsr_index none, tsr_index *ordered) {
  for (int k = 0; k < 4; k++) ordered[k] = a->at[k] >= 0 ? values[a->at[k]] : none;
}

void tsr__conv_strides(const tsr_tensor *t, bool last, tsr_index *strides) {
  in_order(axes_of(t->ndim, last), t->stride, 0, strides);
}

void tsr__conv_filter_strides(const tsr_tensor *w, tsr_index *strides) {
  in_order(filter_axes(w), w->stride, 0, strides);
}

/* ---- checks of one argument ---- */

static tsr_status check_axes(tsr_ctx *ctx, const tsr__conv *c, const char *arg, const tsr_tensor *t,
                             const int *layouts) {
  if (t->ndim != c->rank)
    return TSR__FAIL(ctx, TSR_ESHAPE, c->op, arg, "is %t, which has not the %d axes of %s", t, c->rank,
                     tsr_layout_name(layouts[0]));
  for (int k = 0; k < 4; k++)
    if (t->layout == layouts[k]) return TSR_OK;
  return TSR__FAIL(ctx, TSR_ELAYOUT, c->op, arg, "is %t with layout %s: only %s and %s", t, tsr_layout_name(t->layout),
                   tsr_layout_name(layouts[0]), tsr_layout_name(layouts[1]));
}

static tsr_status check_x(tsr_ctx *ctx, tsr__conv *c, const tsr_tensor *x) {
  static const int four[4] = {TSR_NCHW, TSR_NHWC, TSR_PLAIN, TSR_PLAIN};
  static const int three[4] = {TSR_NCL, TSR_NLC, TSR_PLAIN, TSR_PLAIN};
  tsr_index shape[4];
  const tsr_status st = check_axes(ctx, c, "x", x, c->rank == 4 ? four : three);
  if (st != TSR_OK) return st;
  c->dtype = x->dtype;
  c->compute = tsr__item_classes[x->dtype] == TSR_CLASS_FLOAT && tsr__item(x) < 4 ? TSR_F32 : x->dtype;
  c->last = x->layout == TSR_NHWC || x->layout == TSR_NLC;
  in_order(axes_of(c->rank, c->last), x->shape, 1, shape);
  c->n = shape[0];
  c->c = shape[1];
  c->h = shape[2];
  c->w = shape[3];
  return TSR_OK;
}

static tsr_status check_dtype(tsr_ctx *ctx, const tsr__conv *c) {
  const int class = tsr__item_classes[c->dtype];
  if (!tsr_dtype_supported(c->dtype))
    return TSR__FAIL(ctx, TSR_EDTYPE, c->op, "x", "is %y, which this build does not compute with", c->dtype);
  if (!TSR_HAVE_INTEGER_PRODUCTS && class != TSR_CLASS_FLOAT)
    return TSR__FAIL(ctx, TSR_EDTYPE, c->op, "x", "is %y: this build convolves floats only", c->dtype);
  if (class == TSR_CLASS_BOOL || class == TSR_CLASS_COMPLEX)
    return TSR__FAIL(ctx, TSR_EDTYPE, c->op, "x", "is %y: only for real numbers; cast it first", c->dtype);
  return TSR_OK;
}

/* w and, where there is one, bias. */
static tsr_status check_filters(tsr_ctx *ctx, tsr__conv *c, const tsr_tensor *x, const tsr_tensor *w,
                                const tsr_tensor *bias) {
  static const int four[4] = {TSR_OIHW, TSR_OHWI, TSR_HWIO, TSR_PLAIN};
  static const int three[4] = {TSR_NCL, TSR_NLC, TSR_PLAIN, TSR_PLAIN};
  tsr_index shape[4];
  const tsr_status st = check_axes(ctx, c, "w", w, c->rank == 4 ? four : three);
  if (st != TSR_OK) return st;
  if (w->dtype != c->dtype) return TSR__FAIL(ctx, TSR_EDTYPE, c->op, "w", "is %t, x is %t: one dtype, please", w, x);
  in_order(filter_axes(w), w->shape, 1, shape);
  c->o = shape[0];
  c->i = shape[1];
  c->kh = shape[2];
  c->kw = shape[3];
  if (bias == NULL) return TSR_OK;
  if (bias->dtype != c->dtype)
    return TSR__FAIL(ctx, TSR_EDTYPE, c->op, "bias", "is %t, x is %y: one dtype, please", bias, c->dtype);
  if (bias->ndim != 1 || bias->shape[0] != c->o)
    return TSR__FAIL(ctx, TSR_ESHAPE, c->op, "bias", "is %t, there are %l filters", bias, (int64_t)c->o);
  return TSR_OK;
}

/* ---- attributes ---- */

static tsr_status check_attrs(tsr_ctx *ctx, const tsr__conv *c, const tsr_conv_options *a) {
  const tsr_index *const lists[4] = {a->stride, a->dilation, a->pad_before, a->pad_after};
  static const char *const names[4] = {"stride", "dilation", "pad_before", "pad_after"};
  for (int k = 0; k < 4; k++) {
    if (lists[k][0] < 0 || lists[k][1] < 0)
      return TSR__FAIL(ctx, TSR_EARG, c->op, names[k], "%S has a negative number", 2, lists[k]);
    if (c->rank == 3 && lists[k][1] != 0)
      return TSR__FAIL(ctx, TSR_EARG, c->op, names[k], "%S: with one axis the second number is 0", 2, lists[k]);
    if (k >= 2 && a->padding != TSR_PADDING_EXPLICIT && (lists[k][0] != 0 || lists[k][1] != 0))
      return TSR__FAIL(ctx, TSR_EARG, c->op, names[k], "%S: only where padding is explicit", 2, lists[k]);
  }
  if (a->padding > TSR_PADDING_SAME_LOWER)
    return TSR__FAIL(ctx, TSR_EARG, c->op, "padding", "%d is no kind of padding", (int)a->padding);
  if (a->algorithm > TSR_CONV_WINOGRAD)
    return TSR__FAIL(ctx, TSR_EARG, c->op, "algorithm", "%d is no algorithm", (int)a->algorithm);
  if (a->groups < 0) return TSR__FAIL(ctx, TSR_EARG, c->op, "groups", "%l is negative", (int64_t)a->groups);
  return TSR_OK;
}

static tsr_status check_groups(tsr_ctx *ctx, tsr__conv *c, const tsr_tensor *x, tsr_index groups) {
  c->groups = groups == 0 ? 1 : groups;
  const tsr_index filter[4] = {c->o, c->i, c->kh, c->kw};
  tsr_index all;
  if (!tsr__mul_index(c->i, c->groups, &all) || all != c->c)
    return TSR__FAIL(ctx, TSR_ESHAPE, c->op, "w", "has filters %S: with %l groups that is not the %l channels of x %t",
                     4, filter, (int64_t)c->groups, (int64_t)c->c, x);
  if (c->o % c->groups != 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, c->op, "groups", "%l: the %l filters of w do not divide evenly",
                     (int64_t)c->groups, (int64_t)c->o);
  if (c->kh == 0 || c->kw == 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, c->op, "w", "has filters %S without elements", 4, filter);
  return TSR_OK;
}

/* One axis: x's length, the filter's, stride and dilation (0: 1), padding. */
typedef struct axis {
  tsr_index in, filter, stride, dilation, before, after;
  tsr_index out, read; /* the results */
} axis;

/* Padding of the kind SAME: out is in / stride rounded up. */
static bool pad_same(axis *a, tsr_index span, bool lower) {
  tsr_index read;
  a->out = a->in / a->stride + (a->in % a->stride != 0);
  if (a->out == 0) return true;
  if (!tsr__mul_index(a->out - 1, a->stride, &read) || !tsr__add_index(read, span, &read)) return false;
  const tsr_index pad = read > a->in ? read - a->in : 0;
  a->before = lower ? pad - pad / 2 : pad / 2;
  a->after = pad - a->before;
  return true;
}

static tsr_status resolve_axis(tsr_ctx *ctx, const char *op, const char *name, int padding, axis *a) {
  tsr_index span, padded;
  a->stride += a->stride == 0;
  a->dilation += a->dilation == 0;
  bool fits = tsr__mul_index(a->dilation, a->filter - 1, &span) && tsr__add_index(span, 1, &span);
  if (fits && padding >= TSR_PADDING_SAME) fits = pad_same(a, span, padding == TSR_PADDING_SAME_LOWER);
  fits = fits && tsr__add_index(a->in, a->before, &padded) && tsr__add_index(padded, a->after, &padded);
  if (!fits)
    return TSR__FAIL(ctx, TSR_EOVERFLOW, op, "x", "with its padding has a %s of more than %l", name,
                     (int64_t)TSR_INDEX_MAX);
  if (padding >= TSR_PADDING_SAME && a->out == 0) return TSR_OK;
  if (span > padded)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, "w", "spans a %s of %l (%l elements, dilation %l), x has %l with its padding",
                     name, (int64_t)span, (int64_t)a->filter, (int64_t)a->dilation, (int64_t)padded);
  a->out = (padded - span) / a->stride + 1;
  a->read = (a->out - 1) * a->stride + span;
  return TSR_OK;
}

/* The only axis of rank 3 is the width, whose attributes stand first. */
static tsr_status resolve_axes(tsr_ctx *ctx, tsr__conv *c, const tsr_conv_options *options) {
  const bool one = c->rank == 3;
  axis at[2] = {{.in = c->h, .filter = c->kh}, {.in = c->w, .filter = c->kw}};
  tsr_status st = TSR_OK;
  for (int k = 0; k < 2 && st == TSR_OK; k++) {
    const int own = one ? 0 : k, none = one && k == 0;
    at[k].stride = none ? 1 : options->stride[own];
    at[k].dilation = none ? 1 : options->dilation[own];
    at[k].before = none ? 0 : options->pad_before[own];
    at[k].after = none ? 0 : options->pad_after[own];
    const char *const name = k == 0 ? "height" : one ? "length" : "width";
    st = resolve_axis(ctx, c->op, name, none ? TSR_PADDING_VALID : options->padding, &at[k]);
  }
  if (st != TSR_OK) return st;
  c->oh = at[0].out;
  c->ow = at[1].out;
  c->ph = at[0].read;
  c->pw = at[1].read;
  c->sh = at[0].stride;
  c->sw = at[1].stride;
  c->dh = at[0].dilation;
  c->dw = at[1].dilation;
  c->top = at[0].before;
  c->left = at[1].before;
  return TSR_OK;
}

/* x and the filters are in *c. */
static tsr_status resolve_attrs(tsr_ctx *ctx, tsr__conv *c, const tsr_tensor *x, const tsr_conv_options *options) {
  const axes *const order = axes_of(c->rank, c->last);
  tsr_status st = check_attrs(ctx, c, options);
  if (st == TSR_OK) st = check_groups(ctx, c, x, options->groups);
  if (st == TSR_OK) st = resolve_axes(ctx, c, options);
  if (st != TSR_OK) return st;
  c->activation = options->activation;
  const tsr_index lengths[4] = {c->n, c->o, c->oh, c->ow};
  for (int k = 0; k < 4; k++)
    if (order->at[k] >= 0) c->shape[order->at[k]] = lengths[k];
  return TSR_OK;
}

tsr_status tsr__conv_resolve(tsr_ctx *ctx, const tsr_tensor *x, const tsr_tensor *w, const tsr_tensor *bias,
                             const tsr_conv_options *options, tsr__conv *c) {
  static const tsr_conv_options none = {0};
  if (options == NULL) options = &none;
  if (c->rank == 0) c->rank = x->ndim == 3 ? 3 : 4;
  c->isa = tsr__isa_of(ctx);
  tsr_status st = tsr__check_reserved(ctx, c->op, TSR__ROOM(options));
  if (st == TSR_OK) st = check_x(ctx, c, x);
  if (st == TSR_OK) st = check_dtype(ctx, c);
  if (st == TSR_OK) st = check_filters(ctx, c, x, w, bias);
  return st == TSR_OK ? resolve_attrs(ctx, c, x, options) : st;
}

tsr_status tsr__conv_resolve_packed(tsr_ctx *ctx, const char *op, const tsr_tensor *x, const tsr_conv_packed *packed,
                                    tsr__conv *c) {
  c->op = op;             /* the rest is set below: small machines clear memory byte by byte */
  c->rank = packed->rank; /* cppcheck-suppress ctuuninitvar ; quantised layers set what is read, and no more */
  c->isa = 0;
  c->packed = true;
  c->algorithm = NULL;
  c->shape[3] = 0;
  const tsr_status st = check_x(ctx, c, x);
  if (st != TSR_OK) return st;
  if (c->dtype != packed->dtype || c->last != packed->channels_last)
    return TSR__FAIL(ctx, c->dtype != packed->dtype ? TSR_EDTYPE : TSR_ELAYOUT, op, "x",
                     "is %t with channels %s; the filters are packed for %y with channels %s", x,
                     c->last ? "last" : "first", (int)packed->dtype, packed->channels_last ? "last" : "first");
  c->o = packed->filter[0];
  c->i = packed->filter[1];
  c->kh = packed->filter[2];
  c->kw = packed->filter[3];
  return resolve_attrs(ctx, c, x, &packed->options);
}

/* t's axes are a; shape and strides are in their order. */
static void view_of(const tsr_tensor *t, const axes *a, const tsr_index *shape, const tsr_index *strides, int dtype,
                    void *data, tsr_tensor *view) {
  *view = *t;
  view->dtype = (uint8_t)dtype;
  view->data = data;
  view->flags = 0;
  view->storage = NULL;
  for (int k = 0; k < 4; k++) {
    if (a->at[k] < 0) continue;
    view->shape[a->at[k]] = shape[k];
    view->stride[a->at[k]] = strides[k];
  }
}

void tsr__conv_filter_view(const tsr__conv *c, const tsr_tensor *w, float *data, tsr_tensor *view) {
  const tsr_index shape[4] = {c->o, c->i, c->kh, c->kw}, strides[4] = {c->i * c->kh * c->kw, c->kh * c->kw, c->kw, 1};
  view_of(w, filter_axes(w), shape, strides, TSR_F32, data, view);
}

void tsr__conv_view(const tsr_tensor *t, bool last, const tsr_index *shape, const tsr_index *strides, int dtype,
                    void *data, tsr_tensor *view) {
  view_of(t, axes_of(t->ndim, last), shape, strides, dtype, data, view);
}
