/* tsr_eig, tsr_eigvals. */
#include "linalg/eig.h"

#include "linalg/blocked.h"
#include "linalg/lapack.h"
#include "linalg/ops.h"
#include "linalg/order.h"
#include "linalg/stack.h"

#if TSR_HAVE_MALLOC

static void *take(tsr__work *w, tsr_index rows, tsr_index cols) {
  return tsr__work_take(w, ((size_t)rows * (size_t)cols + 1) * (size_t)tsr__work_item(w));
}

/* A power of two that brings the largest element near 1, always: what counts as nothing is a constant then. What takes it back. */
static double scale_to_one(tsr__work *w, tsr_index n, void *numbers) {
  const double first = tsr__submatrix_scale_down(w, n, numbers), most = tsr__submatrix_largest(w, n, numbers);
  int exponent = 0;
  if (first != first || most == 0) return first;
  (void)__builtin_frexp(most, &exponent);
  const double back = __builtin_ldexp(1, exponent);
  tsr__submatrix_scale_back(w, n, numbers, 1 / back);
  return first * back; /* one of the two is 1, but where the largest element is subnormal */
}

/* Real and imaginary parts in turn. */
static void put_values(const tsr__work *w, tsr_index n, tsr__submatrix re, tsr__submatrix im, double back, void *to) {
  const tsr__submatrix values = tsr__submatrix_of(w, to, 2);
  for (tsr_index i = 0; i < n; i++) {
    tsr__submatrix_put(w, values, i, 0, (tsr_real)((double)tsr__submatrix_get(w, re, 0, i) * back));
    tsr__submatrix_put(w, values, i, 1, (tsr_real)((double)tsr__submatrix_get(w, im, 0, i) * back));
  }
}

/* Columns of the result, a row of real and a row of imaginary parts each, from rows of vt. */
static void put_vectors(const tsr__work *w, tsr_index n, tsr__submatrix im, tsr__submatrix vt, void *to) {
  tsr__submatrix real = tsr__submatrix_of(w, to, n), imaginary;
  real.row *= 2;
  imaginary = tsr__submatrix_at(real, 0, n);
  tsr__submatrix_copy(w, n, n, tsr__submatrix_transposed(vt), real);
  for (tsr_index i = 0; i < n; i++) tsr__fill_numbers(w, n, tsr__submatrix_at(imaginary, i, 0).at, 0);
  for (tsr_index j = 0; j + 1 < n; j++) {
    if (!(tsr__submatrix_get(w, im, 0, j) > 0)) continue;
    const tsr__submatrix y = tsr__submatrix_transposed(tsr__submatrix_at(vt, j + 1, 0));
    tsr__submatrix_copy(w, n, 1, tsr__submatrix_at(real, 0, j), tsr__submatrix_at(real, 0, j + 1));
    tsr__submatrix_copy(w, n, 1, y, tsr__submatrix_at(imaginary, 0, j));
    for (tsr_index i = 0; i < n; i++)
      tsr__submatrix_put(w, imaginary, i, j + 1, -tsr__submatrix_get(w, imaginary, i, j));
    j++;
  }
}

#if TSR_HAVE_COMPLEX
static void complex_rows(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  static const tsr__complex_eig_kernels *const tables[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__complex_eig);
  const tsr__complex_eig_kernels *const kernels = &tables[w->isa][w->dtype == TSR_C128];
  const bool vectors = s->outs > 1 && !s->out[1].none;
  const tsr_index n = s->in[0].rows, step = n + (n % 64 == 0 ? 8 : 0);
  const tsr__submatrix a = tsr__submatrix_of(w, take(w, n, step), step);
  tsr__balance b = {.scale = take(w, 1, n), .place = take(w, 1, n)};
  void *const room = take(w, 3, n);
  const tsr__submatrix zt = tsr__submatrix_of(w, vectors ? take(w, n, n) : NULL, n);
  const tsr__submatrix xt = tsr__submatrix_of(w, vectors ? take(w, n, n) : NULL, n);
  const tsr__submatrix vt = tsr__submatrix_of(w, vectors ? take(w, n, n) : NULL, n);
  const bool installed = tsr__lapack_takes(w, TSR__LAPACK_EIG, vectors, n);
  if (installed && w->base == NULL) (void)tsr__lapack_eig(w, n, in[0], NULL, NULL, NULL);
  if (n == 0) return;
  if (w->base != NULL) {
    const double back = scale_to_one(w, n * n, in[0]);
    if (back != back) {
      tsr__fill_numbers(w, n, out[0], back);
      if (vectors) tsr__fill_numbers(w, n * n, out[1], back);
      return;
    }
    if (installed) {
      *fault = tsr__lapack_eig(w, n, in[0], out[0], NULL, vectors ? vt.at : NULL);
      tsr__submatrix_scale_back(w, n, out[0], back);
      if (vectors) tsr__submatrix_copy(w, n, n, tsr__submatrix_transposed(vt), tsr__submatrix_of(w, out[1], n));
      return;
    }
    tsr__submatrix_copy(w, n, n, tsr__submatrix_of(w, in[0], n), a);
    kernels->balance(n, a.at, step, &b);
    kernels->hessenberg(n, a.at, step, &b, zt.at, room);
    *fault = kernels->schur(n, a.at, step, &b, out[0], zt.at);
    tsr__submatrix_scale_back(w, n, out[0], back);
    if (vectors && *fault == 0) kernels->vectors(n, a.at, step, xt.at);
  }
  if (!vectors || (w->base != NULL && *fault != 0)) return;
  tsr__submatrix_multiply(w, TSR__SET, n, n, n, xt, zt, vt);
  if (w->base == NULL) return;
  kernels->finish(n, &b, vt.at);
  tsr__submatrix_copy(w, n, n, tsr__submatrix_transposed(vt), tsr__submatrix_of(w, out[1], n));
}
#endif

static void eig_rows(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
#if TSR_HAVE_COMPLEX
  if (tsr__work_is_complex(w)) {
    complex_rows(s, in, out, w, fault);
    return;
  }
#endif
  static const tsr__eig_kernels *const tables[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__eig);
  const tsr__eig_kernels *const kernels = &tables[w->isa][w->dtype == TSR_F64];
  const bool vectors = s->outs > 1 && !s->out[1].none;
  const tsr_index n = s->in[0].rows, step = n + (n % 64 == 0 ? 8 : 0); /* columns do not share their places in caches */
  const tsr__submatrix re = tsr__submatrix_of(w, take(w, 1, n), n), im = tsr__submatrix_of(w, take(w, 1, n), n);
  const tsr__submatrix a = tsr__submatrix_of(w, take(w, n, step), step);
  tsr__balance b = {.scale = take(w, 1, n), .place = take(w, 1, n)};
  void *const room = take(w, 3, n);
  const tsr__submatrix zt = tsr__submatrix_of(w, vectors ? take(w, n, n) : NULL, n);
  const tsr__submatrix xt = tsr__submatrix_of(w, vectors ? take(w, n, n) : NULL, n);
  const tsr__submatrix vt = tsr__submatrix_of(w, vectors ? take(w, n, n) : NULL, n);
  const bool installed = tsr__lapack_takes(w, TSR__LAPACK_EIG, vectors, n);
  if (installed && w->base == NULL) (void)tsr__lapack_eig(w, n, in[0], NULL, NULL, NULL);
  if (n == 0) return;
  if (w->base != NULL) {
    const double back = scale_to_one(w, n * n, in[0]);
    if (back != back) {
      tsr__fill_numbers(w, 2 * n, out[0], back);
      if (vectors) tsr__fill_numbers(w, 2 * n * n, out[1], back);
      return;
    }
    if (installed) {
      *fault = tsr__lapack_eig(w, n, in[0], re.at, im.at, vectors ? vt.at : NULL);
      put_values(w, n, re, im, back, out[0]);
      if (vectors && *fault == 0) put_vectors(w, n, im, vt, out[1]);
      return;
    }
    tsr__submatrix_copy(w, n, n, tsr__submatrix_of(w, in[0], n), a);
    kernels->balance(n, a.at, step, &b);
    kernels->hessenberg(n, a.at, step, &b, zt.at, room);
    *fault = kernels->schur(n, a.at, step, &b, re.at, im.at, zt.at);
    put_values(w, n, re, im, back, out[0]);
    if (vectors && *fault == 0) kernels->vectors(n, a.at, step, re.at, im.at, xt.at);
  }
  if (!vectors || (w->base != NULL && *fault != 0)) return;
  tsr__submatrix_multiply(w, TSR__SET, n, n, n, xt, zt, vt);
  if (w->base == NULL) return;
  kernels->finish(n, &b, im.at, vt.at);
  put_vectors(w, n, im, vt, out[1]);
}

static tsr_status eig(tsr__call *call) {
  tsr__stack s = {.ins = 1,
                  .in = {{.core = 2}},
                  .rows = eig_rows,
                  .fault = TSR_ECONVERGENCE,
                  .what = "has eigenvalues that do not converge, from"};
  tsr_status st = tsr__stack_inputs(call, &s);
  if (st == TSR_OK) st = tsr__stack_square(call, &s, 0);
  if (st != TSR_OK) return st;
  tsr__stack_complex_output(&s, 1, s.in[0].rows, 1);
  if (call->outputs > 1) tsr__stack_complex_output(&s, 2, s.in[0].rows, s.in[0].rows);
  return tsr__stack_run(call, &s);
}

#else

static tsr_status eig(tsr__call *call) { return tsr__stack_refuse_build(call); }

#endif

TSR__OP(eig, eig, 0)
tsr_status tsr_eig(tsr_ctx *ctx, const tsr_tensor *a, tsr_tensor *values, tsr_tensor *vectors) {
  return TSR__CALL(eig, ctx, TSR__INPUTS(a), TSR__OUTPUTS(values, vectors), );
}

TSR__OP(eigvals, eig, 0)
tsr_status tsr_eigvals(tsr_ctx *ctx, const tsr_tensor *a, tsr_tensor *out) {
  return TSR__CALL(eigvals, ctx, TSR__INPUTS(a), TSR__OUTPUTS(out), );
}
