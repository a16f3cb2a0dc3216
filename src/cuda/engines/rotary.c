/* Rotary embedding: the two halves of every pair, each a line; what lies behind them is copied. */
#include "cuda/engines/engines.h"

#include "nn/rotary/ops.h"
#include "ops/promote.h"

/* Every step-th feature from first on, count of them. */
static tsr__cuda_view features(const tsr__cuda_view *v, tsr_index first, tsr_index step, tsr_index count) {
  tsr__cuda_view part = *v;
  const int last = v->tensor.ndim - 1;
  const ptrdiff_t bytes = (ptrdiff_t)(first * v->tensor.stride[last]) * (ptrdiff_t)tsr_dtype_size(v->tensor.dtype);
  part.ref.offset += bytes;
  if (part.tensor.data != NULL) part.tensor.data = (char *)part.tensor.data + bytes;
  part.tensor.shape[last] = count;
  part.tensor.stride[last] *= step;
  return part;
}

/* The rows of a table that positions name, (…, T, half) over x; without positions those of 0 … T - 1. */
static tsr_status rows_of(tsr__cuda *gpu, const tsr_work *work, int k, tsr__cuda_view *rows, tsr__cuda_plan *plan) {
  const tsr_tensor *const x = work->in[0], *const positions = work->in[3];
  *rows = tsr__cuda_input(work, k);
  if (positions == NULL) {
    rows->tensor.shape[0] = x->shape[x->ndim - 2];
    return TSR_OK;
  }
  const tsr_index shape[3] = {positions->ndim == 2 ? positions->shape[0] : 1, positions->shape[positions->ndim - 1],
                              rows->tensor.shape[1]};
  const tsr__cuda_view picked = tsr__cuda_temporary(plan, rows->tensor.dtype, 3, shape);
  tsr__cuda_view index = tsr__cuda_input(work, 3);
  const tsr_status st = tsr__cuda_plan_rows(gpu, work->ctx, rows, &index, "positions", &picked, plan);
  *rows = picked;
  if (positions->ndim == 2) { /* (B, 1 …, T, half) */
    tsr_tensor *const t = &rows->tensor;
    t->shape[x->ndim - 1] = t->shape[2], t->stride[x->ndim - 1] = t->stride[2];
    t->shape[x->ndim - 2] = shape[1], t->stride[x->ndim - 2] = picked.tensor.stride[1];
    for (int d = 1; d < x->ndim - 2; d++) t->shape[d] = 1, t->stride[d] = 0;
    t->ndim = x->ndim;
  } else {
    rows->tensor.ndim = 2;
    for (int d = 0; d < 2; d++)
      rows->tensor.shape[d] = picked.tensor.shape[d + 1], rows->tensor.stride[d] = picked.tensor.stride[d + 1];
  }
  return st;
}

static tsr_status plan_half(tsr__cuda *gpu, const tsr_work *work, bool second, const tsr__cuda_view *in,
                            const tsr__cuda_view *cosine, const tsr__cuda_view *sine, const tsr__cuda_view *out,
                            tsr__cuda_plan *plan) {
  static const char makers[2];
  const uint8_t compute = (uint8_t)tsr__compute_of(in[0].tensor.dtype);
  tsr__cuda_elements e = {.maker = &makers[second], .out = *out};
  tsr__cuda_add_view(&e, &in[0]);
  tsr__cuda_add_view(&e, &in[1]);
  tsr__cuda_add_view(&e, cosine);
  tsr__cuda_add_view(&e, sine);
  e.lines.steps = 1;
  e.lines.step[0] = (tsr__cuda_line_step){.line = second ? "b * c + a * p" : "a * c - b * p",
                                          .inputs = 4,
                                          .in = {0, 1, 2, 3},
                                          .dtype = {compute, compute, compute, compute},
                                          .compute = compute,
                                          .result = compute,
                                          .out = out->tensor.dtype};
  return tsr__cuda_plan_elements(gpu, work->ctx, &e, plan);
}

tsr_status tsr__cuda_rotary(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan) {
  const tsr__rotary_attrs *const attrs = work->attrs;
  const bool halves = attrs->form == TSR_ROTARY_HALVES;
  const tsr__cuda_view out = tsr__cuda_output(work, 0);
  tsr__cuda_view x = tsr__cuda_input(work, 0), cosine, sine;
  const tsr_index half = work->in[1]->shape[1], all = x.tensor.shape[x.tensor.ndim - 1];
  (void)op;
  if (tsr_size(&out.tensor) == 0) return TSR_OK;
  tsr_status st = tsr__cuda_unaliased(gpu, work->ctx, &out, &x, plan);
  if (st == TSR_OK) st = rows_of(gpu, work, 1, &cosine, plan);
  if (st == TSR_OK) st = rows_of(gpu, work, 2, &sine, plan);
  if (st == TSR_OK) st = tsr__cuda_unaliased(gpu, work->ctx, &out, &cosine, plan);
  if (st == TSR_OK) st = tsr__cuda_unaliased(gpu, work->ctx, &out, &sine, plan);
  const tsr_index step = halves ? 1 : 2, apart = halves ? half : 1;
  const tsr__cuda_view in[2] = {features(&x, 0, step, half), features(&x, apart, step, half)};
  for (int i = 0; i < 2 && st == TSR_OK && half > 0; i++) {
    const tsr__cuda_view to = features(&out, i * apart, step, half);
    st = plan_half(gpu, work, i == 1, in, &cosine, &sine, &to, plan);
  }
  if (st != TSR_OK || all == 2 * half) return st;
  const tsr__cuda_view rest = features(&x, 2 * half, 1, all - 2 * half),
                       to = features(&out, 2 * half, 1, all - 2 * half);
  return tsr__cuda_plan_cast(gpu, work->ctx, &rest, &to, plan);
}
