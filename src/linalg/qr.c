#include "linalg/blocked.h"
#include "linalg/kernels.h"
#include "linalg/ops.h"

#if TSR_HAVE_MALLOC

TSR__LINALG_LANES_OF(qr)

static void qr_rows(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  const tsr_index m = s->in[0].rows, n = s->in[0].cols, cols = s->out[0].cols, rows = s->out[1].rows;
  const tsr__submatrix a = tsr__submatrix_of(w, in[0], n), r = tsr__submatrix_of(w, out[1], n);
  tsr__reflections reflections = {.keeps = !s->out[0].none};
  (void)fault;
  const double back = tsr__submatrix_scale_down(w, m * n, in[0]);
  tsr__qr(w, m, n, a, &reflections);
  for (tsr_index i = 0; i < rows && w->base != NULL; i++) {
    const tsr_index from = i < n ? i : n;
    memset(tsr__submatrix_at(r, i, 0).at, 0, (size_t)from * (size_t)tsr__work_item(w));
    memcpy(tsr__submatrix_at(r, i, from).at, tsr__submatrix_at(a, i, from).at,
           (size_t)(n - from) * (size_t)tsr__work_item(w));
  }
  tsr__submatrix_scale_back(w, rows * n, out[1], back);
  if (!s->out[0].none) tsr__qr_form(w, &reflections, tsr__submatrix_of(w, out[0], cols), cols);
}

static tsr_status qr(tsr__call *call) {
  const tsr__qr_attrs *const attrs = call->attrs;
  tsr__stack s = {.ins = 1, .in = {{.core = 2}}, .lanes = TSR__LANES(qr), .rows = qr_rows};
  const tsr_status st = tsr__stack_inputs(call, &s);
  if (st != TSR_OK) return st;
  if (call->out[0] == NULL && call->out[1] == NULL)
    return TSR__FAIL(call->ctx, TSR_EARG, call->op, "q", "and r are NULL");
  const tsr_index m = s.in[0].rows, n = s.in[0].cols, k = attrs->complete || m < n ? m : n;
  tsr__stack_output(&s, 2, m, k);
  tsr__stack_output(&s, 2, k, n);
  return tsr__stack_run(call, &s);
}

#else

static tsr_status qr(tsr__call *call) { return tsr__stack_refuse_build(call); }

#endif

TSR__OP(qr, qr, 0)
tsr_status tsr_qr(tsr_ctx *ctx, const tsr_tensor *a, bool complete, tsr_tensor *q, tsr_tensor *r) {
  return TSR__CALL(qr, ctx, TSR__INPUTS(a), TSR__OUTPUTS(q, r), .complete = complete);
}
