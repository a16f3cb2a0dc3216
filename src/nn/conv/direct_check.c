/* What convolutions in plain loops ask of their arguments. */
#include "nn/check.h"
#include "nn/conv/direct.h"

#include <tessera/layout.h>

static tsr_status check_tensors(tsr_ctx *ctx, tsr__conv_direct *t, int spatial) {
  tsr_status st = tsr__nn_check_float(ctx, t->op, "x", t->x);
  if (st == TSR_OK) st = tsr__image_init(ctx, t->op, t->x, spatial, spatial, &t->image);
  if (st != TSR_OK) return st;
  if (t->w->dtype != t->x->dtype)
    return TSR__FAIL(ctx, TSR_EDTYPE, t->op, "w", "is %t, x is %t: they have one dtype", t->w, t->x);
  if (t->w->ndim != t->x->ndim)
    return TSR__FAIL(ctx, TSR_ESHAPE, t->op, "w", "is %t, x is %t: they have one rank", t->w, t->x);
  if (t->w->layout != TSR_PLAIN)
    return TSR__FAIL(ctx, TSR_ELAYOUT, t->op, "w", "is %t with the layout %s: only plain", t->w,
                     tsr_layout_name(t->w->layout));
  return TSR_OK;
}

/* Filters of a transposed convolution are numbered by group on their second axis, those of the other on their first. */
static tsr_status check_groups(tsr_ctx *ctx, tsr__conv_direct *t, tsr_index groups) {
  const tsr_index *const w = t->w->shape;
  const tsr_index c = t->image.shape[TSR__IMAGE_C];
  tsr_index all = 0;
  if (groups < 0) return TSR__FAIL(ctx, TSR_EARG, t->op, "groups", "is %l, which is negative", (int64_t)groups);
  t->groups = groups == 0 ? 1 : groups;
  const bool fits = tsr__mul_index(w[1], t->groups, &all);
  const bool right = t->transposed ? w[0] == c && c % t->groups == 0 : all == c && w[0] % t->groups == 0;
  if (!fits || !right)
    return TSR__FAIL(ctx, TSR_ESHAPE, t->op, "w", "is %t: with %l groups that does not fit x %t, which has %l channels",
                     t->w, (int64_t)t->groups, t->x, (int64_t)c);
  t->o = t->transposed ? all : w[0];
  t->each = c / t->groups;
  t->made = t->o / t->groups;
  if (t->bias == NULL) return TSR_OK;
  if (t->bias->dtype != t->x->dtype)
    return TSR__FAIL(ctx, TSR_EDTYPE, t->op, "bias", "is %t, x is %t: they have one dtype", t->bias, t->x);
  if (t->bias->ndim != 1 || t->bias->shape[0] != t->o)
    return TSR__FAIL(ctx, TSR_ESHAPE, t->op, "bias", "is %t, there are %l filters", t->bias, (int64_t)t->o);
  return TSR_OK;
}

static tsr_status check_numbers(tsr_ctx *ctx, const tsr__conv_direct *t, int spatial,
                                const tsr__conv_direct_attrs *attrs) {
  const tsr_index *const lists[5] = {attrs->stride, attrs->dilation, attrs->before, attrs->after, attrs->extra};
  static const char *const names[5] = {"stride", "dilation", "pad_before", "pad_after", "output_padding"};
  for (int k = 0; k < 5 && lists[k] != NULL; k++)
    for (int i = 0; i < attrs->entries; i++) {
      if (lists[k][i] < 0)
        return TSR__FAIL(ctx, TSR_EARG, t->op, names[k], "%S has a negative number", attrs->entries, lists[k]);
      if (i >= spatial && lists[k][i] != 0)
        return TSR__FAIL(ctx, TSR_EARG, t->op, names[k], "%S: with one axis the second number is 0", attrs->entries,
                         lists[k]);
    }
  return TSR_OK;
}

/* Every sum that the loops form fits an index. */
static bool measure(const tsr__conv_direct *t, tsr__conv_direct_axis *a, tsr_index after, tsr_index extra,
                    tsr_index *span) {
  tsr_index whole, reach;
  if (!tsr__mul_index(a->kernel - 1, a->dilation, span) || !tsr__add_index(*span, 1, span)) return false;
  if (!tsr__add_index(a->before, after, &whole) || !tsr__add_index(whole, *span, &whole)) return false;
  if (!tsr__add_index(whole, a->in, &whole) || !tsr__add_index(whole, a->stride, &whole)) return false;
  if (!t->transposed) {
    const tsr_index padded = a->in + a->before + after;
    a->out = padded >= *span ? (padded - *span) / a->stride + 1 : 0;
    return true;
  }
  if (!tsr__mul_index(a->in, a->stride, &reach) || !tsr__add_index(reach, whole, &whole)) return false;
  if (!tsr__add_index(whole, extra, &whole)) return false;
  a->out = a->in > 0 ? reach - a->stride + *span + extra - a->before - after : 0;
  return true;
}

static tsr_status check_axis(tsr_ctx *ctx, const tsr__conv_direct *t, int i, const tsr__conv_direct_attrs *attrs,
                             tsr__conv_direct_axis *a, int axis) {
  const tsr_index extra = attrs->extra != NULL ? attrs->extra[i] : 0;
  tsr_index span;
  a->in = t->x->shape[axis];
  a->kernel = t->w->shape[2 + i];
  a->stride = attrs->stride[i] + (attrs->stride[i] == 0);
  a->dilation = attrs->dilation[i] + (attrs->dilation[i] == 0);
  a->before = attrs->before[i];
  if (a->kernel == 0) return TSR__FAIL(ctx, TSR_ESHAPE, t->op, "w", "is %t: filters without elements", t->w);
  if (extra > 0 && extra >= a->stride && extra >= a->dilation)
    return TSR__FAIL(ctx, TSR_EARG, t->op, "output_padding", "is %l along axis %d of x: less than stride or dilation",
                     (int64_t)extra, axis);
  if (!measure(t, a, attrs->after[i], extra, &span))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, t->op, "x", "is %t: its axis %d with padding and filter is more than %l", t->x,
                     axis, (int64_t)TSR_INDEX_MAX);
  if (a->out < 1)
    return TSR__FAIL(ctx, TSR_ESHAPE, t->op, "w", "is %t, x is %t: along axis %d of x, a span of %l leaves no output",
                     t->w, t->x, axis, (int64_t)span);
  return TSR_OK;
}

tsr_status tsr__conv_direct_check(tsr_ctx *ctx, tsr__conv_direct *t, int spatial, const tsr__conv_direct_attrs *attrs) {
  tsr_status st = check_tensors(ctx, t, spatial);
  if (st == TSR_OK) st = check_numbers(ctx, t, spatial, attrs);
  if (st == TSR_OK) st = check_groups(ctx, t, attrs->groups);
  for (int i = 0; i < 3; i++) t->axis[i] = (tsr__conv_direct_axis){1, 1, 1, 1, 1, 0};
  for (int i = 0; i < spatial && st == TSR_OK; i++) {
    const int place = 3 - spatial + i;
    st = check_axis(ctx, t, i, attrs, &t->axis[place], t->image.axis[TSR__IMAGE_D + place]);
  }
  return st;
}
