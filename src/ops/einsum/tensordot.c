/* tsr_tensordot, tsr_inner, tsr_vdot: sums of products whose labels are the axes' numbers. */
#include "ops/copy/copy.h"
#include "ops/einsum/einsum.h"
#include "ops/einsum/ops.h"

/* Two operands and the labels of their axes: those of b go on after those of a, but for what is summed. */
typedef struct pair {
  const tsr_tensor *in[2];
  uint8_t label[2][TSR_MAX_DIMS];
} pair;

static pair label_axes(const tsr_tensor *a, const tsr_tensor *b) {
  pair p = {.in = {a, b}};
  for (int i = 0; i < a->ndim; i++) p.label[0][i] = (uint8_t)i;
  for (int i = 0; i < b->ndim; i++) p.label[1][i] = (uint8_t)(TSR_MAX_DIMS + i);
  return p;
}

static tsr_status bind_pair(const tsr__call *call, const pair *p, tsr__einsum *e) {
  tsr__labels summed = 0;
  int n = 0;
  tsr__einsum_init(call, 2, e);
  for (int i = 0; i < p->in[1]->ndim; i++)
    if (p->label[1][i] < TSR_MAX_DIMS) summed |= tsr__label_bit(p->label[1][i]);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < p->in[k]->ndim; i++) {
      if ((summed & tsr__label_bit(p->label[k][i])) != 0) continue;
      if (n < TSR_MAX_DIMS) e->label[n] = p->label[k][i];
      n++;
    }
  if (n > TSR_MAX_DIMS)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, NULL, "a %S and b %S give a result of %d axes, the most is %d",
                     (int)p->in[0]->ndim, p->in[0]->shape, (int)p->in[1]->ndim, p->in[1]->shape, n, TSR_MAX_DIMS);
  e->ndim = n;
  const tsr_status st = tsr__einsum_bind(call->ctx, e, 0, p->in[0], p->label[0]);
  return st == TSR_OK ? tsr__einsum_bind(call->ctx, e, 1, p->in[1], p->label[1]) : st;
}

static tsr_status call_pair(tsr__call *call, const pair *p) {
  tsr__einsum e;
  const tsr_status st = bind_pair(call, p, &e);
  return st == TSR_OK ? tsr__einsum_call(call, &e) : st;
}

/* ---- tensordot ---- */

/* Axis of_a of a and axis of_b of b are summed together. */
static tsr_status join(tsr_ctx *ctx, const char *op, pair *p, int of_a, int of_b) {
  const tsr_tensor *const a = p->in[0], *const b = p->in[1];
  tsr_status st = tsr__check_axis(ctx, op, "axes_a", of_a, a->ndim, &of_a);
  if (st == TSR_OK) st = tsr__check_axis(ctx, op, "axes_b", of_b, b->ndim, &of_b);
  if (st != TSR_OK) return st;
  if (p->label[1][of_b] < TSR_MAX_DIMS) return TSR__FAIL(ctx, TSR_EAXIS, op, "axes_b", "name axis %d twice", of_b);
  for (int i = 0; i < b->ndim; i++)
    if (p->label[1][i] == of_a) return TSR__FAIL(ctx, TSR_EAXIS, op, "axes_a", "name axis %d twice", of_a);
  if (a->shape[of_a] != b->shape[of_b])
    return TSR__FAIL(ctx, TSR_ESHAPE, op, NULL, "a %S and b %S do not fit: axis %d is %l and axis %d is %l",
                     (int)a->ndim, a->shape, (int)b->ndim, b->shape, of_a, (int64_t)a->shape[of_a], of_b,
                     (int64_t)b->shape[of_b]);
  p->label[1][of_b] = (uint8_t)of_a;
  return TSR_OK;
}

static tsr_status tensordot(tsr__call *call) {
  const tsr__tensordot_attrs *const attrs = call->attrs;
  const tsr_tensor *const a = call->in[0], *const b = call->in[1];
  const int *const axes_a = attrs->axes_a, *const axes_b = attrs->axes_b, naxes = attrs->axes_a_count;
  tsr_status st = TSR_OK;
  if (naxes < 0 || naxes > a->ndim || naxes > b->ndim)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "naxes", "is %d: a %S and b %S have %d and %d axes", naxes,
                     (int)a->ndim, a->shape, (int)b->ndim, b->shape, (int)a->ndim, (int)b->ndim);
  if ((axes_a == NULL) != (axes_b == NULL) && naxes > 0)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, axes_a == NULL ? "axes_a" : "axes_b",
                     "is NULL and the other list is not");
  pair p = label_axes(a, b);
  for (int i = 0; i < naxes && st == TSR_OK; i++)
    st =
        join(call->ctx, call->op, &p, axes_a != NULL ? axes_a[i] : a->ndim - naxes + i, axes_b != NULL ? axes_b[i] : i);
  return st == TSR_OK ? call_pair(call, &p) : st;
}

TSR__OP(tensordot, tensordot, 0)
tsr_status tsr_tensordot(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, int naxes, const int *axes_a,
                         const int *axes_b, tsr_tensor *out) {
  return TSR__CALL(tensordot, ctx, TSR__INPUTS(a, b), TSR__OUTPUTS(out), .axes_a = axes_a, .axes_a_count = naxes,
                   .axes_b = axes_b, .axes_b_count = naxes);
}

static tsr_status inner(tsr__call *call) {
  pair p = label_axes(call->in[0], call->in[1]);
  const bool scaled = p.in[0]->ndim == 0 || p.in[1]->ndim == 0;
  const tsr_status st = scaled ? TSR_OK : join(call->ctx, call->op, &p, -1, -1);
  return st == TSR_OK ? call_pair(call, &p) : st;
}

TSR__OP(inner, inner, 0)
tsr_status tsr_inner(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  return TSR__CALL(inner, ctx, TSR__INPUTS(a, b), TSR__OUTPUTS(out), );
}

/* ---- vdot ---- */

/* All elements of an operand as one axis: a view, or a copy, which is made when the call has started. */
typedef struct flat {
  tsr_tensor t, copy;
  bool copied;
} flat;

static tsr_status flatten(tsr__call *call, const tsr_tensor *in, flat *f) {
  tsr_status st = TSR_OK;
  f->copied = !tsr_is_contiguous(in, TSR_ROW_MAJOR) && in->ndim != 1;
  f->t = *in;
  if (f->copied) {
    st = tsr__call_copy_of(call, in, &f->copy);
    f->t = f->copy;
  }
  if (in->ndim != 1) f->t.stride[0] = 1;
  f->t.ndim = 1;
  f->t.shape[0] = tsr_size(in);
  return st;
}

/* Both operands as one axis, with the label 0. */
static tsr_status flatten_both(tsr__call *call, flat *f, tsr__einsum *e) {
  const tsr_tensor *const *const in = call->in;
  tsr_status st = TSR_OK;
  if (tsr_size(in[0]) != tsr_size(in[1]))
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, NULL, "a %S has %l elements and b %S has %l", (int)in[0]->ndim,
                     in[0]->shape, (int64_t)tsr_size(in[0]), (int)in[1]->ndim, in[1]->shape, (int64_t)tsr_size(in[1]));
  pair p = {.in = {&f[0].t, &f[1].t}};
  for (int k = 0; k < 2 && st == TSR_OK; k++) st = flatten(call, in[k], &f[k]);
  if (st == TSR_OK) st = bind_pair(call, &p, e);
  e->term[0].conjugate = true;
  return st == TSR_OK ? tsr__einsum_settle(call->ctx, e) : st;
}

static tsr_status vdot(tsr__call *call) {
  tsr__einsum e;
  flat f[2];
  tsr_status st = flatten_both(call, f, &e);
  if (st != TSR_OK) return st;
  const tsr__result result = {e.dtype, TSR_PLAIN, 0, e.shape, NULL};
  st = tsr__call_result(call, &result);
  if (st == TSR_OK) st = tsr__einsum_plan(call, &e, call->out[0]);
  if (st == TSR_OK) st = tsr__call_start(call);
  if (st != TSR_OK) return st;
  for (int k = 0; k < 2; k++)
    if (f[k].copied) tsr__move_no_alias(call->ctx, call->in[k], &f[k].copy);
  return tsr__einsum_run(call->ctx, &e, call->out[0]);
}

TSR__OP_LIKE(vdot, inner, vdot, 0)
tsr_status tsr_vdot(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  return TSR__CALL(vdot, ctx, TSR__INPUTS(a, b), TSR__OUTPUTS(out), );
}
