/* What pooling asks of its arguments, and the shape of its result. */
#include "core/clear.h"
#include "core/layout.h"
#include "core/table.h"
#include "nn/check.h"
#include "nn/pool/pool.h"

static const tsr_pool_options defaults = {0};

/* Which axis is what, by tag and rank: TSR_ELAYOUT, TSR_ESHAPE. */
static tsr_status find_axes(tsr_ctx *ctx, tsr__pool *p) {
  const tsr_tensor *const x = p->x;
  const int layout = tsr__layout_of(x);
  p->last = layout == TSR_NLC || layout == TSR_NHWC;
  if (x->layout == TSR_PLAIN && (x->ndim < 3 || x->ndim > 4))
    return TSR__FAIL(ctx, TSR_ESHAPE, p->op, "x", "is %t, which is neither [N,C,L] nor [N,C,H,W]", x);
  if (!p->last && layout != TSR_NCL && layout != TSR_NCHW)
    return TSR__FAIL(ctx, TSR_ELAYOUT, p->op, "x", "is %t with the layout %s; %s takes NCL, NLC, NCHW and NHWC", x,
                     tsr_layout_name(layout), p->op);
  const int spatial = x->ndim - 2, first = p->last ? 1 : 2;
  p->channel = p->last ? x->ndim - 1 : 1;
  p->row.axis = spatial == 2 ? first : -1;
  p->column.axis = spatial == 2 ? first + 1 : first;
  return TSR_OK;
}

static tsr_status refuse(tsr_ctx *ctx, const tsr__pool *p, const char *arg, int i, tsr_index value, const char *why) {
  return TSR__FAIL(ctx, TSR_EARG, p->op, arg, "is %l along axis %d of %t, which is not %s", (int64_t)value, i, p->x,
                   why);
}

/* One axis's attributes: each in its range, and their sums in that of an index. */
static tsr_status check_axis(tsr_ctx *ctx, const tsr__pool *p, tsr__pool_axis *a, tsr_index kernel,
                             const tsr_pool_options *o, int i) {
  tsr_index reach, whole;
  a->length = p->x->shape[a->axis];
  a->kernel = kernel;
  a->stride = o->stride[i] == 0 ? kernel : o->stride[i];
  a->dilation = o->dilation[i] == 0 ? 1 : o->dilation[i];
  a->before = o->pad_before[i];
  a->after = o->pad_after[i];
  if (kernel < 1) return refuse(ctx, p, "kernel", a->axis, kernel, "1 or more");
  if (a->stride < 1) return refuse(ctx, p, "stride", a->axis, a->stride, "0 or more");
  if (a->dilation < 1) return refuse(ctx, p, "dilation", a->axis, a->dilation, "0 or more");
  if (!tsr__mul_index(kernel - 1, a->dilation, &reach) || !tsr__add_index(reach, 1, &reach))
    return refuse(ctx, p, "dilation", a->axis, a->dilation, "small enough for the kernel");
  if (a->before < 0 || a->before >= reach)
    return refuse(ctx, p, "pad_before", a->axis, a->before, "between 0 and the reach of the kernel");
  if (a->after < 0 || a->after >= reach)
    return refuse(ctx, p, "pad_after", a->axis, a->after, "between 0 and the reach of the kernel");
  if (!tsr__add_index(a->length, a->before, &whole) || !tsr__add_index(whole, a->after, &whole) ||
      !tsr__add_index(whole, a->stride, &whole) || !tsr__add_index(whole, reach, &whole))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, p->op, "pads", "of axis %d make more elements than an index counts", a->axis);
  return TSR_OK;
}

/* How many windows there are. */
static tsr_status count_windows(tsr_ctx *ctx, const tsr__pool *p, tsr__pool_axis *a, bool ceil_mode) {
  const tsr_index whole = a->length + a->before + a->after, reach = tsr__pool_reach(a);
  const tsr_index over = ceil_mode ? a->stride - 1 : 0; /* what the last window may reach beyond the padding */
  if (whole + over < reach)
    return TSR__FAIL(ctx, TSR_ESHAPE, p->op, "kernel",
                     "reaches over %l elements, axis %d of %t has %l with its padding", (int64_t)reach, a->axis, p->x,
                     (int64_t)whole);
  a->out = (whole + over - reach) / a->stride + 1;
  if (ceil_mode && (a->out - 1) * a->stride >= a->length + a->before) a->out--;
  return TSR_OK;
}

static tsr_status measure(tsr_ctx *ctx, tsr__pool *p, const tsr_index *kernel, const tsr_pool_options *o) {
  const bool two = p->row.axis >= 0;
  tsr_status st = TSR_OK;
  if (two) st = check_axis(ctx, p, &p->row, kernel[0], o, 0);
  if (two && st == TSR_OK) st = count_windows(ctx, p, &p->row, o->ceil_mode);
  if (!two) p->row = (tsr__pool_axis){-1, 1, 1, 1, 1, 1, 0, 0};
  if (st == TSR_OK) st = check_axis(ctx, p, &p->column, kernel[two], o, two);
  if (st == TSR_OK) st = count_windows(ctx, p, &p->column, o->ceil_mode);
  return st;
}

tsr_status tsr__pool_init(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int count, const tsr_index *kernel,
                          const tsr_pool_options *options, tsr__pool *p) {
  const tsr_status st = tsr__nn_check_float(ctx, op, "x", x);
  return st == TSR_OK ? tsr__pool_geometry(ctx, op, x, count, kernel, options, p) : st;
}

tsr_status tsr__pool_geometry(tsr_ctx *ctx, const char *op, const tsr_tensor *x, int count, const tsr_index *kernel,
                              const tsr_pool_options *options, tsr__pool *p) {
  const tsr_pool_options *const o = options != NULL ? options : &defaults;
  tsr__clear(p, sizeof *p);
  p->op = op;
  p->x = x;
  p->include_pad = o->count_include_pad;
  tsr_status st = tsr__check_reserved(ctx, op, TSR__ROOM(o));
  if (st == TSR_OK) st = find_axes(ctx, p);
  if (st != TSR_OK) return st;
  if (kernel == NULL) return TSR__FAIL(ctx, TSR_EARG, op, "kernel", "is NULL");
  if (count != x->ndim - 2)
    return TSR__FAIL(ctx, TSR_EARG, op, "kernel", "has %d axes, %t is pooled along %d", count, x, x->ndim - 2);
  st = measure(ctx, p, kernel, o);
  if (st != TSR_OK) return st;
  for (int i = 0; i < x->ndim; i++) p->shape[i] = x->shape[i];
  if (p->row.axis >= 0) p->shape[p->row.axis] = p->row.out;
  p->shape[p->column.axis] = p->column.out;
  return TSR_OK;
}
