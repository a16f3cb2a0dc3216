#include "linalg/blocked.h"
#include "linalg/kernels.h"
#include "linalg/ops.h"

TSR__LINALG_LANES_OF(cholesky)

/* One triangle of the result is made of the other, or of zeros. */
static void clear_above(const tsr__work *w, tsr_index n, tsr__submatrix a) {
  for (tsr_index i = 0; i + 1 < n && w->base != NULL; i++)
    memset(tsr__submatrix_at(a, i, i + 1).at, 0, (size_t)(n - 1 - i) * (size_t)tsr__work_item(w));
}

static void cholesky_rows(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  const tsr_index n = s->in[0].rows;
  const tsr__submatrix a = tsr__submatrix_of(w, in[0], n), to = tsr__submatrix_of(w, out[0], n);
  tsr__cholesky(w, n, a, fault);
  clear_above(w, n, a);
  if (s->flag) tsr__submatrix_copy(w, n, n, tsr__submatrix_adjoint(a), to);
}

static tsr_status cholesky(tsr__call *call) {
  const tsr__cholesky_attrs *const attrs = call->attrs;
  tsr__stack s = {.ins = 1,
                  .in = {{.core = 2}},
                  .lanes = TSR__LANES(cholesky),
                  .rows = cholesky_rows,
                  .fault = TSR_ENOTPOSITIVE,
                  .what = "is not positive definite: what is left on the diagonal is not above 0 at",
                  .flag = attrs->upper};
  tsr_status st = tsr__stack_inputs(call, &s);
  if (st == TSR_OK) st = tsr__stack_square(call, &s, 0);
  if (st != TSR_OK) return st;
  const tsr_index n = s.in[0].rows;
  tsr__stack_output(&s, 2, n, n);
  s.in[0].shares = attrs->upper && !tsr__stack_takes_lanes(&s) ? -1 : 0;
  return tsr__stack_run(call, &s);
}

TSR__OP(cholesky, cholesky, 0)
tsr_status tsr_cholesky(tsr_ctx *ctx, const tsr_tensor *a, bool upper, tsr_tensor *out) {
  return TSR__CALL(cholesky, ctx, TSR__INPUTS(a), TSR__OUTPUTS(out), .upper = upper);
}
