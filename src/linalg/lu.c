/* tsr_lu_factor and tsr_lu_solve. */
#include "linalg/blocked.h"
#include "linalg/kernels.h"
#include "linalg/ops.h"

TSR__LINALG_LANES_OF(lu)
TSR__LINALG_LANES_OF(lu_solve)

static void lu_rows(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  const tsr_index n = s->in[0].rows;
  (void)in;
  tsr__lu(w, n, n, tsr__submatrix_of(w, out[0], n), out[1], fault);
}

static tsr_status lu_factor(tsr__call *call) {
  tsr__stack s = {.ins = 1, .in = {{.core = 2}}, .lanes = TSR__LANES(lu), .rows = lu_rows};
  tsr_status st = tsr__stack_inputs(call, &s);
  if (st == TSR_OK) st = tsr__stack_square(call, &s, 0);
  if (st != TSR_OK) return st;
  tsr__stack_output(&s, 2, s.in[0].rows, s.in[0].rows);
  tsr__stack_real_output(&s, 1, s.in[0].rows, 1);
  s.out[1].dtype = TSR_INDEX_BITS == 64 ? TSR_I64 : TSR_I32;
  s.in[0].shares = 0;
  return tsr__stack_run(call, &s);
}

/* ---- solving with the factors ---- */

static void lu_solve_rows(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  const tsr_index n = s->in[0].rows, cols = s->out[0].cols;
  const tsr__submatrix lu = tsr__submatrix_of(w, in[0], n), b = tsr__submatrix_of(w, out[0], cols);
  tsr__find_zero(w, n, lu, fault);
  tsr__swap_rows(w, n, in[1], n, b, cols);
  tsr__solve_left(w, (tsr__triangle_way){.unit = true}, n, lu, b, cols);
  tsr__solve_left(w, (tsr__triangle_way){.upper = true}, n, lu, b, cols);
}

static tsr_status check_pivots(const tsr__call *call, tsr_index n) {
  const tsr_tensor *const pivots = call->in[1];
  if (pivots->shape[pivots->ndim - 1] != n)
    return TSR__FAIL(call->ctx, TSR_ESHAPE, call->op, "pivots", "%S: one for each of %l rows is wanted",
                     (int)pivots->ndim, pivots->shape, (int64_t)n);
  return TSR_OK;
}

static tsr_status lu_solve(tsr__call *call) {
  tsr__stack s = {.ins = 3,
                  .in = {{.core = 2}, {.core = 1, .index = true}, {.core = call->in[2]->ndim == 1 ? 1 : 2}},
                  .lanes = TSR__LANES(lu_solve),
                  .rows = lu_solve_rows,
                  .fault = TSR_ESINGULAR,
                  .what = "is singular: its diagonal is 0 at"};
  tsr_status st = tsr__stack_inputs(call, &s);
  if (st == TSR_OK) st = tsr__stack_square(call, &s, 0);
  if (st == TSR_OK) st = check_pivots(call, s.in[0].rows);
  if (st == TSR_OK) st = tsr__stack_fits(call, &s, 2, 0);
  if (st != TSR_OK) return st;
  tsr__stack_output(&s, s.in[2].core, s.in[2].rows, s.in[2].cols);
  s.in[2].shares = 0;
  return tsr__stack_run(call, &s);
}

TSR__OP(lu_factor, lu_factor, 0)
tsr_status tsr_lu_factor(tsr_ctx *ctx, const tsr_tensor *a, tsr_tensor *lu, tsr_tensor *pivots) {
  return TSR__CALL(lu_factor, ctx, TSR__INPUTS(a), TSR__OUTPUTS(lu, pivots), );
}

TSR__OP(lu_solve, lu_solve, 0)
tsr_status tsr_lu_solve(tsr_ctx *ctx, const tsr_tensor *lu, const tsr_tensor *pivots, const tsr_tensor *b,
                        tsr_tensor *out) {
  return TSR__CALL(lu_solve, ctx, TSR__INPUTS(lu, pivots, b), TSR__OUTPUTS(out), );
}
