/* tsr_diff: one elementwise difference after another. */
#include <tessera/binary.h>
#include <tessera/series.h>
#include "core/operand.h"
#include "core/tensor.h"
#include "ops/elementwise/elementwise.h"
#include "ops/elementwise/kernels.h"
#include "ops/move/target.h"
#include "ops/parts.h"
#include "ops/promote.h"

TSR__DECLARE_KERNELS(sub)
static tsr__row_fn *const *const tables[TSR__ISA_COUNT] = TSR__KERNELS_OF(sub);

static const char *const names[] = {"x", "prepend", "append"};
enum { X, BEFORE, AFTER, INPUTS };

typedef struct call {
  const char *op;
  const tsr_tensor *in[INPUTS]; /* NULL: none */
  int axis, dtype;
  tsr_index length; /* of all of them along the axis */
} call;

/* ---- checks ---- */

static tsr_status check_end(tsr_ctx *ctx, const call *c, int which, tsr_index *length) {
  const tsr_tensor *const x = c->in[X], *const t = c->in[which];
  *length = 0;
  if (t == NULL) return TSR_OK;
  const tsr_status st = tsr__check_input(ctx, c->op, names[which], t);
  if (st != TSR_OK) return st;
  bool alike = t->ndim == x->ndim;
  for (int i = 0; i < x->ndim && alike; i++) alike = i == c->axis || t->shape[i] == x->shape[i];
  if (!alike && t->ndim != 0)
    return TSR__FAIL(ctx, TSR_ESHAPE, c->op, names[which], "%S does not fit x %S: only axis %d may differ",
                     (int)t->ndim, t->shape, (int)x->ndim, x->shape, c->axis);
  *length = t->ndim == 0 ? 1 : t->shape[c->axis];
  return TSR_OK;
}

static tsr_status check(tsr_ctx *ctx, call *c, int n, int axis) {
  tsr_index before, after;
  tsr_status st = tsr__check_input(ctx, c->op, "x", c->in[X]);
  if (st == TSR_OK) st = tsr__check_axis(ctx, c->op, "axis", axis, c->in[X]->ndim, &c->axis);
  if (st != TSR_OK) return st;
  if (n < 0) return TSR__FAIL(ctx, TSR_EARG, c->op, "n", "is %d, and not 0 or more", n);
  st = check_end(ctx, c, BEFORE, &before);
  if (st == TSR_OK) st = check_end(ctx, c, AFTER, &after);
  if (st != TSR_OK) return st;
  if (!tsr__add_index(c->in[X]->shape[c->axis], before, &c->length) || !tsr__add_index(c->length, after, &c->length))
    return TSR__FAIL(ctx, TSR_EOVERFLOW, c->op, NULL, "prepend and append make axis %d too long", c->axis);
  c->dtype = c->in[X]->dtype;
  for (int k = 0; k < INPUTS; k++) {
    if (c->in[k] == NULL) continue;
    if (!tsr_dtype_supported(c->in[k]->dtype))
      return TSR__FAIL(ctx, TSR_EDTYPE, c->op, names[k], "is %y, which this build does not compute with",
                       (int)c->in[k]->dtype);
    c->dtype = tsr_dtype_promote(c->dtype, c->in[k]->dtype);
  }
  return TSR_OK;
}

/* ---- x with what comes before and after it ---- */

/* A row-major tensor of x's shape with another length along the axis. */
static tsr_status make(tsr_ctx *ctx, const call *c, tsr_index length, tsr__scratch *scratch, tsr_tensor *t) {
  tsr_index shape[TSR_MAX_DIMS];
  for (int i = 0; i < c->in[X]->ndim; i++) shape[i] = i == c->axis ? length : c->in[X]->shape[i];
  tsr_status st = tsr__check_desc(ctx, c->op, c->dtype, c->in[X]->ndim, shape);
  if (st != TSR_OK) return st;
  tsr__describe(c->dtype, c->in[X]->ndim, shape, t);
  tsr__strides_for(t->ndim, shape, TSR_ROW_MAJOR, t->stride);
  st = tsr__scratch_get(ctx, c->op, tsr_nbytes(t), scratch);
  t->data = scratch->data;
  return st;
}

static tsr_status join(tsr_ctx *ctx, const call *c, tsr__scratch *scratch, tsr_tensor *all) {
  static const int order[INPUTS] = {BEFORE, X, AFTER};
  tsr_index at = 0;
  const tsr_status st = make(ctx, c, c->length, scratch, all);
  if (st != TSR_OK) return st;
  for (int i = 0; i < INPUTS; i++) {
    const tsr_tensor *const t = c->in[order[i]];
    if (t == NULL) continue;
    const tsr_tensor part = tsr__part(all, c->axis, at, t->ndim == 0 ? 1 : t->shape[c->axis]);
    tsr_tensor from = *t;
    if (t->ndim == 0 && all->ndim > 0) {
      from = part;
      from.dtype = t->dtype;
      from.data = t->data;
      for (int k = 0; k < part.ndim; k++) from.stride[k] = 0;
    }
    if (tsr_size(&part) > 0) tsr__copy_apart(ctx, &from, &part);
    at += part.shape[c->axis];
  }
  return TSR_OK;
}

/* ---- one difference ---- */

static void subtract(tsr_ctx *ctx, const call *c, const tsr_tensor *later, const tsr_tensor *earlier,
                     const tsr_tensor *out) {
  static const ptrdiff_t next[3] = {0};
  tsr__band band = {1, next, false};
  const int compute = tsr__compute_of(out->dtype);
  const tsr__elementwise e = {.op = c->op,
                              .inputs = 2,
                              .in = {later, earlier},
                              .compute = compute,
                              .result = compute,
                              .out_dtype = out->dtype,
                              .kernel = tables[tsr__isa_of(ctx)][compute],
                              .arg = &band,
                              .grain = TSR__GRAIN_LIGHT,
                              .bands = true};
  tsr_tensor to = *out;
  const tsr_status st = tsr__elementwise_run(ctx, &e, names, &to);
  (void)st; /* nothing overlaps and the output is given: nothing is left that could fail */
}

/* out[i] = x[i + 1] - x[i]; out is one shorter than x and lies apart from it. */
static void step(tsr_ctx *ctx, const call *c, const tsr_tensor *x, const tsr_tensor *out) {
  const tsr_index n = out->shape[c->axis];
  tsr_tensor earlier = tsr__part(x, c->axis, 0, n), later = tsr__part(x, c->axis, 1, n);
  if (tsr_size(out) == 0) return;
  earlier.flags = later.flags = 0;
  earlier.layout = later.layout = TSR_PLAIN;
  for (int part = 0; part < (tsr__is_complex(x->dtype) ? 2 : 1); part++) {
    const tsr_tensor a = tsr__part_of(&later, part), b = tsr__part_of(&earlier, part), y = tsr__part_of(out, part);
    subtract(ctx, c, &a, &b, &y);
  }
}

/* n differences of x into out, by way of two others. */
static void run(tsr_ctx *ctx, const call *c, int n, const tsr_tensor *x, tsr_tensor *between, const tsr_tensor *out) {
  tsr_tensor from = *x;
  if (n == 0) tsr__copy_apart(ctx, x, out);
  for (int i = 1; i <= n && tsr_size(out) > 0; i++) {
    tsr_tensor to = *out;
    if (i < n) to = tsr__part(&between[i % 2], c->axis, 0, c->length - i);
    step(ctx, c, &from, &to);
    from = to;
  }
}

tsr_status tsr_diff(tsr_ctx *ctx, const tsr_tensor *x, int n, int axis, const tsr_tensor *prepend,
                    const tsr_tensor *append, tsr_tensor *out) {
  TSR__OPERANDS(x, prepend, append, out);
  call c = {.op = "diff", .in = {x, prepend, append}};
  tsr_status st = check(ctx, &c, n, axis);
  if (st != TSR_OK) return st;
  tsr__scratch scratch[3] = {{0}};
  tsr_tensor all = *x, between[2] = {{0}};
  tsr_index shape[TSR_MAX_DIMS];
  tsr__target target;
  all.flags = 0;
  for (int i = 0; i < x->ndim; i++) shape[i] = x->shape[i];
  shape[c.axis] = c.length > n ? c.length - n : 0;
  const tsr__result result = {c.dtype, x->layout, x->ndim, shape, x};
  st = tsr__output_check(ctx, c.op, &result, out);
  if (st == TSR_OK && (prepend != NULL || append != NULL)) st = join(ctx, &c, &scratch[0], &all);
  for (int i = 1; i <= 2 && st == TSR_OK; i++) /* the first one for i = 1 */
    if (n > i && shape[c.axis] > 0) st = make(ctx, &c, c.length - i, &scratch[i], &between[i % 2]);
  const tsr_tensor *const in[] = {&all};
  if (st == TSR_OK) st = tsr__target_begin(ctx, c.op, &result, 1, in, out, &target);
  if (st == TSR_OK) {
    run(ctx, &c, n, &all, between, &target.view);
    tsr__target_end(ctx, out, &target);
  }
  for (int i = 2; i >= 0; i--) tsr__scratch_put(&scratch[i]);
  return st;
}
