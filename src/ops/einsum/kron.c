/* tsr_kron: an outer product, axis by axis, of which the output is seen with each of its axes split in two. */
#include "ops/einsum/einsum.h"
#include "ops/einsum/ops.h"

/* Labels in order of the split output's axes: of a, of b, of a, … */
typedef struct places {
  int ndim; /* of the result */
  tsr_index of_a[TSR_MAX_DIMS], of_b[TSR_MAX_DIMS], shape[TSR_MAX_DIMS];
} places;

static tsr_status check_places(tsr_ctx *ctx, const char *op, const tsr_tensor *a, const tsr_tensor *b, places *p) {
  int n = 0;
  p->ndim = a->ndim > b->ndim ? a->ndim : b->ndim;
  for (int i = 0; i < p->ndim; i++) {
    const int at_a = i - (p->ndim - a->ndim), at_b = i - (p->ndim - b->ndim);
    p->of_a[i] = at_a >= 0 ? a->shape[at_a] : 1;
    p->of_b[i] = at_b >= 0 ? b->shape[at_b] : 1;
    n += (p->of_a[i] != 1) + (p->of_b[i] != 1);
    if (!tsr__mul_index(p->of_a[i], p->of_b[i], &p->shape[i]))
      return TSR__FAIL(ctx, TSR_EOVERFLOW, op, NULL, "a %S and b %S give too many elements", (int)a->ndim, a->shape,
                       (int)b->ndim, b->shape);
  }
  if (n > TSR_MAX_DIMS)
    return TSR__FAIL(ctx, TSR_EUNSUPPORTED, op, NULL, "a %S and b %S have %d axes that are not 1, the most is %d",
                     (int)a->ndim, a->shape, (int)b->ndim, b->shape, n, TSR_MAX_DIMS);
  return TSR_OK;
}

/* Label 2i is axis i of a, label 2i + 1 axis i of b. */
static tsr_status bind_place(tsr_ctx *ctx, tsr__einsum *e, const places *p, int k, const tsr_tensor *in) {
  uint8_t label[TSR_MAX_DIMS];
  for (int i = 0; i < in->ndim; i++) label[i] = (uint8_t)(2 * (p->ndim - in->ndim + i) + k);
  return tsr__einsum_bind(ctx, e, k, in, label);
}

/* A given output with its axes split; what is 1 is left out. */
static tsr_tensor split(const places *p, const tsr_tensor *out) {
  tsr_tensor view = *out;
  int n = 0;
  for (int i = 0; i < p->ndim; i++) {
    const tsr_index length[2] = {p->of_a[i], p->of_b[i]};
    const tsr_index stride[2] = {p->of_b[i] == 1 ? out->stride[i] : out->stride[i] * p->of_b[i], out->stride[i]};
    for (int k = 0; k < 2; k++) {
      if (length[k] == 1) continue;
      view.shape[n] = length[k];
      view.stride[n++] = stride[k];
    }
  }
  view.ndim = (uint8_t)n;
  view.flags = 0;
  view.layout = TSR_PLAIN;
  return view;
}

static tsr_status bind_places(const tsr__call *call, const places *p, tsr__einsum *e) {
  tsr__einsum_init(call, 2, e);
  tsr_status st = bind_place(call->ctx, e, p, 0, call->in[0]);
  if (st == TSR_OK) st = bind_place(call->ctx, e, p, 1, call->in[1]);
  if (st != TSR_OK) return st;
  e->ndim = 0;
  for (int l = 0; l < 2 * p->ndim; l++)
    if (e->size[l] != 1) e->label[e->ndim++] = (uint8_t)l;
  return tsr__einsum_settle(call->ctx, e);
}

static tsr_status kron(tsr__call *call) {
  places p;
  tsr__einsum e;
  tsr_status st = check_places(call->ctx, call->op, call->in[0], call->in[1], &p);
  if (st == TSR_OK) st = bind_places(call, &p, &e);
  if (st != TSR_OK) return st;
  const tsr__result result = {e.dtype, TSR_PLAIN, p.ndim, p.shape, NULL};
  st = tsr__call_result(call, &result);
  if (st != TSR_OK) return st;
  const tsr_tensor view = split(&p, call->out[0]);
  st = tsr__einsum_plan(call, &e, &view);
  if (st == TSR_OK) st = tsr__call_start(call);
  return st == TSR_OK ? tsr__einsum_run(call->ctx, &e, &view) : st;
}

TSR__OP_LIKE(kron, inner, kron, 0)
tsr_status tsr_kron(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out) {
  return TSR__CALL(kron, ctx, TSR__INPUTS(a, b), TSR__OUTPUTS(out), );
}
