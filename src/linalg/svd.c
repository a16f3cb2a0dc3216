/* Singular values of one matrix, and what ops make of them. */
#include "linalg/svd.h"

#include "linalg/blocked.h"
#include "linalg/kernels.h"
#include "linalg/lapack.h"
#include "linalg/ops.h"
#include "linalg/order.h"
#include "linalg/spectral.h"
#include "ops/parts.h"

#if TSR_HAVE_MALLOC

TSR__LINALG_LANES_OF(svd)

static const tsr__spectral_kernels *kernels_of(const tsr__work *w) {
  static const tsr__spectral_kernels *const tables[TSR__ISA_COUNT] = TSR__FOR_ISAS(tsr__spectral);
  return &tables[w->isa][tsr__work_type(w)];
}

/* The factors of one matrix: rows of left are columns of U, rows of right those of Vᴴ; sigma and sorted are real. */
typedef struct factors {
  tsr_index count;
  tsr_index *order;
  void *sigma, *sorted;
  tsr__submatrix left, right;
  double back;
} factors;

static void *take(tsr__work *w, tsr_index rows, tsr_index cols) {
  return tsr__work_take(w, ((size_t)rows * (size_t)cols + 1) * (size_t)tsr__work_item(w));
}

/* ---- values alone: those of a tridiagonal matrix with zeros on its diagonal, twice as large, are ±σ ---- */

static void find_values(tsr__work *w, tsr_index m, tsr_index n, tsr__submatrix a, factors *f, tsr_index *fault) {
  const bool tall = m >= n;
  const tsr_index rows = tall ? m : n, cols = tall ? n : m, twice = 2 * cols;
  void *const g = take(w, rows, cols), *const d = take(w, 1, cols), *const e = take(w, 1, cols),
              *const room = take(w, 2, rows);
  const tsr__work parts = tsr__work_parts(w); /* of what is real in any case */
  const tsr__submatrix zeros = tsr__submatrix_of(&parts, take(w, 1, twice), twice),
                       beside = tsr__submatrix_of(&parts, take(w, 1, twice), twice);
  tsr__submatrix_copy(w, rows, cols, tall ? a : tsr__submatrix_transposed(a), tsr__submatrix_of(w, g, cols));
  f->back = tsr__submatrix_scale_down(w, rows * cols, g);
  if (w->base == NULL || f->back != f->back) return;
  kernels_of(w)->bidiagonal(rows, cols, g, d, e, room);
  tsr__fill_numbers(&parts, twice, zeros.at, 0);
  for (tsr_index i = 0; i < cols; i++) {
    const tsr__submatrix diagonal = tsr__submatrix_of(&parts, d, cols), above = tsr__submatrix_of(&parts, e, cols);
    tsr__submatrix_put(&parts, beside, 0, 2 * i, tsr__submatrix_get(&parts, diagonal, 0, i));
    if (i + 1 < cols) tsr__submatrix_put(&parts, beside, 0, 2 * i + 1, tsr__submatrix_get(&parts, above, 0, i));
  }
  *fault = kernels_of(w)->shifts(twice, zeros.at, beside.at, NULL, 0);
  tsr__order_numbers(&parts, twice, zeros.at, true, f->order);
  tsr__pick_rows(&parts, cols, 1, zeros.at, f->order, tsr__submatrix_of(&parts, f->sorted, 1));
  for (tsr_index i = 0; i < cols; i++) { /* half of them are positive, but for rounding */
    const tsr__submatrix sorted = tsr__submatrix_of(&parts, f->sorted, 1);
    if (tsr__submatrix_get(&parts, sorted, i, 0) < 0) tsr__submatrix_put(&parts, sorted, i, 0, 0);
  }
}

/* ---- with vectors: rows rotate until they are orthogonal ---- */

static void find_vectors(tsr__work *w, tsr_index m, tsr_index n, bool full, tsr__submatrix a, factors *f,
                         tsr_index *fault) {
  const bool tall = m > n;
  const tsr_index count = f->count, len = tall ? m : n, all = full ? len : count;
  void *const g = take(w, all, len), *const j = take(w, count, count), *const sorted = take(w, all, len);
  void *const rotated = take(w, count, count);
  const tsr__submatrix rows = tsr__submatrix_of(w, g, len), outer = tsr__submatrix_of(w, sorted, len),
                       inner = tsr__submatrix_of(w, rotated, count);
  f->left = tall ? outer : inner;
  f->right = tall ? inner : outer;
  tsr__submatrix_copy(w, count, len, tall ? tsr__submatrix_transposed(a) : a, rows);
  f->back = tsr__submatrix_scale_down(w, count * len, g);
  if (w->base == NULL || f->back != f->back) return;
  tsr__submatrix_diagonal(w, count, count, tsr__submatrix_of(w, j, count), 1);
  *fault = kernels_of(w)->rotate(count, len, g, j, f->sigma);
  const tsr__work parts = tsr__work_parts(w);
  tsr__order_numbers(&parts, count, f->sigma, true, f->order);
  tsr__pick_rows(&parts, count, 1, f->sigma, f->order, tsr__submatrix_of(&parts, f->sorted, 1));
  tsr__pick_rows(w, count, len, g, f->order, outer);
  tsr__pick_rows(w, count, count, j, f->order, inner);
  tsr__submatrix_conjugate(w, count, count, inner);
  kernels_of(w)->normalise(count, all, len, sorted, f->sorted);
}

/* ---- both by LAPACK ---- */

static void find_installed(tsr__work *w, tsr_index m, tsr_index n, bool vectors, bool full, tsr__submatrix a,
                           factors *f, tsr_index *fault) {
  const tsr_index cols = full ? m : f->count, rows = full ? n : f->count;
  const tsr__submatrix u = tsr__submatrix_of(w, vectors ? take(w, m, cols) : NULL, cols);
  f->left = tsr__submatrix_transposed(u);
  f->right = tsr__submatrix_of(w, vectors ? take(w, rows, n) : NULL, n);
  f->back = tsr__submatrix_scale_down(w, m * n, a.at);
  if (w->base != NULL && f->back != f->back) return;
  *fault = tsr__lapack_svd(w, m, n, full, a.at, f->sorted, u.at, f->right.at);
}

/* ---- what is made of it ---- */

static tsr_real sigma_at(const tsr__work *w, const factors *f, tsr_index i) {
  const tsr__work parts = tsr__work_parts(w);
  return tsr__submatrix_get(&parts, tsr__submatrix_of(&parts, f->sorted, 1), i, 0);
}

static tsr_real limit_of(const tsr__stack *s, const tsr__work *w, const factors *f) {
  const tsr_index len = s->in[0].rows > s->in[0].cols ? s->in[0].rows : s->in[0].cols;
  const tsr_real rcond =
      s->number >= 0 ? s->number : (tsr__work_type(w) % 2 == 1 ? (tsr_real)0x1p-52 : (tsr_real)0x1p-23) * (tsr_real)len;
  return f->count > 0 ? rcond * sigma_at(w, f, 0) : 0;
}

static tsr_real rank_of(const tsr__stack *s, const tsr__work *w, const factors *f) {
  const tsr_real limit = limit_of(s, w, f);
  tsr_index rank = 0;
  while (rank < f->count && sigma_at(w, f, rank) > limit) rank++;
  return (tsr_real)rank;
}

static void put_values(const tsr__work *w, const factors *f, void *to) {
  const tsr__work parts = tsr__work_parts(w);
  for (tsr_index i = 0; i < f->count; i++)
    tsr__submatrix_put(&parts, tsr__submatrix_of(&parts, to, 1), i, 0, sigma_at(w, f, i) * (tsr_real)f->back);
}

static tsr_real number_of(const tsr__stack *s, const tsr__work *w, const factors *f) {
  if (s->kind == TSR__SVD_RANK) return rank_of(s, w, f);
  if (f->count == 0) return 0;
  const tsr_real most = sigma_at(w, f, 0), least = sigma_at(w, f, f->count - 1), back = (tsr_real)f->back;
  tsr_real sum = 0;
  if (s->kind == TSR__SVD_COND) return s->flag ? least / most : most / least;
  if (s->kind == TSR__SVD_MOST) return most * back;
  if (s->kind == TSR__SVD_LEAST) return least * back;
  for (tsr_index i = 0; i < f->count; i++) sum += sigma_at(w, f, i);
  return sum * back;
}

/* Rows of right by 1/σ: what is above limit. */
static void divide(const tsr__stack *s, const tsr__work *w, const factors *f, tsr__submatrix rows, tsr_index len) {
  const tsr_real limit = w->base != NULL ? limit_of(s, w, f) : 0;
  for (tsr_index i = 0; i < f->count && w->base != NULL; i++) {
    const tsr_real sigma = sigma_at(w, f, i), scale = sigma > limit ? 1 / (sigma * (tsr_real)f->back) : 0;
    for (tsr_index k = 0; k < len; k++)
      tsr__submatrix_put_complex(w, rows, i, k, tsr__submatrix_get(w, rows, i, k) * scale,
                                 tsr__submatrix_imaginary(w, rows, i, k) * scale);
  }
}

/* Vᴴ, scaled, its adjoint, by Uᴴ: (n, m). */
static void put_pinv(const tsr__stack *s, tsr__work *w, const factors *f, tsr__submatrix to) {
  const tsr_index m = s->in[0].rows, n = s->in[0].cols;
  divide(s, w, f, f->right, n);
  tsr__submatrix_multiply(w, TSR__SET, n, m, f->count, tsr__submatrix_adjoint(f->right), tsr__submatrix_conj(f->left),
                          to);
}

static void put_lstsq(const tsr__stack *s, tsr__work *w, const factors *f, tsr__submatrix b, void *const *out) {
  const tsr_index m = s->in[0].rows, n = s->in[0].cols, cols = s->out[0].cols;
  const tsr__submatrix along = tsr__submatrix_of(w, take(w, f->count, cols), cols);
  tsr__submatrix_multiply(w, TSR__SET, f->count, cols, m, tsr__submatrix_conj(f->left), b, along);
  divide(s, w, f, along, cols);
  tsr__submatrix_multiply(w, TSR__SET, n, cols, f->count, tsr__submatrix_adjoint(f->right), along,
                          tsr__submatrix_of(w, out[0], cols));
  if (w->base == NULL) return;
  const tsr__work parts = tsr__work_parts(w);
  tsr__submatrix_put(&parts, tsr__submatrix_of(&parts, out[1], 1), 0, 0, rank_of(s, w, f));
  put_values(w, f, out[2]);
}

static void put_svd(const tsr__stack *s, const tsr__work *w, const factors *f, void *const *out) {
  if (!s->out[0].none)
    tsr__submatrix_copy(w, s->out[0].rows, s->out[0].cols, tsr__submatrix_transposed(f->left),
                        tsr__submatrix_of(w, out[0], s->out[0].cols));
  put_values(w, f, out[1]);
  if (!s->out[2].none)
    tsr__submatrix_copy(w, s->out[2].rows, s->out[2].cols, f->right, tsr__submatrix_of(w, out[2], s->out[2].cols));
}

/* Of a matrix with a number that is not finite. */
static void put_nan(const tsr__stack *s, const tsr__work *w, void *const *out) {
  const tsr__work parts = tsr__work_parts(w);
  for (int k = 0; k < s->outs; k++) {
    const bool counts = s->out[k].is_real && s->out[k].dtype != tsr__part_dtype(s->dtype_out); /* a rank */
    tsr__fill_numbers(s->out[k].is_real ? &parts : w, s->out[k].rows * s->out[k].cols, out[k],
                      counts ? 0 : (double)__builtin_nanf(""));
  }
}

static void svd_rows(const tsr__stack *s, void *const *in, void *const *out, tsr__work *w, tsr_index *fault) {
  const tsr_index m = s->in[0].rows, n = s->in[0].cols, count = m < n ? m : n;
  const tsr__submatrix a = tsr__submatrix_of(w, in[0], n);
  factors f = {.count = count, .sigma = take(w, 1, count), .sorted = take(w, 1, count), .back = 1};
  f.order = tsr__work_take(w, 4 * (size_t)(count + 1) * sizeof *f.order);
  const bool full = s->kind == TSR__SVD_ALL && s->flag;
  if (tsr__lapack_takes(w, TSR__LAPACK_SVD, tsr__svd_vectors(s), count))
    find_installed(w, m, n, tsr__svd_vectors(s), full && tsr__svd_vectors(s), a, &f, fault);
  else if (tsr__svd_vectors(s))
    find_vectors(w, m, n, full, a, &f, fault);
  else
    find_values(w, m, n, a, &f, fault);
  const tsr__work parts = tsr__work_parts(w);
  if (w->base != NULL && f.back != f.back) {
    put_nan(s, w, out);
    return;
  }
  if (s->kind == TSR__SVD_PINV) put_pinv(s, w, &f, tsr__submatrix_of(w, out[0], m));
  if (s->kind == TSR__SVD_LSTSQ) put_lstsq(s, w, &f, tsr__submatrix_of(w, in[1], s->out[0].cols), out);
  if (w->base == NULL) return;
  if (s->kind == TSR__SVD_ALL) put_svd(s, w, &f, out);
  if (s->kind == TSR__SVD_VALUES) put_values(w, &f, out[0]);
  if (s->kind >= TSR__SVD_RANK)
    tsr__submatrix_put(&parts, tsr__submatrix_of(&parts, out[0], 1), 0, 0, number_of(s, w, &f));
}

tsr_status tsr__singular_inputs(tsr__call *call, tsr__stack *s) {
  s->lanes = TSR__LANES(svd);
  s->rows = svd_rows;
  s->fault = TSR_ECONVERGENCE;
  s->what = "has singular values that do not converge, from";
  if (s->ins == 0) s->ins = 1;
  s->in[0].core = 2;
  return tsr__stack_inputs(call, s);
}

#else

tsr_status tsr__singular_inputs(tsr__call *call, tsr__stack *s) {
  (void)s;
  return tsr__stack_refuse_build(call);
}

#endif

static tsr_status svd(tsr__call *call) {
  tsr__stack s = {.kind = TSR__SVD_ALL, .flag = ((const tsr__svd_attrs *)call->attrs)->full_matrices};
  const tsr_status st = tsr__singular_inputs(call, &s);
  if (st != TSR_OK) return st;
  const tsr_index m = s.in[0].rows, n = s.in[0].cols, k = m < n ? m : n;
  tsr__stack_output(&s, 2, m, s.flag ? m : k);
  tsr__stack_real_output(&s, 1, k, 1);
  tsr__stack_output(&s, 2, s.flag ? n : k, n);
  return tsr__stack_run(call, &s);
}

static tsr_status svdvals(tsr__call *call) {
  tsr__stack s = {.kind = TSR__SVD_VALUES};
  const tsr_status st = tsr__singular_inputs(call, &s);
  if (st != TSR_OK) return st;
  tsr__stack_real_output(&s, 1, s.in[0].rows < s.in[0].cols ? s.in[0].rows : s.in[0].cols, 1);
  return tsr__stack_run(call, &s);
}

TSR__OP(svd, svd, 0)
tsr_status tsr_svd(tsr_ctx *ctx, const tsr_tensor *a, bool full_matrices, tsr_tensor *u, tsr_tensor *s,
                   tsr_tensor *vh) {
  return TSR__CALL(svd, ctx, TSR__INPUTS(a), TSR__OUTPUTS(u, s, vh), .full_matrices = full_matrices);
}

TSR__OP(svdvals, svdvals, 0)
tsr_status tsr_svdvals(tsr_ctx *ctx, const tsr_tensor *a, tsr_tensor *out) {
  return TSR__CALL(svdvals, ctx, TSR__INPUTS(a), TSR__OUTPUTS(out), );
}
