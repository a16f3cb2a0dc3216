/* tsr_tensordot, tsr_inner, tsr_vdot: sums of products whose labels are the axes' numbers. */
#include "core/operand.h"
#include "core/view.h"
#include "ops/copy/copy.h"
#include "ops/einsum/einsum.h"

/* Two operands and the labels of their axes: those of b go on after those of a, but for what is summed. */
typedef struct pair {
  const tsr_tensor *in[2];
  uint8_t label[2][TSR_MAX_DIMS];
} pair;

static tsr_status begin(tsr_ctx *ctx, const char *op, const tsr_tensor *a, const tsr_tensor *b, pair *p) {
  tsr_status st = tsr__check_input(ctx, op, "a", a);
  if (st == TSR_OK) st = tsr__check_input(ctx, op, "b", b);
  if (st != TSR_OK) return st;
  p->in[0] = a;
  p->in[1] = b;
  for (int i = 0; i < a->ndim; i++) p->label[0][i] = (uint8_t)i;
  for (int i = 0; i < b->ndim; i++) p->label[1][i] = (uint8_t)(TSR_MAX_DIMS + i);
  return TSR_OK;
}

static tsr_status run(tsr_ctx *ctx, const char *op, const pair *p, bool conjugate, tsr_tensor *out) {
  tsr__einsum e;
  tsr__labels summed = 0;
  int n = 0;
  e.op = op;
  e.terms = 2;
  for (int l = 0; l < TSR__LABELS; l++) e.size[l] = 1;
  for (int i = 0; i < p->in[1]->ndim; i++)
    if (p->label[1][i] < TSR_MAX_DIMS) summed |= tsr__label_bit(p->label[1][i]);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < p->in[k]->ndim; i++) {
      if ((summed & tsr__label_bit(p->label[k][i])) != 0) continue;
      if (n < TSR_MAX_DIMS) e.label[n] = p->label[k][i];
      n++;
    }
  if (n > TSR_MAX_DIMS)
    return TSR__FAIL(ctx, TSR_ESHAPE, op, NULL, "a %S and b %S give a result of %d axes, the most is %d",
                     (int)p->in[0]->ndim, p->in[0]->shape, (int)p->in[1]->ndim, p->in[1]->shape, n, TSR_MAX_DIMS);
  e.ndim = n;
  tsr_status st = tsr__einsum_bind(ctx, &e, 0, p->in[0], p->label[0]);
  if (st == TSR_OK) st = tsr__einsum_bind(ctx, &e, 1, p->in[1], p->label[1]);
  if (st != TSR_OK) return st;
  e.term[0].conjugate = conjugate;
  return tsr__einsum_run(ctx, &e, out);
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

tsr_status tsr_tensordot(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, int naxes, const int *axes_a,
                         const int *axes_b, tsr_tensor *out) {
  TSR__OPERANDS(a, b, out);
  static const char op[] = "tensordot";
  pair p;
  tsr_status st = begin(ctx, op, a, b, &p);
  if (st != TSR_OK) return st;
  if (naxes < 0 || naxes > a->ndim || naxes > b->ndim)
    return TSR__FAIL(ctx, TSR_EARG, op, "naxes", "is %d: a %S and b %S have %d and %d axes", naxes, (int)a->ndim,
                     a->shape, (int)b->ndim, b->shape, (int)a->ndim, (int)b->ndim);
  if ((axes_a == NULL) != (axes_b == NULL) && naxes > 0)
    return TSR__FAIL(ctx, TSR_EARG, op, axes_a == NULL ? "axes_a" : "axes_b", "is NULL and the other list is not");
  for (int i = 0; i < naxes && st == TSR_OK; i++)
    st = join(ctx, op, &p, axes_a != NULL ? axes_a[i] : a->ndim - naxes + i, axes_b != NULL ? axes_b[i] : i);
  return st == TSR_OK ? run(ctx, op, &p, false, out) : st;
}

tsr_status tsr_inner(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  TSR__OPERANDS(a, b, out);
  static const char op[] = "inner";
  pair p;
  tsr_status st = begin(ctx, op, a, b, &p);
  if (st == TSR_OK && a->ndim > 0 && b->ndim > 0) st = join(ctx, op, &p, -1, -1);
  return st == TSR_OK ? run(ctx, op, &p, false, out) : st;
}

/* ---- vdot ---- */

/* All elements as one axis: a view, or a copy where there is none. */
static tsr_status flatten(tsr_ctx *ctx, const char *op, const tsr_tensor *in, tsr__scratch *scratch, tsr_tensor *flat) {
  tsr_tensor t = *in;
  tsr_status st = TSR_OK;
  if (!tsr_is_contiguous(in, TSR_ROW_MAJOR) && in->ndim != 1) st = tsr__copy_to_scratch(ctx, op, in, scratch, &t);
  const tsr_index size = tsr_size(in), stride = in->ndim == 1 ? t.stride[0] : 1;
  *flat = t;
  flat->ndim = 1;
  flat->shape[0] = size;
  flat->stride[0] = stride;
  return st;
}

tsr_status tsr_vdot(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  TSR__OPERANDS(a, b, out);
  static const char op[] = "vdot";
  tsr__scratch scratch[2] = {{0}};
  tsr_tensor flat[2] = {{0}};
  pair p;
  tsr_status st = begin(ctx, op, a, b, &p);
  if (st != TSR_OK) return st;
  if (tsr_size(a) != tsr_size(b))
    return TSR__FAIL(ctx, TSR_ESHAPE, op, NULL, "a %S has %l elements and b %S has %l", (int)a->ndim, a->shape,
                     (int64_t)tsr_size(a), (int)b->ndim, b->shape, (int64_t)tsr_size(b));
  for (int k = 0; k < 2 && st == TSR_OK; k++) {
    st = flatten(ctx, op, p.in[k], &scratch[k], &flat[k]);
    p.in[k] = &flat[k];
    p.label[k][0] = 0;
  }
  if (st == TSR_OK) st = run(ctx, op, &p, true, out);
  for (int k = 1; k >= 0; k--) tsr__scratch_put(&scratch[k]);
  return st;
}
