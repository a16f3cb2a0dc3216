/* tsr_eigh, tsr_eigvalsh. */
#include "linalg/blocked.h"
#include "linalg/kernels.h"
#include "linalg/lapack.h"
#include "linalg/ops.h"
#include "linalg/order.h"
#include "linalg/spectral.h"

#if TSR_HAVE_MALLOC

TSR__LINALG_LANES_OF(eigh)

/* The other triangle as the one that is read; the diagonal counts as real. */
static void mirror(const tsr__work *w, tsr_index n, bool upper, tsr__submatrix a) {
  for (tsr_index i = 0; i < n; i++) {
    const tsr__submatrix row = tsr__submatrix_at(a, i, 0),
                         column = tsr__submatrix_transposed(tsr__submatrix_at(a, 0, i));
    const tsr__submatrix from = upper ? column : row;
    tsr__submatrix_copy(w, 1, i, tsr__submatrix_conj(from), upper ? row : column);
    if (tsr__work_is_complex(w)) tsr__submatrix_put(w, a, i, i, tsr__submatrix_get(w, a, i, i));
  }
}

/* By LAPACK: rows of a become vectors, conjugated. */
static void installed_rows(tsr__work *w, tsr_index n, bool vectors, bool upper, void *a, void *const *out,
                           tsr_index *fault) {
  tsr__work parts = tsr__work_parts(w);
  double back = 1;
  if (w->base != NULL) {
    mirror(w, n, upper, tsr__submatrix_of(w, a, n));
    back = tsr__submatrix_scale_down(w, n * n, a);
    if (back != back) {
      tsr__fill_numbers(&parts, n, out[0], back);
      if (vectors) tsr__fill_numbers(w, n * n, out[1], back);
      return;
    }
  }
  const tsr_index found = tsr__lapack_eigh(w, n, vectors, a, out[0]);
  if (w->base == NULL) return;
  *fault = found;
  tsr__submatrix_scale_back(&parts, n, out[0], back);
  const tsr__submatrix rows = tsr__submatrix_of(w, a, n);
  if (vectors) tsr__submatrix_copy(w, n, n, tsr__submatrix_adjoint(rows), tsr__submatrix_of(w, out[1], n));
}

static void eigh_rows(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  static const tsr__spectral_kernels *const tables[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__spectral);
  const tsr__spectral_kernels *const kernels = &tables[w->isa][tsr__work_type(w)];
  const bool vectors = s->outs > 1 && !s->out[1].none;
  const tsr_index n = s->in[0].rows;
  if (tsr__lapack_takes(w, TSR__LAPACK_EIGH, vectors, n)) {
    installed_rows(w, n, vectors, s->flag, in[0], out, fault);
    return;
  }
  const size_t line = (size_t)(n + 1) * (size_t)tsr__work_item(w);
  void *const d = tsr__work_take(w, line), *const e = tsr__work_take(w, line), *const tau = tsr__work_take(w, line);
  void *const room = tsr__work_take(w, line), *const q = tsr__work_take(w, vectors ? line * (size_t)n : 0);
  tsr_index *const order = tsr__work_take(w, 2 * (size_t)(n + 1) * sizeof *order);
  tsr__work parts = tsr__work_parts(w);
  if (w->base == NULL || n == 0) return;
  mirror(w, n, s->flag, tsr__submatrix_of(w, in[0], n));
  const double back = tsr__submatrix_scale_down(w, n * n, in[0]);
  if (back != back) {
    tsr__fill_numbers(&parts, n, out[0], back);
    if (vectors) tsr__fill_numbers(w, n * n, out[1], back);
    return;
  }
  kernels->tridiagonal(n, in[0], d, e, tau, room);
  if (vectors) kernels->form(n, in[0], tau, q);
  *fault = kernels->shifts(n, d, e, vectors ? q : NULL, tsr__work_is_complex(w) ? 2 * n : n);
  tsr__order_numbers(&parts, n, d, false, order);
  tsr__pick_rows(&parts, n, 1, d, order, tsr__submatrix_of(&parts, out[0], 1));
  tsr__submatrix_scale_back(&parts, n, out[0], back);
  if (vectors) tsr__pick_rows(w, n, n, q, order, tsr__submatrix_transposed(tsr__submatrix_of(w, out[1], n)));
}

static tsr_status eigh_call(tsr__call *call, bool upper) {
  tsr__stack s = {.ins = 1,
                  .in = {{.core = 2}},
                  .lanes = TSR__LANES(eigh),
                  .rows = eigh_rows,
                  .fault = TSR_ECONVERGENCE,
                  .what = "has eigenvalues that do not converge, from",
                  .flag = upper};
  tsr_status st = tsr__stack_inputs(call, &s);
  if (st == TSR_OK) st = tsr__stack_square(call, &s, 0);
  if (st != TSR_OK) return st;
  tsr__stack_real_output(&s, 1, s.in[0].rows, 1);
  if (call->outputs > 1) tsr__stack_output(&s, 2, s.in[0].rows, s.in[0].rows);
  return tsr__stack_run(call, &s);
}

#else

static tsr_status eigh_call(tsr__call *call, bool upper) {
  (void)upper;
  return tsr__stack_refuse_build(call);
}

#endif

static tsr_status eigh(tsr__call *call) { return eigh_call(call, ((const tsr__eigh_attrs *)call->attrs)->upper); }
static tsr_status eigvalsh(tsr__call *call) {
  return eigh_call(call, ((const tsr__eigvalsh_attrs *)call->attrs)->upper);
}

TSR__OP(eigh, eigh, 0)
tsr_status tsr_eigh(tsr_ctx *ctx, const tsr_tensor *a, bool upper, tsr_tensor *values, tsr_tensor *vectors) {
  return TSR__CALL(eigh, ctx, TSR__INPUTS(a), TSR__OUTPUTS(values, vectors), .upper = upper);
}

TSR__OP(eigvalsh, eigvalsh, 0)
tsr_status tsr_eigvalsh(tsr_ctx *ctx, const tsr_tensor *a, bool upper, tsr_tensor *out) {
  return TSR__CALL(eigvalsh, ctx, TSR__INPUTS(a), TSR__OUTPUTS(out), .upper = upper);
}
