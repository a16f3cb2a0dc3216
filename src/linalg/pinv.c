/* tsr_pinv, tsr_lstsq, tsr_matrix_rank, tsr_cond: by singular values. */
#include "linalg/ops.h"
#include "linalg/svd.h"

static tsr_status pinv(tsr__call *call) {
  tsr__stack s = {.kind = TSR__SVD_PINV, .number = ((const tsr__pinv_attrs *)call->attrs)->rcond};
  const tsr_status st = tsr__singular_inputs(call, &s);
  if (st != TSR_OK) return st;
  tsr__stack_output(&s, 2, s.in[0].cols, s.in[0].rows);
  return tsr__stack_run(call, &s);
}

static tsr_status lstsq(tsr__call *call) {
  tsr__stack s = {.kind = TSR__SVD_LSTSQ, .number = ((const tsr__lstsq_attrs *)call->attrs)->rcond, .ins = 2};
  s.in[1].core = call->in[1]->ndim == 1 ? 1 : 2;
  tsr_status st = tsr__singular_inputs(call, &s);
  if (st == TSR_OK) st = tsr__stack_fits(call, &s, 1, 0);
  if (st != TSR_OK) return st;
  const tsr_index m = s.in[0].rows, n = s.in[0].cols;
  tsr__stack_output(&s, s.in[1].core, n, s.in[1].cols);
  tsr__stack_real_output(&s, 0, 1, 1);
  tsr__stack_real_output(&s, 1, m < n ? m : n, 1);
  s.out[1].dtype = TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32;
  return tsr__stack_run(call, &s);
}

/* A number of each matrix. */
static tsr_status number_call(tsr__call *call, tsr__stack *s, int dtype) {
  const tsr_status st = tsr__singular_inputs(call, s);
  if (st != TSR_OK) return st;
  tsr__stack_real_output(s, 0, 1, 1);
  s->out[0].dtype = dtype;
  return tsr__stack_run(call, s);
}

static tsr_status matrix_rank(tsr__call *call) {
  tsr__stack s = {.kind = TSR__SVD_RANK, .number = ((const tsr__matrix_rank_attrs *)call->attrs)->rtol};
  return number_call(call, &s, TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32);
}

static tsr_status cond(tsr__call *call) {
  tsr__stack s = {.kind = TSR__SVD_COND};
  return number_call(call, &s, TSR_NONE);
}

TSR__OP(pinv, pinv, 0)
tsr_status tsr_pinv(tsr_ctx *ctx, const tsr_tensor *a, tsr_real rcond, tsr_tensor *out) {
  return TSR__CALL(pinv, ctx, TSR__INPUTS(a), TSR__OUTPUTS(out), .rcond = rcond);
}

TSR__OP(lstsq, lstsq, 0)
tsr_status tsr_lstsq(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_real rcond, tsr_tensor *x,
                     tsr_tensor *rank, tsr_tensor *s) {
  return TSR__CALL(lstsq, ctx, TSR__INPUTS(a, b), TSR__OUTPUTS(x, rank, s), .rcond = rcond);
}

TSR__OP(matrix_rank, matrix_rank, 0)
tsr_status tsr_matrix_rank(tsr_ctx *ctx, const tsr_tensor *a, tsr_real rtol, tsr_tensor *out) {
  return TSR__CALL(matrix_rank, ctx, TSR__INPUTS(a), TSR__OUTPUTS(out), .rtol = rtol);
}

TSR__OP(cond, cond, 0)
tsr_status tsr_cond(tsr_ctx *ctx, const tsr_tensor *a, tsr_tensor *out) {
  return TSR__CALL(cond, ctx, TSR__INPUTS(a), TSR__OUTPUTS(out), );
}
