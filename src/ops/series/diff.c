/* tsr_diff: one elementwise difference after another. */
#include "core/tensor.h"
#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/kernels.h"
#include "ops/move/target.h"
#include "ops/parts.h"
#include "ops/promote.h"
#include "ops/series/ops.h"

#include <tessera/binary.h>

TSR__DECLARE_KERNELS(sub)
static tsr__row_fn *const *const tables[TSR__ISA_COUNT] = TSR__KERNELS_OF(sub);

static const char *const names[] = {"x", "prepend", "append"};
enum { X, BEFORE, AFTER, INPUTS };

typedef struct difference {
  const tsr_tensor *const *in; /* NULL: none */
  int axis, dtype;
  tsr_index length; /* of all of them along the axis */
} difference;

/* ---- checks ---- */

static tsr_status check_end(const tsr__call *call, int axis, int which, tsr_index *length) {
  const tsr_tensor *const x = call->in[X], *const t = call->in[which];
  *length = 0;
  if (t == NULL) return TSR_OK;
  bool alike = t->ndim == x->ndim;
  for (int i = 0; i < x->ndim && alike; i++) alike = i == axis || t->shape[i] == x->shape[i];
  if (!alike && t->ndim != 0)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, names[which], "%S does not fit x %S: only axis %d may differ",
                     (int)t->ndim, t->shape, (int)x->ndim, x->shape, axis);
  *length = t->ndim == 0 ? 1 : t->shape[axis];
  return TSR_OK;
}

static tsr_status promote_inputs(const tsr__call *call, int *dtype) {
  *dtype = call->in[X]->dtype;
  for (int k = 0; k < INPUTS; k++) {
    if (call->in[k] == NULL) continue;
    if (!tsr_dtype_supported(call->in[k]->dtype))
      return TSR__FAIL(call->ctx, TSR_EDTYPE, call->op, names[k], "is %y, which this build does not compute with",
                       (int)call->in[k]->dtype);
    *dtype = tsr_dtype_promote(*dtype, call->in[k]->dtype);
  }
  return TSR_OK;
}

static tsr_status check_diff(const tsr__call *call, difference *d) {
  const tsr__diff_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[X];
  tsr_index before, after;
  tsr_status st = tsr__call_axis(call, "axis", x->ndim, &d->axis);
  if (st != TSR_OK) return st;
  if (attrs->n < 0) return TSR__FAIL(call->ctx, TSR_EARG, call->op, "n", "is %d, and not 0 or more", attrs->n);
  st = check_end(call, d->axis, BEFORE, &before);
  if (st == TSR_OK) st = check_end(call, d->axis, AFTER, &after);
  if (st != TSR_OK) return st;
  if (!tsr__add_index(x->shape[d->axis], before, &d->length) || !tsr__add_index(d->length, after, &d->length))
    return TSR__FAIL(call->ctx, TSR_EOVERFLOW, call->op, NULL, "prepend and append make axis %d too long", d->axis);
  return promote_inputs(call, &d->dtype);
}

/* ---- x with what comes before and after it ---- */

/* Memory for a row-major tensor of x's shape with another length along the axis. */
static tsr_status make_like_x(tsr__call *call, const difference *d, tsr_index length, tsr_tensor *t) {
  const tsr_tensor *const x = call->in[X];
  tsr_index shape[TSR_MAX_DIMS];
  for (int i = 0; i < x->ndim; i++) shape[i] = i == d->axis ? length : x->shape[i];
  const tsr_status st = tsr__check_desc(call->ctx, call->op, d->dtype, x->ndim, shape);
  if (st != TSR_OK) return st;
  tsr__describe(d->dtype, x->ndim, shape, t);
  tsr__strides_for(t->ndim, shape, TSR_ROW_MAJOR, t->stride);
  return tsr__call_scratch(call, tsr_nbytes(t), &t->data);
}

/* One element over a shape. */
static tsr_tensor repeated(const tsr_tensor *t, const tsr_tensor *over) {
  tsr_tensor view = *over;
  view.dtype = t->dtype;
  view.data = t->data;
  for (int k = 0; k < over->ndim; k++) view.stride[k] = 0;
  return view;
}

static void join(const tsr_ctx *ctx, const difference *d, const tsr_tensor *all) {
  static const int order[INPUTS] = {BEFORE, X, AFTER};
  tsr_index at = 0;
  for (int i = 0; i < INPUTS; i++) {
    const tsr_tensor *const t = d->in[order[i]];
    if (t == NULL) continue;
    const tsr_tensor part = tsr__part(all, d->axis, at, t->ndim == 0 ? 1 : t->shape[d->axis]);
    const tsr_tensor from = t->ndim == 0 ? repeated(t, &part) : *t;
    if (tsr_size(&part) > 0) tsr__copy_no_alias(ctx, &from, &part);
    at += part.shape[d->axis];
  }
}

/* ---- one difference ---- */

static void subtract(tsr_ctx *ctx, const char *op, const tsr_tensor *later, const tsr_tensor *earlier,
                     const tsr_tensor *out) {
  const int compute = tsr__compute_of(out->dtype);
  const tsr__elementwise e = {.op = op,
                              .inputs = 2,
                              .in = {later, earlier},
                              .compute = compute,
                              .result = compute,
                              .out_dtype = out->dtype,
                              .kernel = tables[tsr__isa_of(ctx)][compute],
                              .grain = TSR__GRAIN_LIGHT,
                              .row_batches = true};
  tsr_tensor to = *out;
  const tsr_status st = tsr__elementwise_run(ctx, &e, names, &to);
  (void)st; /* nothing overlaps and the output is given: nothing is left that could fail */
}

/* out[i] = x[i + 1] - x[i]; out is one shorter than x and lies apart from it. */
static void subtract_neighbours(const tsr__call *call, int axis, const tsr_tensor *x, const tsr_tensor *out) {
  const tsr_index n = out->shape[axis];
  tsr_tensor earlier = tsr__part(x, axis, 0, n), later = tsr__part(x, axis, 1, n);
  if (tsr_size(out) == 0) return;
  earlier.flags = later.flags = 0;
  earlier.layout = later.layout = TSR_PLAIN;
  for (int part = 0; part < (tsr__is_complex(x->dtype) ? 2 : 1); part++) {
    const tsr_tensor a = tsr__part_of(&later, part), b = tsr__part_of(&earlier, part), y = tsr__part_of(out, part);
    subtract(call->ctx, call->op, &a, &b, &y);
  }
}

/* n differences of x into out, by way of two others. */
static void subtract_often(const tsr__call *call, const difference *d, int n, const tsr_tensor *x,
                           const tsr_tensor *between, const tsr_tensor *out) {
  tsr_tensor from = *x;
  if (n == 0) tsr__copy_no_alias(call->ctx, x, out);
  for (int i = 1; i <= n && tsr_size(out) > 0; i++) {
    tsr_tensor to = *out;
    if (i < n) to = tsr__part(&between[i % 2], d->axis, 0, d->length - i);
    subtract_neighbours(call, d->axis, &from, &to);
    from = to;
  }
}

static tsr_status diff(tsr__call *call) {
  const tsr__diff_attrs *const attrs = call->attrs;
  const tsr_tensor *const x = call->in[X];
  const int n = attrs->n;
  const bool joined = call->in[BEFORE] != NULL || call->in[AFTER] != NULL;
  difference d = {.in = call->in, .axis = attrs->axis};
  tsr_tensor all = *x, between[2] = {{0}};
  tsr_index shape[TSR_MAX_DIMS];
  tsr__target target;
  tsr_status st = check_diff(call, &d);
  if (st != TSR_OK) return st;
  all.flags = 0;
  for (int i = 0; i < x->ndim; i++) shape[i] = x->shape[i];
  shape[d.axis] = d.length > n ? d.length - n : 0;
  const tsr__result result = {d.dtype, x->layout, x->ndim, shape, x};
  if (joined) st = make_like_x(call, &d, d.length, &all);
  for (int i = 1; i <= 2 && st == TSR_OK; i++) /* the first one for i = 1 */
    if (n > i && shape[d.axis] > 0) st = make_like_x(call, &d, d.length - i, &between[i % 2]);
  if (st == TSR_OK) st = tsr__call_target_as(call, &result, d.dtype, joined, &target);
  if (st != TSR_OK) return st;
  if (joined) join(call->ctx, &d, &all);
  subtract_often(call, &d, n, &all, between, &target.view);
  tsr__target_end(call->ctx, call->out[0], &target);
  return TSR_OK;
}

TSR__OP(diff, diff, 0)
tsr_status tsr_diff(tsr_ctx *ctx, const tsr_tensor *x, int n, int axis, const tsr_tensor *prepend,
                    const tsr_tensor *append, tsr_tensor *out) {
  return TSR__CALL(diff, ctx, TSR__INPUTS(x, prepend, append), TSR__OUTPUTS(out), .n = n, .axis = axis);
}
